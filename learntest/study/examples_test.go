package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cellOf returns the two shares of a cell, and the margin in brackets if there is one.
func cellOf(t *testing.T, cell string) (byFolds, byBoth, margin float64) {
	t.Helper()
	if cell = strings.TrimSpace(cell); strings.HasPrefix(cell, "–") {
		return 0, 0, 0
	}
	parts := strings.Fields(cell)
	require.GreaterOrEqual(t, len(parts), 2, cell)
	if len(parts) == 3 {
		margin = figure(t, strings.Trim(parts[2], "()"))
	}
	return figure(t, parts[0]), figure(t, parts[1]), margin
}

// The study is the same however many work on it, and a second test never lets a claim pass that the
// first one fails.
func TestExamplesStudy(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	one, err := runExamples(t.Context(), lab.Config{Sets: 2, Parallel: 1})
	require.NoError(t, err)
	two, err := runExamples(t.Context(), lab.Config{Sets: 2, Parallel: 3})
	require.NoError(t, err)
	require.Equal(t, one.String(), two.String())
	require.Len(t, one.Tables, 3)
	require.Len(t, one.Tables[0].Rows, 5)
	require.Len(t, one.Tables[1].Rows, 4*5*4)
	require.Len(t, one.Tables[2].Rows, 4*5*2)
	for _, table := range one.Tables {
		for _, row := range table.Rows {
			require.Len(t, row, len(table.Columns))
			for _, cell := range row[1:] {
				byFolds, byBoth, _ := cellOf(t, cell)
				require.LessOrEqual(t, byBoth, byFolds, row)
			}
		}
	}
	_, err = runExamples(t.Context(), lab.Config{Store: "x"})
	require.ErrorIs(t, err, lab.ErrConfig)
}

// Folds and examples have one mean, and a candidate that fails on a share of the population loses
// that share of its right answers.
func TestCandidatesLoseTheMargin(t *testing.T) {
	t.Parallel()
	s := exampleSetting{"naive Bayes", lab.NewBayes, 1, 5000}
	d, err := s.learn(7)
	require.NoError(t, err)
	best := 0.5 + math.Erf(0.5)/2 // Φ(1/√2), the accuracy of the best rule
	for _, v := range []int{firstTwo, otherTwo} {
		require.InDelta(t, best, d.accuracy(v), 0.02)
	}
	require.InDelta(t, 0.05, d.accuracy(firstTwo)-d.accuracy(weaker+3), 0.01)
	require.InDelta(t, 0.02, d.accuracy(firstTwo)-d.accuracy(weaker+2), 0.007)
	for _, fails := range [][2]float64{{0, 0}, {0.1, 0}, {0, 0.2}, {0.1, 0.2}} {
		p := d.pairs(firstTwo, otherTwo, fails)
		require.Len(t, p.A, 100)
		var cells, examples float64
		for i := range p.A {
			require.EqualValues(t, 500, p.TestN[i])
			require.EqualValues(t, 4500, p.TrainN[i])
			cells += (p.A[i] - p.B[i]) / 100
		}
		for i := range p.RightA {
			examples += float64(p.RightA[i]-p.RightB[i]) / exampleRuns / 5000
		}
		require.InDelta(t, cells, examples, 1e-12)
		expected := d.accuracy(firstTwo)*(1-fails[0]) - d.accuracy(otherTwo)*(1-fails[1])
		require.InDelta(t, expected, examples, 0.01)
	}
	p := d.pairs(firstTwo, firstTwo, [2]float64{})
	require.Equal(t, p.A, p.B)
	require.Equal(t, p.RightA, p.RightB)
	p = d.pairs(firstTwo, firstTwo, [2]float64{0.3, 0.3})
	var better, worse int
	for i, a := range p.RightA {
		x := a - p.RightB[i]
		require.Equal(t, d.luck[i] >= 0.7 && d.hits[firstTwo][i] > 0, x > 0,
			"the baseline fails where the candidate does not")
		better, worse = better+lab.Indicator(x > 0), worse+lab.Indicator(x < 0)
	}
	require.Greater(t, better, 1000)
	require.Greater(t, worse, 1000)
	require.EqualValues(t, 1<<exampleRuns-1, slices.Max(d.hits[firstTwo]))
}

