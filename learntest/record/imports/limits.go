package imports

import (
	"bytes"
	"fmt"
	"io"

	"github.com/learnbench/learnbench/internal/limit"
)

// ErrLimit is wrapped by the error about a file that exceeds one of the [Limits]. Its
// message names the limit and what raises it.
var ErrLimit = limit.Err

// Limits bound a reader's input, so that a small file cannot use up the memory. A reader
// stores at most one cell for each row.
type Limits struct {
	// Bytes bounds the size of a file, after unpacking if it is compressed. If zero, it
	// is 4 GiB; for a compressed file it is 100 times its size, but at least 64 MiB and at
	// most 4 GiB, and for a compressed source without a size, 64 MiB.
	Bytes int64

	// Line bounds the length of a line of a CSV or ARFF file in bytes, and of a JSON
	// file as a whole. If zero, it is 16 MiB.
	Line int64
}

const (
	defaultBytes = 4 << 30
	defaultLine  = 16 << 20

	unpackedPerByte = 100
	minUnpacked     = 64 << 20
)

func (l Limits) check() error {
	if l.Bytes < 0 || l.Line < 0 {
		return fmt.Errorf("%w: limits of %d bytes and %d bytes a line: none may be negative", ErrOptions,
			l.Bytes, l.Line)
	}
	return nil
}

func (l Limits) withDefaults() Limits {
	if l.Bytes == 0 {
		l.Bytes = defaultBytes
	}
	if l.Line == 0 {
		l.Line = defaultLine
	}
	return l
}

// compressed returns the limits for a compressed file of the given size.
func (l Limits) compressed(size int64) Limits {
	if l.Bytes == 0 {
		l.Bytes = min(max(minUnpacked, size*unpackedPerByte), defaultBytes)
	}
	return l
}

func (l Limits) bytes() limit.Limit {
	return limit.Limit{Max: l.Bytes, What: "bytes", Field: "Limits.Bytes"}
}

func (l Limits) line() limit.Limit {
	return limit.Limit{Max: l.Line, What: "bytes in a line", Field: "Limits.Line"}
}

// A lineReader reads an input until it has a line that is too long.
type lineReader struct {
	r     io.Reader
	limit limit.Limit
	n     int64 // bytes of the line so far
	err   error // that was returned once, and is from then on
}

// Read reads from the input.
func (l *lineReader) Read(p []byte) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	n, err := l.r.Read(p)
	if long := l.check(p[:n]); long != nil {
		n, err = 0, long
	}
	l.err = err
	return n, err
}

// check returns an error if a line is too long.
func (l *lineReader) check(text []byte) error {
	for {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			l.n += int64(len(text))
			return l.limit.Check(l.n)
		}
		if err := l.limit.Check(l.n + int64(i)); err != nil {
			return err
		}
		l.n, text = 0, text[i+1:]
	}
}

// maxCount bounds runs and folds, as in result files.
const maxCount = 1 << 24
