package input

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

// enoughTimes is how many measured times no two runs have in common.
const enoughTimes = 10

// An index finds files of sides again, by their size and last bytes.
type index map[mark][]entry

// A mark is equal for two equal files.
type mark struct {
	size int64
	tail [sha256.Size]byte
}

type entry struct {
	file
	mark
	side *Side
}

// entries returns the files of a side with their marks, for which it reads their ends.
func entries(s *Side) []entry {
	all := make([]entry, len(s.files))
	for i, f := range s.files {
		all[i] = entry{f, markOf(f), s}
	}
	return all
}

// tailSize is how much of the end of a file its mark covers: some lines of trials with their times.
const tailSize = 4096

func markOf(f file) mark {
	m := mark{size: f.info.Size()}
	r, err := os.Open(f.path)
	if err != nil {
		return m
	}
	defer r.Close() // it was only read
	tail := make([]byte, min(m.size, tailSize))
	if n, err := r.ReadAt(tail, m.size-int64(len(tail))); err == nil || err == io.EOF {
		m.tail = sha256.Sum256(tail[:n])
	}
	return m
}

func (x index) add(files []entry) {
	for _, f := range files {
		x[f.mark] = append(x[f.mark], f)
	}
}

// twin says that a side has a file in common with one before, by whatever names and links, or a
// copy of its file: the same bytes, with the times that trials took, which no rerun takes again.
// Files without times may be of two runs. It says nothing where there is none, and no more than one
// such file.
func (x index) twin(files []entry) string {
	for _, f := range files {
		for _, e := range x[f.mark] {
			switch {
			case !os.SameFile(e.info, f.info):
			case len(e.side.files) == 1 && len(files) == 1:
				return fmt.Sprintf("%s and %s are the same file", e.side.Label, f.side.Label)
			default:
				return fmt.Sprintf("%s and %s have a file in common, %s", e.side.Label, f.side.Label, f.path)
			}
		}
	}
	for _, f := range files {
		for _, e := range x[f.mark] {
			if sameTimes(e.path, f.path) {
				return fmt.Sprintf("%s is a copy of %s: the times that trials took are equal, too",
					f.path, e.path)
			}
		}
	}
	return ""
}

// sameTimes reports whether files are equal and have measured times. One that cannot be read is no
// copy.
func sameTimes(a, b string) bool {
	x, err := os.Open(a)
	if err != nil {
		return false
	}
	defer x.Close() // it was only read
	y, err := os.Open(b)
	if err != nil {
		return false
	}
	defer y.Close()
	inX, inY := bufio.NewReaderSize(x, 1<<16), bufio.NewReaderSize(y, 1<<16)
	times := 0
	for {
		lineX, errX := inX.ReadSlice('\n')
		lineY, errY := inY.ReadSlice('\n')
		if !bytes.Equal(lineX, lineY) || errX != errY {
			return false
		}
		if before, _, ok := bytes.Cut(lineX, []byte(" fit-sec/op")); ok &&
			!bytes.HasSuffix(before, []byte(" 0")) {
			times++
		}
		if errX == io.EOF {
			return times >= enoughTimes
		}
		if errX != nil && errX != bufio.ErrBufferFull {
			return false
		}
	}
}
