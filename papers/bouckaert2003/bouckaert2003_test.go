package bouckaert2003

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/learnbench/learnbench/papers/internal/simulation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drawDifferences draws differences like differences of accuracies on 30 examples.
func drawDifferences(rng *rand.Rand, runs, folds int) stat.Differences {
	d := stat.Differences{
		Runs: runs, Folds: folds, X: make([]float64, runs*folds), Ratio: 1.0 / 9,
		Scale: 1,
	}
	shift := rng.NormFloat64()
	for i := range d.X {
		d.X[i] = math.Round(2*rng.NormFloat64()+shift) / 30
	}
	return d
}

// A statistic that reaches the critical value is one for which the test with these degrees
// of freedom, as the catalogue has it, rejects.
func TestCriticalValuesAreThoseOfTheCatalogue(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 5))
	names := map[string]string{
		"k-fold cv": "b03-use-all-data", "resampling": "b03-use-all-data",
		"use all data": "b03-use-all-data",
	}
	for _, c := range calibratables() {
		if c.Name == "corrected resampling" {
			continue
		}
		name := names[c.Name]
		if name == "" {
			name = "b03-" + strings.ToLower(strings.ReplaceAll(c.Name, " ", "-"))
		}
		rejected := 0
		for range 300 {
			runs, folds := 10, 10
			if c.Name == "resampling" {
				folds = 1
			}
			d := drawDifferences(rng, runs, folds)
			z, err := c.Z(d, 0, runs)
			require.NoError(t, err)
			df, alpha := 2+rng.IntN(99), []float64{0.01, 0.05, 0.1}[rng.IntN(3)]
			critical, err := c.Critical(runs, df, alpha)
			require.NoError(t, err)
			if c.OneRun {
				d = lab.Part(d, 0, 1)
			}
			want, err := stat.MustLookup(fmt.Sprintf("%s/df=%d", name, df)).Run(d, stat.TwoSided)
			require.NoError(t, err)
			require.Equal(t, want.P <= alpha, math.Abs(z) >= critical,
				"%s, df %d: p = %v, z = %v, critical %v", c.Name, df, want.P, z, critical)
			rejected += lab.Indicator(want.P <= alpha)
		}
		assert.True(t, rejected > 20 && rejected < 280, "%s: %d of 300", c.Name, rejected)
	}
}

// With the degrees of freedom that it has anyway, the corrected test is the catalogue's.
func TestCorrectedResamplingIsThatOfTheCatalogue(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 7))
	c := calibratables()[1]
	require.Equal(t, "corrected resampling", c.Name)
	for range 200 {
		d := drawDifferences(rng, 30, 1)
		z, err := c.Z(d, 10, 20)
		require.NoError(t, err)
		critical, err := c.Critical(20, 19, 0.05)
		require.NoError(t, err)
		want, err := stat.CorrectedResampledTTest(lab.Part(d, 10, 20), stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, want.P <= 0.05, math.Abs(z) >= critical)
	}
	critical, err := c.Critical(20, 0, 0.05)
	require.NoError(t, err)
	require.True(t, math.IsInf(critical, 1), "without degrees of freedom nothing is rejected")
	// t = m√(df+1)/√((1+n·n2/n1)s²): df replaces n−1 in both places.
	critical, err = c.Critical(10, 4, 0.05)
	require.NoError(t, err)
	require.InDelta(t, 2.7764451051977987*math.Sqrt(10.0/5), critical, 1e-9)
}

// An averaged t that is undefined rejects nothing; other errors are errors.
func TestUndefinedStatistics(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 2, 1, 1}}
	for _, c := range calibratables() {
		if c.Name == "folds averaged T" {
			z, err := c.Z(d, 0, 2)
			require.NoError(t, err)
			require.Zero(t, z)
			d.X[0] = math.NaN()
			_, err = c.Z(d, 0, 2)
			require.ErrorIs(t, err, stat.ErrNotFinite)
			return
		}
	}
	t.Fatal("not there")
}

func TestExpectedDegreesOfFreedom(t *testing.T) {
	t.Parallel()
	want := map[string][2]int{ // at 10 and 20 runs: table 1 of the paper
		"resampling": {9, 19}, "corrected resampling": {9, 19}, "k-fold cv": {9, 9},
		"use all data": {99, 199},
		"folds":        {9, 19}, "folds averaged var": {9, 19}, "folds averaged T": {9, 9},
		"runs": {9, 9}, "runs averaged var": {9, 9}, "runs averaged T": {9, 19},
		"sorted runs": {9, 9}, "sorted runs averaged var": {9, 9}, "sorted runs averaged T": {9, 19},
	}
	require.Len(t, calibratables(), len(want))
	for _, c := range calibratables() {
		assert.Equal(t, want[c.Name], [2]int{c.Expected(10), c.Expected(20)}, c.Name)
	}
	var names []string
	for _, c := range paperTests() {
		names = append(names, c.Name)
	}
	require.Equal(t, []string{
		"resampling", "corrected resampling", "k-fold cv", "use all data", "folds averaged var",
		"folds averaged T",
		"runs averaged var", "runs averaged T", "sorted runs",
	}, names)
}

