package verdict

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawClaim draws a claim of any kind that makes sense for accuracy.
func drawClaim(t *rapid.T) Claim {
	c := Claim{
		Kind: rapid.SampledFrom([]Kind{Differs, Improves, NoRegression, Equivalent, Replicable}).Draw(t,
			"kind"),
		Alpha: rapid.SampledFrom([]float64{0.01, 0.05, 0.2}).Draw(t, "alpha"),
	}
	if rapid.Bool().Draw(t, "posterior") && c.Kind != Differs && c.Kind != Replicable {
		c.Alpha = 0
		c.Probability = rapid.SampledFrom([]float64{0.6, 0.95, 0.99}).Draw(t, "probability")
		c.Rope = rapid.SampledFrom([]float64{0.005, 0.02, 0.1}).Draw(t, "rope")
		if c.Kind == Improves && rapid.Bool().Draw(t, "no rope") {
			c.Rope = 0
		}
		return c
	}
	switch c.Kind {
	case Differs:
		c.Margin = rapid.SampledFrom([]float64{0, 0.005, 0.02, 0.1}).Draw(t, "margin")
	case Improves:
		c.OneSided = rapid.Bool().Draw(t, "one-sided")
		c.Gain = rapid.SampledFrom([]float64{0, 0.005, 0.02}).Draw(t, "gain")
	case NoRegression, Equivalent:
		c.Margin = rapid.SampledFrom([]float64{0.005, 0.02, 0.1}).Draw(t, "margin")
	case Replicable:
		c.Replicability = rapid.SampledFrom([]float64{0.6, 0.9}).Draw(t, "replicability")
		c.MaxRuns = 10
	}
	name := rapid.SampledFrom([]string{
		"", "", "paired-t", "averaged-t", "permutation",
		"b03-use-all-data/df=10",
	}).Draw(t, "test")
	if name != "" {
		c.Test = stat.MustLookup(name)
	}
	if name == "permutation" { // with fewer draws: they matter to no property
		c.Test.Run = func(d stat.Differences, alt stat.Alternative) (stat.Result, error) {
			return stat.MonteCarloPermutationTest(d, alt, 999, 1)
		}
	}
	return c
}

func drawPairs(t *rapid.T) *record.Pairs {
	u := rapid.SampledFrom([]unit.Unit{accuracy, logloss}).Draw(t, "unit")
	p := pairs(u, 1, rapid.Float64Range(-0.06, 0.06).Draw(t, "difference"),
		rapid.SampledFrom([]float64{0, 0.001, 0.01, 0.05}).Draw(t, "noise"))
	return p
}

