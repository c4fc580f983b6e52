package learnbench_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unusedNames are the exported names of stat and record that nothing outside of their packages
// mentions, tests aside, with the reason why they are there.
var unusedNames = map[string]map[string]string{
	"stat": {
		"AveragedFiveByTwoTTest":    "a test by its function, for callers with differences: commands look it up by name",
		"AveragedTTest":             "a test by its function",
		"DieboldMarianoTest":        "a test by its function",
		"FiveByTwoFTest":            "a test by its function",
		"FiveByTwoTTest":            "a test by its function",
		"MonteCarloPermutationTest": "a test by its function",
		"TieTolerance":              "doc comments of stat and stat/across link to it",
		"Tests":                     "the list of what Lookup finds",
		"DetectableDifference":      "what a result detects, for an experiment that is planned from differences",
		"StudentizedRange":          "critical differences of Tukey and Nemenyi by hand, beside the other distributions",
	},
	"record": {},
}

// TestExportedNamesHaveUsers keeps stat and record to what somebody needs.
func TestExportedNamesHaveUsers(t *testing.T) {
	t.Parallel()
	used := selectors(t)
	packages := publicPackages(t)
	for name, reasons := range unusedNames {
		p := packages[module+"/learntest/"+name]
		shape := signatures(p)
		for _, n := range packageNames(p) {
			_, excused := reasons[n]
			switch {
			case used[name+"."+n] || strings.HasPrefix(n, "Err") || shape[n]:
				assert.False(t, excused, "%s.%s has a user", name, n)
			default:
				assert.True(t, excused, "nothing uses %s.%s: unexport it, or say in unusedNames why it is there", name, n)
			}
		}
		for n := range reasons {
			assert.Contains(t, packageNames(p), n)
		}
	}
}

// packageNames returns the exported names at package level.
func packageNames(p *documented) []string {
	var names []string
	p.each(func(name, _ string) {
		if !strings.Contains(name, ".") {
			names = append(names, name)
		}
	})
	return names
}

// signatures returns the types of a package that its other exported names mention, and the
// constants of types.
func signatures(p *documented) map[string]bool {
	mentioned := make(map[string]bool)
	mention := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				mentioned[id.Name] = true
			}
			return true
		})
	}
	each := func(funcs []*doc.Func) {
		for _, f := range funcs {
			mention(f.Decl.Type)
		}
	}
	each(p.Funcs)
	for _, typ := range p.Types {
		each(typ.Funcs)
		each(typ.Methods)
		for _, s := range typ.Decl.Specs {
			mention(s.(*ast.TypeSpec).Type)
		}
		for _, c := range typ.Consts {
			for _, n := range c.Names {
				mentioned[n] = true
			}
		}
	}
	return mentioned
}

// selectors returns the qualified names, as stat.Lookup, in all files of the module and of those
// nested in it, but tests.
func selectors(t *testing.T) map[string]bool {
	used := make(map[string]bool)
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "examples") ||
			slices.Contains(strings.Split(path, string(filepath.Separator)), "testdata") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					used[x.Name+"."+s.Sel.Name] = true
				}
			}
			return true
		})
		return nil
	}))
	return used
}
