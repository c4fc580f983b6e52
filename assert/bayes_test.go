package assert_test

import (
	"fmt"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	testify "github.com/stretchr/testify/assert"
)

var (
	maybe = []float64{0.03, 0.01, 0.02, 0.04, -0.01, 0.02, 0.03, 0, 0.02, 0.04}
	near  = []float64{0.004, -0.004, 0.002, 0, 0.001, -0.002, 0.003, -0.003, 0, 0.001}
)

func TestBayes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		claim func(assert.TestingT, assert.Comparison, ...assert.Option) bool
		on    stored
		bayes assert.Option
		text  []string // of the failure
	}{
		{
			name: "better", claim: assert.Improves, on: comparison(accuracy, better),
			bayes: assert.Bayes(0.1, 0.95),
		},
		{
			name: "better by any amount", claim: assert.Improves, on: comparison(accuracy, better),
			bayes: assert.Bayes(0, 0.95),
		},
		{
			name: "less loss is better", claim: assert.Improves, on: comparison(logloss, worse),
			bayes: assert.Bayes(0.1, 0.95),
		},
		{
			name: "not worse", claim: assert.NoRegression, on: comparison(accuracy, maybe),
			bayes: assert.Bayes(0.01, 0.9),
		},
		{
			name: "within", claim: assert.Equivalent, on: comparison(accuracy, near),
			bayes: assert.Bayes(0.01, 0.95),
		},
		{
			"probably better, but not that probably", assert.Improves, comparison(accuracy, maybe),
			assert.Bayes(0.01, 0.95),
			[]string{
				"Claim does not hold: new is 2.00 points better than old on mail in accuracy, more than 1.00 points required: inconclusive; P(better) is 0.713, not above 0.95",
				"accuracy       new 52.00%, old 50.00%",
				"difference     +2.00 points, 90% credible interval -1.14 to +5.14 points",
				"posterior      P(better) 0.713, P(within 1.00 points) 0.230, P(worse) 0.057; P(better) above 0.95: not shown",
				"test           bayesian-correlated-t, n = 5×2, df = 9",
				"rerun          the claim fails again with probability 0.935; replicability 0.916, 90% interval 0.537 to 1.000, predicted from 5 runs",
				"detectable     a difference of 4.62 points beyond the rope with 80% power",
				"protocol       cv runs=5 folds=2 stratified seed=1 v1",
				"data           mail, sha256 0123456789ab",
				"reproduce      go test -run '^TestMail$' ./mail",
				"help           with these data the test finds a difference of 4.62 points beyond the rope in 80% of cases, and smaller ones less often",
				"help           at the difference that was found, it would take about 21 times as many examples to show more than 1.00 points",
				"help           more runs of the protocol bring the detectable difference down to 4.06 points and no further",
			},
		},
		{
			"worse", assert.NoRegression, comparison(accuracy, worse), assert.Bayes(0.01, 0.95),
			[]string{
				"Claim does not hold: new is 20.00 points worse than old on mail in accuracy, 1.00 points allowed: regressed on this data set; P(not worse) is 1.8e-09, not above 0.95",
				"accuracy       new 30.00%, old 50.00%",
				"difference     -20.00 points, 90% credible interval -21.57 to -18.43 points",
				"posterior      P(better) 7.5e-10, P(within 1.00 points) 1.1e-09, P(worse) 1 - 1.8e-09; P(not worse) above 0.95: not shown",
				"test           bayesian-correlated-t, n = 5×2, df = 9",
				"rerun          the claim fails again with probability > 0.999; replicability > 0.999, predicted from 5 runs",
				"detectable     a rope of 2.31 points with 80% power, if there is no difference",
				"protocol       cv runs=5 folds=2 stratified seed=1 v1",
				"data           mail, sha256 0123456789ab",
				"reproduce      go test -run '^TestMail$' ./mail",
				"help           the smallest rope that would have held is above 21.57 points",
			},
		},
		{
			"not that close", assert.Equivalent, comparison(accuracy, near), assert.Bayes(0.002, 0.95),
			[]string{
				"Claim does not hold: new is 0.02 points better than old on mail in accuracy, 0.20 points allowed: inconclusive; P(within) is 0.521, not above 0.95",
				"accuracy       new 50.02%, old 50.00%",
				"difference     +0.02 points, 90% credible interval -0.47 to +0.51 points",
				"posterior      P(better) 0.261, P(within 0.20 points) 0.521, P(worse) 0.218; P(within) above 0.95: not shown",
				"test           bayesian-correlated-t, n = 5×2, df = 9",
				"detectable     a rope of 0.87 points with 80% power, if there is no difference",
				"protocol       cv runs=5 folds=2 stratified seed=1 v1",
				"data           mail, sha256 0123456789ab",
				"reproduce      go test -run '^TestMail$' ./mail",
				"help           the smallest rope that would have held is above 0.62 points",
				"help           even without any difference, these data show a rope below 0.87 points in fewer than 80% of cases",
				"help           at the difference that was found, it would take about 23 times as many examples to show a rope of 0.20 points",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{}
			testify.Equal(t, c.text == nil, c.claim(r, c.on, c.bayes), "%v", r.failures)
			if c.text != nil {
				testify.Equal(t, c.text, message(t, r))
			}
		})
	}
}

// Each of a family has its own posterior, and none is adjusted.
func TestBayesInAFamily(t *testing.T) {
	t.Parallel()
	f := assert.Family{comparison(accuracy, better), comparison(accuracy, better)}
	r := &recorder{}
	testify.True(t, assert.Improves(r, f, assert.Bayes(0.1, 0.95)), "%v", r.failures)
	testify.NotContains(t, r.logs[0], "holm")
	testify.False(t, assert.Improves(r, f, assert.Bayes(0.1, 0.95),
		assert.Adjust(adjust.MustLookup("holm"))))
	testify.Contains(t, r.failures[0], "adjustment holm: a posterior probability is not adjusted")
	r = &recorder{}
	testify.False(t, assert.Improves(r, append(f, comparison(accuracy, maybe)),
		assert.Bayes(0.01, 0.95)))
	testify.Contains(t, r.failures[0], "P(better) is 0.713, not above 0.95")
}

// printer is a test that prints.
type printer struct{}

func (printer) Logf(format string, args ...any)   { fmt.Printf(format, args...) }
func (printer) Errorf(format string, args ...any) { fmt.Printf(format, args...) }

// A claim that holds shows its facts, as one that fails does.
func ExampleBayes() {
	var t printer
	c := comparison(accuracy, better) // in a test: learntest.Compare(t, data, candidate, baseline)
	assert.Improves(t, c, assert.Bayes(0.01, 0.95))
	// Output:
	// new is 20.00 points better than old on mail in accuracy, more than 1.00 points required: holds on this data set
	//   accuracy       new 70.00%, old 50.00%
	//   difference     +20.00 points, 90% credible interval +18.43 to +21.57 points
	//   posterior      P(better) 1 - 1.8e-09, P(within 1.00 points) 1.1e-09, P(worse) 7.5e-10; P(better) above 0.95: shown
	//   test           bayesian-correlated-t, n = 5×2, df = 9
	//   rerun          the claim holds again with probability > 0.999; replicability > 0.999, predicted from 5 runs
	//   detectable     a difference of 2.31 points beyond the rope with 80% power
	//   protocol       cv runs=5 folds=2 stratified seed=1 v1
	//   data           mail, sha256 0123456789ab
	//   reproduce      go test -run '^TestMail$' ./mail
}