func TestNotCalibratable(t *testing.T) {
	t.Parallel()
	all := calibratables()
	data, resampling := all[3], all[0]
	require.True(t, data.Suits(10, 10))
	require.True(t, data.Suits(4, 10))
	require.False(t, data.Suits(3, 10), "of 99")
	require.False(t, data.Suits(0, 10))
	require.True(t, resampling.Suits(3, 5), "of 4")
	require.True(t, resampling.Suits(2, 5))
	require.False(t, resampling.Suits(3, 10), "of 9")
	require.False(t, resampling.Suits(0, 2))
}

// The printed figures have a row for each test and a column for each source, level or
// probability, and the minima are the minima that the paper prints.
func TestPrintedFigures(t *testing.T) {
	t.Parallel()
	shape := func(rows [][]float64, n, columns int) {
		t.Helper()
		require.Len(t, rows, n)
		for _, r := range rows {
			require.Len(t, r, columns)
		}
	}
	shape(printedTable2(), len(paperTests()), len(classProbabilities))
	shape(printedTable4(), len(paperTests()), len(paperLevels))
	shape(printedTable5(), len(paperTests())+1, 4)
	shape(printedTable6(), len(paperTests()), len(paperLevels))
	require.Equal(t, 0.05, paperLevels[fivePercent])
	least := func(row []float64) float64 { return min(row[0], row[1], row[2], row[3]) }
	for k, row := range printedTable6() {
		require.Equal(t, row[fivePercent], least(printedTable5()[k]))
	}
	minima := []float64{16.9, 26, 66.8, 33.2, 76.7}
	for k, row := range simulation.PrintedConsistencies() {
		require.Equal(t, minima[k], least(row[:]))
	}
	require.Equal(t, simulation.PrintedConsistencies()[0][:], printedTable5()[len(paperTests())],
		"5×2 cv is in both papers")
	for i, row := range printedTable7() {
		require.Len(t, row, i)
	}
}

// All studies of the paper run, share one store, and repeat their figures.
func TestB03Studies(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "scores")
	const sets = 2
	tests, sources, levels := len(paperTests()), 4, len(paperLevels)
	for _, c := range []struct {
		name string
		rows []int
	}{
		{"b03-fig2", []int{
			len(calibratables()), len(calibratables()), len(calibratables()),
			len(calibratables()), len(calibratables()),
		}},
		{"b03-2", []int{tests * len(classProbabilities)}},
		{"b03-3", []int{3 * sources}},
		{"b03-4", []int{tests * levels, tests * (sources - 1)}},
		{"b03-5", []int{(tests + 1) * (sources + 1), tests * levels}},
		{"b03-7", []int{10}},
		{"b03-fig4", []int{tests, tests, tests, tests}},
	} {
		s, err := paper.Find(Parts(), c.name)
		require.NoError(t, err)
		var rows []int
		first, err := s.Run(t.Context(), lab.Config{Sets: sets, Store: path})
		require.NoError(t, err, c.name)
		for _, table := range first.Tables {
			rows = append(rows, len(table.Rows))
			for _, row := range table.Rows {
				require.Len(t, row, len(table.Columns), table.Title)
			}
		}
		require.Equal(t, c.rows, rows, c.name)
		if c.name == "b03-fig4" {
			continue // the dearest one
		}
		again, err := s.Run(t.Context(), lab.Config{Sets: sets, Parallel: 1})
		require.NoError(t, err)
		require.Equal(t, again, first, c.name)
	}
}

func TestConsistentSets(t *testing.T) {
	t.Parallel()
	c := calibratables()[3]
	critical, err := c.Critical(paperRuns, 10, 0.05)
	require.NoError(t, err)
	z := make([][]float64, 10) // of each repeat, on four data sets
	for i := range z {
		z[i] = []float64{2 * critical, 0, -critical, 2 * critical}
	}
	z[3][3] = 0.99 * critical
	p, err := c.consistent(z, 10, 0.05)
	require.NoError(t, err)
	require.Equal(t, lab.Proportion{K: 3, N: 4}, p)
	p, err = c.Rejected([]float64{critical, -critical, 0.999 * critical}, paperRuns, 10, 0.05)
	require.NoError(t, err)
	require.Equal(t, lab.Proportion{K: 2, N: 3}, p)
}

// The corrected test is found from the statistic of the test on all data.
func TestCorrectedRejections(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 9))
	want := 0
	var z []float64
	for range 300 {
		d := drawDifferences(rng, 10, 10)
		r, err := stat.CorrectedCVTTest(d, stat.TwoSided)
		require.NoError(t, err)
		want += lab.Indicator(r.P <= 0.05)
		all, err := stat.UseAllData.Test(d, stat.TwoSided)
		require.NoError(t, err)
		z = append(z, all.Statistic)
	}
	p, err := (&b03{}).correctedRejections(z)
	require.NoError(t, err)
	require.Equal(t, lab.Proportion{K: want, N: 300}, p)
	require.True(t, want > 20 && want < 280)
}

func TestRepeatsHaveRunsOfTheirOwn(t *testing.T) {
	t.Parallel()
	c := byRepeat()
	require.Equal(t, []int{0, 10, 20, 30, 40, 50, 60, 70, 80, 90}, c.from)
	require.Equal(t, []int{10, 10, 10, 10, 10, 10, 10, 10, 10, 10}, c.runs)
	require.Equal(t, 100, c.total)
}
