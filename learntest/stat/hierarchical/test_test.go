package hierarchical

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
)

func must(t *testing.T, samples []Sample, opt Options) Result {
	t.Helper()
	r, err := Test(samples, opt)
	require.NoError(t, err)
	return r
}

// mapped returns samples whose differences are mapped.
func mapped(samples []Sample, f func(float64) float64) []Sample {
	all := make([]Sample, len(samples))
	for i, s := range samples {
		all[i] = s
		all[i].X = nil
		for _, x := range s.X {
			all[i].X = append(all[i].X, f(x))
		}
	}
	return all
}

func near(t *testing.T, want, got, se across.Regions) {
	t.Helper()
	require.InDelta(t, want.Worse, got.Worse, 6*se.Worse+1e-3)
	require.InDelta(t, want.Rope, got.Rope, 6*se.Rope+1e-3)
	require.InDelta(t, want.Better, got.Better, 6*se.Better+1e-3)
}

func TestSymmetries(t *testing.T) {
	t.Parallel()
	samples := simulated(7, 0.005)
	opt := Options{Rope: 0.01, Seed: 3, draws: sized(2500, firstDraws)}
	r := must(t, samples, opt)
	require.Greater(t, r.P.Better, 0.01)
	require.Greater(t, r.P.Rope, 0.01)
	require.InDelta(t, 1, r.P.Worse+r.P.Rope+r.P.Better, 1e-12)
	require.InDelta(t, 1, r.Theta.Worse+r.Theta.Rope+r.Theta.Better, 1e-12)
	require.True(t, r.Lo < r.Mean && r.Mean < r.Hi)

	mirrored := must(t, mapped(samples, func(x float64) float64 { return -x }), opt)
	near(t, r.P, across.Regions{
		Worse: mirrored.P.Better, Rope: mirrored.P.Rope,
		Better: mirrored.P.Worse,
	}, r.SE)
	require.InDelta(t, r.Mean, -mirrored.Mean, 0.0005)
	require.InDelta(t, r.Sets[2].Mean, -mirrored.Sets[2].Mean, 0.0005)

	permuted := slices.Clone(samples)
	slices.Reverse(permuted)
	other := must(t, permuted, opt)
	near(t, r.P, other.P, r.SE)
	slices.Reverse(other.Sets)
	for i, s := range r.Sets {
		require.InDelta(t, s.Mean, other.Sets[i].Mean, 0.0005)
	}

	scaled := must(t, mapped(samples, func(x float64) float64 { return 64 * x }),
		Options{Rope: 0.64, Seed: 3, draws: opt.draws})
	require.Equal(t, r.P, scaled.P)
	require.Equal(t, r.Theta, scaled.Theta)
	require.Equal(t, 64*r.Mean, scaled.Mean)
	require.Equal(t, 64*r.Sets[0].Mean, scaled.Sets[0].Mean)
}

// Estimates of single data sets move towards the others, the more the less their folds tell.
func TestShrinkage(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	samples := simulated(12, 0)
	for i := range samples {
		for k := range samples[i].X {
			samples[i].X[k] = 0.01*float64(i%3) + 0.01*r.NormFloat64()
		}
	}
	for k := range samples[0].X {
		samples[0].X[k] = 0.05 + 0.1*r.NormFloat64()
		samples[1].X[k] = 0.05 + 0.001*r.NormFloat64()
	}
	got := must(t, samples, Options{Rope: 0.01})
	require.Less(t, got.Sets[0].Mean, 0.03)
	require.InDelta(t, 0.05, got.Sets[1].Mean, 0.002)
	require.Greater(t, got.Sets[1].P.Better, 0.99)
	require.Less(t, got.Sets[0].P.Better, 0.9)
	for _, s := range got.Sets {
		require.InDelta(t, 1, s.P.Worse+s.P.Rope+s.P.Better, 1e-12)
	}
}

