package learntest_test

import (
	"strings"
	"testing"

	claim "github.com/learnbench/learnbench/assert"
	. "github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
)

// firstLine returns the first line of the first error of a test, or of a claim that holds.
func firstLine(r *Recorder) string {
	for _, said := range append([]string{r.Ended()}, r.Failures()...) {
		if _, message, ok := strings.Cut(said, "Error:"); ok { // after the lines that say where
			said = message
		}
		if line, _, _ := strings.Cut(strings.TrimSpace(said), "\n"); line != "" {
			return line
		}
	}
	for _, said := range r.Logged() {
		if line, _, _ := strings.Cut(said, "\n"); strings.Contains(line, ": holds") {
			return line
		}
	}
	return ""
}

// Each of these passed, or failed without the reason, before it was looked for. A row is a test as somebody
// writes it, with the mistake in it, and the first line of its error.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(t TB)
		says string
	}{
		{"groups, and the default protocol", func(t TB) {
			claim.Improves(t, Compare(t, Visits(40), Memory(), Never()))
		}, "Claim does not hold: memory is on a par with never on visits in accuracy: equivalent; no significant improvement; both have the same accuracy in every fold"},
		{"groups, and a protocol that divides them", func(t TB) {
			claim.Improves(t, CompareWith(t, Config{Protocol: split.CV(2, 10)}, Visits(40), Memory(), Never()))
		}, `learntest.CompareWith: invalid configuration: data set "visits" has groups, and "cv runs=2 folds=10 stratified seed=1 v1" divides them: examples of one group are in training and in test, where a learner recognises them: use split.Groups(2, 10), or set Config.IgnoreGroups if groups do not matter`},
		{"groups, and partitions of its own that divide them", func(t TB) {
			claim.Improves(t, CompareWith(t, Config{Protocol: split.LeaveOneOut()}, Visits(40), Memory(), Never()))
		}, `learntest.CompareWith: invalid configuration: data set "visits" has groups, and "loo seed=1 v1" divides them: examples of one group are in training and in test, where a learner recognises them: use split.Groups(10, 10), or set Config.IgnoreGroups if groups do not matter`},
		{"three groups", func(t TB) {
			claim.Improves(t, Compare(t, Visits(3), Memory(), Never()))
		}, `learntest.Compare: unusable data: data set "visits": it has 3 groups, and the default protocol takes 4 at least: collect examples of more groups, choose a protocol such as Config{Protocol: split.Groups(1, 3)}, or set Config.IgnoreGroups if groups do not matter`},
		{"a metric that overwrites its argument", func(t TB) {
			m := metric.Accuracy()
			m.Name, m.Doc = "flattering", ""
			m.Eval = func(p *metric.Predictions) (float64, error) {
				score, err := metric.Accuracy().Eval(p)
				copy(p.Predicted, p.Truth)
				return score, err
			}
			c := CompareWith(t, Config{Metrics: []metric.Metric{m, metric.Accuracy()}}, Numbers(60), Constant("even", false), Constant("odd", true))
			claim.Improves(t, c, claim.OnUnit("accuracy"))
		}, `learntest.CompareWith: invalid configuration: data set "numbers": metric breaks its contract: flattering changes the predicted labels that it is given: the metrics after it would score that`},
		{"a metric in the wrong direction", func(t TB) {
			c := CompareWith(t, Config{Metrics: []metric.Metric{Loss(unit.Higher, 1)}}, Numbers(60), Constant("odd", true), Parity())
			claim.Improves(t, c)
		}, `learntest.CompareWith: invalid configuration: data set "numbers": metric breaks its contract: loss scores shuffled predictions 50 and perfect ones 0, and higher is better: turn its direction round`},
		{"a level that lets equal learners differ", func(t TB) {
			claim.Improves(t, Compare(t, Numbers(60), Parity(), Constant("odd", true)), claim.Alpha(0.5))
		}, "Claim does not hold: invalid: invalid claim: significance level 0.5: of equal learners, that many would be shown to differ: it must be below 0.2, and 0.05 is usual"},
		{"two margins in one claim", func(t TB) {
			claim.NoRegression(t, Compare(t, Numbers(60), Parity(), Constant("odd", true)), claim.Margin(0.01), claim.Margin(0.3))
		}, "Claim does not hold: invalid: invalid claim: Margin(0.01) and Margin(0.3) in one claim: which of them counts?"},
		{"a comparison, and nothing that is claimed of it", func(t TB) {
			Compare(t, Numbers(60), Constant("odd", true), Parity())
		}, `learntest.Compare: nothing was claimed of odd vs parity on numbers when the test ended: it passes whatever the scores are: claim something, as in assert.Improves(t, c), look at c.Judge(verdict.Claim{}), or set Config.NoClaim if that is meant`},
		{"several candidates, and a claim of one", func(t TB) {
			claim.Improves(t, CompareAll(t, Config{}, Numbers(60), Constant("odd", true), Parity(), Constant("never", false))[0])
		}, `learntest.CompareAll: nothing was claimed of never vs odd on numbers when the test ended: it passes whatever the scores are: claim something, as in assert.Improves(t, c), look at c.Judge(verdict.Claim{}), or set Config.NoClaim if that is meant`},
		{"one learner under two names", func(t TB) {
			claim.Improves(t, Compare(t, Numbers(60), Parity(), Constant("odd", true)))
			claim.Improves(t, Compare(t, Numbers(60), WrongBelow("deep", 6), WrongBelow("shallow", 6)))
		}, "Claim does not hold: deep is on a par with shallow on numbers in accuracy: equivalent; no significant improvement; both have the same accuracy in every fold"},
		{"a margin below what so few examples can show, and one learner under two names", func(t TB) {
			claim.NoRegression(t, Compare(t, Numbers(60), WrongBelow("deep", 6), WrongBelow("shallow", 6)))
		}, "Claim does not hold: deep is on a par with shallow on numbers in accuracy, 1.00 points allowed: inconclusive; a regression by more than 1.00 points was not ruled out: without an improvement 60 examples cannot show a loss below 4.87 points, and the smallest round margin above that is 5.00 points; both have the same accuracy in every fold"},
		{"the label in the examples", func(t TB) {
			type payment struct {
				Amount int
				Fraud  bool
			}
			var xs []payment
			var ys []bool
			for i := range 60 {
				fraud := i*7%11 > 6
				xs, ys = append(xs, payment{i, fraud}), append(ys, fraud)
			}
			peeker := Pretrained("peeker", func(p payment) bool { return p.Fraud })
			claim.Improves(t, Compare(t, Examples("payments", xs, ys), peeker, Pretrained("honest", func(p payment) bool { return p.Amount > 30 })))
		}, `learntest.Compare: unusable data: data set "payments": field Fraud tells` + theLabel},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewRecorder(t)
			c.test(r)
			r.End()
			assert.Equal(t, c.says, firstLine(r))
		})
	}
}

// A level from outside cannot turn red into green.
func TestLevelsFromOutsideAreNotLooser(t *testing.T) {
	t.Setenv("LEARNTEST_ALPHA", "0.5")
	r := NewRecorder(t)
	claim.Improves(r, Compare(r, Numbers(60), Guesser("guess"), Constant("odd", true)))
	r.End()
	assert.Equal(t, "learntest.Compare: invalid configuration: environment variable LEARNTEST_ALPHA=0.5: it is looser than the 0.05 of claims that give no level: what a test claims may be made stricter from outside only", r.Ended())
	assert.Len(t, r.Failures(), 1, "nor does the claim hold")
}
