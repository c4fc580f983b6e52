package csvfield

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
)

// Values returns the values that the field may have in a table, if its type says: true and false.
func (f *Field) Values() []string {
	if f.inner().Kind() == reflect.Bool {
		return []string{"false", "true"}
	}
	return nil
}

// Numeric reports whether the field is a number in a table.
func (f *Field) Numeric() bool {
	t := f.inner()
	return t == reflect.TypeFor[time.Time]() || !readsText(t) &&
		t.ConvertibleTo(reflect.TypeFor[float64]())
}

// Number returns the value of a numeric field, which is NaN if it is missing. A time is the number
// of seconds since 1970.
func (f *Field) Number(x reflect.Value) float64 {
	v, ok := f.of(x)
	if !ok {
		return math.NaN()
	}
	if t, ok := v.Interface().(time.Time); ok {
		return float64(t.Unix()) + float64(t.Nanosecond())/1e9
	}
	return v.Convert(reflect.TypeFor[float64]()).Float()
}

// Text returns the value of a field that is not numeric, and "" if it is missing.
func (f *Field) Text(x reflect.Value) (string, error) {
	v, ok := f.of(x)
	if !ok {
		return "", nil
	}
	if m, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		return string(text), err
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), nil
	case reflect.String:
		return v.String(), nil
	}
	return "", fmt.Errorf("a %v has no method MarshalText", f.Type)
}

// of returns the field of a struct, and false if it is a pointer that is nil.
func (f *Field) of(x reflect.Value) (reflect.Value, bool) {
	v := x.FieldByIndex(f.Index)
	if v.Kind() != reflect.Pointer {
		return v, true
	}
	return v.Elem(), !v.IsNil()
}

// inner returns the type of the field, or the type that it points to.
func (f *Field) inner() reflect.Type {
	if f.Type.Kind() == reflect.Pointer {
		return f.Type.Elem()
	}
	return f.Type
}
