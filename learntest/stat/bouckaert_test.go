package stat_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

// bouckaertTests are all ten, by their names in the reference cases.
var bouckaertTests = map[string]stat.Bouckaert{
	"use_all_data": stat.UseAllData, "folds": stat.MeanFolds,
	"folds_averaged_var": stat.FoldsAveragedVar,
	"runs":               stat.MeanRuns, "runs_averaged_var": stat.RunsAveragedVar,
	"sorted_runs":              stat.MeanSortedRuns,
	"sorted_runs_averaged_var": stat.SortedRunsAveragedVar, "folds_averaged_T": stat.FoldsAveragedT,
	"runs_averaged_T": stat.RunsAveragedT, "sorted_runs_averaged_T": stat.SortedRunsAveragedT,
}

func TestBouckaertReference(t *testing.T) {
	t.Parallel()
	each(t, "bouckaert_ten_tests", "bouckaert_2003_table1", func(t *testing.T, v vector) {
		var in struct {
			X [][]number `json:"x_runs_by_folds"`
		}
		type row struct {
			M, Var, DF, Z number
			P             number `json:"p_two_sided"`
		}
		want := map[string]map[string]row{}
		v.In(t, &in)
		v.Want(t, &want)
		d := stat.Differences{Runs: len(in.X), Folds: len(in.X[0])}
		for _, run := range in.X {
			d.X = append(d.X, vectors.Floats(run)...)
		}
		require.Len(t, want, 3)
		for which, rows := range want {
			checked := 0
			for name, w := range rows {
				if strings.Contains(name, "__literal") {
					continue // the misprinted centre: see the documentation of TestDF
				}
				b, ok := bouckaertTests[name]
				require.True(t, ok, name)
				checked++
				if which == "default_df" {
					require.Equal(t, float64(w.DF), b.DefaultDF(d.Runs, d.Folds), name)
				}
				r, err := b.TestDF(d, stat.TwoSided, float64(w.DF))
				if math.IsNaN(float64(w.Z)) {
					require.ErrorIs(t, err, stat.ErrZeroVariance, name)
					continue
				}
				require.NoError(t, err, name)
				v.Near(t, name+" Z", r.Statistic, w.Z)
				v.Near(t, name+" p", r.P, w.P)
				v.Near(t, name+" df", r.DF, w.DF)
				if w.Var > 0 {
					v.Near(t, name+" mean", r.Estimate, w.M)
					v.Near(t, name+" var", r.SE*r.SE*(r.DF+1), w.Var)
				}
				if which == "default_df" {
					byDefault, err := b.Test(d, stat.TwoSided)
					require.NoError(t, err)
					require.Equal(t, []float64{r.Statistic, r.P}, []float64{byDefault.Statistic, byDefault.P})
				}
			}
			require.Equal(t, 10, checked)
		}
	})
}

// The k-fold test with calibrated degrees of freedom is UseAllData on one run.
func TestCalibratedKFoldReference(t *testing.T) {
	t.Parallel()
	n := 0
	for _, v := range vectors.Read(t, "kfold_t") {
		if !strings.Contains(v.Procedure, "calibrated") {
			continue
		}
		n++
		t.Run(v.ID, func(t *testing.T) {
			var in struct {
				X, Y []number
				DF   number
			}
			var w struct {
				T, DF number
				P     number `json:"p_two_sided"`
			}
			v.In(t, &in)
			v.Want(t, &w)
			r, err := stat.UseAllData.Calibrated(float64(w.DF)).Run(differences(in.X, in.Y), stat.TwoSided)
			require.NoError(t, err)
			v.Near(t, "t", r.Statistic, w.T)
			v.Near(t, "p", r.P, w.P)
		})
	}
	require.NotZero(t, n)
}

