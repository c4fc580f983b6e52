package items

import (
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// TestSomeItems asks for the items that a pattern matches, and judges no claim.
func TestSomeItems(t *testing.T) {
	var calls atomic.Int64
	t.Setenv("LEARNTEST_ITEMS", "")
	ids := questions(60).items
	path := filepath.Join(t.TempDir(), "agent.txt")
	t.Setenv("CI", "")
	t.Setenv("LEARNTEST_UPDATE", "1")
	Against(&recorder{T: t}, Config{Repeats: 2}, questions(60), upTo("agent", 60, nil), path)
	t.Setenv("LEARNTEST_UPDATE", "")

	for pattern, n := range map[string]int64{
		ids[7].ID: 1, ids[7].ID[:len(ids[7].ID)-1] + "?": 10,
		"q0?7": 6,
	} {
		t.Setenv("LEARNTEST_ITEMS", pattern)
		calls.Store(0)
		r := &recorder{T: t}
		c := Against(r, Config{Repeats: 2}, questions(60), upTo("agent", 0, &calls), path)
		for _, claim := range []verdict.Claim{
			noRegression,
			{Slices: &verdict.Slices{}},
			{Kind: verdict.RatioAtMost, Threshold: 1.2},
		} {
			vs := c.Verdicts(claim)
			require.Len(t, vs, 1)
			require.ErrorIs(t, vs[0].Err, verdict.ErrNotJudged)
			require.False(t, vs[0].Holds)
		}
		require.EqualValues(t, 2*n, calls.Load(), pattern)
		r.end()
		require.Empty(t, r.errors)
		if logs := strings.Join(r.logs, "\n"); testing.Verbose() {
			require.EqualValues(t, n, strings.Count(logs, "correct 0.00%, before 100.00%"), logs)
		}
	}
	for pattern, msg := range map[string]string{
		"none-*":      "it matches none of the 60 items of faq, such as " + ids[0].ID,
		ids[7].ID[1:]: "it matches none",
		".*":          "it matches none",
	} {
		t.Setenv("LEARNTEST_ITEMS", pattern)
		r := &recorder{T: t}
		Compare(r, Config{}, questions(60), upTo("agent", 0, nil), upTo("before", 0, nil))
		require.Contains(t, r.fatal, msg)
	}
	t.Setenv("LEARNTEST_ITEMS", "*")
	calls.Store(0)
	v := judge(t, Compare(&recorder{T: t}, Config{}, questions(60), upTo("agent", 60, &calls),
		upTo("before", 0, nil)), verdict.Claim{})
	require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
	require.EqualValues(t, 60, calls.Load(), "and none again")
	v = judge(t, Scored(&recorder{T: t}, "faq", []string{"a"}, []float64{1}, []float64{1}),
		noRegression)
	require.ErrorIs(t, v.Err, verdict.ErrNotJudged)

	for name, value := range map[string]string{
		"CI": "true", "LEARNTEST_OUT": path,
		"LEARNTEST_RESUME": "1", "LEARNTEST_UPDATE": "1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			r := &recorder{T: t}
			Compare(r, Config{}, questions(60), upTo("agent", 0, nil), upTo("before", 0, nil))
			require.Contains(t, r.fatal, "environment variable LEARNTEST_ITEMS=*: ")
		})
	}
}
