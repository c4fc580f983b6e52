package starter

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A model is what the written test is about.
type model struct {
	start  *Start
	pkg    string
	name   string // of the data
	path   string // of the data, from the package
	file   string // of the test
	test   string
	make   string // name of the function that makes the learner
	labels string // type of the labels of structs

	n       int
	numbers bool    // are predicted, not classes
	missing bool    // values are missing
	skewed  bool    // one class is most of them
	margin  float64 // in the unit of the metric
	spread  float64 // standard deviation of numbers
	why     string  // what the margin is
}

// model looks at the data and the package.
func (s *Start) model(root string, p *goPackage) (*model, error) {
	if s.CSV == "" {
		return nil, errors.New("-csv: name the file of the data")
	}
	abs, err := filepath.Abs(s.CSV)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return nil, err
	}
	if rel, err := filepath.Rel(root, abs); err != nil || !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("-csv %s: the file lies outside of the module, where go test does not see that it changes: copy it into testdata", s.CSV)
	}
	rel, err := filepath.Rel(dir, abs)
	if err != nil {
		return nil, err
	}
	base, _, _ := strings.Cut(filepath.Base(abs), ".")
	m := &model{
		start: s, pkg: p.name, name: base, path: filepath.ToSlash(rel),
		test: "Test" + identifier(base, true),
		file: fileName(base), make: identifier(base, false) + "Model",
	}
	column, group := s.Label, s.Group
	if s.Type != "" {
		if column, group, err = m.ofType(p); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{m.test, m.make} {
		if file := p.declared[name]; file != "" && (name != m.make || s.Type == "") {
			return nil, fmt.Errorf("%s is declared in %s already: rename it, or the file of the data", name,
				file)
		}
	}
	return m, m.look(abs, column, group)
}

// ofType checks the names of a struct and of its learner.
func (m *model) ofType(p *goPackage) (column, group string, err error) {
	s := m.start
	if s.Label != "" || s.Group != "" {
		return "", "", errors.New("-type: the tags of the struct say which columns are the label and the group: leave -label and -group out")
	}
	if s.Learner == "" || p.declared[s.Learner] == "" {
		return "", "", fmt.Errorf("-learner %q: name the function of package %s that returns a learntest.Learner of %s", s.Learner, p.name, s.Type)
	}
	column, m.labels, err = p.label(s.Type)
	m.make = s.Learner
	return column, "", err
}

// look finds out from the data with which learner, metric and margin to begin.
func (m *model) look(path, column, group string) error {
	if err := readable(path); err != nil {
		return err
	}
	t, err := dataset.Open(path, dataset.ReadOptions{NoClass: true})
	if err != nil {
		return err
	}
	var names []string
	for j := range t.NumAttributes() {
		names = append(names, t.Attribute(j).Name)
	}
	if len(names) == 1 && strings.ContainsAny(names[0], ";\t") {
		return fmt.Errorf("-csv %s: its only column is %q: save it with commas between the columns",
			m.start.CSV, names[0])
	}
	for _, c := range []struct{ flag, name string }{{"-label", column}, {"-group", group}} {
		if c.name == "" && c.flag == "-group" || slices.Contains(names, c.name) {
			continue
		}
		return fmt.Errorf("%s %q: name one of the columns %s", c.flag, c.name, strings.Join(names, ", "))
	}
	if column == group {
		return errors.New("-group: the label cannot be the group")
	}
	m.n = t.Len()
	label := slices.Index(names, column)
	for j := range t.NumAttributes() {
		for i := range t.Len() {
			switch {
			case !t.Missing(i, j):
			case j == label:
				return fmt.Errorf("-label %s: row %d has no label: leave the row out", column, i+1)
			case names[j] == group:
				return fmt.Errorf("-group %s: row %d has no group: give it one, or leave the row out", group,
					i+1)
			default:
				m.missing = true
			}
		}
	}
	if group != "" {
		if err := checkGroups(t, slices.Index(names, group)); err != nil {
			return err
		}
	}
	counts := make(map[string]int)
	if t.Attribute(label).Kind == dataset.Numeric {
		whole := true
		sum, squares := 0.0, 0.0
		for _, y := range t.Numbers(label) {
			whole = whole && y == math.Trunc(y)
			counts[strconv.FormatFloat(y, 'g', -1, 64)]++
			sum += y
		}
		mean := sum / float64(m.n)
		for _, y := range t.Numbers(label) {
			squares += (y - mean) * (y - mean)
		}
		m.spread = math.Sqrt(squares / float64(m.n))
		m.numbers = !whole || len(counts) > 10
	} else {
		for _, c := range t.Codes(label) {
			counts[t.Attribute(label).Values[c]]++
		}
	}
	if m.labels != "" {
		m.numbers = m.labels == "float64" || m.labels == "float32"
	}
	most := 0
	for _, n := range counts {
		most = max(most, n)
	}
	switch {
	case len(counts) < 2:
		return fmt.Errorf("-label %s: all rows have the same label, so that there is nothing to learn",
			column)
	case m.numbers:
		m.marginOfNumbers(path, column, group)
		return nil
	}
	m.skewed = 4*most > 3*m.n
	m.margin, err = marginFor(m.n, func(n int) float64 { return 1 - math.Pow(0.05, 1/float64(n)) })
	m.why = fmt.Sprintf("%.4g points", 100*m.margin)
	return err
}

