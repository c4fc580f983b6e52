// Package limit bounds the size of an input, so that a small file cannot use up the memory of
// a machine: a compressed file may unpack to ten thousand times its size.
package limit

import (
	"errors"
	"fmt"
	"io"
)

// Err is wrapped by every error about an input that exceeds a limit.
var Err = errors.New("input exceeds a limit")

// A Limit is the largest amount of something in an input.
type Limit struct {
	Max   int64
	What  string // the counted things, in the plural: "bytes after unpacking"
	Field string // what raises the limit: "ReadOptions.Limits.Bytes"
}

// Check returns an [*Error] if n is more than the limit.
func (l Limit) Check(n int64) error {
	if n <= l.Max {
		return nil
	}
	return &Error{l}
}

// Reader returns a reader of the first Max bytes of r.
func (l Limit) Reader(r io.Reader) *Reader { return &Reader{r: r, limit: l} }

// An Error says which limit an input exceeds.
type Error struct{ Limit Limit }

// Error names the limit, its value and what raises it.
func (e *Error) Error() string {
	return fmt.Sprintf("more than %d %s: raise %s if so many are meant", e.Limit.Max, e.Limit.What,
		e.Limit.Field)
}

// Unwrap returns [Err].
func (e *Error) Unwrap() error { return Err }

// A Reader reads as many bytes as its limit allows and then returns an
// [*Error], but io.EOF if its input ends there.
type Reader struct {
	r     io.Reader
	limit Limit
	n     int64
	err   error
}

// Count returns the number of bytes read so far.
func (r *Reader) Count() int64 { return r.n }

// Read reads from the input. Whether the input goes on after the limit is found
// out by reading one byte more, which is lost.
func (r *Reader) Read(p []byte) (int, error) {
	if r.err != nil || len(p) == 0 {
		return 0, r.err
	}
	left := r.limit.Max - r.n
	if left <= 0 {
		var beyond [1]byte
		n, err := r.r.Read(beyond[:])
		if n > 0 {
			err = &Error{r.limit}
		}
		r.err = err
		return 0, err
	}
	if int64(len(p)) > left {
		p = p[:left]
	}
	n, err := r.r.Read(p)
	r.n += int64(n)
	r.err = err
	return n, err
}
