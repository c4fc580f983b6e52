// Package otherlabels gives examples other labels than they have, to find out what a learner learns
// from.
package otherlabels

import (
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A Change gives examples other labels. Its functions get the number of the example among the
// relabelled ones.
type Change struct {
	Class func(i, c, k int) int // of k classes, c is the one that it has
	Value func(i int, y float64) float64
}

// All gives each example a label that it does not have.
func All() Change { return Change{Class: nextClass, Value: otherValue} }

// Classes returns changes of labels that are one of k classes. Between them they change what any
// learner learns, also one that always predicts the most frequent class.
func Classes(k int) []Change {
	const most = 5
	all := []Change{{Class: nextClass}}
	for to := range min(k, most) {
		all = append(all, Change{Class: func(i, c, _ int) int {
			if i%10 == 0 {
				return c
			}
			return to
		}})
	}
	return all
}

// Values returns changes of labels that are the given numbers. Between them they change what any
// learner learns, also one that cuts numbers off.
func Values(ys []float64) []Change {
	return []Change{
		{Value: otherValue},
		{Value: func(_ int, y float64) float64 { return y - 1 - float64(1.5*math.Abs(y)) }},
		{Value: func(i int, _ float64) float64 { return ys[len(ys)-1-i] }},
	}
}

// Unlearned returns the error about a learner with equal predictions for n examples, whether its
// training examples had labels of their own or others.
func Unlearned(train, ways, n int) error {
	return fmt.Errorf("trained on the same %d examples with other labels, in %d ways, it predicts the very same for all %d", train, ways, n)
}

func nextClass(_, c, k int) int { return (c + 1) % k }

func otherValue(_ int, y float64) float64 { return y + 1 + float64(math.Abs(y)/2) }

// Table returns a copy of a table in which the given rows have other targets, and whether there can
// be one.
func (c Change) Table(t *dataset.Table, rows []int) (*dataset.Table, bool) {
	cols := make([]dataset.Column, t.NumAttributes())
	for j := range cols {
		cols[j] = dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j), Codes: t.Codes(j)}
	}
	target := &cols[t.ClassIndex()]
	target.Codes, target.Numbers = slices.Clone(target.Codes), slices.Clone(target.Numbers)
	for i, row := range rows {
		if n := t.NumClasses(); n > 0 {
			target.Codes[row] = int32(c.Class(i, int(target.Codes[row]), n))
		} else {
			target.Numbers[row] = c.Value(i, target.Numbers[row])
		}
	}
	changed, err := dataset.New(t.Name(), cols, t.ClassIndex(), t.Weights())
	return changed, err == nil
}
