package dataset

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// plainRows takes rows that have no quotes from the buffer before the CSV parser, which is slower and
// never sees them.
type plainRows struct {
	rows  *rowReader
	comma rune

	ahead  string   // copy of whole lines of the buffer
	fields []string // of the last row; empty if the parser has read it
	taken  int      // number of lines
}

// next returns the fields of the next row, or nil if the parser is to read it.
func (p *plainRows) next() []string {
	p.fields = p.fields[:0]
	if p.ahead == "" && !p.look() {
		return nil
	}
	line := ""
	for line == "" { // the parser leaves out empty lines, too
		if p.ahead == "" {
			return nil
		}
		end := strings.IndexByte(p.ahead, '\n')
		line = strings.TrimSuffix(p.ahead[:end], "\r")
		p.ahead = p.ahead[end+1:]
		_, _ = p.rows.buffer.Discard(end + 1) // which the buffer has
		p.taken++
	}
	for {
		i := strings.IndexByte(line, byte(p.comma))
		if i < 0 {
			p.fields = append(p.fields, line)
			return p.fields
		}
		p.fields = append(p.fields, line[:i])
		line = line[i+1:]
	}
}

// look copies the lines of the buffer before the first quote, and reports whether there are any.
func (p *plainRows) look() bool {
	if p.comma >= utf8.RuneSelf {
		return false
	}
	b, _ := p.rows.buffer.Peek(p.rows.buffer.Buffered())
	if i := bytes.IndexByte(b, '"'); i >= 0 {
		b = b[:i]
	}
	p.ahead = string(b[:bytes.LastIndexByte(b, '\n')+1])
	return p.ahead != ""
}

// column returns where a field of the last row begins, in bytes counted from 1.
func (p *plainRows) column(field int) int {
	at := 1
	for _, f := range p.fields[:field] {
		at += len(f) + 1
	}
	return at
}
