package record

import "slices"

// An origin says from which lines of which file the trials of a table come.
type origin struct {
	file  string
	head  int       // line of the head; 0 if the block was not read
	first int       // line of the first trial
	step  int       // number of learners
	lines [][]int32 // by learner and place, 0 for a trial that was not read; nil as long as line follows line in canonical order, without a gap
}

func (o *origin) clone() origin {
	c := *o
	c.lines = slices.Clone(o.lines)
	for i := range c.lines {
		c.lines[i] = slices.Clone(c.lines[i])
	}
	return c
}

// place keeps the line of a trial that has just been stored in a table, 0 if it was not read.
func (o *origin) place(line int, at seat, t *table) {
	if t.trials == 1 && line > 0 {
		o.first, o.step = line, t.learners
	}
	if o.lines == nil {
		if line > 0 && line == o.expected(at) {
			return
		}
		o.lines = make([][]int32, t.learners)
		for i := range o.lines {
			o.lines[i] = make([]int32, len(t.trainN))
			for place := range o.lines[i] {
				o.lines[i][place] = int32(o.expected(seat{i, place}))
			}
		}
	}
	column := o.lines[at.learner]
	if at.place >= len(column) {
		column = lengthen(column, at.place+1, 0)
	}
	column[at.place] = int32(line)
	o.lines[at.learner] = column
}

func (o *origin) expected(at seat) int { return o.first + at.place*o.step + at.learner }

// headPos returns the position of the head, or the zero Pos if the block was not read.
func (o *origin) headPos() Pos {
	if o.head == 0 {
		return Pos{}
	}
	return Pos{o.file, o.head}
}

// pos returns the position of the trial at a seat, which must be there.
func (o *origin) pos(at seat) Pos {
	switch {
	case o.head == 0:
		return Pos{}
	case o.lines == nil:
		return Pos{o.file, o.expected(at)}
	}
	if line := o.lines[at.learner][at.place]; line > 0 {
		return Pos{o.file, int(line)}
	}
	return Pos{}
}
