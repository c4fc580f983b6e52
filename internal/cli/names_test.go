package cli

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goName finds a name that only users of packages know: a field or a constant of Go.
var goName = regexp.MustCompile(`\b(Config|ReadOptions|Options|Limits|Encoding|dataset|split|Table|ExampleSet)\.[A-Z]\w+|\b[A-Z][a-z]+ \(-[a-z]|\bMissing(NaN|Indicator|Error)\b`)

// unreached are texts of packages that no command prints, with the reason.
var unreached = []struct{ file, text, why string }{
	{
		"learntest/learnercheck/", "",
		"harms are what the command prints: remedies are for learners of Go",
	},
	{"learntest/source.go", "dataset.DigestOf", "commands compare tables, which have digests"},
	{
		"learntest/tables.go", "Table.Example makes one",
		"commands compare tables, whose rows are their own",
	},
	{"learntest/results.go", "Config.Results.", "flags that exclude each other are found first"},
	{
		"learntest/grouped.go", "Config",
		"the commands choose a protocol of groups, and refuse others, before",
	},
	{"learntest/degrade.go", "Config.", "only tests read LEARNTEST_DEGRADE"},
	{"learntest/cache.go", "Config.", "only tests in Go keep trials in a cache"},
	{"learntest/again.go", "Config.Depends", "only tests in Go keep trials in a cache"},
	{"learntest/config.go", "Config.Depends", "only tests in Go keep trials in a cache"},
	{
		"learntest/learner/process/depends.go", "process.Config.Depends",
		"only tests in Go keep trials in a cache",
	},
	{"learntest/report.go", "Config.", "only tests in Go make claims"},
	{
		"learntest/dataset/limits.go", "ReadOptions.Limits.",
		"limit.Error has it in the phrase that is replaced",
	},
	{"internal/starter/", "", "init writes Go"},
	{"learntest/items/", "Config.", "only tests in Go ask systems"},
	{
		"learntest/record/imports/limits.go", "Limits.",
		"limit.Error has it in the phrase that is replaced",
	},
}

// TestCommandsNameNoFields looks at all texts of the packages that commands are made of.
func TestCommandsNameNoFields(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	var all strings.Builder
	used := make([]bool, len(unreached))
	for _, dir := range []string{"learntest", "internal", "cmd"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry,
			err error,
		) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") ||
				strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
				return err
			}
			name, err := filepath.Rel(root, path)
			require.NoError(t, err)
			name = filepath.ToSlash(name)
			if name == "internal/cli/names.go" {
				return nil
			}
			for _, text := range literals(t, path) {
				all.WriteString(text + "\n")
				if found := goName.FindString(forCommands.Replace(text)); found != "" {
					reached := true
					for i, u := range unreached {
						if strings.HasPrefix(name, u.file) && strings.Contains(text, u.text) {
							used[i], reached = true, false
						}
					}
					assert.False(t, reached, "%s: a command would print %s, which is a name of Go: add the flag's name to names.go: %q", name, found, text)
				}
			}
			return nil
		}))
	}
	for i, u := range unreached {
		assert.True(t, used[i], "%s has no %q any more", u.file, u.text)
	}
	for _, n := range goNames {
		if _, what, ok := strings.Cut(n.phrase, ": raise "); ok {
			assert.Contains(t, all.String(), strings.TrimSuffix(what, " if so many are meant"))
			continue
		}
		assert.Contains(t, all.String(), n.phrase, "no text has it any more")
	}
}

// literals returns the strings of a file.
func literals(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	require.NoError(t, err)
	var texts []string
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			s, err := strconv.Unquote(l.Value)
			require.NoError(t, err)
			texts = append(texts, s)
		}
		return true
	})
	return texts
}

func TestMessagesNameFlags(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("import: %w: give Folds (-folds), Examples (-examples)",
		errors.New("choose with Where (-where)"))
	var b strings.Builder
	Report(&b, "learnbench", errors.Join(err,
		errors.New("more than 5 bytes: raise ReadOptions.Limits.Bytes if so many are meant")))
	assert.Equal(t, "learnbench: import: choose with -where: give -folds, -examples\nlearnbench: more than 5 bytes, which is the most that is read\n", b.String())
	b.Reset()
	Report(&b, "learnbench", errors.New("learner J48 (-C) is not there"))
	assert.Equal(t, "learnbench: learner J48 (-C) is not there\n", b.String(), "a name is a name")
}
