package learntest

import (
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inShort runs f as under -short.
func inShort(f func()) {
	defer func(is func() bool) { isShort = is }(isShort)
	isShort = func() bool { return true }
	f()
}

// Under -short a claim fails if the first run shows a regression, and is not judged
// otherwise, be the baseline trained or stored.
func TestShortComparisons(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(3, 5), Results: Results{Pkg: "p", Test: "T", Commit: "c0ffee"}}
	odd, even := func(i int) bool { return i%2 == 1 }, func(i int) bool { return i%2 == 0 }
	update(t, cfg, numbers(60), guesser("forest"), path)
	whole := CompareWith(newRecorder(t), cfg, numbers(60), Pretrained("forest", odd), guesser("base"))
	for _, stored := range []bool{false, true} {
		compare := func(r *recorder, l Learner[int, bool]) *Comparison {
			if stored {
				return AgainstWith(r, cfg, numbers(60), l, path)
			}
			return CompareWith(r, cfg, numbers(60), l, guesser("base"))
		}
		var good, bad *Comparison
		rg, rb := newRecorder(t), newRecorder(t)
		c := counter{fits: make(map[string]int)}
		inShort(func() {
			good = compare(rg, c.wrap(Pretrained("forest", odd)))
			bad = compare(rb, Pretrained("forest", even))
		})
		assert.Len(t, c.fits, 5, "one run")
		require.Empty(t, rg.fatal)
		require.Empty(t, rg.errors)
		for _, kind := range []verdict.Kind{
			verdict.Differs, verdict.Improves, verdict.NoRegression,
			verdict.Equivalent,
		} {
			claim := verdict.Claim{Kind: kind, Margin: 0.1}
			if kind == verdict.Improves || kind == verdict.Differs {
				claim.Margin = 0
			}
			v := good.Judge(claim)
			require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
			require.False(t, v.Holds)
			require.Equal(t, verdict.Invalid, v.Outcome)
			require.Regexp(t, `^not judged: -short runs the first of 3 runs, which shows no significant regression \(it would show one of \d+\.\d\d points in 80% of cases\)$`, v.Err.Error())
			v = bad.Judge(claim)
			require.NoError(t, v.Err)
			require.False(t, v.Holds)
			require.Equal(t, verdict.Regressed, v.Outcome)
			require.Contains(t, v.String(),
				"the candidate is significantly worse in the first of 3 runs, which is all that -short runs")
			require.Equal(t, 1, v.Runs)
		}
		assert.Empty(t, rg.attrs)
		assert.Equal(t, "regressed", rb.attrs["learntest.1.verdict"])
		v := good.Judge(verdict.Claim{Metric: "nonsense"})
		assert.NotErrorIs(t, v.Err, verdict.ErrNotJudged)
		assert.Equal(t, verdict.Invalid, v.Outcome)
	}
	// Where both have equal scores, the reason does not say that it would show a loss of 0 points.
	inShort(func() {
		r := newRecorder(t)
		v := CompareWith(r, cfg, numbers(60), Pretrained("forest", odd),
			Pretrained("base", odd)).Judge(verdict.Claim{Kind: verdict.NoRegression})
		require.EqualError(t, v.Err, "not judged: -short runs the first of 3 runs, which shows no significant regression")
	})
	// The run is the first one of the whole.
	inShort(func() {
		short := CompareWith(newRecorder(t), cfg, numbers(60), Pretrained("forest", odd), guesser("base"))
		var first []float64
		for trial := range whole.Records().Blocks()[0].Trials() {
			if trial.Run == 1 {
				first = append(first, trial.Values...)
			}
		}
		var got []float64
		for trial := range short.Records().Blocks()[0].Trials() {
			got = append(got, trial.Values...)
		}
		assert.Equal(t, first, got)

		// A protocol of one run is left alone.
		one := cfg
		one.Protocol = split.CV(1, 5)
		c := CompareWith(newRecorder(t), one, numbers(60), Pretrained("forest", odd),
			Pretrained("base", even))
		assert.True(t, c.Judge(verdict.Claim{Kind: verdict.Improves}).Holds)
	})
}

