package learntest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/trial"
)

// Map lets a learner on examples of type Z, such as rows of numbers, learn from examples of type X,
// such as structs of the user's own: of says what the learner is to see of an example.
//
//	learntest.Map(forest, func(p Payment) []float64 { return []float64{p.Amount, p.Age} })
//
// The learner keeps its name. A function that needs means and deviations of the training examples
// is made in a Fit of the user's own, which calls the Fit of such a learner.
func Map[X, Z any, Y comparable](l Learner[Z, Y], of func(x X) Z) Learner[X, Y] {
	if of == nil {
		l.Fit = nil
	}
	return mapped(l, nil, func(Sample[X, Y]) (func(xs []X) ([]Z, error), error) {
		return func(xs []X) ([]Z, error) {
			zs := make([]Z, len(xs))
			for i, x := range xs {
				zs[i] = of(x)
			}
			return zs, nil
		}, nil
	})
}

// mapped lets a learner on Z learn from examples of type X. learn returns what makes examples of
// type Z of others, and looks at the training examples only; how has its parameters.
func mapped[X, Z any, Y comparable](l Learner[Z, Y], how any,
	learn func(train Sample[X, Y]) (func(xs []X) ([]Z, error), error),
) Learner[X, Y] {
	out := Learner[X, Y]{
		Name: l.Name, Depends: l.Depends, unnamed: l.unnamed,
		describe: describeThrough(l.describe, how),
	}
	if l.Fit == nil {
		return out
	}
	out.Fit = func(ctx context.Context, train Sample[X, Y], seed uint64) (Model[X, Y], error) {
		of, err := learn(train)
		if err != nil {
			return Model[X, Y]{}, err
		}
		src, err := seen(train.src, train.rows, train.Examples(), of)
		if err != nil {
			return Model[X, Y]{}, err
		}
		m, err := l.Fit(ctx, Sample[Z, Y]{src, train.rows}, seed)
		if err != nil || m.predictor == nil {
			return Model[X, Y]{}, err
		}
		return Model[X, Y]{predictor: through[X, Z, Y]{m.predictor, of}, close: m.close}, nil
	}
	return out
}

// through is the predictor of a model on examples of another type.
type through[X, Z any, Y comparable] struct {
	predictor[Z, Y]
	of func(xs []X) ([]Z, error)
}

func (p through[X, Z, Y]) predict(ctx context.Context, s *source[X, Y], a *trial.Attempt) error {
	src, err := seen(s, a.Test, s.testExamples(a), p.of)
	if err != nil {
		return err
	}
	b := trial.Attempt{Test: a.Test, Predictions: a.Predictions, Buffer: a.Buffer} // with memory of its own for examples
	err = p.predictor.predict(ctx, src, &b)
	a.Predictions, a.Buffer = b.Predictions, b.Buffer
	return err
}

// A view is a data set of which somebody sees some examples, as of another type. It has no others,
// so that no learner can look at them.
type view[X, Z any, Y comparable] struct {
	Data[X, Y]
	zs []Z
}

// Example returns an example that is seen, and the zero value for any other.
func (v view[X, Z, Y]) Example(i int) Z { return v.zs[i] }

// seen returns a data set as a learner on Z sees it: the examples in rows, which are xs.
func seen[X, Z any, Y comparable](s *source[X, Y], rows []int, xs []X,
	of func(xs []X) ([]Z, error),
) (*source[Z, Y], error) {
	zs, err := of(xs)
	if err != nil {
		return nil, err
	}
	v := view[X, Z, Y]{s.data, make([]Z, s.data.Len())}
	for i, row := range rows {
		v.zs[row] = zs[i]
	}
	src := derived(s, Data[Z, Y](v))
	if data, ok := any(v).(Data[dataset.Row, Y]); ok {
		if src.tables, err = tablesOf(data, rows); err != nil {
			return nil, fmt.Errorf("%w: %w", dataset.ErrUnusable, err)
		}
	}
	return src, nil
}

// derived returns a data set with the labels of another one.
func derived[X, Z any, Y comparable](s *source[X, Y], data Data[Z, Y]) *source[Z, Y] {
	return &source[Z, Y]{
		data: data, name: s.name, digest: s.digest, table: new(tabular),
		classes: s.classes, classNames: s.classNames, classIndex: s.classIndex, truth: s.truth,
		values: s.values, groups: s.groups,
	}
}

// with returns other examples with the labels of the data set, and of the same columns.
func with[X any, Y comparable](s *source[X, Y], data Data[X, Y]) *source[X, Y] {
	other := derived(s, data)
	other.tables, other.table.of = s.tables, s.table
	return other
}

// relabel has the examples have their own labels, among the classes that there are, or none.
func relabel[X any, Y comparable](s *source[X, Y], labelled bool) (err error) {
	n := s.data.Len()
	s.groups = nil
	switch {
	case s.classification():
		s.truth = slices.Repeat([]int{-1}, n)
		for i := 0; i < n && labelled; i++ {
			if s.truth[i] = s.class(s.data.Label(i)); s.truth[i] < 0 {
				return fmt.Errorf("the label of example %d, %v, is none of the classes", i, s.data.Label(i))
			}
		}
	case labelled:
		err = s.readValues()
	default:
		s.values = slices.Repeat([]float64{math.NaN()}, n)
	}
	if rows, ok := any(s.data).(Data[dataset.Row, Y]); ok && err == nil {
		s.tables, err = tablesOf(rows, indices(n))
	}
	return err
}

// With returns a sample of other examples with labels among the same classes, for a learner that
// trains another one on examples of its own making. If ys is nil, they have no labels, and the
// sample is for [Model.Predict]. With keeps the slices. The error wraps [dataset.ErrUnusable].
func (s Sample[X, Y]) With(xs []X, ys []Y) (Sample[X, Y], error) {
	data := Examples(s.src.name, xs, ys)
	if ys == nil {
		data.ys = make([]Y, len(xs))
	}
	src := with(s.src, data)
	err := data.check()
	if err == nil {
		err = relabel(src, ys != nil)
	}
	if err != nil {
		return Sample[X, Y]{}, fmt.Errorf("%w: other examples of %q: %w", dataset.ErrUnusable, s.src.name,
			err)
	}
	return Sample[X, Y]{src, indices(len(xs))}, nil
}

// describeThrough returns a function that describes a learner by the learner that it passes
// examples on to, which may have no description, and by how it does.
func describeThrough(describe func() (string, error), how any) func() (string, error) {
	return func() (string, error) {
		own := ""
		var err error
		if describe != nil {
			own, err = describe()
		}
		if err != nil || how == nil {
			return own, err
		}
		digest, err := dataset.DigestOf(how)
		return own + " through " + digest, err
	}
}
