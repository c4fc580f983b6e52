package judge

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var (
	accuracy = unit.Unit{Name: "accuracy", Better: unit.Higher, Max: 1}
	logloss  = unit.Unit{Name: "logloss", Better: unit.Lower, Max: math.Inf(1)}
)

// Margins have the same tests with a tail as without one, in whatever direction, and the tests in
// both directions are halves of the two-sided one.
func TestTails(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		h := &record.Header{Protocol: "cv runs=2 folds=3 stratified seed=1 v1"}
		p := &record.Pairs{
			Data: "d", Candidate: "a", Baseline: "b", CandidateHeader: h,
			BaselineHeader: h, Unit: accuracy, Runs: 2, Folds: 3,
		}
		if rapid.Bool().Draw(r, "lower") {
			p.Unit = logloss
		}
		for range 6 {
			base := rapid.Float64Range(0.5, 0.7).Draw(r, "b")
			p.A = append(p.A, base+rapid.Float64Range(-0.3, 0.3).Draw(r, "a"))
			p.B, p.TrainN, p.TestN = append(p.B, base), append(p.TrainN, 20000), append(p.TestN, 10000)
		}
		c := verdict.Claim{Alpha: 0.05, Margin: rapid.SampledFrom([]float64{0, 0.1, 0.3}).Draw(r,
			"margin")}
		if d := Both.judge(p, c, verdict.Whole).Difference.Result; d.SE < 1e-3 {
			r.Skip("constant differences have a p of 0 or 1, and an interval by the number of examples")
		}
		both, better, worse := Both.judge(p, c, verdict.Whole), Better.judge(p, c, verdict.Whole),
			Worse.judge(p, c, verdict.Whole)
		for _, v := range []verdict.Verdict{better, worse} {
			require.Equal(r, both.Claim.Margin, v.Claim.Margin)
			require.Equal(r, both.Above.P, v.Above.P)
			require.Equal(r, both.Below.P, v.Below.P)
			require.Equal(r, both.Within(), v.Within())
			require.InDelta(r, both.Estimate, v.Estimate, 1e-15)
			require.Equal(r, v.Within(), v.Outcome == verdict.Same)
			if c.Margin > 0 {
				require.InDelta(r, v.Above.Lo, v.Difference.Lo, 1e-12, "both decisions have the same interval")
				require.InDelta(r, v.Above.Hi, v.Difference.Hi, 1e-12)
			}
		}
		require.InDelta(r, 1, better.Difference.P+worse.Difference.P, 1e-9)
		require.InDelta(r, both.Difference.P, 2*min(better.Difference.P, worse.Difference.P), 1e-9)
		require.NotEqual(r, verdict.Regressed, better.Outcome)
		require.NotEqual(r, verdict.Improved, worse.Outcome)
		if !worse.Within() {
			require.Equal(r, worse.Difference.P <= 0.05, worse.Outcome == verdict.Regressed)
			require.Equal(r, better.Difference.P <= 0.05, better.Outcome == verdict.Improved)
		}
	})
}
