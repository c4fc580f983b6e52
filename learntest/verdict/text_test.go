package verdict

import (
	"errors"
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
)

func TestStringHasAFixedOrder(t *testing.T) {
	t.Parallel()
	v := Verdict{
		Claim: Claim{Kind: Improves, Alpha: 0.05, Power: 0.8}, Outcome: Improved, Holds: true,
		Data: "vehicle", Candidate: "forest", Baseline: "bayes", Unit: accuracy, Runs: 10, Folds: 10,
		CandidateHeader: &record.Header{
			Protocol:   "cv runs=10 folds=10 stratified seed=1 v1",
			DataDigest: "abcdef0123456789", Reproduce: "go test ./model",
		},
		CandidateMean: 0.7112, BaselineMean: 0.4523,
		Findings: Findings{Estimate: 0.2589, Difference: Finding{
			Result: stat.Result{Test: "corrected-cv-t", Statistic: 12.3456, DF: 99, DF2: math.NaN()},
			P:      1.23e-20, Shown: true, Lo: 0.2311, Hi: 0.28671, Level: 0.95,
		}},
		Detectable: 0.0333,
		Rerun: &Rerun{
			Finds: "no significant difference again", R: 0.98, P: 0.99, Lo: 0.9,
			Hi: 1, Runs: 10,
		},
		Help:     []string{"more examples"},
		Warnings: []error{errors.New("look out")},
	}
	assert.Equal(t, `forest is 25.89 points better than bayes on vehicle in accuracy: holds on this data set
  accuracy       forest 71.12%, bayes 45.23%
  difference     +25.89 points, 95% interval +23.11 to +28.67 points, p = 1.2e-20
  test           corrected-cv-t, n = 10×10, t = 12.35, df = 99
  rerun          no significant difference again with probability 0.990; replicability 0.980, 90% interval 0.900 to 1.000, predicted from 10 runs
  detectable     a difference of 3.33 points with 80% power
  protocol       cv runs=10 folds=10 stratified seed=1 v1
  data           vehicle, sha256 abcdef012345
  reproduce      go test ./model
  help           more examples
  warning        look out
`, v.String())
	assert.Equal(t, "forest is 25.89 points better than bayes on vehicle in accuracy, 95% interval +23.11 to +28.67 points, p = 1.2e-20", v.Summary())
	v.Outcome, v.Reason = Invalid, "trials are missing"
	assert.Equal(t, "forest vs bayes on vehicle: invalid: trials are missing", v.Summary())
	assert.Equal(t, `forest vs bayes on vehicle: invalid: trials are missing
  protocol       cv runs=10 folds=10 stratified seed=1 v1
  data           vehicle, sha256 abcdef012345
  reproduce      go test ./model
  help           more examples
  warning        look out
`, v.String())
}

func TestTestLineOfOtherStatistics(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for want, r := range map[string]stat.Result{
		"f, n = 5×2, F = 2.375, df = 10 and 5": {Test: "f", Statistic: 2.375, DF: 10, DF2: 5},
		"z, n = 5×2, z = 2.375":                {Test: "z", Statistic: 2.375, DF: math.Inf(1), DF2: nan},
		"w, n = 5×2, statistic = 14":           {Test: "w", Statistic: 14, DF: nan, DF2: nan},
		"t, n = 5×2, t = 1, df = 5":            {Test: "t", Statistic: 1, DF: 5, DF2: nan},
	} {
		v := Verdict{Findings: Findings{Difference: Finding{Result: r}}, Runs: 5, Folds: 2}
		assert.Equal(t, want, v.prose().test(v.Runs, v.Folds))
	}
}

