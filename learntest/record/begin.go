package record

import (
	"bytes"
	"fmt"
	"io"
)

// Marker begins the first line of a block.
const Marker = keyFormat + ": "

// IdentityOf returns the identity of a block from its head, which must name the data set.
func IdentityOf(head []byte) (Identity, error) {
	p, err := Reader{}.newParser(bytes.NewReader(head), "")
	if err != nil {
		return Identity{}, err
	}
	if err := p.head(); err != nil {
		return Identity{}, err
	}
	if p.h.keys[keyData] == 0 {
		return Identity{}, fmt.Errorf("the block has no key %s", keyData)
	}
	return p.h.header.Identity(), nil
}

// CheckBegin returns an error unless a file is empty or begins with a block, perhaps one
// whose writing was interrupted. The name of the file is for messages.
func CheckBegin(in io.Reader, filename string) error {
	p, err := Reader{}.newParser(in, filename)
	if err != nil {
		return err
	}
	for {
		text, err := p.lineReader.next()
		switch {
		case err == io.EOF && p.h == nil:
			return nil
		case err != nil:
			return fmt.Errorf("%s is not a result file: %w", filename, err)
		case isInterrupted(text): // the next writer puts it in order
			return nil
		case isTestOutput(text):
			continue
		}
		name, value, ok := cutKey(text)
		if !ok || string(name) != keyFormat {
			return fmt.Errorf("%s is not a result file, and will not be changed: line %d is %q", filename,
				p.line, excerpt(text))
		}
		p.begin()
		return p.key(keyFormat, value)
	}
}

// CheckHeads returns the error with which [Write] would not write the blocks, whatever their
// trials are.
func CheckHeads(blocks ...*Block) error {
	heads := make([]*Block, len(blocks))
	for i, b := range blocks {
		heads[i] = &Block{Header: b.Header, Learners: b.Learners, Columns: b.Columns}
		heads[i].Header.Right = "" // of trials
	}
	_, err := appendFile(nil, heads)
	return err
}
