package process

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A Kind says what a model predicts.
type Kind uint8

// The kinds of predictions.
const (
	Labels        Kind = iota // classes
	Probabilities             // class probabilities
	Values                    // numbers
)

// String returns the word of the protocol.
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

var kinds = []string{"labels", "probabilities", "values"}

// kindNamed returns the kind with a name.
func kindNamed(name string) (Kind, bool) {
	i := slices.Index(kinds, name)
	return Kind(max(0, i)), i >= 0
}

// Predictions has one of its fields set, which one the model's Kind says, with
// the predictions of all examples in their order.
type Predictions struct {
	Labels        []int     // indices of declared classes
	Probabilities []float64 // of each declared class in its order, example by example
	Values        []float64 // numbers
}

// A Model is a trained model that a program keeps. It is used by one goroutine at a time.
type Model struct {
	sample  *sample
	kind    Kind
	predict func(ctx context.Context, s *sample, kind Kind, t *dataset.Table, rows []int,
		out *Predictions) error
	close func()
}

// Kind returns what the model predicts.
func (m *Model) Kind() Kind { return m.kind }

var errModelClosed = errors.New("the model has been closed")

// Predict returns what the program predicts for rows, which may be of other tables with
// the same attributes as the one that it has learned from. That the classes and probabilities
// are as many as they must be is certain; that probabilities sum to 1 is not.
//
// Errors are as for [Learner.Fit].
func (m *Model) Predict(ctx context.Context, rows []dataset.Row) (*Predictions, error) {
	if m.close == nil {
		return nil, errModelClosed
	}
	out := new(Predictions)
	for start := 0; start < len(rows); {
		t := rows[start].Table
		end := start
		var indices []int
		for ; end < len(rows) && rows[end].Table == t; end++ {
			indices = append(indices, rows[end].Index)
		}
		if err := checkRows(m.sample.table, t, indices); err != nil {
			return nil, err
		}
		if err := m.predict(ctx, m.sample, m.kind, t, indices, out); err != nil {
			return nil, err
		}
		start = end
	}
	return out, nil
}

// checkRows returns an error unless a model of one table can predict the rows of
// another.
func checkRows(trained, t *dataset.Table, rows []int) error {
	if t == nil {
		return errors.New("an example is no row of a table")
	}
	if t != trained {
		same := t.NumAttributes() == trained.NumAttributes() && t.ClassIndex() == trained.ClassIndex()
		for j := 0; same && j < t.NumAttributes(); j++ {
			a, b := trained.Attribute(j), t.Attribute(j)
			same = a.Name == b.Name && a.Kind == b.Kind && slices.Equal(a.Values, b.Values)
		}
		if !same {
			return fmt.Errorf("table %q has other attributes than %q, which the program learned from",
				t.Name(), trained.Name())
		}
	}
	for _, r := range rows {
		if r < 0 || r >= t.Len() {
			return fmt.Errorf("row %d of table %q, which has %d", r, t.Name(), t.Len())
		}
	}
	return nil
}

// Close lets the program serve another model. It returns nil, also when called
// again.
func (m *Model) Close() error {
	if m.close != nil {
		m.close()
		m.close = nil
	}
	return nil
}
