package verdict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
)

// withSecond adds a second opinion with the mean difference of the runs, whose halves differ by
// noise.
func withSecond(p *record.Pairs, m int, noise float64) *record.Pairs {
	return withHalves(p, m, mean(p.A)-mean(p.B), noise)
}

// withHalves adds a second opinion with the given difference, whose halves differ by noise.
func withHalves(p *record.Pairs, m int, difference, noise float64) *record.Pairs {
	r := rand.New(rand.NewPCG(3, 4))
	text, err := SecondProtocol(p.CandidateHeader.Protocol, m)
	if err != nil {
		panic(err)
	}
	h := *p.CandidateHeader
	h.Protocol = text
	s := &record.Pairs{
		Data: p.Data, Candidate: p.Candidate, Baseline: p.Baseline, Unit: p.Unit, Runs: m, Folds: 10,
		CandidateHeader: &h, BaselineHeader: &h,
	}
	for range m {
		for range 2 {
			gap := noise * r.NormFloat64()
			for range 5 {
				s.A = append(s.A, 0.6+difference+gap)
				s.B = append(s.B, 0.6)
				s.TrainN, s.TestN = append(s.TrainN, 40), append(s.TestN, 10)
			}
		}
	}
	p.Second = s
	return p
}

func TestSecondOpinionDecidesWithTheFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                      string
		unit                      unit.Unit
		difference, noise, halves float64
		claim                     Claim
		asked, agrees, holds      bool
		outcome                   Outcome
	}{
		{"both show it", accuracy, 0.05, 0.01, 0.01, Claim{Kind: Improves}, true, true, true, Improved},
		{
			"both show it, lower is better", logloss, -0.05, 0.01, 0.01,
			Claim{Kind: Improves},
			true, true,
			true, Improved,
		},
		{
			"the second does not", accuracy, 0.05, 0.01, 0.2,
			Claim{Kind: Improves},
			true, false, false,
			Inconclusive,
		},
		{
			"the first does not", accuracy, 0, 0.05, 0.0001,
			Claim{Kind: Improves},
			false, false, false,
			Inconclusive,
		},
		{
			"a regression is no improvement to ask about", accuracy, -0.05, 0.01, 0.2,
			Claim{Kind: Improves},
			false, false, false, Regressed,
		},
		{
			"but one for a mere comparison", accuracy, -0.05, 0.01, 0.01,
			Claim{},
			true, true,
			true, Regressed,
		},
		{
			"that may not be confirmed", accuracy, -0.05, 0.01, 0.2,
			Claim{},
			true, false, false,
			Inconclusive,
		},
		{
			"one-sided", accuracy, 0.05, 0.01, 0.01,
			Claim{Kind: Improves, OneSided: true},
			true, true,
			true, Improved,
		},
		{
			"a gain", accuracy, 0.05, 0.01, 0.01,
			Claim{Kind: Improves, Gain: 0.03},
			true, true,
			true, Improved,
		},
		{
			"a gain that only the first shows", accuracy, 0.05, 0.01, 0.035,
			Claim{Kind: Improves, Gain: 0.03},
			true, false, false, Improved,
		},
		{"no regression", accuracy, 0, 0.005, 0.005, Claim{Kind: NoRegression}, true, true, true, Same},
		{
			"no regression, not confirmed", accuracy, 0, 0.005, 0.2,
			Claim{Kind: NoRegression},
			true, false,
			false, Inconclusive,
		},
		{"equivalent", accuracy, 0, 0.005, 0.005, Claim{Kind: Equivalent}, true, true, true, Same},
		{
			"equivalent, not confirmed", accuracy, 0, 0.005, 0.2,
			Claim{Kind: Equivalent},
			true, false,
			false, Inconclusive,
		},
		{
			"equivalence of a mere comparison", accuracy, 0, 0.005, 0.005,
			Claim{Margin: 0.01},
			true,
			true, false, Same,
		},
		{
			"which is not confirmed", accuracy, 0, 0.005, 0.2,
			Claim{Margin: 0.01},
			true, false, false,
			Inconclusive,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.claim.Halvings = 20
			p := withSecond(pairs(c.unit, 1, c.difference, c.noise), 20, c.halves)
			v := Judge(p, c.claim)
			require.NoError(t, v.Err)
			require.NotNil(t, v.Second)
			require.Equal(t, []bool{c.asked, c.agrees, c.holds}, []bool{
				v.Second.Asked, v.Second.Agrees,
				v.Holds,
			}, "%v", v)
			require.Equal(t, c.outcome, v.Outcome, "%v", v)
			if c.claim.Kind != Differs || c.outcome != Same {
				require.Equal(t, v.Holds, v.Reason == "", v.Reason)
			}
			without := c.claim
			without.Halvings = 0
			w := Judge(p, without)
			require.Nil(t, w.Second)
			if !c.asked {
				// Then it makes no difference whether it is there.
				p.Second = nil
				require.Equal(t, v.String(), Judge(p, c.claim).String())
				require.Equal(t, fmt.Sprint(w.Difference), fmt.Sprint(v.Difference))
				require.Contains(t, v.String(),
					"second         not asked for, since the first test does not show the claim\n")
				return
			}
			require.Equal(t, 400, v.Second.Trainings)
			require.Equal(t, "halves m=20 folds=5 seed=1 v1", v.Second.Protocol)
			require.Equal(t, max(v.Second.First, v.Second.Result.P), v.Decision.P)
			require.Equal(t, w.Decision.P, v.Second.First)
			require.GreaterOrEqual(t, v.Detectable, w.Detectable)
			require.Regexp(t, `\n  rerun          .*the first test.* with probability `, v.String())
			if c.agrees {
				require.Empty(t, v.Second.Result.Warnings)
			} else {
				require.Regexp(t, `^the first test shows it \(p = .*\), the second opinion does not \(p = .*\)$`, v.Reason)
			}
			require.Regexp(t, `\n  second         with half of the examples [+-]\S+( points)?, (95|90)% interval [+-]\S+ to [+-]\S+( points)?, p = \S+, m=20\n`, v.String())
		})
	}
}

