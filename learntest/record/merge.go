package record

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/learnbench/learnbench/internal/atomicfile"
)

// Save writes f to the file at path, as [Write] does, in place of what was
// there. A reader sees the old content or the new one. It returns the errors
// of Write and of the file system, and leaves the file as it was then.
func Save(path string, f *File) error {
	text, err := appendFile(nil, f)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// Merge writes sets into the file at path, which is created if need be. Each
// replaces the blocks of its experiment (see [File.Experiments]) if there are
// any, so that results of a rerun take the place of those before; else it is
// appended. The rest of the file stays as it is, byte for byte. The file is
// locked meanwhile: several processes may merge into one file.
//
// It returns the errors of [Write], of [Read] if the file is not one of results,
// and an error that wraps ErrInvalid if two of the sets are of the same experiment
// or declare a unit otherwise than the file does. The file is not
// changed then.
func Merge(path string, sets ...Set) error {
	added := &File{Sets: sets}
	if _, err := appendFile(nil, added); err != nil {
		return err
	}
	blocks := make([][]byte, len(sets))
	keys := make([]experimentKey, len(sets))
	for i := range sets {
		blocks[i] = appendSet(nil, &sets[i])
		keys[i] = sets[i].experimentKey()
		if slices.Contains(keys[:i], keys[i]) {
			return fmt.Errorf("%w: two sets of the same experiment on data set %s", ErrInvalid, sets[i].data())
		}
	}
	return lockedfile.Transform(path, func(old []byte) ([]byte, error) {
		return splice(path, old, keys, blocks)
	})
}

// splice returns the text of a file in which the blocks of each experiment
// are replaced by the new one.
func splice(path string, old []byte, keys []experimentKey, blocks [][]byte) ([]byte, error) {
	p := newParser(path)
	if len(bytes.TrimSpace(old)) > 0 {
		if err := p.parse(old); err != nil {
			return nil, err
		}
	}
	var text []byte
	written := make([]bool, len(keys))
	from := 0
	for i, b := range p.blocks {
		k := slices.Index(keys, p.file.Sets[i].experimentKey())
		if k < 0 {
			continue
		}
		text = append(text, old[from:b.start]...)
		if !written[k] {
			written[k] = true
			text = append(text, blocks[k]...)
			text = append(text, blankTail(old[b.start:b.end])...)
		}
		from = b.end
	}
	text = append(text, old[from:]...)
	for k, block := range blocks {
		if written[k] {
			continue
		}
		if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n\n")) {
			text = append(text, '\n')
		}
		text = append(text, block...)
	}
	if err := newParser(path).parse(text); err != nil {
		return nil, fmt.Errorf("%w: the merged file would not read back: %w", ErrInvalid, err)
	}
	return text, nil
}

// blankTail returns the empty lines at the end of a block, which separate it
// from the next.
func blankTail(block []byte) []byte {
	return block[len(bytes.TrimRight(block, "\n"))+1:]
}
