// Package learner defines what a learning algorithm on tables is: a [Classifier], whose Fit
// returns a [Model] of class probabilities, or a [Regressor], whose Fit returns a
// [NumericModel].
//
// learntest.FromClassifier and learntest.FromRegressor make either of them run in comparisons, and
// learnercheck.Classifier tests whether a classifier of one's own keeps the rules. Learners that
// are not on tables need nothing of this package: see learntest.Learner.
//
// The packages below it are reference learners, honest baselines that agree with learners of Weka
// or, in the case of forest, logistic and ridge, of scikit-learn; and process, which makes learners
// of other programs. They know nothing of splits, records or statistics.
package learner

import "github.com/learnbench/learnbench/learntest/dataset"

// A Classifier is a learning algorithm with its parameters. It is a value: it
// may be used by several goroutines at once, and every Fit returns a fresh
// model.
type Classifier interface {
	// Name is the canonical text form of the algorithm and of the parameters
	// that differ from their defaults, such as "c45" or "c45(minleaf=5)".
	Name() string

	// Fit trains on the given rows of the table, in the order given. It draws
	// all its random numbers from seed. It retains neither rows nor a reference
	// to them.
	Fit(t *dataset.Table, rows []int, seed uint64) (Model, error)
}

// A Model is a trained classifier. It is used by one goroutine at a time.
type Model interface {
	// Distribution writes the class probabilities of a row into dist, whose
	// length is the number of declared classes. The row may be of another
	// table with the same attributes. A learner that has no opinion writes
	// zeros.
	Distribution(t *dataset.Table, row int, dist []float64)

	// Close gives the model's memory back for use by another Fit. The model
	// must not be used afterwards. It always returns nil.
	Close() error
}

// A Regressor is a learning algorithm for numbers with its parameters. It is a
// value: it may be used by several goroutines at once, and every Fit returns a
// fresh model.
type Regressor interface {
	// Name is as in Classifier.
	Name() string

	// Fit trains on the given rows of the table, whose target is numeric, in the
	// order given. It draws all its random numbers from seed. It retains neither
	// rows nor a reference to them.
	Fit(t *dataset.Table, rows []int, seed uint64) (NumericModel, error)
}

// A NumericModel is a trained regressor. It is used by one goroutine at a time.
type NumericModel interface {
	// Value predicts the target of a row. The row may be of another table with
	// the same attributes. It returns an error if a value that the model needs is
	// missing.
	Value(t *dataset.Table, row int) (float64, error)

	// Close gives the model's memory back, as in Model.
	Close() error
}

// Best returns the first class of strictly greatest positive probability, or
// -1 if there is none.
func Best(dist []float64) int {
	best, max := -1, 0.0
	for c, p := range dist {
		if p > max {
			best, max = c, p
		}
	}
	return best
}
