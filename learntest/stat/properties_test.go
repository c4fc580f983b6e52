package stat_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

// drawDifferences draws differences of moderate size, with ties now and then. They are 0 or
// not much less than a millionth, so that rounding does not decide the remainder where others
// cancel each other out.
func drawDifferences(t *rapid.T, runs, folds int) stat.Differences {
	moderate := rapid.Map(rapid.Float64Range(-3, 3),
		func(x float64) float64 { return math.Round(x*1e6) / 1e6 })
	value := rapid.OneOf(moderate, rapid.SampledFrom([]float64{0, 0.1, -0.1, 0.5}))
	return stat.Differences{
		Runs: runs, Folds: folds,
		X:     rapid.SliceOfN(value, runs*folds, runs*folds).Draw(t, "x"),
		Ratio: 1 / float64(folds),
		Scale: 4,
	}
}

// negated returns the differences with the learners swapped.
func negated(d stat.Differences) stat.Differences {
	return mapped(d, func(x float64) float64 { return -x })
}

func mapped(d stat.Differences, f func(float64) float64) stat.Differences {
	x := make([]float64, len(d.X))
	for i := range x {
		x[i] = f(d.X[i])
	}
	d.X = x
	return d
}

// drawDesign draws runs and folds to which the test applies.
func drawDesign(t *rapid.T, test stat.Test) (runs, folds int) {
	switch {
	case strings.HasPrefix(test.Name, "5x2cv"):
		return 5, 2
	case test.Name == "diebold-mariano":
		return 1, rapid.IntRange(2, 20).Draw(t, "folds")
	case test.Name == "averaged-5x2cv-t":
		return 5 * rapid.IntRange(1, 3).Draw(t, "partitions"), 2
	}
	runs, folds = rapid.IntRange(2, 5).Draw(t, "runs"), rapid.IntRange(2, 5).Draw(t, "folds")
	if test.Design(1, 2) == nil && rapid.Bool().Draw(t, "one run") {
		runs = 1
	}
	return runs, folds
}

// near reports whether two results agree but for rounding.
func near(a, b stat.Result) bool {
	return floatcmp.Equal(a.P, b.P, 1e-13, 1e-7) && floatcmp.Equal(a.Statistic, b.Statistic, 1e-9,
		1e-7)
}

func TestCatalogueProperties(t *testing.T) {
	t.Parallel()
	for _, test := range stat.Tests() {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				runs, folds := drawDesign(t, test)
				require.NoError(t, test.Design(runs, folds))
				d := drawDifferences(t, runs, folds)
				alt := stat.TwoSided
				if test.Name != "5x2cv-f" {
					alt = stat.Alternative(rapid.IntRange(0, 2).Draw(t, "alternative"))
				}
				r, err := test.Run(d, alt)
				if err != nil {
					require.ErrorIs(t, err, stat.ErrZeroVariance)
					return
				}
				require.True(t, r.P >= 0 && r.P <= 1, "p = %v", r.P)
				require.False(t, math.IsNaN(r.Statistic))
				require.Equal(t, test.Name, r.Test)
				require.Equal(t, alt, r.Alternative)
				require.Equal(t, len(d.X), r.N)

				swapped, err := test.Run(negated(d), alt.Mirror())
				require.NoError(t, err)
				if r.Law != stat.LawF {
					swapped.Statistic = -swapped.Statistic
				}
				if !near(r, swapped) {
					t.Fatalf("%+v\nafter swapping %+v", r, swapped)
				}

				// Another unit: a power of two, which is exact.
				factor := math.Ldexp(1, rapid.IntRange(-300, 300).Draw(t, "exponent"))
				scaled := mapped(d, func(x float64) float64 { return x * factor })
				scaled.Scale *= factor
				rescaled, err := test.Run(scaled, alt)
				require.NoError(t, err)
				if r.Law == stat.LawExact {
					rescaled.Statistic /= factor
				}
				if !near(r, rescaled) {
					t.Fatalf("%+v\nafter scaling by %g %+v", r, factor, rescaled)
				}
				if lo, hi := r.Interval(0.9); !math.IsNaN(lo) {
					slo, shi := rescaled.Interval(0.9)
					require.NoError(t, floatcmp.Slices([]float64{slo / factor, shi / factor}, []float64{lo, hi},
						1e-12, 1e-9))
				}

				again, err := test.Run(d, alt)
				require.NoError(t, err)
				require.Equal(t, []float64{r.P, r.Statistic}, []float64{again.P, again.Statistic})
			})
		})
	}
}

