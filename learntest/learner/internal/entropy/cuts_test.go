package entropy

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

func cuts(v Values) []float64 {
	var tables Tables
	var f CutFinder
	return f.Cuts(nil, v, tables.Get(len(v.X)))
}

func TestCuts(t *testing.T) {
	t.Parallel()
	repeat := func(x float64, n int) []float64 { return slices.Repeat([]float64{x}, n) }
	class := func(y int32, n int) []int32 { return slices.Repeat([]int32{y}, n) }
	for _, test := range []struct {
		name string
		v    Values
		want []float64
	}{
		{"no values", Values{Classes: 2}, nil},
		{"one value", Values{X: []float64{1}, Class: []int32{0}, Classes: 2}, nil},
		{"equal values", Values{
			X: repeat(1, 40), Class: slices.Concat(class(0, 20), class(1, 20)),
			Classes: 2,
		}, nil},
		{"one class", Values{
			X: slices.Concat(repeat(1, 20), repeat(2, 20)), Class: class(1, 40),
			Classes: 2,
		}, nil},
		{"two classes apart", Values{
			X:     slices.Concat(repeat(1, 20), repeat(2, 20)),
			Class: slices.Concat(class(0, 20), class(1, 20)), Classes: 2,
		}, []float64{1.5}},
		{"not worth it", Values{
			X: []float64{1, 2, 3, 4, 5, 6}, Class: []int32{0, 1, 0, 1, 0, 1},
			Classes: 2,
		}, nil},
		{"two values", Values{X: []float64{1, 2}, Class: []int32{0, 1}, Classes: 2}, []float64{1.5}},
		{
			"three classes in a row",
			Values{
				X:     slices.Concat(repeat(1, 20), repeat(2, 20), repeat(4, 20)),
				Class: slices.Concat(class(2, 20), class(1, 20), class(0, 20)), Classes: 3,
			},
			[]float64{1.5, 3},
		},
		{
			"midpoint beyond the greatest number",
			Values{
				X:     slices.Concat(repeat(math.MaxFloat64/2, 20), repeat(math.MaxFloat64, 20)),
				Class: slices.Concat(class(0, 20), class(1, 20)), Classes: 2,
			},
			[]float64{math.MaxFloat64 / 4 * 3},
		},
	} {
		assert.Equal(t, test.want, cuts(test.v), test.name)
	}
}

// rounding is the largest difference between equal entropies.
const rounding = 1e-9

// divisions finds all lists of cut points that the definition allows: which of several cut points
// of the same entropy is taken, rounding decides, and further ones depend on it.
func divisions(v Values) [][]float64 {
	n := len(v.X)
	entropyOf := func(class []int32) (e float64, present int) {
		counts := make([]float64, v.Classes)
		for _, y := range class {
			counts[y]++
		}
		for _, k := range counts {
			if k > 0 {
				e -= k / float64(len(class)) * math.Log2(k/float64(len(class)))
				present++
			}
		}
		return e, present
	}
	before, k := entropyOf(v.Class)
	entropies := make(map[int]float64)
	least := before - rounding // equality up to rounding is no gain
	for i := 1; i < n; i++ {
		if v.X[i-1] != v.X[i] {
			e1, _ := entropyOf(v.Class[:i])
			e2, _ := entropyOf(v.Class[i:])
			entropies[i] = (float64(i)*e1 + float64(n-i)*e2) / float64(n)
			least = min(least, entropies[i])
		}
	}
	var all [][]float64
	for at, e := range entropies {
		if e > least+rounding || e >= before-rounding {
			continue
		}
		e1, k1 := entropyOf(v.Class[:at])
		e2, k2 := entropyOf(v.Class[at:])
		delta := math.Log2(math.Pow(3,
			float64(k))-2) - (float64(k)*before - float64(k1)*e1 - float64(k2)*e2)
		worth := before - e - (math.Log2(float64(n-1))+delta)/float64(n)
		if worth <= rounding {
			all = append(all, nil)
		}
		if worth < -rounding {
			continue
		}
		rights := divisions(Values{X: v.X[at:], Class: v.Class[at:], Classes: v.Classes})
		for _, left := range divisions(Values{X: v.X[:at], Class: v.Class[:at], Classes: v.Classes}) {
			for _, right := range rights {
				all = append(all, slices.Concat(left, []float64{(v.X[at-1] + v.X[at]) / 2}, right))
			}
		}
	}
	if all == nil {
		return [][]float64{nil}
	}
	return all
}

// drawValues draws values with classes that depend on them.
func drawValues(t *rapid.T) Values {
	v := Values{Classes: rapid.IntRange(1, 5).Draw(t, "classes")}
	n := rapid.IntRange(0, 200).Draw(t, "n")
	distinct := rapid.SampledFrom([]int{3, 10, 200}).Draw(t, "distinct")
	for range n {
		v.X = append(v.X, float64(rapid.IntRange(0, distinct).Draw(t, "x")))
	}
	slices.Sort(v.X)
	noise := rapid.IntRange(0, 4).Draw(t, "noise")
	for _, x := range v.X {
		y := int(x) * v.Classes / (distinct + 1)
		if rapid.IntRange(0, 4).Draw(t, "noisy") < noise {
			y = rapid.IntRange(0, v.Classes-1).Draw(t, "y")
		}
		v.Class = append(v.Class, int32(y))
	}
	return v
}

func TestCutsAreAsDefined(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := drawValues(t)
		got, want := cuts(v), divisions(v)
		if !slices.ContainsFunc(want, func(w []float64) bool { return slices.Equal(got, w) }) {
			t.Fatalf("cuts %v, want one of %v", got, want)
		}
	})
}

func TestIntegersAndWeightsGiveTheSameCuts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := drawValues(t)
		want := cuts(v)
		v.Weight = slices.Repeat([]float64{1}, len(v.X))
		if got := cuts(v); !slices.Equal(got, want) {
			t.Fatalf("cuts with weights of 1 %v, without %v", got, want)
		}
	})
}

func TestWeightsCountAsRepeatedValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := drawValues(t)
		if len(v.X) < 2 {
			return
		}
		w := Values{Classes: v.Classes}
		for i, x := range v.X {
			n := rapid.IntRange(1, 3).Draw(t, "weight")
			v.Weight = append(v.Weight, float64(n))
			for range n {
				w.X, w.Class = append(w.X, x), append(w.Class, v.Class[i])
			}
		}
		var f CutFinder
		var tables Tables
		f.v, f.table = v, tables.Get(len(w.X))
		f.left, f.right, f.best[0], f.best[1] = make([]float64, v.Classes), make([]float64, v.Classes),
			make([]float64, v.Classes), make([]float64, v.Classes)
		f.prior = make([]float64, v.Classes)
		for i, y := range v.Class {
			f.prior[y] += v.Weight[i]
		}
		before := f.entropy(f.prior)
		e, _ := f.searchWeights(0, len(v.X), before)
		f.v, f.sides = w, make([]sides, v.Classes)
		if d, _ := f.searchCounts(0, len(w.X), before); !floatcmp.Equal(d, e, 0, 0) {
			t.Fatalf("least entropy %v with weights, %v with repeated values", e, d)
		}
	})
}

func BenchmarkCuts(b *testing.B) {
	v := Values{Classes: 4}
	for i := range 1000 {
		v.X = append(v.X, float64(i/2))
		v.Class = append(v.Class, int32(i/250+i*7%3)%4)
	}
	var tables Tables
	var f CutFinder
	var dst []float64
	b.ReportAllocs()
	for b.Loop() {
		dst = f.Cuts(dst[:0], v, tables.Get(len(v.X)))
	}
}
