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

	ahead  []byte   // lines of the buffer, which may be overwritten when the parser reads
	fields [][]byte // of the last row; empty if the parser has read it
	taken  int      // number of lines
}

// next returns the fields of the next row, or nil if the parser is to read it. They are valid until
// the next row is read.
func (p *plainRows) next() [][]byte {
	p.fields = p.fields[:0]
	if len(p.ahead) == 0 && !p.look() {
		return nil
	}
	var line []byte
	for len(line) == 0 { // the parser leaves out empty lines, too
		if len(p.ahead) == 0 {
			return nil
		}
		end := bytes.IndexByte(p.ahead, '\n')
		line = bytes.TrimSuffix(p.ahead[:end], []byte{'\r'})
		p.ahead = p.ahead[end+1:]
		_, _ = p.rows.buffer.Discard(end + 1) // which the buffer has
		p.taken++
	}
	for {
		i := bytes.IndexByte(line, byte(p.comma))
		if i < 0 {
			p.fields = append(p.fields, line)
			return p.fields
		}
		p.fields = append(p.fields, line[:i])
		line = line[i+1:]
	}
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
	at := 1
	for _, f := range p.fields[:field] {
		at += len(f) + 1
	}
	return at
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
