package across

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

func TestBayesSignAgreesWithReference(t *testing.T) {
	t.Parallel()
	for _, r := range references(t, "bayes_sign.json", "bayes_sign/") {
		in := decode[struct {
			Left     int     `json:"n_left"`
			Rope     int     `json:"n_rope"`
			Right    int     `json:"n_right"`
			Strength float64 `json:"prior_strength"`
			Place    string  `json:"prior_place"`
		}](t, r.Input)
		want := decode[struct {
			Alpha []float64
			Left  float64   `json:"p_left"`
			Rope  float64   `json:"p_rope"`
			Right float64   `json:"p_right"`
			Mean  []float64 `json:"mean_theta"`
			Left0 float64   `json:"rope0_p_left"`
			Rite0 float64   `json:"rope0_p_right"`
		}](t, r.Expected)
		place, ok := map[string]Region{"rope": Rope, "left": Worse, "right": Better}[in.Place]
		require.True(t, ok, in.Place)
		got, err := bayesSignCounts(in.Left, in.Rope, in.Right,
			BayesSignOptions{Prior: in.Strength, NoPrior: in.Strength == 0, Place: place})
		require.NoError(t, err)
		r.closeAll(t, want.Alpha, slice(got.Alpha), "alpha")
		r.closeAll(t, []float64{want.Left, want.Rope, want.Right}, slice(got.P), "P")
		r.closeAll(t, want.Mean, slice(got.Mean), "mean")
		worse, better := withoutRope(got.P)
		r.closeAll(t, []float64{want.Left0, want.Rite0}, []float64{worse, better}, "without rope")
	}
}

func TestBayesSignCountsAgreeWithReference(t *testing.T) {
	t.Parallel()
	for _, r := range references(t, "bayes_sign.json", "bayes_sign_counts/") {
		in := decode[struct {
			D    []float64 `json:"d_y_minus_x"`
			Rope float64
		}](t, r.Input)
		want := decode[struct {
			Left  float64 `json:"n_left"`
			Rope  float64 `json:"n_rope"`
			Right float64 `json:"n_right"`
		}](t, r.Expected)
		got, err := BayesSign(in.D, zeros(len(in.D)), BayesSignOptions{Rope: in.Rope})
		require.NoError(t, err)
		require.Equal(t, Regions{want.Left, want.Rope, want.Right}, got.Counts)
		// The same differences of scores that are not round.
		a, b := zeros(len(in.D)), zeros(len(in.D))
		for i, d := range in.D {
			b[i] = 0.7
			a[i] = b[i] + d
		}
		got, err = BayesSign(a, b, BayesSignOptions{Rope: in.Rope})
		require.NoError(t, err)
		require.Equal(t, Regions{want.Left, want.Rope, want.Right}, got.Counts)
	}
}

func TestBayesSignedRankAgreesWithReference(t *testing.T) {
	t.Parallel()
	for k, r := range references(t, "bayes_signed_rank.json", "bayes_signed_rank/") {
		switch r.ID { // two comparisons of the 54 data sets are enough where slow tests are not asked for
		case "bayes_signed_rank/benavoli_C3_C7/rope0/prior0.5", "bayes_signed_rank/benavoli_C1_C2/rope0/prior0.5",
			"bayes_signed_rank/benavoli_C1_C2/rope0.01/prior0.5":
			if !citest.Has(citest.Slow) {
				continue
			}
		}
		in := decode[struct {
			X, Y     []number
			Rope     float64
			Strength float64 `json:"prior_strength"`
		}](t, r.Input)
		run := func() (BayesSignedRankResult, error) {
			return BayesSignedRank(numbers(in.Y), numbers(in.X),
				BayesSignedRankOptions{Rope: in.Rope, Prior: in.Strength, Seed: uint64(k), NoTolerance: true})
		}
		if r.Edge {
			got, err := run()
			if math.IsNaN(float64(in.X[0])) {
				require.ErrorIs(t, err, stat.ErrNotFinite)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, Regions{0.5, 0, 0.5}, got.P)
			require.ErrorIs(t, got.Warnings[0], ErrNoDifference)
			continue
		}
		want := decode[struct {
			Mean  []float64 `json:"mean_theta"`
			Left  float64   `json:"p_left"`
			Rope  float64   `json:"p_rope"`
			Right float64   `json:"p_right"`
		}](t, r.Expected)
		got, err := run()
		require.NoError(t, err)
		require.Equal(t, 50_000, got.Samples)
		require.NoError(t, floatcmp.Slices(slice(got.Mean), want.Mean, r.Tolerance.MeanAbs, 0), r.ID)
		r.closeAll(t, []float64{want.Left, want.Rope, want.Right}, slice(got.P), "P")
		// The Monte Carlo error is what the reference allows for, less its own.
		for i, se := range slice(got.SE) {
			require.Greater(t, se, 0.0)
			require.LessOrEqual(t, math.Abs(slice(got.P)[i]-[]float64{want.Left, want.Rope, want.Right}[i]),
				4*se+4e-3, r.ID)
		}
		if len(in.X) > 10 && !citest.Has(citest.Slow) {
			continue
		}
		again, err := run()
		require.NoError(t, err)
		require.Equal(t, got, again)
	}
}

func TestBayesSignedRankTakesDecimalsAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	// Exact posterior means of the decimal scores, from rational arithmetic; at
	// face value, rounding puts sums that are on the boundary on either side.
	for id, want := range map[string]Regions{
		"benavoli_C2_C4/rope0.01/prior0.5": {
			0.6307959335482155, 0.25911232333250456,
			0.11009174311926652,
		},
		"benavoli_C1_C2/rope0.01/prior0.5": {
			0.25059922307628457, 0.24258203157285496,
			0.5068187453508651,
		},
		"demsar_like/rope0.02/prior0.5": {0, 0.6840934371523891, 0.3159065628476082},
		"demsar_like/rope0.02/prior0.6": {0, 0.6865121180189654, 0.3134878819810327},
		"n3/rope0.01/prior0.5":          {0.06349206349206349, 0.5873015873015872, 0.3492063492063492},
	} {
		r := references(t, "bayes_signed_rank.json", "bayes_signed_rank/"+id)[0]
		in := decode[struct {
			X, Y     []float64
			Rope     float64
			Strength float64 `json:"prior_strength"`
		}](t, r.Input)
		opt := BayesSignedRankOptions{Rope: in.Rope, Prior: in.Strength, Samples: 1}
		got, err := BayesSignedRank(in.Y, in.X, opt)
		require.NoError(t, err)
		require.NoError(t, floatcmp.Slices(slice(got.Mean), slice(want), 1e-12, 0), id)
		opt.NoTolerance = true
		raw, err := BayesSignedRank(in.Y, in.X, opt)
		require.NoError(t, err)
		require.Error(t, floatcmp.Slices(slice(raw.Mean), slice(want), 1e-6, 0), id)
	}
}

func slice(r Regions) []float64 { return []float64{r.Worse, r.Rope, r.Better} }

func TestDirichletArgmaxOfTwoComponentsIsABetaTail(t *testing.T) {
	t.Parallel()
	// With a third component of next to nothing, P(first > second) is a binomial tail:
	// I_{1/2}(b, a) for whole a and b.
	for _, c := range [][2]int{{1, 1}, {2, 1}, {5, 3}, {20, 35}, {200, 180}, {1500, 1400}} {
		a, b := c[0], c[1]
		got := dirichletArgmax([3]float64{float64(a), float64(b), 1e-9})
		want := fairTail(a+b-1, b)
		require.True(t, floatcmp.Equal(got[0], want, 1e-8, 1e-8), "%d %d: %v, want %v", a, b, got[0],
			want)
	}
}

