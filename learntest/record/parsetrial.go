package record

import (
	"bytes"
	"fmt"

	"golang.org/x/perf/benchfmt"
)

// trial takes the line of a trial, whatever form it has.
func (p *parser) trial(text []byte) error {
	if p.h == nil {
		return p.errorf(p.line, "a block begins with %q, not with %q", keyFormat+": "+formatVersion,
			excerpt(text))
	}
	if bytes.IndexByte(text, ' ') < 0 && bytes.IndexByte(text, '\t') < 0 {
		return p.errorf(p.line, "the trial has a name only")
	}
	if p.b == nil && p.h.keys[keyData] != 0 { // the head says all that a block needs
		if err := p.start(nil); err != nil {
			return err
		}
		if p.where == 0 && p.takeShort(text) {
			return nil
		}
	}
	if p.bench == nil {
		p.bench = new(benchLine)
	}
	r, err := p.bench.parse(text)
	if err != nil {
		err = p.errorf(p.line, "%v", err)
		if p.b == nil { // an error in the head comes first
			if head := p.start(new(string)); head != nil {
				return head
			}
		}
		return err
	}
	if p.b == nil {
		data, err := dataOf(r.Name.Full())
		if err != nil {
			data = p.h.header.Data
		}
		if err := p.start(&data); err != nil {
			return err
		}
	}
	return p.store(r)
}

// store stores what a line says.
func (p *parser) store(r *benchfmt.Result) error {
	if p.form == nil {
		p.form = newTrialForm(p.b)
	}
	var e entry
	if err := p.form.parse(r, &e); err != nil {
		return p.errorf(p.line, "%v", err)
	}
	var err error
	if e.err, err = unescapeText(p.cause); err != nil {
		return p.errorf(p.line, "key %s: %v", keyError, err)
	}
	if p.where == 0 {
		e.err = ""
	}
	if err := p.form.check(p.b, &e); err != nil {
		return p.errorf(p.line, "%v", err)
	}
	if at, ok := p.b.table.find(e.learner, e.run, e.fold); ok {
		return p.wrap(p.line, fmt.Errorf("%w: %v, as in line %d", ErrDouble, p.b.cell(at),
			p.b.pos(at).Line))
	}
	e.line, e.timed = p.line, !p.b.Timeless && !p.noTimes
	if err := p.b.put(&e); err != nil {
		if err == errTooManyCells {
			err = fmt.Errorf("%w: %w: %d cells are allowed (Limits.Cells)", ErrLimit, err, p.limits.Cells)
		}
		return p.wrap(p.line, err)
	}
	if p.sum != nil {
		if p.text == nil {
			p.text = newTrialWriter(p.b)
		}
		at, _ := p.b.table.find(e.learner, e.run, e.fold)
		p.buf = p.text.appendTrial(p.buf[:0], at)
		p.sum.line(p.buf)
	}
	return nil
}

// takeShort stores the trial of a line that is in the short form and reports whether it could.
func (p *parser) takeShort(text []byte) bool {
	e := entry{line: p.line, timed: !p.b.Timeless && !p.noTimes}
	head, ok := p.short.parse(&e, text, p.b.Timeless)
	if !ok {
		return false
	}
	if at, ok := p.b.table.join(&e); ok {
		p.b.origin.place(e.line, at, &p.b.table)
	} else if _, double := p.b.table.find(e.learner, e.run, e.fold); double || p.b.put(&e) != nil {
		return false
	}
	if p.sum != nil {
		p.sum.line(head)
	}
	p.short.took(e.learner)
	return true
}
