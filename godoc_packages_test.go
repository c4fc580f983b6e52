package learnbench_test

import (
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A documented is a package that others may import, as pkg.go.dev sees it.
type documented struct {
	*doc.Package
	set   *token.FileSet
	names map[string]bool // exported names, as Name or Type.Name
}

// publicPackages returns the packages that others may import.
func publicPackages(t *testing.T) map[string]*documented {
	t.Helper()
	all, err := parsedPackages()
	require.NoError(t, err)
	require.Greater(t, len(all), 20)
	return all
}

// parsedPackages parses the packages that others may import.
var parsedPackages = sync.OnceValues(func() (map[string]*documented, error) {
	all := make(map[string]*documented)
	return all, filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch name := d.Name(); {
		case name == "testdata", name == "internal", name == "cmd", name != "." &&
			strings.HasPrefix(name, "."):
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && dir != "." {
			return filepath.SkipDir // another module
		}
		p, err := parsePackage(dir)
		if p != nil {
			all[p.ImportPath] = p
		}
		return err
	})
})

// parsePackage returns the package in a directory, or nil if there is none but for tests.
func parsePackage(dir string) (*documented, error) {
	linux := build.Default // what pkg.go.dev shows first
	linux.GOOS, linux.GOARCH = "linux", "amd64"
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &documented{set: token.NewFileSet(), names: make(map[string]bool)}
	var files []*ast.File
	for _, path := range paths {
		if ok, err := linux.MatchFile(filepath.Split(path)); err != nil || !ok {
			if err != nil {
				return nil, err
			}
			continue
		}
		f, err := parser.ParseFile(p.set, path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	p.Package, err = doc.NewFromFiles(p.set, files, path.Join(module, filepath.ToSlash(dir)))
	if err != nil || len(p.Filenames) == 0 {
		return nil, err
	}
	p.each(func(name, _ string) { p.names[name] = true })
	return p, nil
}

// examples returns how many examples each name has, the package under the empty one.
func (p *documented) examples() map[string]int {
	n := map[string]int{"": len(p.Examples)}
	for _, f := range p.Funcs {
		n[f.Name] = len(f.Examples)
	}
	for _, typ := range p.Types {
		n[typ.Name] = len(typ.Examples)
		for _, f := range typ.Funcs {
			n[f.Name] = len(f.Examples)
		}
		for _, m := range typ.Methods {
			n[typ.Name+"."+m.Name] = len(m.Examples)
		}
	}
	return n
}

// each calls f with each exported name and its comment.
func (p *documented) each(f func(name, text string)) {
	eachValue(p.Consts, f)
	eachValue(p.Vars, f)
	eachFunc(p.Funcs, "", f)
	for _, typ := range p.Types {
		f(typ.Name, typ.Doc)
		eachValue(typ.Consts, f)
		eachValue(typ.Vars, f)
		eachFunc(typ.Funcs, "", f)
		eachFunc(typ.Methods, typ.Name+".", f)
		p.eachField(typ, f)
	}
}

func eachFunc(fs []*doc.Func, of string, f func(name, text string)) {
	for _, fn := range fs {
		f(of+fn.Name, fn.Doc)
	}
}

// eachValue takes the comment of a list for the comment of each value in it, and the comment of its
// first value where the list has none.
func eachValue(vs []*doc.Value, f func(name, text string)) {
	for _, v := range vs {
		first := v.Doc
		for _, spec := range v.Decl.Specs {
			s := spec.(*ast.ValueSpec)
			text := v.Doc + s.Doc.Text() + s.Comment.Text()
			if first == "" {
				first = text
			}
			if text == "" {
				text = first
			}
			for _, name := range s.Names {
				if name.IsExported() {
					f(name.Name, text)
				}
			}
		}
	}
}

// eachField takes the comment above a field for the comment of all fields after it without an empty
// line. A field that its type's comment speaks of needs none, and neither does one that has the
// name of its type, or one with a single meaning everywhere. The methods of an interface are for
// its comment to say.
func (p *documented) eachField(typ *doc.Type, f func(name, text string)) {
	of, ok := typ.Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.StructType)
	if !ok {
		return
	}
	above, end := "", 0
	for _, field := range of.Fields.List {
		if p.set.Position(field.Pos()).Line > end+1 {
			above = ""
		}
		end = p.set.Position(field.End()).Line
		if field.Doc != nil {
			above = field.Doc.Text()
		}
		for _, name := range field.Names {
			text := above + field.Comment.Text()
			is, _ := field.Type.(*ast.Ident)
			if text == "" && (is != nil && is.Name == name.Name || slices.Contains(evident, name.Name) ||
				mentions(typ.Doc, name.Name)) {
				text = typ.Doc
			}
			f(typ.Name+"."+name.Name, text)
		}
	}
}

// evident are names of fields with one meaning in all types.
var evident = strings.Fields(`Data DataSets Learner Learners Candidate Baseline Unit Run Runs Fold Folds
	Test File Line Msg Limits Statistic P Alternative Warnings Outcome`)

// mentions reports whether a text has a word that begins with a name, in whatever case.
func mentions(text, name string) bool {
	return regexp.MustCompile(`(?i)\b` + name).MatchString(text)
}
