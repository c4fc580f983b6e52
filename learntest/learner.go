package learntest

import "context"

// A Learner is a learning algorithm under test, for examples of type X with
// labels of type Y.
type Learner[X any, Y comparable] struct {
	// Name appears in results. The learners of a comparison need different
	// ones.
	Name string

	// Fit trains a fresh model on a sample. It draws all its random numbers from seed, and all
	// learners of a fold get the same seed. Trials run in parallel, so that a Fit must be safe for
	// concurrent use. ctx ends when the trial's time is over.
	Fit func(ctx context.Context, train Sample[X, Y], seed uint64) (Model[X, Y], error)

	// Depends are the files and directories, with all that is below them, that Fit and its models
	// read. Results.Resume and Results.In accept stored results for this learner only if none of
	// the files has changed since.
	Depends []string

	unnamed bool // it is a program in another language that names no file

	// describe returns a text that tells the learner from others of its name, or why nobody can;
	// nil if its name says all that is known.
	describe func() (string, error)
}

// Func returns the learner whose fit returns a function that predicts the label
// of one example.
func Func[X any, Y comparable](name string, fit func(ctx context.Context, train Sample[X, Y],
	seed uint64) (func(x X) Y, error),
) Learner[X, Y] {
	return Learner[X, Y]{Name: name, Fit: func(ctx context.Context, train Sample[X, Y],
		seed uint64,
	) (Model[X, Y], error) {
		f, err := fit(ctx, train, seed)
		if f == nil {
			return Model[X, Y]{}, err
		}
		return Model[X, Y]{predictor: label[X, Y](f)}, err
	}}
}

// ProbFunc returns the learner whose fit returns a function that writes the class
// probabilities of one example into p, in the order of Sample.Classes. At the call, p has
// zeros only.
func ProbFunc[X any, Y comparable](name string, fit func(ctx context.Context, train Sample[X, Y],
	seed uint64) (func(x X, p []float64), error),
) Learner[X, Y] {
	return Learner[X, Y]{Name: name, Fit: func(ctx context.Context, train Sample[X, Y],
		seed uint64,
	) (Model[X, Y], error) {
		f, err := fit(ctx, train, seed)
		if f == nil {
			return Model[X, Y]{}, err
		}
		return ProbabilityModel[X, Y](func(ctx context.Context, xs []X, p []float64) error {
			clear(p)
			return eachRow(ctx, len(xs), p, func(i int, row []float64) error {
				f(xs[i], row)
				return nil
			})
		}), err
	}}
}

// Pretrained adapts a model that is trained already and only predicts. Its
// scores are honest only if it has never seen the data set.
func Pretrained[X any, Y comparable](name string, predict func(x X) Y) Learner[X, Y] {
	return Func(name, func(context.Context, Sample[X, Y], uint64) (func(X) Y, error) {
		return predict, nil
	})
}
