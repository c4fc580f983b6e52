package record

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// A lineReader splits its input into lines.
type lineReader struct {
	in         io.Reader
	limits     Limits
	buf        []byte
	start, end int
	read       int64 // bytes
	line       int   // number of the last line
	err        error // of in; io.EOF at its end
}

// next returns the next line without its newline. It is valid until the next
// call. At the end of the input the error is io.EOF. The error for a last line
// without newline is errTorn, since a number that was cut off may still be a number.
func (r *lineReader) next() ([]byte, error) {
	seen := 0
	for {
		if n := bytes.IndexByte(r.buf[r.start+seen:r.end], '\n'); n >= 0 {
			n += seen
			text := r.buf[r.start : r.start+n]
			r.start += n + 1
			r.line++
			if n > r.limits.Line {
				return nil, fmt.Errorf("%w: a line of %d bytes, %d are allowed", ErrLimit, n, r.limits.Line)
			}
			if n > 0 && text[n-1] == '\r' {
				text = text[:n-1]
			}
			return text, nil
		}
		seen = r.end - r.start
		if seen > r.limits.Line {
			r.line++
			return nil, fmt.Errorf("%w: a line of more than %d bytes", ErrLimit, r.limits.Line)
		}
		if r.err != nil {
			if r.err == io.EOF && seen > 0 {
				r.line++
				return nil, errTorn
			}
			return nil, r.err
		}
		if err := r.fill(); err != nil {
			return nil, err
		}
	}
}

var errTorn = fmt.Errorf("the file is truncated: its last line has no newline")

// A buffer begins small, since files may be many, and grows with the file.
const (
	leastBuffer = 16 << 10
	mostBuffer  = 256 << 10
)

// buffers has the buffers of inputs that were read.
var buffers sync.Pool

// release gives up the buffer, in which the last line is.
func (r *lineReader) release() {
	if r.buf != nil {
		buf := r.buf
		r.buf, r.start, r.end = nil, 0, 0
		buffers.Put(&buf)
	}
}

// fill reads more.
func (r *lineReader) fill() error {
	if r.buf == nil {
		if b, ok := buffers.Get().(*[]byte); ok {
			r.buf = *b
		}
	}
	if size := len(r.buf); r.end == size && size < mostBuffer {
		grown := make([]byte, max(leastBuffer, 4*size))
		copy(grown, r.buf)
		r.buf = grown
	}
	if r.start > 0 {
		copy(r.buf, r.buf[r.start:r.end])
		r.start, r.end = 0, r.end-r.start
	}
	n, err := r.in.Read(r.buf[r.end:])
	r.end += n
	r.err = err
	if r.read += int64(n); r.read > r.limits.Bytes {
		r.line++
		return fmt.Errorf("%w: more than %d bytes (Limits.Bytes)", ErrLimit, r.limits.Bytes)
	}
	return nil
}
