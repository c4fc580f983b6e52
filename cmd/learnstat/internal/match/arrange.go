package match

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/input"
	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"golang.org/x/perf/benchproc"
)

// Arrange arranges the results of the sides. It returns an error if the query does not fit
// them; that there is nothing to compare is a problem of the layout.
func Arrange(q Query, sides []*input.Side) (*Layout, error) {
	p, err := newProjector(&q)
	if err != nil {
		return nil, err
	}
	a := &arrangement{
		query: &q, sides: sides, projector: p, Layout: new(Layout),
		rows: make(map[rowKey]*slots), base: make(map[baseKey][]entry),
		columns: make(map[benchproc.Key]*columnIndex),
	}
	if err := a.checkTerms(); err != nil {
		return nil, err
	}
	if err := a.choose(); err != nil {
		return nil, err
	}
	if err := a.collect(); err != nil {
		return nil, err
	}
	if err := a.build(); err != nil {
		return nil, err
	}
	return a.Layout, nil
}

// An arrangement is a layout in the making.
type arrangement struct {
	*projector
	*Layout
	query *Query
	sides []*input.Side

	data, learners map[string]bool // that were chosen; nil if all
	metrics        []string        // that were chosen; nil if all

	rows    map[rowKey]*slots
	order   []rowKey
	base    map[baseKey][]entry // of the baseline among the learners of one file
	columns map[benchproc.Key]*columnIndex
	keys    []benchproc.Key // of the columns
	lacking map[string]map[string]bool
	apart   bool // the query tells packages or tests apart
}

// A rowKey says where a row is.
type rowKey struct{ table, row benchproc.Key }

// A baseKey says which of the baseline's results a row is compared with.
type baseKey struct {
	table benchproc.Key
	data  string
}

// An entry is the results of a learner under one identity.
type entry struct {
	side          *input.Side
	file          *record.File
	data, learner string
	protocol      string
	name          testName
}

// A columnIndex says what a column is of.
type columnIndex struct {
	number  int // in the order in which columns appear
	label   string
	side    *input.Side // nil if there are several
	several bool
}

// choose looks up the names of the selection.
func (a *arrangement) choose() error {
	var data, learners, metrics list
	for _, s := range a.sides {
		data.add(s.File.DataSets()...)
	}
	chosen, err := a.query.Data.Choose("data set", data.all)
	if err != nil {
		return err
	}
	a.data = set(a.query.Data, chosen)
	for _, s := range a.sides {
		for _, d := range chosen {
			learners.add(s.File.Learners(d)...)
		}
	}
	if a.query.HasBaseline {
		if !slices.Contains(learners.all, a.query.Baseline) {
			return fmt.Errorf("%s: no learner is called %q, the baseline; there are: %s%s",
				a.sides[0].Paths[0], a.query.Baseline, unit.Quoted(learners.all),
				catalogue.Suggest(a.query.Baseline, learners.all))
		}
		learners.all = slices.DeleteFunc(learners.all,
			func(l string) bool { return l == a.query.Baseline })
		if chosen, err = a.query.Learners.Choose("learner beside the baseline",
			learners.all); err != nil {
			return err
		}
		a.learners = set(a.query.Learners, append(chosen, a.query.Baseline))
	} else {
		if chosen, err = a.query.Learners.Choose("learner", learners.all); err != nil {
			return err
		}
		a.learners = set(a.query.Learners, chosen)
	}
	if len(a.query.Metrics) == 0 {
		return nil
	}
	for _, s := range a.sides {
		for _, u := range s.File.Units() {
			metrics.add(u.Name)
		}
	}
	a.metrics, err = a.query.Metrics.Choose("metric", metrics.all)
	return err
}

// set returns the chosen names, or nil if nothing was to be chosen.
func set(flag Names, chosen []string) map[string]bool {
	if len(flag) == 0 {
		return nil
	}
	m := make(map[string]bool, len(chosen))
	for _, c := range chosen {
		m[c] = true
	}
	return m
}

func chosen(m map[string]bool, name string) bool { return m == nil || m[name] }

