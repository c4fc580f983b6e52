package learnbench_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	maxMethods = 20
	maxLines   = 350
)

// large lists types with more methods and files with more lines than that, each with its
// reason.
var large = map[string]string{
	"cmd/learnbench/doc.go": "the text of learnbench help all",
	"cmd/learnstat/doc.go":  "the text of learnstat -h",
}

// TestTypesAndFilesAreSmall counts the methods of each type and the lines of each file of this
// module, tests and nested modules aside.
func TestTypesAndFilesAreSmall(t *testing.T) {
	t.Parallel()
	methods := make(map[string]int)
	found := make(map[string]bool)
	files := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != "." ||
				d.Name() == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if lines := strings.Count(string(text), "\n"); lines > maxLines {
			found[path] = true
			assert.Contains(t, large, path, "%d lines", lines)
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			if m, ok := d.(*ast.FuncDecl); ok && m.Recv != nil {
				methods[filepath.ToSlash(filepath.Dir(path))+"."+receiver(m.Recv.List[0].Type)]++
			}
		}
		return nil
	}))
	require.Greater(t, files, 200)
	for name, n := range methods {
		if n > maxMethods {
			found[name] = true
			assert.Contains(t, large, name, "%d methods", n)
		}
	}
	for name := range large {
		assert.Contains(t, found, name, "it is small now: take it off the list")
	}
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	panic("not the type of a method")
}
