package learnbench_test

import (
	"go/doc/comment"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// entryPoints are where users begin, each of which has an example.
var entryPoints = []struct {
	pkg   string
	names []string
}{
	{"", []string{""}}, // the whole package
	{"assert", []string{
		"Improves", "NoRegression", "Equivalent", "Replicable", "WithinBudget",
		"BaselineIsCurrent", "Family", "ImprovesOver", "Bayes",
	}},
	{"learntest", []string{
		"Compare", "CompareWith", "CompareAll", "Against", "Run", "CSV",
		"Func", "ProbFunc", "FromClassifier", "FromRegressor", "Encode", "Map", "Tabulate", "Pretrained",
	}},
	{"learntest/dataset", []string{
		"Open", "DigestOf", "ReadARFF", "ReadCSV", "New", "WriteARFF",
		"Encoding",
	}},
	{"learntest/dataset/uci", []string{""}},
	{"learntest/learner", []string{""}},
	{"learntest/learner/baseline", []string{"Majority", "Median"}},
	{"learntest/learner/c45", []string{"New"}},
	{"learntest/learner/discretize", []string{"New"}},
	{"learntest/learner/forest", []string{"New"}},
	{"learntest/learner/logistic", []string{"New"}},
	{"learntest/learner/naivebayes", []string{"New"}},
	{"learntest/learner/neighbor", []string{"New"}},
	{"learntest/learner/ols", []string{"New"}},
	{"learntest/learner/perceptron", []string{"New"}},
	{"learntest/learner/process", []string{"New"}},
	{"learntest/learner/ridge", []string{"New"}},
	{"learntest/learner/tan", []string{"New"}},
	{"learntest/learnercheck", []string{"Check", "Classifier"}},
	{"learntest/matrix", []string{"Learner"}},
	{"learntest/metric", []string{"Metric", "Metrics", "Lookup"}},
	{"learntest/record", []string{"Open", "Read", "Write", "Pair"}},
	{"learntest/record/imports", []string{""}},
	{"learntest/split", []string{"Protocol", "Protocol.Plan", "Parse", "TimeSeries"}},
	{"learntest/stat", []string{
		"NewDifferences", "CorrectedCVTTest", "Tests", "Lookup", "Test.Against", "Test.Equivalence",
		"DetectableDifference", "BayesianCorrelatedT",
	}},
	{"learntest/stat/across", []string{
		"SignedRank", "SignTest", "Friedman", "Pairwise",
		"VersusControl", "BayesSignedRank",
	}},
	{"learntest/stat/adjust", []string{"Methods", "Lookup", "Pairs"}},
	{"learntest/stat/contingency", []string{"McNemarTest", "TwoProportionsTest"}},
	{"learntest/stat/effect", []string{"Size", "CliffsDelta"}},
	{"learntest/stat/replicate", []string{"Retest.Predict", "Retest.Adaptive", "Replicability"}},
	{"learntest/study", []string{"Lookup", "FalseAlarmRate"}},
	{"learntest/verdict", []string{"Of", "Judge", "Adjust"}},
}

// TestDocumentation checks that each package and each exported name has a comment, that
// the links in comments lead to something, and that where users begin there is an example.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	packages := publicPackages(t)
	for _, p := range packages {
		links := p.Parser()
		check := func(name, text string) {
			name = strings.TrimPrefix(p.ImportPath, module+"/") + ": " + name
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s has no comment", name)
			}
			for _, broken := range brokenLinks(links.Parse(text), packages) {
				t.Errorf("%s: the link %s leads nowhere", name, broken)
			}
		}
		check("package "+p.Name, p.Doc)
		p.each(check)
		sum := 0
		for _, n := range p.examples() {
			sum += n
		}
		assert.NotZero(t, sum, "%s has no example", p.ImportPath)
	}
	for _, e := range entryPoints {
		p := packages[strings.TrimSuffix(module+"/"+e.pkg, "/")]
		if !assert.NotNil(t, p, "%s is no package", e.pkg) {
			continue
		}
		examples := p.examples()
		for _, name := range e.names {
			assert.NotZero(t, examples[name], "%s: %s has no example", e.pkg, name)
		}
	}
}

// TestPackagesFitTheScreen bounds the names that go doc lists for the packages that test authors
// import.
func TestPackagesFitTheScreen(t *testing.T) {
	t.Parallel()
	packages := publicPackages(t)
	for name, most := range map[string]int{"learntest": 35, "assert": 35} {
		names := 0
		packages[module+"/"+name].each(func(name, _ string) {
			if !strings.Contains(name, ".") {
				names++
			}
		})
		assert.LessOrEqual(t, names, most, name)
	}
}

// TestGoDocFitsTheScreen bounds what go doc prints about these packages, a screen being 60 lines.
func TestGoDocFitsTheScreen(t *testing.T) {
	citest.Need(t, citest.Slow)
	t.Parallel()
	for name, most := range map[string]int{"learntest": 120, "assert": 60} {
		out, err := exec.CommandContext(t.Context(), "go", "doc", "./"+name).Output()
		require.NoError(t, err)
		assert.LessOrEqual(t, strings.Count(string(out), "\n"), most, name)
	}
}

// looksLikeLink matches an intended link to a name, in text without links.
var looksLikeLink = regexp.MustCompile(`\[\*?(\w+\.)?[A-Z]\w*(\.\w+)?\]`)

// brokenLinks returns the links in a comment that lead nowhere: links that pkg.go.dev shows as
// plain text, since the file imports no package of that name, and links to names that a package of
// this module lacks.
func brokenLinks(d *comment.Doc, packages map[string]*documented) []string {
	var broken []string
	for _, text := range texts(d.Content) {
		switch x := text.(type) {
		case comment.Plain:
			broken = append(broken, looksLikeLink.FindAllString(string(x), -1)...)
		case *comment.DocLink:
			name := strings.TrimPrefix(x.Recv+"."+x.Name, ".")
			if !leads(x.ImportPath, name, packages) {
				broken = append(broken, "["+strings.TrimSuffix(x.ImportPath+"."+name, ".")+"]")
			}
		}
	}
	return broken
}

// leads reports whether there is a package, and in it the name if that is not empty. Other
// modules are taken for right, and the commands have no names to link to.
func leads(importPath, name string, packages map[string]*documented) bool {
	dir, inside := strings.CutPrefix(importPath+"/", module+"/")
	if !inside {
		return true
	}
	if p := packages[importPath]; p != nil {
		return name == "" || p.names[name]
	}
	_, err := os.Stat(dir + "doc.go")
	return err == nil && name == "" && strings.HasPrefix(dir, "cmd/")
}

// texts returns the texts of paragraphs, headings and lists. Code has no links.
func texts(blocks []comment.Block) []comment.Text {
	var all []comment.Text
	for _, b := range blocks {
		switch b := b.(type) {
		case *comment.Paragraph:
			all = append(all, b.Text...)
		case *comment.Heading:
			all = append(all, b.Text...)
		case *comment.List:
			for _, item := range b.Items {
				all = append(all, texts(item.Content)...)
			}
		}
	}
	return all
}
