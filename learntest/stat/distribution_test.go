package stat_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/contingency"
)

// Provenance: tables of critical values to three or four digits: Student's t, χ²
// and F in any textbook, the studentized range in Demšar (2006), table 5a
// (times √2), and for 10 degrees of freedom mpmath quadrature.
func TestDistributionsOfTheTables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make func() (stat.Distribution, error)
		p, q float64
	}{
		"t": {
			func() (stat.Distribution, error) { return stat.StudentT(9) },
			0.025, 2.262157,
		},
		"normal": {
			func() (stat.Distribution, error) { return stat.StudentT(math.Inf(1)) },
			0.05, 1.644854,
		},
		"chi-squared": {
			func() (stat.Distribution, error) { return stat.ChiSquared(4) },
			0.05, 9.487729,
		},
		"lower chi-squared": {
			func() (stat.Distribution, error) { return stat.ChiSquared(9) },
			0.975, 2.700389,
		},
		"F": {
			func() (stat.Distribution, error) { return stat.SnedecorF(10, 5) },
			0.05, 4.735063,
		},
		"F over chi-squared": {func() (stat.Distribution, error) {
			return stat.SnedecorF(4,
				math.Inf(1))
		}, 0.05, 9.487729 / 4},
		"range": {func() (stat.Distribution, error) {
			return stat.StudentizedRange(3,
				math.Inf(1))
		}, 0.05, 3.314493},
		"range, 10 df": {
			func() (stat.Distribution, error) { return stat.StudentizedRange(3, 10) },
			0.04994801346191353, 3.877676,
		},
	} {
		d, err := c.make()
		require.NoError(t, err, name)
		q, err := d.Quantile(c.p)
		require.NoError(t, err, name)
		require.True(t, floatcmp.Equal(q, c.q, 0, 1e-6), "%s: %v, want %v", name, q, c.q)
	}
}

func TestDistributionsAgreeWithTheTests(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 5, Folds: 2, X: []float64{1, 2, 0.5, 1, 3, 1, 2, 0, 1, 1.5}}
	for alt := stat.TwoSided; alt <= stat.Less; alt++ {
		r, err := stat.CorrectedCVTTest(d, alt)
		require.NoError(t, err)
		law, err := stat.StudentT(r.DF)
		require.NoError(t, err)
		p, err := law.P(r.Statistic, alt)
		require.NoError(t, err)
		require.True(t, floatcmp.Equal(p, r.P, 0, 1e-14), "%v: %v, want %v", alt, p, r.P)
		mirrored, err := law.P(-r.Statistic, alt.Mirror())
		require.NoError(t, err)
		require.Equal(t, p, mirrored)
	}
	r, err := stat.FiveByTwoFTest(d, stat.TwoSided)
	require.NoError(t, err)
	law, err := stat.SnedecorF(r.DF, r.DF2)
	require.NoError(t, err)
	p, err := law.P(r.Statistic, stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, r.P, p)
	r, err = contingency.McNemarTest(contingency.PairCounts{OnlyFirst: 30, OnlySecond: 14},
		contingency.Edwards, stat.TwoSided)
	require.NoError(t, err)
	law, err = stat.ChiSquared(r.DF)
	require.NoError(t, err)
	p, err = law.P(r.Statistic, stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, r.P, p)
}

func TestQuantilesInvertTails(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		df := math.Exp(rapid.Float64Range(-1, 14).Draw(t, "log df"))
		df2 := math.Exp(rapid.Float64Range(-1, 14).Draw(t, "log df2"))
		p := math.Exp(-rapid.Float64Range(0.001, 40).Draw(t, "-log p"))
		student, err := stat.StudentT(df)
		require.NoError(t, err)
		chi, err := stat.ChiSquared(df)
		require.NoError(t, err)
		f, err := stat.SnedecorF(df, df2)
		require.NoError(t, err)
		for name, d := range map[string]stat.Distribution{"t": student, "χ²": chi, "F": f} {
			q, err := d.Quantile(p)
			require.NoError(t, err)
			alt := stat.TwoSided
			if name == "t" {
				alt = stat.Greater
			}
			got, err := d.P(q, alt)
			require.NoError(t, err)
			// The tail moves with the last digit of the quantile.
			require.True(t, floatcmp.Equal(got, p, 0, 1e-9), "%s(%v, %v): %v has tail %v, not %v", name, df,
				df2, q, got, p)
		}
	})
	// Near 1 the other tail decides: the tail of χ² with 2 degrees of freedom is 1 −
	// exp(−x/2).
	chi, err := stat.ChiSquared(2)
	require.NoError(t, err)
	q, err := chi.Quantile(1 - 0x1p-45)
	require.NoError(t, err)
	require.True(t, floatcmp.Equal(q, -2*math.Log1p(-0x1p-45), 0, 1e-12), "%v", q)
	tukey, err := stat.StudentizedRange(5, 20)
	require.NoError(t, err)
	for _, p := range []float64{0.9, 0.05, 1e-6} {
		q, err := tukey.Quantile(p)
		require.NoError(t, err)
		got, err := tukey.P(q, stat.TwoSided)
		require.NoError(t, err)
		require.True(t, floatcmp.Equal(got, p, 0, 1e-10))
	}
}

