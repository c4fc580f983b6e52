package record

import (
	"fmt"
	"io"
	"iter"
)

// A Reader reads result files. The zero value is usable.
type Reader struct {
	Limits Limits

	// NoTimes leaves out the times of trials, which take two thirds of the memory:
	// they are checked, and the blocks are Timeless.
	NoTimes bool
}

// Read reads the blocks of a result file, in the order of the file. The name of
// the file is for messages and positions. Read decompresses gzip;
// Limits.Bytes bounds the text after that.
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
		defer p.release()
		for {
			b, err := p.next()
			if b == nil && err == nil || !yield(b, err) || err != nil {
				return
			}
		}
	}
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
		spare: newHead(),
	}, nil
}
