package learnercheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/learner/process"
)

// A Rule is the name of a promise that learners make, and of its subtest in [Run].
type Rule string

// The rules for learners of all shapes, in the order in which they are checked.
const (
	// Trial says that a trial comes to its end: neither Fit, the prediction nor Close returns an
	// error, panics or ends its goroutine, and there is a model.
	Trial Rule = "trial"

	// Predictions says that each example has a prediction, which is one of the classes or finite.
	Predictions Rule = "predictions"

	// Probabilities says that all classes have a written probability, none is negative, and they
	// sum to 1.
	Probabilities Rule = "probabilities"

	// Inputs says that the learner changes nothing that it only borrows: examples, labels, classes,
	// the indices of a sample, or the slice of examples to be predicted.
	Inputs Rule = "inputs"

	// Determinism says that the same training examples and seed make the same predictions.
	Determinism Rule = "determinism"

	// Independence says that one model has no influence on another.
	Independence Rule = "independence"

	// Labels says that predictions do not depend on the labels of the predicted examples, nor on a
	// field, an element or an entry of these that tells the label of every example. A learner that
	// tunes itself on more than the rows of its sample breaks it: tuning belongs inside Fit.
	Labels Rule = "labels"

	// Learning says that other labels of the training examples make other predictions. Models that
	// are trained elsewhere are meant to break it: they are to be allowed to.
	Learning Rule = "learning"

	// Order says that a prediction depends neither on the order of the test examples nor on which
	// others are predicted with it or before. Some learners are meant to break it, such as learners
	// that go on learning while they predict: allow them to.
	Order Rule = "order"

	// Parallel says that several trials may run at the same time.
	Parallel Rule = "parallel"

	// Context says that neither Fit nor a prediction goes on after its context has ended.
	Context Rule = "context"
)

// A rule says what a promise is and how it is checked.
type rule struct {
	name         Rule
	harm, remedy string                           // of a learner that breaks it
	on           shape                            // the subjects that it holds for
	allowed      bool                             // a subject may be allowed to break it
	may          bool                             // a program may refuse by an error
	can          func(can process.Abilities) bool // the programs that it holds for; nil if all
	answers      bool                             // it holds for programs that answer items and do not learn, too
	needs        []Rule                           // without which it shows nothing
	check        func(ctx context.Context, b *bench) error
}

// rules returns all rules in the order in which they are checked.
func rules() []rule {
	return slices.Concat(protocolRules(), commonRules(), tableRules(), programRules(), dataRules())
}

// commonRules returns the rules for learners of several shapes.
func commonRules() []rule {
	whole := []Rule{hello, Trial, Predictions, Probabilities, Inputs}
	same := append(slices.Clone(whole), Determinism)
	return []rule{
		{
			name: Trial, on: allShapes, check: checkTrial, needs: whole[:1],
			harm:   "a trial that fails has no score, and no claim holds about a comparison with one",
			remedy: "learn from any part of the data, also from one in which a class does not occur, and return an error only where nothing can be learned",
		},
		{
			name: Predictions, on: allShapes, check: checkPredictions, needs: whole[:2],
			harm:   "there is nothing to score, so that the trial fails; nothing is imputed",
			remedy: "predict each example that is given, in its order, and as one of Sample.Classes; a number is to be finite",
		},
		{
			name: Probabilities, on: allShapes, check: checkProbabilities, needs: whole[:3],
			harm:   "log loss, Brier score and AUC of such numbers mean nothing, so that the trial fails",
			remedy: "write all of p, a class that is not known as 0, and divide by the sum; all zeros mean no opinion",
		},
		{
			name: Inputs, on: anything | tables, check: checkInputs,
			harm:   "learners share the examples: later learners learn from other data, and the comparison is not fair",
			remedy: "work on a copy",
		},
		{
			name: Determinism, on: allShapes, allowed: true, check: checkDeterminism, needs: whole,
			harm:   "a rerun differs by more than its partitions, so that a test passes and fails on the same code",
			remedy: "draw all random numbers from the seed that Fit gets, keep nothing from one Fit to the next, and let nothing depend on the order of a map or of goroutines; for a library that cannot be seeded, allow it here and set Config.AllowNondeterminism",
		},
		{
			name: Independence, on: allShapes, check: checkIndependence, needs: same,
			harm:   "scores depend on which other models there are, so that a comparison is not of its two learners alone",
			remedy: "keep what a model needs in the model, nothing in the learner or in the package",
		},
		{
			name: Labels, on: anything | tables, check: checkLabels, needs: same,
			harm:   "its scores promise too much for examples whose label nobody knows",
			remedy: "learn from the examples of the sample only, and tune on them, inside Fit: Sample.Data and tables have others, and their labels, too; leave out of the examples each value that is not known before the label",
		},
		{
			name: Learning, on: allShapes, allowed: true, check: checkLearning, needs: same,
			harm:   "nothing was learned, so that no change of the learner or of the data shows in its scores",
			remedy: "learn from the labels that the sample has, such as Sample.Labels: a field of the example that CSV takes for the label is zero there; look for a NaN that spoils all that is learned; and allow it for a model that is trained elsewhere",
		},
		{
			name: Order, on: allShapes, allowed: true, check: checkOrder, needs: same,
			harm:   "a score depends on how the data set happens to be sorted, and is not what single examples would get",
			remedy: "predict each example by itself: scale by the training examples, and draw no random numbers while predicting; where it is meant, allow it",
		},
		{
			name: Parallel, on: allShapes, check: checkParallel, needs: append(slices.Clone(same),
				Independence),
			harm:   "trials run in parallel: the scores depend on how many do, and on chance",
			remedy: "keep what a model needs in the model, nothing in the learner or in the package, or lock it; go test -race finds the place",
		},
		{
			name: Context, on: anything, check: checkContext, needs: whole,
			harm:   "a trial whose time is over, or a test at its deadline, leaves it running beside later ones, and an interrupted run does not end",
			remedy: "look at ctx.Err() in the loop over epochs, trees or examples, and return it; give ctx to what waits",
		},
	}
}

func (r Rule) index() int {
	return slices.IndexFunc(rules(), func(x rule) bool { return x.name == r })
}

// checkAllowed returns an error unless subjects of a shape may be allowed to break all of the
// rules.
func checkAllowed(broken []Rule, on shape) error {
	var names []string
	for _, r := range rules() {
		if r.allowed && r.on&on != 0 {
			names = append(names, string(r.name))
		}
	}
	for _, r := range broken {
		if !slices.Contains(names, string(r)) {
			return fmt.Errorf("%w: rule %q cannot be allowed to be broken: the rules that can are %s",
				learntest.ErrConfig, r, strings.Join(names, ", "))
		}
	}
	return nil
}
