// Package learnertest checks that a [learner.Classifier] keeps the contract
// of its interface, so that results measured with it can be trusted: a model
// depends on nothing but the rows, the table and the seed.
//
// It does not judge how well the classifier learns. Run it under the race
// detector, too.
package learnertest

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// Options say what a classifier does not promise, or promises beyond the
// interface. The zero value is right for most.
type Options struct {
	// TwoClasses says that the classifier learns only data sets that declare
	// exactly two classes. It must then refuse others with an error.
	TwoClasses bool

	// OrderFree says that the order of the training rows has no influence on
	// the model: its distributions must then agree to within Tolerance.
	OrderFree bool

	// Tolerance is the difference of probabilities that OrderFree leaves to
	// rounding. If zero, they must be equal.
	Tolerance float64

	// Stateful says that a prediction may depend on earlier predictions of
	// the same model.
	Stateful bool
}

// Check trains c on small tables of many kinds and returns one error for each
// rule that it breaks on one of them, joined, or nil. Each says which rule, on
// which table, and what happened. A panic counts as breaking the rule.
func Check(c learner.Classifier, opts Options) error {
	classes := 3
	if opts.TwoClasses {
		classes = 2
	}
	var errs []error
	report := func(rule rule, table string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %s: on table %s: %w", rule.name, rule.explanation, table, err))
		}
	}
	for _, t := range Tables(classes) {
		_, unmodified, err := clone(t)
		if err != nil {
			return err
		}
		s := &subject{Classifier: c, opts: opts, table: t, unmodified: unmodified}
		for i := range t.Len() {
			s.all = append(s.all, i)
			if i%3 != 0 {
				s.train = append(s.train, i)
			}
		}
		for _, r := range rules {
			report(r, t.Name(), s.try(r))
		}
	}
	for _, r := range refusals(opts) {
		report(r.rule, r.table.Name(), (&subject{Classifier: c, opts: opts, table: r.table}).try(r.rule))
	}
	return errors.Join(errs...)
}

// A rule is one promise of the interface.
type rule struct {
	name        string
	explanation string
	check       func(*subject) error
}

// A subject is a classifier with a table on which a rule is checked.
type subject struct {
	learner.Classifier
	opts  Options
	table *dataset.Table
	train []int // some of the rows
	all   []int // all of them

	// unmodified returns an error if the table is not what it was.
	unmodified func() error
}

// try checks a rule and turns a panic into an error.
func (s *subject) try(r rule) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return r.check(s)
}

// predict returns the distributions of all rows of a table one after the other.
func (s *subject) predict(m learner.Model, t *dataset.Table) []float64 {
	n := t.NumClasses()
	out := make([]float64, 0, t.Len()*n)
	dist := make([]float64, n)
	for i := range t.Len() {
		for c := range dist {
			dist[c] = math.NaN() // must be overwritten
		}
		m.Distribution(t, i, dist)
		out = append(out, dist...)
	}
	return out
}

// fit trains on the given rows and returns the distributions of all rows.
func (s *subject) fit(t *dataset.Table, rows []int, seed uint64) ([]float64, error) {
	m, err := s.Fit(t, rows, seed)
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	out := s.predict(m, t)
	if err := m.Close(); err != nil {
		return nil, fmt.Errorf("closing: %w", err)
	}
	return out, nil
}

// same returns an error that names the first row and class in which two
// sequences of distributions differ by more than tolerance.
func (s *subject) same(got, want []float64, tolerance float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d probabilities, then %d", len(want), len(got))
	}
	n := s.table.NumClasses()
	for i, p := range got {
		if p != want[i] && !(math.Abs(p-want[i]) <= tolerance) && !(math.IsNaN(p) && math.IsNaN(want[i])) {
			return fmt.Errorf("the distribution of row %d was %v, then %v", i/n, want[i/n*n:][:n], got[i/n*n:][:n])
		}
	}
	return nil
}

// clone returns a table with the same content that shares no memory with t,
// and a function that reports whether t and the clone still have it.
func clone(t *dataset.Table) (*dataset.Table, func() error, error) {
	cols := make([]dataset.Column, t.NumAttributes())
	for j := range cols {
		a := t.Attribute(j)
		a.Values = slices.Clone(a.Values)
		cols[j] = dataset.Column{Attribute: a, Numbers: slices.Clone(t.Numbers(j)), Codes: slices.Clone(t.Codes(j))}
	}
	c, err := dataset.New(t.Name(), cols, t.ClassIndex(), slices.Clone(t.Weights()))
	if err != nil {
		return nil, nil, err
	}
	same := func(x, y float64) bool { return x == y || x != x && y != y }
	return c, func() error {
		if !slices.Equal(t.Weights(), c.Weights()) {
			return errors.New("the weights were modified")
		}
		for j := range cols {
			a, b := t.Attribute(j), c.Attribute(j)
			if a.Name != b.Name || !slices.Equal(a.Values, b.Values) ||
				!slices.EqualFunc(t.Numbers(j), c.Numbers(j), same) || !slices.Equal(t.Codes(j), c.Codes(j)) {
				return fmt.Errorf("column %d (%s) was modified", j, b.Name)
			}
		}
		return nil
	}, nil
}
