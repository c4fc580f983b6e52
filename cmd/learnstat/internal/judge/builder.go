package judge

import (
	"fmt"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/stat/hierarchical"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A builder builds a report.
type builder struct {
	referee
	layout   *match.Layout
	report   *report.Report
	header   *header
	failures failures
	samples  map[*report.Cell]hierarchical.Sample // for the hierarchical test
}

// newBuilder returns a builder, or an error if the margins do not fit the results.
func newBuilder(l *match.Layout, o Options) (*builder, error) {
	for _, m := range []*unit.Margins{&o.Margins, &o.Rope} {
		if err := m.Check(unitsOf(l)); err != nil {
			return nil, err
		}
	}
	return &builder{
		referee: referee{Options: &o}, layout: l, header: newHeader(l.Columns),
		samples: make(map[*report.Cell]hierarchical.Sample),
		report: &report.Report{
			Schema: report.Schema,
			Settings: report.Settings{
				Alpha: o.Claim.Alpha, Tail: o.Tail.String(), Test: o.Claim.Test.Name, Adjust: o.Adjust.Name,
				Learners: o.Learners, Verbose: o.Verbose, Items: o.Items,
			},
			Columns: []report.Column{}, Header: []report.Line{}, Data: []report.DataSet{},
			Tables: []report.Table{},
			Notes:  append([]string{}, l.Notes...), Problems: []string{},
			Gate: report.Gate{
				FailOn: []string{}, Require: []string{}, Offences: []report.Offence{},
				Over: []report.OverTest{}, Undecided: []report.Undecided{},
			},
		},
	}, nil
}

// keysOf returns the keys that distinguish a table.
func keysOf(t *match.Table) []report.Line {
	var keys []report.Line
	for _, k := range t.Keys {
		keys = append(keys, report.Line{Key: k.Key, Value: k.Value})
	}
	return keys
}

// adjust adjusts p for the number of verdicts, which the note calls by a name. What could not be
// judged counts as one.
func (b *builder) adjust(verdicts []*verdict.Facts, name string) error {
	p := make([]float64, len(verdicts))
	for i, v := range verdicts {
		if p[i] = float64(v.P); v.P.IsNaN() {
			p[i] = 1
		}
	}
	adjusted, err := b.Adjust.Adjust(p)
	if err != nil {
		return err
	}
	for i, v := range verdicts {
		if !v.P.IsNaN() {
			v.AdjustedP = unit.Number(adjusted[i])
			level := b.report.Settings.RowLevel()
			if alpha := b.Claim.Alpha; float64(v.P) <= alpha && !(adjusted[i] <= level) &&
				v.Significant != 0 {
				note := fmt.Sprintf("by its own p, and not after the %s adjustment for %s", b.Adjust.Name, name)
				if level < alpha {
					note += fmt.Sprintf(", at level %.4g", level)
				}
				v.Notes = append(v.Notes, note)
			}
		}
	}
	return nil
}

// invalid returns the verdict on results that could not be compared, and records the failure.
func (b *builder) invalid(c *match.Cell, metric, label string, err error) *verdict.Facts {
	b.failures.add(c, metric, label, err)
	return verdict.Fail(b.Claim, err).Facts()
}
