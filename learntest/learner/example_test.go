package learner_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
)

// A byValue is a classifier of one's own: it predicts by the value of one nominal column.
type byValue struct{ column int }

var _ learner.Classifier = byValue{}

func (c byValue) Name() string { return fmt.Sprintf("byvalue(column=%d)", c.column) }

// Fit counts the classes of each value.
func (c byValue) Fit(t *dataset.Table, rows []int, _ uint64) (learner.Model, error) {
	a := t.Attribute(c.column)
	if a.Kind != dataset.Nominal {
		return nil, fmt.Errorf("%w: %s is not nominal", learner.ErrTraining, a.Name)
	}
	m := &counts{column: c.column, of: make([][]float64, len(a.Values))}
	for v := range m.of {
		m.of[v] = make([]float64, t.NumClasses())
	}
	for _, row := range rows {
		v, class := t.Codes(c.column)[row], t.Class(row)
		if v >= 0 && class >= 0 { // both are known
			m.of[v][class]++
		}
	}
	return m, nil
}

// A counts is what byValue has learned.
type counts struct {
	column int
	of     [][]float64
}

// Distribution has no opinion where the value is missing or was never seen.
func (m *counts) Distribution(t *dataset.Table, row int, dist []float64) {
	clear(dist)
	v := t.Codes(m.column)[row]
	if v < 0 {
		return
	}
	sum := 0.0
	for _, n := range m.of[v] {
		sum += n
	}
	if sum > 0 {
		for class, n := range m.of[v] {
			dist[class] = n / sum
		}
	}
}

func (m *counts) Close() error { return nil }

// A learning algorithm of one's own: learntest.FromClassifier makes it run in comparisons, and
// learnercheck.Classifier finds out whether it keeps the rules.
func Example() {
	lenses := uci.ContactLenses()
	var rows []int
	for i := range lenses.Len() {
		rows = append(rows, i)
	}
	c := byValue{column: 3}
	model, err := c.Fit(lenses, rows, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	right := 0
	dist := make([]float64, lenses.NumClasses())
	for _, row := range rows {
		model.Distribution(lenses, row, dist)
		if learner.Best(dist) == lenses.Class(row) {
			right++
		}
	}
	fmt.Printf("%s: %d of %d training rows\n", c.Name(), right, len(rows))
	// Output:
	// byvalue(column=3): 17 of 24 training rows
}