// The three alternatives are one distribution: the one-sided p sum to 1, or
// more if the distribution has atoms, and the two-sided is twice the smaller.
func TestCatalogueTailsFitTogether(t *testing.T) {
	t.Parallel()
	for _, test := range stat.Tests() {
		if test.Name == "5x2cv-f" {
			continue
		}
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				runs, folds := drawDesign(t, test)
				d := drawDifferences(t, runs, folds)
				var p [3]float64
				var r stat.Result
				for alt := range p {
					var err error
					r, err = test.Run(d, stat.Alternative(alt))
					if err != nil {
						return
					}
					p[alt] = r.P
				}
				if len(r.Warnings) > 0 {
					return
				}
				require.InDelta(t, min(1, 2*min(p[1], p[2])), p[0], 1e-9)
				if r.Law == stat.LawT {
					require.InDelta(t, 1, p[1]+p[2], 1e-12)
				} else {
					require.GreaterOrEqual(t, p[1]+p[2], 1.0)
				}
			})
		})
	}
}

// A two-sided test rejects at 1−level just if zero is outside of its interval.
func TestCatalogueIntervalsFitTheTests(t *testing.T) {
	t.Parallel()
	for _, test := range stat.Tests() {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				runs, folds := drawDesign(t, test)
				r, err := test.Run(drawDifferences(t, runs, folds), stat.TwoSided)
				if err != nil || len(r.Warnings) > 0 {
					return
				}
				lo, hi := r.Interval(0.8)
				if math.IsNaN(r.SE) {
					require.True(t, math.IsNaN(lo) && math.IsNaN(hi))
					return
				}
				if math.Abs(r.P-0.2) > 1e-9 {
					require.Equal(t, r.P < 0.2, lo > 0 || hi < 0)
				}
			})
		})
	}
}

// Tests must not depend on the order of differences.
func TestPermutationInvariance(t *testing.T) {
	t.Parallel()
	all := func(rt *rapid.T, d stat.Differences) []float64 {
		return rapid.Permutation(d.X).Draw(rt, "permuted")
	}
	withinRuns := func(rt *rapid.T, d stat.Differences) []float64 {
		var x []float64
		for j := range d.Runs {
			x = append(x, rapid.Permutation(d.X[j*d.Folds:(j+1)*d.Folds]).Draw(rt, "run")...)
		}
		return x
	}
	ofRuns := func(rt *rapid.T, d stat.Differences) []float64 {
		order := make([]int, d.Runs)
		for j := range order {
			order[j] = j
		}
		var x []float64
		for _, j := range rapid.Permutation(order).Draw(rt, "order") {
			x = append(x, d.X[j*d.Folds:(j+1)*d.Folds]...)
		}
		return x
	}
	type shuffle = func(*rapid.T, stat.Differences) []float64
	for name, shuffles := range map[string][]shuffle{
		"corrected-cv-t":               {all},
		"corrected-resampled-t":        {all},
		"paired-t":                     {all},
		"permutation":                  {all},
		"diebold-mariano":              {all},
		"5x2cv-f":                      {withinRuns, ofRuns},
		"averaged-t":                   {withinRuns, ofRuns},
		"b03-use-all-data":             {all},
		"b03-folds":                    {withinRuns, ofRuns},
		"b03-folds-averaged-var":       {withinRuns, ofRuns},
		"b03-folds-averaged-t":         {withinRuns, ofRuns},
		"b03-runs":                     {ofRuns},
		"b03-runs-averaged-var":        {ofRuns},
		"b03-runs-averaged-t":          {ofRuns},
		"b03-sorted-runs":              {withinRuns, ofRuns},
		"b03-sorted-runs-averaged-var": {withinRuns, ofRuns},
		"b03-sorted-runs-averaged-t":   {withinRuns, ofRuns},
	} {
		test, err := stat.Lookup(name)
		require.NoError(t, err)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				runs, folds := drawDesign(rt, test)
				d := drawDifferences(rt, runs, folds)
				r, err := test.Run(d, stat.TwoSided)
				for _, s := range shuffles {
					permuted := d
					permuted.X = s(rt, d)
					again, againErr := test.Run(permuted, stat.TwoSided)
					require.Equal(rt, err == nil, againErr == nil)
					if err == nil && !near(r, again) {
						rt.Fatalf("%+v\nafter permuting %+v", r, again)
					}
				}
			})
		})
	}
}
