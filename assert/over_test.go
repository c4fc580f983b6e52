package assert_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	testify "github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// means is a comparison that knows the verdict on a difference.
type means struct{ v verdict.Verdict }

func (m means) Verdicts(c verdict.Claim) []verdict.Verdict {
	m.v.Claim = c
	if c.Alpha == 0 {
		m.v.Claim.Alpha = 0.05
	}
	return []verdict.Verdict{m.v}
}

// familyOf returns comparisons on as many data sets, with these differences.
func familyOf(u unit.Unit, gains ...float64) (f assert.Family) {
	for i, g := range gains {
		f = append(f, means{verdict.Verdict{
			Outcome: verdict.Inconclusive, Data: fmt.Sprint("set", i), Candidate: "new", Baseline: "old",
			Unit: u, CandidateMean: 0.5 + g, BaselineMean: 0.5,
			CandidateHeader: &record.Header{
				Protocol:   "cv runs=5 folds=2 stratified seed=1 v1",
				DataDigest: fmt.Sprintf("%064d", i),
			},
		}})
	}
	return f
}

// with returns the family with one comparison changed.
func with(f assert.Family, i int, change func(v *verdict.Verdict)) assert.Family {
	f = append(assert.Family{}, f...)
	m := f[i].(means)
	header := *m.v.CandidateHeader
	m.v.CandidateHeader = &header
	change(&m.v)
	f[i] = m
	return f
}

