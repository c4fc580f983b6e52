package learntest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// callSite returns file and line of the call of Compare.
func callSite(skip int) string {
	_, file, line, ok := runtime.Caller(skip)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// callerPackage returns the import path of the test that called Compare.
func callerPackage(skip int) string {
	pc, _, _, ok := runtime.Caller(skip)
	if !ok {
		return ""
	}
	name := runtime.FuncForPC(pc).Name() // example.com/model_test.TestForest.func1
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return name
	}
	return strings.TrimSuffix(name[:slash+dot], "_test")
}

// reproduceTest returns the command that runs the test again.
func reproduceTest(env environment, pkg, test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexpQuote(p) + "$"
	}
	words := append(append([]string{}, env.settings...), "go", "test", "-count=1", "-run", "'"+strings.Join(parts, "/")+"'", pkg)
	return strings.Join(words, " ")
}

// regexpQuote quotes what is special in a regular expression or in single
// quotes of a shell.
func regexpQuote(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune(`\.+*?()|[]{}^$`, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\'':
			b.WriteByte('.')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
