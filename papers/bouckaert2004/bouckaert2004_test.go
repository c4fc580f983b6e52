package bouckaert2004

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/papers/internal/papertest"
	"github.com/learnbench/learnbench/papers/internal/prints"
	"github.com/learnbench/learnbench/papers/internal/shelf"
	"github.com/learnbench/learnbench/papers/internal/simulation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The small study has all tables, and its figures come from its data sets.
func TestSmallBouckaertFrank(t *testing.T) {
	t.Parallel()
	r, err := smallBF()
	require.NoError(t, err)
	require.Len(t, r.Tables, 8, "no count of cells, which are not of all data sets")
	draws := papertest.Table(t, r, "table 1: draws")
	require.Len(t, draws.Rows, 3)
	foot := papertest.Table(t, r, "table 1: replicability")
	for _, pair := range bfPairs {
		var ours, printed []int
		for _, row := range draws.Rows {
			k, err := strconv.Atoi(papertest.Cell(t, draws, pair.name, row[0]))
			require.NoError(t, err)
			ours = append(ours, simulation.Repeats-k)
			printed = append(printed, simulation.Repeats-prints.Open("bf-table1").Int(pair.name, row[0]))
		}
		for column, counts := range map[string][]int{"ours": ours, "of the same data sets": printed} {
			c, err := replicate.ReplicabilityOver(counts, simulation.Repeats)
			require.NoError(t, err)
			require.Equal(t, float64(c.Consistent), papertest.Number(t, foot, column, pair.name,
				"consistent"))
			require.Equal(t, lab.Figure(c.R, 3), papertest.Cell(t, foot, column, pair.name, "R"))
		}
		require.Empty(t, papertest.Cell(t, foot, "in errors", pair.name, "R"),
			"the print is of other data sets")
	}
	// The last column of table 3 is the third of table 4, and what rejects at one level
	// does at a higher one.
	three, four := papertest.Table(t, r, "table 3"), papertest.Table(t, r, "table 4")
	for _, pair := range bfPairs {
		for _, measure := range bfMeasures {
			require.Equal(t, papertest.Cell(t, three, "ours", pair.name, measure, "10"),
				papertest.Cell(t, four, "ours", pair.name, measure, "0.05"))
		}
	}
	require.Len(t, papertest.Table(t, r, "table 2").Rows, 36)
	require.Len(t, papertest.Table(t, r, "stratified").Rows, 12)
	require.Len(t, papertest.Table(t, r, "without correction").Rows, 6)
	for _, row := range papertest.Table(t, r, "section 4.1").Rows {
		some, err := strconv.Atoi(row[2])
		require.NoError(t, err)
		require.LessOrEqual(t, some, 3)
	}
}

// A rejection is counted once for each repeat, on the runs of that repeat.
func TestOutcomesOfKnownScores(t *testing.T) {
	t.Parallel()
	// Naive Bayes is better in repeats 0 to 3 and worse in 4, by a lot; elsewhere the
	// learners are alike on average.
	var found shelf.Scored
	var parts [][]shelf.ScoredPart
	for i := range simulation.Repeats {
		parts = append(parts, nil)
		for l := range 3 {
			x := make([]float64, 100)
			for k := range x {
				x[k] = 0.5 + 0.01*float64(k%2) // noise of learner 0 alone
				if l > 0 {
					x[k] = 0.505
				}
				switch {
				case l > 0:
				case i < 4:
					x[k] += 0.3
				case i == 4:
					x[k] -= 0.3
				}
			}
			parts[i] = append(parts[i], shelf.ScoredPart{Ratio: 1.0 / 9, X: x})
		}
	}
	found = shelf.Scored{parts}
	b := &bf{
		shelf: shelf.Shelf{Sets: []shelf.Given{{Name: "known"}}}, found: []shelf.Scored{found},
		place: [bfPartitionings]int{-1, 0, -1, -1}, seed: 1, parallel: 2,
	}
	got, err := b.outcomes(t.Context(), append(bfTable3Tests(), bfTextTests()...))
	require.NoError(t, err)
	for i, o := range got[0] {
		require.Equal(t, []int{5}, o.rejections, i)
		require.Equal(t, []int{1}, o.second, i)
	}
	require.Equal(t, []int{0}, got[2][0].rejections)
	s, err := got[0][0].summary()
	require.NoError(t, err)
	require.Equal(t, 0, s.Consistent)
	require.Positive(t, s.se[2], "another choice of partitions could reject another number of times")
	s, err = got[2][0].summary()
	require.NoError(t, err)
	require.Equal(t, [3]float64{}, s.se, "no choice of partitions could")
	require.Equal(t, 1, s.Consistent)

	require.Equal(t, []int{1, 1, 1, 5}, got[0][3].directions())
}

