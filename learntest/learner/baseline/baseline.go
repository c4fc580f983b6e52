// Package baseline has the learners that any other must beat: they look at
// the labels only. What beats neither [Majority] nor, where numbers are predicted, [Mean]
// and [Median] has learned nothing of the attributes.
package baseline

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// Majority returns the classifier that gives every row the same distribution: a
// class c of weight w_c among training rows of weight w has the probability
// (w_c+1)/(w+C), C being the number of declared classes. It predicts the class
// that is most frequent, the first declared of ties. Training rows without
// a class do not count. It is Weka's ZeroR.
func Majority() learner.Classifier { return majority{} }

type majority struct{}

func (majority) Name() string { return "majority" }

func (majority) Fit(t *dataset.Table, rows []int, _ uint64) (learner.Model, error) {
	k := t.NumClasses()
	if k == 0 {
		return nil, fmt.Errorf("%w: table %q has no nominal class", learner.ErrTraining, t.Name())
	}
	m := make(distribution, k)
	total := 0.0
	for _, i := range rows {
		if i < 0 || i >= t.Len() {
			return nil, noRow(t, i)
		}
		if c := t.Class(i); c >= 0 {
			w := weight(t, i)
			m[c] += w
			total += w
		}
	}
	if total == 0 {
		return nil, fmt.Errorf("%w: table %q: the class of all training rows is missing",
			learner.ErrTraining, t.Name())
	}
	for c := range m {
		m[c] = (m[c] + 1) / (total + float64(k))
	}
	return m, nil
}

type distribution []float64

func (d distribution) Distribution(_ *dataset.Table, _ int, dist []float64) { copy(dist, d) }

func (d distribution) Close() error { return nil }

// Mean returns the regressor that predicts the weighted mean of the training
// rows' targets, which has the least squared error of all constants. Rows without a target
// do not count.
func Mean() learner.Regressor { return constant{"mean", mean} }

// Median returns the regressor that predicts the weighted median of the training
// rows' targets, which has the least absolute error of all constants: the target
// at which half of the weight is reached, or, where the targets up to one have just half of it,
// the middle between that and the next. Rows without a target do not count.
func Median() learner.Regressor { return constant{"median", median} }

// A constant predicts one value for all rows.
type constant struct {
	name string
	of   func(ys []weighted) float64
}

// A weighted target is one with the weight of its row.
type weighted struct{ y, w float64 }

func (c constant) Name() string { return c.name }

func (c constant) Fit(t *dataset.Table, rows []int, _ uint64) (learner.NumericModel, error) {
	target := t.ClassIndex()
	if target < 0 || t.Attribute(target).Kind != dataset.Numeric {
		return nil, fmt.Errorf("%w: table %q has no numeric target", learner.ErrTraining, t.Name())
	}
	ys := make([]weighted, 0, len(rows))
	for _, i := range rows {
		if i < 0 || i >= t.Len() {
			return nil, noRow(t, i)
		}
		if y := t.Target(i); !math.IsNaN(y) {
			ys = append(ys, weighted{y, weight(t, i)})
		}
	}
	if len(ys) == 0 {
		return nil, fmt.Errorf("%w: table %q: the target of all training rows is missing",
			learner.ErrTraining, t.Name())
	}
	// In ascending order, the sums do not depend on the order of the rows.
	slices.SortFunc(ys, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(a.y, b.y),
			cmp.Compare(a.w, b.w))
	})
	return value(c.of(ys)), nil
}

type value float64

func (v value) Value(*dataset.Table, int) (float64, error) { return float64(v), nil }

func (v value) Close() error { return nil }

// mean sums halves, and shares of the weight, which keep the sum in range.
func mean(ys []weighted) float64 {
	total := 0.0
	for _, y := range ys {
		total += y.w
	}
	half := float64(ys[0].y / 2)
	sum := 0.0
	for _, y := range ys {
		sum += float64((y.w / total) * (float64(y.y/2) - half))
	}
	return 2 * (half + sum)
}

func median(ys []weighted) float64 {
	total := 0.0
	for _, y := range ys {
		total += y.w
	}
	sum := 0.0
	for i, y := range ys {
		sum += y.w
		if twice := 2 * sum; twice > total || i == len(ys)-1 {
			return y.y
		} else if twice == total {
			return float64(y.y/2) + float64(ys[i+1].y/2)
		}
	}
	panic("no targets")
}

func weight(t *dataset.Table, i int) float64 {
	if w := t.Weights(); w != nil {
		return w[i]
	}
	return 1
}

func noRow(t *dataset.Table, i int) error {
	return fmt.Errorf("%w: table %q has %d rows, no row %d", learner.ErrTraining, t.Name(), t.Len(), i)
}