// Each fact has the p and the interval that belong to it.
func TestFactsHaveTheirOwnEvidence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		difference float64
		claim      Claim
		want       []string
	}{
		{-0.05, Claim{Kind: NoRegression}, []string{
			"forest is 5.00 points worse than bayes on vehicle in accuracy, 1.00 points allowed: regressed on this data set; the candidate is significantly worse",
			"  difference     -5.00 points, 95% interval -5.65 to -4.35 points, p = 7.1e-28",
			"  margin         less than 1.00 points worse: not shown, 90% interval -5.54 to -4.46 points, p = 1.000 (it takes 0.05 or less)",
			"  detectable     a margin of 0.82 points with 80% power, if there is no difference",
			"  help           the smallest margin that would have held is above 5.55 points",
		}},
		{0.005, Claim{Kind: NoRegression}, []string{
			"  margin         less than 1.00 points worse: shown, 90% interval -0.04 to +1.04 points, p = 6.3e-06 (it takes 0.05 or less)",
		}},
		{0, Claim{Kind: Equivalent}, []string{
			"forest is on a par with bayes on vehicle in accuracy, 1.00 points allowed: holds on this data set",
			"  margin         less than 1.00 points apart: shown, 90% interval -0.54 to +0.54 points, p = 0.001 (it takes 0.05 or less)",
			"  detectable     a margin of 0.96 points with 80% power, if there is no difference",
		}},
		{0.05, Claim{Kind: Improves, Gain: 0.02, OneSided: true}, []string{
			"  gain           more than 2.00 points better, one-sided: shown, 90% interval +4.46 to +5.54 points, p = 3.1e-15 (it takes 0.05 or less)",
			"forest is 5.00 points better than bayes on vehicle in accuracy, more than 2.00 points required: holds on this data set",
			"  detectable     a difference of 0.82 points beyond the gain with 80% power",
		}},
		{0.002, Claim{Kind: Improves}, []string{
			"forest is 0.20 points better than bayes on vehicle in accuracy: inconclusive; no significant improvement",
			"  help           with these data the test finds a difference of 0.92 points in 80% of cases, and smaller ones less often",
			"  help           at the difference that was found, it would take about 21 times as many examples to find a difference of 0.20 points",
			"  help           more runs of the protocol bring the detectable difference down to 0.88 points and no further",
		}},
	} {
		text := Judge(pairs(accuracy, 1, c.difference, 0.01), c.claim).String()
		for _, want := range c.want {
			assert.Contains(t, text, want)
		}
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "+0.00 points", accuracy.FormatDifference(-1e-9))
	assert.Equal(t, "-1.23 points", accuracy.FormatDifference(-0.0123))
	assert.Equal(t, "-0.0123", logloss.FormatDifference(-0.0123))
	assert.Equal(t, "+0", logloss.FormatDifference(math.Copysign(0, -1)))
	assert.Equal(t, "93.33%", accuracy.FormatScore(14./15))
	assert.Equal(t, "0.9333", logloss.FormatScore(14./15))
	assert.Equal(t, "0.050", unit.FormatP(0.05))
	assert.Equal(t, "9.9e-04", unit.FormatP(0.00099))
	assert.Equal(t, "0", unit.FormatP(0))
	assert.Equal(t, "5.00 points", accuracy.FormatMargin(0.05))
}

func TestReplicabilityText(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "9 of 10 repetitions come to this conclusion: replicability 0.800",
		(&Rerun{R: 0.8, Repeats: 10, Agreeing: 9}).String())
}

// A posterior mean below its interval, as happens near 1, is not printed.
func TestRerunPrintsNoMeanBelowItsInterval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		r    Rerun
		want string
	}{
		{
			Rerun{P: 0.995, R: 0.9949, Lo: 0.9999, Hi: 1, Runs: 2},
			"agrees with probability 0.995; replicability > 0.999, predicted from 2 runs",
		},
		{
			Rerun{P: 0.9, R: 0.88, Lo: 0.9, Hi: 1, Runs: 2},
			"agrees with probability 0.900; replicability 90% interval 0.900 to 1.000, predicted from 2 runs",
		},
		{
			Rerun{P: 0.0001, R: 0.9999, Lo: 0.99, Hi: 1, Runs: 2},
			"agrees with probability < 0.001; replicability > 0.999, 90% interval 0.990 to 1.000, predicted from 2 runs",
		},
		{
			Rerun{P: 0.99, R: 0.98, Lo: 0.9, Hi: 1, Runs: 1},
			"agrees with probability 0.990; replicability 0.980, 90% interval 0.900 to 1.000, predicted from 1 run",
		},
		{
			Rerun{P: 1, R: 0.99991, Lo: 0.99999, Hi: 1, Runs: 10},
			"agrees with probability > 0.999; replicability > 0.999, predicted from 10 runs",
		},
	} {
		assert.Equal(t, c.want, c.r.String())
	}
}
