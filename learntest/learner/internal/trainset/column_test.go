package trainset

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

func TestBindTakesTheValuesOfEachTable(t *testing.T) {
	t.Parallel()
	a := fixture.Table(t, nil, fixture.Numeric("x", 1, 2), fixture.Nominal("y", []string{"u", "v"}, 0,
		1))
	b := fixture.Table(t, nil, fixture.Numeric("another", 3),
		fixture.Nominal("name", []string{"u", "v"}, -1))
	x, y := NewColumn(a, 0), NewColumn(a, 1)
	assert.Equal(t, 1, y.Index)
	assert.Equal(t, a.Attribute(1), y.Meta)
	assert.Empty(t, x.Numbers, "not bound")
	x.Bind(a, "toy")
	assert.Equal(t, []float64{1, 2}, x.Numbers)
	assert.Empty(t, x.Codes)
	x.Bind(b, "toy")
	y.Bind(b, "toy")
	assert.Equal(t, []float64{3}, x.Numbers)
	assert.Equal(t, []int32{-1}, y.Codes)
	assert.Empty(t, y.Numbers)
	assert.Equal(t, "x", x.Meta.Name)
}

func TestBindPanicsOnOtherAttributes(t *testing.T) {
	t.Parallel()
	a := fixture.Table(t, nil, fixture.Numeric("x", 1), fixture.Nominal("y", []string{"u", "v"}, 0))
	x, y := NewColumn(a, 0), NewColumn(a, 1)
	assert.PanicsWithValue(t, `nn: table "toy" has 1 attributes, attribute 1 was trained on`, func() {
		y.Bind(fixture.Table(t, nil, fixture.Numeric("x", 1)), "nn")
	})
	assert.PanicsWithValue(t, `nn: attribute 1 (z) of table "toy" is not that trained on (y)`, func() {
		y.Bind(fixture.Table(t, nil, fixture.Numeric("x", 1), fixture.Nominal("z", []string{"v", "u"},
			0)), "nn")
	})
	assert.PanicsWithValue(t, `nn: attribute 0 (y) of table "toy" is not that trained on (x)`, func() {
		x.Bind(fixture.Table(t, nil, fixture.Nominal("y", nil)), "nn")
	})
}
