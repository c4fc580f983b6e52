package learnertest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// rules are checked on every table, in this order.
var rules = []rule{
	{"name", "Name must be a single word that never changes", checkName},
	{"distribution", "probabilities must be finite, not negative and sum to 1, or all be 0; all must be written", checkDistribution},
	{"determinism", "the same table, rows and seed must give the same model", checkDeterminism},
	{"rows", "Fit may not modify the slice of rows", checkRows},
	{"retention", "a model must not depend on the slice of rows after Fit", checkRetention},
	{"independence", "models must not influence one another, nor predictions their model", checkIndependence},
	{"reuse", "memory given back by Close must not leak into later models", checkReuse},
	{"another table", "a model must classify rows of another table with the same attributes", checkAnotherTable},
	{"unknown class", "training rows whose class is missing must not change the model", checkUnknownClass},
	{"repetition", "training rows may occur more than once", checkRepetition},
	{"row order", "the order of the training rows must not matter (Options.OrderFree)", checkRowOrder},
	{"concurrency", "one classifier must serve many goroutines", checkConcurrency},
	{"table", "neither Fit nor Distribution may modify the table", func(s *subject) error { return s.unmodified() }},
}

const seed = 42

func checkName(s *subject) error {
	name := s.Name()
	if name == "" || strings.ContainsAny(name, " \t\n/") {
		return fmt.Errorf("Name() = %q", name)
	}
	if _, err := s.fit(s.table, s.train, seed); err != nil {
		return err
	}
	if again := s.Name(); again != name {
		return fmt.Errorf("Name() = %q, then %q", name, again)
	}
	return nil
}

func checkDistribution(s *subject) error {
	got, err := s.fit(s.table, s.train, seed)
	if err != nil {
		return err
	}
	n := s.table.NumClasses()
	for i := 0; i < len(got); i += n {
		dist := got[i : i+n]
		sum, zeros := 0.0, 0
		for _, p := range dist {
			if !(p >= 0) || math.IsInf(p, 0) {
				return fmt.Errorf("row %d: %v", i/n, dist)
			}
			if p == 0 {
				zeros++
			}
			sum += p
		}
		if zeros < n && !(math.Abs(sum-1) <= 1e-9) {
			return fmt.Errorf("row %d: %v sums to %v", i/n, dist, sum)
		}
	}
	return nil
}

func checkDeterminism(s *subject) error {
	want, err := s.fit(s.table, s.train, seed)
	if err != nil {
		return err
	}
	if _, err := s.fit(s.table, s.all, seed+1); err != nil { // may upset shared state
		return err
	}
	got, err := s.fit(s.table, s.train, seed)
	if err != nil {
		return err
	}
	return s.same(got, want, 0)
}

func checkRows(s *subject) error {
	rows := slices.Clone(s.train)
	slices.Reverse(rows) // so that sorting shows
	want := slices.Clone(rows)
	if _, err := s.fit(s.table, rows, seed); err != nil {
		return err
	}
	if !slices.Equal(rows, want) {
		return errors.New("rows were modified")
	}
	return nil
}

func checkRetention(s *subject) error {
	want, err := s.fit(s.table, s.train, seed)
	if err != nil {
		return err
	}
	rows := slices.Clone(s.train)
	m, err := s.Fit(s.table, rows, seed)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i] = s.all[0]
	}
	got := s.predict(m, s.table)
	return errors.Join(s.same(got, want, 0), m.Close())
}

func checkIndependence(s *subject) error {
	want, err := s.fit(s.table, s.train, seed)
	if err != nil {
		return err
	}
	a, err := s.Fit(s.table, s.train, seed)
	if err != nil {
		return err
	}
	b, err := s.Fit(s.table, s.all, seed+1)
	if err != nil {
		return err
	}
	s.predict(b, s.table)
	if err := s.same(s.predict(a, s.table), want, 0); err != nil {
		return fmt.Errorf("after another Fit: %w", err)
	}
	if err := b.Close(); err != nil {
		return err
	}
	if !s.opts.Stateful {
		if err := s.same(s.predict(a, s.table), want, 0); err != nil {
			return fmt.Errorf("at the second prediction, another model being closed: %w", err)
		}
	}
	return a.Close()
}

func checkReuse(s *subject) error {
	want, err := s.fit(s.table, s.train, seed)
	if err != nil {
		return err
	}
	for _, t := range Tables(s.table.NumClasses()) {
		if _, err := s.fit(t, []int{0, 1, 2, 3, 4, 5}, seed); err != nil {
			return err
		}
		got, err := s.fit(s.table, s.train, seed)
		if err != nil {
			return err
		}
		if err := s.same(got, want, 0); err != nil {
			return fmt.Errorf("after a model of table %s: %w", t.Name(), err)
		}
	}
	return nil
}

