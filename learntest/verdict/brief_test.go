package verdict

import (
	"fmt"
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Brief and bare verdicts come to what whole ones come to, whatever the claim is.
func TestExtentsDecideAlike(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		runs, folds := rapid.IntRange(1, 4).Draw(r, "runs"), rapid.IntRange(2, 4).Draw(r, "folds")
		more := rapid.IntRange(0, 3).Draw(r, "more")
		n := (runs + more) * folds
		h := &record.Header{Protocol: "cv runs=2 folds=2 stratified seed=1 v1"}
		p := &record.Pairs{
			Data: "d", Candidate: "a", Baseline: "b", CandidateHeader: h, BaselineHeader: h,
			Unit: unit.Unit{Name: "accuracy", Better: unit.Higher, Max: 1},
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
			c.Test = rapid.SampledFrom([]stat.Test{
				{},
				stat.MustLookup("paired-t"),
				stat.MustLookup("5x2cv-t"),
			}).Draw(r, "test")
		}
		full := Judge(p, c)
		full.Detectable, full.Help, full.Err, full.Claim.Test = 0, nil, nil, stat.Test{} // functions do not compare
		for i, less := range []Verdict{Judge(p, c, Brief), Judge(p, c, Bare)} {
			require.True(r, math.IsNaN(less.Detectable))
			require.Nil(r, less.Help)
			if i == 1 && full.Rerun != nil && !full.Rerun.counted() {
				require.Nil(r, less.Rerun)
				full.Rerun = nil
			}
			less.Detectable, less.Err, less.Claim.Test = 0, nil, stat.Test{}
			// NaN is not equal to itself, but prints as such.
			require.Equal(r, texts(full), texts(less))
		}
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
