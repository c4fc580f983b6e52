package record

import (
	"bufio"
	"compress/gzip"
	"io"
)

// decompress returns the text that gzip compressed, and any other text unchanged.
func decompress(in io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(in, 16) // the least: all but the first bytes go past it
	head, err := b.Peek(2)
	if err != nil || head[0] != 0x1f || head[1] != 0x8b {
		return b, nil // the error, if there is one, comes again
	}
	return gzip.NewReader(b)
}
