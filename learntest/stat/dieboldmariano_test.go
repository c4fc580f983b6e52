package stat_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

// series returns the differences as one run.
func series(x ...float64) stat.Differences {
	return stat.Differences{Runs: 1, Folds: len(x), X: x}
}

func TestDieboldMarianoReference(t *testing.T) {
	t.Parallel()
	each(t, "diebold_mariano", "diebold_mariano", func(t *testing.T, v vector) {
		var in struct {
			D []number
			H int
		}
		var w struct {
			Statistic, DF number
			PTwo          number `json:"p_two_sided"`
			PGreater      number `json:"p_greater"`
			PLess         number `json:"p_less"`
		}
		v.In(t, &in)
		v.Want(t, &w)
		for alt, p := range map[stat.Alternative]number{
			stat.TwoSided: w.PTwo, stat.Greater: w.PGreater,
			stat.Less: w.PLess,
		} {
			r, err := stat.DieboldMarianoTest(series(vectors.Floats(in.D)...), alt, in.H)
			require.NoError(t, err)
			v.Near(t, "p "+alt.String(), r.P, p)
			v.Near(t, "statistic", r.Statistic, w.Statistic)
			v.Near(t, "standard error", r.SE, number(r.Mean)/w.Statistic)
			v.Near(t, "df", r.DF, w.DF)
			require.Equal(t, len(in.D), r.N)
			require.Equal(t, stat.LawT, r.Law)
			require.True(t, math.IsNaN(r.DF2))
			require.Empty(t, r.Warnings)
		}
	})
}

// The p-values of the out-of-sample example of help(dm.test) in R's package forecast, as
// printed.
func TestDieboldMarianoExampleOfR(t *testing.T) {
	t.Parallel()
	want := map[string][3]float64{ // two-sided, less, greater
		"diebold_mariano/out_of_sample_squares_h1":   {.8871, .4435, .5565},
		"diebold_mariano/out_of_sample_absolutes_h1": {.7818, .6091, .3909},
		"diebold_mariano/out_of_sample_squares_h10":  {.9362, .4681, .5319},
	}
	seen := 0
	for _, v := range vectors.Read(t, "diebold_mariano") {
		p, ok := want[v.ID]
		if !ok {
			continue
		}
		seen++
		var in struct {
			D []number
			H int
		}
		v.In(t, &in)
		require.Len(t, in.D, 20)
		for i, alt := range []stat.Alternative{stat.TwoSided, stat.Less, stat.Greater} {
			r, err := stat.DieboldMarianoTest(series(vectors.Floats(in.D)...), alt, in.H)
			require.NoError(t, err)
			require.InDelta(t, p[i], r.P, 0.00005, "%s %v", v.ID, alt)
		}
	}
	require.Equal(t, len(want), seen)
}

// naiveDieboldMariano is the statistic as the papers print it, and the sum of
// autocovariances under its root.
func naiveDieboldMariano(x []float64, h int) (statistic, sum float64) {
	n := float64(len(x))
	var m float64
	for _, v := range x {
		m += v / n
	}
	var v float64
	for k := range h {
		var gamma float64
		for t := k; t < len(x); t++ {
			gamma += (x[t] - m) * (x[t-k] - m) / n
		}
		if k > 0 {
			gamma *= 2
		}
		v += gamma
	}
	l := float64(h)
	return m / math.Sqrt(v/n) * math.Sqrt((n+1-2*l+l*(l-1)/n)/n), v
}

func TestDieboldMarianoIsWhatThePapersPrint(t *testing.T) {
	t.Parallel()
	judged := 0
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-3, 3), 3, 12).Draw(t, "x")
		h := rapid.IntRange(1, len(x)-1).Draw(t, "h")
		r, err := stat.DieboldMarianoTest(series(x...), stat.TwoSided, h)
		want, sum := naiveDieboldMariano(x, h)
		if err != nil {
			require.ErrorIs(t, err, stat.ErrZeroVariance)
			require.Less(t, sum, 1e-12)
			return
		}
		if r.SE == 0 || sum < 1e-9 {
			return
		}
		judged++
		require.True(t, floatcmp.Equal(r.Statistic, want, 1e-9, 1e-7), "%v, want %v", r.Statistic, want)

		// Time reversed has the same autocovariances.
		back := make([]float64, len(x))
		for i := range x {
			back[len(x)-1-i] = x[i]
		}
		again, err := stat.DieboldMarianoTest(series(back...), stat.TwoSided, h)
		require.NoError(t, err)
		require.True(t, near(r, again), "%+v, reversed %+v", r, again)
	})
	require.NotZero(t, judged)
}