func TestImprovesOver(t *testing.T) {
	t.Parallel()
	up := []float64{.01, .02, .03, .04, .05, .06}
	for _, c := range []struct {
		name    string
		family  assert.Family
		options []assert.Option
		holds   bool
		text    string
	}{
		{
			"six gains", familyOf(accuracy, up...), nil, true,
			"new is better than old on data sets in general, in accuracy: shown by 6 data sets",
		},
		{
			"lower is better", familyOf(logloss, -.01, -.02, -.03, -.04, -.05, -.06), nil, true,
			"W+ = 21, W- = 0, p = 0.0312 (it takes 0.05 or less)",
		},
		{
			"six losses", familyOf(accuracy, -.01, -.02, -.03, -.04, -.05, -.06), nil, false,
			"refuted, it is significantly worse, by 6 data sets",
		},
		{
			"a loss that is small", familyOf(accuracy, -.01, .02, .03, .04, .05, .06), nil, false,
			"better on 5, worse on 1, W+ = 20, W- = 1, p = 0.0625",
		},
		{
			"losses that show nothing", familyOf(accuracy, -.06, -.05, -.04, -.03, -.02, .01), nil, false,
			"not shown by 6",
		},
		{
			"one-sided", familyOf(accuracy, -.01, .02, .03, .04, .05, .06),
			[]assert.Option{assert.OneSided()},
			true, "p = 0.0312",
		},
		{
			"a stricter level", familyOf(accuracy, append(up, .07)...),
			[]assert.Option{assert.Alpha(0.01)},
			false, "7 data sets cannot show an improvement at level 0.01, whatever the scores: it takes 8",
		},
		{
			"too few", familyOf(accuracy, up[:5]...), nil, false,
			"5 data sets cannot show an improvement at level 0.05, whatever the scores: it takes 6",
		},
		{
			"five, one-sided", familyOf(accuracy, up[:5]...),
			[]assert.Option{assert.OneSided()},
			true,
			"shown by 5",
		},
		{"none", assert.Family{}, nil, false, "0 data sets cannot show an improvement"},
		{"all equal", familyOf(accuracy, make([]float64, 6)...), nil, false, "better on 0, worse on 0"},
		{"invalid", with(familyOf(accuracy, up...), 3, func(v *verdict.Verdict) {
			v.Outcome,
				v.Err = verdict.Invalid, record.ErrFailedTrial
		}), nil, false, "set3: " + record.ErrFailedTrial.Error()},
		{
			"unusable data",
			assert.Family{means{verdict.Fail(verdict.Claim{}, verdict.ErrClaim)}},
			nil,
			false, "a candidate is better on data sets in general: ",
		},
		{
			"another learner", with(familyOf(accuracy, up...), 1,
				func(v *verdict.Verdict) { v.Candidate = "newer" }), nil, false,
			"on set0 new is compared with old, on set1 newer with old",
		},
		{"another baseline", with(familyOf(accuracy, up...), 1,
			func(v *verdict.Verdict) { v.Baseline = "older" }), nil, false, "on set1 new with older"},
		{
			"another metric", with(familyOf(accuracy, up...), 5,
				func(v *verdict.Verdict) { v.Unit = logloss }), nil, false,
			"scores on set0 are in accuracy, on set5 in logloss: name the metric with On",
		},
		{
			"another protocol", with(familyOf(accuracy, up...), 5,
				func(v *verdict.Verdict) { v.CandidateHeader.Protocol = "cv" }), nil, false,
			`the protocol of set0 is "cv runs=5 folds=2 stratified seed=1 v1", of set5 "cv"`,
		},
		{"one set twice", with(familyOf(accuracy, up...), 5,
			func(v *verdict.Verdict) { v.Data = "set2" }), nil, false, "set2 and set2 are the same data"},
		{
			"copies of a set", with(familyOf(accuracy, up...), 5,
				func(v *verdict.Verdict) { v.CandidateHeader.DataDigest = fmt.Sprintf("%064d", 2) }), nil, false,
			"set2 and set5 are the same data: each data set counts once",
		},
		{
			"a margin", familyOf(accuracy, up...),
			[]assert.Option{assert.Margin(0.02)},
			false,
			"and no other option",
		},
		{
			"a gain", familyOf(accuracy, up...),
			[]assert.Option{assert.Gain(0.02)},
			false,
			"and no other option",
		},
		{
			"replicability", familyOf(accuracy, up...),
			[]assert.Option{assert.Replicability(0.9)},
			false,
			"and no other option",
		},
		{
			"a test", familyOf(accuracy, up...),
			[]assert.Option{assert.SignificanceTest(stat.MustLookup("paired-t"))},
			false,
			"and no other option",
		},
		{
			"an adjustment", familyOf(accuracy, up...),
			[]assert.Option{assert.Adjust(adjust.MustLookup("holm"))},
			false, "and no other option",
		},
		{
			"a second opinion", familyOf(accuracy, up...),
			[]assert.Option{assert.SecondOpinion()},
			false,
			"and no other option",
		},
		{
			"slices", familyOf(accuracy, up...),
			[]assert.Option{assert.Slices()},
			false,
			"and no other option",
		},
		{
			"an unusable level", familyOf(accuracy, up...),
			[]assert.Option{assert.Alpha(0.3)},
			false,
			"significance level 0.3",
		},
	} {
		r := &recorder{}
		testify.Equal(t, c.holds, assert.ImprovesOver(r, c.family,
			append([]assert.Option{assert.Message("see here")}, c.options...)...), c.name)
		text := strings.Join(append(r.failures, r.logs...), "\n")
		testify.Contains(t, text, c.text, c.name)
		testify.Equal(t, !c.holds, len(r.failures) == 1 &&
			strings.Contains(text, "Claim does not hold: ") && strings.Contains(text, "see here"),
			"%s: %s", c.name, text)
	}
}

// A candidate that has learned nothing anywhere is not better in general.
func TestImprovesOverHeedsTheMajority(t *testing.T) {
	t.Parallel()
	f := with(familyOf(accuracy, .01, .02, .03, .04, .05, .06), 2, func(v *verdict.Verdict) {
		v.CandidateHeader.SetMajority(record.Majority{
			Class: "yes", Units: []string{"accuracy"},
			Scores: []float64{0.9},
		})
	})
	r := &recorder{}
	testify.False(t, assert.ImprovesOver(r, f))
	testify.Contains(t, r.failures[0], "set2: ")
	testify.True(t, assert.ImprovesOver(&recorder{}, f, assert.AllowMajority()))
}

