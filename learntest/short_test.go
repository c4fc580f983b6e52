package learntest

import (
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/learntest/split"
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
		for _, kind := range []verdict.Kind{verdict.Differs, verdict.Improves, verdict.NoRegression, verdict.Equivalent} {
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
			require.Contains(t, v.String(), "the candidate is significantly worse in the first of 3 runs, which is all that -short runs")
			require.Equal(t, 1, v.Runs)
		}
		assert.Empty(t, rg.attrs)
		assert.Equal(t, "regressed", rb.attrs["learntest.1.verdict"])
		v := good.Judge(verdict.Claim{Metric: "nonsense"})
		assert.NotErrorIs(t, v.Err, verdict.ErrNotJudged)
		assert.Equal(t, verdict.Invalid, v.Outcome)
	}
	// Where both score the same, it does not say that it would show a loss of 0 points.
	inShort(func() {
		r := newRecorder(t)
		v := CompareWith(r, cfg, numbers(60), Pretrained("forest", odd), Pretrained("base", odd)).Judge(verdict.Claim{Kind: verdict.NoRegression})
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

		// What has one run is what it is.
		one := cfg
		one.Protocol = split.CV(1, 5)
		c := CompareWith(newRecorder(t), one, numbers(60), Pretrained("forest", odd), Pretrained("base", even))
		assert.True(t, c.Judge(verdict.Claim{Kind: verdict.Improves}).Holds)
	})
}
