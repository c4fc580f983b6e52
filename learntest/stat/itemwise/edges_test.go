package itemwise

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

func TestPrepareRefuses(t *testing.T) {
	t.Parallel()
	unit := Range{-1, 1}
	for _, c := range []struct {
		name string
		data Data
		want error
		text string
	}{
		{"no item", Data{}, stat.ErrSampleSize, "0 items"},
		{"one item", Data{Differences: []float64{1}}, stat.ErrSampleSize, "1 items"},
		{
			"one cluster",
			Data{Differences: []float64{1, 2, 3}, Clusters: []int{4, 4, 4}},
			stat.ErrSampleSize, "all 3 items are in one cluster",
		},
		{
			"clusters of some",
			Data{Differences: []float64{1, 2, 3}, Clusters: []int{1, 2}},
			stat.ErrSampleSize, "clusters of 2 items for 3",
		},
		{
			"clusters of none",
			Data{Differences: []float64{1, 2, 3}, Clusters: []int{}},
			stat.ErrSampleSize,
			"clusters of 0 items for 3",
		},
		{"NaN", Data{Differences: []float64{1, 2, math.NaN()}}, stat.ErrNotFinite, "item 2 is NaN"},
		{"Inf", Data{Differences: []float64{1, math.Inf(-1), 3}}, stat.ErrNotFinite, "item 1 is -Inf"},
		{"overflow", Data{Differences: []float64{1e308, 1e308, 1e308}}, stat.ErrNotFinite, "sum"},
		{"scale", Data{Differences: []float64{1, 2}, Scale: -1}, stat.ErrDomain, "scale -1"},
		{"scale NaN", Data{Differences: []float64{1, 2}, Scale: math.NaN()}, stat.ErrDomain, "scale NaN"},
		{
			"scale Inf",
			Data{Differences: []float64{1, 2}, Scale: math.Inf(1)},
			stat.ErrDomain,
			"scale +Inf",
		},
		{
			"empty range",
			Data{Differences: []float64{1, 1}, Range: Range{1, 1}},
			stat.ErrDomain,
			"range from 1 to 1",
		},
		{
			"endless range",
			Data{Differences: []float64{1, 1}, Range: Range{-1, math.Inf(1)}},
			stat.ErrDomain, "range from -1 to +Inf",
		},
		{
			"range NaN",
			Data{Differences: []float64{1, 1}, Range: Range{math.NaN(), 1}},
			stat.ErrDomain,
			"range from NaN",
		},
		{
			"tiny range",
			Data{Differences: []float64{0, 0}, Range: Range{0, 1e-200}},
			stat.ErrDomain,
			"range from 0",
		},
		{
			"below",
			Data{Differences: []float64{0, -1.1}, Range: unit},
			stat.ErrDomain,
			"item 1 is -1.1, out of the range from -1 to 1",
		},
		{
			"above",
			Data{Differences: []float64{1.5, 0}, Range: unit},
			stat.ErrDomain,
			"item 0 is 1.5, out of the range from -1 to 1",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Prepare(c.data)
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, c.text)
		})
	}
}

func TestTestRefuses(t *testing.T) {
	t.Parallel()
	s := prepare(t, Data{Differences: []float64{0, 1, 0, -1}, Range: Range{-1, 1}})
	for _, c := range []struct {
		name string
		null float64
		alt  stat.Alternative
		want error
	}{
		{"alternative", 0, 3, stat.ErrDomain},
		{"NaN", math.NaN(), stat.Greater, stat.ErrNotFinite},
		{"Inf", math.Inf(-1), stat.Greater, stat.ErrNotFinite},
		{"least", -1, stat.Greater, stat.ErrDomain},
		{"most", 1, stat.Less, stat.ErrDomain},
		{"percent", -3, stat.Greater, stat.ErrDomain},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Test(c.null, c.alt)
			require.ErrorIs(t, err, c.want)
		})
	}
	for _, alpha := range []float64{0, 0.5, 1, -1, math.NaN()} {
		_, _, err := s.Bounds(alpha)
		require.ErrorIs(t, err, stat.ErrDomain)
	}
}

