// Package metric measures how well a learner predicted the test examples of one trial.
//
// A [Metric] is a value: a unit with name, direction and range, under which its scores are
// stored, and a function of the [Predictions]. Your own metric is another such value.
// [Metrics] lists the metrics of this package, and [Lookup] finds one by name.
//
// A metric never makes up a score. If it is undefined, as R² is if all true values are
// equal, it returns an error that wraps [ErrUndefined], and the trial counts as failed. For
// some borderline cases the field has agreed on a value; the comment of the metric names
// it.
package metric

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/unit"
)

var (
	// ErrUnknown means that no metric has the given name.
	ErrUnknown = errors.New("unknown metric")

	// ErrUndefined means that the metric has no value on these predictions.
	ErrUndefined = errors.New("metric is undefined")

	// ErrPredictions means that the predictions lack a part that the metric needs, such as
	// class probabilities.
	ErrPredictions = errors.New("metric does not apply to these predictions")
)

// A Metric scores the predictions of one trial.
type Metric struct {
	unit.Unit
	Doc string // one sentence

	// Eval returns the score. The error wraps [ErrUndefined] if there is none, or
	// [ErrPredictions] if the metric does not apply.
	Eval func(p *Predictions) (float64, error)
}

// Metrics returns the metrics of this package, accuracy first.
func Metrics() []Metric {
	return slices.Concat(classMetrics(), probabilityMetrics(), valueMetrics())
}

// Lookup returns the metric of this package with the given name. For an unknown name the
// error wraps [ErrUnknown], suggests the nearest name and lists all.
func Lookup(name string) (Metric, error) {
	return catalogue.Lookup(ErrUnknown, Metrics(), func(m Metric) string { return m.Name }, name)
}

// MustLookup is [Lookup] for names that are known to exist. It panics on any other name.
func MustLookup(name string) Metric { return catalogue.Must(Lookup(name)) }

// Predictions are the predictions of a learner for the test examples of one trial, together
// with the truth. Classification uses Truth, regression TrueValues. The caller may reuse
// them for the next trial after Eval returns.
type Predictions struct {
	// Classes names the declared classes. It is empty for regression.
	Classes []string

	// Truth and Predicted are class indices. A prediction of -1 stands for none of the
	// classes; it counts as wrong.
	Truth, Predicted []int

	// Probabilities holds one row of len(Classes) class probabilities for each test
	// example, or is nil if the learner has none. A row is all zeros where the learner has
	// no opinion.
	Probabilities []float64

	// TrueValues and PredictedValues are the targets of regression.
	TrueValues, PredictedValues []float64

	// Costs are what the model itself costs, such as its size, by name: see [Cost].
	Costs map[string]float64

	confusion []int
}

// Len returns the number of test examples.
func (p *Predictions) Len() int {
	if p.Classification() {
		return len(p.Truth)
	}
	return len(p.TrueValues)
}

// Classification reports whether the predictions are classes rather than numbers.
func (p *Predictions) Classification() bool { return len(p.Classes) > 0 }

// Confusion returns the confusion matrix as a slice of rows of len(Classes)+1 counts. The
// count of examples of class c with the prediction d is at c*(len(Classes)+1)+d. The last
// column counts predictions of no class. The next call overwrites the slice.
func (p *Predictions) Confusion() []int {
	c := len(p.Classes)
	n := c * (c + 1)
	if cap(p.confusion) < n {
		p.confusion = make([]int, n)
	}
	m := p.confusion[:n]
	clear(m)
	for i, t := range p.Truth {
		d := p.Predicted[i]
		if d < 0 {
			d = c
		}
		m[t*(c+1)+d]++
	}
	return m
}

func (p *Predictions) needClasses(name string) error {
	if !p.Classification() {
		return fmt.Errorf("%s: %w: it needs classes, these are numbers", name, ErrPredictions)
	}
	return p.needSome(name)
}

func (p *Predictions) needProbabilities(name string) error {
	if err := p.needClasses(name); err != nil {
		return err
	}
	if p.Probabilities == nil {
		return fmt.Errorf("%s: %w: it needs class probabilities, the learner gives labels only", name,
			ErrPredictions)
	}
	return nil
}

func (p *Predictions) needValues(name string) error {
	if p.Classification() {
		return fmt.Errorf("%s: %w: it needs numbers, these are classes", name, ErrPredictions)
	}
	return p.needSome(name)
}

func (p *Predictions) needSome(name string) error {
	if p.Len() == 0 {
		return fmt.Errorf("%s: %w: no test examples", name, ErrUndefined)
	}
	return nil
}
