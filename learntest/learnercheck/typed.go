package learnercheck

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/internal/otherlabels"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
)

// Learner returns the subject that a learner is on data of its own.
//
// The learner is trained on parts of the data, about thirty times: take data as it will
// see them, few enough for that, and the largest that is bearable to see whether it stops when its
// context ends, which a Fit of less than half a second need not.
func Learner[X any, Y comparable](data learntest.Data[X, Y], l learntest.Learner[X, Y]) Subject {
	return Subject{shape: anything, open: func() ([]*bench, func() error, error) {
		b := new(bench)
		return []*bench{b}, nil, prepare(b, data, l)
	}}
}

// prepare puts a learner and its data on a bench.
func prepare[X any, Y comparable](b *bench, data learntest.Data[X, Y],
	l learntest.Learner[X, Y],
) error {
	if l.Name == "" || l.Fit == nil {
		return fmt.Errorf("%w: learner %q has no name or no Fit", learntest.ErrConfig, l.Name)
	}
	t, err := newTyped(data, l)
	if err != nil {
		return err
	}
	b.learner, b.data, b.material, b.found = l.Name, data.Name(), t, make(map[Rule]bool)
	b.parallel, b.slack, b.mute = 2, 1e-6, true
	if b.digest, err = t.digest(); err != nil {
		return err
	}
	examples := split.Examples{N: data.Len()}
	if t.classes() > 0 {
		for i := range examples.N {
			examples.Class = append(examples.Class, t.all.Class(i))
		}
	}
	plan, err := split.CV(1, folds).Plan(examples)
	if err != nil {
		return fmt.Errorf("data set %q: %w", data.Name(), err)
	}
	for i := range b.folds {
		f := &b.folds[i]
		f.train, f.test = plan.Trial(1, i+1, nil, nil)
		f.asked = f.test
		f.seed = split.TrialSeed(plan.Protocol().Seed(), b.digest, 1, i+1)
	}
	return nil
}

// Typed is the material that a learner and data of any type are.
type typed[X any, Y comparable] struct {
	data    learntest.Data[X, Y]
	learner learntest.Learner[X, Y]
	all     learntest.Sample[X, Y]
	known   []Y // the classes of all, which nobody has been lent
}

func newTyped[X any, Y comparable](data learntest.Data[X, Y], l learntest.Learner[X, Y]) (*typed[X,
	Y], error,
) {
	all, err := learntest.NewSample(data)
	if err != nil {
		return nil, err
	}
	return &typed[X, Y]{data, l, all, slices.Clone(all.Classes())}, nil
}

func (t *typed[X, Y]) classes() int            { return len(t.known) }
func (t *typed[X, Y]) digest() (string, error) { return t.all.CurrentDigest() }

func (t *typed[X, Y]) unchanged() error {
	if !slices.Equal(t.all.Classes(), t.known) {
		return errors.New("it changes the slice of classes that Sample.Classes returns")
	}
	return nil
}

func (t *typed[X, Y]) fit(ctx context.Context, rows []int, seed uint64) (model, error) {
	m, err := t.learner.Fit(ctx, t.all.Select(rows), seed)
	return typedModel[X, Y]{m, t}, err
}

// A typedModel is a model with the material that it was fitted on.
type typedModel[X any, Y comparable] struct {
	learntest.Model[X, Y]
	of *typed[X, Y]
}

func (m typedModel[X, Y]) predict(ctx context.Context, rows []int) (*metric.Predictions, error) {
	return m.Predict(ctx, m.of.all.Select(rows))
}

// changes returns changes of the labels of some examples that between them change what any learner
// learns.
func (t *typed[X, Y]) changes(rows []int) []otherlabels.Change {
	if k := t.classes(); k > 0 {
		return otherlabels.Classes(k)
	}
	values := make([]float64, len(rows))
	for i, row := range rows {
		values[i] = t.value(row)
	}
	return otherlabels.Values(values)
}

// value returns the label of an example in regression.
func (t *typed[X, Y]) value(row int) float64 {
	return reflect.ValueOf(t.data.Label(row)).Float()
}

// relabelled returns nothing for rows whose labels nobody knows but their table, and where a class
// has gone with its only example.
func (t *typed[X, Y]) relabelled(rows []int, c otherlabels.Change) material {
	data, ok := otherlabels.Relabel(t.all, rows, c)
	if !ok {
		return nil
	}
	m, err := newTyped(data, t.learner)
	if err != nil || !slices.Equal(m.known, t.known) {
		return nil
	}
	return m
}
