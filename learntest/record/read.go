package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A Reader reads result files. The zero value is usable.
type Reader struct {
	Limits Limits

	// NoTimes leaves out the times of trials, which take two thirds of the memory:
	// they are checked, and the blocks are Timeless.
	NoTimes bool
}

// Read reads the blocks of a result file, in the order of the file. The name of
// the file is for messages and positions. What is compressed by gzip is taken for what it
// was; Limits.Bytes bounds that.
//
// It returns a [*SyntaxError] for the first line that is not as the format has
// it, a file that does not end with a newline, a cell that is there twice in a block, a
// checksum that is wrong, a block whose writing was interrupted, and for what
// exceeds the limits. It does not check that the results are complete: [File.Check]
// and [Pair] do.
func (r Reader) Read(in io.Reader, filename string) (*File, error) {
	var blocks []*Block
	for b, err := range r.Blocks(in, filename) {
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
	}
	return NewFile(blocks...), nil
}

// Read is [Reader.Read] with the default limits.
func Read(in io.Reader, filename string) (*File, error) { return Reader{}.Read(in, filename) }

// Blocks yields the blocks of a result file while it reads them. After an error,
// which is as for [Reader.Read], it ends. A file without any block is an error.
func (r Reader) Blocks(in io.Reader, filename string) iter.Seq2[*Block, error] {
	return func(yield func(*Block, error) bool) {
		p, err := r.newParser(in, filename)
		if err != nil {
			yield(nil, err)
			return
		}
		for {
			b, err := p.next()
			if b == nil && err == nil || !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// A declaration is a unit with the position of the line that declares it.
type declaration struct {
	unit unit.Unit
	pos  Pos
}

// A parser reads one file.
type parser struct {
	lineReader
	filename string
	noTimes  bool
	units    map[string]declaration // of all blocks so far
	room     int64                  // for cells
	bench    *benchLine

	last  *Block       // the one before; nil if there was none
	h     *head        // of the block that is being read; nil before the first
	b     *Block       // nil until its first trial
	form  *trialForm   // of the trials of b
	short shortForm    // of the trials of b
	sum   *checksum    // of what was read of the block; nil if the head has none
	sums  *checksum    // that sum is, for one block after the other
	text  *trialWriter // for sum
	cause string       // of the failure of the next trial
	where int          // line of the cause; 0 if none is pending
	buf   []byte       // for sum
}

func (r Reader) newParser(in io.Reader, filename string) (*parser, error) {
	limits, err := r.Limits.withDefaults()
	if err != nil {
		return nil, err
	}
	if in, err = decompress(in); err != nil {
		return nil, fmt.Errorf("%s: %w", filename, err)
	}
	return &parser{
		lineReader: lineReader{in: in, limits: limits},
		filename:   filename, noTimes: r.NoTimes, units: make(map[string]declaration), room: limits.Cells,
	}, nil
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
		if bytes.HasPrefix(text, trialPrefix) {
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
		err = p.errorf(max(p.line, 1), "there is no result: a block begins with %q", keyFormat+": "+formatVersion)
	}
	return b, err
}

// begin begins a block.
func (p *parser) begin() {
	p.h, p.b, p.sum = newHead(p.line), nil, nil
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
		return nil, p.wrap(p.h.keys[keyChecksum], fmt.Errorf("%w: the results on data set %s that begin in line %d were changed after they were written", ErrChecksum, p.b.Header.Data, p.h.line))
	}
	b := p.b
	b.clip()
	b.room = nil
	b.Timeless = b.Timeless || p.noTimes
	p.last, p.h, p.b = b, nil, nil
	return b, nil
}

// start makes the block once its head is complete. The name of the data set is
// that of the first trial, if there is one, for a head without it.
func (p *parser) start(data *string) error {
	b, err := p.h.block(p, data)
	if err != nil {
		return err
	}
	b.room, b.noTimes = &p.room, p.noTimes
	b.origin = origin{file: p.filename, head: p.h.line}
	p.b = b
	if p.h.checksum != "" {
		if p.sums == nil {
			p.sums = newChecksum(b)
		} else {
			p.sums.begin(b)
		}
		p.sum, p.text = p.sums, newTrialWriter(b)
	}
	p.form = newTrialForm(b)
	p.short.reset(b)
	return nil
}

var (
	benchmarkPrefix = []byte("Benchmark")
	trialPrefix     = []byte("BenchmarkCV/")
	unitPrefix      = []byte("Unit ")
)

// other takes a line that is not one of a trial.
func (p *parser) other(text []byte) error {
	switch {
	case isTestOutput(text):
		return nil
	case isInterrupted(text):
		return p.wrap(p.line, fmt.Errorf("%w: run again what writes this file, and it will be put in order", ErrUnfinished))
	case p.h == nil:
		return p.errorf(p.line, "a block begins with %q, not with %q", keyFormat+": "+formatVersion, excerpt(text))
	case bytes.HasPrefix(text, benchmarkPrefix):
		return p.errorf(p.line, "%q is a benchmark of something else", excerpt(text))
	}
	begun := p.b != nil
	if bytes.HasPrefix(text, unitPrefix) {
		if begun {
			return p.errorf(p.line, "a unit is declared after the first trial")
		}
		return p.h.addUnit(p, string(text))
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
	return p.h.addKey(p, string(name), string(value))
}

// isTestOutput reports whether a line is empty or one that go test prints
// around benchmarks.
func isTestOutput(text []byte) bool {
	if len(bytes.TrimSpace(text)) == 0 {
		return true
	}
	s := string(text)
	if s == "PASS" || s == "FAIL" {
		return true
	}
	for _, prefix := range [...]string{"ok  \t", "FAIL\t", "--- ", "    --- ", "=== ", "goos: ", "goarch: ", "cpu: "} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// isInterrupted reports whether a line is the first one of a block that was
// being written, or replaced, when its writer was killed.
func isInterrupted(text []byte) bool {
	return len(text) > 0 && (text[0] == 'L' || text[0] == 'R') && bytes.HasPrefix(text[1:], []byte(keyFormat[1:]+":"))
}

// excerpt returns the beginning of a line for a message.
func excerpt(text []byte) string {
	const limit = 60
	if len(text) <= limit {
		return string(text)
	}
	return string(text[:limit]) + "…"
}

// cutKey splits a line of file configuration as the Go benchmark format has
// it: the key begins with a lower case letter and has neither spaces nor
// upper case letters; a value is set off by spaces or tabs. Our own keys are no
// keys of that format.
func cutKey(text []byte) (name, value []byte, ok bool) {
	colon := bytes.IndexByte(text, ':')
	if colon <= 0 {
		return nil, nil, false
	}
	name, value = text[:colon], text[colon+1:]
	rest := bytes.TrimLeft(value, " \t")
	if isOwn(string(name)) {
		return name, rest, true
	}
	if first, _ := utf8.DecodeRune(name); !unicode.IsLower(first) {
		return nil, nil, false
	}
	if bytes.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsUpper(r) }) {
		return nil, nil, false
	}
	return name, rest, len(value) == 0 || len(rest) < len(value)
}