// Under -short a loss fails no claim whose margin allows it, and the level of the claim counts.
func TestShortComparisonsHeedMarginAndLevel(t *testing.T) {
	cfg := Config{Protocol: split.CV(3, 5), Results: Results{Pkg: "p", Test: "T"}}
	data := numbers(400)
	judge := func(metrics []metric.Metric, wrong int, claim verdict.Claim) verdict.Verdict {
		var v verdict.Verdict
		inShort(func() {
			cfg := cfg
			cfg.Metrics = metrics
			v = CompareWith(newRecorder(t), cfg, data, wrongBelow("forest", wrong),
				wrongBelow("base", 0)).Judge(claim)
		})
		require.False(t, v.Holds)
		return v
	}
	accuracy, loss := []metric.Metric{metric.Accuracy()}, []metric.Metric{metric.Error()}
	const allowed = "not judged: -short runs the first of 3 runs, which shows no loss above "
	var half, tenth unit.Margins
	require.NoError(t, half.Set("50%"))
	require.NoError(t, tenth.Set("10%"))
	for name, c := range map[string]struct {
		metrics []metric.Metric
		claim   verdict.Claim
		want    string // of the error; empty if the claim fails
	}{
		"no margin":          {accuracy, verdict.Claim{Kind: verdict.Improves}, ""},
		"a difference":       {accuracy, verdict.Claim{}, ""},
		"the default margin": {accuracy, verdict.Claim{Kind: verdict.NoRegression}, ""},
		"a margin below the loss": {accuracy, verdict.Claim{
			Kind:   verdict.NoRegression,
			Margin: 0.14,
		}, ""},
		"the loss": {accuracy, verdict.Claim{
			Kind:   verdict.NoRegression,
			Margin: 0.16,
		}, allowed + "16.00 points"},
		"apart, below the loss": {
			accuracy,
			verdict.Claim{Kind: verdict.Equivalent, Margin: 0.14},
			"",
		},
		"apart": {
			accuracy,
			verdict.Claim{Kind: verdict.Equivalent, Margin: 0.4},
			allowed + "40.00 points",
		},
		"a rope": {accuracy, verdict.Claim{
			Kind: verdict.NoRegression, Rope: 0.4,
			Probability: 0.95,
		}, allowed + "40.00 points"},
		"a rope below the loss": {accuracy, verdict.Claim{
			Kind: verdict.NoRegression, Rope: 0.1,
			Probability: 0.95,
		}, ""},
		"a gain is no margin": {accuracy, verdict.Claim{Kind: verdict.Improves, Gain: 0.4}, ""},
		"lower is better": {
			loss,
			verdict.Claim{Kind: verdict.NoRegression, Margin: 0.4},
			allowed + "40.00 points",
		},
		"lower is better, and the loss": {
			loss,
			verdict.Claim{Kind: verdict.NoRegression, Margin: 0.1},
			"",
		},
		"of the baseline's mean": {accuracy, verdict.Claim{
			Kind:    verdict.NoRegression,
			Margins: half,
		}, allowed + "50.00 points"},
		"less of it than the loss": {accuracy, verdict.Claim{
			Kind:    verdict.NoRegression,
			Margins: tenth,
		}, ""},
		"of all": {
			accuracy,
			verdict.Claim{Kind: verdict.NoRegression, Margin: 2},
			"invalid claim: no two values of accuracy differ by more than 1",
		},
		"a stricter level": {accuracy, verdict.Claim{
			Kind:  verdict.NoRegression,
			Alpha: 1e-12,
		}, "not judged: -short runs the first of 3 runs, which shows no significant regression"},
	} {
		v := judge(c.metrics, 60, c.claim) // 15 points of 100 are lost
		if c.want == "" {
			require.NoError(t, v.Err, name)
			require.Equal(t, verdict.Regressed, v.Outcome, name)
			continue
		}
		require.ErrorContains(t, v.Err, c.want, name)
		require.Equal(t, verdict.Invalid, v.Outcome, name)
	}
	t.Setenv(envAlpha, "1e-12")
	require.ErrorIs(t, judge(accuracy, 60, verdict.Claim{Kind: verdict.NoRegression}).Err,
		verdict.ErrNotJudged, "the level of the environment")
	require.NoError(t, judge(accuracy, 60, verdict.Claim{Kind: verdict.NoRegression, Alpha: 0.05}).Err,
		"which a claim of its own overrides")
}

// Stored results are judged whole under -short, and a shard trains its part: nothing is left out of
// them.
func TestShortLeavesShardsWhole(t *testing.T) {
	dir := t.TempDir()
	learners := []Learner[int, bool]{
		Pretrained("good", func(i int) bool { return i%2 == 1 }),
		guesser("base"),
	}
	inShort(func() {
		for i := range 2 {
			cfg := Config{Protocol: split.CV(3, 5), Results: Results{
				Pkg: "p", Test: "T",
				Shard: split.Shard{Index: i + 1, Count: 2},
				Out:   filepath.Join(dir, []string{"a.txt", "b.txt"}[i]),
			}}
			r := newRecorder(t)
			c := CompareWith(r, cfg, numbers(60), learners[0], learners[1])
			require.Empty(t, r.fatal)
			require.Len(t, trials(c.Records().Blocks()[0]), []int{16, 14}[i])
			require.ErrorContains(t, c.Judge(verdict.Claim{}).Err, "this is shard")
			r.end()
		}
		r := newRecorder(t)
		c := CompareWith(r, Config{Protocol: split.CV(3, 5), Results: Results{
			Pkg: "p", Test: "T",
			In: []string{filepath.Join(dir, "*.txt")},
		}}, numbers(60), learners[0], learners[1])
		require.Empty(t, r.fatal)
		v := c.Judge(verdict.Claim{Kind: verdict.Improves})
		require.True(t, v.Holds, "%v", v)
		require.Equal(t, 3, v.Runs)
	})
}
