package itemwise

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

// paired returns the differences of two lists of scores, and the largest score.
func paired(candidate, baseline []float64) (d []float64, scale float64) {
	for i, a := range candidate {
		d = append(d, a-baseline[i])
		scale = max(scale, math.Abs(a), math.Abs(baseline[i]))
	}
	return d, scale
}

// numbers returns the numbers of the names' clusters.
func numbers(names []string) []int {
	index, of := map[string]int{}, make([]int, len(names))
	for i, name := range names {
		if _, ok := index[name]; !ok {
			index[name] = len(index)
		}
		of[i] = index[name]
	}
	return of
}

// prepare is Prepare for data without a mistake.
func prepare(t *testing.T, d Data) *Sample {
	t.Helper()
	s, err := Prepare(d)
	require.NoError(t, err)
	return s
}

func TestItemsTReference(t *testing.T) {
	t.Parallel()
	for _, v := range vectors.Of(t, "items_t", "items_t") {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			var in struct {
				Candidate, Baseline []float64
				Cluster             []string
				Null                float64
			}
			v.In(t, &in)
			var want struct {
				N, Clusters  int
				LargestShare vectors.Number `json:"largest_share"`
				Mean, SE     vectors.Number
				ICC, DF, T   vectors.Number
				PTwo         vectors.Number `json:"p_two_sided"`
				PGreater     vectors.Number `json:"p_greater"`
				PLess        vectors.Number `json:"p_less"`
				CI95         [2]vectors.Number
			}
			v.Want(t, &want)
			d, scale := paired(in.Candidate, in.Baseline)
			s := prepare(t, Data{Differences: d, Clusters: numbers(in.Cluster), Scale: scale})
			for alt, p := range map[stat.Alternative]vectors.Number{
				stat.TwoSided: want.PTwo,
				stat.Greater:  want.PGreater, stat.Less: want.PLess,
			} {
				r, err := s.Test(in.Null, alt)
				require.NoError(t, err)
				require.Equal(t, want.N, r.N)
				require.Equal(t, want.Clusters, r.Clusters)
				v.Near(t, "largest share", r.Largest, want.LargestShare)
				v.Near(t, "mean", r.Mean, want.Mean)
				v.Near(t, "se", r.SE, want.SE)
				v.Near(t, "icc", r.ICC, want.ICC)
				v.Near(t, "df", r.DF, want.DF)
				v.Near(t, "t", r.Statistic, want.T)
				v.Near(t, "p "+alt.String(), r.P, p)
				require.Equal(t, r.T, r.Statistic)
				require.True(t, math.IsNaN(r.Constrained))
				if alt == stat.TwoSided {
					lo, hi := r.Interval(0.95)
					v.Near(t, "lower bound", lo, want.CI95[0])
					v.Near(t, "upper bound", hi, want.CI95[1])
				}
			}
		})
	}
}

// weighted returns a sample of clusters with the given means and numbers of items; its degrees of
// freedom and standard error are given, since the items are not.
func weighted(t *testing.T, means, items []float64, limits Range, df float64) *Sample {
	t.Helper()
	var d Data
	d.Range = limits
	for g, n := range items {
		for range int(n) {
			d.Differences = append(d.Differences, means[g])
			d.Clusters = append(d.Clusters, g)
		}
	}
	s := prepare(t, d)
	s.df = df
	return s
}

func TestConstrainedTReference(t *testing.T) {
	t.Parallel()
	for _, v := range vectors.Of(t, "constrained_t", "constrained_t") {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			var in struct {
				Difference, Weight []float64
				Null, Least, Most  float64
			}
			v.In(t, &in)
			var want struct {
				Mean, Effective, DF vectors.Number
				TStar               vectors.Number  `json:"t_star"`
				P                   vectors.Number  `json:"p_greater"`
				Ordinary            *vectors.Number `json:"t_ordinary"`
				Statistic           *vectors.Number
				Lower               vectors.Number `json:"lower_one_sided_95"`
			}
			v.Want(t, &want)
			s := weighted(t, in.Difference, in.Weight, Range{in.Least, in.Most}, float64(want.DF))
			v.Near(t, "mean", s.mean, want.Mean)
			v.Near(t, "effective clusters", s.effective, want.Effective)
			v.Near(t, "t*", s.constrained(in.Null), want.TStar)
			if want.Ordinary == nil { // the reference has no standard error
				s.se = 0
			} else {
				v.Near(t, "t", s.ordinary(in.Null), *want.Ordinary)
			}
			if in.Null != 0 || s.se == 0 {
				r, err := s.Test(in.Null, stat.Greater)
				require.NoError(t, err)
				v.Near(t, "p", r.P, want.P)
				if want.Statistic != nil {
					v.Near(t, "statistic", r.Statistic, *want.Statistic)
				}
			}
			lower, _, err := s.Bounds(0.05)
			require.NoError(t, err)
			v.Near(t, "lower bound", lower, want.Lower)
		})
	}
}

// TestScoresOfZeroAndOne compares the constrained t with Tango's score test, in closed form.
func TestScoresOfZeroAndOne(t *testing.T) {
	t.Parallel()
	agree := 0
	for _, v := range vectors.Of(t, "paired_score", "paired_score") {
		var in struct {
			Better, Worse, N int
			Null             float64
		}
		v.In(t, &in)
		if in.N < 2 {
			continue
		}
		var want struct {
			Z vectors.Number
			T vectors.Number `json:"T_of_constrained_t"`
		}
		v.Want(t, &want)
		d := make([]float64, in.N)
		for i := range in.Better {
			d[i] = 1
		}
		for i := range in.Worse {
			d[in.Better+i] = -1
		}
		s := prepare(t, Data{Differences: d, Range: Range{-1, 1}})
		star := s.constrained(in.Null)
		n := float64(in.N) // T from t*, the other way round
		v.Near(t, v.ID, star/math.Sqrt((n-1+star*star)/n), want.T)
		if math.Abs(float64(want.T/want.Z)-1) < 1e-12 {
			agree++
		}
	}
	require.Equal(t, 9, agree) // in the two others the ordinary variance is larger
}

// TestEdgesOfTheReference takes scores that do not vary at all.
func TestEdgesOfTheReference(t *testing.T) {
	t.Parallel()
	edges := 0
	for _, v := range vectors.Read(t, "items_t") {
		if !v.Edge {
			continue
		}
		edges++
		var in struct {
			Candidate, Baseline []float64
			Cluster             []string
			Null                float64
		}
		v.In(t, &in)
		var want struct {
			Recommended struct {
				T     vectors.Number
				PTwo  vectors.Number `json:"p_two_sided"`
				Error string
			}
		}
		v.Want(t, &want)
		if want.Recommended.Error != "" { // of pairs, which are made elsewhere
			require.NotEqual(t, len(in.Candidate), len(in.Baseline))
			continue
		}
		d, scale := paired(in.Candidate, in.Baseline)
		r := test(t, prepare(t, Data{Differences: d, Clusters: numbers(in.Cluster), Scale: scale}),
			in.Null, stat.TwoSided)
		require.Equal(t, float64(want.Recommended.T), r.Statistic, v.ID)
		require.Equal(t, float64(want.Recommended.PTwo), r.P, v.ID)
		require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings, v.ID)
	}
	require.Equal(t, 3, edges)
}
