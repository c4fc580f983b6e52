package flip

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/predictions"
)

// sliced are slices of the data set of the tests.
func sliced(data string, of ...predictions.Slice) map[string]predictions.Slices {
	return map[string]predictions.Slices{data: {DataDigest: strings.Repeat("a", 64), Of: of}}
}

// The slices that divide the examples add up to the whole, each example in its own.
func TestSlicesAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		pairs, _, err := Compare(side(t, "old", old), side(t, "new", now), all)
		require.NoError(rt, err)
		var a, b []int
		for i := range 6 {
			if rapid.Bool().Draw(rt, "in a") {
				a = append(a, i)
			} else {
				b = append(b, i)
			}
		}
		var of []predictions.Slice
		for name, rows := range map[string][]int{"x=a": a, "x=b": b} {
			if len(rows) > 0 {
				of = append(of, predictions.Slice{Name: name, Rows: rows})
			}
		}
		notes, err := Divide(pairs, sliced("pets", of...))
		require.NoError(rt, err)
		require.Empty(rt, notes)
		whole, sum := pairs[0].Sum(), pairs[0].Parts[0].Sum()
		for _, p := range pairs[0].Parts[1:] {
			c := p.Sum()
			sum.Compared += c.Compared
			sum.RightToWrong += c.RightToWrong
			sum.WrongToRight += c.WrongToRight
			sum.Both += c.Both
			sum.Neither += c.Neither
			sum.Changed += c.Changed
		}
		require.Equal(rt, whole, sum)
		for _, p := range pairs[0].Parts {
			for k, i := range p.rows {
				require.Equal(rt, pairs[0].Examples[i], p.Examples[k])
			}
		}
	})
}

// Examples that nothing predicts, as the training set of a fixed partition, are not counted.
func TestSlicesOfWhatWasPredicted(t *testing.T) {
	t.Parallel()
	body := "T 0 ABCABC\nF 1 0 --AAAA\n"
	fixed := predefined(1)
	before := side(t, "old", text{protocol: fixed, body: body + "P tree 1 0 --....\n"})
	after := side(t, "new", text{protocol: fixed, body: body + "P tree 1 0 --ABA.\n"})
	pairs, _, err := Compare(before, after, all)
	require.NoError(t, err)
	_, err = Divide(pairs, sliced("pets",
		predictions.Slice{Name: "x=a", Rows: []int{0, 1}},
		predictions.Slice{Name: "x=b", Rows: []int{0, 2, 5}}))
	require.NoError(t, err)
	require.Contains(t, Text(pairs, true), `slice  n  to wrong  to right  net  before    now  points
x=a    0                                                  none predicted
x=b    2         1         0   -1  100.0%  50.0%   -50.0  too small (30)
  x=b  lost: 2; won: none
x=b
example  class  before  now
2        eel    1/1     0/1
`)
}

// Slices of other data are refused, and data sets without slices are named.
func TestSlicesThatAreNone(t *testing.T) {
	t.Parallel()
	pairs, _, err := Compare(side(t, "old", old), side(t, "new", now), all)
	require.NoError(t, err)
	one := predictions.Slice{Name: "x=a", Rows: []int{0}}
	other := sliced("pets", one)
	other["pets"] = predictions.Slices{DataDigest: strings.Repeat("c", 64), Of: other["pets"].Of}
	for _, c := range []struct {
		of   map[string]predictions.Slices
		says string
	}{
		{other, "new:1: the slices are of other data, or of examples in another order: their digest is cccccccccccc, and the predictions are of pets, aaaaaaaaaaaa"},
		{sliced("toys", one), `no predictions are compared on data set "toys", but on "pets"`},
		{sliced("pets", predictions.Slice{Name: "x=a", Rows: []int{6}}), "example 6 twice, or there is no such"},
		{sliced("pets", predictions.Slice{Name: "x=a"}), `slice "x=a" has no examples`},
	} {
		_, err := Divide(pairs, c.of)
		require.ErrorContains(t, err, c.says)
	}
	more := now
	more.data = "toys"
	was := old
	was.data = "toys"
	pairs, _, err = Compare(side(t, "old", old, was), side(t, "new", now, more), all)
	require.NoError(t, err)
	notes, err := Divide(pairs, sliced("pets", one))
	require.NoError(t, err)
	require.Equal(t, []string{"toys: there are no slices of it"}, notes)
	require.Contains(t, CSV(pairs), "pets,tree,tree,0,cat,2,2,0,x=a\n")
	require.NotContains(t, CSV(pairs), "toys")
}
