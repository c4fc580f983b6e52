package predictions

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// Open reads files as if they were one. It returns the errors of the file system and of [Read].
func Open(paths ...string) ([]*Block, error) {
	var all []*Block
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		blocks, err := Read(f, path)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return nil, err
		}
		all = append(all, blocks...)
	}
	return all, nil
}

// Read reads all blocks of a file, compressed or not; there must be one at least. The name of the
// file is for messages. An error about a line is a [*record.SyntaxError], which wraps
// record.ErrChecksum if the block has been changed, and record.ErrUnfinished if its end is missing.
func Read(in io.Reader, filename string) ([]*Block, error) {
	r := &reader{file: filename}
	buffered := bufio.NewReaderSize(in, 1<<16)
	if head, _ := buffered.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filename, err)
		}
		buffered = bufio.NewReaderSize(unzipped, 1<<16)
	}
	r.in = buffered
	var blocks []*Block
	for {
		b, err := r.block()
		if err == io.EOF && len(blocks) > 0 {
			return blocks, nil
		}
		if err == io.EOF {
			err = errors.New("there are no predictions in it")
		}
		if err != nil {
			return nil, r.error(err)
		}
		blocks = append(blocks, b)
	}
}

// A reader reads blocks, a line at a time.
type reader struct {
	in   *bufio.Reader
	file string
	line int
	hash hash.Hash

	*parts
}

// error returns an error with the place of the last line.
func (r *reader) error(err error) error {
	e := &record.SyntaxError{File: r.file, Line: max(r.line, 1), Msg: err.Error()}
	for _, kind := range []error{record.ErrChecksum, record.ErrUnfinished, record.ErrLimit} {
		if errors.Is(err, kind) {
			e.Err = kind
		}
	}
	return e
}

var (
	errTorn = fmt.Errorf("%w: the last line is no checksum", record.ErrUnfinished)
	errLong = fmt.Errorf("%w: a line of more than %d bytes", record.ErrLimit, maxLine)
)

// next returns the next line, with its newline.
func (r *reader) next() ([]byte, error) {
	text, err := r.in.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull || len(text) > maxLine:
		r.line++
		return nil, errLong
	case err == io.EOF && len(text) == 0:
		return nil, io.EOF
	case err != nil:
		r.line++
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errTorn
		}
		return nil, err
	}
	r.line++
	return text, nil
}

// block returns the next block. At the end of the file the error is io.EOF.
func (r *reader) block() (*Block, error) {
	r.hash = sha256.New()
	text, err := r.next()
	if err != nil {
		return nil, err
	}
	pos := record.Pos{File: r.file, Line: r.line}
	if v, ok := cutKey(text, keyFormat); !ok {
		return nil, fmt.Errorf("a block of predictions begins with %s: %s, not with %.40q", keyFormat,
			version, text)
	} else if v != version {
		return nil, fmt.Errorf("the predictions are of version %.20q of their format, this program reads version %s", v, version)
	}
	b, err := r.head(text)
	if err != nil {
		return nil, err
	}
	b.Pos = pos
	return b, nil
}

// head reads the keys of a block behind the first line, and the rest of the block.
func (r *reader) head(first []byte) (*Block, error) {
	var h Header
	r.hash.Write(first)
	last := 0 // index of the last key
	for {
		text, err := r.next()
		if err == io.EOF {
			return nil, errTorn
		}
		if err != nil {
			return nil, err
		}
		name, value, ok := strings.Cut(strings.TrimSuffix(string(text), "\n"), ": ")
		at := indexOfKey(name)
		if !ok || at < 0 {
			return r.body(h, text)
		}
		if at < last || at == last && name != keyClasses {
			return nil, fmt.Errorf("the key %s is there twice, or not in the order of the keys", name)
		}
		last = at
		r.hash.Write(text)
		if err := h.set(name, value); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
}

var keys = [...]string{
	keyFormat, keyPkg, keyTest, keyProtocol, keyDataDigest, keySplitDigest,
	keyData, keyExamples, keyClasses, keyProbabilities,
}

// indexOfKey returns the index of a key of a head, or -1.
func indexOfKey(name string) int {
	for i, k := range keys[1:] {
		if name == k {
			return i + 1
		}
	}
	return -1
}

// cutKey returns the value of a line with a key.
func cutKey(text []byte, name string) (string, bool) {
	value, ok := bytes.CutPrefix(bytes.TrimSuffix(text, []byte("\n")), []byte(name+": "))
	return string(value), ok
}

// set sets the value of a key.
func (h *Header) set(name, value string) (err error) {
	switch name {
	case keyPkg:
		h.Pkg, err = record.UnescapeName(value)
	case keyTest:
		h.Test, err = record.UnescapeName(value)
	case keyProtocol:
		h.Protocol = value
	case keyDataDigest:
		h.DataDigest = value
	case keySplitDigest:
		h.SplitDigest = value
	case keyData:
		h.Data, err = record.UnescapeName(value)
	case keyExamples:
		h.Examples, err = count(value)
	case keyClasses:
		for word := range strings.SplitSeq(value, " ") {
			class, err := record.UnescapeName(word)
			if err != nil {
				return err
			}
			if h.Classes = append(h.Classes, class); len(h.Classes) > maxClasses {
				return fmt.Errorf("more than %d classes", maxClasses)
			}
		}
	case keyProbabilities:
		if h.Probabilities = value; value == "" {
			err = errors.New("it is empty")
		}
	}
	return err
}

// body reads the lines of a block, of which one has been read, and checks that all is there.
func (r *reader) body(h Header, text []byte) (*Block, error) {
	b, err := newBlock(h)
	if err != nil {
		return nil, err
	}
	r.parts = newParts(b)
	for {
		if sum, ok := cutKey(text, keyChecksum); ok {
			if b.sum = hex.EncodeToString(r.hash.Sum(nil)); sum != b.sum {
				return nil, fmt.Errorf("%w: the predictions were changed after they were written",
					record.ErrChecksum)
			}
			return b, r.complete()
		}
		r.hash.Write(text)
		if err := r.take(text[:len(text)-1]); err != nil {
			return nil, err
		}
		if text, err = r.next(); err == io.EOF {
			return nil, errTorn
		} else if err != nil {
			return nil, err
		}
	}
}

// count parses a number from 1 in its only form.
func count(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("%.20q is not a number from 1", text)
	}
	return n, nil
}

// maxRun bounds the numbers of runs.
const maxRun = 1 << 20

// isDigest reports whether a text is a SHA-256 in hexadecimal.
func isDigest(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}