func TestBouckaertCalibratedIsNamedAfterItsDF(t *testing.T) {
	t.Parallel()
	test := stat.RunsAveragedVar.Calibrated(10)
	require.Equal(t, "b03-runs-averaged-var/df=10", test.Name)
	d := stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 2, 4, 4}}
	r, err := test.Run(d, stat.Greater)
	require.NoError(t, err)
	require.Equal(t, test.Name, r.Test)
	require.Equal(t, 10.0, r.DF)
	_, err = stat.RunsAveragedVar.Calibrated(-1).Run(d, stat.Greater)
	require.ErrorIs(t, err, stat.ErrDomain)
}

func TestBouckaertEdgeCases(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for _, b := range bouckaertTests {
		zero := stat.Differences{Runs: 2, Folds: 3, X: make([]float64, 6)}
		r, err := b.Test(zero, stat.Less)
		require.NoError(t, err)
		require.Equal(t, []float64{0, 1}, []float64{r.Statistic, r.P})
		require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings)

		equal := stat.Differences{Runs: 2, Folds: 2, X: []float64{
			minus(.9, .8), minus(.8, .7),
			minus(.9, .8), minus(.8, .7),
		}, Scale: .9}
		r, err = b.Test(equal, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, []float64{inf, 0}, []float64{r.Statistic, r.P}, b)

		for _, d := range []stat.Differences{
			{Runs: 1, Folds: 1, X: []float64{1}},
			{Runs: 0, Folds: 0},
		} {
			_, err = b.Test(d, stat.TwoSided)
			require.ErrorIs(t, err, stat.ErrDesign)
		}
		_, err = b.Test(stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 2, inf, 4}}, stat.TwoSided)
		require.ErrorIs(t, err, stat.ErrNotFinite)
		_, err = b.Test(stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 2, 3}}, stat.TwoSided)
		require.ErrorIs(t, err, stat.ErrSampleSize)
		_, err = b.TestDF(zero, stat.TwoSided, inf)
		require.ErrorIs(t, err, stat.ErrDomain)
		_, err = b.Test(zero, 9)
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	// What a test takes as its sample may not vary although the differences do.
	d := stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 2, 2, 1}}
	for b, want := range map[stat.Bouckaert]float64{
		stat.MeanFolds: inf, stat.MeanRuns: inf,
		stat.SortedRunsAveragedVar: inf,
	} {
		r, err := b.Test(d, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, want, r.Statistic, b)
		require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings)
	}
	_, err := stat.SortedRunsAveragedT.Test(d, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrZeroVariance)
	require.ErrorContains(t, err, "group 1")
	require.ErrorIs(t, stat.MeanFolds.Design(1, 10), stat.ErrDesign)
	require.NoError(t, stat.UseAllData.Design(1, 10))
	_, err = stat.Bouckaert(10).Test(d, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDomain)
	require.Equal(t, "Bouckaert(10)", stat.Bouckaert(10).String())
}

func TestCalibrateDF(t *testing.T) {
	t.Parallel()
	// |Z| = 2.228 is the 5% point of t with 10 degrees of freedom, so that one
	// statistic in 20 that equals it at df = 10 leaves the level at 5% there,
	// and above it at any larger df.
	z := make([]float64, 20)
	z[3] = -100
	z[4] = 2.2281388519649 / math.Sqrt(11) * math.Sqrt(100)
	c, err := stat.CalibrateDF(z, 99, 0.05)
	require.NoError(t, err)
	require.Equal(t, stat.Calibration{Alpha: 0.05, N: 20, DF: 10, TypeI: 0.05, Lo: 0, Hi: 100}, c)

	c, err = stat.CalibrateDF(make([]float64, 5), 9, 0.05)
	require.NoError(t, err)
	require.Equal(t, stat.Calibration{Alpha: 0.05, N: 5, DF: 100, TypeI: 0, Lo: 0, Hi: 100}, c)

	c, err = stat.CalibrateDF([]float64{math.Inf(1), 0}, 9, 0.05)
	require.NoError(t, err)
	require.Zero(t, c.DF)
	require.True(t, math.IsNaN(c.TypeI))
	require.Equal(t, 100, c.Hi, "one of two may be by chance")

	inf := make([]float64, 10)
	for i := range inf {
		inf[i] = math.Inf(-1)
	}
	c, err = stat.CalibrateDF(inf, 9, 0.05)
	require.NoError(t, err)
	require.Zero(t, c.DF)
	require.Zero(t, c.Hi)

	for _, c := range []struct {
		z         []float64
		df, alpha float64
		err       error
	}{
		{nil, 9, 0.05, stat.ErrSampleSize},
		{[]float64{nan()}, 9, 0.05, stat.ErrNotFinite},
		{[]float64{1}, 0, 0.05, stat.ErrDomain},
		{[]float64{1}, 9, 1, stat.ErrDomain},
	} {
		_, err := stat.CalibrateDF(c.z, c.df, c.alpha)
		require.ErrorIs(t, err, c.err)
	}
}

