package learntest

import (
	"cmp"
	"reflect"
	"slices"
)

func isFloat(y any) bool {
	if y == nil {
		return false
	}
	k := reflect.TypeOf(y).Kind()
	return k == reflect.Float64 || k == reflect.Float32
}

func toFloat(y any) float64 {
	if y, ok := y.(float64); ok {
		return y
	}
	return reflect.ValueOf(y).Float()
}

// sortLabels sorts labels whose type has a natural order and leaves others unchanged.
func sortLabels[Y comparable](ys []Y) {
	value := func(y Y) reflect.Value { return reflect.ValueOf(y) }
	switch reflect.TypeFor[Y]().Kind() {
	case reflect.Bool:
		slices.SortFunc(ys, func(a, b Y) int {
			if value(b).Bool() {
				return -1
			}
			return 1
		})
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		slices.SortFunc(ys, func(a, b Y) int { return cmp.Compare(value(a).Int(), value(b).Int()) })
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		slices.SortFunc(ys, func(a, b Y) int { return cmp.Compare(value(a).Uint(), value(b).Uint()) })
	case reflect.String:
		slices.SortFunc(ys, func(a, b Y) int { return cmp.Compare(value(a).String(), value(b).String()) })
	}
}

// codes numbers the distinct strings in the order of their first occurrence.
func codes(names []string) []int {
	if names == nil {
		return nil
	}
	index := make(map[string]int)
	out := make([]int, len(names))
	for i, name := range names {
		c, ok := index[name]
		if !ok {
			c = len(index)
			index[name] = c
		}
		out[i] = c
	}
	return out
}
