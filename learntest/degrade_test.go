package learntest

import (
	"context"
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A share of the candidate's predictions becomes draws from the class prior, and the printed
// texts say so. The baseline is unchanged.
func TestDegradedCandidates(t *testing.T) {
	xs, ys := make([]int, 2000), make([]bool, 2000)
	for i := range xs {
		xs[i], ys[i] = i, i%5 == 0 // one of five is true
	}
	data := Examples("fifths", xs, ys)
	right := func(name string) Learner[int, bool] {
		return Pretrained(name, func(x int) bool { return x%5 == 0 })
	}
	cfg := Config{Protocol: split.CV(1, 5), Metrics: []metric.Metric{metric.Accuracy()}}
	t.Setenv("LEARNTEST_DEGRADE", "0.3")
	r := newRecorder(t)
	cs := CompareAll(r, cfg, data, right("same"), right("right"), right("other"))
	require.Empty(t, r.errors)
	for i, c := range cs {
		v := c.Judge(verdict.Claim{})
		// Of 30% of the predictions 1 − 0.8² − 0.2² are wrong.
		assert.InDelta(t, 1-0.3*0.32, v.CandidateMean, 4*math.Sqrt(0.1*0.9/2000))
		assert.Equal(t, 1.0, v.BaselineMean)
		name := []string{"right", "other"}[i] + " degraded by 0.3"
		assert.Equal(t, name, v.Candidate)
		assert.Contains(t, v.String(),
			name+" is 9.85 points worse than same on fifths in accuracy: regressed")
		assert.Contains(t, v.CandidateHeader.Reproduce, "LEARNTEST_DEGRADE=0.3 go test ")
		assert.Equal(t, name+" vs same on fifths",
			r.attrs[[]string{"learntest.1.comparison", "learntest.2.comparison"}[i]])
		assert.Contains(t, r.logs[i], name+" is 9.85 points worse than same on fifths in accuracy")
	}
	require.Equal(t, cs[0].Judge(verdict.Claim{}).Estimate, cs[1].Judge(verdict.Claim{}).Estimate,
		"seeded per trial")

	// The number of trials at a time changes nothing; a larger share replaces more predictions.
	cfg.Parallel = 1
	again := CompareWith(newRecorder(t), cfg, data, right("right"), right("same"))
	require.Equal(t, cs[0].Judge(verdict.Claim{}).String(), again.Judge(verdict.Claim{}).String())
	last := 1.0
	for _, f := range []string{"0.01", "0.1", "0.31", "0.5"} {
		t.Setenv("LEARNTEST_DEGRADE", f)
		v := CompareWith(newRecorder(t), cfg, data, right("right"), right("same")).Judge(verdict.Claim{})
		require.Less(t, v.CandidateMean, last, f)
		last = v.CandidateMean
	}
}

func TestDegradedProbabilitiesAndNumbers(t *testing.T) {
	t.Setenv("LEARNTEST_DEGRADE", "0.5")
	sure := Learner[int, bool]{Name: "sure", Fit: func(context.Context, Sample[int, bool],
		uint64,
	) (Model[int, bool], error) {
		return ProbabilityModel[int, bool](func(_ context.Context, xs []int, p []float64) error {
			for i, x := range xs {
				p[2*i+x%2], p[2*i+1-x%2] = 1, 0
			}
			return nil
		}), nil
	}}
	cfg := Config{Protocol: split.CV(2, 5), Metrics: []metric.Metric{
		metric.LogLoss(),
		metric.Accuracy(),
	}}
	r := newRecorder(t)
	v := CompareWith(r, cfg, numbers(600), sure,
		constant("odd", true)).Judge(verdict.Claim{Metric: "accuracy"})
	require.NotEmpty(t, r.errors, "the baseline has no probabilities")
	require.Equal(t, verdict.Invalid, v.Outcome)
	r = newRecorder(t)
	c := CompareWith(r, cfg, numbers(600), sure,
		func() Learner[int, bool] { l := sure; l.Name = "base"; return l }())
	require.Empty(t, r.errors)
	// Half of the rows are the prior, a half each, the others are right.
	assert.InDelta(t, 0.5*math.Ln2, c.Judge(verdict.Claim{Metric: "logloss"}).CandidateMean, 0.05)
	assert.InDelta(t, 0.75, c.Judge(verdict.Claim{Metric: "accuracy"}).CandidateMean, 0.05)

	// Numbers are targets of training examples, so that errors spread as differences of two draws.
	xs, ys := make([]int, 600), make([]float64, 600)
	for i := range xs {
		xs[i], ys[i] = i, float64(i%10)
	}
	exact := func(name string) Learner[int, float64] {
		return Pretrained(name, func(x int) float64 { return float64(x % 10) })
	}
	n := CompareWith(newRecorder(t), Config{Protocol: split.CV(2, 5)}, Examples("tens", xs, ys),
		exact("exact"), exact("base")).Judge(verdict.Claim{})
	assert.InDelta(t, math.Sqrt(0.5*2*8.25), n.CandidateMean, 0.3)
	assert.Zero(t, n.BaselineMean)
}

// Results that are worse on purpose are never stored, nor taken for stored ones.
func TestDegradedResultsAreNotStored(t *testing.T) {
	path := t.TempDir() + "/baseline.txt"
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Pkg: "p", Test: "T", Commit: "c0ffee"}}
	update(t, cfg, numbers(60), guesser("forest"), path)
	t.Setenv("LEARNTEST_DEGRADE", "0.2")
	for _, c := range []struct {
		set  func(t *testing.T, cfg *Config)
		want string
	}{
		{
			func(t *testing.T, _ *Config) { t.Setenv("LEARNTEST_OUT", path+".out") },
			"results that are stored (LEARNTEST_OUT, Config.Results.Out)",
		},
		{
			func(_ *testing.T, cfg *Config) { cfg.Results.Out = path + ".out" },
			"results that are stored (LEARNTEST_OUT, Config.Results.Out)",
		},
		{
			func(t *testing.T, _ *Config) { t.Setenv("LEARNTEST_IN", path) },
			"results of other runs (LEARNTEST_IN, Config.Results.In)",
		},
		{
			func(t *testing.T, _ *Config) { t.Setenv("LEARNTEST_UPDATE", "1"); t.Setenv("CI", "") },
			"a baseline that is written (LEARNTEST_UPDATE)",
		},
	} {
		t.Run(c.want, func(t *testing.T) {
			cfg := cfg
			c.set(t, &cfg)
			r := newRecorder(t)
			AgainstWith(r, cfg, numbers(60), guesser("forest"), path)
			require.Contains(t, r.fatal, "invalid configuration: LEARNTEST_DEGRADE and "+c.want+" exclude each other")
			require.NoFileExists(t, path+".out")
		})
	}
	// Against stored results, the candidate is worse.
	v := AgainstWith(newRecorder(t), cfg, numbers(60), guesser("forest"), path).Judge(verdict.Claim{})
	require.Equal(t, "forest now degraded by 0.2", v.Candidate)
	require.Equal(t, "forest at c0ffee", v.Baseline)
	require.NotEqual(t, verdict.Invalid, v.Outcome)
	f, err := record.Open(path)
	require.NoError(t, err)
	require.NoError(t, f.Check())
}