// The draws are the same bits for any number of processors, and others for another seed.
func TestProcessors(t *testing.T) {
	samples := simulated(6, 0.01)
	before := runtime.GOMAXPROCS(1)
	one := must(t, samples, Options{Rope: 0.01, Seed: 1, draws: 1000})
	runtime.GOMAXPROCS(4)
	four := must(t, samples, Options{Rope: 0.01, Seed: 1, draws: 1000})
	other := must(t, samples, Options{Rope: 0.01, Seed: 2, draws: 1000})
	runtime.GOMAXPROCS(before)
	require.Equal(t, one, four)
	require.NotEqual(t, one.Theta, other.Theta)
}

func TestEdges(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	x := []float64{0.01, 0.02, -0.01, 0.03}
	for name, c := range map[string]struct {
		samples []Sample
		rope    float64
		is      error
		says    string
	}{
		"no data set": {nil, 0.01, stat.ErrSampleSize, "0 data set"},
		"one data set": {
			samplesOf(x), 0.01, stat.ErrSampleSize,
			"1 data set: one says nothing of others",
		},
		"two differences": {
			samplesOf(x, x[:2]), 0.01, stat.ErrSampleSize,
			"data set 2: wrong sample size: 2 differences",
		},
		"NaN": {
			samplesOf(x, []float64{1, nan, 0}), 0.01, stat.ErrNotFinite,
			"data set 2: not finite: X[1]",
		},
		"infinite": {
			samplesOf([]float64{1, 0, inf}, x), 0.01, stat.ErrNotFinite,
			"data set 1: not finite: X[2]",
		},
		"negative rope":     {samplesOf(x, x), -0.01, stat.ErrDomain, "rope -0.01"},
		"rope is no number": {samplesOf(x, x), nan, stat.ErrDomain, "rope NaN"},
		"rope is infinite":  {samplesOf(x, x), inf, stat.ErrDomain, "rope +Inf"},
		"all zero and no rope": {
			samplesOf(make([]float64, 4), make([]float64, 5)), 0,
			stat.ErrZeroVariance, "all differences are zero",
		},
		"equal and no rope": {
			samplesOf(x, []float64{1, 1, 1}), 0, stat.ErrZeroVariance,
			"data set 2: all differences are equal",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Test(c.samples, Options{Rope: c.rope})
			require.ErrorIs(t, err, c.is)
			require.ErrorContains(t, err, c.says)
		})
	}
	for _, ratio := range []float64{nan, inf, -1} {
		samples := samplesOf(x, x)
		samples[1].Ratio = ratio
		_, err := Test(samples, Options{Rope: 0.01})
		require.ErrorIs(t, err, stat.ErrDomain)
		require.ErrorContains(t, err, "data set 2")
	}
	resampled := samplesOf(x, x)
	resampled[0].Runs, resampled[0].Folds = 4, 1 // one fold a run says nothing of the ratio
	_, err := Test(resampled, Options{Rope: 0.01})
	require.ErrorIs(t, err, stat.ErrDomain)
}

func TestRopeOfAnotherUnitIsRefused(t *testing.T) {
	t.Parallel()
	percent := samplesOf([]float64{1, 2, 0}, []float64{3, 1, 1})
	for i := range percent {
		percent[i].Scale = 87
	}
	_, err := Test(percent, Options{Rope: 0.01})
	require.ErrorIs(t, err, stat.ErrDomain)
	require.ErrorContains(t, err, "rope 0.01 is next to nothing beside scores of 87: give it in their unit")
	must(t, percent, Options{Rope: 1, draws: 1000})
	must(t, percent, Options{draws: 1000})
}

func TestAllZero(t *testing.T) {
	t.Parallel()
	r := must(t, samplesOf(make([]float64, 4), make([]float64, 5), make([]float64, 3)),
		Options{Rope: 0.01})
	require.Equal(t, across.Regions{Rope: 1}, r.P)
	require.Equal(t, across.Regions{Rope: 1}, r.Theta)
	require.Len(t, r.Sets, 3)
	require.Equal(t, across.Regions{Rope: 1}, r.Sets[2].P)
	require.Equal(t, 3, r.Constant)
	require.ErrorContains(t, r.Warnings[0], "all differences are equal on 3 of 3 data sets")
}