// TestCalibrationOfStudentsT has statistics of exactly the distribution that a number of
// degrees of freedom gives: the interval holds that number in at least 95% of the draws.
func TestCalibrationOfStudentsT(t *testing.T) {
	t.Parallel()
	const df, n, draws, wrong = 9, 1000, 100, 99
	quantile, err := stat.StudentT(df)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	covered, narrow := 0, 0
	for range draws {
		z := make([]float64, n)
		for i := range z {
			q, err := quantile.Quantile(rng.Float64())
			require.NoError(t, err)
			z[i] = q * math.Sqrt(float64(wrong+1)/(df+1)) // as a test on 99 degrees of freedom has it
		}
		c, err := stat.CalibrateDF(z, wrong, 0.05)
		require.NoError(t, err)
		require.LessOrEqual(t, c.TypeI, 0.05)
		require.True(t, c.Lo <= c.DF && c.DF <= c.Hi, "%+v", c)
		if c.Lo <= df && df <= c.Hi {
			covered++
		}
		if c.Hi-c.Lo <= 5 {
			narrow++
		}
	}
	require.GreaterOrEqual(t, covered, 93)
	require.GreaterOrEqual(t, narrow, 90)
}

// TestCalibrationIsExact has a statistic just above and below the critical value of 11 degrees
// of freedom, as a test on 99 has it, beside one that always rejects.
func TestCalibrationIsExact(t *testing.T) {
	t.Parallel()
	const critical = 2.2009851600916 // the 5% point of t with 11 degrees of freedom
	for _, c := range []struct {
		factor float64
		df     int
	}{{0.999, 11}, {1.001, 10}} {
		z := make([]float64, 20)
		z[0], z[1] = math.Inf(1), c.factor*critical*math.Sqrt(100.0/12)
		got, err := stat.CalibrateDF(z, 99, 0.05)
		require.NoError(t, err)
		require.Equal(t, c.df, got.DF)
	}
	// Of 1000 data sets that reject with 5%, at most 36 do with 2.1%, 37 with 3.1%, at least 64
	// with 2.8% and 65 with 2.1%: sums of binomial coefficients.
	for _, c := range []struct{ rejected, lo, hi int }{
		{36, 100, 100},
		{37, 0, 100},
		{64, 0, 100},
		{65, 0, 0},
	} {
		z := make([]float64, 1000)
		for i := range c.rejected {
			z[i] = math.Inf(1)
		}
		got, err := stat.CalibrateDF(z, 99, 0.05)
		require.NoError(t, err)
		require.Equal(t, [2]int{c.lo, c.hi}, [2]int{got.Lo, got.Hi}, "%d of 1000", c.rejected)
	}
}

// The names of all tests that Bouckaert has can be looked up.
func TestBouckaertNames(t *testing.T) {
	t.Parallel()
	for name, b := range bouckaertTests {
		want := "b03-" + strings.ReplaceAll(strings.ToLower(name), "_", "-")
		require.Equal(t, want, b.String())
		_, err := stat.Lookup(want)
		require.NoError(t, err)
	}
}
