package plan_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/plan"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
)

// In simulations whose folds have the correlation that the correction assumes, a difference of
// the size that is planned for is detected as often as planned, and a margin is shown so.
func TestPlansComeTrue(t *testing.T) {
	t.Parallel()
	const sets = 4000
	for _, d := range []plan.Design{
		{Runs: 10, Folds: 10},
		{Runs: 5, Folds: 2},
		{Runs: 1, Folds: 10},
		{Runs: 3, Folds: 4},
	} {
		e := plan.Experiment{Examples: 400, SD: 0.5, Alpha: 0.05, Power: 0.8}
		detectable, err := e.Detectable(d)
		require.NoError(t, err)
		margin, err := e.Margin(d)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(1, uint64(d.Folds)))
		// s² is the variance of a fold about the mean of all, ρ·v/(1−ρ) what all have in
		// common, with ρ = 1/k: the variance of the mean is then (1/rk + 1/(k−1))·s².
		s := e.SD * math.Sqrt(float64(d.Folds)/float64(e.Examples))
		common := s / math.Sqrt(float64(d.Folds-1))
		detected, shown := 0, 0
		for range sets {
			x := stat.Differences{Runs: d.Runs, Folds: d.Folds, X: make([]float64, d.Runs*d.Folds)}
			shift := common * rng.NormFloat64()
			for i := range x.X {
				x.X[i] = shift + s*rng.NormFloat64()
			}
			r, err := stat.MustLookup("corrected-cv-t").Against(x, -margin, stat.Greater)
			require.NoError(t, err)
			if r.P <= e.Alpha {
				shown++
			}
			for i := range x.X {
				x.X[i] += detectable
			}
			r, err = stat.CorrectedCVTTest(x, stat.TwoSided)
			require.NoError(t, err)
			if r.P <= e.Alpha {
				detected++
			}
		}
		tolerance := 4 * math.Sqrt(0.8*0.2/sets)
		require.InDelta(t, 0.8, float64(detected)/sets, tolerance, "%v: difference", d)
		require.InDelta(t, 0.8, float64(shown)/sets, tolerance, "%v: margin", d)
	}
}

// σ of single examples is found from the folds of any number, if the examples are independent.
func TestStandardDeviationOfExamplesFromFolds(t *testing.T) {
	t.Parallel()
	const n, sets, sd = 600, 400, 0.7
	rng := rand.New(rand.NewPCG(3, 4))
	for _, folds := range []int{2, 5, 10, 30} {
		var sum float64
		for range sets {
			d := stat.Differences{Runs: 1, Folds: folds, X: make([]float64, folds)}
			for i := range n {
				d.X[i%folds] += sd * rng.NormFloat64() * float64(folds) / n
			}
			x, err := plan.SDOf(d, n)
			require.NoError(t, err)
			sum += x * x
		}
		spread := sd * sd * math.Sqrt(2/float64(folds-1)/sets)
		require.InDelta(t, sd*sd, sum/sets, 4*spread, "%d folds", folds)
	}
	_, err := plan.SDOf(stat.Differences{Runs: 1, Folds: 3, X: []float64{1, 1, 1}}, 30)
	require.ErrorIs(t, err, plan.ErrPlan)
	_, err = plan.SDOf(stat.Differences{Runs: 1, Folds: 1, X: []float64{1}}, 30)
	require.ErrorIs(t, err, stat.ErrSampleSize)
}

// The runs that are asked for are enough, one less is not, and where no number is, so many
// examples are.
func TestRunsThatAreEnough(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := plan.Experiment{
			Examples: rapid.IntRange(20, 5000).Draw(t, "n"), SD: rapid.Float64Range(0.01, 2).Draw(t, "sd"),
			Alpha: rapid.SampledFrom([]float64{0.01, 0.05, 0.1}).Draw(t, "alpha"),
			Power: rapid.SampledFrom([]float64{0.5, 0.8, 0.95}).Draw(t, "power"),
		}
		folds, margin := rapid.IntRange(2, 10).Draw(t, "folds"), rapid.Bool().Draw(t, "margin")
		least := e.Detectable
		if margin {
			least = e.Margin
		}
		one, err := least(plan.Design{Runs: 1, Folds: folds})
		require.NoError(t, err)
		amount := one * rapid.Float64Range(0.3, 1.1).Draw(t, "amount")
		runs, examples, err := e.Runs(folds, amount, margin)
		require.NoError(t, err)
		if runs == 0 {
			require.Greater(t, examples, 1.0)
			e.Examples = int(math.Ceil(float64(e.Examples) * examples * 1.001))
			again, _, err := e.Runs(folds, amount, margin)
			require.NoError(t, err)
			require.Positive(t, again)
			return
		}
		x, err := least(plan.Design{Runs: runs, Folds: folds})
		require.NoError(t, err)
		require.LessOrEqual(t, x, amount)
		if runs > 1 {
			x, err = least(plan.Design{Runs: runs - 1, Folds: folds})
			require.NoError(t, err)
			require.Greater(t, x, amount)
		}
	})
}