// No outcome contradicts p, interval, claim or its mirror image.
func TestVerdictsAreConsistent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, c := drawPairs(t), drawClaim(t)
		v := Judge(p, c)
		if v.Outcome == Invalid {
			require.NotEmpty(t, v.Reason)
			require.Error(t, v.Err)
			require.False(t, v.Holds)
			return
		}
		require.Equal(t, v.Holds, v.Reason == "", "reason %q", v.Reason)
		c = v.Claim
		better := float64(p.Unit.Better) * v.Estimate
		tolerance := 1e-9 * (1 + math.Abs(better))

		// A finding that is shown has p ≤ alpha; its interval, where there is one,
		// excludes the null value just then.
		for _, f := range []struct {
			*Finding
			null  float64
			sides int
		}{{&v.Difference, 0, 2}, {&v.Above, -c.Margin, 1}, {&v.Below, c.Margin, -1}} {
			if f.Level == 0 {
				continue
			}
			require.Equal(t, f.P <= c.Alpha, f.Shown)
			lo, hi := f.Lo, f.Hi
			if p.Unit.Better < 0 {
				lo, hi = -hi, -lo
			}
			if math.IsNaN(lo) || math.Abs(lo-f.null) < tolerance || math.Abs(hi-f.null) < tolerance {
				continue
			}
			require.LessOrEqual(t, lo, better+tolerance)
			require.GreaterOrEqual(t, hi, better-tolerance)
			excluded := lo > f.null && f.sides > 0 || hi < f.null && f.sides != 1
			require.Equal(t, excluded, f.Shown, "%+v of %v", *f.Finding, v)
		}

		// The outcome follows from the facts.
		switch v.Outcome {
		case Improved:
			require.True(t, better > 0 && (v.Significance() > 0 || v.Decision.Shown), "%v", v)
		case Regressed:
			require.True(t, better < 0 && v.Significance() < 0, "%v", v)
		case Same:
			require.True(t, v.same || v.Within() || v.Posterior.Equivalent > c.Probability, "%v", v)
		case Inconclusive:
			if q := v.Posterior; q != nil {
				if v.open {
					break
				}
				require.LessOrEqual(t, max(q.Worse, q.Equivalent, q.Better), c.Probability)
				break
			}
			require.True(t, v.Significance() == 0 || v.Rerun != nil && c.Replicability > 0, "%v", v)
		}

		// So does the claim.
		switch {
		case v.Holds && c.Kind == Improves:
			require.Equal(t, Improved, v.Outcome)
			require.Greater(t, better, c.gain())
		case v.Holds && c.Kind == NoRegression:
			require.Greater(t, better, -c.allowance())
			require.NotEqual(t, Regressed, v.Outcome, "%v", v)
		case v.Holds && c.Kind == Equivalent:
			require.Equal(t, Same, v.Outcome)
			require.Less(t, math.Abs(better), c.allowance())
		case v.Holds && c.Kind == Differs:
			require.NotEqual(t, Inconclusive, v.Outcome)
		}
		if v.Holds && c.Kind != Replicable {
			require.LessOrEqual(t, v.Decision.P, c.Alpha)
		}

		// A posterior restates the one-sided test and the interval, and this judges
		// its claim again.
		if q := v.Posterior; q != nil {
			require.Equal(t, v.Holds, v.Decision.Shown)
			require.InDelta(t, 1, q.Worse+q.Equivalent+q.Better, 1e-12)
			require.Equal(t, v.String(), Judge(p, c).String())
			d := differences(p, 0, p.Runs)
			for _, side := range []struct {
				null, probability float64
				alt               stat.Alternative
			}{{c.Rope, q.Better, stat.Greater}, {-c.Rope, q.Worse, stat.Less}} {
				if r, err := stat.MustLookup("corrected-cv-t").Against(d, side.null, side.alt); err == nil &&
					r.SE > 0 {
					require.InDelta(t, 1-r.P, side.probability, 1e-9)
				}
			}
			if lo, hi := v.Difference.Lo, v.Difference.Hi; v.Holds && c.Kind == Equivalent {
				require.True(t, lo > -c.Rope && hi < c.Rope, "%v", v)
			}
		}

		// Learners that are swapped mirror it, and so does a metric of the other
		// direction.
		if c.Kind == Differs || c.Kind == Equivalent || c.Kind == Replicable {
			q := *p
			q.A, q.B = p.B, p.A
			w := Judge(&q, c)
			mirror := map[Outcome]Outcome{
				Improved: Regressed, Regressed: Improved, Same: Same,
				Inconclusive: Inconclusive,
			}
			require.Equal(t, mirror[v.Outcome], w.Outcome, "%v\n%v", v, w)
			require.Equal(t, v.Holds, w.Holds)
			require.Equal(t, v.Significance(), -w.Significance())
			require.InDelta(t, v.Difference.P, w.Difference.P, 1e-9)
		}

		if v.Posterior != nil {
			_, err := Adjust([]Verdict{v}, adjust.MustLookup("holm"))
			require.ErrorIs(t, err, ErrClaim)
			return
		}

		// An adjustment never makes a claim hold, and none of one claim changes it.
		for _, name := range []string{"holm", "bonferroni"} {
			one, err := Adjust([]Verdict{v}, adjust.MustLookup(name))
			require.NoError(t, err)
			require.Equal(t, v.Outcome, one[0].Outcome)
			require.Equal(t, v.Holds, one[0].Holds)
			many, err := Adjust([]Verdict{v, v, v, v}, adjust.MustLookup(name))
			require.NoError(t, err)
			for _, w := range many {
				require.False(t, w.Holds && !v.Holds)
				require.Contains(t, []Outcome{v.Outcome, Inconclusive}, w.Outcome)
				if w.Holds && c.Kind != Replicable {
					require.LessOrEqual(t, w.AdjustedP, c.Alpha)
				}
				if w.Outcome == Improved || w.Outcome == Regressed {
					require.True(t, w.AdjustedP <= c.Alpha || c.Kind == NoRegression || c.Kind == Equivalent ||
						v.Decision.P > c.Alpha, "%v", w)
				}
			}
		}
	})
}

// A test that uses one difference alone shows nothing against the mean of all.
func TestTestThatContradictsTheMeanShowsNothing(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, 0, 0)
	p.Runs, p.Folds = 5, 2
	n := 10
	p.A, p.B, p.TrainN, p.TestN = p.A[:n], p.B[:n], p.TrainN[:n], p.TestN[:n]
	for i := range n {
		p.B[i] = 0.5
		p.A[i] = 0.49 - 0.001*float64(i%2)
	}
	p.A[0] = 0.53 // the one that the 5×2cv t test uses
	p.A[1] = 0.529
	v := Judge(p, Claim{Kind: Improves, Test: stat.MustLookup("5x2cv-t")})
	require.LessOrEqual(t, v.Difference.P, 0.05)
	require.Negative(t, v.Estimate)
	require.False(t, v.Holds)
	require.Equal(t, Inconclusive, v.Outcome)
	require.ErrorContains(t, v.Warnings[0],
		"5x2cv-t estimates the difference as +3.00 points, on the other side of +0.00 points than the mean of all folds: it shows nothing")
}