// Both tests must show the margin: no claim holds if one of them does not show it.
func TestBothTestsHold(t *testing.T) {
	t.Parallel()
	hits := make([]uint16, 300)
	d := &learned{luck: make([]float64, 300), hits: [][]uint16{hits}}
	for i := range hits {
		d.luck[i] = (float64(i) + 0.5) / 300
		hits[i] = 1<<exampleRuns - 1
	}
	for run := range d.fold {
		for i := range hits {
			d.fold[run] = append(d.fold[run], uint8((i+i/10*run)%10))
		}
		for range 10 {
			d.test[run] = append(d.test[run], 30)
		}
	}
	for _, c := range []struct {
		failed      int
		margin      float64
		folds, both bool
	}{
		{0, 0.02, true, true},
		{0, 0.005, false, false}, // 300 examples are too few
		{1, 0.02, true, true},
		{2, 0.02, true, true}, // Tango's p is .0496
		{3, 0.02, true, false},
		{5, 0.02, false, false},
	} {
		folds, both, err := holds(d.pairs(0, 0, [2]float64{float64(c.failed) / 300, 0}), c.margin)
		require.NoError(t, err)
		assert.Equal(t, c.folds, folds, "%d failed, margin %v, folds", c.failed, c.margin)
		assert.Equal(t, c.both, both, "%d failed, margin %v, both", c.failed, c.margin)
	}
}

// The page shows the tables of the stored output, and its sentences about them are true.
func TestPublishedExamples(t *testing.T) {
	t.Parallel()
	text, kept := page(t, "docs/research/examples.md"), stored(t, "examples")
	require.Contains(t, kept, strconv.Itoa(examplesSets)+" data sets a cell")
	require.Contains(t, kept, strconv.Itoa(fixedSets)+" data sets a cell")
	shown := 0
	for line := range strings.Lines(kept) {
		if strings.HasPrefix(line, "|") {
			shown++
			require.Contains(t, text, "\n"+line)
		}
	}
	require.Equal(t, 3*2+5+80+40, shown)

	of := func(row []string) (learner, relation string, n int) {
		words := strings.Split(row[0], ", ")
		k := len(words) - 2
		return strings.Join(words[:k], ", "), words[k+1], int(figure(t, words[k]))
	}
	for _, row := range body(t, kept, "Fixed rules") {
		for _, cell := range row[1:] {
			byFolds, byBoth, _ := cellOf(t, cell)
			assert.LessOrEqual(t, byFolds, 12.2, row)
			assert.LessOrEqual(t, byBoth, 6.0, row)
		}
	}
	few := make(map[string]float64) // means over the learners where few examples differ
	for _, row := range body(t, kept, "Learners that truly lose the margin") {
		learner, relation, n := of(row)
		for k, cell := range row[1:] {
			byFolds, byBoth, _ := cellOf(t, cell)
			switch stable := learner == "linear" || learner == "naive Bayes"; {
			case strings.HasSuffix(relation, "fail") || strings.HasSuffix(relation, "fails"):
				assert.LessOrEqual(t, byFolds, 14.8, row)
				assert.LessOrEqual(t, byBoth, 7.5, row)
				few[fmt.Sprint(relation, n, k)] += byBoth / 5
			case stable:
				assert.LessOrEqual(t, byFolds, 6.5, row)
				assert.LessOrEqual(t, byFolds-byBoth, 1.0, row)
			case learner == "tree, hard data":
				assert.LessOrEqual(t, byBoth, 34.0, row)
			default:
				assert.LessOrEqual(t, byBoth, 13.0, row)
			}
		}
	}
	require.Len(t, few, 2*4*4)
	for cell, mean := range few {
		assert.LessOrEqual(t, mean, 5.85, cell)
	}
	for _, row := range body(t, kept, "Learners that lose nothing") {
		learner, relation, n := of(row)
		for k, cell := range row[1:] {
			byFolds, byBoth, _ := cellOf(t, cell)
			most := 5.0
			switch margin := exampleMargins[k%4]; {
			case relation == "both fail" && n == 100 && margin == 0.05:
				most = 18.3
			case relation == "both fail" && n == 50 && margin == 0.05:
				most = 7
			case relation == "both fail" && n == 300 && margin == 0.02, learner == "tree, hard data" &&
				n == 100 && k == 3:
				most = 6.3
			}
			assert.LessOrEqual(t, byFolds-byBoth, most+1e-9, "%v, %v", row[0], cell)
		}
	}
}
