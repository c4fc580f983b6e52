package trainset

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A Column is a column that a model was trained on. While it is bound to a
// table, it holds the values there.
type Column struct {
	Numbers []float64 // of a numeric column
	Codes   []int32   // of a nominal column
	Index   int
	Meta    dataset.Attribute
}

// A Bindable is a pointer to a column, or to what embeds one.
type Bindable[C any] interface {
	*C
	Bind(t *dataset.Table, learner string)
}

// Bind binds the columns of a model to t, unless bound says that they are, and sets bound.
// When it panics, as [Column.Bind] does, no table is bound: some of the columns may belong to
// t.
func Bind[C any, P Bindable[C]](bound **dataset.Table, t *dataset.Table, learner string,
	columns []C,
) {
	if *bound == t {
		return
	}
	*bound = nil
	for i := range columns {
		P(&columns[i]).Bind(t, learner)
	}
	*bound = t
}

// NewColumn returns a column of the table that is trained on. It is not bound.
func NewColumn(t *dataset.Table, index int) Column {
	return Column{Index: index, Meta: t.Attribute(index)}
}

// Bind takes the values of the column from t. It panics, with the name of the
// learner in front, if the column of t is of another kind than that trained on
// or declares other values. The names of columns may differ.
func (c *Column) Bind(t *dataset.Table, learner string) {
	if c.Index >= t.NumAttributes() {
		panic(fmt.Sprintf("%s: table %q has %d attributes, attribute %d was trained on", learner,
			t.Name(), t.NumAttributes(), c.Index))
	}
	if got := t.Attribute(c.Index); got.Kind != c.Meta.Kind || !slices.Equal(got.Values,
		c.Meta.Values) {
		panic(fmt.Sprintf("%s: attribute %d (%s) of table %q is not that trained on (%s)", learner,
			c.Index, got.Name, t.Name(), c.Meta.Name))
	}
	c.Numbers, c.Codes = t.Numbers(c.Index), t.Codes(c.Index)
}