func TestDistributionsRejectBadInput(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for _, bad := range []float64{0, -1, nan(), -inf} {
		_, err := stat.StudentT(bad)
		require.ErrorIs(t, err, stat.ErrDomain)
		_, err = stat.ChiSquared(bad)
		require.ErrorIs(t, err, stat.ErrDomain)
		_, err = stat.SnedecorF(bad, 1)
		require.ErrorIs(t, err, stat.ErrDomain)
		_, err = stat.SnedecorF(1, bad)
		require.ErrorIs(t, err, stat.ErrDomain)
		_, err = stat.StudentizedRange(3, bad)
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	for _, f := range []func() (stat.Distribution, error){
		func() (stat.Distribution, error) { return stat.ChiSquared(inf) },
		func() (stat.Distribution, error) { return stat.ChiSquared(1e10) },
		func() (stat.Distribution, error) { return stat.SnedecorF(inf, 1) },
		func() (stat.Distribution, error) { return stat.SnedecorF(2, 1e10) },
		func() (stat.Distribution, error) { return stat.StudentizedRange(1, 5) },
		func() (stat.Distribution, error) { return stat.StudentizedRange(1001, 5) },
		func() (stat.Distribution, error) { return stat.StudentizedRange(3, 0.5) },
	} {
		_, err := f()
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	student, err := stat.StudentT(1)
	require.NoError(t, err)
	chi, err := stat.ChiSquared(3)
	require.NoError(t, err)
	for _, d := range []stat.Distribution{student, chi} {
		for _, p := range []float64{0, 1, -1, 2, nan()} {
			_, err := d.Quantile(p)
			require.ErrorIs(t, err, stat.ErrDomain)
		}
		_, err = d.P(nan(), stat.TwoSided)
		require.ErrorIs(t, err, stat.ErrNotFinite)
		_, err = d.P(1, 3)
		require.ErrorIs(t, err, stat.ErrDomain)
		p, err := d.P(inf, stat.TwoSided)
		require.NoError(t, err)
		require.Zero(t, p)
	}
	_, err = chi.P(1, stat.Greater)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = student.Quantile(5e-324)
	require.ErrorIs(t, err, stat.ErrNotFinite)
	_, err = stat.Distribution{}.P(1, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.Distribution{}.Quantile(0.5)
	require.ErrorIs(t, err, stat.ErrDomain)
	f, err := stat.SnedecorF(2, 3)
	require.NoError(t, err)
	p, err := f.P(-1, stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, 1.0, p)
}

func ExampleStudentizedRange() {
	// Tukey's test of the largest of six pairs of four means: 3.2 is their
	// distance in standard errors of a mean with 44 degrees of freedom.
	tukey, err := stat.StudentizedRange(4, 44)
	if err != nil {
		panic(err)
	}
	p, err := tukey.P(3.2, stat.TwoSided)
	if err != nil {
		panic(err)
	}
	critical, err := tukey.Quantile(0.05)
	if err != nil {
		panic(err)
	}
	fmt.Printf("p = %.4f, critical value %.3f\n", p, critical)
	// Output: p = 0.1226, critical value 3.776
}

func ExampleNewDifferences() {
	forest := [][]float64{{0.86, 0.83, 0.88, 0.85}, {0.84, 0.85, 0.87, 0.86}}
	bayes := [][]float64{{0.81, 0.80, 0.83, 0.84}, {0.80, 0.82, 0.84, 0.80}}
	d, err := stat.NewDifferences(forest, bayes, stat.TableOptions{})
	if err != nil {
		panic(err)
	}
	r, err := stat.CorrectedCVTTest(d, stat.TwoSided)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.4f, p = %.3f\n", r.Estimate, r.P)
	// Output: 0.0375, p = 0.010
}
