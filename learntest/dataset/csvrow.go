package dataset

import (
	"bufio"
	"bytes"
	"io"

	"github.com/learnbench/learnbench/internal/limit"
)

// A rowReader feeds the CSV parser. It fails while a row gets too long, or splits into too
// many fields, because the parser keeps and splits a whole row before it returns.
//
// It relies on the buffer between it and the parser: the buffer reads on only when all its
// bytes belong to the current row.
type rowReader struct {
	in     *limit.Reader
	buffer *bufio.Reader
	budget *budget
	comma  []byte

	start      int64 // offset of the current row
	separators int64 // in the chunks that belong to the current row as a whole
	lines      int   // number of LF so far

	// chunk and chunkSeparators count the bytes and the separators of the last chunk.
	chunk, chunkSeparators int64
}

func newRowReader(r io.Reader, comma rune, b *budget) *rowReader {
	rows := &rowReader{in: b.reader(r), budget: b, comma: []byte(string(comma))}
	rows.buffer = skipBOM(rows)
	rows.next()
	return rows
}

// offset returns the number of bytes that the parser has taken.
func (r *rowReader) offset() int64 { return r.in.Count() - int64(r.buffer.Buffered()) }

// next begins a row.
func (r *rowReader) next() {
	r.start, r.separators = r.offset(), 0
	r.budget.read(r.start)
}

// check returns an error if the current row, which is complete, is too long.
func (r *rowReader) check() error { return r.budget.line.Check(r.offset() - r.start) }

// line returns the number of the line in which reading stopped.
func (r *rowReader) line() int {
	ahead, _ := r.buffer.Peek(r.buffer.Buffered())
	return r.lines - bytes.Count(ahead, []byte{'\n'}) + 1
}

func (r *rowReader) Read(p []byte) (int, error) {
	size := r.in.Count() - r.start
	if err := r.budget.line.Check(size); err != nil {
		return 0, err
	}
	if size >= r.chunk {
		r.separators += r.chunkSeparators
	}
	r.budget.read(r.in.Count())
	if err := r.budget.fields(r.separators); err != nil {
		return 0, err
	}
	n, err := r.in.Read(p)
	r.chunk = int64(n)
	r.chunkSeparators = int64(bytes.Count(p[:n], r.comma))
	r.lines += bytes.Count(p[:n], []byte{'\n'})
	return n, err
}
