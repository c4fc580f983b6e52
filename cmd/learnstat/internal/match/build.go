package match

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"golang.org/x/perf/benchproc"
)

// build makes the tables.
func (a *arrangement) build() error {
	benchproc.SortKeys(a.keys)
	for _, k := range a.keys {
		c := a.columns[k]
		col := Column{Label: c.label}
		if !c.several {
			col.Side = c.side
		}
		a.Columns = append(a.Columns, col)
	}
	if a.query.HasBaseline {
		a.withBaseline()
	}
	slices.SortStableFunc(a.order, func(x, y rowKey) int {
		for _, k := range [...][2]benchproc.Key{{x.table, y.table}, {x.row, y.row}} {
			switch {
			case k[0] == k[1]:
			case k[0].Less(k[1]):
				return -1
			case k[1].Less(k[0]):
				return 1
			}
		}
		return 0
	})
	w := &absences{arrangement: a, told: make(map[[2]string]bool), alone: make(map[aloneKey]*alone)}
	renamed := new(renames)
	a.apart = a.takesTests()
	var last benchproc.Key
	var table *Table
	for _, k := range a.order {
		if table == nil || k.table != last {
			last = k.table
			table = a.newTable(k.table)
		}
		for _, row := range a.split(k, table.Metric, renamed) {
			if w.keep(table, row) {
				table.Rows = append(table.Rows, row)
			}
		}
		if len(table.Rows) > 0 && (len(a.Tables) == 0 || a.Tables[len(a.Tables)-1] != table) {
			a.Tables = append(a.Tables, table)
		}
	}
	if a.query.HasBaseline {
		a.baselineOnly(w)
	}
	w.report()
	if a.query.Slices {
		a.addSlices()
	}
	if a.query.Common && len(a.Tables) > 0 && !haveItems(a.Tables) {
		a.Problems = append(a.Problems, errNoItems)
	}
	a.without()
	if note := renamed.String(); note != "" {
		a.Notes = append(a.Notes, note)
	}
	if len(a.Tables) == 0 {
		for _, note := range a.Notes {
			a.Problems = append(a.Problems, errors.New(note))
		}
		a.Problems = append(a.Problems, a.nothing())
	}
	return nil
}

// without records files that have no compared results, unless a filter may be why.
func (a *arrangement) without() {
	if a.query.Col != DefaultCol || a.query.HasBaseline || a.query.Filter != "*" ||
		len(a.Tables) == 0 {
		return
	}
	for _, s := range a.sides {
		if !slices.ContainsFunc(a.Columns, func(c Column) bool { return c.Side == s }) {
			what := s.Label + " has none of the compared results"
			if a.query.Lenient {
				a.Notes = append(a.Notes, what)
			} else {
				a.Problems = append(a.Problems, errors.New(what))
			}
		}
	}
}

func (a *arrangement) newTable(k benchproc.Key) *Table {
	t := &Table{Metric: k.Get(a.unit)}
	for _, f := range a.table.FlattenedFields() {
		if v := k.Get(f); f != a.unit && v != "" {
			if name, ok := a.names[v]; ok && (f.Name == "/data" || f.Name == "/learner") {
				v = name
			}
			t.Keys = append(t.Keys, KeyValue{f.Name, v})
		}
	}
	return t
}

// withBaseline puts the results of the baseline before the results of the other learners of its
// file.
func (a *arrangement) withBaseline() {
	a.Columns = []Column{
		{Label: a.query.Baseline, Side: a.sides[0]},
		{Label: "candidate", Side: a.sides[0]},
	}
	var data, learners list
	for _, s := range a.sides {
		data.add(s.File.DataSets()...)
	}
	for _, d := range data.all {
		for _, l := range a.sides[0].File.Learners(d) {
			if a.lacking[d][l] && l != a.query.Baseline {
				learners.add(l)
			}
		}
	}
	without := make(map[string]bool)
	for _, d := range data.all {
		have := a.lacking[d]
		if len(have) == 0 {
			continue
		}
		s := a.sides[0]
		if !have[a.query.Baseline] {
			without[d] = true
			a.Problems = append(a.Problems,
				fmt.Errorf("%s: data set %s has no learner %s, the baseline: run it there as well, or choose the others with -data", s.Pos(d, ""), d, a.query.Baseline))
			continue
		}
		var lack []string
		for _, l := range learners.all {
			if !have[l] {
				lack = append(lack, l)
			}
		}
		if lack != nil {
			a.leaveOut(a.query.Strict, s.Pos(d, ""),
				fmt.Sprintf("data set %s lacks learners that other data sets have: %s", d, unit.Quoted(lack)),
				"run them there as well, or choose with -learner or -data")
		}
	}
	a.order = slices.DeleteFunc(a.order, func(k rowKey) bool {
		return without[a.rows[k].first()[0].data]
	})
}

