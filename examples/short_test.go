package examples

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLearnersAreShort checks that no learner takes more than a dozen lines around the calls of its
// library, nor anything else than one function that returns it.
func TestLearnersAreShort(t *testing.T) {
	learners := make(map[string]int)
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Type.Results == nil || !isLearner(f.Type.Results.List[0].Type) {
				continue
			}
			learners[f.Name.Name] = set.Position(f.End()).Line - set.Position(f.Pos()).Line - 1 // in the braces
		}
		return nil
	}))
	require.Greater(t, len(learners), 6)
	for name, lines := range learners {
		require.LessOrEqual(t, lines, 14, "%s: 12 lines in the closure", name)
	}
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