// A small difference is one to the uncorrected test of ten runs alone: the test of one run has
// too few differences to see it, and the corrected one knows that they are not independent.
func TestOutcomesOfASmallDifference(t *testing.T) {
	t.Parallel()
	var parts [][]shelf.ScoredPart
	for range simulation.Repeats {
		var part []shelf.ScoredPart
		for l := range 3 {
			x := make([]float64, 100)
			for k := range x {
				x[k] = 0.5
				if l == 0 {
					x[k] += 0.004 + 0.01*float64(2*(k%2)-1)
				}
			}
			part = append(part, shelf.ScoredPart{Ratio: 1.0 / 9, X: x})
		}
		parts = append(parts, part)
	}
	b := &bf{
		shelf: shelf.Shelf{Sets: []shelf.Given{{Name: "known"}}}, found: []shelf.Scored{{parts}},
		place: [bfPartitionings]int{-1, 0, -1, -1}, seed: 1, parallel: 1,
	}
	got, err := b.outcomes(t.Context(), append(bfTextTests(), bfTable3Tests()...))
	require.NoError(t, err)
	var rejections []int
	for _, o := range got[0] {
		rejections = append(rejections, o.rejections...)
	}
	require.Equal(t, []int{0, simulation.Repeats, 0, 0, 0, 0}, rejections)
}

// The error of a figure is the error of drawing partitions again.
func TestErrorsOfSummaries(t *testing.T) {
	t.Parallel()
	o := &bfOutcome{rejections: []int{0, 10, 5}}
	for i := range o.redrawn {
		o.redrawn[i] = []int{0, 10, 5 + 5*(i%2)} // consistent in half of the cases
	}
	s, err := o.summary()
	require.NoError(t, err)
	require.Equal(t, 2, s.Consistent)
	require.InDelta(t, 0.5, s.se[0], 0.01)
	require.InDelta(t, (1-4.0/9)/3/2, s.se[2], 0.01)
}

func TestCellsNearTheirPrint(t *testing.T) {
	t.Parallel()
	c := &bfCells{complete: true, seen: make(map[string]bool)}
	a := c.begin("table 1")
	c.add(a, "a", 0, 10, 13, 1) // near, three errors off
	c.add(a, "b", 1, 10, 14, 3) // not near, within two errors
	c.add(a, "c", 2, 0.85, 0.9, 0.01)
	c.add(a, "d", 2, 0.849, 0.9, 0)
	c.add(a, "a", 0, 10, 10, 1) // again
	require.Equal(t, [][]string{{"table 1", "4", "2", "1", "3"}}, c.table().Rows)
	c = &bfCells{seen: make(map[string]bool)}
	c.begin("table 1")
	require.Empty(t, c.rows, "the print is of other data sets")
}

// The full study is as near to the paper as was asked of it: at least 50 of 60 cells of
// tables 3 and 4.
func TestBouckaertFrankTables3And4(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("LEARNBENCH_SHARED")
	if shared == "" || !citest.Has(citest.Slow) {
		t.Skip("it takes a minute, and all data sets: set LEARNBENCH_CI=slow and LEARNBENCH_SHARED")
	}
	tables := bfStudy("", "", bfParts()[2], bfParts()[3])
	r, err := tables.Run(t.Context(), lab.Config{Data: filepath.Join(shared, "data")})
	require.NoError(t, err)
	cells, near := 0, 0
	for _, row := range papertest.Table(t, r, "near their print").Rows {
		n, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		k, err := strconv.Atoi(row[2])
		require.NoError(t, err)
		cells, near = cells+n, near+k
	}
	require.Equal(t, 63, cells)
	assert.GreaterOrEqual(t, near, 53)
	for _, row := range papertest.Table(t, r, "table 3").Rows {
		if row[1] == "R" && row[2] == "10" {
			require.Positive(t, strings.Compare(row[3], "0.9"), "%v", row)
		}
	}
}
