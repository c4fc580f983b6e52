package dataset

import (
	"encoding/binary"
	"hash"
	"hash/maphash"
	"math"
	"slices"
)

// Digest returns the SHA-256 of the table in lower-case hexadecimal, in the encoding that
// the package documentation specifies. Two tables have equal digests if they have equal
// attributes, class or target, rows, weights and groups in equal order; their names and
// origins do not matter. The first call computes the digest; the error is always nil.
func (t *Table) Digest() (string, error) {
	t.digestOnce.Do(func() { t.described.Store(describe(t)) })
	return t.described.Load().digest, nil
}

// A description is the digest of a table, with a checksum of the values that it had then.
type description struct {
	digest   string
	seed     maphash.Seed
	checksum uint64 // of the bytes that the digest is of
}

func describe(t *Table) *description {
	d := &description{seed: maphash.MakeSeed()}
	d.checksum = checksum(t, d.seed) // first: if somebody changes the table meanwhile, it is not trusted
	d.digest = computeDigest(t)
	return d
}

const (
	digestHeader = "learnbench table 1\n"
	canonicalNaN = 0x7ff8000000000000
)

// An encoder hashes the bytes in its buffer.
type encoder struct {
	h   hash.Hash
	buf []byte
}

func (e *encoder) flush() {
	e.h.Write(e.buf)
	e.buf = e.buf[:0]
}

// reserve makes room for n more bytes.
func (e *encoder) reserve(n int) {
	if len(e.buf)+n > cap(e.buf) {
		e.flush()
	}
}

func (e *encoder) int64(x int) {
	e.reserve(8)
	e.buf = binary.LittleEndian.AppendUint64(e.buf, uint64(int64(x)))
}

func (e *encoder) byte(b byte) {
	e.reserve(1)
	e.buf = append(e.buf, b)
}

func (e *encoder) string(s string) {
	e.int64(len(s))
	e.reserve(len(s))
	e.buf = append(e.buf, s...)
}

func (e *encoder) floats(xs []float64) {
	for len(xs) > 0 {
		n, buf := e.take(len(xs), 8)
		for i, x := range xs[:n] {
			bits := math.Float64bits(x)
			switch {
			case x == 0:
				bits = 0
			case x != x:
				bits = canonicalNaN
			}
			binary.LittleEndian.PutUint64(buf[8*i:], bits)
		}
		xs = xs[n:]
	}
}

func (e *encoder) codes(codes []int32) {
	for len(codes) > 0 {
		n, buf := e.take(len(codes), 4)
		for i, c := range codes[:n] {
			binary.LittleEndian.PutUint32(buf[4*i:], uint32(c))
		}
		codes = codes[n:]
	}
}

// take takes the bytes of as many of n values as there is room for, at least one, and returns the
// number of these values.
func (e *encoder) take(n, size int) (int, []byte) {
	e.reserve(size)
	from := len(e.buf)
	n = min(n, max(1, (cap(e.buf)-from)/size))
	e.buf = slices.Grow(e.buf, n*size)[:from+n*size]
	return n, e.buf[from:]
}

func (e *encoder) table(t *Table) {
	e.buf = append(e.buf, digestHeader...)
	e.int64(t.n)
	e.int64(len(t.cols))
	e.int64(t.class)
	for i := range t.cols {
		c := &t.cols[i]
		e.string(c.Name)
		if c.Kind == Numeric {
			e.byte(0)
			e.floats(c.Numbers)
			continue
		}
		e.byte(1)
		e.int64(len(c.Values))
		for _, v := range c.Values {
			e.string(v)
		}
		e.codes(c.Codes)
	}
	if t.weights == nil {
		e.byte(0)
	} else {
		e.byte(1)
		e.floats(t.weights)
	}
	if t.groups == nil {
		return // no byte says so, since tables had digests before they had groups
	}
	e.string(t.groupName)
	for _, g := range t.groups {
		e.string(g)
	}
}
