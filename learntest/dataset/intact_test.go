package dataset

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Any change to what the digest covers changes the current digest, whether or not the digest was
// known before.
func TestCurrentDigestOfChangedTables(t *testing.T) {
	t.Parallel()
	table := func() *Table {
		numbers := []float64{0, 2, math.NaN()}
		for i := range 2000 { // more than a buffer holds
			numbers = append(numbers, float64(i))
		}
		codes := append([]int32{0, 1, 1}, make([]int32, 2000)...)
		weights := append([]float64{1, 2, 3}, numbers[4:]...)
		groups := append([]string{"a", "b", "c"}, make([]string, 2000)...)
		made := mustNew(t, []Column{
			numeric("x", numbers...), nominal("class", []string{"no", "yes"}, codes...),
		}, 1, append(weights, 7))
		return mustGroup(t, made, "g", groups...)
	}
	for name, change := range map[string]func(t *Table){
		"first number": func(t *Table) { t.Numbers(0)[0] = 1 },
		"last number":  func(t *Table) { t.Numbers(0)[2002]++ },
		"two numbers swapped": func(t *Table) {
			x := t.Numbers(0)
			x[0], x[1] = x[1], x[0]
		},
		"missing number": func(t *Table) { t.Numbers(0)[2] = 2 },
		"code":           func(t *Table) { t.Codes(1)[2002] = 1 },
		"value":          func(t *Table) { t.Attribute(1).Values[0] = "maybe" },
		"weight":         func(t *Table) { t.weights[2002] = 8 },
		"group":          func(t *Table) { t.groups[2002] = "a" },
		"name of groups": func(t *Table) { t.groupName = "h" },
	} {
		unknown, known := table(), table()
		want := digest(t, known)
		require.Equal(t, want, known.CurrentDigest(), name)
		change(unknown)
		change(known)
		require.NotEqual(t, want, known.CurrentDigest(), name)
		require.Equal(t, unknown.CurrentDigest(), known.CurrentDigest(), name)
		require.Equal(t, want, digest(t, known), name)
	}
	same := table()
	want := digest(t, same)
	x := same.Numbers(0)
	x[0], x[2] = math.Copysign(0, -1), math.Float64frombits(0xfff8000000000123)
	require.Equal(t, want, same.CurrentDigest())
	x[1]++
	require.NotEqual(t, want, same.CurrentDigest())
	x[1]--
	require.Equal(t, want, same.CurrentDigest())
}
