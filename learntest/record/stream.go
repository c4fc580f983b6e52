package record

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A Stream writes the trials of a block one by one, in the order in which they come, without
// a checksum: what a journal has. It keeps the trials, so that each cell is written once.
type Stream struct {
	block *Block
	w     *trialWriter
	head  []byte
}

// NewStream returns the stream of a block with the given head, which has no trials yet. It
// returns the errors of [NewBlock], and one that wraps ErrInvalid if a name makes a line too
// long.
func NewStream(h Header, learners []string, units []unit.Unit, examples int) (*Stream, error) {
	b, err := NewBlock(h, learners, units, examples)
	if err != nil {
		return nil, err
	}
	head, _ := appendHead(nil, b, false)
	if err := checkLines(head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return &Stream{b, newTrialWriter(b), slices.Clip(head)}, nil
}

// AppendHead appends the head of the block. The head comes before the trials and, after the text of
// another block, again before the trials that follow.
func (s *Stream) AppendHead(text []byte) []byte { return append(text, s.head...) }

// AppendTrial appends the lines of a trial. It returns the errors of [Block.Add].
func (s *Stream) AppendTrial(text []byte, t Trial) ([]byte, error) {
	if err := s.block.Add(t); err != nil {
		return text, err
	}
	at, _ := s.block.table.find(s.block.index[t.Learner], t.Run, t.Fold)
	return s.w.appendRest(s.w.appendTrial(text, at), at), nil
}

// WholeTrials returns what a text that a [Stream] was writing has up to the end of the last
// trial that is there with all its lines, or of the last head that a blank line follows.
func WholeTrials(text []byte) []byte {
	end, begun, failed := 0, false, false
	for off := 0; ; {
		n := bytes.IndexByte(text[off:], '\n')
		if n < 0 {
			return text[:end]
		}
		line := text[off : off+n]
		off += n + 1
		name, value, ok := cutKey(line)
		switch {
		case len(line) == 0 && begun && !failed:
			end = off
		case ok && string(name) == keyFormat:
			begun = true
		case ok && string(name) == keyError:
			// A failed trial ends with the line that deletes its cause.
			if failed && len(value) == 0 {
				end = off
			}
			failed = len(value) > 0
		case isTrial(line) && !failed:
			end = off
		}
	}
}
