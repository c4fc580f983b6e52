package input

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
)

// enoughTimes is how many measured times no two runs have in common.
const enoughTimes = 10

// copied says that two sides have a file that is a copy of the other's: the same bytes, with the times that trials
// took, which no rerun takes again. Files without times may be of two runs. It says nothing where there is none.
func copied(a, b *Side) string {
	for _, x := range a.files {
		for _, y := range b.files {
			if os.SameFile(x.info, y.info) || x.info.Size() != y.info.Size() || !sameTimes(x.path, y.path) {
				continue
			}
			return fmt.Sprintf("%s is a copy of %s: the times that trials took are the same, too", y.path, x.path)
		}
	}
	return ""
}

// sameTimes reports whether files are equal and have measured times. One that cannot be read is no copy.
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
		if before, _, ok := bytes.Cut(lineX, []byte(" fit-sec/op")); ok && !bytes.HasSuffix(before, []byte(" 0")) {
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
