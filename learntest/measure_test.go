package learntest

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMeasureStoresOneLearner(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	r := newRecorder(t)
	m := MeasureWith(r, Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}, numbers(60),
		parity())
	assert.Empty(t, r.errors)
	v := m.Judge(verdict.Claim{Kind: verdict.AtLeast, Threshold: 0.95})
	require.NoError(t, v.Err)
	assert.True(t, v.Holds)
	assert.Equal(t, "parity reaches 95.00% accuracy on numbers", v.Statement())
	assert.Equal(t, v.String(), m.Judge(verdict.Claim{
		Kind:      verdict.AtLeast,
		Threshold: 0.95,
	}).String(), "a claim changes nothing")
	f := open(t, out)
	e := f.Experiments()
	require.Len(t, e, 1)
	assert.Equal(t, []string{"parity"}, e[0].Learners)
	assert.Len(t, m.Records().Blocks(), 1)
	stored := judged(f, "numbers", "parity", "parity", verdict.Claim{
		Kind:      verdict.AtLeast,
		Threshold: 0.95,
	})
	assert.Equal(t, v.String(), stored.String(), "the file has the verdict of the test")
}

func TestMeasureAnswersNoClaimAboutTwo(t *testing.T) {
	r := newRecorder(t)
	m := Measure(r, numbers(60), parity())
	for _, kind := range []verdict.Kind{
		verdict.Differs, verdict.Improves, verdict.NoRegression,
		verdict.Equivalent, verdict.Replicable, verdict.Unbeaten,
	} {
		v := m.Judge(verdict.Claim{
			Kind:          kind,
			Replicability: map[bool]float64{true: 0.9}[kind == verdict.Replicable],
		})
		require.ErrorIs(t, v.Err, verdict.ErrClaim)
		require.False(t, v.Holds)
		require.ErrorContains(t, v.Err, map[bool]string{
			false: "there is one learner, and no other one",
			true:  "only a stored baseline",
		}[kind == verdict.Unbeaten])
	}
	assert.False(t, m.Judge(verdict.Claim{Kind: verdict.AtLeast, Threshold: 0.96}).Holds,
		"60 examples show .957 at most")
	assert.False(t, m.Judge(verdict.Claim{Kind: verdict.AtLeast, Threshold: 0.9, Metric: "f1"}).Holds)
}

func TestMeasureWithoutAClaimFails(t *testing.T) {
	r := newRecorder(t)
	Measure(r, numbers(60), parity())
	r.end()
	require.Len(t, r.errors, 1)
	assert.Regexp(t, `^learntest\.Measure: nothing was claimed of parity on numbers when the test ended: it passes whatever the scores are: .*assert\.AtLeast\(t, m, 0\.7\)`, r.errors[0])
}

func TestMeasureReportsFailures(t *testing.T) {
	r := newRecorder(t)
	m := Measure(r, numbers(60), Func("broken", func(context.Context, Sample[int, bool],
		uint64,
	) (func(int) bool, error) {
		return nil, errors.New("no power")
	}))
	require.NotEmpty(t, r.errors)
	assert.Contains(t, r.errors[0], "learntest.Measure: ")
	v := m.Judge(verdict.Claim{Kind: verdict.AtLeast, Threshold: 0.6})
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.False(t, v.Holds)

	r = newRecorder(t)
	MeasureWith(r, Config{Protocol: split.CV(2, 100)}, numbers(60), parity())
	assert.Contains(t, r.fatal, "learntest.Measure: ")
}

// The candidate of a comparison has a score of its own, whichever the baseline is.
func TestThresholdsOfAComparison(t *testing.T) {
	r := newRecorder(t)
	cfg := Config{Metrics: []metric.Metric{metric.Accuracy(), metric.Error()}}
	c := CompareWith(r, cfg, numbers(60), parity(), constant("even", false))
	v := c.Judge(verdict.Claim{Kind: verdict.AtLeast, Threshold: 0.9})
	require.NoError(t, v.Err)
	assert.True(t, v.Holds)
	assert.True(t, c.Judge(verdict.Claim{Kind: verdict.AtMost, Threshold: 0.1, Metric: "error"}).Holds)
	assert.Error(t, c.Judge(verdict.Claim{Kind: verdict.AtMost, Threshold: 0.9}).Err)
	other := CompareWith(r, cfg, numbers(60), constant("even", false), parity())
	v = other.Judge(verdict.Claim{Kind: verdict.AtLeast, Threshold: 0.9})
	require.NoError(t, v.Err)
	assert.Equal(t, verdict.Regressed, v.Outcome)
	assert.False(t, v.Holds)
}

func TestMeasureUnderTheEnvironment(t *testing.T) {
	t.Setenv("LEARNTEST_DEGRADE", "0.5")
	r := newRecorder(t)
	m := Measure(r, numbers(60), parity())
	v := m.Judge(verdict.Claim{Kind: verdict.AtLeast, Threshold: 0.9})
	require.NoError(t, v.Err)
	assert.False(t, v.Holds, "%v", v)
	assert.Contains(t, v.String(), "parity degraded by 0.5")
}

func TestMeasureNamesAnotherSeed(t *testing.T) {
	t.Setenv("LEARNTEST_SEED", "7")
	m := Measure(newRecorder(t), numbers(60), parity())
	assert.Contains(t, m.Judge(verdict.Claim{Kind: verdict.AtLeast, Threshold: 0.9}).String(),
		"the seed is 7, not 1")
}

func TestMeasureUnderShort(t *testing.T) {
	defer func(is func() bool) { isShort = is }(isShort)
	isShort = func() bool { return true }
	m := Measure(newRecorder(t), numbers(60), parity())
	v := m.Judge(verdict.Claim{Kind: verdict.AtLeast, Threshold: 0.9})
	require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
	require.False(t, v.Holds)
}

// A required replicability trains further runs.
func TestMeasureTrainsFurtherRuns(t *testing.T) {
	r := newRecorder(t)
	m := MeasureWith(r, Config{
		Protocol: split.CV(2, 5),
		Metrics:  []metric.Metric{metric.BalancedAccuracy()},
	}, numbers(60), guesser("coin"))
	v := m.Judge(verdict.Claim{
		Kind: verdict.AtLeast, Threshold: 0.01, Replicability: 0.9,
		AllowMajority: true,
	})
	require.NoError(t, v.Err, "%v", v)
	assert.True(t, v.Holds)
	assert.GreaterOrEqual(t, v.Rerun.Runs, 2)
}
