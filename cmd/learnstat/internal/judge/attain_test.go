package judge

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGateThatCannotFailIsAnError(t *testing.T) {
	t.Parallel()
	least := func(outcome string, p unit.Number) row {
		return row{label: outcome, v: verdict.Facts{
			Outcome: outcome, Test: "sign", Runs: 2,
			Folds: 3, LeastP: p,
		}}
	}
	for _, c := range []struct {
		name    string
		rows    []row
		failOn  string
		require string
		adjust  string
		want    string // "" if it can fail
	}{
		{"at the level", []row{least(inconclusive, 0.05)}, regressed, "", "none", ""},
		{
			"above it",
			[]row{least(inconclusive, 0.0625)},
			regressed, "", "none",
			"accuracy of inconclusive could not be significant at level 0.05 whatever the results were: the smallest p of sign from 2 runs of 3 folds is 0.062;",
		},
		{
			"on improvements",
			[]row{least(inconclusive, 0.0625)},
			improved, "", "none",
			"could not be significant",
		},
		{
			"on what needs no significance",
			[]row{least(inconclusive, 0.0625)},
			notImproved, "", "none",
			"",
		},
		{"of a requirement", []row{least(inconclusive, 0.0625)}, "", improved, "none", ""},
		{"unknown", []row{least(inconclusive, unit.NaN())}, regressed, "", "none", ""},
		{"invalid", []row{least(invalid, 0.0625)}, regressed, "", "none", ""},
		{
			"of few comparisons",
			[]row{least(inconclusive, 0.02), least(improved, 0.02)},
			regressed,
			"", "holm", "",
		},
		{
			"of many",
			[]row{least(inconclusive, 0.02), least(improved, 0.02), least(regressed, 0.02)},
			regressed, "", "holm", "is 0.020, holm over 3 comparisons 0.060;",
		},
		{
			"unadjusted",
			[]row{least(inconclusive, 0.02), least(improved, 0.02), least(regressed, 0.02)},
			regressed, "", "none", "",
		},
		// What could not be judged is adjusted for.
		{"of many, one invalid", []row{
			least(inconclusive, 0.02), least(improved, 0.02),
			least(invalid, 0.001),
		}, regressed, "", "holm", "is 0.020, holm over 3 comparisons 0.060;"},
	} {
		g := ruled(t, c.failOn, c.require, "")
		g.Adjust = adjust.MustLookup(c.adjust)
		problems := g.Hold(reportOf(c.rows...))
		if c.want == "" {
			assert.Empty(t, problems, c.name)
			continue
		}
		require.Len(t, problems, 1, c.name)
		assert.Contains(t, problems[0].Error(), "the gate cannot fail: ", c.name)
		assert.Contains(t, problems[0].Error(), c.want, c.name)
	}
	for _, c := range []struct{ tail, failOn, want string }{
		{"better", regressed, "with -tail better nothing is regressed"},
		{"worse", improved, "with -tail worse nothing is improved"},
		{"better", improved, ""},
		{"worse", regressed, ""},
		{"better", notImproved, ""},
	} {
		r := reportOf(row{label: "a", v: sure(inconclusive)})
		r.Settings.Tail = c.tail
		problems := errorsOf(ruled(t, c.failOn, "", "").Hold(r))
		assert.Contains(t, problems, c.want)
		assert.Equal(t, c.want == "", problems == "", "%s %s: %s", c.tail, c.failOn, problems)
	}
}
