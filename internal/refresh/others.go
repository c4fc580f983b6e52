package refresh

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// withoutStale returns the text of a file without stale baselines and baselines of removed tests:
// results on two versions of the same data do not belong together. It is nil if nothing else is in
// it.
func (r *Refresh) withoutStale(f *record.File, b *baseline) ([]byte, error) {
	var blocks []*record.Block
	for _, block := range f.Blocks() {
		h := &block.Header
		if slices.ContainsFunc(r.baselines, func(o *baseline) bool {
			return o.rel == b.rel &&
				o.id() == h.Identity()
		}) {
			continue
		}
		if h.Data != b.Data {
			blocks = append(blocks, block)
			continue
		}
		if h.Pkg != b.tests[0].pkg || declares(b.Dir, h.Test) {
			return nil, fmt.Errorf("%s has results of %v, too, which no test that was run compares with: a file has results on one version of the data: run that test with the others, or remove the results if it is gone", b.rel, h.Identity())
		}
		if text := fmt.Sprintf("%s: results of %s, which %s does not declare any more",
			filepath.ToSlash(b.rel), h.Test, h.Pkg); !slices.Contains(r.dropped, text) {
			r.dropped = append(r.dropped, text)
		}
	}
	if blocks == nil {
		return nil, nil
	}
	var text bytes.Buffer
	err := record.Write(&text, blocks...)
	return text.Bytes(), err
}

// declares reports whether the files of tests in a directory, for any system and with any tags, may
// declare the function of a test.
func declares(dir, test string) bool {
	name, _, _ := strings.Cut(test, "/")
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return true
	}
	return slices.ContainsFunc(files, func(path string) bool {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		return err != nil || slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && fn.Recv == nil && fn.Name.Name == name
		})
	})
}
