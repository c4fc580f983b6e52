package itemwise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

// means returns the differences of the items' means.
func means(candidate, baseline [][]float64) (d []float64) {
	mean := func(x []float64) (m float64) {
		for _, v := range x {
			m += v / float64(len(x))
		}
		return m
	}
	for i := range candidate {
		d = append(d, mean(candidate[i])-mean(baseline[i]))
	}
	return d
}

func TestNoiseReference(t *testing.T) {
	t.Parallel()
	unknown := 0
	for _, v := range vectors.Read(t, "items_repeats") {
		if v.Procedure != "repeats" {
			continue
		}
		var in struct{ Candidate, Baseline [][]float64 }
		v.In(t, &in)
		var want struct {
			SE, T, Within, Between vectors.Number
			DF                     vectors.Number
			Variance               vectors.Number    `json:"variance_of_item_differences"`
			Share                  vectors.Number    `json:"share_of_variance_from_repeats"`
			Call                   [2]vectors.Number `json:"call_variance"`
			Unknown                bool
			Predicted              []struct {
				Items, Repeats int
				SE             vectors.Number
			} `json:"predicted_se"`
		}
		v.Want(t, &want)
		r := test(t, prepare(t, Data{Differences: means(in.Candidate, in.Baseline), Scale: 1}), 0,
			stat.TwoSided)
		v.Near(t, v.ID+" t", r.Statistic, want.T)
		v.Near(t, v.ID+" df", r.DF, want.DF)
		v.Near(t, v.ID+" se", r.SE, want.SE)
		noise, err := r.Noise(in.Candidate, in.Baseline)
		require.NoError(t, err)
		v.Near(t, v.ID+" variance", noise.Variance, want.Variance)
		if want.Unknown {
			unknown++
			for _, x := range []float64{noise.Within, noise.Between, noise.Share(), noise.SE(10, 3)} {
				require.True(t, math.IsNaN(x))
			}
			continue
		}
		v.Near(t, v.ID+" within", noise.Within, want.Within)
		v.Near(t, v.ID+" between", noise.Between, want.Between)
		v.Near(t, v.ID+" share", noise.Share(), want.Share)
		v.Near(t, v.ID+" candidate's call", noise.Call[0], want.Call[0])
		v.Near(t, v.ID+" baseline's call", noise.Call[1], want.Call[1])
		require.NotEmpty(t, want.Predicted)
		for _, p := range want.Predicted {
			v.Near(t, v.ID+" predicted", noise.SE(p.Items, p.Repeats), p.SE)
		}
	}
	require.Equal(t, 1, unknown)
}

// TestNoiseOfOneRepeat knows nothing of the repeats, even where nothing varies.
func TestNoiseOfOneRepeat(t *testing.T) {
	t.Parallel()
	r := test(t, prepare(t, Data{Differences: []float64{0, 0, 0}}), 0, stat.TwoSided)
	noise, err := r.Noise([][]float64{{1}, {0}, {1}}, [][]float64{{1}, {0}, {1}})
	require.NoError(t, err)
	require.True(t, math.IsNaN(noise.Share()))
}

func TestNoiseRefuses(t *testing.T) {
	t.Parallel()
	r := test(t, prepare(t, Data{Differences: []float64{0, 1, 1}}), 0, stat.TwoSided)
	whole := [][]float64{{1, 0}, {1, 1}, {0, 1}}
	for _, c := range []struct {
		other [][]float64
		want  error
		text  string
	}{
		{whole[:2], stat.ErrSampleSize, "2 items for a test of 3"},
		{[][]float64{{1}, {}, {1}}, stat.ErrSampleSize, "item 1 has no repeat"},
		{[][]float64{{1}, {1}, {1, math.NaN()}}, stat.ErrNotFinite, "repeat 1 of item 2 is NaN"},
	} {
		_, err := r.Noise(whole, c.other)
		require.ErrorIs(t, err, c.want)
		require.ErrorContains(t, err, c.text)
		_, err = r.Noise(c.other, whole)
		require.ErrorIs(t, err, c.want)
	}
}

func TestPlanReference(t *testing.T) {
	t.Parallel()
	for _, v := range vectors.Of(t, "items_repeats", "items_plan") {
		var in struct {
			Variance                 float64 `json:"variance_of_item_differences"`
			Alpha, Power, Difference float64
		}
		v.In(t, &in)
		var want struct {
			Items int `json:"n_t"`
		}
		v.Want(t, &want)
		p := Plan{Variance: in.Variance, Independent: 1, Alpha: in.Alpha, Power: in.Power}
		got, err := p.Items(in.Difference)
		require.NoError(t, err)
		require.Equal(t, want.Items, got, v.ID)
	}
}

