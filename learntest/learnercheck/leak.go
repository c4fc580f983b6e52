package learnercheck

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/internal/leaks"
	"github.com/learnbench/learnbench/learntest/internal/otherlabels"
)

// A leak is where the labels are in the examples.
type leak struct {
	what    string // "field Fraud"
	n       int    // how many examples there are
	without func(rows []int) (material, error)
}

func (t *typed[X, Y]) leaks() []leak {
	if otherlabels.OfRows[X]() {
		return nil
	}
	data := leaks.Data[X]{
		Len: t.data.Len(), Example: t.data.Example,
		Label: func(i int) any { return t.data.Label(i) },
	}
	if t.classes() == 0 {
		for i := range data.Len {
			data.Values = append(data.Values, t.value(i))
		}
	}
	var all []leak
	for _, f := range leaks.Find(data) {
		all = append(all, leak{f.What, data.Len, func(rows []int) (material, error) {
			a := altered[X, Y]{t.data, make(map[int]X, len(rows))}
			for _, row := range rows {
				a.examples[row] = f.Alter(row)
			}
			return newTyped(a, t.learner)
		}})
	}
	return all
}

// altered is a data set in which some examples have other values.
type altered[X any, Y comparable] struct {
	learntest.Data[X, Y]
	examples map[int]X
}

func (a altered[X, Y]) Example(i int) X {
	if x, ok := a.examples[i]; ok {
		return x
	}
	return a.Data.Example(i)
}

// checkLeaks changes what tells the label in the examples to be predicted.
func checkLeaks(ctx context.Context, b *bench) error {
	f := b.folds[0]
	for _, l := range b.material.leaks() {
		m, err := l.without(f.test)
		if err != nil {
			return err
		}
		o, err := b.run(ctx, m, f)
		if err != nil {
			err = fmt.Errorf("fails: %w", err)
		} else {
			err = difference(b.alone[0], o, 0)
		}
		if err != nil {
			return fmt.Errorf("%s tells the label of all %d examples, and with the value that it has for another label, it %w", l.what, l.n, err)
		}
	}
	return nil
}
