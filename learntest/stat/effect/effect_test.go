package effect_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/effect"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

func TestEffectSizeReference(t *testing.T) {
	t.Parallel()
	each(t, "effect_sizes", "effect_sizes", func(t *testing.T, v vector) {
		var in struct{ X, Y []number }
		var w struct {
			D           *number `json:"cohen_d_pooled"`
			G           *number `json:"hedges_g_exact"`
			GApprox     *number `json:"hedges_g_approx"`
			Dz          *number `json:"cohen_dz_paired"`
			Dav         *number `json:"cohen_dav"`
			Cliff       *number `json:"cliffs_delta"`
			A12         *number
			RankBiseral *number `json:"rank_biserial_matched"`
			Magnitude   struct {
				D     string `json:"cohen_d"`
				Cliff string `json:"cliffs_delta"`
			}
		}
		v.In(t, &in)
		v.Want(t, &w)
		x, y := vectors.Floats(in.X), vectors.Floats(in.Y)
		check := func(what string, want *number, f func() (effect.Size, error)) effect.Size {
			if want == nil {
				return effect.Size{}
			}
			e, err := f()
			require.NoError(t, err)
			v.Near(t, what, e.Value, *want)
			return e
		}
		d := check("d", w.D, func() (effect.Size, error) { return effect.CohenD(x, y, 0.95) })
		check("g", w.G, func() (effect.Size, error) { return effect.HedgesG(x, y, 0.95) })
		check("approximate g", w.GApprox, func() (effect.Size, error) {
			return effect.HedgesGApprox(x, y,
				0.95)
		})
		check("d_z", w.Dz, func() (effect.Size, error) {
			return effect.CohenDz(differences(in.X, in.Y),
				0.95)
		})
		check("d_av", w.Dav, func() (effect.Size, error) { return effect.CohenDav(x, y) })
		cliff := check("Cliff's delta", w.Cliff,
			func() (effect.Size, error) { return effect.CliffsDelta(x, y, 0.95) })
		check("A12", w.A12, func() (effect.Size, error) { return effect.A12(x, y, 0.95) })
		if v.ID == "effect/tenfold" {
			// The reference ranks float64 differences without a tolerance. The decimal scores
			// have ties: 14/15 in rational arithmetic.
			*w.RankBiseral = 14.0 / 15
		}
		check("rank-biserial", w.RankBiseral, func() (effect.Size, error) {
			return effect.MatchedRankBiserial(x, y)
		})
		if w.Magnitude.D != "" {
			require.Equal(t, w.Magnitude.D, effect.CohenMagnitude(d.Value).String())
			require.Equal(t, w.Magnitude.Cliff, effect.CliffMagnitude(cliff.Value).String())
		}
	})
	each(t, "effect_sizes", "effect_magnitude", func(t *testing.T, v vector) {
		var in struct{ Values []number }
		var w struct{ Labels []string }
		v.In(t, &in)
		v.Want(t, &w)
		for i, x := range in.Values {
			require.Equal(t, w.Labels[i], effect.CliffMagnitude(float64(x)).String())
		}
	})
}

// The edge cases, on which tools disagree.
func TestEffectSizeEdgeCases(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, v := range vectors.Read(t, "effect_sizes") {
		if !v.Edge {
			continue
		}
		seen++
		var in struct{ X, Y []number }
		var w struct {
			Recommended struct {
				D     number `json:"cohen_d_pooled"`
				Dz    number `json:"cohen_dz_paired"`
				Cliff number `json:"cliffs_delta"`
				A12   number
			}
		}
		v.In(t, &in)
		v.Want(t, &w)
		x, y := vectors.Floats(in.X), vectors.Floats(in.Y)
		d, err := effect.CohenD(x, y, 0.95)
		require.NoError(t, err)
		z, err := effect.CohenDz(differences(in.X, in.Y), 0.95)
		require.NoError(t, err)
		c, err := effect.CliffsDelta(x, y, 0.95)
		require.NoError(t, err)
		a, err := effect.A12(x, y, 0.95)
		require.NoError(t, err)
		r := w.Recommended
		want := vectors.Floats([]number{r.D, r.Dz, r.Cliff, r.A12})
		require.NoError(t, floatcmp.Slices([]float64{d.Value, z.Value, c.Value, a.Value}, want, 0, 0),
			v.ID)
	}
	require.Equal(t, 1, seen)
}

