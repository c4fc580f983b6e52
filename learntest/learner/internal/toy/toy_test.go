package toy

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/learnbench/learnbench/learntest/dataset"
)

func TestTableHasItsClassLast(t *testing.T) {
	t.Parallel()
	tb := Table(t, []float64{1, 2}, Numeric("x", 3, 4), Nominal("y", []string{"a", "b"}, 1, -1))
	assert.Equal(t, 1, tb.ClassIndex())
	assert.Equal(t, dataset.Attribute{Name: "y", Kind: dataset.Nominal, Values: []string{"a", "b"}}, tb.Attribute(1))
	assert.Equal(t, []float64{3, 4}, tb.Numbers(0))
	assert.Equal(t, []float64{1, 2}, tb.Weights())
	assert.Equal(t, []int{0, 1}, Rows(tb))
	assert.Equal(t, []float64{3, 4, 4, 5}, Distributions(numbers{}, tb))
}

// numbers writes the number of the row and the next one.
type numbers struct{}

func (numbers) Distribution(t *dataset.Table, row int, dist []float64) {
	dist[0], dist[1] = t.Numbers(0)[row], t.Numbers(0)[row]+1
}

func (numbers) Close() error { return nil }

// failing notes the failure of a test and panics at its end.
type failing struct{ text string }

func (f *failing) Errorf(format string, args ...any) { f.text = fmt.Sprintf(format, args...) }
func (f *failing) FailNow()                          { panic(errEnd) }

var errEnd = errors.New("end of the test")

func TestTableEndsTheTestIfItCannotBe(t *testing.T) {
	t.Parallel()
	var f failing
	assert.PanicsWithError(t, "end of the test", func() { Table(&f, nil, Numeric("x", 1), Numeric("y", 1, 2)) })
	assert.Contains(t, f.text, "y")
}
