package items

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/require"
)

// sliced is a suite whose items are in the slice of their third, and one in ten in a small one,
// too.
func sliced(n int) Suite[question] {
	var all []question
	for i := range n {
		all = append(all, question{ID: fmt.Sprintf("q%03d", i), N: i})
	}
	return New("faq", all, func(q question) Item {
		it := Item{ID: q.ID, Slices: []string{fmt.Sprintf("third=%d", q.N*3/n)}}
		if q.N%10 == 0 {
			it.Slices = append(it.Slices, "tenth")
		}
		return it
	})
}

// The whole is better, and one slice is worse.
func TestSlicesOfASuite(t *testing.T) {
	r := &recorder{T: t}
	var calls atomic.Int64
	before := NewSystem("before", func(_ context.Context, q question, _ int) (Scores, error) {
		calls.Add(1)
		if q.N/50 == 1 {
			return Scores{"correct": 1}, nil
		}
		return Scores{"correct": float64(q.N % 2)}, nil
	})
	agent := NewSystem("agent", func(_ context.Context, q question, _ int) (Scores, error) {
		calls.Add(1)
		if q.N/50 == 1 {
			return Scores{"correct": float64(q.N % 2)}, nil
		}
		return Scores{"correct": 1}, nil
	})
	c := Compare(r, Config{}, sliced(150), agent, before)
	require.True(t, assert.NoRegression(r, c, assert.Margin(0.02)))
	require.EqualValues(t, 306, calls.Load())
	require.False(t, assert.NoRegression(r, c, assert.Margin(0.1), assert.Slices("third=*")))
	require.Len(t, r.errors, 1)
	require.Contains(t, r.errors[0], "slice          third=1, 50 items")
	require.NotContains(t, r.errors[0], "third=0")
	require.NotContains(t, r.errors[0], "third=2")
	require.Contains(t, r.errors[0],
		"items          0 better, 25 worse, 25 equal; worst: q050 (1/1 to 0/1)")
	require.True(t, assert.NoRegression(r, c, assert.Margin(0.1), assert.Slices("third=0", "third=2")))

	r.errors = nil
	require.False(t, assert.NoRegression(r, c, assert.Margin(0.1),
		assert.Slices("third=0", "fourth=*")))
	require.Contains(t, r.errors[0],
		`no slice matches "fourth=*": there are "tenth", "third=0", "third=1", "third=2"`)
	r.errors, r.logs = nil, nil
	require.True(t, assert.NoRegression(r, c, assert.Margin(0.1), assert.Slices("third=0", "tenth")))
	require.Contains(t, strings.Join(r.logs, "\n"),
		"1 of 2 slices are too small to be judged (30 items in 5 clusters): tenth, 15 items, ")
	for _, options := range [][]assert.Option{
		{assert.Slices("tenth")},
		{assert.Slices("third=0", "tenth", assert.All)},
	} {
		r.errors = nil
		require.False(t, assert.NoRegression(r, c, append(options, assert.Margin(0.1))...))
		require.Contains(t, r.errors[0],
			"slices cannot be judged: too small to be judged: slice tenth has 15 items, fewer than 30")
	}
	require.EqualValues(t, 306, calls.Load())
	r.errors = nil
	require.False(t, assert.NoRegression(r, c, assert.OnUnit("usd"), assert.Margin(0.1),
		assert.Slices("third=0")))
	require.Contains(t, r.errors[0], "metric usd is not among Config.Metrics")

	one := Compare(r, Config{}, sliced(150), NewSystem("agent", func(context.Context, question,
		int,
	) (Scores, error) {
		return Scores{"correct": 0}, nil
	}), upTo("before", 60, nil))
	r.errors = nil
	require.False(t, assert.NoRegression(r, one, assert.Margin(0.1), assert.Slices("third=2")))
	require.Contains(t, r.errors[0],
		"slice third=2: invalid claim: with a margin of 10.00 points even a candidate with 0.00%")

	none := Compare(r, Config{}, questions(60), agent, before)
	r.errors = nil
	require.False(t, assert.NoRegression(r, none, assert.Margin(0.1), assert.Slices()))
	require.Contains(t, r.errors[0], "the data have no slices")
}

