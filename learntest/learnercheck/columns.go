package learnercheck

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
)

// A column is a column of a table, a field of a struct or an element of an array in all examples.
type column struct {
	name     string
	rank     []int // of each example's value among the different ones; -1 if it is missing
	distinct int
	counts   bool // the values are whole numbers without gaps
	whole    bool // the values are whole numbers, or texts
	texts    bool // the values are texts
	times    bool // the values are times, or dates
	unset    bool // all values are zero, as in a field without a column
}

// newColumn ranks values; NaN is missing.
func newColumn[V comparable](name string, values []V, compare func(a, b V) int) column {
	known := slices.DeleteFunc(slices.Clone(values), func(v V) bool { return v != v })
	slices.SortFunc(known, compare)
	known = slices.Compact(known)
	c := column{name: name, distinct: len(known), rank: make([]int, len(values)), whole: true}
	of := make(map[V]int, len(known))
	for i, v := range known {
		of[v] = i
	}
	for i, v := range values {
		c.rank[i] = -1
		if at, ok := of[v]; ok {
			c.rank[i] = at
		}
	}
	return c
}

func numericColumn(name string, xs []float64) column {
	c := newColumn(name, xs, cmp.Compare[float64])
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range xs {
		if !math.IsNaN(x) {
			low, high, c.whole = min(low, x), max(high, x), c.whole && x == math.Trunc(x)
		}
	}
	c.counts = c.whole && high-low == float64(c.distinct-1)
	return c
}

func timeColumn(name string, at []time.Time) column {
	seconds := make([]float64, len(at))
	for i, t := range at {
		seconds[i] = math.NaN()
		if !t.IsZero() {
			seconds[i] = float64(t.Unix()) + float64(t.Nanosecond())/1e9
		}
	}
	c := newColumn(name, seconds, cmp.Compare[float64])
	c.times, c.whole = true, false
	return c
}

// textColumn has texts in the order of their last numbers, so that p9 is before p10; "" is missing.
func textColumn(name string, texts []string) column {
	if at, ok := dates(texts); ok {
		return timeColumn(name, at)
	}
	c := newColumn(name, texts, func(a, b string) int {
		stem, number := numbered(a)
		other, second := numbered(b)
		return cmp.Or(strings.Compare(stem, other), cmp.Compare(number, second), strings.Compare(a, b))
	})
	c.texts = true
	if first := slices.IndexFunc(texts, func(s string) bool { return s == "" }); first >= 0 {
		missing := c.rank[first]
		for i := range c.rank {
			if c.rank[i] == missing {
				c.rank[i] = -1
			} else if c.rank[i] > missing {
				c.rank[i]--
			}
		}
		c.distinct--
	}
	return c
}

// numbered cuts the number off at which a text ends.
func numbered(s string) (string, uint64) {
	stem := strings.TrimRight(s, "0123456789")
	n, _ := strconv.ParseUint(s[len(stem):], 10, 64) // the text decides where there is none
	return stem, n
}

// dates returns the times that all texts are.
func dates(texts []string) ([]time.Time, bool) {
	for _, layout := range []string{
		time.DateOnly, time.DateTime, time.RFC3339, "2006/01/02",
		"2006-01-02 15:04", "2006-01-02T15:04:05",
	} {
		at, some := make([]time.Time, len(texts)), false
		for i, s := range texts {
			if s == "" {
				continue
			}
			var err error
			if at[i], err = time.Parse(layout, s); err != nil {
				some = false
				break
			}
			some = true
		}
		if some {
			return at, true
		}
	}
	return nil, false
}

// columnsOf returns the columns of data. The unset fields include the field of the label, which CSV
// does not set.
func columnsOf[X any, Y comparable](data learntest.Data[X, Y]) []column {
	if data.Len() == 0 {
		return nil
	}
	if row, ok := any(data.Example(0)).(dataset.Row); ok {
		return tableColumns(row.Table)
	}
	var columns []column
	rows := make([]reflect.Value, data.Len())
	for i := range rows {
		rows[i] = reflect.ValueOf(data.Example(i))
	}
	collect("", rows, &columns)
	return columns
}

func tableColumns(t *dataset.Table) []column {
	var columns []column
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		a := t.Attribute(j)
		if a.Kind != dataset.Nominal {
			columns = append(columns, numericColumn(a.Name, t.Numbers(j)))
			continue
		}
		texts := make([]string, t.Len())
		for i, code := range t.Codes(j) {
			if code >= 0 {
				texts[i] = a.Values[code]
			}
		}
		columns = append(columns, textColumn(a.Name, texts))
	}
	return columns
}

// mostColumns bounds how many elements of arrays are looked at.
const mostColumns = 1000

var timeType = reflect.TypeFor[time.Time]()

// collect adds the columns below a place. A value is not valid where a pointer is nil.
func collect(name string, rows []reflect.Value, columns *[]column) {
	at := slices.IndexFunc(rows, reflect.Value.IsValid)
	if at < 0 || len(*columns) >= mostColumns {
		return
	}
	first, called := rows[at], cmp.Or(strings.TrimPrefix(name, "."), "value")
	for i, v := range rows {
		if v.IsValid() && v.Type() != first.Type() {
			rows[i] = reflect.Value{}
		}
	}
	add := func(c column) {
		c.unset = !slices.ContainsFunc(rows, func(v reflect.Value) bool {
			return v.IsValid() &&
				!v.IsZero()
		})
		*columns = append(*columns, c)
	}
	below := func(name string, part func(v reflect.Value) reflect.Value) {
		parts := make([]reflect.Value, len(rows))
		for i, v := range rows {
			if v.IsValid() {
				parts[i] = part(v)
			}
		}
		collect(name, parts, columns)
	}
	switch k := first.Kind(); {
	case first.Type() == timeType && !first.CanInterface():
	case first.Type() == timeType:
		add(timeColumn(called, cells(rows,
			func(v reflect.Value) time.Time { return v.Interface().(time.Time) }, time.Time{})))
	case k == reflect.String:
		add(textColumn(called, cells(rows, reflect.Value.String, "")))
	case first.CanInt(), first.CanUint(), first.CanFloat(), k == reflect.Bool:
		add(numericColumn(called, cells(rows, number, math.NaN())))
	case k == reflect.Pointer:
		below(name, reflect.Value.Elem)
	case k == reflect.Struct:
		for i := range first.NumField() {
			below(name+"."+first.Type().Field(i).Name,
				func(v reflect.Value) reflect.Value { return v.Field(i) })
		}
	case k == reflect.Array, k == reflect.Slice:
		for i := range min(first.Len(), mostColumns) {
			below(fmt.Sprintf("%s[%d]", name, i), func(v reflect.Value) reflect.Value {
				if i >= v.Len() {
					return reflect.Value{}
				}
				return v.Index(i)
			})
		}
	}
}

func cells[V any](rows []reflect.Value, of func(v reflect.Value) V, missing V) []V {
	values := make([]V, len(rows))
	for i, v := range rows {
		values[i] = missing
		if v.IsValid() {
			values[i] = of(v)
		}
	}
	return values
}

func number(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	case v.CanFloat():
		return v.Float()
	case v.Bool():
		return 1
	}
	return 0
}
