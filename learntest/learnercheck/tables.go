package learnercheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// Options say what a classifier does not promise, or promises beyond the interface. The zero
// value is right for most.
type Options struct {
	// TwoClasses says that the classifier learns only data sets that declare exactly two
	// classes. It must then refuse others with an error.
	TwoClasses bool

	// OrderFree says that the order of the training rows has no influence on the model: its
	// distributions must then agree to within Tolerance.
	OrderFree bool

	// Tolerance is the difference of probabilities that OrderFree leaves to rounding. If zero,
	// they must be equal.
	Tolerance float64

	// Stateful says that a prediction may depend on earlier predictions of the same model.
	Stateful bool
}

// Classifier returns the subject that a classifier is on small tables of many kinds.
func Classifier(c learner.Classifier, opts Options) Subject {
	classes := 3
	if opts.TwoClasses {
		classes = 2
	}
	s := Subject{shape: tables, open: func() ([]*bench, func() error, error) {
		var benches []*bench
		for i, t := range manyTables(classes) {
			l := learntest.Classifier(c)
			l.Name = cmp.Or(l.Name, "classifier") // one without a name breaks a rule
			b := new(bench)
			if err := prepare(b, labelled(t), l); err != nil {
				return nil, nil, err
			}
			original, unmodified, err := clone(t)
			if err != nil {
				return nil, nil, err
			}
			b.parallel, b.slack = 3, 1e-9
			b.table = &onTable{Classifier: c, opts: opts, table: t, other: original, unmodified: unmodified, first: i == 0, all: upTo(t.Len())}
			for f := range b.folds {
				b.folds[f].asked = upTo(len(b.folds[f].train) + len(b.folds[f].test))
			}
			b.table.train = slices.DeleteFunc(slices.Clone(b.table.all), func(r int) bool { return r%3 == 0 })
			benches = append(benches, b)
		}
		return benches, nil, nil
	}}
	if opts.Stateful {
		s.allowed = []Rule{Order}
	}
	return s
}

// labelled returns the rows of a table whose class is known, as data.
func labelled(t *dataset.Table) learntest.Data[dataset.Row, int] {
	var xs []dataset.Row
	var ys []int
	for i := range t.Len() {
		if c := t.Class(i); c >= 0 {
			xs, ys = append(xs, t.Example(i)), append(ys, c)
		}
	}
	if len(xs) == t.Len() {
		return t
	}
	return learntest.Examples(t.Name(), xs, ys)
}

// An onTable is a classifier with a table.
type onTable struct {
	learner.Classifier
	opts       Options
	table      *dataset.Table
	other      *dataset.Table // has the same content
	unmodified func() error   // returns an error if table and other differ
	first      bool           // of the tables
	train, all []int
}

// tableSeed is that of models that rules on tables train.
const tableSeed = 42

// ruleOnTable returns a rule for classifiers on tables.
func ruleOnTable(name Rule, check func(o *onTable) error, harm, remedy string) rule {
	return rule{
		name: name, harm: harm, remedy: remedy, on: tables, needs: []Rule{Trial, Probabilities, Inputs, Determinism},
		check: func(_ context.Context, b *bench) error { return check(b.table) },
	}
}

func tableRules() []rule {
	return []rule{
		ruleOnTable("name", (*onTable).checkName,
			"results of the same learner are taken for those of several", "let Name be a single word that never changes"),
		ruleOnTable("retention", (*onTable).checkRetention,
			"the slice belongs to the caller, who changes it", "a model must not depend on the slice of rows after Fit: copy what it needs"),
		ruleOnTable("reuse", (*onTable).checkReuse,
			"scores depend on what was trained before", "memory given back by Close must not leak into later models: clear it"),
		ruleOnTable("another table", (*onTable).checkAnotherTable,
			"a model cannot classify what is not in its table", "a model must classify rows of another table with the same attributes"),
		ruleOnTable("unknown class", (*onTable).checkUnknownClass,
			"rows say something that have nothing to say", "training rows whose class is missing must not change the model: leave them out"),
		ruleOnTable("repetition", (*onTable).checkRepetition,
			"bootstrap samples cannot be learned from", "training rows may occur more than once"),
		ruleOnTable("row order", (*onTable).checkRowOrder,
			"a rerun on sorted data gives another model", "the order of the training rows must not matter (Options.OrderFree)"),
		ruleOnTable("refusal", (*onTable).checkRefusals,
			"a model of nothing has scores like any other", "return an error, and no model, for rows that cannot be learned from"),
	}
}

