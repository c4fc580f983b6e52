package learntest

import (
	"regexp"
	"strings"

	"github.com/learnbench/learnbench/internal/gotest"
)

// reproduceTest returns the command that runs a test or benchmark again.
func reproduceTest(env environment, pkg, test string) string {
	pattern := shellQuote(gotest.Pattern(test))
	words := append(append([]string{}, env.settings...), "go", "test", "-count=1", "-run", pattern)
	if strings.HasPrefix(test, "Benchmark") {
		words = append(words[:len(words)-1], "'^$'", "-bench", pattern)
	}
	if pkg != "" {
		words = append(words, pkg)
	}
	return strings.Join(words, " ")
}

// shellQuote puts a word in single quotes.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// shellWord quotes a word where a shell would take it apart.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return shellQuote(s)
}

var plainWord = regexp.MustCompile(`^[\w./@%+,:-]+$`)
