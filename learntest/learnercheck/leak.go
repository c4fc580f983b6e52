package learnercheck

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/internal/otherlabels"
)

// A spot is where a plain value is in an example: the numbers of the fields and elements that lead
// to it, and what it is called.
type spot struct {
	name string
	path []int
}

// The most spots that are looked at, and how deep they may be.
const (
	mostSpots = 10_000
	deepest   = 8
)

// spots adds those of all plain values in v: fields of structs, whether they are exported or not, and
// elements of slices and arrays.
func spots(v reflect.Value, at spot, found []spot) []spot {
	v = opened(v)
	switch {
	case len(found) == mostSpots || len(at.path) > deepest:
	case isPlain(v.Type()):
		found = append(found, at)
	case v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().Kind() == reflect.Struct:
		found = spots(v.Elem(), at, found)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if at.name != "" {
				name = at.name + "." + name
			}
			found = spots(v.Field(i), spot{name, append(slices.Clone(at.path), i)}, found)
		}
	case v.Kind() == reflect.Slice, v.Kind() == reflect.Array:
		for i := range min(v.Len(), mostSpots) {
			found = spots(v.Index(i), spot{at.name + "[" + strconv.Itoa(i) + "]", append(slices.Clone(at.path), i)}, found)
		}
	}
	return found
}

// opened returns the value, which is addressable, so that it can be read and set although its field is
// not exported.
func opened(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// isPlain reports whether values of the type, or what they point to, can be compared with labels.
func isPlain(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Float64 || t.Kind() == reflect.String
}

// in returns the value at the spot in an example, which is addressable; false if it is not there. Where it is to
// be changed, what the example shares with others on the way to it is copied.
func (p spot) in(v reflect.Value, change bool) (reflect.Value, bool) {
	v = opened(v)
	for _, i := range p.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			if change {
				own := reflect.New(v.Type().Elem())
				own.Elem().Set(v.Elem())
				v.Set(own)
			}
			v = v.Elem()
		}
		switch v.Kind() {
		case reflect.Struct:
			v = v.Field(i)
		default:
			if i >= v.Len() {
				return v, false
			}
			if change && v.Kind() == reflect.Slice {
				own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
				reflect.Copy(own, v)
				v.Set(own)
			}
			v = v.Index(i)
		}
		v = opened(v)
	}
	return v, true
}

// plainValue returns a plain value as one that can be compared, and nil for a nil pointer.
func plainValue(v reflect.Value) any {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	return v.Interface()
}

// A telltale is a spot whose value tells the label of every example.
type telltale struct {
	spot
	labels map[any]any           // by value
	values map[any]reflect.Value // by label
}

// agrees reports whether the value of one more example goes with its label, and no other.
func (t *telltale) agrees(example reflect.Value, label any) bool {
	v, ok := t.in(example, false)
	if !ok {
		return false
	}
	value := plainValue(v)
	if have, ok := t.values[label]; ok {
		return plainValue(have) == value
	}
	if _, ok := t.labels[value]; ok {
		return false
	}
	t.labels[value], t.values[label] = label, v
	return true
}

// telltales returns the spots of examples that tell the labels of all, where that can hardly be chance: in
// classification those that have one value for each class, in regression those that have the label itself.
func (t *typed[X, Y]) telltales() []*telltale {
	if otherlabels.OfRows[X]() || !t.scattered() {
		return nil
	}
	first := t.data.Example(0)
	root := reflect.ValueOf(&first).Elem()
	if root.Kind() == reflect.Interface || isPlain(root.Type()) {
		return nil
	}
	var left []*telltale
	for _, p := range spots(root, spot{}, nil) {
		left = append(left, &telltale{p, make(map[any]any), make(map[any]reflect.Value)})
	}
	for i := 0; i < t.data.Len() && len(left) > 0; i++ {
		x := t.data.Example(i)
		example, label := reflect.ValueOf(&x).Elem(), any(t.data.Label(i))
		left = slices.DeleteFunc(left, func(p *telltale) bool {
			if t.classes() == 0 {
				v, ok := p.in(example, false)
				if y, isNumber := numeric(v); !ok || !isNumber || y != t.value(i) {
					return true
				}
			}
			return !p.agrees(example, label)
		})
	}
	return left
}

// numeric returns a plain value that is a number.
func numeric(v reflect.Value) (float64, bool) {
	switch {
	case v.CanFloat():
		return v.Float(), true
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	}
	return 0, false
}

// rare is a probability of what does not happen by chance.
const rare = 1e-4

// scattered reports whether a value that has nothing to do with the labels would hardly be in their order,
// if there are as many of each.
func (t *typed[X, Y]) scattered() bool {
	counts := make(map[any]float64)
	for i := range t.data.Len() {
		counts[t.data.Label(i)]++
	}
	lgamma := func(x float64) float64 {
		y, _ := math.Lgamma(x)
		return y
	}
	log := lgamma(float64(t.classes())+1) - lgamma(float64(t.data.Len())+1)
	for _, n := range counts {
		log += lgamma(n + 1)
	}
	return log < math.Log(rare)
}

// altered is a data set in which some examples have other values.
type altered[X any, Y comparable] struct {
	learntest.Data[X, Y]
	examples map[int]X
}

func (a altered[X, Y]) Example(i int) X {
	if x, ok := a.examples[i]; ok {
		return x
	}
	return a.Data.Example(i)
}

// alter gives the examples in rows the value that the telltale has for another label.
func (t *typed[X, Y]) alter(rows []int, p *telltale) learntest.Data[X, Y] {
	a := altered[X, Y]{t.data, make(map[int]X, len(rows))}
	for _, row := range rows {
		other := any(t.data.Label(row))
		for i := 1; other == any(t.data.Label(row)); i++ { // not all labels are the same
			other = any(t.data.Label((row + i) % t.data.Len()))
		}
		x := t.data.Example(row)
		v, _ := p.in(reflect.ValueOf(&x).Elem(), true)
		v.Set(p.values[other])
		a.examples[row] = x
	}
	return a
}

// called returns what the spot is called in a sentence.
func (p spot) called() string {
	if strings.HasPrefix(p.name, "[") {
		return "element " + p.name
	}
	return "field " + p.name
}

// A leak is where the labels are in the examples.
type leak struct {
	what    string // "field Fraud"
	n       int    // how many examples there are
	without func(rows []int) (material, error)
}

func (t *typed[X, Y]) leaks() []leak {
	var all []leak
	for _, p := range t.telltales() {
		all = append(all, leak{p.called(), t.data.Len(), func(rows []int) (material, error) {
			return newTyped(t.alter(rows, p), t.learner)
		}})
	}
	return all
}

// checkLeaks changes what tells the label in the examples to be predicted.
func checkLeaks(ctx context.Context, b *bench) error {
	f := b.folds[0]
	for _, l := range b.material.leaks() {
		m, err := l.without(f.test)
		if err != nil {
			return err
		}
		o, err := b.run(ctx, m, f)
		if err != nil {
			err = fmt.Errorf("fails: %w", err)
		} else {
			err = difference(b.alone[0], o, 0)
		}
		if err != nil {
			return fmt.Errorf("%s tells the label of all %d examples, and with the value that it has for another label, it %w", l.what, l.n, err)
		}
	}
	return nil
}
