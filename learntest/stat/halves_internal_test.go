package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

// The parts of the second opinion, also of fewer halvings than a test takes.
func TestHalvingsReference(t *testing.T) {
	t.Parallel()
	floored := map[bool]int{}
	for _, v := range vectors.Read(t, "second_opinion") {
		t.Run(v.ID, func(t *testing.T) {
			var in struct {
				H     [][]float64 `json:"h_halvings_by_folds"`
				Folds int         `json:"folds_in_a_half"`
				Null  float64     `json:"null_value"`
				Level float64
			}
			var w struct {
				Mean, Within, Between, Variance, SE, T vectors.Number
				DF                                     float64
				Floored                                bool
				TwoSided                               vectors.Number `json:"p_two_sided"`
				Greater                                vectors.Number `json:"p_greater"`
				Less                                   vectors.Number `json:"p_less"`
				Lo, Hi                                 vectors.Number
				Recommended                            struct {
					T     *vectors.Number
					P     float64 `json:"p_two_sided"`
					Error string
				}
			}
			v.In(t, &in)
			v.Want(t, &w)
			h := Differences{Runs: len(in.H), Folds: 2 * in.Folds}
			for _, run := range in.H {
				h.X = append(h.X, run...)
			}
			s, err := h.halvings()
			require.NoError(t, err)
			v.Near(t, "U", s.mean, w.Mean)
			v.Near(t, "W", s.within*s.within, w.Within)
			v.Near(t, "B", s.between*s.between, w.Between)
			v.Near(t, "V", s.se()*s.se(), w.Variance)
			require.Equal(t, w.DF, float64(s.runs))
			if s.within > 0 {
				require.Equal(t, w.Floored, s.se() == s.within*math.Sqrt(0.5))
				floored[w.Floored]++
			}
			same := Differences{Runs: 1, Folds: 2, X: []float64{s.mean, s.mean}}
			switch {
			case h.Runs < LeastHalvings:
				_, err := HalvesTest(same, h, TwoSided)
				require.ErrorIs(t, err, ErrSampleSize)
				// The same halvings over again have the same U and W, and no less B.
				for h.Runs < LeastHalvings {
					h.Runs, h.X = 2*h.Runs, append(h.X, h.X...)
				}
				if !v.Edge {
					return
				}
				r, err := HalvesTest(same, h, TwoSided)
				if w.Recommended.Error != "" {
					require.ErrorIs(t, err, ErrZeroVariance)
					return
				}
				require.NoError(t, err)
				require.Equal(t, []float64{float64(*w.Recommended.T), w.Recommended.P, 0},
					[]float64{r.Statistic, r.P, r.SE})
				require.Equal(t, []error{ErrZeroVariance}, r.Warnings)
			default:
				for alt, p := range map[Alternative]vectors.Number{
					TwoSided: w.TwoSided, Greater: w.Greater,
					Less: w.Less,
				} {
					r, err := Halves(h).Against(same, in.Null, alt)
					require.NoError(t, err)
					v.Near(t, "t", r.Statistic, w.T)
					v.Near(t, "p", r.P, p)
					v.Near(t, "se", r.SE, w.SE)
					if alt == TwoSided {
						lo, hi := r.Interval(in.Level)
						v.Near(t, "lower bound", lo, w.Lo)
						v.Near(t, "upper bound", hi, w.Hi)
					}
				}
			}
		})
	}
	require.True(t, floored[true] > 1 && floored[false] > 1, "%v", floored)
}

// cutHalves draws n examples and returns one ordinary run and m halvings of k folds in a half.
// The mean difference of the two learners on a fold is the mean over its examples if the
// examples left for training have a second mean above threshold, and else 0: a learner that
// sometimes finds something to split on.
func cutHalves(rng *rand.Rand, n, m, k int, threshold float64) (d, h Differences) {
	x, signal := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], signal[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	folds := func(examples []int, k int) []float64 {
		size := len(examples) / k
		all := 0.0
		for _, i := range examples {
			all += signal[i]
		}
		means := make([]float64, k)
		for f := range means {
			own := 0.0
			for _, i := range examples[f*size : (f+1)*size] {
				means[f] += x[i] / float64(size)
				own += signal[i]
			}
			if (all-own)/float64(len(examples)-size) < threshold {
				means[f] = 0
			}
		}
		return means
	}
	d = Differences{Runs: 1, Folds: 10, X: folds(rng.Perm(n), 10)}
	h = Differences{Runs: m, Folds: 2 * k}
	for range m {
		order := rng.Perm(n)
		h.X = append(h.X, folds(order[:n/2], k)...)
		h.X = append(h.X, folds(order[n/2:], k)...)
	}
	return d, h
}

// W − (1 − 1/M)·B is unbiased for the variance of U, of learners that are stable (for which it
// is the variance of a mean) and of unstable ones. With its floor the test keeps its level.
func TestHalvesVarianceIsUnbiased(t *testing.T) {
	t.Parallel()
	for name, threshold := range map[string]float64{"stable": math.Inf(-1), "bistable": 0.15} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(7, 20))
			const sets, n, m = 4000, 40, 10
			var v, vv, u2, u4 float64
			rejected := 0
			for range sets {
				d, h := cutHalves(rng, n, m, 5, threshold)
				s, err := h.halvings()
				require.NoError(t, err)
				unbiased := s.within*s.within - (1-1.0/m)*s.between*s.between
				square := s.mean * s.mean // the expectation of U is 0
				v, vv = v+unbiased, vv+unbiased*unbiased
				u2, u4 = u2+square, u4+square*square
				r, err := HalvesTest(d, h, TwoSided)
				if err == nil && r.P <= 0.05 {
					rejected++
				}
			}
			ratio := v / u2
			se := math.Hypot(math.Sqrt(vv/sets-math.Pow(v/sets, 2))/v,
				math.Sqrt(u4/sets-math.Pow(u2/sets, 2))/u2) * math.Sqrt(sets)
			require.InDelta(t, 1, ratio, 4*ratio*se, "V is %v ± %v of the variance of U", ratio, ratio*se)
			share := float64(rejected) / sets
			require.Less(t, share, 0.05+4*math.Sqrt(0.05*0.95/sets),
				"%v of true null hypotheses are rejected", share)
			t.Logf("V is %.3f ± %.3f of the variance of U, %.4f of true null hypotheses are rejected", ratio,
				ratio*se, share)
		})
	}
}
