package record

import (
	"errors"
	"fmt"
)

// maxLine bounds the length of a line in bytes. The readers of the Go
// benchmark format give up at 64 KiB.
const maxLine = 60_000

// Limits bound a reader's input, so that a small file cannot make its reader use
// much memory or time. The zero value is usable.
type Limits struct {
	// Bytes bounds the size of the input. If zero, it is 16 GiB.
	Bytes int64

	// Line bounds the length of a line in bytes. If zero, it is 60 000; more
	// than that is not possible, since tools for benchmarks give up there.
	Line int

	// Cells bounds the number of cells for which there is room: for every run
	// of a block that has a trial, all folds of all learners, each counted once for
	// every metric. If zero, it is 2^26, which takes at most 1.6 GB.
	Cells int64
}

func (l Limits) withDefaults() (Limits, error) {
	if l.Bytes < 0 || l.Line < 0 || l.Line > maxLine || l.Cells < 0 {
		return l, fmt.Errorf("%w: limits of %d bytes, %d bytes a line and %d cells: none may be negative, and a line has at most %d bytes",
			ErrInvalid, l.Bytes, l.Line, l.Cells, maxLine)
	}
	if l.Bytes == 0 {
		l.Bytes = 16 << 30
	}
	if l.Line == 0 {
		l.Line = maxLine
	}
	if l.Cells == 0 {
		l.Cells = 1 << 26
	}
	return l, nil
}

var errTooManyCells = errors.New("no room for the cells of another run")
