package mistakes

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/split"
)

// A learner scales the examples that it is lent.
//
//	FAIL learntest.Compare: unusable learner: scaling changes the examples that it is given: the digest of data set payments was c234672e7a1c and is cd737334b1ca after its first trial: let it work on a copy
func TestLearnerThatChangesExamples(t *testing.T) {
	data := payments(func(i int, _ bool) []float64 { return []float64{float64(i)} })
	scaling := learntest.Func("scaling", func(_ context.Context, train learntest.Sample[[]float64, bool], _ uint64) (func([]float64) bool, error) {
		for x := range train.All() {
			x[0] /= 60
		}
		return func(x []float64) bool { return x[0] > 0.5 }, nil
	})
	assert.Improves(t, learntest.Compare(t, data, scaling, always[[]float64]("never", false)))
}

// A learner cannot be trained.
//
//	FAIL learntest.Compare: trial failed: data set points, learner newton, run 1, fold 1: fit: cannot converge
func TestLearnerThatFails(t *testing.T) {
	l := learntest.Func("newton", func(context.Context, sample, uint64) (func(point) bool, error) {
		return nil, errors.New("cannot converge")
	})
	assert.Improves(t, learntest.Compare(t, points(100, 1), l, always[point]("never", false)))
}

// A trial takes more than its time.
//
//	FAIL learntest.CompareWith: trial failed: data set numbers, learner slow, run 1, fold 1: trial timed out after 50ms: it took N
func TestTrialThatOverrunsItsTime(t *testing.T) {
	slow := learntest.Pretrained("slow", func(x int) bool {
		time.Sleep(20 * time.Millisecond)
		return odd(x)
	})
	cfg := learntest.Config{Protocol: split.CV(1, 2), TrialTimeout: 50 * time.Millisecond}
	assert.Improves(t, learntest.CompareWith(t, cfg, numbers(20), slow, wrongBelow("old", 10)))
}

// A model panics on one example.
//
//	FAIL learntest.Compare: trial failed: data set numbers, learner names, run 1, fold 2: panic: runtime error: index out of range [59] with length 59 (learners_test.go:N)
func TestModelThatPanics(t *testing.T) {
	names := make([]string, 59)
	l := learntest.Pretrained("names", func(x int) bool { return names[x] != "" })
	assert.NoRegression(t, learntest.Compare(t, numbers(60), l, parity()), assert.Margin(0.1))
}

// A model predicts too little.
//
//	FAIL learntest.Compare: trial failed: data set numbers, learner short, run 1, fold 1: predict: invalid prediction: 5 predictions for 6 test examples
func TestModelThatPredictsTooLittle(t *testing.T) {
	short := learntest.LabelModel(func(_ context.Context, xs []int) ([]bool, error) { return make([]bool, len(xs)-1), nil })
	assert.NoRegression(t, learntest.Compare(t, numbers(60), trained("short", short), parity()), assert.Margin(0.1))
}

// A model's probabilities are none.
//
//	FAIL learntest.Compare: trial failed: data set numbers, learner nan, run 1, fold 1: predict: invalid prediction: example 9: class 0: NaN is not a probability
func TestModelOfNaN(t *testing.T) {
	nan := learntest.ProbabilityModel[int, bool](func(_ context.Context, _ []int, p []float64) error {
		for i := range p {
			p[i] = math.NaN()
		}
		return nil
	})
	assert.NoRegression(t, learntest.Compare(t, numbers(60), trained("nan", nan), parity()), assert.Margin(0.1))
}

// A model predicts what is no class.
//
//	FAIL learntest.CompareWith: trial failed: data set mails, learner capitals, run 1, fold 1: predict: invalid prediction: example 0: the label "Spam" is no class; the classes are ["ham" "spam"]
func TestPredictionThatIsNoClass(t *testing.T) {
	data := learntest.Examples("mails", []int{1, 2, 3, 4, 5, 6, 7, 8}, []string{"ham", "spam", "ham", "spam", "ham", "spam", "ham", "spam"})
	l := learntest.Pretrained("capitals", func(int) string { return "Spam" })
	ham := learntest.Pretrained("ham", func(int) string { return "ham" })
	assert.Improves(t, learntest.CompareWith(t, learntest.Config{Protocol: split.CV(1, 4)}, data, l, ham))
}

// A learner does not look at the labels that it is to learn from.
//
//	FAIL unusable learner: idle on data set points: learning: trained on the same 67 examples with other labels, in 3 ways, it predicts the very same for all 100
func TestLearnerThatLearnsNothing(t *testing.T) {
	l := learntest.Func("idle", func(_ context.Context, train sample, _ uint64) (func(point) bool, error) {
		return func(x point) bool { return x[0] > train.Example(0)[0] }, nil
	})
	if err := learnercheck.Check(t.Context(), learnercheck.Learner(points(100, 1), l)); err != nil {
		t.Fatal(err)
	}
}

// A model goes on counting while it predicts.
//
//	FAIL unusable learner: counting on data set points: order: the second half of the test examples being predicted first, it predicted false and then true for example 0
func TestModelThatDependsOnTheOrder(t *testing.T) {
	l := learntest.Func("counting", func(_ context.Context, train sample, _ uint64) (func(point) bool, error) {
		n := 0
		return func(x point) bool {
			n++
			return (n%2 == 0) == train.Label(0)
		}, nil
	})
	if err := learnercheck.Check(t.Context(), learnercheck.Learner(points(100, 1), l), learnercheck.Learning); err != nil {
		t.Fatal(err)
	}
}
