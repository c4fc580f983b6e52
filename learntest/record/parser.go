package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A parser reads one file.
type parser struct {
	lineReader
	filename string
	noTimes  bool
	units    map[string]declaration // of all blocks so far
	room     int64                  // for cells
	bench    *benchLine

	last  *Block // the one before; nil if there was none
	h     *head  // of the block that is being read: spare; nil before the first
	spare *head
	b     *Block       // nil until its first trial
	form  *trialForm   // of the trials of b; nil before the first that is not in the short form
	short shortForm    // of the trials of b
	sum   *checksum    // of the lines read of the block; nil if the head has none
	sums  *checksum    // that sum is, for one block after the other
	text  *trialWriter // for sum; nil before the first trial that is not in the short form
	cause string       // of the failure of the next trial
	where int          // line of the cause; 0 if none is pending
	buf   []byte       // for sum
}

func (p *parser) errorf(line int, format string, args ...any) error {
	return &SyntaxError{p.filename, line, fmt.Sprintf(format, args...), nil}
}

// wrap returns the error with the position of the line.
func (p *parser) wrap(line int, err error) error {
	e := &SyntaxError{p.filename, line, err.Error(), nil}
	for _, kind := range [...]error{ErrDouble, ErrLimit, ErrChecksum, ErrUnfinished} {
		if errors.Is(err, kind) {
			e.Err = kind
		}
	}
	return e
}

// next returns the next block, or nil at the end of the file.
func (p *parser) next() (*Block, error) {
	for {
		text, err := p.lineReader.next()
		switch {
		case err == io.EOF:
			return p.end()
		case err != nil && p.err != nil && err == p.err: // of the input
			return nil, fmt.Errorf("%s: %w", p.filename, err)
		case err != nil:
			return nil, p.wrap(p.line, err)
		}
		if p.b != nil && p.where == 0 && p.takeShort(text) {
			continue
		}
		if p.b == nil && p.h != nil && bytes.HasPrefix(text, itemPrefix) {
			p.h.addLine(p.line, keyItem, text[len(itemPrefix):])
			continue
		}
		if isTrial(text) {
			if err := p.trial(text); err != nil {
				return nil, err
			}
			continue
		}
		if name, _, ok := cutKey(text); ok && string(name) == keyFormat {
			done, err := p.finish()
			if err != nil {
				return nil, err
			}
			p.begin()
			if err := p.other(text); err != nil {
				return nil, err
			}
			if done != nil {
				return done, nil
			}
			continue
		}
		if err := p.other(text); err != nil {
			return nil, err
		}
	}
}

// head reads the head of a block, which is all of the input.
func (p *parser) head() error {
	for {
		text, err := p.lineReader.next()
		switch {
		case err == io.EOF && p.h != nil:
			return nil
		case err != nil:
			return p.wrap(p.line, err)
		}
		if name, _, ok := cutKey(text); ok && string(name) == keyFormat && p.h == nil {
			p.begin()
		}
		if err := p.other(text); err != nil {
			return err
		}
	}
}

// end returns the last block.
func (p *parser) end() (*Block, error) {
	b, err := p.finish()
	if b == nil && err == nil && p.last == nil {
		err = p.errorf(max(p.line, 1), "there is no result: a block begins with %q",
			keyFormat+": "+formatVersion)
	}
	return b, err
}

// begin begins a block.
func (p *parser) begin() {
	p.spare.reset(p.line)
	p.h, p.b, p.sum = p.spare, nil, nil
}

// finish returns the block that has been read, if there is one.
func (p *parser) finish() (*Block, error) {
	if p.h == nil {
		return nil, nil
	}
	if p.where > 0 {
		return nil, p.errorf(p.where, "the file is truncated: the line %q that ends the failed trial is missing", keyError+":")
	}
	if p.b == nil {
		if err := p.start(nil); err != nil {
			return nil, err
		}
	}
	if p.sum != nil && p.sum.hex() != p.h.checksum && p.b.Checksum() != p.h.checksum {
		return nil, p.wrap(p.h.keys[keyChecksum],
			fmt.Errorf("%w: the results on data set %s that begin in line %d were changed after they were written", ErrChecksum, p.b.Header.Data, p.h.line))
	}
	b := p.b
	if err := checkMeans(b); err != nil {
		return nil, &SyntaxError{p.filename, p.h.keys[keyMeans], err.Error(), ErrChecksum}
	}
	if err := checkRight(b); err != nil {
		return nil, &SyntaxError{p.filename, p.h.keys[keyRight], err.Error(), ErrChecksum}
	}
	if b.Header.Stopped != "" && p.sum == nil {
		return nil, &SyntaxError{
			p.filename, p.h.keys[keyStopped],
			"a block whose training was stopped needs its checksum, so that nobody stops one by hand",
			ErrChecksum,
		}
	}
	b.verified = p.sum != nil
	b.table.clip()
	b.table.room = nil
	if b.Timeless {
		b.Header.Machine = "" // of times that are not there
	}
	b.Timeless = b.Timeless || p.noTimes
	p.last, p.h, p.b = b, nil, nil
	return b, nil
}

// start makes the block once its head is complete. For a head without the
// name of the data set, the name comes from the first trial, if there is one.
func (p *parser) start(data *string) error {
	b, err := p.h.block(data, p.last, p.limits.Cells, &p.room)
	if err != nil {
		return p.wrap(p.h.line, err)
	}
	b.origin = origin{file: p.filename, head: p.h.line}
	p.b = b
	if p.h.checksum != "" {
		if p.sums == nil {
			p.sums = newChecksum(b)
		} else {
			p.sums.begin(b)
		}
		p.sum = p.sums
	}
	p.form, p.text = nil, nil
	p.short.reset(b)
	return nil
}

// other takes a line that is not one of a trial.
func (p *parser) other(text []byte) error {
	switch {
	case isTestOutput(text):
		return nil
	case isInterrupted(text):
		return p.wrap(p.line, fmt.Errorf("%w: run again what writes this file, and it will be put in order", ErrUnfinished))
	case isConflict(text):
		msg := fmt.Sprintf("%v: %q: git checkout --ours %s, or --theirs, takes one side", ErrConflict,
			excerpt(text), p.filename)
		return &SyntaxError{p.filename, p.line, msg, ErrConflict}
	case p.h == nil:
		return p.errorf(p.line, "a block begins with %q, not with %q", keyFormat+": "+formatVersion,
			excerpt(text))
	case bytes.HasPrefix(text, benchmarkPrefix):
		return p.errorf(p.line, "%q is a benchmark of something else", excerpt(text))
	}
	begun := p.b != nil
	if bytes.HasPrefix(text, unitPrefix) {
		if begun {
			return p.errorf(p.line, "a unit is declared after the first trial")
		}
		if err := p.h.addUnit(Pos{p.filename, p.line}, string(text), p.units); err != nil {
			return p.errorf(p.line, "%v", err)
		}
		return nil
	}
	name, value, ok := cutKey(text)
	switch {
	case !ok:
		return p.errorf(p.line, "not a line of a result file: %q", excerpt(text))
	case string(name) == keyError:
		p.cause, p.where = string(value), p.line
		if len(value) == 0 {
			p.where = 0
		}
		return nil
	case begun:
		return p.errorf(p.line, "key %s comes after the first trial", name)
	}
	return p.key(string(name), value)
}

// key takes a key of the head.
func (p *parser) key(name string, value []byte) error {
	if err := p.h.addKey(p.line, name, value, p.last); err != nil {
		return p.errorf(p.line, "%v", err)
	}
	return nil
}