func TestDirichletArgmaxOfThreeAgreesWithDraws(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	for _, alpha := range [][3]float64{
		{1, 1, 1},
		{3.0001, 6.0001, 4.0001},
		{0.4, 2, 0.7},
		{40, 41, 30},
	} {
		const trials = 100_000
		var won [3]float64
		g := [3]gammaSource{newGamma(alpha[0]), newGamma(alpha[1]), newGamma(alpha[2])}
		for range trials {
			x := [3]float64{g[0].draw(rng), g[1].draw(rng), g[2].draw(rng)}
			switch {
			case x[0] > x[1] && x[0] > x[2]:
				won[0]++
			case x[1] > x[2]:
				won[1]++
			default:
				won[2]++
			}
		}
		got := dirichletArgmax(alpha)
		for k := range got {
			require.True(t, floatcmp.Equal(won[k]/trials, got[k], 0.0064, 0), "%v: drew %v, computed %v",
				alpha, won[k]/trials, got[k])
		}
	}
	require.True(t, floatcmp.Equal(dirichletArgmax([3]float64{1, 1, 1})[0], 1.0/3, 0, 1e-13))
}

func TestBayesSignProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := genPair(t, 1, 40)
		opt := BayesSignOptions{Rope: rapid.SampledFrom([]float64{0, 0.125, 0.3, 1}).Draw(t, "rope")}
		one, err := BayesSign(a, b, opt)
		require.NoError(t, err)
		other, err := BayesSign(b, a, opt)
		require.NoError(t, err)
		for _, p := range slice(one.P) {
			requireProbability(t, p)
		}
		require.True(t, floatcmp.Equal(one.P.Worse+one.P.Rope+one.P.Better, 1, 1e-14, 0))
		mirrored := []float64{other.P.Better, other.P.Rope, other.P.Worse}
		require.NoError(t, floatcmp.Slices(slice(one.P), mirrored, 1e-300, 1e-11))
		// A further win makes better more probable.
		counts := one.Counts
		more, err := bayesSignCounts(int(counts.Worse), int(counts.Rope), int(counts.Better)+1, opt)
		require.NoError(t, err)
		require.Greater(t, more.P.Better, one.P.Better*(1-1e-12))
	})
}

func TestBayesSignedRankMeanAgreesWithAllPairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := genPair(t, 1, 12)
		opt := BayesSignedRankOptions{
			Rope:    rapid.SampledFrom([]float64{0, 0.125, 0.3, 1}).Draw(t, "rope"),
			Prior:   rapid.SampledFrom([]float64{0.5, 1, 2.25}).Draw(t, "prior"),
			Samples: 200, Seed: rapid.Uint64().Draw(t, "seed"),
		}
		got, err := BayesSignedRank(a, b, opt)
		require.NoError(t, err)
		z, alpha := []float64{0}, []float64{opt.Prior}
		sum := opt.Prior
		for i := range a {
			z, alpha = append(z, a[i]-b[i]), append(alpha, 1)
			sum++
		}
		var want Regions
		for i := range z {
			for j := range z {
				w := alpha[i] * alpha[j]
				if i == j {
					w = alpha[i] * (alpha[i] + 1)
				}
				w /= sum * (sum + 1)
				s := z[i] + z[j]
				upper := 0.5 * (indicator(s > 2*opt.Rope) + indicator(s >= 2*opt.Rope))
				lower := 0.5 * (indicator(s < -2*opt.Rope) + indicator(s <= -2*opt.Rope))
				want.Better += w * upper
				want.Worse += w * lower
				want.Rope += w * (1 - upper - lower)
			}
		}
		require.NoError(t, floatcmp.Slices(slice(got.Mean), slice(want), 1e-13, 1e-13))
		require.True(t, floatcmp.Equal(got.P.Worse+got.P.Rope+got.P.Better, 1, 1e-12, 0))
		for _, p := range slice(got.P) {
			requireProbability(t, p)
		}
		if opt.Rope == 0 {
			require.Equal(t, []float64{0, 0}, []float64{got.P.Rope, got.Mean.Rope})
		}
	})
}

