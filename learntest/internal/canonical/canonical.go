// Package canonical encodes values in a way that depends on nothing but the structure of their
// types and their contents.
package canonical

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math"
	"reflect"
	"slices"
)

// Err is wrapped by the error for a value that has no canonical encoding.
var Err = errors.New("value cannot be digested")

// Digest returns the hex SHA-256 of the encoding of the values, which dataset.DigestOf describes.
func Digest(values ...any) (string, error) {
	d := digester{hash: sha256.New()}
	for i, v := range values {
		if err := d.value(reflect.ValueOf(v), 0); err != nil {
			return "", fmt.Errorf("%w: value %d%w", Err, i, err)
		}
	}
	return hex.EncodeToString(d.sum()), nil
}

// AppendKey appends to buf an encoding that values share which are equal or differ in the sign of a
// zero only.
func AppendKey(buf []byte, v any) ([]byte, error) {
	d := digester{out: buf, unsigned: true}
	if err := d.value(reflect.ValueOf(v), 0); err != nil {
		return buf, fmt.Errorf("%w: value%w", Err, err)
	}
	return d.out, nil
}

// Bits returns the bits of a number: one pattern for all NaN, and one for both zeros.
func Bits(x float64) uint64 {
	switch {
	case math.IsNaN(x):
		x = math.NaN()
	case x == 0:
		x = 0 // not -0
	}
	return math.Float64bits(x)
}

// maxDepth bounds the nesting of values: a cycle of pointers exceeds it.
const maxDepth = 1000

type digester struct {
	out      []byte
	hash     hash.Hash // takes the written bytes; nil if out keeps them
	unsigned bool      // -0 is 0
}

func (d *digester) tag(tag byte, x uint64) {
	d.out = binary.BigEndian.AppendUint64(append(d.out, tag), x)
	if d.hash != nil && len(d.out) >= 4096 {
		d.flush()
	}
}

func (d *digester) flush() {
	d.hash.Write(d.out) // which does not fail
	d.out = d.out[:0]
}

func (d *digester) sum() []byte {
	d.flush()
	return d.hash.Sum(nil)
}

func (d *digester) float(x float64) {
	bits := Bits(x)
	if x == 0 && !d.unsigned {
		bits = math.Float64bits(x)
	}
	d.tag('f', bits)
}

func (d *digester) string(s string) {
	d.tag('s', uint64(len(s)))
	d.out = append(d.out, s...)
}

// value encodes v. Its error starts with the path to the offending value.
func (d *digester) value(v reflect.Value, depth int) error {
	if depth > maxDepth {
		return errors.New(": nested too deeply, or a pointer that leads back to itself")
	}
	switch v.Kind() {
	case reflect.Invalid:
		d.tag('n', 0)
	case reflect.Bool:
		x := uint64(0)
		if v.Bool() {
			x = 1
		}
		d.tag('b', x)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.tag('i', uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		d.tag('u', v.Uint())
	case reflect.Float32, reflect.Float64:
		d.float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		d.tag('c', 2)
		d.float(real(v.Complex()))
		d.float(imag(v.Complex()))
	case reflect.String:
		d.string(v.String())
	case reflect.Slice, reflect.Array:
		return d.list(v, depth)
	case reflect.Struct:
		return d.fields(v, depth)
	case reflect.Map:
		return d.entries(v, depth)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			d.tag('n', 0)
			return nil
		}
		d.tag('p', 0)
		return d.value(v.Elem(), depth+1)
	default:
		return fmt.Errorf(" of type %v", v.Type())
	}
	return nil
}

func (d *digester) list(v reflect.Value, depth int) error {
	d.tag('l', uint64(v.Len()))
	for i := range v.Len() {
		if err := d.value(v.Index(i), depth+1); err != nil {
			return fmt.Errorf("[%d]%w", i, err)
		}
	}
	return nil
}

func (d *digester) fields(v reflect.Value, depth int) error {
	t := v.Type()
	d.tag('t', uint64(t.NumField()))
	for i := range t.NumField() {
		d.string(t.Field(i).Name)
		if err := d.value(v.Field(i), depth+1); err != nil {
			return fmt.Errorf(".%s%w", t.Field(i).Name, err)
		}
	}
	return nil
}

func (d *digester) entries(v reflect.Value, depth int) error {
	sums := make([]string, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		e := digester{hash: sha256.New(), unsigned: d.unsigned}
		if err := e.value(it.Key(), depth+1); err != nil {
			return fmt.Errorf("[key]%w", err)
		}
		if err := e.value(it.Value(), depth+1); err != nil {
			return fmt.Errorf("[%v]%w", it.Key(), err)
		}
		sums = append(sums, string(e.sum()))
	}
	slices.Sort(sums)
	d.tag('m', uint64(len(sums)))
	for _, s := range sums {
		d.string(s)
	}
	return nil
}
