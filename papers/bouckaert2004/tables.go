package bouckaert2004

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/prints"
	"github.com/learnbench/learnbench/papers/internal/simulation"
)

// bfPrintedSets is the number of data sets in the paper.
const bfPrintedSets = 27

// bfCells count how many cells of the tables are near their print.
type bfCells struct {
	complete bool // all data sets are there: otherwise the print is of others
	seen     map[string]bool
	rows     []*bfAgreement
}

// A bfAgreement is the agreement of one table with the print, without cells that are in an earlier
// one.
type bfAgreement struct {
	table                  string
	cells, near, in2errors int
	withErrors             int
}

// begin begins a table.
func (c *bfCells) begin(table string) *bfAgreement {
	a := &bfAgreement{table: table}
	if c.complete {
		c.rows = append(c.rows, a)
	}
	return a
}

// Counts of data sets are near the print if they are this near, and R if it is this near.
const (
	nearSets = 3
	nearR    = 0.05
)

// add counts a cell, which is the same as others with its key.
func (c *bfCells) add(a *bfAgreement, key string, measure int, ours, printed, se float64) {
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	a.cells++
	within := float64(nearSets)
	if measure == 2 {
		within = nearR
	}
	a.near += lab.Indicator(math.Abs(ours-printed) <= within+1e-12)
	if se > 0 {
		a.withErrors++
		a.in2errors += lab.Indicator(math.Abs(ours-printed) <= 2*se)
	}
}

func (c *bfCells) table() study.Table {
	t := study.Table{
		Title: bfPaper + "cells near their print",
		Notes: []string{fmt.Sprintf("A number of data sets is near that in print if it differs by %d or less, and R if it does by %.2f or less. Cells that an earlier table has are not counted again.", nearSets, nearR)},
		Columns: []string{
			"table", "cells", "near", "within two errors", "of cells with an error",
		},
	}
	for _, a := range c.rows {
		t.Add(a.table, strconv.Itoa(a.cells), strconv.Itoa(a.near), strconv.Itoa(a.in2errors),
			strconv.Itoa(a.withErrors))
	}
	return t
}

const bfErrors = "The error comes from the drawing of partitions: it is measured by drawing the runs of all ten repeats again %d times, from all that were made for the data set. The difference is in standard errors of both figures, where the print is taken to have our error."

// beside returns the cells of a figure of a summary beside the print.
func (b *bf) beside(s bfSummary, measure int, f prints.Figure) []string {
	digits := 0
	if measure == 2 {
		digits = 3
	}
	cells := prints.BesideError(figures(s.Consistency)[measure], s.se[measure], digits, f,
		s.se[measure])
	if measure < 2 {
		cells[1] = lab.Figure(s.se[measure], 1)
	}
	if len(b.shelf.Sets) != bfPrintedSets {
		cells[3] = ""
	}
	return cells
}

// bf1Tables has the draws on each data set, and their foot.
func bf1Tables(ctx context.Context, b *bf, cells *bfCells) ([]study.Table, error) {
	found, err := b.outcomes(ctx, bfTable1Tests())
	if err != nil {
		return nil, err
	}
	printed, foot := prints.Open("bf-table1"), prints.Open("bf-table1-foot")
	sets := study.Table{
		Title: bfPaper + "table 1: draws",
		Notes: []string{
			b.shelf.Note(bfPrintedSets),
			"How often in ten times the 5×2cv t test finds no difference. The difference to the print is in standard errors of the difference of two binomial numbers with one mean.", lab.IB1Note,
		},
		Columns: []string{"data set"},
	}
	for _, p := range bfPairs {
		sets.Columns = append(sets.Columns, p.name, "printed", "in errors")
	}
	for i, set := range b.shelf.Sets {
		row := []string{set.Name}
		for p := range bfPairs {
			ours, theirs := simulation.Repeats-found[p][0].rejections[i],
				printed.Int(bfPairs[p].name, set.Name)
			share := float64(ours+theirs) / (2 * simulation.Repeats)
			row = append(row, strconv.Itoa(ours), strconv.Itoa(theirs), prints.InErrors(float64(ours-theirs),
				math.Sqrt(2*simulation.Repeats*share*(1-share))))
		}
		sets.Add(row...)
	}
	t := study.Table{
		Title: bfPaper + "table 1: replicability of the 5×2cv t test",
		Notes: []string{
			fmt.Sprintf(bfErrors, redraws),
			"The last column is what the printed draws of these data sets alone come to.",
		},
		Columns: []string{
			"pair", "figure", "ours", "±", "printed", "in errors", "of the same data sets",
		},
	}
	a := cells.begin("table 1")
	for p, pair := range bfPairs {
		s, err := found[p][0].summary()
		if err != nil {
			return nil, err
		}
		same := make([]int, len(b.shelf.Sets))
		for i, set := range b.shelf.Sets {
			same[i] = simulation.Repeats - printed.Int(pair.name, set.Name)
		}
		theirs, err := replicate.ReplicabilityOver(same, simulation.Repeats)
		if err != nil {
			return nil, err
		}
		for m, name := range bfMeasures {
			f := foot.Figure(pair.name, name)
			t.Add(append(append([]string{pair.name, name}, b.beside(s, m, f)...),
				lab.Figure(figures(theirs)[m], f.Decimals))...)
			cells.add(a, "5×2 "+pair.name+name, m, figures(s.Consistency)[m], f.Value, math.Sqrt2*s.se[m])
		}
	}
	return []study.Table{sets, t}, nil
}

