package record

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// Write writes the blocks in their order, each with its checksum and with its
// trials ordered by run, fold and learner. Equal blocks give equal bytes.
//
// It returns an error that wraps ErrInvalid, and writes nothing, if there are
// no blocks, two of them declare a unit differently, or a name makes a line longer
// than 60 000 bytes.
func Write(w io.Writer, blocks ...*Block) error {
	text, err := appendFile(nil, blocks)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// appendFile appends the text of a file.
func appendFile(b []byte, blocks []*Block) ([]byte, error) {
	if len(blocks) == 0 {
		return nil, fmt.Errorf("%w: no blocks", ErrInvalid)
	}
	declared := make(map[string]unit.Unit)
	for i, block := range blocks {
		if err := declareUnits(declared, block.Columns); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		if i > 0 {
			b = append(b, '\n')
		}
		var err error
		if b, err = appendBlock(b, block); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// declareUnits adds units to those declared so far. It returns an error if
// one of them is declared differently.
func declareUnits(declared map[string]unit.Unit, units []unit.Unit) error {
	for _, u := range units {
		if have, ok := declared[u.Name]; ok && have != u {
			return fmt.Errorf("unit %q is declared as %s and as %s", u.Name, unitText(have), unitText(u))
		}
		declared[u.Name] = u
	}
	return nil
}

// appendBlock appends the text of a block.
func appendBlock(text []byte, b *Block) ([]byte, error) {
	if err := checkHeader(&b.Header); err != nil { // it is exported, and may have been changed
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if err := checkRight(b); err != nil { // trials may have been added
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	start := len(text)
	text, at := appendHead(text, b, true)
	sum := newChecksum(b)
	w := newTrialWriter(b)
	for seat := range b.table.seats {
		from := len(text)
		text = w.appendTrial(text, seat)
		sum.line(text[from:])
		text = w.appendRest(text, seat)
	}
	copy(text[at:], sum.hex())
	if err := checkLines(text[start:]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return text, nil
}

func checkLines(b []byte) error {
	for len(b) > 0 {
		n := bytes.IndexByte(b, '\n')
		if n > maxLine {
			return fmt.Errorf("line of %d bytes, %d are allowed: %.40s…", n, maxLine, b)
		}
		b = b[n+1:]
	}
	return nil
}

// appendHead appends the keys and units of a block, with room for the checksum if
// that is wanted, and returns where that is. It writes the keys without a value
// too: they delete what a block before has set.
func appendHead(text []byte, b *Block, checksum bool) (head []byte, at int) {
	text = append(text, keyFormat+": "+formatOf(&b.Header)+"\n"...)
	text = appendKeys(text, b, !b.Timeless)
	if checksum {
		text = append(text, keyChecksum+": "...)
		at = len(text)
		text = append(text, strings.Repeat("0", 2*sha256.Size)+"\n"...)
	}
	return appendUnits(text, b.Columns), at
}