// Equal differences vary as if uniform in the rope, whatever the round-off, and keep their mean.
func TestConstantDifferences(t *testing.T) {
	t.Parallel()
	samples := samplesOf([]float64{0.05, 0.05 + 1e-17, 0.05, 0.05}, []float64{0.01, 0.02, -0.01, 0.03},
		[]float64{0, 0.03, 0.01, 0})
	for i := range samples {
		samples[i].Scale = 1
		samples[i].Tested = 30
	}
	m, p, err := newModel(samples, &Options{Rope: 0.02})
	require.NoError(t, err)
	require.Equal(t, 1, p.constant)
	require.InEpsilon(t, 4*0.02*0.02/3, m.Sets[0].Squares*p.unit*p.unit, 1e-12)
	require.InEpsilon(t, 0.05, m.Sets[0].Mean*p.unit, 1e-12)
	m, p, err = newModel(samples, &Options{})
	require.NoError(t, err)
	require.InEpsilon(t, 4/(3*30*30.), m.Sets[0].Squares*p.unit*p.unit, 1e-12)
	require.Equal(t, 1000., m.MaxSD)
	require.InEpsilon(t, 0.05/p.unit, m.MaxMean, 1e-12)
	_, v := meanVariance([]float64{0.05, 0.0125, 0.01})
	require.InEpsilon(t, 1000*math.Sqrt(v*2/3)/p.unit, m.MaxSpread, 1e-9)
	sum := 0.0
	for _, s := range m.Sets {
		sum += math.Sqrt(s.Squares / float64(s.N))
	}
	require.InEpsilon(t, 3, sum, 1e-12, "the unit is the mean standard deviation")
	r := must(t, samples, Options{Rope: 0.02, draws: 1000})
	require.Equal(t, 1, r.Constant)
	require.ErrorContains(t, r.Warnings[0], "1 of 3 data sets")
	require.Greater(t, r.Sets[0].P.Better, 0.8)

	alike := samplesOf([]float64{0.03, 0.03, 0.03}, []float64{0.03, 0.03, 0.03},
		[]float64{0.03, 0.03, 0.03})
	r = must(t, alike, Options{Rope: 0.01, draws: 1000})
	require.Greater(t, r.P.Better, 0.8)
}

func TestTwoDataSetsAreAWarning(t *testing.T) {
	t.Parallel()
	r := must(t, simulated(2, 0.1), Options{Rope: 0.01, draws: 1000})
	require.ErrorIs(t, r.Warnings[0], errTwoSets)
	require.Empty(t, must(t, simulated(3, 0.1), Options{Rope: 0.01, draws: 1000}).Warnings)
	require.Less(t, r.P.Better, 0.95)
}

func TestChainsThatDoNotMixAreAnError(t *testing.T) {
	t.Parallel()
	_, err := Test(simulated(3, 0.1), Options{Rope: 0.01, draws: 8})
	require.ErrorIs(t, err, ErrNotConverged)
	require.ErrorContains(t, err, "after 512 draws")
	r := must(t, simulated(8, 0.1), Options{Rope: 0.01, draws: 100})
	require.Greater(t, r.Draws, 400, "twice the draws help")
	require.Zero(t, r.Draws%400)
	require.GreaterOrEqual(t, r.ESS, 400.)
}

func TestNoFunctionModifiesItsInput(t *testing.T) {
	t.Parallel()
	samples := simulated(3, 0.1)
	before, err := json.Marshal(samples)
	require.NoError(t, err)
	must(t, samples, Options{Rope: 0.01, draws: 1000})
	m := Model{
		Sets: []Moments{{3, 0.1, 1, 2}, {4, 0.1, 2, 3}}, MaxSD: 10, MaxSpread: 10, MaxMean: 10,
		Nu: Default,
	}
	model, err := json.Marshal(m)
	require.NoError(t, err)
	m.Draw(1, 2, 3, 4)
	after, err := json.Marshal(samples)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	after, err = json.Marshal(m)
	require.NoError(t, err)
	require.Equal(t, string(model), string(after))
}