func TestMagnitudes(t *testing.T) {
	t.Parallel()
	for d, want := range map[float64]effect.Magnitude{
		0: effect.Negligible, 0.2: effect.Small,
		-0.5: effect.Medium, 0.79: effect.Medium, -0.8: effect.Large,
	} {
		require.Equal(t, want, effect.CohenMagnitude(d), d)
	}
	require.Equal(t, effect.Negligible, effect.CohenMagnitude(nan()))
	require.Equal(t, "Magnitude(7)", effect.Magnitude(7).String())
}

// An end of the interval is the effect under which the observed effect is at the edge of the
// expected range.
func TestCohenIntervalsInvertTheNoncentralT(t *testing.T) {
	t.Parallel()
	x := []float64{0.86, 0.82, 0.84, 0.88, 0.81, 0.85}
	y := []float64{0.83, 0.8, 0.84, 0.85}
	root := math.Sqrt(6 * 4 / 10.0)
	e, err := effect.CohenD(x, y, 0.9)
	require.NoError(t, err)
	require.True(t, e.Lo < e.Value && e.Value < e.Hi)
	require.True(t, floatcmp.Equal(dist.NoncentralTSF(root*e.Value, 8, root*e.Lo), 0.05, 0, 1e-10))
	require.True(t, floatcmp.Equal(dist.NoncentralTCDF(root*e.Value, 8, root*e.Hi), 0.05, 0, 1e-10))

	g, err := effect.HedgesG(x, y, 0.9)
	require.NoError(t, err)
	// J for 8 degrees of freedom: Γ(4)/(√4·Γ(3.5)).
	j := 6 / (2 * math.Gamma(3.5))
	require.NoError(t, floatcmp.Slices([]float64{g.Value, g.Lo, g.Hi}, []float64{
		j * e.Value, j * e.Lo,
		j * e.Hi,
	}, 0, 1e-12))

	z, err := effect.CohenDz(oneRun([]float64{1, 2, 4, 0, 3}), 0.95)
	require.NoError(t, err)
	require.True(t, floatcmp.Equal(dist.NoncentralTSF(math.Sqrt(5)*z.Value, 4, math.Sqrt(5)*z.Lo),
		0.025, 0, 1e-10))
	// The interval excludes 0 just if the t test rejects.
	r, err := stat.PairedTTest(oneRun([]float64{1, 2, 4, 0, 3}), stat.TwoSided)
	require.NoError(t, err)
	touching, err := effect.CohenDz(oneRun([]float64{1, 2, 4, 0, 3}), 1-r.P)
	require.NoError(t, err)
	require.InDelta(t, 0, touching.Lo, 1e-9)
}

func TestCohenIntervalsOfExtremeLevels(t *testing.T) {
	t.Parallel()
	d := oneRun([]float64{1, 2, 4, 0, 3})
	wide, err := effect.CohenDz(d, 1-0x1p-53)
	require.NoError(t, err)
	usual, err := effect.CohenDz(d, 0.999)
	require.NoError(t, err)
	narrow, err := effect.CohenDz(d, 1e-300)
	require.NoError(t, err)
	require.True(t, wide.Lo < usual.Lo && usual.Lo < narrow.Lo, "%v %v %v", wide, usual, narrow)
	require.True(t, narrow.Hi < usual.Hi && usual.Hi < wide.Hi, "%v %v %v", wide, usual, narrow)
	require.InDelta(t, narrow.Lo, narrow.Hi, 1e-12)
	swapped, err := effect.CohenDz(negated(d.X), 0.999)
	require.NoError(t, err)
	require.NoError(t, floatcmp.Slices([]float64{-swapped.Hi, -swapped.Lo},
		[]float64{usual.Lo, usual.Hi}, 0, 1e-13))
}

