// Package leaks finds the labels of examples in the examples themselves: in fields of structs,
// elements of slices, entries of maps, and values behind pointers and interfaces.
package leaks

import (
	"math"
	"reflect"
	"slices"
)

// Data is the labelled examples in which Find looks for labels.
type Data[X any] struct {
	Len     int
	Example func(i int) X
	Label   func(i int) any // comparable
	Values  []float64       // the labels of regression; nil if labels are classes
}

// A Telltale is a place in examples whose value tells the label of every example.
type Telltale[X any] struct {
	What string // "field Fraud"

	data   Data[X]
	path   path
	donors map[any]int // an example of each label
}

// Alter returns example i with the value that the place has for another label. Nothing that it
// shares with other examples is changed.
func (t Telltale[X]) Alter(i int) X {
	own := t.data.Label(i)
	donor := i
	for j := 1; donor == i; j++ { // ends: there are two labels at least
		if other := t.data.Label((i + j) % t.data.Len); other != own {
			donor = t.donors[other]
		}
	}
	x, d := t.data.Example(i), t.data.Example(donor)
	var out X
	reflect.ValueOf(&out).Elem().Set(t.path.replaced(reflect.ValueOf(&x).Elem(),
		reflect.ValueOf(&d).Elem()))
	return out
}

// Find returns the places that tell the labels of all examples where that can hardly be chance: for
// classes, places with one value for each; for numbers, places with the label itself, times a
// constant, plus another.
func Find[X any](d Data[X]) []Telltale[X] {
	donors := make(map[any]int)
	var firsts []int
	counts := make(map[any]float64)
	for i := range d.Len {
		y := d.Label(i)
		if _, ok := donors[y]; !ok {
			donors[y] = i
			firsts = append(firsts, i)
		}
		counts[y]++
	}
	if !scattered(counts, d.Len, d.Values == nil) || isPlain(reflect.TypeFor[X]()) {
		return nil
	}
	if d.Values != nil { // all of them must have the number
		firsts = firsts[:1]
	}
	var candidates []*candidate
	seen := make(map[string]bool)
	for _, i := range firsts[:min(len(firsts), mostFirsts)] {
		x := d.Example(i)
		for _, p := range paths(reflect.ValueOf(&x).Elem(), d.Values == nil) {
			if key := p.key(); !seen[key] && len(candidates) < mostPaths {
				seen[key] = true
				candidates = append(candidates, &candidate{
					path: p, labels: make(map[any]any),
					values: make(map[any]any),
				})
			}
		}
	}
	if d.Values != nil {
		candidates = slices.DeleteFunc(candidates, func(c *candidate) bool {
			var ok bool
			c.line, ok = d.lineOf(c.path)
			return !ok
		})
	}
	for i := 0; i < d.Len && len(candidates) > 0; i++ {
		x, y := d.Example(i), d.Label(i)
		root := reflect.ValueOf(&x).Elem()
		candidates = slices.DeleteFunc(candidates, func(c *candidate) bool {
			if d.Values != nil {
				return !c.line.has(c.path.of(root), d.Values[i])
			}
			return !c.oneToOne(c.path.of(root), y)
		})
	}
	var found []Telltale[X]
	for _, c := range candidates {
		found = append(found, Telltale[X]{c.path.called(), d, c.path, donors})
	}
	return found
}

// A candidate is a place that has told the labels of all examples so far.
type candidate struct {
	path
	labels map[any]any // by value
	values map[any]any // by label
	line               // of numbers
}

// oneToOne reports whether the value of one more example goes with its label, and no other.
func (c *candidate) oneToOne(value, label any) bool {
	if value == nil {
		return false
	}
	if have, ok := c.values[label]; ok {
		return have == value
	}
	if _, ok := c.labels[value]; ok {
		return false
	}
	c.labels[value], c.values[label] = label, value
	return true
}

// A line gives numbers as labels times a constant, plus another constant.
type line struct{ x0, y0, slope, slack float64 }

// lineOf returns the line through the values of the examples with the least and the greatest label.
func (d Data[X]) lineOf(p path) (l line, ok bool) {
	value := func(i int) float64 {
		x := d.Example(i)
		v, ok := number(p.of(reflect.ValueOf(&x).Elem()))
		if !ok {
			return math.NaN()
		}
		return v
	}
	low := slices.Index(d.Values, slices.Min(d.Values))
	high := slices.Index(d.Values, slices.Max(d.Values))
	x0, x1 := value(low), value(high)
	l = line{x0: x0, y0: d.Values[low], slope: (x1 - x0) / (d.Values[high] - d.Values[low])}
	// Labels that are kept as float32 are rounded, too.
	l.slack = 1e-6*math.Abs(x1-x0) + 1e-15*max(math.Abs(x0), math.Abs(x1))
	return l, l.slope != 0 && !math.IsNaN(l.slope) && !math.IsInf(l.slope, 0)
}

func (l line) has(value any, y float64) bool {
	x, ok := number(value)
	return ok && math.Abs(x-l.x0-l.slope*(y-l.y0)) <= l.slack
}

// rare is a probability of what does not happen by chance.
const rare = 1e-4

// scattered reports whether a value that has nothing to do with the labels would hardly be in their
// order, if there are as many of each.
func scattered(counts map[any]float64, n int, classes bool) bool {
	lgamma := func(x float64) float64 {
		y, _ := math.Lgamma(x)
		return y
	}
	log := -lgamma(float64(n) + 1)
	if classes {
		log += lgamma(float64(len(counts)) + 1)
	}
	for _, c := range counts {
		log += lgamma(c + 1)
	}
	return log < math.Log(rare)
}
