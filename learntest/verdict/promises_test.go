package verdict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// promised returns the number of the help that matches a pattern; false if none does.
func promised(t *testing.T, v Verdict, pattern string) (float64, bool) {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(strings.Join(v.Help, "\n"))
	if m == nil {
		return 0, false
	}
	x, err := strconv.ParseFloat(m[1], 64)
	require.NoError(t, err)
	return x, true
}

// An endless number of runs is tried by repeating the runs a thousand times, as if the partitions
// went on in the same manner.
func TestRunsBringTheDetectableSizeDownAsTheySay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim Claim
		of    string
	}{
		{Claim{Kind: Differs}, "detectable difference"},
		{Claim{Kind: Improves}, "detectable difference"},
		{Claim{Kind: Improves, OneSided: true}, "detectable difference"},
		{Claim{Kind: Improves, Gain: 0.001}, "detectable difference"},
		{Claim{Kind: NoRegression, Margin: 0.01}, "detectable margin"},
		{Claim{Kind: Equivalent, Margin: 0.01}, "detectable margin"},
	} {
		p := pairs(accuracy, 1, 0.004, 0.05)
		v := Judge(p, c.claim)
		points, ok := promised(t, v, "more runs of the protocol bring the "+c.of+` down to (\S+) points and no further`)
		require.True(t, ok, "%+v: %q", c.claim, v.Help)
		require.Less(t, points, 100*v.Detectable)
		p.Runs *= 1000
		for _, x := range []*[]float64{&p.A, &p.B} {
			*x = slices.Repeat(*x, 1000)
		}
		for _, n := range []*[]int32{&p.TrainN, &p.TestN} {
			*n = slices.Repeat(*n, 1000)
		}
		p.CandidateHeader.Protocol = "cv runs=10000 folds=10 stratified seed=1 v1"
		require.InEpsilon(t, points, 100*Judge(p, c.claim).Detectable, 0.01, "%+v", c.claim)
	}
}

// Where the difference that was found leaves nothing of a margin, no number of examples shows it:
// they make the error as small as one likes.
func TestNoNumberOfExamplesShowsALostMargin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		difference float64
		claim      Claim
	}{
		{-0.006, Claim{Kind: NoRegression, Margin: 0.005}},
		{-0.006, Claim{Kind: Equivalent, Margin: 0.005}},
		{0.006, Claim{Kind: Equivalent, Margin: 0.005}},
	} {
		v := Judge(pairs(accuracy, 1, c.difference, 0.03), c.claim)
		require.Contains(t, strings.Join(v.Help, "\n"), "at the difference that was found, no number of examples would show a margin of 0.50 points")
		for _, noise := range []float64{0.01, 0.001, 0.0001} {
			require.False(t, Judge(pairs(accuracy, 1, v.Estimate, noise), c.claim, Bare).Holds, "%+v: %v", c.claim, noise)
		}
	}
}

// With a hundred times as many examples the claim would still fail more often than its power says.
func TestMoreThanAHundredTimesAsManyExamplesAreNeeded(t *testing.T) {
	t.Parallel()
	const cases = 200
	claim := Claim{Kind: NoRegression, Margin: 0.005}
	v := Judge(pairs(accuracy, 1, -0.004, 0.05), claim)
	require.Contains(t, strings.Join(v.Help, "\n"), "it would take more than 100 times as many examples to show a margin of 0.50 points")
	r := rand.New(rand.NewPCG(3, 4))
	sd, holds := v.Difference.Result.SE, 0 // of a hundred independent folds: a tenth of the present one
	for range cases {
		p := pairs(accuracy, 1, 0, 0)
		for i := range p.A {
			p.A[i], p.B[i] = 0.5+v.Estimate+sd*r.NormFloat64(), 0.5
			p.TrainN[i], p.TestN[i] = 1<<30, 1
		}
		if Judge(p, claim, Bare).Holds {
			holds++
		}
	}
	require.Less(t, float64(holds)/cases, 0.8)
}

// A learner whose true score is the one that the help names passes in as many cases as it says.
func TestNeededScoresPassAsOftenAsTheySay(t *testing.T) {
	t.Parallel()
	const cases, examples = 400, 600
	for _, c := range []struct {
		unit  unit.Unit
		claim Claim
	}{
		{accuracy, Claim{Kind: AtLeast, Threshold: 0.7}},
		{accuracy, Claim{Kind: AtLeast, Threshold: 0.95}},
		{unit.Unit{Name: "error", Better: unit.Lower, Max: 1}, Claim{Kind: AtMost, Threshold: 0.3}},
		{score, Claim{Kind: AtLeast, Threshold: 0.7, Power: 0.9}},
	} {
		r := rand.New(rand.NewPCG(8, 9))
		draw := func(mean float64) *record.Pairs {
			if c.unit.Name == score.Name {
				p := scored(c.unit, examples, constantRuns(10, 10, 0))
				for i := range p.A { // independent folds
					p.A[i], p.TrainN[i], p.TestN[i] = mean+0.05*r.NormFloat64(), 1<<30, 1
				}
				return p
			}
			hits := make([]float64, examples) // of the same models in each run
			for i := range hits {
				if r.Float64() < mean {
					hits[i] = 1
				}
			}
			runs := constantRuns(10, 10, 0)
			for _, run := range runs {
				for i, at := range r.Perm(examples) {
					run[i/(examples/10)] += hits[at] / (examples / 10)
				}
			}
			return scored(c.unit, examples, runs)
		}
		v := Judge(draw(c.claim.Threshold), c.claim)
		require.NoError(t, v.Err)
		require.False(t, v.Holds, "%v", v)
		require.Contains(t, v.String(), fmt.Sprintf("would pass with %s if its true %s were %s (%.4g%% power)",
			c.unit.FormatScore(c.claim.Threshold), c.unit.Name, c.unit.FormatScore(v.Level.Needs), 100*v.Claim.Power))
		holds := 0
		for range cases {
			if Judge(draw(v.Level.Needs), c.claim, Bare).Holds {
				holds++
			}
		}
		require.InDelta(t, v.Claim.Power, float64(holds)/cases, 0.08, "%s: %v", c.unit.Name, v)
		require.False(t, math.IsNaN(v.Level.Needs))
	}
}
