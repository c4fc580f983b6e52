package judge

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pairsAround returns pairs of 3×4 folds with a mean difference and noise.
func pairsAround(difference, noise float64) *record.Pairs {
	h := &record.Header{Protocol: "cv runs=3 folds=4 stratified seed=1 v1"}
	p := &record.Pairs{
		Data: "d", Candidate: "a", Baseline: "b", CandidateHeader: h,
		BaselineHeader: &record.Header{Protocol: h.Protocol}, Unit: accuracy, Runs: 3, Folds: 4,
	}
	for i := range 12 {
		base := 0.7 + 0.02*float64(i%4) - 0.03
		p.B, p.TrainN, p.TestN = append(p.B, base), append(p.TrainN, 30000), append(p.TestN, 10000)
		p.A = append(p.A, base+difference+noise*(float64(i)-5.5))
	}
	return p
}

// A learner that has learned nothing meets no requirement of a margin, unless it is significantly
// better.
func TestRequirementsAreNotMetByWhatHasLearnedNothing(t *testing.T) {
	t.Parallel()
	judged := func(difference, noise float64, majority string) *verdict.Facts {
		p := pairsAround(difference, noise)
		p.CandidateHeader.Majority = majority
		f := &referee{Options: &Options{Gate: ruled(t, "", nonInferior, "")}}
		require.NoError(t, f.Margins.Set("1pp"))
		j := &judgement{pairs: p}
		require.NoError(t, f.judge(j, verdict.Claim{Alpha: 0.05}))
		return f.facts(j, false)
	}
	assert.True(t, judged(-0.001, 0.001, "").Margin.NonInferior)
	assert.True(t, judged(-0.001, 0.001, "never accuracy=0.6").Margin.NonInferior)
	w := judged(-0.001, 0.001, "never accuracy=0.699")
	assert.False(t, w.Margin.NonInferior)
	assert.False(t, w.Margin.Within)
	assert.Equal(t, `a is no better than always "never", which scores 69.90%`, w.Margin.Reason)
	assert.Contains(t, w.Notes, w.Margin.Reason)
	assert.Equal(t, inconclusive, w.Outcome)
	w = judged(-0.007, 0.0002, "never accuracy=0.699")
	assert.False(t, w.Margin.NonInferior)
	assert.Equal(t, regressed, w.Outcome, "a loss within the margin stays a loss")
}

// A baseline that has learned nothing can lose nothing: a learner that is there to be compared with
// has rows of its own.
func TestBaselinesThatHaveLearnedNothingLoseNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		majority             float64
		candidate            bool // whose header has it
		invalid, nonInferior bool
	}{
		{0.71, true, false, true},
		{0.71, false, false, true},
		{0.6998, true, true, false},
		{0.6998, false, true, false},
		{0.5, true, false, true},
	} {
		p := pairsAround(-0.001, 0.001)
		h := p.BaselineHeader
		if c.candidate {
			h = p.CandidateHeader
		}
		h.SetMajority(record.Majority{
			Class: "never", Units: []string{"accuracy"},
			Scores: []float64{c.majority},
		})
		f := &referee{Options: &Options{Gate: ruled(t, "", nonInferior, "")}}
		require.NoError(t, f.Margins.Set("5pp"))
		j := &judgement{pairs: p}
		err := f.judge(j, verdict.Claim{Alpha: 0.05})
		assert.Equal(t, c.invalid, err != nil, "%+v: %v", c, err)
		if err == nil {
			assert.Equal(t, c.nonInferior, f.facts(j, false).Margin.NonInferior, "%+v", c)
			assert.Equal(t, equivalent, f.facts(j, false).Outcome, "%+v", c)
		}
	}
}