// The second opinion is the halves test on the differences, in the direction of the metric.
func TestSecondOpinionIsTheHalvesTest(t *testing.T) {
	t.Parallel()
	p := withSecond(pairs(logloss, 1, -0.05, 0.01), 20, 0.03)
	v := Judge(p, Claim{Kind: Improves, Halvings: 20})
	r, err := stat.HalvesTest(differences(p, 0, p.Runs), differences(p.Second, 0, 20), stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprint(r), fmt.Sprint(v.Second.Result))
	require.Positive(t, r.Statistic)
	lo, hi := r.Interval(0.95)
	require.Equal(t, []float64{-r.Estimate, -hi, -lo, 0.95}, []float64{
		v.Second.Estimate, v.Second.Lo,
		v.Second.Hi, v.Second.Level,
	})
	require.Equal(t, []float64{-hi, -lo}, []float64{v.Difference.Lo, v.Difference.Hi}) // the wider one
	x, err := r.Detectable(0.05, 0.8)
	require.NoError(t, err)
	require.Equal(t, x, v.Detectable)
}

// With half of the examples the baseline is better, as significantly as the candidate is with all.
func TestSecondOpinionInTheOtherDirection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		unit  unit.Unit
		claim Claim
		why   string
	}{
		{accuracy, Claim{}, "with half of the examples the difference is the other way round"},
		{
			accuracy,
			Claim{Kind: Improves},
			"with half of the examples the difference is the other way round",
		},
		{
			logloss,
			Claim{Kind: Improves},
			"with half of the examples the difference is the other way round",
		},
		{
			accuracy,
			Claim{Kind: Improves, OneSided: true},
			"with half of the examples the difference is the other way round",
		},
		{accuracy, Claim{Kind: Improves, Gain: 0.01}, "the second opinion does not (p = "},
		{accuracy, Claim{Kind: NoRegression, Margin: 0.01}, "the second opinion does not (p = "},
	} {
		difference := 0.05 * float64(c.unit.Better)
		c.claim.Halvings = 20
		v := Judge(withHalves(pairs(c.unit, 1, difference, 0.01), 20, -difference, 0.01), c.claim)
		require.NoError(t, v.Err)
		require.Equal(t, []bool{true, false, false}, []bool{v.Second.Asked, v.Second.Agrees, v.Holds},
			"%v", v)
		require.Equal(t, Inconclusive, v.Outcome, "%v", v)
		require.Contains(t, v.Reason, c.why)
		require.True(t, v.Difference.Lo < 0 && v.Difference.Hi > 0)
		if c.claim.Kind != NoRegression && !c.claim.OneSided {
			require.Less(t, v.Second.Result.P, 0.05)
		}
	}
}