// TestPlanIsSmallest checks the numbers from both sides, and what clusters and margins cost.
func TestPlanIsSmallest(t *testing.T) {
	t.Parallel()
	p := Plan{Variance: 0.1, Independent: 1, Alternative: stat.Greater, Alpha: 0.05, Power: 0.8}
	n, err := p.Items(0.05)
	require.NoError(t, err)
	enough, err := p.detectable(n)
	require.NoError(t, err)
	require.LessOrEqual(t, enough, 0.05)
	few, err := p.detectable(n - 1)
	require.NoError(t, err)
	require.Greater(t, few, 0.05)

	two := p
	two.Alternative = stat.TwoSided
	both, err := two.Items(0.05)
	require.NoError(t, err)
	require.Greater(t, both, n)

	clustered := p
	clustered.Independent = 0.01
	more, err := clustered.Items(0.05)
	require.NoError(t, err)
	require.Greater(t, more, n)

	// Nothing varies: a difference shows at once, a margin not before its share of the items could
	// have been seen.
	p.Variance = 0
	n, err = p.Items(0.02)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	p.Worst = 1
	n, err = p.Items(0.02)
	require.NoError(t, err)
	require.Equal(t, 149, n)
	p.Independent = 0.5
	n, err = p.Items(0.02)
	require.NoError(t, err)
	require.Equal(t, 298, n)
	p.Alternative = stat.TwoSided
	n, err = p.Items(0.02)
	require.NoError(t, err)
	require.Equal(t, 4, n)
}

// TestPlanOfAResult plans again what a test has found.
func TestPlanOfAResult(t *testing.T) {
	t.Parallel()
	draws(t, func(random *rand.Rand, _ Data, s *Sample) {
		r := test(t, s, 0, stat.TwoSided)
		if r.DF < 2 || random.IntN(10) > 0 {
			return
		}
		d, err := r.Detectable(0.05, 0.8)
		require.NoError(t, err)
		n, err := r.Plan(0.05, 0.8).Items(d * (1 + 1e-9))
		require.NoError(t, err)
		require.Equal(t, r.N, n)
	})
}

func TestPlanRefuses(t *testing.T) {
	t.Parallel()
	good := Plan{Variance: 0.1, Independent: 1, Alpha: 0.05, Power: 0.8}
	for name, c := range map[string]struct {
		change     func(*Plan)
		difference float64
		want       error
	}{
		"difference": {func(*Plan) {}, 0, stat.ErrDomain},
		"NaN":        {func(*Plan) {}, math.NaN(), stat.ErrDomain},
		"infinite":   {func(*Plan) {}, math.Inf(1), stat.ErrDomain},
		"variance":   {func(p *Plan) { p.Variance = -1 }, 1, stat.ErrDomain},
		"no cluster": {func(p *Plan) { p.Independent = 0 }, 1, stat.ErrDomain},
		"over one":   {func(p *Plan) { p.Independent = 1.01 }, 1, stat.ErrDomain},
		"worst":      {func(p *Plan) { p.Worst = -1 }, 1, stat.ErrDomain},
		"alpha":      {func(p *Plan) { p.Alpha = 0 }, 1, stat.ErrDomain},
		"power":      {func(p *Plan) { p.Power = 1 }, 1, stat.ErrDomain},
		"order":      {func(p *Plan) { p.Alpha = 0.9 }, 1, stat.ErrDomain},
		"side":       {func(p *Plan) { p.Alternative = 7 }, 1, stat.ErrDomain},
		"too many":   {func(*Plan) {}, 1e-9, stat.ErrSampleSize},
		"unseen": {
			func(p *Plan) { p.Alternative, p.Worst = stat.Greater, 1 }, 1e-10,
			stat.ErrSampleSize,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := good
			c.change(&p)
			_, err := p.Items(c.difference)
			require.ErrorIs(t, err, c.want)
		})
	}
}

func TestRatioReference(t *testing.T) {
	t.Parallel()
	cases := 0
	for _, v := range vectors.Read(t, "ratio_of_means") {
		var in struct {
			Candidate, Baseline []float64
			Limit               float64
		}
		v.In(t, &in)
		var want struct {
			Ratio, DF, T, P vectors.Number
			Excess          vectors.Number `json:"mean_excess"`
			Upper           vectors.Number `json:"upper_one_sided_95"`
			Holds           *bool
		}
		v.Want(t, &want)
		r, err := RatioAtMost(in.Candidate, in.Baseline, nil, ByItem, in.Limit, 0.05)
		if want.Holds == nil {
			require.ErrorIs(t, err, stat.ErrSampleSize, v.ID)
			continue
		}
		cases++
		require.NoError(t, err)
		v.Near(t, v.ID+" ratio", r.Ratio, want.Ratio)
		v.Near(t, v.ID+" excess", r.Mean, want.Excess)
		v.Near(t, v.ID+" df", r.DF, want.DF)
		v.Near(t, v.ID+" t", r.Statistic, want.T)
		v.Near(t, v.ID+" p", r.P, want.P)
		v.Near(t, v.ID+" upper", r.Upper, want.Upper)
		require.Equal(t, *want.Holds, r.Holds, v.ID)
	}
	require.Equal(t, 10, cases)
}