// A claim that the slices cannot decide costs nothing.
func TestSlicesAreCheckedBeforeAnythingIsAsked(t *testing.T) {
	r := &recorder{T: t}
	var calls atomic.Int64
	c := Compare(r, Config{}, sliced(60), upTo("agent", 60, &calls), upTo("before", 60, &calls))
	require.False(t, assert.NoRegression(r, c, assert.Margin(0.1), assert.Slices()))
	require.Contains(t, r.errors[0], "4 of 4 slices cannot be judged")
	c = Compare(r, Config{}, sliced(150), upTo("agent", 50, &calls), upTo("before", 50, &calls))
	require.False(t, assert.NoRegression(r, c, assert.Margin(0.1), assert.Slices(assert.All)))
	require.Zero(t, calls.Load())
	r.logs = nil
	require.False(t, assert.NoRegression(r, c, assert.Margin(0.05), assert.Slices("third=0")))
	require.EqualValues(t, 306, calls.Load())
	require.Contains(t, strings.Join(r.logs, "\n"), "note: ")
}

// Slices are stored with the baseline, and one that is gone or renamed fails its claim; the suite
// is still compared.
func TestSlicesOfBaselines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.txt")
	t.Setenv(envUpdate, "force")
	r := &recorder{T: t}
	Against(r, Config{}, sliced(150), upTo("agent", 150, nil), path)
	require.Empty(t, r.errors)
	t.Setenv(envUpdate, "")
	r = &recorder{T: t}
	c := Against(r, Config{}, sliced(150), upTo("agent", 150, nil), path)
	require.True(t, assert.NoRegression(r, c, assert.Margin(0.1), assert.Slices("third=*")))
	require.Empty(t, r.errors)

	var calls atomic.Int64
	var all []question
	for i := range 150 {
		all = append(all, question{ID: fmt.Sprintf("q%03d", i), N: i})
	}
	renamed := New("faq", all, func(q question) Item {
		return Item{
			ID:     q.ID,
			Slices: []string{"easy"},
		}
	})
	c = Against(r, Config{}, renamed, upTo("agent", 150, &calls), path)
	require.False(t, assert.NoRegression(r, c, assert.Margin(0.1), assert.Slices()))
	require.Contains(t, r.errors[0],
		`slice easy: not found: slice easy on data set faq; there are: "tenth"`)
	require.Zero(t, calls.Load())
	require.True(t, assert.NoRegression(r, c, assert.Margin(0.1)))
}

// Under -short the slices of the tenth are too small: the test is skipped, and does not fail.
func TestSlicesUnderShort(t *testing.T) {
	defer func(was func() bool) { isShort = was }(isShort)
	isShort = func() bool { return true }
	r := &recorder{T: t}
	c := Compare(r, Config{}, sliced(400), upTo("agent", 100, nil), upTo("before", 300, nil))
	for _, v := range c.Verdicts(verdict.Claim{
		Kind: verdict.NoRegression, Margin: 0.1,
		Slices: &verdict.Slices{Patterns: []string{"tenth", "third=1"}},
	}) {
		require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
		require.ErrorContains(t, v.Err, "-short asks 40 of 400 items, too few of which are in slice ")
	}
	c = Compare(r, Config{}, sliced(1500), upTo("agent", 100, nil), upTo("before", 900, nil))
	vs := c.Verdicts(verdict.Claim{
		Kind: verdict.NoRegression, Margin: 0.1,
		Slices: &verdict.Slices{Patterns: []string{"third=1"}},
	})
	require.Equal(t, verdict.Regressed, vs[0].Outcome, "%v", vs[0].Err)
}