// text returns the test.
func (m *model) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("package %s", m.pkg)
	line("")
	line("import (")
	line("\t\"testing\"")
	line("")
	const module = "github.com/learnbench/learnbench/"
	imports := []string{"assert", "learntest"}
	if m.labels == "" {
		imports = append(imports, "learntest/dataset", "learntest/learner/"+m.learner())
	}
	if m.skewed {
		imports = append(imports, "learntest/metric")
	}
	for _, name := range imports {
		line("\t%q", module+name)
	}
	line(")")
	line("")
	line("// %s fails if the model is worse than the one in %s by the margin or more.",
		m.test, baselinePath)
	line("func %s(t *testing.T) {", m.test)
	line("\t%s, err := %s", "data", m.read())
	line("\tif err != nil {\n\t\tt.Fatal(err)\n\t}")
	examples := "data"
	if m.numbers && m.labels == "" {
		line("\tnumbers, err := data.Regression()")
		line("\tif err != nil {\n\t\tt.Fatal(err)\n\t}")
		examples = "numbers"
	}
	line("\tassert.NoCopies(t, %s, 0.01)", examples)
	if m.skewed {
		line("\tcfg := learntest.Config{Metrics: []metric.Metric{metric.BalancedAccuracy()}} // one class is most of them")
		line("\tc := learntest.AgainstWith(t, cfg, %s, %s(), %q)", examples, m.make, baselinePath)
	} else {
		line("\tc := learntest.Against(t, %s, %s(), %q)", examples, m.make, baselinePath)
	}
	line("\tassert.NoRegression(t, c, assert.Margin(%v)) // %s", m.margin, m.why)
	line("}")
	if m.labels != "" {
		return b.String()
	}
	kind, from := "int", "FromClassifier"
	config := m.learner() + ".Config{}"
	if m.numbers {
		kind, from = "float64", "FromRegressor"
		if m.missing {
			config = "ols.Config{Missing: dataset.MissingIndicator}"
		}
	}
	line("")
	line("// %s returns the model that is guarded: put yours in its place, under the same name.",
		m.make)
	line("func %s() learntest.Learner[dataset.Row, %s] {", m.make, kind)
	line("\tmodel := learntest.%s(%s.New(%s))", from, m.learner(), config)
	line("\tmodel.Name = %q // it keeps its name when it changes", m.name)
	line("\treturn model")
	line("}")
	return b.String()
}

// learner returns the package of the learner of tables.
func (m *model) learner() string {
	if m.numbers {
		return "ols"
	}
	return "naivebayes"
}

// read returns the call that reads the data.
func (m *model) read() string {
	if m.labels != "" {
		return fmt.Sprintf("learntest.CSV[%s, %s](%q)", m.start.Type, m.labels, m.path)
	}
	column := "Class"
	if m.numbers {
		column = "Target"
	}
	options := fmt.Sprintf("%s: %q", column, m.start.Label)
	if m.start.Group != "" {
		options += fmt.Sprintf(", Group: %q", m.start.Group)
	}
	return fmt.Sprintf("dataset.Open(%q, dataset.ReadOptions{%s})", m.path, options)
}
