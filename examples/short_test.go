package examples

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLearnersAreShort counts the lines of code around the calls of each library: of the function
// that returns the learner and of functions and types of the same file that it uses, in their
// braces and in the closure that fits. Empty lines, comments and lines of closing brackets do not
// count.
func TestLearnersAreShort(t *testing.T) {
	const most = 12
	learners := make(map[string]int)
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			maps.Copy(learners, glue(t, path))
		}
		return err
	}))
	for _, library := range []string{"forest", "logistic", "words", "bayes", "network", "boosted", "cart", "linear"} {
		require.Contains(t, learners, library)
	}
	for name, lines := range learners {
		t.Logf("%s: %d lines", name, lines)
		require.LessOrEqual(t, lines, most, name)
	}
}

// glue returns the number of lines of each learner of a file.
func glue(t *testing.T, path string) map[string]int {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, 0)
	require.NoError(t, err)
	functions := make(map[string][]*ast.FuncDecl) // and the methods of each type
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		functions[f.Name.Name] = append(functions[f.Name.Name], f)
		if f.Recv != nil {
			of := f.Recv.List[0].Type.(*ast.Ident).Name
			functions[of] = append(functions[of], f)
		}
	}
	count := func(f *ast.FuncDecl) (n int) {
		for _, line := range lines[set.Position(f.Body.Lbrace).Line : set.Position(f.Body.Rbrace).Line-1] {
			line = strings.TrimSpace(line)
			opens := strings.HasPrefix(line, "return learntest.") && strings.HasSuffix(line, "{") // the closure that fits
			if strings.Trim(line, "{}(),") != "" && !strings.HasPrefix(line, "//") && !opens {
				n++
			}
		}
		return n
	}
	learners := make(map[string]int)
	for name, all := range functions {
		f := all[0]
		if f.Type.Results == nil || !isLearner(f.Type.Results.List[0].Type) {
			continue
		}
		called := []*ast.FuncDecl{f}
		for i := 0; i < len(called); i++ {
			ast.Inspect(called[i].Body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					for _, g := range functions[id.Name] {
						if !slices.Contains(called, g) {
							called = append(called, g)
						}
					}
				}
				return true
			})
		}
		for _, g := range called {
			learners[name] += count(g)
		}
	}
	return learners
}

// isLearner reports whether a type is a learntest.Learner.
func isLearner(t ast.Expr) bool {
	list, ok := t.(*ast.IndexListExpr)
	if !ok {
		return false
	}
	s, ok := list.X.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Learner"
}
