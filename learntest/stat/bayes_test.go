package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

func TestBayesianCorrelatedTReference(t *testing.T) {
	t.Parallel()
	each(t, "bayes_correlated_t", "bayes_correlated_t", func(t *testing.T, v vector) {
		var in struct {
			X, Y []number
			Rope float64
			Runs int
		}
		var w struct {
			Mean, Scale2, DF number
			// In the reference the left is where the first learner is better:
			// the differences are taken the other way round.
			Left  number  `json:"p_left"`
			Rope  *number `json:"p_rope"`
			Right number  `json:"p_right"`
			HDI95 [2]number
		}
		v.In(t, &in)
		v.Want(t, &w)
		d := differences(in.X, in.Y)
		d.Runs, d.Folds = in.Runs, len(in.X)/in.Runs
		p, err := stat.BayesianCorrelatedT(d, in.Rope)
		require.NoError(t, err)
		v.Near(t, "scale²", p.Scale*p.Scale, w.Scale2)
		v.Near(t, "df", p.DF, w.DF)
		lo, hi := p.HDI(0.95)
		if float64(w.Mean)*p.Mean < 0 {
			lo, hi = -hi, -lo
		}
		v.Near(t, "mean", math.Abs(p.Mean), number(math.Abs(float64(w.Mean))))
		v.Near(t, "HDI", lo, w.HDI95[0])
		v.Near(t, "HDI", hi, w.HDI95[1])
		v.Near(t, "better", p.Better, w.Left)
		v.Near(t, "worse", p.Worse, w.Right)
		if w.Rope != nil {
			v.Near(t, "equivalent", p.Equivalent, *w.Rope)
		} else {
			require.Zero(t, p.Equivalent)
		}
	})
}

func TestBayesianCorrelatedTOfEqualDifferences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		x, rope                   float64
		worse, equivalent, better float64
	}{
		"zero without rope":   {0, 0, 0.5, 0, 0.5},
		"zero within rope":    {0, 0.01, 0, 1, 0},
		"on the boundary":     {-0.25, 0.25, 0, 1, 0},
		"below":               {-0.25, 0.01, 1, 0, 0},
		"above, without rope": {0.25, 0, 0, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := stat.BayesianCorrelatedT(oneRun([]float64{c.x, c.x, c.x}), c.rope)
			require.NoError(t, err)
			require.Equal(t, []float64{c.worse, c.equivalent, c.better},
				[]float64{p.Worse, p.Equivalent, p.Better})
			require.Equal(t, []error{stat.ErrZeroVariance}, p.Warnings)
			lo, hi := p.HDI(0.95)
			require.Equal(t, []float64{c.x, c.x}, []float64{lo, hi})
		})
	}
	// 0.9 − 0.8 is not quite 0.1.
	d := oneRun([]float64{minus(.9, .8), minus(.8, .7), minus(.7, .6)})
	d.Scale = 0.9
	p, err := stat.BayesianCorrelatedT(d, 0.1)
	require.NoError(t, err)
	require.Equal(t, 1.0, p.Equivalent)
}

func TestBayesianCorrelatedTRejectsBadInput(t *testing.T) {
	t.Parallel()
	d := oneRun([]float64{1, 2, 3})
	for _, rope := range []float64{-1, nan(), math.Inf(1)} {
		_, err := stat.BayesianCorrelatedT(d, rope)
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	_, err := stat.BayesianCorrelatedT(oneRun([]float64{1}), 0)
	require.ErrorIs(t, err, stat.ErrDomain) // one fold a run: it needs the ratio
	_, err = stat.BayesianCorrelatedT(stat.Differences{Runs: 1, Folds: 1, X: []float64{1}, Ratio: 1},
		0)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = stat.BayesianCorrelatedT(oneRun([]float64{1, nan()}), 0)
	require.ErrorIs(t, err, stat.ErrNotFinite)
	p, err := stat.BayesianCorrelatedT(d, 0)
	require.NoError(t, err)
	lo, hi := p.HDI(1)
	require.True(t, math.IsNaN(lo) && math.IsNaN(hi))
	require.True(t, math.IsNaN(p.LeastRope(0)) && math.IsNaN(p.LeastRope(1)))
}

func TestBayesianCorrelatedTProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawDifferences(t, rapid.IntRange(1, 5).Draw(t, "runs"),
			rapid.IntRange(2, 6).Draw(t, "folds"))
		rope := rapid.Float64Range(0, 2).Draw(t, "rope")
		p, err := stat.BayesianCorrelatedT(d, rope)
		require.NoError(t, err)
		for _, q := range []float64{p.Worse, p.Equivalent, p.Better} {
			require.True(t, q >= 0 && q <= 1, "%+v", p)
		}
		require.InDelta(t, 1, p.Worse+p.Equivalent+p.Better, 1e-12)
		mirrored, err := stat.BayesianCorrelatedT(negated(d), rope)
		require.NoError(t, err)
		require.NoError(t, floatcmp.Slices([]float64{mirrored.Better, mirrored.Worse},
			[]float64{p.Worse, p.Better}, 1e-300, 1e-10))

		// The least rope with a probability has just that.
		probability := rapid.Float64Range(0.01, 0.99).Draw(t, "probability")
		if least := p.LeastRope(probability); p.Scale > 0 {
			q, err := stat.BayesianCorrelatedT(d, least)
			require.NoError(t, err)
			require.InDelta(t, probability, q.Equivalent, 1e-9)
		} else {
			require.Equal(t, math.Abs(p.Mean), least)
		}

		// With no rope it is the one-sided test.
		if r, err := stat.CorrectedCVTTest(d, stat.Greater); err == nil && r.SE > 0 {
			p, err := stat.BayesianCorrelatedT(d, 0)
			require.NoError(t, err)
			require.InDelta(t, 1-r.P, p.Better, 1e-12)
		}
	})
}

func BenchmarkBayesianCorrelatedT(b *testing.B) {
	d := stat.Differences{Runs: 10, Folds: 10, Ratio: 1.0 / 9, Scale: 1, X: make([]float64, 100)}
	for i := range d.X {
		d.X[i] = float64(i*i%17)/100 - 0.06
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := stat.BayesianCorrelatedT(d, 0.01); err != nil {
			b.Fatal(err)
		}
	}
}

// Two tails that are nearly the same differ by rounding, which may be in the wrong direction.
func TestNoProbabilityIsNegative(t *testing.T) {
	t.Parallel()
	d := stat.Differences{
		Runs: 1, Folds: 5, X: []float64{-1.25, -0.5, -0.5, 0, 0.1}, Ratio: 0.2,
		Scale: 4,
	}
	for _, rope := range []float64{0x1p-54, 0x1p-52, 0x1p-50} {
		p, err := stat.BayesianCorrelatedT(d, rope)
		require.NoError(t, err)
		require.GreaterOrEqual(t, p.Equivalent, 0.0)
	}
}