func TestPowerIsTheInverseOfWhatIsDetectable(t *testing.T) {
	t.Parallel()
	e := plan.Experiment{Examples: 300, SD: 0.4, Alpha: 0.05, Power: 0.8}
	d := plan.Design{Runs: 10, Folds: 10}
	x, err := e.Detectable(d)
	require.NoError(t, err)
	for _, sign := range []float64{1, -1} {
		p, err := e.PowerAt(d, sign*x)
		require.NoError(t, err)
		require.InDelta(t, 0.8, p, 1e-9)
	}
	p, err := e.PowerAt(d, 0)
	require.NoError(t, err)
	require.Equal(t, 0.05, p)
}

// So many partitions are enough if their mean and spread do not change, and one less is not.
func TestPartitionsOfBradfordAndBrodley(t *testing.T) {
	t.Parallel()
	for _, mean := range []float64{5, 2.6, 1.9, 0, -2.6, -6} {
		ts := []float64{mean - 0.7, mean + 0.7, mean - 0.2, mean + 0.2}
		n, err := plan.Partitions(ts, 9, 0.025, 0.05)
		require.NoError(t, err)
		require.Greater(t, n, 1)
		for _, c := range []struct {
			n      int
			enough bool
		}{{n, true}, {n - 1, false}} {
			if c.n < 2 {
				continue
			}
			// The same mean and standard deviation from c.n values.
			sd := math.Sqrt((2*0.49 + 2*0.04) / 3)
			a := sd * math.Sqrt(float64(c.n-1)/2)
			same := make([]float64, c.n)
			for i := range same {
				same[i] = mean
			}
			same[0], same[1] = mean-a, mean+a
			s, err := replicate.PartitionSufficiency(same, 9, 0.025, 0.05)
			require.NoError(t, err)
			require.Equal(t, c.enough, s.Conclusion != replicate.TooFewPartitions, "%v: %d of %d", mean, c.n,
				n)
		}
	}
	critical, err := stat.StudentT(9)
	require.NoError(t, err)
	q, err := critical.Quantile(0.025)
	require.NoError(t, err)
	n, err := plan.Partitions([]float64{q - 1, q + 1}, 9, 0.025, 0.05)
	require.NoError(t, err)
	require.Zero(t, n, "no number decides what lies on the boundary")
	_, err = plan.Partitions([]float64{1}, 9, 0.025, 0.05)
	require.ErrorIs(t, err, stat.ErrSampleSize)
}

func TestPlansThatMakeNoSense(t *testing.T) {
	t.Parallel()
	good := plan.Experiment{Examples: 100, SD: 0.5, Alpha: 0.05, Power: 0.8}
	for _, c := range []struct {
		edit func(e *plan.Experiment, d *plan.Design)
		text string
	}{
		{func(e *plan.Experiment, _ *plan.Design) { e.SD = 0 }, "a standard deviation of 0"},
		{func(e *plan.Experiment, _ *plan.Design) { e.SD = math.NaN() }, "a standard deviation of NaN"},
		{func(e *plan.Experiment, _ *plan.Design) { e.Power = 0.01 }, "need 0 < alpha < power < 1"},
		{func(e *plan.Experiment, _ *plan.Design) { e.Examples = 9 }, "9 examples in 10 folds"},
		{func(_ *plan.Experiment, d *plan.Design) { d.Folds = 1 }, "10×1: at least one run of two folds"},
		{func(_ *plan.Experiment, d *plan.Design) { d.Runs = 0 }, "0×10: at least one run of two folds"},
	} {
		e, d := good, plan.Design{Runs: 10, Folds: 10}
		c.edit(&e, &d)
		for _, f := range []func(plan.Design) (float64, error){
			e.Detectable, e.Margin,
			func(d plan.Design) (float64, error) { return e.PowerAt(d, 0.1) },
		} {
			_, err := f(d)
			require.ErrorIs(t, err, plan.ErrPlan)
			require.ErrorContains(t, err, c.text)
		}
	}
	_, _, err := good.Runs(10, 0, false)
	require.ErrorIs(t, err, plan.ErrPlan)
	_, _, err = good.Runs(1, 0.1, true)
	require.ErrorIs(t, err, plan.ErrPlan)
	require.Equal(t, 200, plan.Design{Runs: 10, Folds: 10}.Trainings())
}
