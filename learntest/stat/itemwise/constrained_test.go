package itemwise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

// byDefinition returns the constrained t of items without clusters on the range −1 to 1, by
// bisection.
func byDefinition(d []float64, mean, null float64) float64 {
	sign := math.Copysign(1, mean-null)
	worst := -1 - sign*null
	n, most := float64(len(d)), -1/worst
	sum := func(lambda float64, f func(u, v float64) float64) (s float64) {
		for _, x := range d {
			u := sign * (x - null)
			s += f(u, 1+lambda*u) / n
		}
		return s
	}
	gradient := func(u, v float64) float64 { return u / v }
	lo, hi := 0., most
	for range 200 {
		if mid := (lo + hi) / 2; sum(mid, gradient) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	unseen := 0.
	if lo > most*(1-1e-14) {
		unseen = max(0, 1-sum(lo, func(_, v float64) float64 { return 1 / v }))
	}
	variance := max(sum(lo, func(u, v float64) float64 { return u * u / v })+unseen*worst*worst,
		sum(lo, func(u, _ float64) float64 { return u * u }))
	t := math.Abs(mean-null) / math.Sqrt(variance/n)
	if t*t >= n*(1-1e-12) {
		return sign * math.Inf(1)
	}
	return sign * t * math.Sqrt((n-1)/(n-t*t))
}

// TestConstrainedTByDefinition takes scores of few values, on which a step of Newton's may end
// beside the pole of the sum.
func TestConstrainedTByDefinition(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 41))
	for range 4000 {
		levels := []float64{1, 2, 4, 10}[r.IntN(4)]
		changed := []float64{0.05, 0.3, 1}[r.IntN(3)]
		d := make([]float64, []int{5, 10, 20, 40}[r.IntN(4)])
		for i := range d {
			if r.Float64() < changed {
				d[i] = math.Round((2*r.Float64()-1)*levels) / levels
			}
		}
		null := float64(1+r.IntN(9)) / 10 * float64(1-2*r.IntN(2))
		s := prepare(t, Data{Differences: d, Scale: 1, Range: Range{-1, 1}})
		if math.Abs(s.mean-null) < 1e-9 {
			continue
		}
		want, got := byDefinition(d, s.mean, null), s.constrained(null)
		if math.IsInf(want, 0) {
			require.Equal(t, want, got)
			continue
		}
		require.InEpsilon(t, want, got, 1e-9, "%v against %v", d, null)
	}
}

// TestStepsBesideThePole has a first step of Newton's that ends at the pole but for rounding, on
// one side only.
func TestStepsBesideThePole(t *testing.T) {
	t.Parallel()
	d := make([]float64, 20)
	for i, x := range []float64{0.5, 0.5, 0.5, 1, 0.5, -1} {
		d[3*i] = x
	}
	gain := test(t, prepare(t, Data{Differences: d, Scale: 1, Range: Range{-1, 1}}),
		-0.1, stat.Greater)
	for i := range d {
		d[i] = -d[i]
	}
	loss := test(t, prepare(t, Data{Differences: d, Scale: 1, Range: Range{-1, 1}}), 0.1, stat.Less)
	require.InDelta(t, 1.93554659627, gain.Constrained, 1e-10)
	require.InDelta(t, -gain.Constrained, loss.Constrained, 1e-12)
	require.InDelta(t, gain.P, loss.P, 1e-12)
}
