package stat_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

// TestSliceReferenceNumbers compares the linearised ratio, and its test, with numbers that another
// program has computed from the differences of examples and the folds that test them.
func TestSliceReferenceNumbers(t *testing.T) {
	t.Parallel()
	cases := vectors.Read(t, "slices")
	require.Len(t, cases, 9)
	for _, v := range cases {
		t.Run(v.ID, func(t *testing.T) {
			var in struct {
				Folds, Runs  int
				FoldOf       [][]int    `json:"folds_of_example"`
				DifferenceOf [][]number `json:"difference_of_example"`
				Member       []int
			}
			var want struct {
				Members, DF  int
				Z            []number
				Mean, SE, T  number
				P            number     `json:"p_two_sided"`
				CI95         *[2]number `json:"ci95"`
				EmptyFolds   int        `json:"empty_folds"`
				SumEstimator number     `json:"se_of_sum_estimator"`
			}
			v.In(t, &in)
			v.Want(t, &want)
			s := stat.Slice{Counts: make([]int32, in.Runs*in.Folds)}
			sums := make([]float64, len(s.Counts))
			for i, member := range in.Member {
				s.Members += member
				for r := range in.FoldOf {
					at := r*in.Folds + in.FoldOf[r][i]
					s.Counts[at] += int32(member)
					sums[at] += float64(member) * float64(in.DifferenceOf[r][i])
				}
			}
			require.Equal(t, want.Members, s.Members)
			empty := 0
			for _, c := range s.Counts {
				if c == 0 {
					empty++
				}
			}
			require.Equal(t, want.EmptyFolds, empty)
			d, err := s.Linearise(sums, in.Runs, in.Folds)
			require.NoError(t, err)
			for i, z := range want.Z {
				v.Near(t, "z", d.X[i], z)
			}
			r, err := stat.CorrectedCVTTest(d, stat.TwoSided)
			require.NoError(t, err)
			v.Near(t, "mean", r.Mean, want.Mean)
			v.Near(t, "se", r.SE, want.SE)
			v.Near(t, "t", r.Statistic, want.T)
			v.Near(t, "df", r.DF, number(want.DF))
			v.Near(t, "p", r.P, want.P)
			if want.CI95 != nil {
				lo, hi := r.Interval(0.95)
				v.Near(t, "lower end", lo, want.CI95[0])
				v.Near(t, "upper end", hi, want.CI95[1])
			}
		})
	}
}

// TestSliceOfAllIsTheWhole checks that a slice of all examples, with folds of one size, has the
// differences of the whole, and its test the degrees of freedom of the whole where there are more
// examples than cells.
func TestSliceOfAllIsTheWhole(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	const runs, folds, size = 10, 10, 20
	s := stat.Slice{Members: folds * size}
	var sums, means []float64
	for range runs * folds {
		sum := float64(r.IntN(9) - 4)
		sums, means = append(sums, sum), append(means, sum/size)
		s.Counts = append(s.Counts, size)
	}
	d, err := s.Linearise(sums, runs, folds)
	require.NoError(t, err)
	assert.InDeltaSlice(t, means, d.X, 1e-12)
	require.Len(t, d.X, len(means))
	got, err := stat.CorrectedCVTTest(d, stat.TwoSided)
	require.NoError(t, err)
	want, err := stat.CorrectedCVTTest(stat.Differences{Runs: runs, Folds: folds, X: means},
		stat.TwoSided)
	require.NoError(t, err)
	assert.InDelta(t, want.P, got.P, 1e-10)
	assert.Equal(t, want.DF, got.DF)
}

