package replicate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

// pairsOf returns all ways to choose two disjoint pairs of four or more runs.
func pairsOf(n int) (ways [][4]int) {
	for a := range n {
		for b := a + 1; b < n; b++ {
			for c := range n {
				for e := c + 1; e < n; e++ {
					if a != c && a != e && b != c && b != e {
						ways = append(ways, [4]int{a, b, c, e})
					}
				}
			}
		}
	}
	return ways
}

// Against all choices of two disjoint subsets, for a test that a pair of runs
// decides either way.
func TestPooledIsTheMeanOverAllSplits(t *testing.T) {
	t.Parallel()
	splits := sized(2000, 10000)
	rng := rand.New(rand.NewPCG(8, 1))
	for _, name := range []string{
		"corrected-cv-t", "averaged-t", "b03-runs",
		"b03-sorted-runs-averaged-var", "permutation",
	} {
		test, err := stat.Lookup(name)
		require.NoError(t, err)
		noise := randomRuns(rng, 6, 4, 0)
		q := Retest{Test: test, Runs: 2, Alpha: 0.05, Direction: stat.Greater}
		var d stat.Differences
		rejects := func(runs ...int) bool {
			subset := d
			subset.Runs, subset.X = 2, nil
			for _, j := range runs {
				subset.X = append(subset.X, d.X[4*j:4*j+4]...)
			}
			r, err := test.Run(subset, stat.TwoSided)
			require.NoError(t, err)
			return r.P <= 0.05 && r.Mean > 0
		}
		var agree, rejected, all float64
		for mean := 5.0; mean > 0 && !(rejected > 0.2*all && rejected < 0.8*all); mean -= 0.1 {
			d = mapped(noise, func(x float64) float64 { return x + mean })
			agree, rejected, all = 0, 0, 0
			for _, w := range pairsOf(6) {
				x, y := rejects(w[0], w[1]), rejects(w[2], w[3])
				all++
				if x == y {
					agree++
				}
				if x {
					rejected++
				}
			}
		}
		require.True(t, rejected > 0.2*all && rejected < 0.8*all, "%s: %v of %v", name, rejected, all)
		p, err := q.Pooled(d, splits, 7)
		require.NoError(t, err)
		require.InDelta(t, agree/all, p.R, 4*p.SE, name)
		require.InDelta(t, rejected/all, p.Rejects, 4*0.5/math.Sqrt(2*float64(splits)), name)
		require.InDelta(t, math.Sqrt(p.R*(1-p.R)/float64(splits)), p.SE, 1e-15)
		require.Equal(t, [3]int{splits, 2, 6}, [3]int{p.Splits, p.Runs, p.N})

		once, err := q.Pooled(d, 100, 7)
		require.NoError(t, err)
		again, err := q.Pooled(d, 100, 7)
		require.NoError(t, err)
		require.Equal(t, once, again)
		other, err := q.Pooled(d, 100, 8)
		require.NoError(t, err)
		require.NotEqual(t, once.R, other.R)
	}
}

// The mean of R over pools is the probability that two repeats agree.
func TestPooledIsUnbiased(t *testing.T) {
	t.Parallel()
	const N, runs, folds, mean = 12, 5, 4, 1.2
	pools := sized(500, 1500)
	rng := rand.New(rand.NewPCG(4, 4))
	rejected := 0
	var sum, sq float64
	for i := range pools {
		q := retest(runs)
		q.Direction = stat.Greater
		d := randomRuns(rng, N, folds, mean)
		p, err := q.Pooled(d, 50, uint64(i))
		require.NoError(t, err)
		sum += p.R
		sq += p.R * p.R
		// The truth, from two repeats a pool of their own.
		c, err := q.Count(randomRuns(rng, 10*runs, folds, mean), 10)
		require.NoError(t, err)
		rejected += c.Rejections
	}
	share := float64(rejected) / float64(10*pools)
	truth := share*share + (1-share)*(1-share)
	got := sum / float64(pools)
	se := math.Sqrt((sq/float64(pools) - got*got) / float64(pools))
	t.Logf("true R %.4f, pooled %.4f ± %.4f", truth, got, se)
	require.Less(t, truth, 0.8)
	require.InDelta(t, truth, got, 4*se+0.01)
}

func TestPooledOfTheWholeCatalogue(t *testing.T) {
	t.Parallel()
	d := randomRuns(rand.New(rand.NewPCG(2, 3)), 11, 2, 1)
	d.Ratio = 1
	for _, test := range stat.Tests() {
		runs := 5
		if test.Design(runs, d.Folds) != nil { // one run is all that it takes
			runs = 1
		}
		p, err := Retest{Test: test, Runs: runs, Alpha: 0.2}.Pooled(d, 50, 1)
		require.NoError(t, err, test.Name)
		require.True(t, p.R >= 0 && p.R <= 1, test.Name)
	}
}

// The direction of an F is the direction of the mean.
func TestPooledKnowsTheDirectionOfASquare(t *testing.T) {
	t.Parallel()
	test, err := stat.Lookup("5x2cv-f")
	require.NoError(t, err)
	d := randomRuns(rand.New(rand.NewPCG(2, 3)), 10, 2, -30)
	q := Retest{Test: test, Runs: 5, Alpha: 0.05}
	p, err := q.Pooled(d, 50, 1)
	require.NoError(t, err)
	require.Equal(t, 1.0, p.Rejects)
	q.Direction = stat.Greater
	p, err = q.Pooled(d, 50, 1)
	require.NoError(t, err)
	require.Equal(t, [2]float64{0, 1}, [2]float64{p.Rejects, p.R})
}

func TestPooledRejectsBadInput(t *testing.T) {
	t.Parallel()
	d := randomRuns(rand.New(rand.NewPCG(2, 3)), 10, 2, 1)
	_, err := retest(6).Pooled(d, 10, 1)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	require.ErrorContains(t, err, "10 runs, need at least 12")
	_, err = retest(5).Pooled(d, 0, 1)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = retest(math.MaxInt).Pooled(d, 10, 1)
	require.ErrorIs(t, err, stat.ErrDomain)

	q := retest(2)
	q.Test, err = stat.Lookup("averaged-t")
	require.NoError(t, err)
	_, err = q.Pooled(stat.Differences{Runs: 4, Folds: 2, X: []float64{1, 2, 2, 3, 4, 5, 1, 1}}, 10, 1)
	require.ErrorIs(t, err, stat.ErrZeroVariance)
	require.ErrorContains(t, err, "split 0")
}

func BenchmarkPooledThousandSplits(b *testing.B) {
	d := randomRuns(rand.New(rand.NewPCG(1, 1)), 100, 10, 0.5)
	for b.Loop() {
		if _, err := retest(10).Pooled(d, 1000, 1); err != nil {
			b.Fatal(err)
		}
	}
}