// TestEqualDifferences covers the rule for scores that do not vary, up to their round-off.
func TestEqualDifferences(t *testing.T) {
	t.Parallel()
	gain := Data{
		Differences: []float64{0.1, minus(0.7, 0.6), minus(0.8, 0.7), minus(0.9, 0.8)},
		Scale:       0.9,
	}
	s := prepare(t, gain)
	require.NotEqual(t, gain.Differences[0], gain.Differences[1])
	for alt, p := range map[stat.Alternative]float64{stat.TwoSided: 0, stat.Greater: 0, stat.Less: 1} {
		r := test(t, s, 0, alt)
		require.Equal(t, p, r.P)
		require.True(t, math.IsInf(r.Statistic, 1))
		require.Zero(t, r.SE)
		require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings)
	}
	for alt := range stat.Alternative(3) {
		r := test(t, prepare(t, Data{Differences: []float64{0, 0, 0}}), 0, alt)
		require.Equal(t, 1., r.P)
		require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings)
	}
	r := test(t, prepare(t, Data{Differences: []float64{2e-16, 0, 1e-16}, Scale: 1}), 0, stat.TwoSided)
	require.Equal(t, 1., r.P)
	require.Zero(t, r.Mean)
	// Without a range, nothing tells how much an unseen item may lose.
	_, err := s.Test(-0.5, stat.Greater)
	require.ErrorIs(t, err, stat.ErrZeroVariance)
	_, _, err = s.Bounds(0.05)
	require.ErrorIs(t, err, stat.ErrZeroVariance)

	gain.Range = Range{-1, 1}
	s = prepare(t, gain)
	r = test(t, s, -0.05, stat.Greater)
	require.Greater(t, r.P, 0.05)
	lower, upper, err := s.Bounds(0.05)
	require.NoError(t, err)
	require.Less(t, lower, -0.3)
	require.Greater(t, upper, 0.4)

	r = test(t, s, 0, stat.TwoSided)
	require.InDelta(t, 0.4, r.P, 0.3)
	require.Empty(t, r.Warnings)

	// All gains are as large as they can be: half of the answers, unseen, would undo them.
	for sign, in := range map[float64]stat.Alternative{1: stat.Greater, -1: stat.Less} {
		s = prepare(t, Data{Differences: slices.Repeat([]float64{sign}, 6), Range: Range{-1, 1}})
		for alt, p := range map[stat.Alternative]float64{
			in: 1. / 64, in.Mirror(): 1,
			stat.TwoSided: 1. / 32,
		} {
			r = test(t, s, 0, alt)
			require.True(t, math.IsInf(r.Statistic, int(sign)))
			require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings)
			require.InDelta(t, p, r.P, 1e-15)
		}
		require.InDelta(t, math.Pow(0.45, 6), test(t, s, -0.1*sign, in).P, 1e-15)
	}
	// In clusters, it is the clusters that may be of another kind.
	s = prepare(t, Data{
		Differences: slices.Repeat([]float64{1}, 6), Clusters: []int{1, 1, 2, 2, 3, 3},
		Range: Range{-1, 1},
	})
	require.InDelta(t, 1./8, test(t, s, 0, stat.Greater).P, 1e-15)

	s = prepare(t, Data{Differences: slices.Repeat([]float64{1}, 6), Range: Range{-1, 1}})
	_, upper, err = s.Bounds(0.05)
	require.NoError(t, err)
	require.Equal(t, 1., upper)
}

// minus returns a − b in float64; on constants the compiler computes exactly.
func minus(a, b float64) float64 { return a - b }

// TestEqualClusters has clusters of equal means whose items differ: that is chance, and no standard
// error of zero.
func TestEqualClusters(t *testing.T) {
	t.Parallel()
	d := Data{Differences: []float64{1, 0, 0, 1, 1, 0, 0, 1, 1, 0}, Clusters: []int{
		1, 1, 2, 2, 3,
		3, 4, 4, 5, 5,
	}}
	_, err := prepare(t, d).Test(0, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrZeroVariance)
	require.ErrorContains(t, err, "all 5 clusters")

	d.Range = Range{-1, 1}
	require.Greater(t, test(t, prepare(t, d), 0, stat.TwoSided).P, 0.1)
	require.NotZero(t, test(t, prepare(t, d), -0.1, stat.Greater).P)

	for i := range d.Differences {
		d.Differences[i] -= 0.5
	}
	r := test(t, prepare(t, d), 0, stat.TwoSided)
	require.Equal(t, 1., r.P)
}

// TestTwoClusters have one degree of freedom, whatever their sizes.
func TestTwoClusters(t *testing.T) {
	t.Parallel()
	for n := 3; n < 60; n++ {
		d := Data{Differences: make([]float64, n), Clusters: make([]int, n)}
		for i := range d.Differences {
			d.Differences[i], d.Clusters[i] = float64(i*i*i), min(1, i*3/n)
		}
		require.Equal(t, 1., test(t, prepare(t, d), 0, stat.Less).DF)
	}
}

// TestRoundOffAtTheEndOfTheRange takes differences that are out of it by their round-off.
func TestRoundOffAtTheEndOfTheRange(t *testing.T) {
	t.Parallel()
	d := Data{Differences: []float64{-1, 0.5, 0, 0, 0}, Range: Range{-1, 1}, Scale: 1}
	want := test(t, prepare(t, d), -0.5, stat.Greater)
	d.Differences[0] = math.Nextafter(-1, -2)
	got := test(t, prepare(t, d), -0.5, stat.Greater)
	require.InEpsilon(t, want.Constrained, got.Constrained, 1e-14)
	_, _, err := prepare(t, d).Bounds(0.01)
	require.NoError(t, err)
}

// TestWholeClusters has items that agree within their clusters, of unequal sizes: they count as one
// each.
func TestWholeClusters(t *testing.T) {
	t.Parallel()
	var d Data
	for g, x := range []float64{0.3, -0.2, 1, 0, 0.4, -0.7} {
		for range 1 + g*g {
			d.Differences, d.Clusters = append(d.Differences, x), append(d.Clusters, g)
		}
	}
	r := test(t, prepare(t, d), 0, stat.TwoSided)
	require.Equal(t, 1., r.ICC)
	require.InDelta(t, 1.66957208980855, r.DF, 1e-12) // by the matrix, in Python
}

// Without a range, as of seconds, the bounds are the nulls that t rejects with a P of alpha.
func TestBoundsWithoutARange(t *testing.T) {
	t.Parallel()
	s, err := Prepare(Data{Differences: []float64{0.3, -0.1, 0.25, 0.6, 0.05, 0.2, 0.4}})
	require.NoError(t, err)
	lower, upper, err := s.Bounds(0.05)
	require.NoError(t, err)
	require.Less(t, lower, upper)
	for null, alt := range map[float64]stat.Alternative{lower: stat.Greater, upper: stat.Less} {
		r, err := s.Test(null, alt)
		require.NoError(t, err)
		require.InDelta(t, 0.05, r.P, 1e-12)
	}
}
