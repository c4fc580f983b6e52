package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Read reads the sets of a result file, in the order of the file. The name of
// the file is for messages and positions.
//
// It returns a [*SyntaxError] for the first line that is not as the format has
// it, and for a file that does not end with a newline, since a number that is
// cut off may still be a number. It does not check that the sets are complete:
// [File.Check] and [Pair] do.
func Read(r io.Reader, filename string) (*File, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filename, err)
	}
	p := newParser(filename)
	if err := p.parse(data); err != nil {
		return nil, err
	}
	return &p.file, nil
}

// Open reads files as if they were one: the sets of each follow those of the
// one before. It returns the errors of the file system and of [Read].
func Open(paths ...string) (*File, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("%w: no result files given", ErrNotFound)
	}
	all := new(File)
	units := make(map[string]declaration)
	for _, path := range paths {
		data, err := readFile(path)
		if err != nil {
			return nil, err
		}
		p := newParser(path)
		p.units = units
		if err := p.parse(data); err != nil {
			return nil, err
		}
		all.Sets = append(all.Sets, p.file.Sets...)
	}
	return all, nil
}

// readFile reads a file while nobody rewrites it.
func readFile(path string) ([]byte, error) {
	data, err := lockedfile.Read(path)
	if errors.Is(err, errors.ErrUnsupported) {
		// The file system has no locks, so Merge cannot be rewriting it.
		return os.ReadFile(path)
	}
	return data, err
}

// A declaration is a unit with the position of the line that declares it.
type declaration struct {
	unit Unit
	pos  Pos
}

// A parser reads one file.
type parser struct {
	filename string
	units    map[string]declaration // of all blocks so far
	file     File
	blocks   []extent // of the sets of file
}

// An extent is the place of a block: the offset of its first byte and of the
// byte behind it.
type extent struct{ start, end int }

func newParser(filename string) *parser {
	return &parser{filename: filename, units: make(map[string]declaration)}
}

func (p *parser) errorf(line int, format string, args ...any) error {
	return &SyntaxError{p.filename, line, fmt.Sprintf(format, args...)}
}

// parse splits the data into blocks and parses each.
func (p *parser) parse(data []byte) error {
	var b *block
	line := 0
	for off := 0; off < len(data); {
		line++
		n := bytes.IndexByte(data[off:], '\n')
		if n < 0 {
			return p.earliest(b, data[:off], p.errorf(line, "the file is truncated: its last line has no newline"))
		}
		text := bytes.TrimSuffix(data[off:off+n], []byte("\r"))
		if name, _, ok := cutKey(text); ok && string(name) == keyFormat {
			if err := p.finish(b, data[:off]); err != nil {
				return err
			}
			b = newBlock(off, line)
		}
		if err := b.check(p, text, line); err != nil {
			return p.earliest(b, data[:off], err)
		}
		off += n + 1
	}
	if b == nil {
		return p.errorf(max(line, 1), "there is no result: a block begins with %q", keyFormat+": "+formatVersion)
	}
	return p.finish(b, data)
}

// earliest returns the error of the lines before, if there is one, and err
// otherwise.
func (p *parser) earliest(b *block, data []byte, err error) error {
	if b == nil || b.trials == 0 {
		return err
	}
	if head := b.finishHead(p); head != nil {
		return head
	}
	if before := b.parseTrials(p, data[b.start:]); before != nil {
		return before
	}
	return err
}

// finish parses the trials of a block that ends where data ends.
func (p *parser) finish(b *block, data []byte) error {
	if b == nil {
		return nil
	}
	if err := b.finishHead(p); err != nil {
		return err
	}
	if err := b.parseTrials(p, data[b.start:]); err != nil {
		return err
	}
	if b.trials == 0 {
		return p.errorf(b.line, "the block has no trials")
	}
	if b.errorLine > 0 {
		return p.errorf(b.errorLine, "the file is truncated: the line %q that ends the failed trial is missing", keyError+":")
	}
	p.file.Sets = append(p.file.Sets, b.set)
	p.blocks = append(p.blocks, extent{b.start, len(data)})
	return nil
}