func TestEffectSizesWithoutVariance(t *testing.T) {
	t.Parallel()
	same := []float64{1, 1, 1}
	other := []float64{2, 2, 2}
	inf := math.Inf(1)
	for name, f := range map[string]func(x, y []float64) (effect.Size, error){
		"d":  func(x, y []float64) (effect.Size, error) { return effect.CohenD(x, y, 0.95) },
		"g":  func(x, y []float64) (effect.Size, error) { return effect.HedgesG(x, y, 0.95) },
		"ga": func(x, y []float64) (effect.Size, error) { return effect.HedgesGApprox(x, y, 0.95) },
		"av": effect.CohenDav,
		"z": func(x, y []float64) (effect.Size, error) {
			return effect.CohenDz(oneRun([]float64{x[0] - y[0], x[1] - y[1], x[2] - y[2]}), 0.95)
		},
	} {
		for _, c := range []struct {
			x, y []float64
			want float64
		}{{same, same, 0}, {same, other, -inf}, {other, same, inf}} {
			e, err := f(c.x, c.y)
			require.NoError(t, err)
			require.Equal(t, c.want, e.Value, name)
			require.True(t, math.IsNaN(e.Lo) && math.IsNaN(e.Hi), name)
		}
	}
	e, err := effect.CliffsDelta(same, same, 0.95)
	require.NoError(t, err)
	require.Zero(t, e.Value)
	e, err = effect.CliffsDelta(same, other, 0.95)
	require.NoError(t, err)
	require.Equal(t, effect.Size{Value: -1, Lo: -1, Hi: -1}, e)
	e, err = effect.CliffsDelta([]float64{1}, []float64{0, 1, 2, 3}, 0.95)
	require.NoError(t, err)
	require.Equal(t, -0.25, e.Value)
	require.True(t, math.IsNaN(e.Lo) && math.IsNaN(e.Hi))
	e, err = effect.A12(same, same, 0.95)
	require.NoError(t, err)
	require.Equal(t, 0.5, e.Value)
}

func TestEffectSizesRejectBadInput(t *testing.T) {
	t.Parallel()
	good := []float64{1, 2}
	pairwise := map[string]func(x, y []float64, level float64) (effect.Size, error){
		"d": effect.CohenD, "g": effect.HedgesG, "ga": effect.HedgesGApprox, "cliff": effect.CliffsDelta,
		"a12": effect.A12,
		"av":  func(x, y []float64, _ float64) (effect.Size, error) { return effect.CohenDav(x, y) },
	}
	for name, f := range pairwise {
		_, err := f(nil, good, 0.95)
		require.ErrorIs(t, err, stat.ErrSampleSize, name)
		_, err = f(good, []float64{1, math.Inf(-1)}, 0.95)
		require.ErrorIs(t, err, stat.ErrNotFinite, name)
		require.ErrorContains(t, err, "second sample's value 1 is -Inf", name)
		if name != "av" {
			_, err = f(good, good, 1)
			require.ErrorIs(t, err, stat.ErrDomain, name)
		}
	}
	_, err := effect.CohenD([]float64{1}, []float64{2}, 0.95)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = effect.HedgesG([]float64{1}, []float64{2, 3}, 0.95)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = effect.CohenDav([]float64{1}, good)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = effect.CohenDz(oneRun(good), nan())
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = effect.CohenDz(oneRun([]float64{1}), 0.9)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = effect.CohenD([]float64{1.7e308, 1.7e308}, good, 0.9)
	require.ErrorIs(t, err, stat.ErrNotFinite)
	_, err = effect.MatchedRankBiserial(nil, nil)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = effect.MatchedRankBiserial(good, []float64{1, 2, 3})
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = effect.MatchedRankBiserial(good, []float64{1, nan()})
	require.ErrorIs(t, err, stat.ErrNotFinite)
	_, err = effect.MatchedRankBiserial([]float64{1, 1e308}, []float64{1, -1e308})
	require.ErrorContains(t, err, "difference 1")
}

// cliffNaively goes through all pairs, with the formulas of Cliff (1993) as
// printed.
func cliffNaively(x, y []float64, level float64) effect.Size {
	m, n := float64(len(x)), float64(len(y))
	d := make([][]float64, len(x))
	rows, columns := make([]float64, len(x)), make([]float64, len(y))
	var delta float64
	for i := range x {
		d[i] = make([]float64, len(y))
		for j := range y {
			switch {
			case x[i] > y[j]:
				d[i][j] = 1
			case x[i] < y[j]:
				d[i][j] = -1
			}
			rows[i] += d[i][j] / n
			columns[j] += d[i][j] / m
			delta += d[i][j] / (m * n)
		}
	}
	var v float64
	for i := range x {
		v += n * n * (rows[i] - delta) * (rows[i] - delta)
	}
	for j := range y {
		v += m * m * (columns[j] - delta) * (columns[j] - delta)
	}
	for i := range x {
		for j := range y {
			v -= (d[i][j] - delta) * (d[i][j] - delta)
		}
	}
	v /= m * n * (m - 1) * (n - 1)
	v = max(v, (1-delta*delta)/(m*n-1))
	z := dist.NormalInvSF((1 - level) / 2)
	half := z * math.Sqrt(v) * math.Sqrt(math.Pow(1-delta*delta, 2)+z*z*v)
	scale := 1 - delta*delta + z*z*v
	return effect.Size{
		Value: delta, Lo: (delta - math.Pow(delta, 3) - half) / scale,
		Hi: (delta - math.Pow(delta, 3) + half) / scale,
	}
}