// replicabilities is a table of the paper with four columns.
func (b *bf) replicabilities(ctx context.Context, cells *bfCells, name, what, file, column string,
	tests []bfTest,
) ([]study.Table, error) {
	found, err := b.outcomes(ctx, tests)
	if err != nil {
		return nil, err
	}
	printed := prints.Open(file)
	t := study.Table{
		Title: bfPaper + name + ": replicability of " + what,
		Notes: []string{b.shelf.Note(bfPrintedSets), fmt.Sprintf(bfErrors, redraws)},
		Columns: []string{
			"pair", "figure", column, "ours", "±", "printed", "in errors",
		},
	}
	a := cells.begin(name)
	for p, pair := range bfPairs {
		for m, measure := range bfMeasures {
			for i, test := range tests {
				s, err := found[p][i].summary()
				if err != nil {
					return nil, err
				}
				f := printed.Figure(test.column, pair.name, measure)
				t.Add(append([]string{pair.name, measure, test.column}, b.beside(s, m, f)...)...)
				key := fmt.Sprint(pair.name, m, test.test, test.partitioning, test.runs, test.alpha)
				cells.add(a, key, m, figures(s.Consistency)[m], f.Value, math.Sqrt2*s.se[m])
			}
		}
	}
	return []study.Table{t}, nil
}

// bfTextTables has the figures of sections 4.1 and 4.3.
func bfTextTables(ctx context.Context, b *bf, _ *bfCells) ([]study.Table, error) {
	directions, err := b.directions(ctx)
	if err != nil {
		return nil, err
	}
	uncorrected, err := b.uncorrected(ctx)
	if err != nil {
		return nil, err
	}
	stratified, err := b.stratified(ctx)
	return []study.Table{directions, uncorrected, stratified}, err
}

// directions says how often the 5×2cv test rejects in both directions.
func (b *bf) directions(ctx context.Context) (study.Table, error) {
	found, err := b.outcomes(ctx, bfTable1Tests())
	if err != nil {
		return study.Table{}, err
	}
	t := study.Table{
		Title: bfPaper + "section 4.1: rejections of the 5×2cv t test",
		Notes: []string{
			b.shelf.Note(bfPrintedSets),
			"On how many data sets at least one of ten repeats finds no difference, on how many at least one finds a difference, and on how many some find the one learner better and some the other; and how many repeats find a difference there at most. The paper has 26 and 19 for the first pair, and says of the third that it only happens where 2 or 3 find a difference.",
		},
		Columns: []string{
			"pair", "no difference", "a difference", "both directions",
			"differences there at most",
		},
	}
	for p, pair := range bfPairs {
		row := []string{pair.name}
		for _, n := range found[p][0].directions() {
			row = append(row, strconv.Itoa(n))
		}
		t.Add(row...)
	}
	return t, nil
}

// directions returns the figures of section 4.1: on how many data sets a repeat finds no
// difference, a difference, and differences in both directions, and how many repeats find
// some there at most.
func (o *bfOutcome) directions() []int {
	n := make([]int, 4)
	for i, k := range o.rejections {
		n[0] += lab.Indicator(k < simulation.Repeats)
		n[1] += lab.Indicator(k > 0)
		if o.second[i] > 0 && o.second[i] < k {
			n[2]++
			n[3] = max(n[3], k)
		}
	}
	return n
}

// uncorrected holds the uncorrected tests against section 4.3.
func (b *bf) uncorrected(ctx context.Context) (study.Table, error) {
	tests := bfTextTests()
	found, err := b.outcomes(ctx, tests)
	if err != nil {
		return study.Table{}, err
	}
	printed := prints.Open("bf-text")
	t := study.Table{
		Title:   bfPaper + "section 4.3: the t test without correction",
		Notes:   []string{b.shelf.Note(bfPrintedSets), fmt.Sprintf(bfErrors, redraws)},
		Columns: []string{"partitions", "pair", "consistent", "±", "printed", "in errors"},
	}
	for i, test := range tests {
		for p, pair := range bfPairs {
			s, err := found[p][i].summary()
			if err != nil {
				return t, err
			}
			t.Add(append([]string{test.column, pair.name},
				b.beside(s, 0, printed.Figure(pair.name, test.column))...)...)
		}
	}
	return t, nil
}

// stratified holds stratified resampling against resampling.
func (b *bf) stratified(ctx context.Context) (study.Table, error) {
	t := study.Table{
		Title: bfPaper + "section 4.3: stratified resampling",
		Notes: []string{
			"R of the corrected resampled t test, with and without stratification, and the difference in standard errors. The paper says that it differs only very slightly.",
		},
		Columns: []string{"pair", "runs", "stratified", "±", "table 2", "±", "in errors"},
	}
	with, err := b.outcomes(ctx, bfResamplingTests(bfStratified))
	if err != nil {
		return t, err
	}
	plain, err := b.outcomes(ctx, bfResamplingTests(bfResampled))
	if err != nil {
		return t, err
	}
	for p, pair := range bfPairs {
		for i, test := range bfResamplingTests(bfStratified) {
			x, err := with[p][i].summary()
			if err != nil {
				return t, err
			}
			y, err := plain[p][i].summary()
			if err != nil {
				return t, err
			}
			t.Add(pair.name, test.column, lab.Figure(x.R, 3), lab.Figure(x.se[2], 3), lab.Figure(y.R, 3),
				lab.Figure(y.se[2], 3), prints.InErrors(x.R-y.R, math.Hypot(x.se[2], y.se[2])))
		}
	}
	return t, nil
}
