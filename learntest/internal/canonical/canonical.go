// Package canonical encodes values in a way that depends on nothing but the structure of their types
// and their contents.
package canonical

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"reflect"
	"slices"
)

// Err is wrapped by the error for a value that has no canonical encoding.
var Err = errors.New("value cannot be digested")

// Digest returns the hex SHA-256 of the encoding of the values, which learntest.DigestOf describes.
func Digest(values ...any) (string, error) {
	h := sha256.New()
	w := bufio.NewWriter(h)
	d := digester{w: w}
	for i, v := range values {
		if err := d.value(reflect.ValueOf(v), 0); err != nil {
			return "", fmt.Errorf("%w: value %d%w", Err, i, err)
		}
	}
	w.Flush() // a hash does not fail
	return hex.EncodeToString(h.Sum(nil)), nil
}

// An Encoder makes texts of values that equal values share.
type Encoder struct {
	hash hash.Hash
	w    *bufio.Writer
	sum  []byte
}

// NewEncoder returns an encoder.
func NewEncoder() *Encoder {
	h := sha256.New()
	return &Encoder{hash: h, w: bufio.NewWriter(h)}
}

// Key returns a text that is the same for values with the same encoding, and for those that differ in the sign
// of a zero only.
func (e *Encoder) Key(v any) (string, error) {
	e.hash.Reset()
	e.w.Reset(e.hash)
	d := digester{w: e.w, unsigned: true}
	if err := d.value(reflect.ValueOf(v), 0); err != nil {
		return "", fmt.Errorf("%w: value%w", Err, err)
	}
	e.w.Flush() // a hash does not fail
	e.sum = e.hash.Sum(e.sum[:0])
	return string(e.sum), nil
}

// maxDepth bounds the nesting of values: a cycle of pointers exceeds it.
const maxDepth = 1000

type digester struct {
	w        io.Writer
	buf      [9]byte
	unsigned bool // -0 is 0
}

func (d *digester) tag(tag byte, x uint64) {
	d.buf[0] = tag
	binary.BigEndian.PutUint64(d.buf[1:], x)
	d.w.Write(d.buf[:]) // a hash does not fail
}

func (d *digester) float(x float64) {
	if math.IsNaN(x) {
		x = math.NaN()
	}
	if d.unsigned && x == 0 {
		x = 0
	}
	d.tag('f', math.Float64bits(x))
}

func (d *digester) string(s string) {
	d.tag('s', uint64(len(s)))
	io.WriteString(d.w, s)
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
		h := sha256.New()
		e := digester{w: h, unsigned: d.unsigned}
		if err := e.value(it.Key(), depth+1); err != nil {
			return fmt.Errorf("[key]%w", err)
		}
		if err := e.value(it.Value(), depth+1); err != nil {
			return fmt.Errorf("[%v]%w", it.Key(), err)
		}
		sums = append(sums, string(h.Sum(nil)))
	}
	slices.Sort(sums)
	d.tag('m', uint64(len(sums)))
	for _, s := range sums {
		d.string(s)
	}
	return nil
}
