package starter

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// A goPackage is what the Go files of a directory declare.
type goPackage struct {
	name     string
	declared map[string]string // files, by the names that they declare
	structs  map[string]*ast.StructType
}

// readPackage reads the Go files of a directory. A directory without any is to be a package of
// its own name.
func readPackage(dir string) (*goPackage, error) {
	p := &goPackage{declared: make(map[string]string), structs: make(map[string]*ast.StructType)}
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if built, err := build.Default.MatchFile(dir, filepath.Base(path)); err != nil {
			return nil, err
		} else if !built { // a generator, or for another system
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if name := f.Name.Name; !strings.HasSuffix(name, "_test") {
			p.name = name
			p.add(filepath.Base(path), f)
		}
	}
	if p.name == "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		p.name = identifier(filepath.Base(abs), false)
	}
	return p, nil
}

// add adds what a file declares.
func (p *goPackage) add(file string, f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				p.declared[d.Name.Name] = file
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					p.declared[spec.Name.Name] = file
					if s, ok := spec.Type.(*ast.StructType); ok {
						p.structs[spec.Name.Name] = s
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						p.declared[name.Name] = file
					}
				}
			}
		}
	}
}

// label returns the column of the label of a struct, and its type.
func (p *goPackage) label(name string) (column, typ string, err error) {
	s := p.structs[name]
	if s == nil {
		return "", "", fmt.Errorf("-type %s: the package %s declares no such struct", name, p.name)
	}
	for _, f := range s.Fields.List {
		if f.Tag == nil || len(f.Names) != 1 {
			continue
		}
		text, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			continue
		}
		column, options, _ := strings.Cut(reflect.StructTag(text).Get("csv"), ",")
		for option := range strings.SplitSeq(options, ",") {
			if option == "label" {
				if column == "" {
					column = f.Names[0].Name
				}
				return column, types.ExprString(f.Type), nil
			}
		}
	}
	return "", "", fmt.Errorf("-type %s: no field has the tag of the label, as in `csv:\"churned,label\"`", name)
}

var notInNames = regexp.MustCompile(`[^a-zA-Z0-9]+`)

// identifier makes a name for Go of a name of a file.
func identifier(text string, exported bool) string {
	var b strings.Builder
	for _, part := range notInNames.Split(text, -1) {
		if part == "" {
			continue
		}
		if b.Len() > 0 || exported {
			part = strings.ToUpper(part[:1]) + part[1:]
		} else {
			part = strings.ToLower(part[:1]) + part[1:]
		}
		b.WriteString(part)
	}
	name := b.String()
	if name == "" || name[0] >= '0' && name[0] <= '9' || token.IsKeyword(name) ||
		types.Universe.Lookup(name) != nil {
		name = map[bool]string{true: "Data", false: "data"}[exported] + name
	}
	return name
}

// fileName makes a name for the file of a test of a name of data. The go command passes over files
// whose names begin with an underscore or a dot.
func fileName(text string) string {
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(text), "_"), "_")
	if name == "" {
		name = "data"
	}
	return name + "_model_test.go"
}

// readable returns an error unless a file can be read.
func readable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}
