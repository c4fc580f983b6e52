package learnbench_test

import (
	"encoding/json"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/learnbench/learnbench"

// forbidden lists what packages must not reach, by any path. A name that ends
// with "/..." stands for all below it, too.
var forbidden = []struct {
	from   string
	except []string
	to     []string
	why    string
}{
	{"learntest/stat/...", nil, []string{
		"learntest", "learntest/dataset/...", "learntest/split/...", "learntest/learner/...",
		"learntest/metric/...", "learntest/record/...", "learntest/verdict/...",
	}, "statistics are pure functions on numbers, and know of a metric in which direction it is better"},
	{
		"learntest/unit", nil,
		[]string{"learntest/...", "assert", "cmd/...", "internal/..."},
		"what numbers mean is known to all, and knows none of them",
	},
	{"learntest/record/...", []string{"learntest/record/imports"}, []string{
		"learntest", "learntest/stat/...", "learntest/dataset/...", "learntest/learner/...",
		"learntest/metric/...", "learntest/verdict/...",
	}, "records know no statistics, and of packages upstream only the text of a protocol"},
	{
		"learntest/record/...", nil,
		[]string{"internal/storage"},
		"a format is of texts: where they are kept comes after it",
	},
	{"internal/storage", nil, []string{
		"cmd/...", "learntest", "learntest/stat/...", "learntest/dataset/...", "learntest/learner/...",
		"learntest/metric/...", "learntest/verdict/...", "testing",
	}, "storage keeps results of any content"},
	{"learntest/record/imports", nil, []string{
		"learntest", "learntest/stat/...", "learntest/learner/...", "learntest/verdict/...",
	}, "imports make records: data, partitions and metrics only say what of"},
	{"learntest/dataset/...", nil, []string{
		"learntest", "learntest/split/...", "learntest/learner/...", "learntest/metric/...",
		"learntest/record/...", "learntest/stat/...", "learntest/verdict/...",
	}, "data come first"},
	{"cmd/learnstat/internal/input", nil, []string{
		"cmd/learnstat/internal/match", "cmd/learnstat/internal/judge", "cmd/learnstat/internal/report",
		"cmd/learnstat/internal/print", "cmd/learnstat/internal/picture",
	}, "reading comes before comparing"},
	{"cmd/learnstat/internal/match", nil, []string{
		"cmd/learnstat/internal/judge", "cmd/learnstat/internal/report", "cmd/learnstat/internal/print",
		"cmd/learnstat/internal/picture",
	}, "the choice of comparisons comes before their tests"},
	{"cmd/learnstat/internal/judge", nil, []string{
		"cmd/learnstat/internal/print", "cmd/learnstat/internal/picture",
	}, "findings come before their formats"},
	{"cmd/learnstat/internal/report", nil, []string{
		"cmd/learnstat/internal/input", "cmd/learnstat/internal/match", "cmd/learnstat/internal/judge",
		"cmd/learnstat/internal/print", "cmd/learnstat/internal/picture",
	}, "a report is plain data, and its sentences"},
	{"cmd/learnstat/internal/print", nil, []string{
		"cmd/learnstat/internal/input", "cmd/learnstat/internal/match", "cmd/learnstat/internal/judge",
		"cmd/learnstat/internal/picture",
	}, "formats print a report, and take nothing from elsewhere"},
	{"cmd/learnstat/internal/picture", nil, []string{
		"cmd/learnstat/internal/judge", "cmd/learnstat/internal/print",
	}, "pictures show a report, and the results that it was made of"},
	{"internal/plot", nil, []string{
		"cmd/...", "learntest", "learntest/dataset/...",
		"learntest/learner/...", "internal/htmlreport",
	}, "pictures are of numbers, from any source"},
	{
		"internal/htmlreport", nil,
		[]string{"cmd/...", "learntest/...", "internal/plot"},
		"a page is plain text, and pictures that are drawn elsewhere",
	},
	{"learntest/split/...", nil, []string{
		"learntest", "learntest/learner/...", "learntest/metric/...", "learntest/record/...",
		"learntest/stat/...", "learntest/verdict/...",
	}, "partitions know only data"},
	{"learntest/learner/...", nil, []string{
		"learntest", "learntest/metric/...", "learntest/record/...", "learntest/stat/...",
		"learntest/verdict/...",
	}, "learners know nothing of records or statistics"},
	{"learntest/metric/...", nil, []string{
		"learntest", "learntest/dataset/...", "learntest/learner/...", "learntest/stat/...",
		"learntest/verdict/...",
	}, "metrics see predictions, and have the units of records"},
	{"learntest/verdict/...", nil, []string{
		"learntest", "learntest/dataset/...", "learntest/learner/...", "learntest/metric/...",
	}, "a verdict is a function of records"},
	{"learntest/internal/trial", nil, []string{
		"learntest", "learntest/internal/results", "learntest/learner/...", "learntest/stat/...",
		"learntest/verdict/...", "internal/storage",
	}, "trials are run: what for, and where they are kept, is the matter of others"},
	{"learntest/internal/results", nil, []string{
		"learntest", "learntest/dataset/...", "learntest/learner/...", "learntest/stat/...",
		"learntest/verdict/...", "internal/gotest",
	}, "records alone say which cells there are"},
	{
		"learntest/study/...", nil,
		[]string{"cmd/...", "learntest/matrix"},
		"a study is of methods, and run by the command",
	},
	{
		"internal/lab", nil,
		[]string{"cmd/...", "learntest/study", "learntest/matrix"},
		"a lab trains for studies, and knows none",
	},
	{
		"...",
		[]string{"internal/lab", "learntest/study", "cmd/learnbench"},
		[]string{"internal/lab"},
		"only studies train in a lab",
	},
	{
		"...",
		[]string{"learntest/study", "cmd/learnbench"},
		[]string{"learntest/study"},
		"studies come last: only the command that runs them links them",
	},
	{
		"...",
		[]string{"learntest/learnercheck", "cmd/learnbench"},
		[]string{"learntest/learnercheck"},
		"nothing but tests and the command checks learners",
	},
	{"...", []string{
		"learntest/matrix", "learntest/learner/ols", "internal/lab", "internal/starter",
		"learntest/study", "cmd/learnbench",
	}, []string{
		"gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/blas/...", "gonum.org/v1/gonum/lapack/...",
	}, "linear algebra is large: only programs that ask for it link it"},
	{"...", []string{
		"internal/plot", "cmd/learnstat", "cmd/learnstat/internal/picture",
		"cmd/learnstat/internal/flip",
	}, []string{
		"golang.org/x/image/...", "codeberg.org/go-fonts/...", "internal/plot",
	}, "pictures are large: only the command that draws them links them, and neither tests nor assertions do"},
	{
		"...",
		[]string{"assert"},
		[]string{"assert", "github.com/stretchr/testify/assert"},
		"nothing but tests imports assert or testify",
	},
	{
		"...",
		[]string{"assert", "internal/scripttest"},
		[]string{"testing"},
		"nothing but assert reaches testing, the commands least of all",
	},
	{
		"...",
		[]string{"internal/scripttest"},
		[]string{"internal/scripttest"},
		"what runs the scripts of tests is for tests",
	},
}

// alone lists what only some packages import themselves.
var alone = []struct {
	by        []string
	what, why string
}{
	{
		[]string{"learntest", "learntest/internal/results", "learntest/learnercheck"},
		"learntest/internal/trial", "trials are run for the cells that are missing, or to test learners",
	},
	{
		[]string{"learntest", "learntest/items"},
		"learntest/internal/results",
		"results are kept for packages that run trials",
	},
	{
		[]string{"internal/plot"},
		"golang.org/x/image/...",
		"how pictures are drawn is the matter of one package",
	},
	{[]string{"internal/plot"}, "codeberg.org/go-fonts/...", "and so are their fonts"},
}

type listed struct {
	ImportPath                         string
	Deps                               []string
	Imports, TestImports, XTestImports []string
}

// TestImportsFlowOneWay checks the arrows between the packages.
func TestImportsFlowOneWay(t *testing.T) {
	t.Parallel()
	// go list is another process: the walk tells the cache of test results
	// which files this result depends on.
	require.NoError(t, filepath.WalkDir(".", func(string, fs.DirEntry, error) error { return nil }))
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps",
		"-json=ImportPath,Deps,Imports,TestImports,XTestImports", "./...").Output()
	require.NoError(t, err)
	var packages []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		require.NoError(t, dec.Decode(&p))
		if p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/") {
			packages = append(packages, p)
		}
	}
	require.Greater(t, len(packages), 15)
	for _, rule := range forbidden {
		checked := 0
		for _, p := range packages {
			if !matches(rule.from, p.ImportPath) || slices.ContainsFunc(rule.except,
				func(e string) bool { return matches(e, p.ImportPath) }) {
				continue
			}
			checked++
			for _, dep := range p.Deps {
				for _, to := range rule.to {
					if matches(to, dep) {
						t.Errorf("%s reaches %s: %s", p.ImportPath, dep, rule.why)
					}
				}
			}
		}
		require.NotZero(t, checked, "rule for %s applies to no package", rule.from)
	}
	for _, rule := range alone {
		found := make(map[string]bool)
		for _, p := range packages {
			for _, dep := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
				if !matches(rule.what, dep) {
					continue
				}
				at := slices.IndexFunc(rule.by, func(by string) bool { return matches(by, p.ImportPath) })
				if at < 0 {
					t.Errorf("%s imports %s, which only %s does: %s", p.ImportPath, dep,
						strings.Join(rule.by, " and "), rule.why)
					continue
				}
				found[rule.by[at]] = true
			}
		}
		require.Len(t, found, len(rule.by), "not all of %v import %s", rule.by, rule.what)
	}
}

// matches reports whether the import path is the package, which is one of this
// module unless its name says otherwise, or below it if the pattern ends with "/...".
func matches(pattern, path string) bool {
	base, below := strings.CutSuffix(pattern, "...")
	base = strings.TrimSuffix(base, "/")
	if base == "" {
		return path == module || strings.HasPrefix(path, module+"/")
	}
	if first, _, _ := strings.Cut(base, "/"); slices.Contains([]string{
		"learntest", "assert", "cmd",
		"internal",
	}, first) {
		base = module + "/" + base
	}
	return path == base || below && strings.HasPrefix(path, base+"/")
}
