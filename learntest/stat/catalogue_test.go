package stat_test

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

func TestCatalogue(t *testing.T) {
	t.Parallel()
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, test := range stat.Tests() {
		require.Regexp(t, kebab, test.Name)
		require.False(t, seen[test.Name], "%s is there twice", test.Name)
		seen[test.Name] = true
		require.NotEmpty(t, test.Doc)
		require.NotNil(t, test.Design)
		require.NotNil(t, test.Run)
		found, err := stat.Lookup(test.Name)
		require.NoError(t, err)
		require.Equal(t, test.Doc, found.Doc)

		// What the design check rejects, the test rejects too, and the other
		// way round.
		for runs := 1; runs <= 10; runs++ {
			for folds := 1; folds <= 3; folds++ {
				d := stat.Differences{Runs: runs, Folds: folds, Ratio: 0.5, X: make([]float64, runs*folds)}
				for i := range d.X {
					d.X[i] = float64((7*i + 3*i*i) % 11)
				}
				_, err := test.Run(d, stat.TwoSided)
				if designErr := test.Design(runs, folds); designErr != nil {
					require.ErrorIs(t, designErr, stat.ErrDesign)
					if test.Name != "permutation" { // of a single difference there is a trivial one
						require.Error(t, err, "%s on %d×%d", test.Name, runs, folds)
					}
				} else if err != nil {
					require.ErrorIs(t, err, stat.ErrZeroVariance, "%s on %d×%d", test.Name, runs, folds)
				}
			}
		}
		require.Error(t, test.Design(0, 0))
		require.Error(t, test.Design(-5, -2))
	}
	require.Len(t, seen, 19)
	require.Equal(t, "corrected-cv-t", stat.Tests()[0].Name)
}

// Tests of items are found by name, and refuse folds.
func TestTestsOfItemsAreFound(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"cluster-flip", "mcnemar"} {
		test, err := stat.Lookup(name)
		require.NoError(t, err)
		require.Equal(t, name, test.Name)
		require.NotEmpty(t, test.Doc)
		require.ErrorIs(t, test.Design(10, 10), stat.ErrDesign)
		_, err = test.Run(stat.Differences{Runs: 1, Folds: 2, X: []float64{1, 2}}, stat.TwoSided)
		require.ErrorContains(t, err, name+" is a test of fixed systems on items, and not of folds")
		require.True(t, math.IsNaN(stat.LeastP(test, 10, 10, stat.TwoSided)))
	}
	_, err := stat.Lookup("cluster-flips")
	require.ErrorIs(t, err, stat.ErrUnknown)
	require.ErrorContains(t, err, "; for items cluster-flip, mcnemar")
}

func TestCatalogueIsTheCallersOwn(t *testing.T) {
	t.Parallel()
	stat.Tests()[0].Name = "overwritten"
	require.Equal(t, "corrected-cv-t", stat.Tests()[0].Name)
}

func TestAlternative(t *testing.T) {
	t.Parallel()
	for alt, want := range map[stat.Alternative][2]string{
		stat.TwoSided: {"two-sided", "two-sided"},
		stat.Greater:  {"greater", "less"},
		stat.Less:     {"less", "greater"},
		7:             {"Alternative(7)", "Alternative(7)"},
	} {
		require.Equal(t, want[0], alt.String())
		require.Equal(t, want[1], alt.Mirror().String())
	}
}