// collect puts every learner of every block where it belongs.
func (a *arrangement) collect() error {
	for _, s := range a.sides {
		for _, f := range a.files(s) {
			for _, err := range cli.Leaves(f.CheckStopped()) {
				a.Problems = append(a.Problems, s.Problem(err))
			}
			for _, b := range f.Blocks() {
				if !chosen(a.data, b.Header.Data) || b.Header.IsSecondOpinion() { // on what other blocks have
					continue
				}
				if err := a.block(s, f, b); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// files returns the file of a side, or one for each of its parts that may be in different
// columns although they share their identity.
func (a *arrangement) files(s *input.Side) []*record.File {
	if !a.splitsFiles() {
		return []*record.File{s.File}
	}
	type part struct{ commit, data, split string }
	parts := make(map[part][]*record.Block)
	var order []part
	for _, b := range s.File.Blocks() {
		k := part{b.Header.Commit, b.Header.DataDigest, b.Header.SplitDigest}
		if parts[k] == nil {
			order = append(order, k)
		}
		parts[k] = append(parts[k], b)
	}
	if len(order) == 1 {
		return []*record.File{s.File}
	}
	files := make([]*record.File, len(order))
	for i, k := range order {
		files[i] = record.NewFile(parts[k]...)
	}
	return files
}

// block takes the learners of a block.
func (a *arrangement) block(s *input.Side, f *record.File, b *record.Block) error {
	h := &b.Header
	units := a.metrics
	if units == nil {
		for _, u := range b.Units {
			units = append(units, u.Name)
		}
	}
	r := a.result(s, b, units)
	var tables []benchproc.Key
	var col benchproc.Key
	for _, learner := range b.Learners {
		if !chosen(a.learners, learner) {
			continue
		}
		r.Name = a.name(h.Data, learner)
		match, err := a.filter.Match(r)
		if !match.Any() || err != nil {
			continue // an error says why there is no match
		}
		e := entry{s, f, h.Data, learner, h.Protocol, testName{h.Pkg, h.Test}}
		if tables == nil || a.named {
			tables, col = a.table.ProjectValues(r), a.col.Project(r)
		}
		row := a.rowKey(r, h.Data, learner)
		isBase := a.query.HasBaseline && learner == a.query.Baseline
		column := 0
		if !isBase {
			column = a.column(col, s).number
		}
		if a.query.HasBaseline {
			a.note(h.Data, learner)
		}
		for i, table := range tables {
			if !match.Test(i) {
				continue
			}
			if isBase {
				k := baseKey{table, h.Data}
				a.base[k] = append(a.base[k], e)
				continue
			}
			k := rowKey{table, row}
			slot := a.rows[k]
			if slot == nil {
				slot = new(slots)
				a.rows[k] = slot
				a.order = append(a.order, k)
			}
			have := slot.of(column)
			if len(have) > 0 && (have[0].data != e.data || have[0].learner != e.learner ||
				have[0].side != e.side || have[0].file != e.file) {
				return a.mixed(k.row, &have[0], &e)
			}
			if !slices.Contains(have, e) {
				slot.add(column, &e)
			}
		}
	}
	return nil
}

// mixed is the error for a cell with results that cannot be taken together.
func (a *arrangement) mixed(row benchproc.Key, x, y *entry) error {
	what, remedy := "", ""
	switch {
	case x.data != y.data:
		what, remedy = fmt.Sprintf("data sets %s and %s", x.data, y.data),
			"add /data to -row, -col or -table"
	case x.learner != y.learner:
		what, remedy = fmt.Sprintf("learners %s and %s", x.learner, y.learner),
			"add /learner to -row, -col or -table"
	case x.side != y.side:
		what, remedy = fmt.Sprintf("files %s and %s", x.side.Label, y.side.Label),
			"add .file to -row, -col or -table, or give shards of one side the same label"
	default:
		what, remedy = "commits or digests of "+x.side.Label, "add commit to -row, -col or -table"
	}
	return fmt.Errorf("row %q has a cell with results of the %s, which cannot be taken together: %s",
		a.label(row, a.row, " "), what, remedy)
}

// note records which data set has which learner.
func (a *arrangement) note(data, learner string) {
	if a.lacking == nil {
		a.lacking = make(map[string]map[string]bool)
	}
	if a.lacking[data] == nil {
		a.lacking[data] = make(map[string]bool)
	}
	a.lacking[data][learner] = true
}

// column returns the index of a column.
func (a *arrangement) column(k benchproc.Key, s *input.Side) *columnIndex {
	c := a.columns[k]
	if c == nil {
		c = &columnIndex{number: len(a.keys), side: s}
		c.label = a.label(k, a.col, " ")
		if fields := a.col.FlattenedFields(); len(fields) == 1 && fields[0].Name == ".file" {
			c.label = s.Label
		}
		a.columns[k] = c
		a.keys = append(a.keys, k)
	}
	c.several = c.several || c.side != s
	return c
}

// nothing is the problem that there is nothing to compare.
func (a *arrangement) nothing() error {
	names := make([]string, len(a.sides))
	for i, s := range a.sides {
		names[i] = s.Paths[0]
	}
	switch len(names) {
	case 1:
		return fmt.Errorf("%s: there is nothing to compare", names[0])
	case 2:
		return fmt.Errorf("there is nothing to compare in %s and %s", names[0], names[1])
	}
	return errors.New("there is nothing to compare in " + unit.Quoted(names))
}
