package study

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The documentation shows the tables of the stored output, row by row, and its sentences about them
// are true.
func TestPublishedMargins(t *testing.T) {
	t.Parallel()
	text, kept := page(t, "docs/research/studies.md"), stored(t, "gate-margin")
	require.Contains(t, kept, "in percent of 10000 data sets")
	require.Equal(t, 10000, lab.Config{}.SetsOr(1, marginSets))
	shown := 0
	for line := range strings.Lines(kept) {
		if strings.HasPrefix(line, "|") {
			shown++
			assert.Contains(t, text, "\n"+line)
		}
	}
	require.Equal(t, 2+15+2+4, shown)
	for _, row := range body(t, kept, "False passes at the margin") {
		margin := figure(t, row[0][strings.Index(row[0], ", ")+2:])
		alone, bound, equal, unseen := figure(t, row[1]), figure(t, row[2]), figure(t, row[3]),
			figure(t, row[4])
		assert.LessOrEqual(t, bound, alone, row[0])
		assert.GreaterOrEqual(t, alone, equal, row[0])
		if margin <= unseen {
			assert.Zero(t, bound, row[0])
		}
		if margin < 1.1*unseen || margin == 1 && unseen == 0.99 {
			assert.LessOrEqual(t, bound, 6.0, row[0])
		}
		assert.LessOrEqual(t, bound, 12.0, row[0])
	}
	for _, row := range body(t, kept, "Few folds that are equal by chance") {
		for _, cell := range row[1:] {
			_, second, _ := strings.Cut(cell, " / ")
			alone, floored := figure(t, cell), figure(t, second)
			assert.LessOrEqual(t, floored, alone, row[0])
			if row[0] == "1×2" {
				assert.LessOrEqual(t, floored, 5.0)
			}
		}
	}
}

// The study finds the stored figures on fewer data sets and other seeds; it is the same however
// many work on it.
func TestMarginStudy(t *testing.T) {
	citest.Need(t, citest.Slow)
	t.Parallel()
	s, err := Lookup("gate-margin")
	require.NoError(t, err)
	want, err := s.Run(t.Context(), Config{Sets: 400, Seed: 3, Parallel: 1})
	require.NoError(t, err)
	got, err := s.Run(t.Context(), Config{Sets: 400, Seed: 3, Parallel: 4})
	require.NoError(t, err)
	require.Equal(t, want, got)
	kept := stored(t, "gate-margin")
	for i := range want.Tables {
		for j, row := range body(t, kept, want.Tables[i].Title) {
			found := want.Tables[i].Rows[j]
			require.Equal(t, row[0], found[0])
			for k := 1; k < len(row); k++ {
				p := figure(t, row[k]) / 100
				most := 5 * lab.Proportion{K: int(p * 400), N: 400}.SE() * 100
				assert.InDelta(t, figure(t, row[k]), figure(t, found[k]), most, "%s, column %d", row[0], k)
			}
		}
	}
	small, err := s.Run(t.Context(), Config{Small: true})
	require.NoError(t, err)
	require.NotEqual(t, want, small)
	require.Contains(t, small.Tables[0].Notes[0], "of 20 data sets")
}

// Two rules have the accuracies that they say, whatever the partition is.
func TestRulesHaveTheirAccuracies(t *testing.T) {
	t.Parallel()
	rules := []rule{
		{gain: -1, right: true},
		{right: true},
		{right: true},
		{gain: 1},
		{gain: 1},
		{},
		{},
		{},
		{right: true},
		{right: true},
	}
	p := rulePairs(rand.New(rand.NewPCG(1, 1)), rules, 3, 5)
	a, b := 0.0, 0.0
	for i := range p.A {
		require.EqualValues(t, 2, p.TestN[i])
		require.EqualValues(t, 8, p.TrainN[i])
		a, b = a+p.A[i], b+p.B[i]
	}
	assert.InDelta(t, 0.6, a/15, 1e-12)
	assert.InDelta(t, 0.5, b/15, 1e-12)
	d := raised(p, 0.25)
	assert.InDelta(t, 0.25+p.A[0]-p.B[0], d.X[0], 1e-12)
	assert.Zero(t, d.LeastVariance)
	assert.InDelta(t, 0.25, d.Ratio, 1e-12)
}