// predict returns the distributions of all rows of a table one after the other.
func (o *onTable) predict(m learner.Model, t *dataset.Table) []float64 {
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
func (o *onTable) fit(t *dataset.Table, rows []int) ([]float64, error) {
	m, err := o.Fit(t, rows, tableSeed)
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	out := o.predict(m, t)
	if err := m.Close(); err != nil {
		return nil, fmt.Errorf("closing: %w", err)
	}
	return out, nil
}

// equal returns an error that names the first row in which the distributions of models of two samples
// differ by more than tolerance.
func (o *onTable) equal(rows, others []int, tolerance float64) error {
	want, err := o.fit(o.table, rows)
	if err != nil {
		return err
	}
	got, err := o.fit(o.table, others)
	if err != nil {
		return err
	}
	return o.compare(got, want, tolerance)
}

func (o *onTable) compare(got, want []float64, tolerance float64) error {
	n := o.table.NumClasses()
	for i, p := range got {
		if p != want[i] && !(math.Abs(p-want[i]) <= tolerance) && !(math.IsNaN(p) && math.IsNaN(want[i])) {
			return fmt.Errorf("the distribution of row %d was %v, then %v", i/n, want[i/n*n:][:n], got[i/n*n:][:n])
		}
	}
	return nil
}

func (o *onTable) checkName() error {
	name := o.Name()
	if name == "" || strings.ContainsAny(name, " \t\n/") {
		return fmt.Errorf("Name() = %q", name)
	}
	if _, err := o.fit(o.table, o.train); err != nil {
		return err
	}
	if again := o.Name(); again != name {
		return fmt.Errorf("Name() = %q, then %q", name, again)
	}
	return nil
}

func (o *onTable) checkRetention() error {
	want, err := o.fit(o.table, o.train)
	if err != nil {
		return err
	}
	rows := slices.Clone(o.train)
	m, err := o.Fit(o.table, rows, tableSeed)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i] = o.all[0]
	}
	return errors.Join(o.compare(o.predict(m, o.table), want, 0), m.Close())
}

func (o *onTable) checkReuse() error {
	want, err := o.fit(o.table, o.train)
	if err != nil {
		return err
	}
	for _, t := range manyTables(o.table.NumClasses()) {
		if _, err := o.fit(t, []int{0, 1, 2, 3, 4, 5}); err != nil {
			return err
		}
		got, err := o.fit(o.table, o.train)
		if err != nil {
			return err
		}
		if err := o.compare(got, want, 0); err != nil {
			return fmt.Errorf("after a model of table %s: %w", t.Name(), err)
		}
	}
	return nil
}

func (o *onTable) checkAnotherTable() error {
	want, err := o.fit(o.table, o.train)
	if err != nil {
		return err
	}
	m, err := o.Fit(o.table, o.train, tableSeed)
	if err != nil {
		return err
	}
	return errors.Join(o.compare(o.predict(m, o.other), want, 0), m.Close())
}

func (o *onTable) checkUnknownClass() error {
	known := slices.DeleteFunc(slices.Clone(o.all), func(i int) bool { return o.table.Class(i) < 0 })
	if len(known) == len(o.all) {
		return nil
	}
	return o.equal(known, o.all, 0)
}

func (o *onTable) checkRepetition() error {
	rows := append(slices.Repeat(o.train[:4], 3), o.train[0], o.train[5])
	return o.equal(rows, rows, 0)
}

func (o *onTable) checkRowOrder() error {
	if !o.opts.OrderFree {
		return nil
	}
	rows := slices.Clone(o.train)
	slices.Reverse(rows)
	for k := range 3 {
		if k > 0 { // interleaved in two ways
			half := len(rows) / (k + 1)
			rows = slices.Concat(rows[half:], rows[:half])
			rows[0], rows[half] = rows[half], rows[0]
		}
		if err := o.equal(o.train, rows, o.opts.Tolerance); err != nil {
			return fmt.Errorf("rows %v: %w", rows, err)
		}
	}
	return nil
}

// checkRefusals trains where nothing can be learned.
func (o *onTable) checkRefusals() error {
	if !o.first {
		return nil
	}
	var errs []error
	refuse := func(what string, t *dataset.Table, rows ...int) {
		errs = append(errs, guarded(func() error {
			m, err := o.Fit(t, rows, tableSeed)
			switch {
			case err == nil:
				return errors.Join(fmt.Errorf("Fit must return an error %s: there was none", what), m.Close())
			case m != nil:
				return fmt.Errorf("Fit must return an error %s: there was a model besides the error %q", what, err)
			}
			return nil
		}))
	}
	refuse("if there is no row to train on", o.table)
	refuse("if a row is negative", o.table, 0, 1, -1)
	refuse("if the table does not have a row", o.table, 0, o.table.Len(), 1)
	refuse("if there is no class", withoutClass(o.table), 0, 1, 2, 3)
	if o.opts.TwoClasses {
		refuse("if there are not two classes (Options.TwoClasses)", manyTables(3)[0], 0, 1, 2, 3)
	}
	return errors.Join(errs...)
}

// clone returns a table with the same content that shares no memory with t, and a function that
// reports whether t and the clone still have it.
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