// A margin is the same however it is written.
func TestMarginsInPointsAndPercent(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, -0.005, 0.01)
	mean := Judge(p, Claim{}).BaselineMean
	for _, kind := range []Kind{Differs, NoRegression, Equivalent} {
		for text, margin := range map[string]float64{
			"0.02": 0.02, "2pp": 0.02,
			"accuracy=2pp,logloss=1": 0.02, "2%": 0.02 * mean,
		} {
			c := Claim{Kind: kind}
			require.NoError(t, c.Margins.Set(text))
			v := Judge(p, c)
			require.Equal(t, Judge(p, Claim{Kind: kind, Margin: margin}).String(), v.String(), "%v %s", kind,
				text)
			require.InDelta(t, margin, v.Claim.Margin, 1e-15)
			require.Empty(t, v.Claim.Margins.Metrics())
			again := Judge(p, v.Claim)
			require.Equal(t, v.String(), again.String())
		}
	}
	for text, c := range map[string]struct {
		claim Claim
		want  string
	}{
		"0.1": {Claim{Kind: NoRegression, Margin: 0.2}, "invalid claim: two margins for accuracy"},
		"2%": {
			Claim{Kind: Improves},
			"invalid claim: a margin is not for a claim that a learner improves on another: use a gain, or another claim",
		},
		"2pp": {
			Claim{Kind: Improves},
			"invalid claim: a margin is not for a claim that a learner improves on another: use a gain, or another claim",
		},
		"1": {
			Claim{Kind: Equivalent},
			"invalid claim: no two values of accuracy differ by more than 1, so that a margin of 1 says nothing: 0.02 is two points, and 1 is 100.00 points",
		},
		"5pp": {
			Claim{Kind: NoRegression, Probability: 0.9, Rope: 0.01},
			"invalid claim: two margins for accuracy",
		},
	} {
		require.NoError(t, c.claim.Margins.Set(text))
		v := Judge(p, c.claim)
		require.Equal(t, c.want, v.Reason, text)
		require.ErrorIs(t, v.Err, ErrClaim)
	}
	c := Claim{Kind: NoRegression}
	require.NoError(t, c.Margins.Set("5%"))
	null := pairs(logloss, 1, 0.1, 0.01)
	for i := range null.B {
		null.B[i] = 0
	}
	require.Equal(t, "invalid claim: -margin 5% of the baseline's mean of 0 is none: give one in the unit of logloss", Judge(null, c).Reason)
}

func TestClaimsThatNoDataCouldRefuteAreRefused(t *testing.T) {
	t.Parallel()
	rmse := unit.Unit{Name: "rmse", Better: unit.Lower, Min: 0, Max: math.Inf(1)}
	for _, c := range []struct {
		name   string
		unit   unit.Unit
		claim  Claim
		reason string // empty: it is fine
	}{
		{
			"two points as 2", accuracy,
			Claim{Kind: NoRegression, Margin: 2},
			"invalid claim: no two values of accuracy differ by more than 1, so that a margin of 2 says nothing: 0.02 is two points, and 2 is 200.00 points",
		},
		{"without a claim, too", accuracy, Claim{Margin: 2}, "a margin of 2 says nothing"},
		{"gain", accuracy, Claim{Kind: Improves, Gain: 1.5}, "a gain of 1.5 says nothing"},
		{
			"wider than the baseline is good", accuracy,
			Claim{Kind: NoRegression, Margin: 0.65},
			"invalid claim: with a margin of 65.00 points even a candidate with 0.00% in every fold would hold against this baseline: 0.02 is two points",
		},
		{
			"equivalence", accuracy,
			Claim{Kind: Equivalent, Margin: 0.65},
			"even a candidate with 0.00% in every fold would hold",
		},
		{"a wide margin that can be missed", accuracy, Claim{Kind: NoRegression, Margin: 0.55}, ""},
		{
			"an impossible gain", accuracy,
			Claim{Kind: Improves, Gain: 0.45},
			"invalid claim: a gain of 45.00 points could not be shown even by a candidate with 100.00% in every fold against this baseline",
		},
		{"a large gain that is possible", accuracy, Claim{Kind: Improves, Gain: 0.35}, ""},
		{
			"unbounded", rmse,
			Claim{Kind: NoRegression, Margin: 0.65},
			"invalid claim: a margin of 0.65 is as large as the baseline's mean of 0.5974: no candidate would fail that is merely bad",
		},
		{"unbounded, less than the mean", rmse, Claim{Kind: NoRegression, Margin: 0.55}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := Judge(pairs(c.unit, 1, 0, 0.01), c.claim)
			if c.reason == "" {
				require.NotEqual(t, Invalid, v.Outcome, v.Reason)
				return
			}
			require.Equal(t, Invalid, v.Outcome)
			require.ErrorIs(t, v.Err, ErrClaim)
			require.Contains(t, v.Reason, c.reason)
		})
	}
}
