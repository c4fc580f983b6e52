package learntest

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// ErrDigest is wrapped by the error for a value that has no canonical encoding.
var ErrDigest = errors.New("value cannot be digested")

// DigestOf returns the hex SHA-256 of a canonical encoding of the values,
// which depends on nothing but their types' structure and their contents: equal values
// have equal digests in every process and on every machine.
//
// Each value is encoded as a tag byte and its content; integers are 64-bit and
// big-endian:
//
//	b bool (0 or 1)      i integer       u unsigned      f float (IEEE bits)
//	c complex (2 floats) s string (length, bytes)        n nil
//	l slice or array (length, elements)  t struct (number of fields; name and value of each)
//	m map (length; SHA-256 of each key with its value, sorted, as strings)
//	p pointer or interface (the value)
//
// All NaN are one; -0 differs from 0. Unexported fields count. The error wraps
// ErrDigest and names the type and path of the first channel, function or
// unsafe pointer, or of a pointer that leads back to itself.
func DigestOf(values ...any) (string, error) {
	h := sha256.New()
	w := bufio.NewWriter(h)
	d := digester{w: w}
	for i, v := range values {
		if err := d.value(reflect.ValueOf(v), 0); err != nil {
			return "", fmt.Errorf("%w: value %d%w", ErrDigest, i, err)
		}
	}
	w.Flush() // a hash does not fail
	return hex.EncodeToString(h.Sum(nil)), nil
}

// maxDepth bounds the nesting of values: a cycle of pointers exceeds it.
const maxDepth = 1000

type digester struct {
	w   io.Writer
	buf [9]byte
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
		e := digester{w: h}
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

// digestOfRows returns what [DigestOf] is to digest of rows: which tables they
// are of rather than how those are stored, which changes as they are used.
func digestOfRows(rows []dataset.Row) any {
	type row struct{ Table, Index int }
	var digests []string
	number := make(map[*dataset.Table]int)
	out := make([]row, len(rows))
	for i, r := range rows {
		n, ok := number[r.Table]
		if !ok {
			n = len(digests)
			number[r.Table] = n
			digest := ""
			if r.Table != nil {
				digest = r.Table.CurrentDigest()
			}
			digests = append(digests, digest)
		}
		out[i] = row{n, r.Index}
	}
	return struct {
		Tables []string
		Rows   []row
	}{digests, out}
}