func TestBayesSignedRankMirrorsWithinItsMonteCarloError(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 9))
	for seed := range uint64(20) {
		a, b := zeros(15), zeros(15)
		for i := range a {
			a[i], b[i] = rng.NormFloat64()+0.2, rng.NormFloat64()
		}
		one, err := BayesSignedRank(a, b, BayesSignedRankOptions{Rope: 0.1, Samples: 4000, Seed: seed})
		require.NoError(t, err)
		other, err := BayesSignedRank(b, a, BayesSignedRankOptions{
			Rope: 0.1, Samples: 4000,
			Seed: seed + 100,
		})
		require.NoError(t, err)
		mirrored := []float64{other.P.Better, other.P.Rope, other.P.Worse}
		for k, se := range slice(one.SE) { // five standard errors of the difference
			require.True(t, floatcmp.Equal(slice(one.P)[k], mirrored[k], 5*math.Sqrt2*se, 0),
				"seed %d: %v and %v", seed, one.P, mirrored)
		}
	}
}

func TestGammaDrawsHaveTheirMoments(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 3))
	for _, shape := range []float64{0.1, 0.5, 1, 3.5} {
		const n = 100_000
		g := newGamma(shape)
		var sum, squares float64
		for range n {
			x := g.draw(rng)
			if !(x >= 0) {
				require.GreaterOrEqual(t, x, 0.0)
			}
			sum += x
			squares += x * x
		}
		mean := sum / n
		variance := squares/n - mean*mean
		require.True(t, floatcmp.Equal(mean, shape, 5*math.Sqrt(shape/n), 0), "shape %v: mean %v", shape,
			mean)
		// The variance of the squared deviation is 2σ⁴ + 6σ² with σ² = shape.
		require.True(t, floatcmp.Equal(variance, shape, 5*math.Sqrt((2*shape*shape+6*shape)/n), 0),
			"shape %v: variance %v", shape, variance)
	}
}

func TestBayesErrors(t *testing.T) {
	t.Parallel()
	one := []float64{1}
	for name, opt := range map[string]BayesSignOptions{
		"negative rope": {Rope: -1}, "NaN rope": {Rope: math.NaN()}, "infinite rope": {Rope: math.Inf(1)},
		"negative prior": {Prior: -1}, "NaN prior": {Prior: math.NaN()},
		"infinite prior": {Prior: math.Inf(1)},
		"place":          {Place: 3}, "prior and none": {Prior: 1, NoPrior: true},
		"place and none": {Place: Better, NoPrior: true},
	} {
		_, err := BayesSign(one, one, opt)
		require.ErrorIs(t, err, stat.ErrDomain, name)
		if opt.Place != Rope || opt.NoPrior {
			continue
		}
		_, err = BayesSignedRank(one, one, BayesSignedRankOptions{Rope: opt.Rope, Prior: opt.Prior})
		require.ErrorIs(t, err, stat.ErrDomain, name)
	}
	_, err := BayesSignedRank(one, one, BayesSignedRankOptions{Samples: -1})
	require.ErrorIs(t, err, stat.ErrDomain)
	for _, f := range []func(a, b []float64) error{
		func(a, b []float64) error { _, err := BayesSign(a, b, BayesSignOptions{}); return err },
		func(a, b []float64) error {
			_, err := BayesSignedRank(a, b,
				BayesSignedRankOptions{})
			return err
		},
	} {
		require.ErrorIs(t, f(nil, nil), stat.ErrSampleSize)
		require.ErrorIs(t, f(one, []float64{1, 2}), stat.ErrSampleSize)
		require.ErrorIs(t, f(one, []float64{math.NaN()}), stat.ErrNotFinite)
	}
	_, err = bayesSignCounts(0, 0, 0, BayesSignOptions{})
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = bayesSignCounts(-1, 2, 0, BayesSignOptions{})
	require.ErrorIs(t, err, stat.ErrSampleSize)
	tied, err := BayesSign(one, one, BayesSignOptions{})
	require.NoError(t, err)
	require.ErrorIs(t, tied.Warnings[0], ErrNoDifference)
}

// withoutRope returns the shares of worse and better outside of the rope, as other software
// reports where the rope is empty.
func withoutRope(r Regions) (worse, better float64) {
	sum := r.Worse + r.Better
	if sum == 0 {
		return 0.5, 0.5
	}
	return r.Worse / sum, r.Better / sum
}
