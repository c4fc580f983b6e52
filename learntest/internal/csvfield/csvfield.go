// Package csvfield reads cells of CSV files into the fields of structs, whose tags name the
// columns.
package csvfield

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Field is a field of a struct that is read from a column.
type Field struct {
	Name  string // of the column
	Path  string // of the field, as "Weight"
	Type  reflect.Type
	Index []int // as in reflect.Value.FieldByIndex

	Label, Group bool // it is the label, or the group, of the example
	Slice        bool // its values are slices of the examples
	nan, text    bool
}

// Of returns the fields of a struct that are read from a file, and checks its
// tags.
func Of(t, label reflect.Type) ([]Field, error) {
	fields, err := fieldsOf(t)
	if err != nil {
		return nil, err
	}
	labels, groups := 0, 0
	for _, f := range fields {
		if f.Label {
			labels++
			if f.Type != label {
				return nil, fmt.Errorf("its label, the field %s, is a %v, and the labels of the data set are to be of the type %v: write CSV[%v, %[2]v]", f.Path, f.Type, label, t)
			}
		}
		if f.Group {
			groups++
		}
	}
	if labels != 1 || groups > 1 {
		return nil, fmt.Errorf(`it has %d labels and %d groups: one field is to have the tag csv:",label", and at most one csv:",group"`, labels, groups)
	}
	return fields, nil
}

// Attributes returns the fields of a struct that are neither labels nor groups.
func Attributes(t reflect.Type) ([]Field, error) {
	fields, err := fieldsOf(t)
	return slices.DeleteFunc(fields, func(f Field) bool { return f.Label || f.Group }), err
}

// fieldsOf returns the fields of a struct that have a column.
func fieldsOf(t reflect.Type) ([]Field, error) {
	if t.Kind() != reflect.Struct {
		return nil, errors.New("it is no struct")
	}
	var fields []Field
	named := make(map[string]string)
	for _, sf := range reflect.VisibleFields(t) {
		tag, tagged := sf.Tag.Lookup("csv")
		switch {
		case tag == "-" || !sf.IsExported() && !tagged && !sf.Anonymous:
			continue
		case sf.Anonymous && !tagged && sf.Type.Kind() == reflect.Struct && !readsText(sf.Type):
			continue // its fields are among the others
		case leftOut(t, sf.Index):
			continue
		case !sf.IsExported():
			return nil, fmt.Errorf("its field %s cannot be set: it is not exported", sf.Name)
		}
		f, err := newField(sf, tag)
		if err != nil {
			return nil, fmt.Errorf("its field %s: %w", sf.Name, err)
		}
		if other, ok := named[f.Name]; ok {
			return nil, fmt.Errorf("its fields %s and %s are both of the column %q", other, f.Path, f.Name)
		}
		named[f.Name] = f.Path
		fields = append(fields, f)
	}
	return fields, nil
}

// leftOut reports whether a field is in an embedded struct that is left out, or is itself read
// from a column: it has a tag, or reads itself.
func leftOut(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		f := t.Field(i)
		if _, tagged := f.Tag.Lookup("csv"); tagged || readsText(f.Type) {
			return true
		}
		t = f.Type
	}
	return false
}

