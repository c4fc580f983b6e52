package replicate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

func TestReplicabilityReference(t *testing.T) {
	t.Parallel()
	each(t, "replicability", "replicability_R_kn", func(t *testing.T, v vector) {
		var in struct {
			N int
			K []int
		}
		var w struct {
			R       []number
			Minimum number
		}
		v.In(t, &in)
		v.Want(t, &w)
		least := 1.0
		for i, k := range in.K {
			r, err := Replicability(k, in.N)
			require.NoError(t, err)
			v.Near(t, "R", r, w.R[i])
			least = min(least, r)
		}
		v.Near(t, "smallest R", least, w.Minimum)
	})
	each(t, "replicability", "consistency_and_replicability", func(t *testing.T, v vector) {
		var in struct {
			N     int
			Draws []int
			T     [][]number `json:"t_5x2cv_ten_repetitions"`
			Alpha float64
		}
		var w struct {
			Consistent, Almost int
			R                  number
			AlmostConsistent   int `json:"almost_consistent"`
		}
		v.In(t, &in)
		v.Want(t, &w)
		counts := in.Draws
		if in.T != nil {
			counts = countRejections(t, in.T, in.Alpha)
		} else {
			// The paper's table counts the draws, that is, the tests that do not reject.
			for i := range counts {
				counts[i] = in.N - counts[i]
			}
		}
		c, err := ReplicabilityOver(counts, in.N)
		require.NoError(t, err)
		require.Equal(t, w.Consistent, c.Consistent)
		require.Equal(t, w.AlmostConsistent, c.AlmostConsistent)
		require.Equal(t, len(counts), c.Sets)
		require.Equal(t, in.N, c.Repeats)
		v.Near(t, "R", c.R, w.R)
	})
}

// countRejections counts for each data set the t of 5×2cv tests that reject.
func countRejections(t *testing.T, ts [][]number, alpha float64) []int {
	t.Helper()
	critical, err := stat.Result{DF: 5, DF2: nan()}.Critical(alpha)
	require.NoError(t, err)
	counts := make([]int, len(ts))
	for i, row := range ts {
		for _, x := range row {
			if x > number(critical) || x < -number(critical) {
				counts[i]++
			}
		}
	}
	return counts
}

func TestReplicabilityRejectsImpossibleCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k, n int
		err  error
	}{
		{0, 1, stat.ErrSampleSize},
		{0, 0, stat.ErrSampleSize},
		{-1, 10, stat.ErrDomain},
		{11, 10, stat.ErrDomain},
	} {
		_, err := Replicability(c.k, c.n)
		require.ErrorIs(t, err, c.err)
		_, err = ReplicabilityOver([]int{c.k}, c.n)
		require.ErrorIs(t, err, c.err)
		require.ErrorContains(t, err, "data set 0")
	}
	_, err := ReplicabilityOver(nil, 10)
	require.ErrorIs(t, err, stat.ErrSampleSize)
}

func TestConsistency(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k, n               int
		consistent, almost bool
	}{
		{0, 10, true, true},
		{10, 10, true, true},
		{1, 10, false, true},
		{9, 10, false, true},
		{2, 10, false, false},
		{5, 10, false, false},
		{8, 10, false, false},
		{-1, 10, false, false},
		{11, 10, false, false},
		{0, 0, false, false},
		{0, 1, true, true},
	} {
		require.Equal(t, c.consistent, Consistent(c.k, c.n), "%+v", c)
		require.Equal(t, c.almost, almostConsistent(c.k, c.n), "%+v", c)
	}
}

// repeatsOf returns repeats of two runs of two folds that reject in favour of
// the candidate (+), the baseline (−) or neither (0).
func repeatsOf(verdicts string) stat.Differences {
	d := stat.Differences{Folds: 2}
	for _, v := range verdicts {
		d.Runs += 2
		switch v {
		case '+':
			d.X = append(d.X, 5, 5.5, 5.2, 5.1)
		case '-':
			d.X = append(d.X, -5, -5.5, -5.2, -5.1)
		default:
			d.X = append(d.X, 5, -5.5, 5.2, -5.1)
		}
	}
	return d
}