// Every exported function that takes a slice, on input that it might be tempted
// to sort, center or scale.
func TestNoFunctionChangesItsInput(t *testing.T) {
	t.Parallel()
	fresh := func() (x, y []float64, d stat.Differences, hits [2][]bool) {
		x = []float64{0.5, -0.25, 3, 0.125, -2, 1, 0.75, -0.5, 0.3, 0.1}
		y = []float64{4, 0.5, -1, 2, 0.25, -3, 1.5, 0.6, 0.2, 0.9}
		d = stat.Differences{Runs: 5, Folds: 2, X: []float64{
			0.5, -0.25, 3, 0.125, -2, 1, 0.75, -0.5, 0.3,
			0.1,
		}, Ratio: 1}
		return x, y, d, [2][]bool{{true, false}, {false, false}}
	}
	x, y, d, hits := fresh()
	ps := []float64{0.9, 0.1, 0.5}
	calls := map[string]func() error{
		"AveragedT": func() error {
			_, err := stat.AveragedT(x, 9,
				stat.TwoSided)
			return err
		},
		"FisherCombination": func() error { _, err := stat.FisherCombination(ps); return err },
		"CalibrateDF":       func() error { _, err := stat.CalibrateDF(x, 9, 0.05); return err },
		"DetectableDifference": func() error {
			_, err := stat.DetectableDifference(d, 0.05,
				0.8)
			return err
		},
		"BayesianCorrelatedT": func() error {
			_, err := stat.BayesianCorrelatedT(d,
				0.1)
			return err
		},
		"Test.Equivalence": func() error {
			_, err := stat.MustLookup("paired-t").Equivalence(d,
				-1, 1)
			return err
		},
		"Test.Against": func() error {
			_, err := stat.MustLookup("paired-t").Against(d, 1,
				stat.Less)
			return err
		},
		"MonteCarloPermutationTest": func() error {
			_, err := stat.MonteCarloPermutationTest(d,
				stat.TwoSided, 99, 1)
			return err
		},
	}
	calls["HalvesTest"] = func() error { _, err := stat.HalvesTest(d, d, stat.TwoSided); return err }
	calls["CorrectedCVT"] = func() error {
		_, err := stat.CorrectedCVT(0.18).Run(d,
			stat.TwoSided)
		return err
	}
	whole := d // in one run
	whole.Runs, whole.Folds = 1, 10
	for _, test := range stat.Tests() {
		d := d
		if test.Design(d.Runs, d.Folds) != nil {
			d = whole
		}
		calls[test.Name] = func() error { _, err := test.Run(d, stat.TwoSided); return err }
	}
	calls["DieboldMarianoTest"] = func() error {
		_, err := stat.DieboldMarianoTest(whole,
			stat.TwoSided, 2)
		return err
	}
	for b := stat.UseAllData; b <= stat.SortedRunsAveragedT; b++ {
		calls[b.String()+" calibrated"] = func() error {
			_, err := b.Calibrated(4).Run(d,
				stat.TwoSided)
			return err
		}
	}
	wantX, wantY, wantD, wantHits := fresh()
	for name, call := range calls {
		require.NoError(t, call(), name)
		for i, pair := range [][2]any{
			{wantX, x},
			{wantY, y},
			{wantD, d},
			{wantHits, hits},
			{[]float64{0.9, 0.1, 0.5}, ps},
		} {
			require.True(t, reflect.DeepEqual(pair[0], pair[1]), fmt.Sprintf("%s changed argument %d", name,
				i))
		}
	}
}

func TestLookupOfCorrectedTestsWithARatio(t *testing.T) {
	t.Parallel()
	test, err := stat.Lookup("corrected-cv-t/ratio=.180")
	require.NoError(t, err)
	require.Equal(t, "corrected-cv-t/ratio=0.18", test.Name)
	d := stat.Differences{Runs: 2, Folds: 3, X: []float64{1, 2, 3, 4, 5, 7}, Ratio: 0.11}
	r, err := test.Run(d, stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, test.Name, r.Test)
	require.Empty(t, r.Warnings)
	plain, err := stat.CorrectedCVTTest(stat.Differences{Runs: 2, Folds: 3, X: d.X, Ratio: 0.18},
		stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, []float64{plain.P, plain.Statistic, plain.SE}, []float64{r.P, r.Statistic, r.SE})
	d.Ratio = 0.2
	r, err = test.Run(d, stat.TwoSided)
	require.NoError(t, err)
	require.Len(t, r.Warnings, 1)
	require.ErrorContains(t, r.Warnings[0],
		"the ratio is less than the ratio of test to training examples, 0.2: expect more false alarms")
	for _, value := range []string{"", "0", "-1", "NaN", "Inf", "x"} {
		_, err := stat.Lookup("corrected-cv-t/ratio=" + value)
		require.ErrorIs(t, err, stat.ErrDomain, value)
		require.ErrorContains(t, err, "corrected-cv-t/ratio="+value)
	}
	_, err = stat.CorrectedCVT(0).Run(d, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDomain)
	require.ErrorIs(t, test.Design(3, 1), stat.ErrDesign)
	_, err = test.Run(stat.Differences{Runs: 2, Folds: 1, X: []float64{1, 2}}, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDesign)
}

func TestLookupOfCalibratedTests(t *testing.T) {
	t.Parallel()
	test, err := stat.Lookup("b03-use-all-data/df=10")
	require.NoError(t, err)
	require.Equal(t, "b03-use-all-data/df=10", test.Name)
	require.False(t, test.Naive)
	d := stat.Differences{Runs: 2, Folds: 3, X: []float64{1, 2, 3, 4, 5, 7}}
	got, err := test.Run(d, stat.TwoSided)
	require.NoError(t, err)
	want, err := stat.UseAllData.TestDF(d, stat.TwoSided, 10)
	require.NoError(t, err)
	require.Equal(t, want.P, got.P)
	for _, name := range []string{
		"corrected-resampled-t/df=0", "corrected-resampled-t/df=",
		"b03-use-all-data/df=", "b03-use-all-data/df=0", "b03-use-all-data/df=NaN", "b03-folds/df=x",
	} {
		_, err := stat.Lookup(name)
		require.ErrorIs(t, err, stat.ErrDomain, name)
		require.ErrorContains(t, err, name)
	}
	_, err = stat.Lookup("paired-t/df=10") // has no such setting
	require.ErrorIs(t, err, stat.ErrUnknown)
	require.ErrorContains(t, err, "paired-t/df=10")
}
