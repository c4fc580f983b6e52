package learntest

import (
	"fmt"
	"slices"
	"strings"
)

// A FlawKind is a promise that learners break. It is the name of its subtest in
// [RunLearnerTests].
type FlawKind string

// The kinds of flaws, in the order in which learners are tested for them.
const (
	// FlawTrial is a trial that does not come to its end: Fit, the prediction or Close
	// returns an error, panics or ends its goroutine, or there is no model.
	FlawTrial FlawKind = "trial"

	// FlawPredictions are predictions that are too few or too many, that are none of the
	// classes, or that are not finite.
	FlawPredictions FlawKind = "predictions"

	// FlawProbabilities are class probabilities that are not finite, negative, left out, or do not
	// sum to 1.
	FlawProbabilities FlawKind = "probabilities"

	// FlawInputs is a change of what the learner only borrows: examples, labels, classes, the
	// indices of a sample, or the slice of examples to be predicted.
	FlawInputs FlawKind = "inputs"

	// FlawDeterminism is another prediction by the same training examples and seed.
	FlawDeterminism FlawKind = "determinism"

	// FlawLabels are predictions that go by the labels of the examples that are predicted, or by a field or
	// an element of these that tells the label of every example.
	FlawLabels FlawKind = "labels"

	// FlawLearning are predictions that stay the same whatever the labels of the training examples
	// are. Models that are trained elsewhere are meant to give such: they are to be allowed to.
	FlawLearning FlawKind = "learning"

	// FlawOrder is a prediction that depends on the order of the test examples, or on which
	// others are predicted with it. Some learners are meant to, such as those that go on learning
	// while they predict: they are to be allowed to.
	FlawOrder FlawKind = "order"

	// FlawParallel is another prediction, or a failure, when several trials run at the same
	// time.
	FlawParallel FlawKind = "parallel"

	// FlawContext is a Fit or a prediction that goes on after its context has ended.
	FlawContext FlawKind = "context"
)

// flaws say of each kind what harm it does and what removes it.
var flaws = []struct {
	kind         FlawKind
	allowed      bool // learners may be allowed to have it
	harm, remedy string
}{
	{
		FlawTrial, false,
		"a trial that fails has no score, and no claim holds about a comparison with one",
		"learn from any part of the data, also from one in which a class does not occur, and return an error only where nothing can be learned",
	},
	{
		FlawPredictions, false,
		"there is nothing to score, so that the trial fails; nothing is imputed",
		"predict each example that is given, in its order, and as one of Sample.Classes; a number is to be finite",
	},
	{
		FlawProbabilities, false,
		"log loss, Brier score and AUC of such numbers mean nothing, so that the trial fails",
		"write all of p, a class that is not known as 0, and divide by the sum; all zeros mean no opinion",
	},
	{
		FlawInputs, false,
		"learners share the examples: those that come after it learn from other data, and the comparison is not fair",
		"work on a copy",
	},
	{
		FlawDeterminism, true,
		"a rerun differs by more than its partitions, so that a test passes and fails on the same code",
		"draw all random numbers from the seed that Fit gets, keep nothing from one Fit to the next, and let nothing depend on the order of a map or of goroutines; for a library that cannot be seeded, allow it here and set Config.AllowNondeterminism",
	},
	{
		FlawLabels, false,
		"its scores promise what it cannot keep where nobody knows the label",
		"learn from the examples of the sample only: Sample.Data and tables have others, and their labels, too; leave out of the examples what is not known before the label",
	},
	{
		FlawLearning, true,
		"nothing was learned, so that no change of the learner or of the data shows in its scores",
		"learn from the labels that the sample has, such as Sample.Labels: a field of the example that CSV takes for the label is zero there; look for a NaN that spoils all that is learned; and allow it for a model that is trained elsewhere",
	},
	{
		FlawOrder, true,
		"a score depends on how the data set happens to be sorted, and is not what single examples would get",
		"predict each example by itself: scale by the training examples, and draw no random numbers while predicting; where it is meant, allow it",
	},
	{
		FlawParallel, false,
		"trials run in parallel: the scores depend on how many do, and on chance",
		"keep what a model needs in the model, nothing in the learner or in the package, or lock it; go test -race finds the place",
	},
	{
		FlawContext, false,
		"a trial whose time is over, or a test at its deadline, leaves it running beside those that come after it, and an interrupted run does not end",
		"look at ctx.Err() in the loop over epochs, trees or examples, and return it; give ctx to what waits",
	},
}

// A Flaw is a promise that a learner does not keep, so that results that it is part of
// cannot be trusted. [TestLearner] returns them, joined. It wraps [ErrLearner].
type Flaw struct {
	Kind    FlawKind // which promise
	Learner string   // its name
	Data    string   // the name of the data set
	Err     error    // what happened
}

// Error returns what happened, what harm it does and what removes it, on a line each.
func (f *Flaw) Error() string {
	return fmt.Sprintf("%v: %s on data set %s: %s: %v\n\tharm: %s\n\tremedy: %s", ErrLearner, f.Learner, f.Data, f.Kind, f.Err, f.Harm(), f.Remedy())
}

// Unwrap returns ErrLearner and what happened.
func (f *Flaw) Unwrap() []error { return []error{ErrLearner, f.Err} }

// Harm says why it matters.
func (f *Flaw) Harm() string {
	if i := f.Kind.index(); i >= 0 {
		return flaws[i].harm
	}
	return "unknown"
}

// Remedy says what to do about it.
func (f *Flaw) Remedy() string {
	if i := f.Kind.index(); i >= 0 {
		return flaws[i].remedy
	}
	return "unknown"
}

func (k FlawKind) index() int {
	for i := range flaws {
		if flaws[i].kind == k {
			return i
		}
	}
	return -1
}

// checkAllowed returns an error unless learners may be allowed to have all of the kinds.
func checkAllowed(kinds []FlawKind) error {
	var names []string
	for _, f := range flaws {
		if f.allowed {
			names = append(names, string(f.kind))
		}
	}
	for _, k := range kinds {
		if !slices.Contains(names, string(k)) {
			return fmt.Errorf("%w: flaw %q cannot be allowed: those that can are %s", ErrConfig, k, strings.Join(names, ", "))
		}
	}
	return nil
}
