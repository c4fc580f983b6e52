package dataset

import (
	"bytes"
	"unicode/utf8"
)

// plainRows takes rows without quotes from the buffer of the CSV parser, which is slower and never
// sees them.
type plainRows struct {
	rows  *rowReader
	comma rune

	ahead  []byte // lines of the buffer, which may be overwritten when the parser reads
	line   []byte // the last row; nil if the parser has read it
	fields [][]byte
	taken  int // number of lines
}

// next goes to the next row, and reports whether it is plain: if not, the parser is to read it.
// The line is valid until the next row is read.
func (p *plainRows) next() bool {
	p.line = nil
	if len(p.ahead) == 0 && !p.look() {
		return false
	}
	for len(p.line) == 0 { // the parser leaves out empty lines, too
		if len(p.ahead) == 0 {
			p.line = nil
			return false
		}
		end := bytes.IndexByte(p.ahead, '\n')
		p.line = bytes.TrimSuffix(p.ahead[:end], []byte{'\r'})
		p.ahead = p.ahead[end+1:]
		_, _ = p.rows.buffer.Discard(end + 1) // which the buffer has
		p.taken++
	}
	return true
}

// width returns the number of fields of the line.
func (p *plainRows) width() int { return bytes.Count(p.line, []byte{byte(p.comma)}) + 1 }

// split returns the fields of the line.
func (p *plainRows) split() [][]byte {
	p.fields = p.fields[:0]
	field, rest, more := p.cut(p.line)
	for more {
		p.fields = append(p.fields, field)
		field, rest, more = p.cut(rest)
	}
	return append(p.fields, field)
}

// cut returns the first field of a line, what follows the separator, and whether there is one.
func (p *plainRows) cut(line []byte) (field, rest []byte, more bool) {
	i := bytes.IndexByte(line, byte(p.comma))
	if i < 0 {
		return line, nil, false
	}
	return line[:i], line[i+1:], true
}

// look finds the lines of the buffer before the first quote, and reports whether there are any.
func (p *plainRows) look() bool {
	if p.comma >= utf8.RuneSelf {
		return false
	}
	b, _ := p.rows.buffer.Peek(p.rows.buffer.Buffered())
	if i := bytes.IndexByte(b, '"'); i >= 0 {
		b = b[:i]
	}
	p.ahead = b[:bytes.LastIndexByte(b, '\n')+1]
	return len(p.ahead) > 0
}

// column returns where a field of the last row begins, in bytes counted from 1.
func (p *plainRows) column(field int) int {
	rest := p.line
	for range field {
		_, rest, _ = p.cut(rest)
	}
	return len(p.line) - len(rest) + 1
}

// A parsedRow is a row of the parser's in bytes.
type parsedRow struct {
	text   []byte
	fields [][]byte
}

func (r *parsedRow) split(record []string) [][]byte {
	r.text, r.fields = r.text[:0], r.fields[:0]
	for _, field := range record {
		r.text = append(r.text, field...)
	}
	rest := r.text
	for _, field := range record {
		r.fields = append(r.fields, rest[:len(field):len(field)])
		rest = rest[len(field):]
	}
	return r.fields
}