// TestSliceProperties checks the mean of each run, and how the differences move with the sums.
func TestSliceProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		runs, folds := rapid.IntRange(1, 4).Draw(t, "runs"), rapid.IntRange(2, 6).Draw(t, "folds")
		members := rapid.IntRange(2, 40).Draw(t, "members")
		s := stat.Slice{Members: members, Counts: make([]int32, runs*folds)}
		sums, shifted, minus := make([]float64, runs*folds), make([]float64, runs*folds),
			make([]float64, runs*folds)
		for r := range runs {
			total := 0.0
			for range members {
				at := r*folds + rapid.IntRange(0, folds-1).Draw(t, "fold")
				s.Counts[at]++
				sums[at] += float64(rapid.IntRange(-1, 1).Draw(t, "difference"))
			}
			for f := range folds {
				total += sums[r*folds+f]
			}
			_ = total
		}
		const by = 0.25
		for i, c := range s.Counts {
			shifted[i], minus[i] = sums[i]+by*float64(c), -sums[i]
		}
		d, err := s.Linearise(sums, runs, folds)
		require.NoError(t, err)
		e, err := s.Linearise(shifted, runs, folds)
		require.NoError(t, err)
		m, err := s.Linearise(minus, runs, folds)
		require.NoError(t, err)
		require.Equal(t, members, d.Members)
		for r := range runs {
			sum, z := 0.0, 0.0
			for i := r * folds; i < (r+1)*folds; i++ {
				sum, z = sum+sums[i], z+d.X[i]
				require.InDelta(t, d.X[i]+by, e.X[i], 1e-9, "a constant moves all by as much")
				require.InDelta(t, -d.X[i], m.X[i], 1e-9)
			}
			require.InDelta(t, sum/float64(members), z/float64(folds), 1e-9, "run %d", r+1)
		}
	})
}

// TestSliceOfSubsamples checks the pooled ratio of protocols of one fold a run.
func TestSliceOfSubsamples(t *testing.T) {
	t.Parallel()
	s := stat.Slice{Members: 12, Counts: []int32{3, 0, 5, 2}}
	d, err := s.Linearise([]float64{1, 0, -2, 2}, 4, 1)
	require.NoError(t, err)
	const mean, scale = 0.1, 0.4 // 1/10 and 4/10
	assert.InDeltaSlice(t, []float64{
		mean + scale*(1-3*mean), mean, mean + scale*(-2-5*mean),
		mean + scale*(2-2*mean),
	}, d.X, 1e-15)
	r, err := stat.CorrectedResampledTTest(stat.Differences{
		Runs: d.Runs, Folds: 1, X: d.X,
		Ratio: 0.25, Members: 3,
	}, stat.TwoSided)
	require.NoError(t, err)
	assert.Equal(t, 2.0, r.DF)
}

func TestSlicesThatCannotBe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		slice       stat.Slice
		sums        []float64
		runs, folds int
		want        error
	}{
		"one member": {
			stat.Slice{Members: 1, Counts: []int32{1, 0}},
			[]float64{1, 0},
			1, 2,
			stat.ErrSampleSize,
		},
		"lengths": {
			stat.Slice{Members: 2, Counts: []int32{2}},
			[]float64{1, 0},
			1, 2,
			stat.ErrSampleSize,
		},
		"design": {
			stat.Slice{Members: 2, Counts: []int32{1, 1}},
			[]float64{1, 0},
			2, 2,
			stat.ErrSampleSize,
		},
		"a run without members": {
			stat.Slice{Members: 2, Counts: []int32{1, 1, 0, 0}},
			[]float64{1, 0, 0, 0},
			2, 2, stat.ErrSampleSize,
		},
		"a run of more": {
			stat.Slice{Members: 2, Counts: []int32{1, 2}},
			[]float64{1, 0},
			1, 2,
			stat.ErrSampleSize,
		},
		"a sum that is no number": {
			stat.Slice{Members: 2, Counts: []int32{1, 1}},
			[]float64{math.NaN(), 0},
			1, 2, stat.ErrNotFinite,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.slice.Linearise(c.sums, c.runs, c.folds)
			assert.ErrorIs(t, err, c.want)
		})
	}
	_, err := stat.CorrectedCVTTest(stat.Differences{
		Runs: 1, Folds: 2, X: []float64{1, 2},
		Members: 1,
	}, stat.TwoSided)
	assert.ErrorIs(t, err, stat.ErrSampleSize)
}