// baselineOnly records the metrics that the baseline has and a candidate lacks.
func (a *arrangement) baselineOnly(w *absences) {
	var tables, rows []benchproc.Key
	of := make(map[benchproc.Key]*entry) // by row
	for _, k := range a.order {
		if !slices.Contains(tables, k.table) {
			tables = append(tables, k.table)
		}
		if of[k.row] == nil {
			of[k.row] = &a.rows[k].first()[0]
			rows = append(rows, k.row)
		}
	}
	for k := range a.base {
		if !slices.Contains(tables, k.table) {
			tables = append(tables, k.table)
		}
	}
	benchproc.SortKeys(tables)
	for _, t := range tables {
		for _, r := range rows {
			e := of[r]
			if a.rows[rowKey{t, r}] == nil && a.base[baseKey{t, e.data}] != nil {
				w.only(t.Get(a.unit), newCell(e, "", false), 0)
			}
		}
	}
}

// leaveOut adds results that are not compared: as a problem, or as a note.
func (a *arrangement) leaveOut(problem bool, place, what, remedy string) {
	if !problem {
		a.Notes = append(a.Notes, what)
		return
	}
	if remedy != "" {
		what += ": " + remedy
	}
	a.Problems = append(a.Problems, fmt.Errorf("%s: %s", place, what))
}

// split returns the rows that a key stands for: most often one. The protocol tells apart what
// a column has several results for, and after that package and test do.
func (a *arrangement) split(k rowKey, metric string, renamed *renames) []*Row {
	columns := make([][]entry, len(a.Columns))
	if a.query.HasBaseline {
		columns[1] = a.rows[k].first()
		columns[0] = a.base[baseKey{k.table, columns[1][0].data}]
	} else {
		for i, key := range a.keys {
			columns[i] = a.rows[k].of(a.columns[key].number)
		}
	}
	sep := " "
	if a.query.Row == DefaultRow {
		sep = "/"
	}
	label := a.label(k.row, a.row, sep)
	if !slices.ContainsFunc(columns, haveProtocols) {
		return a.splitTests(label, metric, columns, "", renamed)
	}
	var protocols list
	for _, entries := range columns {
		for i := range entries {
			protocols.add(entries[i].protocol)
		}
	}
	var rows []*Row
	for _, protocol := range protocols.all {
		part := make([][]entry, len(columns))
		for i, entries := range columns {
			for _, e := range entries {
				if e.protocol == protocol {
					part[i] = append(part[i], e)
				}
			}
		}
		rows = append(rows, a.splitTests(label+" ("+protocol+")", metric, part, protocol, renamed)...)
	}
	return rows
}

// haveProtocols reports whether results of one column have different protocols.
func haveProtocols(entries []entry) bool {
	return slices.ContainsFunc(entries,
		func(e entry) bool { return e.protocol != entries[0].protocol })
}

// splitTests returns the rows of results with one protocol.
func (a *arrangement) splitTests(label, metric string, columns [][]entry, protocol string,
	renamed *renames,
) []*Row {
	whole := &Row{Label: label, Cells: make([]*Cell, len(columns))}
	ambiguous := false
	for i, entries := range columns {
		if len(entries) == 0 {
			continue
		}
		whole.Cells[i] = newCell(&entries[0], protocol, a.query.Common)
		if a.apart {
			for j := range entries {
				whole.Cells[i].tests = append(whole.Cells[i].tests, entries[j].name)
			}
		}
		ambiguous = ambiguous || len(entries) > 1 && whole.Cells[i].ambiguous(metric)
	}
	if !ambiguous {
		renamed.add(a, label, columns)
		return []*Row{whole}
	}
	names := matchTests(columns)
	rows := make([]*Row, len(names))
	for i, match := range names {
		row := &Row{Cells: make([]*Cell, len(columns))}
		row.Label = fmt.Sprintf("%s [%s]", label, match.name)
		for j, e := range match.entries {
			if e != nil {
				row.Cells[j] = newCell(e, protocol, a.query.Common)
				row.Cells[j].tests = []testName{e.name}
			}
		}
		rows[i] = row
		one := make([][]entry, len(columns))
		for j, e := range match.entries {
			if e != nil {
				one[j] = []entry{*e}
			}
		}
		renamed.add(a, label, one)
	}
	return rows
}

func newCell(e *entry, protocol string, common bool) *Cell {
	return &Cell{
		Side: e.side, File: e.file, Data: e.data, Learner: e.learner, protocol: protocol,
		common: common,
	}
}

// ambiguous reports whether the experiments that have the cell's learner do not agree.
func (c *Cell) ambiguous(metric string) bool {
	_, err := record.Pair(c.Selection(), c.Selection(), metric)
	return errors.Is(err, record.ErrAmbiguous)
}
