package learnbench_test

import (
	"go/doc/comment"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// entryPoints are where users begin, each of which has an example.
var entryPoints = []struct {
	pkg   string
	names []string
}{
	{"", []string{""}}, // the whole package
	{"learntest", []string{"Run", "TestLearner", "Func", "ProbFunc", "Rows", "Classifier", "CSV"}},
	{"learntest/dataset", []string{"ReadARFF", "ReadCSV", "WriteARFF", "Encoding"}},
	{"learntest/dataset/uci", []string{""}},
	{"learntest/learner", []string{""}},
	{"learntest/learner/baseline", []string{"Majority", "Median"}},
	{"learntest/learner/c45", []string{"New"}},
	{"learntest/learner/discretize", []string{"New"}},
	{"learntest/learner/learnertest", []string{"Check"}},
	{"learntest/learner/naivebayes", []string{"New"}},
	{"learntest/learner/neighbor", []string{"New"}},
	{"learntest/learner/ols", []string{"New"}},
	{"learntest/learner/perceptron", []string{"New"}},
	{"learntest/learner/process", []string{"New"}},
	{"learntest/learner/tan", []string{"New"}},
	{"learntest/matrix", []string{"Learner"}},
	{"learntest/metric", []string{"Metric", "Metrics", "Lookup"}},
	{"learntest/record", []string{"Read", "Write", "Pair", "Store"}},
	{"learntest/record/imports", []string{""}},
	{"learntest/split", []string{"Parse", "TimeSeries", "Protocol.Plan"}},
	{"learntest/stat", []string{"NewDifferences", "CorrectedCVTTest", "Lookup", "DetectableDifference", "Retest.Predict", "BayesianCorrelatedT"}},
	{"learntest/stat/across", []string{"SignedRank", "SignTest", "Pairwise"}},
	{"learntest/stat/adjust", []string{"BergmannHommel"}},
	{"learntest/stat/contingency", []string{"McNemarTest"}},
	{"learntest/stat/effect", []string{"CliffsDelta"}},
	{"learntest/study", []string{"Lookup", "ParseNetwork"}},
	{"learntest/verdict", []string{"OfFile", "Judge", "Adjust"}},
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

// looksLikeLink matches what is meant to be a link to a name, in the text that is none.
var looksLikeLink = regexp.MustCompile(`\[\*?(\w+\.)?[A-Z]\w*(\.\w+)?\]`)

// brokenLinks returns the links in a comment that lead nowhere: those that pkg.go.dev shows
// as plain text, since the file imports no package of that name, and those to what a
// package of this module does not have.
func brokenLinks(d *comment.Doc, packages map[string]*documented) []string {
	var broken []string
	for _, text := range texts(d.Content) {
		switch x := text.(type) {
		case comment.Plain:
			broken = append(broken, looksLikeLink.FindAllString(string(x), -1)...)
		case *comment.DocLink:
			name := strings.TrimPrefix(x.Recv+"."+x.Name, ".")
			q := packages[x.ImportPath]
			inside := x.ImportPath == module || strings.HasPrefix(x.ImportPath, module+"/")
			if inside && (q == nil || name != "" && !q.names[name]) {
				broken = append(broken, "["+strings.TrimSuffix(x.ImportPath+"."+name, ".")+"]")
			}
		}
	}
	return broken
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