func TestDieboldMarianoWithoutLagsIsThePairedTest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawDifferences(t, 1, rapid.IntRange(2, 20).Draw(t, "folds"))
		want, err := stat.PairedTTest(d, stat.Greater)
		require.NoError(t, err)
		got, err := stat.DieboldMarianoTest(d, stat.Greater, 1)
		require.NoError(t, err)
		require.Equal(t, "diebold-mariano/h=1", got.Test)
		got.Test = want.Test
		require.Equal(t, [4]float64{want.Statistic, want.SE, want.P, want.DF}, [4]float64{
			got.Statistic,
			got.SE, got.P, got.DF,
		})
	})
}

// A drift makes neighbours alike: with lags the mean is known less well.
func TestDieboldMarianoCountsTheLags(t *testing.T) {
	t.Parallel()
	d := series(0.01, 0.02, 0.04, 0.05, 0.05, 0.03, 0.02, 0.01, 0.02, 0.04, 0.06, 0.05)
	one, err := stat.DieboldMarianoTest(d, stat.TwoSided, 1)
	require.NoError(t, err)
	two, err := stat.DieboldMarianoTest(d, stat.TwoSided, 2)
	require.NoError(t, err)
	require.Greater(t, two.SE, one.SE)
	require.Greater(t, two.P, one.P)
	lo, hi := two.Interval(1 - two.P)
	require.InDelta(t, 0, lo, 1e-12)
	require.InDelta(t, 2*two.Estimate, hi, 1e-12)
	small, err := one.Detectable(0.05, 0.8)
	require.NoError(t, err)
	large, err := two.Detectable(0.05, 0.8)
	require.NoError(t, err)
	require.InEpsilon(t, small*two.SE/one.SE, large, 1e-12)
}

func TestDieboldMarianoEdgeCases(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		d    stat.Differences
		alt  stat.Alternative
		h    int
		want error
		text string
	}{
		"no horizon": {
			series(1, 2, 3), 0, 0, stat.ErrDomain,
			"parameter out of range: diebold-mariano/h=0: a horizon of 0 blocks, need at least 1",
		},
		"negative horizon": {
			series(1, 2, 3), 0, -1, stat.ErrDomain,
			"parameter out of range: diebold-mariano/h=-1: a horizon of -1 blocks, need at least 1",
		},
		"one difference": {
			series(1), 0, 1, stat.ErrDesign,
			"test does not fit the design: diebold-mariano/h=1 needs one run of more than 1 folds, not 1 of 1",
		},
		"horizon of all": {
			series(1, 2, 4), 0, 3, stat.ErrDesign,
			"test does not fit the design: diebold-mariano/h=3 needs one run of more than 3 folds, not 1 of 3",
		},
		"two runs": {
			stat.Differences{Runs: 2, Folds: 3, X: []float64{1, 2, 3, 4, 5, 7}},
			0, 1, stat.ErrDesign,
			"test does not fit the design: diebold-mariano/h=1 needs one run of more than 1 folds, not 2 of 3",
		},
		"no run": {
			stat.Differences{},
			0, 1, stat.ErrDesign,
			"test does not fit the design: diebold-mariano/h=1 needs one run of more than 1 folds, not 0 of 0",
		},
		"other length": {
			stat.Differences{Runs: 1, Folds: 4, X: []float64{1, 2, 3}},
			0, 2,
			stat.ErrSampleSize, "wrong sample size: 3 differences for 1 runs of 4 folds",
		},
		"NaN": {
			series(1, nan, 3), 0, 2, stat.ErrNotFinite,
			"not finite: X[1], of run 1, fold 2, is NaN",
		},
		"infinite": {
			series(1, 2, inf), 0, 2, stat.ErrNotFinite,
			"not finite: X[2], of run 1, fold 3, is +Inf",
		},
		"unknown alternative": {
			series(1, 2, 4), 3, 2, stat.ErrDomain,
			"parameter out of range: Alternative(3) is not an alternative",
		},
		"alternating": {
			series(1, -1, 1, -1), 0, 2, stat.ErrZeroVariance,
			"diebold-mariano/h=2: zero variance or less: the sum of the autocovariances is -0.5 of the variance, not positive, since the differences alternate: ask for more folds, or a smaller h",
		},
		// (Σe)² − 2·e_1·e_3 of three deviations is 0 as the last is.
		"zero but for round-off": {series(0.3, 0.1, 0.2), 0, 2, stat.ErrZeroVariance, ""},
		"zero":                   {series(-1, 1, 0), 0, 2, stat.ErrZeroVariance, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := stat.DieboldMarianoTest(c.d, c.alt, c.h)
			require.ErrorIs(t, err, c.want)
			if c.text != "" {
				require.EqualError(t, err, c.text)
			}
			require.Zero(t, r)
		})
	}
}

