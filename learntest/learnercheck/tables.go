package learnercheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
			b := new(bench)
			l := learntest.FromClassifier(c)
			l.Name = cmp.Or(l.Name, "classifier") // one without a name breaks a rule
			if err := prepare(b, labelled(t), l); err != nil {
				return nil, nil, err
			}
			for f := range b.folds {
				b.folds[f].asked = upTo(len(b.folds[f].train) + len(b.folds[f].test))
			}
			b.parallel, b.slack = 3, 1e-9
			b.table = &onTable{Classifier: c, opts: opts, table: t, first: i == 0}
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
	opts  Options
	table *dataset.Table
	first bool // of the tables
}

// A variant is a classifier that is trained in another way.
type variant struct {
	learner.Classifier
	fit fitTable
}

type fitTable func(t *dataset.Table, rows []int, seed uint64) (learner.Model, error)

func (v variant) Fit(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
	return v.fit(t, rows, seed)
}

// varied returns what the variant predicts in the first trial.
func (b *bench) varied(ctx context.Context, fit fitTable) (*outcome, error) {
	m, err := newTyped(labelled(b.table.table), learntest.FromClassifier(variant{b.table, fit}))
	if err != nil {
		return nil, err
	}
	return b.run(ctx, m, b.folds[0])
}

// tableRules returns the rules for classifiers on tables. Most say that another way of
// training does not change the predictions.
func tableRules() []rule {
	on := func(name Rule, harm, remedy string, check func(ctx context.Context, b *bench) error) rule {
		return rule{
			name: name, harm: harm, remedy: remedy, on: tables,
			needs: []Rule{Trial, Probabilities, Inputs, Determinism}, check: check,
		}
	}
	same := func(name Rule, harm, remedy string, vary func(o *onTable) fitTable) rule {
		return on(name, harm, remedy, func(ctx context.Context, b *bench) error {
			got, err := b.varied(ctx, vary(b.table))
			if err != nil {
				return err
			}
			return difference(b.alone[0], got, 0)
		})
	}
	return []rule{
		on("name", "results of one learner are taken for results of several",
			"let Name be a single word that never changes", checkName),
		same("retention", "the slice belongs to the caller, who changes it",
			"a model must not depend on the slice of rows after Fit: copy the slice",
			func(o *onTable) fitTable {
				return func(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
					rows = slices.Clone(rows)
					m, err := o.Fit(t, rows, seed)
					for i := range rows {
						rows[i] = 0
					}
					return m, err
				}
			}),
		on("reuse", "scores depend on earlier trainings",
			"memory given back by Close must not leak into later models: clear it", checkReuse),
		same("another table", "a model cannot classify rows of other tables",
			"a model must classify rows of another table with the same attributes",
			func(o *onTable) fitTable {
				return func(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
					return o.Fit(withClass(t, t.ClassIndex()), rows, seed)
				}
			}),
		same("unknown class", "rows say something that have nothing to say",
			"training rows whose class is missing must not change the model: leave them out",
			func(o *onTable) fitTable {
				return func(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
					with := slices.DeleteFunc(upTo(t.Len()), func(i int) bool {
						return t.Class(i) >= 0 &&
							!slices.Contains(rows, i)
					})
					return o.Fit(t, with, seed)
				}
			}),
		on("repetition", "bootstrap samples cannot be learned from",
			"training rows may occur more than once", checkRepetition),
		on("row order", "a rerun on sorted data gives another model",
			"the order of the training rows must not matter (Options.OrderFree)", checkRowOrder),
		on("refusal", "a model of nothing has scores like any other",
			"return an error, and no model, for rows that cannot be learned from", checkRefusals),
	}
}

func checkName(ctx context.Context, b *bench) error {
	name := b.table.Name()
	if name == "" || strings.ContainsAny(name, " \t\n/") {
		return fmt.Errorf("Name() = %q", name)
	}
	if _, err := b.again(ctx, b.folds[0]); err != nil {
		return err
	}
	if again := b.table.Name(); again != name {
		return fmt.Errorf("Name() = %q, then %q", name, again)
	}
	return nil
}

// checkReuse trains on each of the tables and closes the model before.
func checkReuse(ctx context.Context, b *bench) error {
	for _, other := range manyTables(b.table.table.NumClasses()) {
		got, err := b.varied(ctx, func(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
			m, err := b.table.Fit(other, upTo(6), seed)
			if err != nil {
				return nil, err
			}
			for i := range other.Len() {
				m.Distribution(other, i, make([]float64, other.NumClasses()))
			}
			if err := m.Close(); err != nil {
				return nil, err
			}
			return b.table.Fit(t, rows, seed)
		})
		if err == nil {
			err = difference(b.alone[0], got, 0)
		}
		if err != nil {
			return fmt.Errorf("after a model of table %s, it %w", other.Name(), err)
		}
	}
	return nil
}

func checkRepetition(ctx context.Context, b *bench) error {
	repeated := func(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
		return b.table.Fit(t, append(slices.Repeat(rows[:4], 3), rows[0], rows[5]), seed)
	}
	first, err := b.varied(ctx, repeated)
	if err != nil {
		return err
	}
	second, err := b.varied(ctx, repeated)
	if err != nil {
		return err
	}
	return difference(first, second, 0)
}

// checkRowOrder reverses the rows, and interleaves them in two ways.
func checkRowOrder(ctx context.Context, b *bench) error {
	if !b.table.opts.OrderFree {
		b.skipped = "not promised"
		return nil
	}
	for k := range 3 {
		got, err := b.varied(ctx, func(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
			rows = slices.Clone(rows)
			slices.Reverse(rows)
			if half := len(rows) / (k + 1); k > 0 {
				rows = slices.Concat(rows[half:], rows[:half])
				rows[0], rows[half] = rows[half], rows[0]
			}
			return b.table.Fit(t, rows, seed)
		})
		if err == nil {
			err = difference(b.alone[0], got, b.table.opts.Tolerance)
		}
		if err != nil {
			return fmt.Errorf("in order %d of its rows, it %w", k+1, err)
		}
	}
	return nil
}

// checkRefusals trains where nothing can be learned.
func checkRefusals(_ context.Context, b *bench) error {
	o := b.table
	if !o.first {
		return nil
	}
	var errs []error
	refuse := func(what string, t *dataset.Table, rows ...int) {
		errs = append(errs, guarded(func() error {
			m, err := o.Fit(t, rows, 42)
			switch {
			case err == nil:
				return errors.Join(fmt.Errorf("Fit must return an error %s: there was none", what), m.Close())
			case m != nil:
				return fmt.Errorf("Fit must return an error %s: there was a model besides the error %q", what,
					err)
			}
			return nil
		}))
	}
	refuse("if there is no row to train on", o.table)
	refuse("if a row is negative", o.table, 0, 1, -1)
	refuse("if the table does not have a row", o.table, 0, o.table.Len(), 1)
	refuse("if there is no class", withClass(o.table, -1), 0, 1, 2, 3)
	if o.opts.TwoClasses {
		refuse("if there are not two classes (Options.TwoClasses)", manyTables(3)[0], 0, 1, 2, 3)
	}
	return errors.Join(errs...)
}