// A claim that is not judged skips the test: it neither holds nor fails.
func TestImprovesOverIsPostponed(t *testing.T) {
	t.Parallel()
	f := with(familyOf(accuracy, .01, .02, .03, .04, .05, .06), 2,
		func(v *verdict.Verdict) { v.Outcome, v.Err = verdict.Invalid, verdict.ErrNotJudged })
	r := &skippable{}
	testify.False(t, assert.ImprovesOver(r, f))
	r.end()
	testify.False(t, r.Failed())
	testify.Equal(t, 1, r.skipped)
}

// All runs are judged, at the level and in the metric that are asked for.
func TestImprovesOverAsksOfAllRuns(t *testing.T) {
	t.Parallel()
	var claims []verdict.Claim
	assert.ImprovesOver(&recorder{}, assert.Family{asked{&claims}}, assert.OnUnit("usd"),
		assert.Alpha(0.01))
	require.Len(t, claims, 1)
	testify.Equal(t, verdict.Claim{Kind: verdict.Improves, Metric: "usd", Alpha: 0.01, AllRuns: true},
		claims[0])
}

// The level is the test's on data sets that do not differ in general: all 2^n signs of the
// differences are equally likely.
func TestImprovesOverKeepsItsLevel(t *testing.T) {
	t.Parallel()
	const n = 8
	for _, options := range [][]assert.Option{nil, {assert.OneSided()}} {
		held := 0
		for signs := range 1 << n {
			gains := make([]float64, n)
			for i := range gains {
				gains[i] = float64(1+i) / 100
				if signs>>i&1 == 1 {
					gains[i] *= -1
				}
			}
			if assert.ImprovesOver(&recorder{}, familyOf(accuracy, gains...), options...) {
				held++
			}
		}
		share, level := float64(held)/(1<<n), 0.05/float64(2-len(options))
		testify.LessOrEqual(t, share, level)
		testify.Greater(t, share, level-math.Ldexp(4, -n))
	}
}

// Six data sets are the fewest that can show anything.
func ExampleImprovesOver() {
	var t testT // in a test, t *testing.T
	cfg := learntest.Config{Protocol: split.CV(1, 10)}
	var family assert.Family
	for _, data := range []*dataset.Table{
		uci.Iris(), uci.Wine(), uci.Glass(), uci.Zoo(), uci.Sonar(),
		uci.Vehicle(),
	} {
		family = append(family, learntest.CompareWith(t, cfg, data, nearest, bayes))
	}
	fmt.Println(assert.ImprovesOver(t, family))
	// Output:
	// nn is 0.67 points worse than naivebayes on iris in accuracy, 95% interval -4.60 to +3.27 points, p = 0.710
	// nn is 1.11 points worse than naivebayes on wine in accuracy, 95% interval -5.67 to +3.44 points, p = 0.595
	// nn is 18.20 points better than naivebayes on glass in accuracy, 95% interval +14.09 to +22.31 points, p = 3.5e-06
	// nn is 1.00 points better than naivebayes on zoo in accuracy, 95% interval -8.10 to +10.10 points, p = 0.809
	// nn is 18.83 points better than naivebayes on sonar in accuracy, 95% interval +4.75 to +32.91 points, p = 0.014
	// nn is 26.12 points better than naivebayes on vehicle in accuracy, 95% interval +22.96 to +29.28 points, p = 1.6e-08
	// Claim does not hold: nn is better than naivebayes on data sets in general, in accuracy: not shown by 6 data sets
	//   signed-rank    better on 4, worse on 2, W+ = 17, W- = 4, p = 0.219 (it takes 0.05 or less)
	//   iris           -0.67 points, nn 96.00%, naivebayes 96.67%
	//   wine           -1.11 points, nn 95.56%, naivebayes 96.67%
	//   glass          +18.20 points, nn 68.18%, naivebayes 49.98%
	//   zoo            +1.00 points, nn 96.00%, naivebayes 95.00%
	//   sonar          +18.83 points, nn 84.67%, naivebayes 65.83%
	//   vehicle        +26.12 points, nn 70.91%, naivebayes 44.79%
	// 	Test:       	TestNearest
	// false
}
