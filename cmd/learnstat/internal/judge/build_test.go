package judge

import (
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of the rows whose test was repeated, it is counted in how many all repetitions agree, or all but
// one, wherever the others are.
func TestHowWellRepetitionsAgree(t *testing.T) {
	t.Parallel()
	table := func(agreeing ...int) *report.Table {
		x := new(report.Table)
		for _, n := range agreeing {
			v := &verdict.Facts{Rerun: &verdict.RerunFacts{Repeats: 10, Agreeing: n, R: unit.Number(n) / 10}}
			switch n {
			case predicted:
				v.Rerun = &verdict.RerunFacts{R: 0.5}
			case unasked:
				v.Rerun = nil
			}
			x.Rows = append(x.Rows, report.Row{Cells: []report.Cell{{}, {Verdict: v}}})
		}
		consistency(x)
		return x
	}
	require.Nil(t, table().Consistency)
	require.Nil(t, table(unasked, predicted).Consistency)
	c := table(unasked, 10, predicted, 9, 8, unasked, 1, 2, 0, 10).Consistency
	assert.InDelta(t, 40.0/7/10, float64(c.MeanR), 1e-12)
	assert.Equal(t, report.Consistency{Comparisons: 7, MeanR: c.MeanR, Consistent: 2, Almost: 4}, *c)
}

// Rows whose test was not repeated: their replicability is predicted, or nobody asked for it.
const predicted, unasked = -1, -2
