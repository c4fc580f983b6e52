package learntest

import "context"

// A Learner is a learning algorithm under test, for examples of type X with
// labels of type Y.
type Learner[X any, Y comparable] struct {
	// Name appears in results. The learners of a comparison need different
	// ones.
	Name string

	// Fit trains a model.
	Fit Fit[X, Y]
}

// Fit trains a fresh model on a sample. It draws all its random numbers from
// seed, which is the same for all learners of a fold. Trials run in parallel,
// so that a Fit must be safe for concurrent use. ctx ends when the trial's time is
// over.
type Fit[X any, Y comparable] func(ctx context.Context, train Sample[X, Y], seed uint64) (Model[X, Y], error)

// A Model is what a learner has learned. [Labels] or [Probabilities] makes one of
// the function that predicts. The zero Model, which has none, fails the trial. A model
// is used by one goroutine at a time.
//
// Note: Neither a struct of functions, of which a user may set none or two, nor an
// interface, whose methods for probabilities every model of labels would lack.
type Model[X any, Y comparable] struct {
	predictor predictor[X, Y]
	close     func() error
}

// Labels returns the model that predicts labels by the given function, which
// returns those of all examples in their order. ctx ends when the trial's time
// is over. xs is valid until the function returns, and is not to be modified.
func Labels[X any, Y comparable](predict func(ctx context.Context, xs []X) ([]Y, error)) Model[X, Y] {
	if predict == nil {
		return Model[X, Y]{}
	}
	return Model[X, Y]{predictor: labels[X, Y](predict)}
}

// Probabilities returns the model that predicts class probabilities by the given
// function. It writes those of example xs[i] to p[i*k:(i+1)*k], k being the number
// of classes, in the order of Sample.Classes: all of them, since an example that is left out is
// an error. The class with the greatest probability, the first of ties, is
// the predicted label. All zeros mean no opinion, which counts as a wrong label.
//
// ctx ends when the trial's time is over. xs and p are valid until the function
// returns, and xs is not to be modified.
func Probabilities[X any, Y comparable](predict func(ctx context.Context, xs []X, p []float64) error) Model[X, Y] {
	if predict == nil {
		return Model[X, Y]{}
	}
	return Model[X, Y]{predictor: probabilities[X, Y](predict)}
}

// WithClose returns the model with a function that is called when the trial is
// over. Its error fails the trial.
func (m Model[X, Y]) WithClose(close func() error) Model[X, Y] {
	m.close = close
	return m
}

// Func returns the learner whose fit returns a function that predicts the label
// of one example.
func Func[X any, Y comparable](name string, fit func(ctx context.Context, train Sample[X, Y], seed uint64) (func(x X) Y, error)) Learner[X, Y] {
	return Learner[X, Y]{name, func(ctx context.Context, train Sample[X, Y], seed uint64) (Model[X, Y], error) {
		f, err := fit(ctx, train, seed)
		if f == nil {
			return Model[X, Y]{}, err
		}
		return Model[X, Y]{predictor: label[X, Y](f)}, err
	}}
}

// ProbFunc returns the learner whose fit returns a function that writes the class
// probabilities of one example into p, in the order of Sample.Classes. It is
// given zeros.
func ProbFunc[X any, Y comparable](name string, fit func(ctx context.Context, train Sample[X, Y], seed uint64) (func(x X, p []float64), error)) Learner[X, Y] {
	return Learner[X, Y]{name, func(ctx context.Context, train Sample[X, Y], seed uint64) (Model[X, Y], error) {
		f, err := fit(ctx, train, seed)
		if f == nil {
			return Model[X, Y]{}, err
		}
		return Probabilities[X, Y](func(ctx context.Context, xs []X, p []float64) error {
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

// eachRow calls f with each of n rows of p until it returns an error or the
// context ends.
func eachRow(ctx context.Context, n int, p []float64, f func(i int, row []float64) error) error {
	k := len(p) / max(n, 1)
	for i := range n {
		if err := checkNow(ctx, i); err != nil {
			return err
		}
		if err := f(i, p[i*k:(i+1)*k:(i+1)*k]); err != nil {
			return err
		}
	}
	return nil
}

// checkNow returns why a context has ended. It looks before every few examples
// only: they may be cheap.
func checkNow(ctx context.Context, example int) error {
	if example%32 != 0 {
		return nil
	}
	return context.Cause(ctx)
}
