package leaks

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// The most places that are looked at, how deep they may be, and in how many examples they are
// looked for.
const (
	mostPaths  = 10_000
	deepest    = 8
	mostFirsts = 1_000
)

// A path leads to a place in an example.
type path struct {
	name  string
	steps []step
	there bool // its value is only whether there is something
}

// A step leads into a struct, slice or array by a number, or into a map by a key. Pointers and
// interfaces on the way take none.
type step struct {
	index int
	key   reflect.Value // of a map
}

// absent is the value of a place that an example does not have.
type absent struct{}

// present is the value of a place that has something, where nothing else is looked at.
type present struct{}

func (p path) key() string { return fmt.Sprint(p.name, p.there) }

func (p path) and(name string, s step) path {
	return path{name: p.name + name, steps: append(slices.Clone(p.steps), s)}
}

// called returns what the place is called in a sentence.
func (p path) called() string {
	if p.name == "" {
		return "the example itself"
	}
	if strings.HasPrefix(p.name, "[") {
		return "element " + p.name
	}
	return "field " + strings.TrimPrefix(p.name, ".")
}

// paths returns those to all plain values in an example, and, if it is asked for, to all that may
// be missing.
func paths(root reflect.Value, missing bool) []path {
	var found []path
	var walk func(v reflect.Value, at path, depth int)
	walk = func(v reflect.Value, at path, depth int) {
		v = opened(v)
		if len(found) >= mostPaths || depth > deepest {
			return
		}
		if k := v.Kind(); missing && (k == reflect.Pointer || k == reflect.Interface ||
			k == reflect.Map || k == reflect.Slice) {
			found = append(found, path{at.name, at.steps, true})
		}
		if isPlain(v.Type()) {
			found = append(found, at)
			return
		}
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem(), at, depth+1)
			}
		case reflect.Interface:
			if !v.IsNil() {
				walk(addressable(v.Elem()), at, depth+1)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i), at.and("."+v.Type().Field(i).Name, step{index: i}), depth+1)
			}
		case reflect.Slice, reflect.Array:
			for i := range min(v.Len(), mostPaths) {
				walk(v.Index(i), at.and(fmt.Sprintf("[%d]", i), step{index: i}), depth+1)
			}
		case reflect.Map:
			if !isPlain(v.Type().Key()) || v.Type().Key().Kind() == reflect.Pointer {
				return
			}
			keys := v.MapKeys()
			slices.SortFunc(keys, func(a, b reflect.Value) int {
				return strings.Compare(fmt.Sprint(a),
					fmt.Sprint(b))
			})
			for _, k := range keys[:min(len(keys), mostPaths)] {
				entry := at.and(fmt.Sprintf("[%#v]", k), step{key: k})
				if missing {
					found = append(found, path{entry.name, entry.steps, true})
				}
				walk(addressable(v.MapIndex(k)), entry, depth+1)
			}
		}
	}
	walk(root, path{}, 0)
	return found
}

// of returns the value at the end of the path in an example, as one that can be compared: absent
// where a pointer, an interface or an entry is missing, and nil where an element is, which says
// nothing.
func (p path) of(v reflect.Value) any {
	v = opened(v)
	for _, s := range p.steps {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			if v.IsNil() {
				return absent{}
			}
			v = addressable(v.Elem())
		}
		var ok bool
		if v, ok = s.in(v); !ok {
			return nil
		}
		if !v.IsValid() {
			return absent{}
		}
	}
	if p.there {
		k := v.Kind()
		if (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() ||
			(k == reflect.Map || k == reflect.Slice) && v.Len() == 0 {
			return absent{}
		}
		return present{}
	}
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return absent{}
		}
		v = addressable(v.Elem())
	}
	if !isPlain(v.Type()) { // in other examples it is
		return nil
	}
	return v.Interface()
}

// in takes a step. The value is not valid if a map has no such entry; false if there is no such
// place.
func (s step) in(v reflect.Value) (reflect.Value, bool) {
	switch k := v.Kind(); {
	case s.key.IsValid():
		if k != reflect.Map || v.Type().Key() != s.key.Type() {
			return v, false
		}
		e := v.MapIndex(s.key)
		if e.IsValid() {
			e = addressable(e)
		}
		return e, true
	case k == reflect.Struct && s.index < v.NumField():
		return opened(v.Field(s.index)), true
	case (k == reflect.Slice || k == reflect.Array) && s.index < v.Len():
		return opened(v.Index(s.index)), true
	}
	return v, false
}

// replaced returns a copy of v with d's value at the end of the path. The copy shares everything
// else with v. Where the path ends early in v or d, at a nil or at another type, the copy has d's
// value.
func (p path) replaced(v, d reflect.Value) reflect.Value {
	v, d = opened(v), opened(d)
	if len(p.steps) == 0 {
		return d
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || d.IsNil() {
			return d
		}
		n := reflect.New(v.Type().Elem())
		n.Elem().Set(p.replaced(v.Elem(), d.Elem()))
		return n
	case reflect.Interface:
		if v.IsNil() || d.IsNil() || v.Elem().Type() != d.Elem().Type() {
			return d
		}
		return p.replaced(addressable(v.Elem()), addressable(d.Elem()))
	case reflect.Map:
		return p.replacedEntry(v, d)
	}
	from, ok := p.steps[0].in(v)
	to, has := p.steps[0].in(d)
	if !ok || !has {
		return v
	}
	n := addressable(v)
	if v.Kind() == reflect.Slice {
		n = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(n, v)
		n = addressable(n)
	}
	place, _ := p.steps[0].in(n)
	place.Set(path{steps: p.steps[1:]}.replaced(from, to))
	return n
}

func (p path) replacedEntry(v, d reflect.Value) reflect.Value {
	if v.IsNil() || d.IsNil() {
		return d
	}
	n := reflect.MakeMapWithSize(v.Type(), v.Len())
	for _, k := range v.MapKeys() {
		n.SetMapIndex(k, v.MapIndex(k))
	}
	key := p.steps[0].key
	from, to := v.MapIndex(key), d.MapIndex(key)
	if from.IsValid() && to.IsValid() {
		to = path{steps: p.steps[1:]}.replaced(addressable(from), addressable(to))
	}
	n.SetMapIndex(key, to) // which deletes it if there is none
	return n
}

// opened returns the value, which is addressable, so that it can be read and set although its field
// is not exported.
func opened(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// addressable returns a copy of a value that can be opened.
func addressable(v reflect.Value) reflect.Value {
	n := reflect.New(v.Type()).Elem()
	n.Set(v)
	return n
}

// isPlain reports whether values of the type can be compared with labels.
func isPlain(t reflect.Type) bool {
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Float64 || t.Kind() == reflect.String
}

// number returns a plain value that is a number.
func number(value any) (float64, bool) {
	v := reflect.ValueOf(value)
	switch {
	case !v.IsValid():
		return 0, false
	case v.CanFloat():
		return v.Float(), true
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	}
	return 0, false
}
