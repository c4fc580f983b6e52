package learntest_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// timedTest claims that a learner is no slower than another one, which takes twice as long.
const timedTest = `package model

import (
	"context"
	"testing"
	"time"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
)

func slow(name string, fit time.Duration) learntest.Learner[int, bool] {
	train := func(context.Context, learntest.Sample[int, bool], uint64) (func(int) bool, error) {
		time.Sleep(fit)
		return func(x int) bool { return x%2 == 0 }, nil
	}
	return learntest.Func(name, train)
}

func TestTimes(t *testing.T) {
	xs, ys := make([]int, 100), make([]bool, 100)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 0
	}
	data := learntest.Examples("numbers", xs, ys)
	cfg := learntest.Config{NoClaim: true, Depends: []string{}, Parallel: 1, Protocol: split.CV(5, 10)}
	c := learntest.CompareWith(t, cfg, data,
		slow("new", 25*time.Millisecond), slow("old", 50*time.Millisecond))
	assert.RatioAtMost(t, c, 1.2)
}
`

// Trials of the cache were timed elsewhere, and at another time: a claim about times does not take
// them for its own.
func TestTimesOfTheCacheAreNotClaimed(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.write("model/model_test.go", timedTest)
	h.commit()
	tests := filepath.Join(t.TempDir(), "model.test")
	h.command("go", "test", "-trimpath", "-c", "-o", tests, "./model")
	run := func() (string, error) {
		cmd := h.prepare(t.Context(), tests, "-test.v", "-test.run", "TestTimes")
		cmd.Dir = filepath.Join(h.dir, "model")
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	text, err := run()
	require.NoError(t, err, text)
	require.Contains(t, text, "100 of 100 trained")
	text, err = run()
	require.Error(t, err, text)
	require.Contains(t, text, "0 of 100 trained")
	assert.Contains(t, text, "Claim does not hold")
	assert.Contains(t, text, "it has no times: stored baselines and trials from a cache have none")
}