func TestSecondOpinionsThatAreNotThere(t *testing.T) {
	t.Parallel()
	claim := Claim{Kind: Improves, Halvings: 20}
	shown := func() *record.Pairs { return withSecond(pairs(accuracy, 1, 0.05, 0.01), 20, 0.01) }
	for _, c := range []struct {
		name  string
		claim Claim
		spoil func(p *record.Pairs)
		need  bool
		text  string
	}{
		{
			"none", claim, func(p *record.Pairs) { p.Second = nil }, true,
			`the first test shows it, and the second opinion, "halves m=20 folds=5 seed=1 v1", is not there`,
		},
		{"none, and it is known why", claim, func(p *record.Pairs) {
			p.Second, p.SecondErr = nil,
				record.ErrFailedTrial
		}, true, "is not there: trials failed"},
		{
			"of another number", claim, func(p *record.Pairs) { withSecond(p, 10, 0.01) }, false,
			`second opinion: it is not under "halves m=20 folds=5 seed=1 v1"`,
		},
		{
			"of another metric", claim, func(p *record.Pairs) { p.Second.Unit.Name = "kappa" }, false,
			"it is on kappa of data set vehicle, the results are accuracy of vehicle",
		},
		{
			"of other data", claim, func(p *record.Pairs) { p.Second.CandidateHeader.DataDigest = "0" },
			false, "it is on other data",
		},
		{
			"too few halvings differ", claim,
			func(p *record.Pairs) { p.Second.CandidateHeader.DistinctRuns = "3" }, false,
			`only 3 of the 20 halvings of "halves m=20 folds=5 seed=1 v1" are different`,
		},
		{
			"NaN", claim, func(p *record.Pairs) { p.Second.A[0] = math.NaN() }, false,
			"accuracy of forest, run 1, fold 1, is NaN",
		},
		{
			"cut off", claim, func(p *record.Pairs) { p.Second.A = p.Second.A[:9] }, false,
			"9 candidate and 200 baseline scores",
		},
		{"protocol that has none", claim, func(p *record.Pairs) {
			p.CandidateHeader.Protocol = "subsample runs=10 train=0.9 unstratified seed=1 v1"
		}, false, "invalid claim: no second opinion on \"subsample runs=10 train=0.9 unstratified seed=1 v1\" with 20 halvings: it takes cross-validation"},
		{"predefined partitions", claim, func(p *record.Pairs) {
			p.CandidateHeader.Protocol = "predefined runs=10 folds=10 sha256=5f seed=1 v1"
		}, false, "it takes cross-validation"},
		{
			"too few",
			Claim{Halvings: 4},
			func(*record.Pairs) {}, false,
			"a second opinion from 4 halvings: it takes at least 5",
		},
		{
			"negative",
			Claim{Halvings: -1},
			func(*record.Pairs) {}, false,
			"a second opinion from -1 halvings",
		},
		{
			"replicable",
			Claim{Kind: Replicable, Replicability: 0.9, Halvings: 20},
			func(*record.Pairs) {},
			false, "not for a claim that a learner compares replicably with another",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := shown()
			c.spoil(p)
			v := Judge(p, c.claim)
			require.Equal(t, Invalid, v.Outcome)
			require.False(t, v.Holds)
			require.Equal(t, c.need, v.NeedSecond)
			require.ErrorContains(t, v.Err, c.text)
		})
	}
}

