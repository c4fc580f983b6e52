package verdict

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sizes returns pairs of model sizes: the candidate's are the baseline's, of 1000 bytes and a few
// more, times the ratios.
func sizes(determinism string, ratios ...float64) *record.Pairs {
	p := timePairs(1000, ratios...)
	p.Unit = unit.Unit{Name: "model-bytes", Better: unit.Lower, Max: math.Inf(1), OfModel: true}
	h := *p.CandidateHeader
	h.Machine, h.Determinism = "", determinism
	p.CandidateHeader, p.BaselineHeader = &h, &h
	return p
}

const bothFixed = "forest=yes bayes=yes/6"

func ofSizes(limit float64) Claim {
	return Claim{Kind: RatioAtMost, Threshold: limit, Metric: "model-bytes"}
}

// Sizes that seeds fix are compared exactly: no p, and the ratio of the totals is the smallest
// limit that holds.
func TestSizesAreComparedExactly(t *testing.T) {
	t.Parallel()
	p := sizes(bothFixed, 1.3, 1.1, 1.2, 1, 1.15) // 1.15 in all
	shown := Judge(p, ofSizes(1.15))
	require.NoError(t, shown.Err)
	assert.True(t, shown.Holds)
	assert.Equal(t, `forest costs at most ×1.15 the model-bytes of bayes on vehicle: shown
  model-bytes    forest 1150, bayes 1000 (means of 5 trials)
  claim          at most ×1.15: shown, ×1.15 exactly
  test           ratio of totals, n = 1×5: the seeds fix all models, so that nothing is estimated
  protocol       cv runs=1 folds=10 stratified seed=1 v1
  data           vehicle, sha256 
`, shown.String())
	assert.Equal(t, []string{"1000", "1150", "×1.15", "×1.15", "exact"}, RatioCells(&shown))
	assert.Equal(t, 5, shown.Totals.Models)

	refuted := Judge(p, ofSizes(1.1499))
	assert.False(t, refuted.Holds)
	assert.Equal(t, Regressed, refuted.Outcome)
	assert.Contains(t, refuted.String(), "on vehicle: refuted\n")
	assert.Contains(t, refuted.String(), "at most ×1.1499: refuted, ×1.15 exactly\n")
	assert.Equal(t, "the totals have the ratio ×1.15", refuted.Reason)
	assert.True(t, Judge(sizes(bothFixed, 1), ofSizes(1)).Holds, "one model is all that there is")

	// Nothing is to adjust.
	family, err := Adjust([]Verdict{shown, shown, refuted}, adjust.MustLookup("holm"))
	require.NoError(t, err)
	for i, want := range []bool{true, true, false} {
		assert.Equal(t, want, family[i].Holds)
	}
}

// Heads name the learners, and pairs may have titles for them.
func TestSizesOfTitles(t *testing.T) {
	t.Parallel()
	p := sizes("forest=yes", 1, 1, 1)
	p.Candidate, p.Baseline, p.CandidateLearner, p.BaselineLearner = "forest, now", "forest at 3f",
		"forest", "forest"
	require.NotNil(t, Judge(p, ofSizes(1)).Totals)
}

// Sizes that vary between trainings, or may do, are judged by the median ratio.
func TestSizesThatVary(t *testing.T) {
	t.Parallel()
	for _, determinism := range []string{
		"forest=no bayes=yes", "forest=yes bayes=no", "forest=yes",
		"", "forest=unknown bayes=yes",
	} {
		p := sizes(determinism, evenly(20, 1.1)...)
		v := Judge(p, ofSizes(1.2))
		require.NoError(t, v.Err)
		require.True(t, v.Holds)
		require.Nil(t, v.Totals)
		m, err := stat.RatioAtMost(p.A, p.B, 1.2, 0.05)
		require.NoError(t, err)
		require.Equal(t, m, *v.Ratio)
		require.Contains(t, v.String(), "  model-bytes    forest 1100, bayes 1000 (means of 20 trials)\n")
		require.NotContains(t, v.String(), "machine")
		require.Equal(t, "1000", RatioCells(&v)[0])
		require.Contains(t, Judge(p, ofSizes(1.102)).Help[0],
			"the costs of models vary: more runs narrow the bound; a limit of ×1.11 would have held here")
		require.ErrorIs(t, Judge(sizes(determinism, 1, 1, 1, 1), ofSizes(2)).Err, stat.ErrSampleSize)
	}
}

func TestSizesThatHaveNoRatio(t *testing.T) {
	t.Parallel()
	p := sizes(bothFixed, 1, 2)
	p.B = []float64{0, 0}
	for name, c := range map[string]struct {
		p     *record.Pairs
		claim Claim
		says  string
	}{
		"no baseline": {
			p, ofSizes(1),
			"mean model-bytes of forest is 1500, and of bayes 0: there is no ratio",
		},
		"other metric": {sizes(bothFixed, 1), spends(1), "it is about usd, the pairs are of model-bytes"},
		"no limit":     {sizes(bothFixed, 1), ofSizes(0), "1.2 allows a fifth more"},
		"a margin": {sizes(bothFixed, 1), Claim{
			Kind: RatioAtMost, Threshold: 1,
			Metric: "model-bytes", Margin: 1,
		}, "takes neither a margin"},
		"no number": {sizes(bothFixed, math.NaN()), ofSizes(1), "is NaN"},
		"a score": {func() *record.Pairs {
			p := sizes(bothFixed,
				1)
			p.Unit.OfModel = false
			return p
		}(), ofSizes(1), "a ratio is claimed of times"},
	} {
		v := Judge(c.p, c.claim)
		require.Equal(t, Invalid, v.Outcome, name)
		require.False(t, v.Holds, name)
		require.ErrorContains(t, v.Err, c.says, name)
	}
}
