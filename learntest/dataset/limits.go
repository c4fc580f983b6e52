package dataset

import (
	"fmt"
	"io"

	"github.com/learnbench/learnbench/internal/limit"
)

// ErrLimit means that a file exceeds one of the [Limits]; a [*SyntaxError] wraps it. Its
// message names the limit, its value and the field that raises it.
var ErrLimit = limit.Err

// Limits bound the cost of reading a file, because a small file can describe a table that
// no memory holds: by compression, by sparse rows, or by an endless line. The defaults are
// far above any table that learners are tried on.
//
// Limits bound memory. To read n bytes as a table of c cells, ReadARFF and ReadCSV allocate
// at most 400 bytes for each of the n and 50 for each of the c, garbage included, and
// usually a tenth of that. By default, c is at most 32 n (or 4 Mi), and so memory is
// bounded by a multiple of n.
type Limits struct {
	// Bytes is the largest number of bytes of a file, after unpacking if it is
	// compressed. If zero, it is 4 GiB; for a compressed file that [Open] reads it
	// is 100 times its size, but at least 64 MiB and at most 4 GiB.
	Bytes int64

	// Line is the largest number of bytes of a line with its end. In a CSV file it limits a
	// row, whose quoted fields may go on over several lines, with the blank lines before
	// it; in an ARFF file, lines that end in a lone CR count as one with the lines after
	// them, up to the next LF. If zero, it is 16 MiB.
	Line int64

	// Cells is the largest number of rows × attributes, without ignored attributes. Names
	// take memory too: each attribute of the file, and each value that it declares or that
	// is found in a CSV column, counts for 16 cells. A CSV row with too many separators,
	// quoted or not, for so many cells is not even split. If zero, it is 32 cells for each
	// byte read so far (of a compressed file that Open reads, for each byte of its size),
	// but at least 4 Mi (1 << 22) and at most 1 Gi (1 << 30). Below that, only sparse rows,
	// very wide headers and strongly compressed files can exceed it.
	Cells int64
}

const (
	defaultBytes = 4 << 30
	defaultLine  = 16 << 20

	unpackedPerByte = 100
	minUnpacked     = 64 << 20

	cellsPerByte = 32
	minCells     = 1 << 22
	maxCells     = 1 << 30

	cellsPerName = 16
)

func (l *Limits) check() error {
	for _, f := range []struct {
		name string
		n    int64
	}{{"Bytes", l.Bytes}, {"Line", l.Line}, {"Cells", l.Cells}} {
		if f.n < 0 {
			return fmt.Errorf("%w: Limits.%s is %d: want a positive number, or 0 for the default",
				ErrOptions, f.name, f.n)
		}
	}
	return nil
}

// compressed returns the limits for a compressed file of the given size.
func (l Limits) compressed(size int64) Limits {
	if l.Bytes == 0 {
		l.Bytes = clamp(size, unpackedPerByte, minUnpacked, defaultBytes)
	}
	if l.Cells == 0 {
		l.Cells = clamp(size, cellsPerByte, minCells, maxCells)
	}
	return l
}

// clamp returns n times factor, but at least low and at most high.
func clamp(n, factor, low, high int64) int64 {
	if n > high/factor {
		return high
	}
	return max(low, n*factor)
}

// A budget is the rest of the limits while a file is read.
type budget struct {
	bytes, line, cells limit.Limit
	byRead             bool  // whether the limit of cells depends on the bytes read
	names              int64 // attributes and values so far
	size, taken        int64 // bytes of the file, 0 if nobody knows, and those read
	rows, width        int64
}

func newBudget(l Limits) *budget {
	b := &budget{
		bytes: limit.Limit{
			Max: l.Bytes, What: "bytes, after unpacking if the file is compressed",
			Field: "ReadOptions.Limits.Bytes",
		},
		line: limit.Limit{Max: l.Line, What: "bytes in a line", Field: "ReadOptions.Limits.Line"},
		cells: limit.Limit{
			Max:   l.Cells,
			What:  "cells (rows × attributes, and 16 for each attribute and value declared)",
			Field: "ReadOptions.Limits.Cells",
		},
		byRead: l.Cells == 0,
	}
	if l.Bytes == 0 {
		b.bytes.Max = defaultBytes
	}
	if l.Line == 0 {
		b.line.Max = defaultLine
	}
	b.read(0)
	return b
}

func (b *budget) reader(r io.Reader) *limit.Reader {
	b.size = sizeOf(r)
	return b.bytes.Reader(r)
}

// read records the number of bytes read.
func (b *budget) read(n int64) {
	b.taken = n
	if b.byRead {
		b.cells.Max = clamp(n, cellsPerByte, minCells, maxCells)
	}
}

// name makes room for one more attribute or value.
func (b *budget) name() error {
	b.names++
	return b.checkCells()
}

// row makes room for one more row of width cells.
func (b *budget) row() error {
	b.rows++
	return b.checkCells()
}

func (b *budget) checkCells() error {
	return b.cells.Check(b.rows*b.width + b.names*cellsPerName)
}

// fields records that a row of a CSV file has at least n fields.
func (b *budget) fields(n int64) error {
	l := b.cells
	l.What = "cells (16 for each field of a row, as for each attribute)"
	return l.Check(n * cellsPerName)
}