// TestRatioBoundIsTheLimitThatHolds tests limits beside the bound, with clusters of one size, where
// the degrees of freedom do not depend on the limit.
func TestRatioBoundIsTheLimitThatHolds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 51))
	finite := 0
	for range 200 {
		n := 4 * (2 + r.IntN(20))
		a, b, clusters := make([]float64, n), make([]float64, n), make([]int, n)
		for i := range a {
			clusters[i] = i % (n / 4)
			b[i] = math.Exp(r.NormFloat64())
			a[i] = b[i] * math.Exp(0.3*r.NormFloat64())
		}
		first, err := RatioAtMost(a, b, clusters, ByItem, 1.2, 0.05)
		require.NoError(t, err)
		require.Greater(t, first.Upper, first.Ratio)
		if math.IsInf(first.Upper, 1) {
			require.False(t, first.Holds)
			continue
		}
		finite++
		require.Equal(t, first.Upper <= 1.2, first.Holds)
		above, err := RatioAtMost(a, b, clusters, ByItem, first.Upper*(1+1e-9), 0.05)
		require.NoError(t, err)
		require.True(t, above.Holds)
		below, err := RatioAtMost(a, b, clusters, ByItem, first.Upper*(1-1e-9), 0.05)
		require.NoError(t, err)
		require.False(t, below.Holds)
	}
	require.Greater(t, finite, 150)
}

// TestRatioOfUnequalClusters has another number of degrees of freedom at each limit: at the limit,
// test and bound agree.
func TestRatioOfUnequalClusters(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 51))
	holds := 0
	for range 300 {
		var a, b []float64
		var clusters []int
		for g := range 8 {
			level := math.Exp(r.NormFloat64() / 4)
			for range 1 + r.IntN(9) {
				b = append(b, level*math.Exp(r.NormFloat64()/4))
				a = append(a, b[len(b)-1]*math.Exp(0.3*r.NormFloat64()))
				clusters = append(clusters, g)
			}
		}
		got, err := RatioAtMost(a, b, clusters, ByItem, 1.15, 0.05)
		require.NoError(t, err)
		require.Equal(t, got.Upper <= 1.15, got.Holds)
		holds += int(one(got.Holds))
	}
	require.Greater(t, holds, 50)
	require.Less(t, holds, 250)
}

func TestRatioRefuses(t *testing.T) {
	t.Parallel()
	a := []float64{1, 2, 3}
	for name, c := range map[string]struct {
		a, b         []float64
		clusters     []int
		limit, alpha float64
		want         error
		text         string
	}{
		"lengths":  {a, a[:2], nil, 1, 0.05, stat.ErrSampleSize, "costs of 3 and of 2 items"},
		"limit":    {a, a, nil, 0, 0.05, stat.ErrDomain, "limit 0"},
		"no limit": {a, a, nil, math.Inf(1), 0.05, stat.ErrDomain, "limit +Inf"},
		"level":    {a, a, nil, 1, 0.5, stat.ErrDomain, "level 0.5"},
		"negative": {[]float64{1, -2, 3}, a, nil, 1, 0.05, stat.ErrDomain, "item 1 costs -2"},
		"before":   {a, []float64{1, 2, -3}, nil, 1, 0.05, stat.ErrDomain, "item 2 costs 3, and -3"},
		"nothing":  {a, []float64{0, 0, 0}, nil, 1, 0.05, stat.ErrDomain, "costs nothing"},
		"NaN":      {[]float64{1, 2, math.NaN()}, a, nil, 1, 0.05, stat.ErrNotFinite, "item 2 is NaN"},
		"infinite": {[]float64{1, math.Inf(1), 2}, a, nil, 1, 0.05, stat.ErrNotFinite, "item 1 is +Inf"},
		"cluster":  {a, a, []int{1, 1, 1}, 1, 0.05, stat.ErrSampleSize, "one cluster"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := RatioAtMost(c.a, c.b, c.clusters, ByItem, c.limit, c.alpha)
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, c.text)
		})
	}
}

// TestExactRatio has costs that are multiples of the baseline's.
func TestExactRatio(t *testing.T) {
	t.Parallel()
	a, b := []float64{2, 4, 6}, []float64{1, 2, 3}
	for limit, holds := range map[float64]bool{2: true, 2 * (1 - 1e-9): false, 2.1: true} {
		r, err := RatioAtMost(a, b, nil, ByItem, limit, 0.05)
		require.NoError(t, err)
		require.Equal(t, holds, r.Holds, limit)
	}
	r, err := RatioAtMost([]float64{3, 3, 3}, []float64{2, 2, 2}, nil, ByItem, 1.6, 0.05)
	require.NoError(t, err)
	require.True(t, r.Holds)
	require.Equal(t, 1.5, r.Upper)
	r, err = RatioAtMost([]float64{3, 3, 3}, []float64{2, 2, 2}, nil, ByItem, 1.4, 0.05)
	require.NoError(t, err)
	require.False(t, r.Holds)
	require.Equal(t, 1.5, r.Upper)
}