func TestCliffsDeltaIsBruteForce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.SliceOfN(rapid.Float64Range(0, 1).Filter(func(x float64) bool { return x > 0 }),
			2, 12)
		x, y := sample.Draw(t, "x"), sample.Draw(t, "y")
		for i := range x {
			x[i] = math.Round(8 * x[i])
		}
		for i := range y {
			y[i] = math.Round(8 * y[i])
		}
		got, err := effect.CliffsDelta(x, y, 0.95)
		require.NoError(t, err)
		want := cliffNaively(x, y, 0.95)
		if math.Abs(want.Value) > 1-1e-12 {
			want.Lo, want.Hi = want.Value, want.Value
		}
		require.NoError(t, floatcmp.Slices([]float64{got.Value, got.Lo, got.Hi},
			[]float64{want.Value, want.Lo, want.Hi}, 1e-12, 0))
		require.True(t, got.Lo >= -1 && got.Hi <= 1 && got.Lo <= got.Value && got.Value <= got.Hi)

		swapped, err := effect.CliffsDelta(y, x, 0.95)
		require.NoError(t, err)
		require.NoError(t, floatcmp.Slices([]float64{-swapped.Value, -swapped.Hi, -swapped.Lo},
			[]float64{got.Value, got.Lo, got.Hi}, 1e-12, 0))
		a, err := effect.A12(x, y, 0.95)
		require.NoError(t, err)
		require.InDelta(t, (got.Value+1)/2, a.Value, 1e-15)
		require.InDelta(t, (got.Lo+1)/2, a.Lo, 1e-15)
	})
}

func TestMatchedRankBiserial(t *testing.T) {
	t.Parallel()
	zero := make([]float64, 10)
	for name, c := range map[string]struct {
		a, b []float64
		want float64
	}{
		"all zero":                {[]float64{0, 7}, []float64{0, 7}, 0},
		"all positive":            {[]float64{1, 2, 5}, zero[:3], 1},
		"ranks 1 and 2 against 3": {[]float64{1, 2, -3}, zero[:3], 0},
		"zeros dropped":           {[]float64{0, -1, 0, -2}, zero[:4], -1},
		"ties share their rank":   {[]float64{1, -1, 2}, zero[:3], 3 / 6.0}, // ranks 1.5, −1.5 and 3
		"ties of decimals":        {[]float64{0.9, 0.3, 0.4}, []float64{0.8, 0.4, 0.2}, 3 / 6.0},
		"zeros of decimals":       {[]float64{0.3, 0.1}, []float64{minus(0.1, -0.2), 0.2}, -1},
		"a diverged score":        {[]float64{0.9, 0.3, 0.4, 1e8}, []float64{0.8, 0.4, 0.2, 0}, 7 / 10.0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := effect.MatchedRankBiserial(c.a, c.b)
			require.NoError(t, err)
			if !floatcmp.Equal(e.Value, c.want, 1e-15, 0) {
				t.Errorf("got %v, want %v", e.Value, c.want)
			}
			require.True(t, math.IsNaN(e.Lo) && math.IsNaN(e.Hi))
		})
	}
}

func TestCliffsDeltaTiesWhatTies(t *testing.T) {
	t.Parallel()
	// 0.3 and 0.1+0.2, and 1e8 beside them, which widens nothing.
	x, y := []float64{0.3, 1e8}, []float64{minus(0.1, -0.2), 0.29, 1e8 + 0.05}
	e, err := effect.CliffsDelta(x, y, 0.95)
	require.NoError(t, err)
	require.Equal(t, (1.0-1+2)/6, e.Value)
	e, err = effect.CliffsDelta(y, x, 0.95)
	require.NoError(t, err)
	require.Equal(t, -(1.0-1+2)/6, e.Value)
}