func TestCountIsAboutTheVerdict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verdicts         string
		edit             func(*Retest)
		rejections       int
		rejected         bool
		agreeing         int
		R                float64
		consistent       bool
		almostConsistent bool
		shows            bool // 0.8
	}{
		{"++++++++++", nil, 10, true, 10, 1, true, true, true},
		{"+++++0++++", nil, 9, true, 9, 0.8, false, true, true},
		{"+++++-++++", nil, 9, true, 9, 0.8, false, true, true},
		{"----------", nil, 10, true, 10, 1, true, true, true},
		// The verdict rejects and the reruns do not: R is high, but against the verdict.
		{"+000000000", nil, 1, true, 1, 0.8, false, true, false},
		// Rejections in the other direction are none.
		{"+---------", nil, 1, true, 1, 0.8, false, true, false},
		{"0000000000", nil, 0, false, 10, 1, true, true, true},
		{"0+00000000", nil, 1, false, 9, 0.8, false, true, true},
		{"0+-0000000", nil, 2, false, 8, 58.0 / 90, false, false, false},
		{
			"0+-0000000", func(q *Retest) { q.Direction = stat.Greater }, 1, false, 9, 0.8, false, true,
			true,
		},
		{"++++00++++", nil, 8, true, 8, 58.0 / 90, false, false, false},
		{"+++++00000", nil, 5, true, 5, 40.0 / 90, false, false, false},
		{"----------", func(q *Retest) { q.Direction = stat.Greater }, 0, false, 10, 1, true, true, true},
		{
			"---------+", func(q *Retest) { q.Alternative = stat.Greater }, 1, false, 9, 0.8, false, true,
			true,
		},
		{"++++++++++", func(q *Retest) { q.Null = 5.2 }, 0, false, 10, 1, true, true, true},
	} {
		q := retest(2)
		if c.edit != nil {
			c.edit(&q)
		}
		got, err := q.Count(repeatsOf(c.verdicts), 10)
		require.NoError(t, err)
		require.Equal(t, Count{Repeats: 10, Rejections: c.rejections, Rejected: c.rejected, R: c.R},
			got, c.verdicts)
		require.Equal(t, c.agreeing, got.agreeing(), c.verdicts)
		require.Equal(t, []bool{c.consistent, c.almostConsistent, c.shows},
			[]bool{Consistent(got.Rejections, 10), almostConsistent(got.Rejections, 10), got.Shows(0.8)},
			c.verdicts)
	}
	// Half of the repeats is no majority.
	got, err := retest(2).Count(repeatsOf("+0"), 2)
	require.NoError(t, err)
	require.False(t, got.Shows(0))
	// Runs beyond the repeats are not looked at.
	got, err = retest(2).Count(repeatsOf("++00"), 2)
	require.NoError(t, err)
	require.Equal(t, 2, got.Rejections)
}

func TestCountRejectsBadInput(t *testing.T) {
	t.Parallel()
	_, err := retest(2).Count(repeatsOf("+++"), 4)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	require.ErrorContains(t, err, "6 runs, need at least 8")
	_, err = retest(2).Count(repeatsOf("+++"), 1)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = retest(math.MaxInt/2).Count(repeatsOf("+++"), 3)
	require.ErrorIs(t, err, stat.ErrDomain)
	q := retest(2)
	q.Test, err = stat.Lookup("averaged-t")
	require.NoError(t, err)
	_, err = q.Count(stat.Differences{Runs: 4, Folds: 2, X: []float64{1, 2, 2, 3, 4, 5, 1, 1}}, 2)
	require.ErrorIs(t, err, stat.ErrZeroVariance)
	require.ErrorContains(t, err, "repeat 1")
}