func newField(sf reflect.StructField, tag string) (Field, error) {
	name, options, _ := strings.Cut(tag, ",")
	f := Field{Name: name, Path: sf.Name, Type: sf.Type, Index: sf.Index}
	if f.Name == "" {
		f.Name = sf.Name
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "label":
			f.Label = true
		case "group":
			f.Group = true
		case "slice":
			f.Slice = true
		case "nan":
			f.nan = true
		case "text":
			f.text = true
		default:
			return f, fmt.Errorf("its tag has the option %q: there are label, group, slice, nan and text",
				option)
		}
	}
	pointer := sf.Type.Kind() == reflect.Pointer
	inner := sf.Type
	if pointer {
		inner = sf.Type.Elem()
	}
	float := sf.Type.Kind() == reflect.Float64 || sf.Type.Kind() == reflect.Float32
	switch {
	case !readsText(inner) && !slices.Contains(kinds, inner.Kind()):
		return f, fmt.Errorf("a %v cannot be read from a cell", sf.Type)
	case f.nan && (!float || f.Label || f.Group):
		return f, errors.New("the option nan is for floats among the attributes")
	case f.text && (inner.Kind() != reflect.String || pointer):
		return f, errors.New("the option text is for strings")
	case f.Label && f.Group:
		return f, errors.New("it is the label and the group")
	case pointer && (f.Label || f.Group):
		return f, errors.New("a label or group is no pointer: none may be missing")
	}
	return f, nil
}

var kinds = []reflect.Kind{
	reflect.String, reflect.Bool, reflect.Float32, reflect.Float64,
	reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
	reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
}

// readsText reports whether a type reads itself from a text.
func readsText(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// Set sets the field by a cell.
func (f *Field) Set(v reflect.Value, cell string, missing []string) error {
	if f.text {
		return setText(v, cell)
	}
	cell = strings.TrimSpace(cell)
	pointer := v.Kind() == reflect.Pointer
	if slices.Contains(missing, cell) {
		switch {
		case f.nan:
			v.SetFloat(math.NaN())
		case f.Label || f.Group:
			return errors.New("it is missing: leave the row out")
		case pointer: // nil
		case v.Kind() == reflect.Float32 || v.Kind() == reflect.Float64:
			return fmt.Errorf("it is missing, and nothing is imputed: a field of type *%v is nil then, and one with the tag csv:%q NaN", f.Type, f.Name+",nan")
		case v.Kind() == reflect.String:
			return fmt.Errorf("it is missing, and nothing is imputed: a field of type *%v is nil then, and one with the tag csv:%q has the text of the cell", f.Type, f.Name+",text")
		default:
			return fmt.Errorf("it is missing, and nothing is imputed: a field of type *%v is nil then",
				f.Type)
		}
		return nil
	}
	if pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	return setValue(v, cell)
}

func setText(v reflect.Value, cell string) error {
	if !utf8.ValidString(cell) {
		return fmt.Errorf("%.100q is not UTF-8: convert the file first", cell)
	}
	v.SetString(strings.Clone(cell)) // not the whole line
	return nil
}

// setValue sets a value that is no pointer.
func setValue(v reflect.Value, cell string) error {
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if err := u.UnmarshalText([]byte(cell)); err != nil {
			return fmt.Errorf("%.100q: %w", cell, err)
		}
		return nil
	}
	var err error
	switch v.Kind() {
	case reflect.String:
		return setText(v, cell)
	case reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(cell)
		v.SetBool(b)
	case reflect.Float32, reflect.Float64:
		if strings.Trim(cell, "+-.0123456789eE") != "" { // infinities, NaN and hexadecimal digits
			return notA(cell, "a decimal number")
		}
		var x float64
		x, err = strconv.ParseFloat(cell, v.Type().Bits())
		v.SetFloat(x)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		var i int64
		i, err = strconv.ParseInt(cell, 10, v.Type().Bits())
		v.SetInt(i)
	default:
		var u uint64
		u, err = strconv.ParseUint(cell, 10, v.Type().Bits())
		v.SetUint(u)
	}
	switch {
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%.100q is out of the range of %v", cell, v.Type())
	case err != nil && v.Kind() == reflect.Bool:
		return notA(cell, "a value of bool, which are true, false, t, f, 1 and 0: a field of type string takes any text")
	case err != nil:
		return notA(cell, map[bool]string{true: "a decimal number", false: "a value of " +
			v.Type().String()}[v.CanFloat()])
	}
	return nil
}

func notA(cell, what string) error { return fmt.Errorf("%.100q is not %s", cell, what) }