// A second opinion never makes a claim hold, never makes p smaller or an interval narrower, and
// p, interval and outcome still belong together.
func TestSecondOpinionsOnlyTakeAway(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c, p := drawClaim(t), drawPairs(t)
		if c.Probability > 0 || c.Kind == Replicable {
			t.Skip("has none")
		}
		first := Judge(p, c)
		c.Halvings = 20
		p = withSecond(p, 20, rapid.SampledFrom([]float64{0, 0.001, 0.02, 0.1}).Draw(t, "halves"))
		v := Judge(p, c)
		if first.Outcome == Invalid {
			require.Equal(t, Invalid, v.Outcome)
			return
		}
		if v.Outcome == Invalid { // halves without noise of results with some
			require.ErrorIs(t, v.Err, stat.ErrZeroVariance)
			return
		}
		require.False(t, v.Holds && !first.Holds)
		require.GreaterOrEqual(t, v.Decision.P, first.Decision.P)
		require.False(t, v.Significance() != 0 && v.Significance() != first.Significance())
		require.True(t, v.Outcome == first.Outcome || v.Outcome == Inconclusive || c.Gain > 0 ||
			c.Margin > 0, "%v\n%v", first, v)
		for _, f := range []struct {
			now, was *Finding
			null     float64
			sides    int
		}{
			{&v.Difference, &first.Difference, 0, 2},
			{&v.Above, &first.Above, -v.Claim.Margin, 1},
			{&v.Below, &first.Below, v.Claim.Margin, -1},
		} {
			require.Equal(t, fmt.Sprint(f.was.Result), fmt.Sprint(f.now.Result))
			require.False(t, f.now.Shown && !f.was.Shown)
			if f.now.Level == 0 || math.IsNaN(f.now.Lo) {
				continue
			}
			require.LessOrEqual(t, f.now.Lo, f.was.Lo)
			require.GreaterOrEqual(t, f.now.Hi, f.was.Hi)
			lo, hi := f.now.Lo, f.now.Hi
			if p.Unit.Better < 0 {
				lo, hi = -hi, -lo
			}
			if math.Abs(lo-f.null) < 1e-9 || math.Abs(hi-f.null) < 1e-9 {
				continue
			}
			require.Equal(t, lo > f.null && f.sides > 0 || hi < f.null && f.sides != 1, f.now.Shown,
				"%+v of %v", *f.now, v)
		}
		adjusted, err := Adjust([]Verdict{v, v, v}, adjust.MustLookup("holm"))
		require.NoError(t, err)
		require.False(t, adjusted[0].Holds && !v.Holds)
	})
}

// A required replicability is about the first test, and asked for only if both show the claim.
func TestSecondOpinionBeforeReplicability(t *testing.T) {
	t.Parallel()
	c := Claim{Kind: Improves, Halvings: 20, Replicability: 0.9}
	v := Judge(withSecond(pairs(accuracy, 1, 0.05, 0.01), 20, 0.2), c)
	require.False(t, v.Holds)
	require.Zero(t, v.NeedRuns)
	v = Judge(withSecond(pairs(accuracy, 1, 0.05, 0.01), 20, 0.01), c)
	require.True(t, v.Holds, "%v", v)
	p := withSecond(pairs(accuracy, 1, 0.0125, 0.05), 20, 0.0001)
	require.True(t, Judge(p, Claim{Kind: Improves, Halvings: 20, Alpha: 0.5}).Holds)
	c.Alpha = 0.5
	require.Positive(t, Judge(p, c).NeedRuns)
}
