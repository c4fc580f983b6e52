package verdict

import (
	"errors"
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/assert"
)

func TestStringHasAFixedOrder(t *testing.T) {
	t.Parallel()
	v := Verdict{
		Claim: Claim{Kind: Improves, Alpha: 0.05, Power: 0.8}, Outcome: Improved, Holds: true,
		Data: "vehicle", Candidate: "forest", Baseline: "bayes", Unit: accuracy, Runs: 10, Folds: 10,
		CandidateHeader: &record.Header{Protocol: "cv runs=10 folds=10 stratified seed=1 v1", DataDigest: "abcdef0123456789", Reproduce: "go test ./model"},
		CandidateMean:   0.7112, BaselineMean: 0.4523, Estimate: 0.2589, Lo: 0.2311, Hi: 0.28671,
		Result:        stat.Result{Test: "corrected-cv-t", Statistic: 12.3456, DF: 99, DF2: math.NaN(), P: 1.23e-20},
		Detectable:    0.0333,
		Replicability: &Replicability{R: 0.98, Lo: 0.9, Hi: 1},
		Warnings:      []error{errors.New("look out")},
	}
	assert.Equal(t, `forest vs bayes on vehicle: improved
  accuracy       forest 71.12%, bayes 45.23%
  difference     +25.89 points, 95% interval +23.11 to +28.67 points
  test           corrected-cv-t, n = 10×10, t = 12.35, df = 99, p = 1.2e-20
  replicability  0.980 predicted, 90% interval 0.900 to 1.000
  detectable     3.33 points with 80% power
  protocol       cv runs=10 folds=10 stratified seed=1 v1
  data           vehicle, sha256 abcdef012345
  reproduce      go test ./model
  warning        look out
`, v.String())
	assert.Equal(t, "forest vs bayes on vehicle: improved, accuracy +25.89 points, 95% interval +23.11 to +28.67 points, p = 1.2e-20", v.Summary())
	v.Outcome, v.Reason = Invalid, "trials are missing"
	assert.Equal(t, "forest vs bayes on vehicle: invalid: trials are missing", v.Summary())
	assert.Equal(t, `forest vs bayes on vehicle: invalid: trials are missing
  protocol       cv runs=10 folds=10 stratified seed=1 v1
  data           vehicle, sha256 abcdef012345
  reproduce      go test ./model
  warning        look out
`, v.String())
}

func TestTestLineOfOtherStatistics(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for want, v := range map[string]Verdict{
		"f, n = 5×2, F = 2.375, df = 10 and 5, p = 0.176":                   {Result: stat.Result{Test: "f", Statistic: 2.375, DF: 10, DF2: 5, P: 0.176}, Runs: 5, Folds: 2},
		"z, n = 5×2, z = 2.375, p = 0.018":                                  {Result: stat.Result{Test: "z", Statistic: 2.375, DF: math.Inf(1), DF2: nan, P: 0.0175}, Runs: 5, Folds: 2},
		"w, n = 5×2, statistic = 14, p = 0.500, margin 1.00 points":         {Result: stat.Result{Test: "w", Statistic: 14, DF: nan, DF2: nan, P: 0.5}, Runs: 5, Folds: 2, Unit: accuracy, Claim: Claim{Kind: Equivalent, Margin: 0.01}},
		"t, n = 5×2, t = 1, df = 5, p = 0.100, one-sided, gain 2.00 points": {Result: stat.Result{Test: "t", Statistic: 1, DF: 5, DF2: nan, P: 0.1}, Runs: 5, Folds: 2, Unit: accuracy, Claim: Claim{Kind: Improves, OneSided: true, Gain: 0.02}},
	} {
		assert.Equal(t, want, v.testLine())
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "+0.00 points", FormatDifference(accuracy, -1e-9))
	assert.Equal(t, "-1.23 points", FormatDifference(accuracy, -0.0123))
	assert.Equal(t, "-0.0123", FormatDifference(logloss, -0.0123))
	assert.Equal(t, "+0", FormatDifference(logloss, math.Copysign(0, -1)))
	assert.Equal(t, "93.33%", FormatScore(accuracy, 14./15))
	assert.Equal(t, "0.9333", FormatScore(logloss, 14./15))
	assert.Equal(t, "0.050", FormatP(0.05))
	assert.Equal(t, "9.9e-04", FormatP(0.00099))
	assert.Equal(t, "5.00 points", FormatMargin(accuracy, 0.05))
}

func TestReplicabilityText(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "0.800, 9 of 10 repetitions reject", (&Replicability{R: 0.8, Repeats: 10, Rejections: 9}).String())
}
