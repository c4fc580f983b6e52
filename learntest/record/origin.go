package record

import "slices"

// An origin says from which lines of which file the trials of a block come.
type origin struct {
	file  string
	head  int       // line of the head; 0 if the block was not read
	first int       // line of the first trial
	step  int       // number of learners
	lines [][]int32 // by learner and place, 0 for a trial that was not read; nil as long as line follows line in canonical order, without a gap
	parts []*Block  // that the block was merged from
}

func (o *origin) clone() origin {
	c := *o
	c.lines = slices.Clone(o.lines)
	for i := range c.lines {
		c.lines[i] = slices.Clone(c.lines[i])
	}
	return c
}

// place keeps the line of a trial that is about to be stored, 0 if it was not
// read.
func (b *Block) place(line int, at seat) {
	if b.trials == 0 && line > 0 {
		b.first, b.step = line, len(b.Learners)
	}
	if b.lines == nil {
		if line > 0 && line == b.expected(at) {
			return
		}
		b.lines = make([][]int32, len(b.Learners))
		for i := range b.lines {
			b.lines[i] = make([]int32, len(b.scores[i]))
			for place := range b.lines[i] {
				b.lines[i][place] = int32(b.expected(seat{i, place}))
			}
		}
	}
	column := b.lines[at.learner]
	if at.place >= len(column) {
		column = lengthen(column, at.place+1, 0)
	}
	column[at.place] = int32(line)
	b.lines[at.learner] = column
}

func (b *Block) expected(at seat) int { return b.first + at.place*b.step + at.learner }

// pos returns the position of the trial at a seat, which must be there.
func (b *Block) pos(at seat) Pos {
	switch {
	case b.parts != nil:
		c := b.cell(at)
		for _, p := range b.parts {
			if l, ok := p.index[c.Learner]; ok {
				if from, ok := p.find(l, c.Run, c.Fold); ok {
					return p.pos(from)
				}
			}
		}
		return Pos{}
	case b.head == 0:
		return Pos{}
	case b.lines == nil:
		return Pos{b.file, b.expected(at)}
	}
	if line := b.lines[at.learner][at.place]; line > 0 {
		return Pos{b.file, int(line)}
	}
	return Pos{}
}

// Pos returns the position of the block's head, or the zero Pos if it was not
// read.
func (b *Block) Pos() Pos {
	if len(b.parts) > 0 {
		return b.parts[0].Pos()
	}
	if b.head == 0 {
		return Pos{}
	}
	return Pos{b.file, b.head}
}

// note returns the position, if there is one, before a text, if there is one.
func (p Pos) note(text string) string {
	switch {
	case p == (Pos{}):
		return text
	case text == "":
		return p.String()
	}
	return p.String() + ": " + text
}