func TestTied(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b float64
		want bool
	}{
		{0.3, minus(0.1, -0.2), true},
		{1e8, 1e8 + 0.09, true},
		{1e8, 1e8 + 0.11, false},
		{0, 1e-300, false},
		{0, 0, true},
		{-1, 1, false},
		{1e308, -1e308, false},
		{nan(), nan(), false},
	} {
		require.Equal(t, c.want, stat.Tied(c.a, c.b), "%v", c)
		require.Equal(t, c.want, stat.Tied(c.b, c.a), "%v", c)
	}
}

// From 4e5 on, the quadrature missed the noncentrality, and the bounds were wrong. Far out an
// interval is the interval of 1/S: the observed value times the root of χ²/df at its
// quantiles.
func TestCohenDzOfHugeEffects(t *testing.T) {
	t.Parallel()
	chi, err := stat.ChiSquared(9)
	require.NoError(t, err)
	low, err := chi.Quantile(0.975)
	require.NoError(t, err)
	high, err := chi.Quantile(0.025)
	require.NoError(t, err)
	for _, size := range []float64{1e3, 1.3e5, 4e5, 1e8, 1e11} {
		x := make([]float64, 10)
		for i := range x {
			x[i] = size + float64(2*(i%2)-1)
		}
		e, err := effect.CohenDz(oneRun(x), 0.95)
		require.NoError(t, err)
		want := []float64{e.Value * math.Sqrt(low/9), e.Value * math.Sqrt(high/9)}
		require.NoError(t, floatcmp.Slices([]float64{e.Lo, e.Hi}, want, 0, 1e-6/min(1e4, size/1e3)), size)
	}
}

func TestEffectSizeProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.SliceOfN(rapid.Float64Range(0, 1), 3, 10)
		x, y := sample.Draw(t, "x"), sample.Draw(t, "y")
		for _, f := range []func(x, y []float64, level float64) (effect.Size, error){
			effect.CohenD,
			effect.HedgesG,
		} {
			e, err := f(x, y, 0.9)
			require.NoError(t, err)
			swapped, err := f(y, x, 0.9)
			require.NoError(t, err)
			if math.IsInf(e.Value, 0) || math.Abs(e.Value) > 1e3 {
				return // hardly any variance: round-off decides
			}
			require.NoError(t, floatcmp.Slices([]float64{-swapped.Value, -swapped.Hi, -swapped.Lo},
				[]float64{e.Value, e.Lo, e.Hi}, 1e-9, 1e-9))
			if !math.IsNaN(e.Lo) {
				require.True(t, e.Lo < e.Hi, "%+v", e)
			}
			scaled, err := f(times(x, 1024), times(y, 1024), 0.9)
			require.NoError(t, err)
			require.NoError(t, floatcmp.Slices([]float64{scaled.Value, scaled.Lo, scaled.Hi},
				[]float64{e.Value, e.Lo, e.Hi}, 1e-12, 1e-12))
		}
	})
}

func times(x []float64, by float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = by * x[i]
	}
	return y
}

func TestNoFunctionChangesItsInput(t *testing.T) {
	t.Parallel()
	fresh := func() (x, y []float64) {
		return []float64{0.5, -0.25, 3, 0.125, -2, 1}, []float64{4, 0.5, -1, 2, 0.25, -3}
	}
	x, y := fresh()
	d := oneRun(x)
	for name, call := range map[string]func() error{
		"CohenD":              func() error { _, err := effect.CohenD(x, y, 0.9); return err },
		"HedgesG":             func() error { _, err := effect.HedgesG(x, y, 0.9); return err },
		"HedgesGApprox":       func() error { _, err := effect.HedgesGApprox(x, y, 0.9); return err },
		"CohenDz":             func() error { _, err := effect.CohenDz(d, 0.9); return err },
		"CohenDav":            func() error { _, err := effect.CohenDav(x, y); return err },
		"CliffsDelta":         func() error { _, err := effect.CliffsDelta(x, y, 0.9); return err },
		"A12":                 func() error { _, err := effect.A12(x, y, 0.9); return err },
		"MatchedRankBiserial": func() error { _, err := effect.MatchedRankBiserial(x, y); return err },
	} {
		require.NoError(t, call(), name)
		wantX, wantY := fresh()
		require.Equal(t, wantX, x, name)
		require.Equal(t, wantY, y, name)
	}
}
