package verdict

import (
	"fmt"
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Brief comes to what Judge comes to, whatever the claim is.
func TestBriefIsJudge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		runs, folds := rapid.IntRange(1, 4).Draw(r, "runs"), rapid.IntRange(2, 4).Draw(r, "folds")
		more := rapid.IntRange(0, 3).Draw(r, "more")
		n := (runs + more) * folds
		h := &record.Header{Protocol: "cv runs=2 folds=2 stratified seed=1 v1"}
		p := &record.Pairs{
			Data: "d", Candidate: "a", Baseline: "b", CandidateHeader: h, BaselineHeader: h,
			Unit: record.Unit{Name: "accuracy", Better: record.Higher, Max: 1},
			Runs: runs, More: more, Folds: folds,
			A: make([]float64, n), B: make([]float64, n), TrainN: make([]int32, n), TestN: make([]int32, n),
		}
		for i := range n {
			p.A[i], p.B[i] = rapid.Float64Range(0, 1).Draw(r, "a"), rapid.Float64Range(0, 1).Draw(r, "b")
			p.TrainN[i], p.TestN[i] = 90, 10
		}
		c := Claim{Kind: Kind(rapid.IntRange(0, 3).Draw(r, "kind"))}
		if rapid.Bool().Draw(r, "counted") {
			c.Repeats = 2
		}
		if c.Kind == Differs {
			c.Margin = rapid.SampledFrom([]float64{0, 0.01, 0.3}).Draw(r, "margin")
			c.Test = rapid.SampledFrom([]stat.Test{{}, stat.MustLookup("paired-t"), stat.MustLookup("5x2cv-t")}).Draw(r, "test")
		}
		full, brief := Judge(p, c), Brief(p, c)
		require.True(r, math.IsNaN(brief.Detectable))
		require.Nil(r, brief.Help)
		full.Detectable, full.Help, full.Err, brief.Err = 0, nil, nil, nil
		brief.Detectable, brief.brief = 0, false
		full.Claim.Test, brief.Claim.Test = stat.Test{}, stat.Test{} // functions do not compare
		if full.Rerun != nil && !full.Rerun.Counted() {
			require.NotNil(r, brief.Rerun)
			require.True(r, math.IsNaN(brief.Rerun.P) && math.IsNaN(brief.Rerun.Lo) && math.IsNaN(brief.Rerun.Hi))
			full.Rerun.P, full.Rerun.Lo, full.Rerun.Hi = 0, 0, 0
			brief.Rerun.P, brief.Rerun.Lo, brief.Rerun.Hi = 0, 0, 0
		}
		// NaN is not equal to itself, but prints as such.
		require.Equal(r, texts(full), texts(brief))
	})
}

// texts returns all that a verdict has.
func texts(v Verdict) string {
	rerun := ""
	if v.Rerun != nil {
		rerun = fmt.Sprintf("%#v", *v.Rerun)
		v.Rerun = nil
	}
	warnings := fmt.Sprint(v.Warnings)
	v.Warnings, v.Difference.Result.Warnings, v.Above.Result.Warnings, v.Below.Result.Warnings, v.Decision.Result.Warnings = nil, nil, nil, nil, nil
	return fmt.Sprintf("%#v %s %s", v, warnings, rerun)
}