func checkAnotherTable(s *subject) error {
	other, _, err := clone(s.table)
	if err != nil {
		return err
	}
	want, err := s.fit(s.table, s.train, seed)
	if err != nil {
		return err
	}
	m, err := s.Fit(s.table, s.train, seed)
	if err != nil {
		return err
	}
	got := s.predict(m, other)
	return errors.Join(s.same(got, want, 0), m.Close())
}

func checkUnknownClass(s *subject) error {
	if !slices.ContainsFunc(s.all, func(i int) bool { return s.table.Class(i) < 0 }) {
		return nil
	}
	var with, without []int
	for _, i := range s.all {
		with = append(with, i)
		if s.table.Class(i) >= 0 {
			without = append(without, i)
		}
	}
	want, err := s.fit(s.table, without, seed)
	if err != nil {
		return err
	}
	got, err := s.fit(s.table, with, seed)
	if err != nil {
		return err
	}
	return s.same(got, want, 0)
}

func checkRepetition(s *subject) error {
	rows := slices.Repeat(s.train[:4], 3)
	rows = append(rows, rows[0], s.train[5])
	want, err := s.fit(s.table, rows, seed)
	if err != nil {
		return err
	}
	got, err := s.fit(s.table, rows, seed)
	if err != nil {
		return err
	}
	return s.same(got, want, 0)
}

func checkRowOrder(s *subject) error {
	if !s.opts.OrderFree {
		return nil
	}
	want, err := s.fit(s.table, s.train, seed)
	if err != nil {
		return err
	}
	rows := slices.Clone(s.train)
	for k := range 3 {
		// Reversed, then interleaved in two ways.
		if k == 0 {
			slices.Reverse(rows)
		} else {
			half := len(rows) / (k + 1)
			rows = slices.Concat(rows[half:], rows[:half])
			rows[0], rows[half] = rows[half], rows[0]
		}
		got, err := s.fit(s.table, rows, seed)
		if err != nil {
			return err
		}
		if err := s.same(got, want, s.opts.Tolerance); err != nil {
			return fmt.Errorf("rows %v: %w", rows, err)
		}
	}
	return nil
}

func checkConcurrency(s *subject) error {
	want, err := s.fit(s.table, s.train, seed)
	if err != nil {
		return err
	}
	errs := make([]error, 8)
	var wg sync.WaitGroup
	for g := range errs {
		wg.Go(func() {
			mine := &subject{Classifier: s.Classifier, opts: s.opts, table: s.table}
			errs[g] = mine.try(rule{check: func(*subject) error {
				for range 3 {
					got, err := mine.fit(s.table, s.train, seed)
					if err != nil {
						return err
					}
					if err := mine.same(got, want, 0); err != nil {
						return fmt.Errorf("goroutine %d: %w", g, err)
					}
				}
				return nil
			}})
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// A refusal is a training set that must be refused.
type refusal struct {
	rule  rule
	table *dataset.Table
}

// refusals returns the training sets that must be refused.
func refusals(opts Options) []refusal {
	refuse := func(rows []int) func(*subject) error {
		return func(s *subject) error {
			m, err := s.Fit(s.table, rows, seed)
			if err == nil {
				return errors.Join(errors.New("there was none"), m.Close())
			}
			if m != nil {
				return fmt.Errorf("there was a model besides the error %q", err)
			}
			return nil
		}
	}
	classes := 3
	if opts.TwoClasses {
		classes = 2
	}
	good := Tables(classes)[0]
	r := []refusal{
		{rule{"refusal", "Fit must return an error if there is no row to train on", refuse(nil)}, good},
		{rule{"refusal", "Fit must return an error if a row is negative", refuse([]int{0, 1, -1})}, good},
		{rule{"refusal", "Fit must return an error if the table does not have a row", refuse([]int{0, good.Len(), 1})}, good},
		{rule{"refusal", "Fit must return an error if there is no class", refuse([]int{0, 1, 2, 3})}, withoutClass(good)},
	}
	if opts.TwoClasses {
		r = append(r, refusal{
			rule{"refusal", "Fit must return an error if there are not two classes (Options.TwoClasses)", refuse([]int{0, 1, 2, 3})},
			Tables(3)[0],
		})
	}
	return r
}