func TestDieboldMarianoOfEqualDifferences(t *testing.T) {
	t.Parallel()
	for h := 1; h <= 3; h++ {
		r, err := stat.DieboldMarianoTest(series(0.25, 0.25, 0.25, 0.25), stat.Greater, h)
		require.NoError(t, err)
		require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings)
		require.Equal(t, [4]float64{math.Inf(1), 0, 0, 0.25}, [4]float64{
			r.Statistic, r.P,
			r.SE, r.Estimate,
		})
		r, err = stat.DieboldMarianoTest(series(0, 0, 0, 0), stat.TwoSided, h)
		require.NoError(t, err)
		require.Equal(t, [2]float64{0, 1}, [2]float64{r.Statistic, r.P})
		// 0.9−0.8, 0.8−0.7 and 0.7−0.6 differ by round-off only.
		d := series(minus(0.9, 0.8), minus(0.8, 0.7), minus(0.7, 0.6), minus(0.6, 0.5))
		d.Scale = 0.9
		r, err = stat.DieboldMarianoTest(d, stat.TwoSided, h)
		require.NoError(t, err)
		require.Zero(t, r.SE)
	}
}

// Squares of such numbers overflow, or vanish.
func TestDieboldMarianoAtTheEndsOfTheRange(t *testing.T) {
	t.Parallel()
	x := []float64{1, 2, 4, 3, 5, 7, 6}
	want, err := stat.DieboldMarianoTest(series(x...), stat.TwoSided, 3)
	require.NoError(t, err)
	for _, exponent := range []int{-1060, -600, 600, 1018} {
		d := mapped(series(x...), func(v float64) float64 { return math.Ldexp(v, exponent) })
		r, err := stat.DieboldMarianoTest(d, stat.TwoSided, 3)
		require.NoError(t, err)
		require.True(t, floatcmp.Equal(r.P, want.P, 0, 1e-3), "2^%d: %v, want %v", exponent, r.P, want.P)
	}
}

func TestLookupOfHorizons(t *testing.T) {
	t.Parallel()
	x := []float64{1, 2, 4, 3, 5, 7}
	for name, h := range map[string]int{
		"diebold-mariano": 1, "diebold-mariano/h=1": 1,
		"diebold-mariano/h=3": 3, "diebold-mariano/h=5": 5,
	} {
		test, err := stat.Lookup(name)
		require.NoError(t, err)
		require.Equal(t, name, test.Name)
		require.True(t, test.Naive)
		require.NoError(t, test.Design(1, h+1))
		require.EqualError(t, test.Design(1, h),
			fmt.Sprintf("test does not fit the design: %s needs one run of more than %d folds, not 1 of %d",
				name, h, h))
		require.ErrorIs(t, test.Design(2, h+1), stat.ErrDesign)
		got, err := test.Run(series(x...), stat.Less)
		require.NoError(t, err)
		require.Equal(t, name, got.Test)
		want, err := stat.DieboldMarianoTest(series(x...), stat.Less, h)
		require.NoError(t, err)
		require.Equal(t, [2]float64{want.P, want.SE}, [2]float64{got.P, got.SE})
	}
	for name, number := range map[string]string{
		"diebold-mariano/h=": `""`, "diebold-mariano/h=0": `"0"`, "diebold-mariano/h=-1": `"-1"`,
		"diebold-mariano/h=02": `"02"`,
		"diebold-mariano/h=+2": `"+2"`, "diebold-mariano/h=2.5": `"2.5"`,
		"diebold-mariano/h=99999999999999999999": `"99999999999999999999"`,
	} {
		_, err := stat.Lookup(name)
		require.ErrorIs(t, err, stat.ErrDomain)
		require.EqualError(t, err, "parameter out of range: "+name+": a horizon of "+number+" blocks, need a whole number from 1 on")
	}
	_, err := stat.Lookup("diebold-mariano/df=2")
	require.ErrorContains(t, err, `unknown test "diebold-mariano/df=2"`)
}
