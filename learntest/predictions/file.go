package predictions

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/learnbench/learnbench/internal/atomicfile"
	"github.com/learnbench/learnbench/internal/blockfile"
	"github.com/learnbench/learnbench/learntest/record"
)

// Marker begins the first line of a block.
const Marker = keyFormat + ": "

// Compressed ends the names of files that are compressed.
const Compressed = ".gz"

// Put stores blocks in a file in place of all that have their identities; others stay unchanged. If
// it is interrupted, all of the blocks are there or none. Several processes may put blocks into a
// file at the same time.
func Put(path string, blocks ...*Block) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	unlock, err := blockfile.Lock(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	stays, err := stored(path)
	if err != nil {
		return err
	}
	replaced := make(map[record.Identity]bool)
	for _, b := range blocks {
		replaced[b.Identity()] = true
	}
	var out bytes.Buffer
	for _, m := range stays {
		if !replaced[m.id] {
			out.Write(m.text)
		}
	}
	for _, b := range blocks {
		if err := writeMember(&out, strings.HasSuffix(path, Compressed),
			b.Examples*len(b.runs) > manyPredictions,
			func(w io.Writer) error { return Write(w, b) }); err != nil {
			return err
		}
	}
	return atomicfile.Write(path, &out)
}

// CheckDestination returns an error unless blocks can be put into a file: its directory must exist,
// and the file, if it does, has predictions.
func CheckDestination(path string) error {
	if info, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%w: make the directory first", err)
	} else if !info.IsDir() {
		return fmt.Errorf("%s is no directory", filepath.Dir(path))
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = stored(path)
	return errors.Join(err, f.Close())
}

// A member is a block in a file, as stored.
type member struct {
	id   record.Identity
	text []byte
}

// stored returns the blocks in a file; none if there is no file. Only their heads are read.
func stored(path string) ([]member, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	zipped := strings.HasSuffix(path, Compressed)
	if isZipped := bytes.HasPrefix(data, []byte{0x1f, 0x8b}); isZipped != zipped {
		return nil, fmt.Errorf("%s: files that are compressed, and no others, have names that end with %s: rename it", path, Compressed)
	}
	var all []member
	for in := bytes.NewReader(data); in.Len() > 0; {
		raw, text := data[len(data)-in.Len():], data
		if zipped {
			if text, err = gunzipped(in); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			raw = raw[:len(raw)-in.Len()]
		} else {
			in.Reset(nil)
		}
		parts := divided(text)
		for _, part := range parts {
			m := member{text: raw}
			if m.id, err = identityOf(part); err != nil {
				return nil, fmt.Errorf("%s is no file of predictions, and will not be changed: %w", path, err)
			}
			if len(parts) > 1 { // a member that somebody else has compressed
				var out bytes.Buffer
				if err := writeMember(&out, zipped, false, func(w io.Writer) error {
					_,
						err := w.Write(part)
					return err
				}); err != nil {
					return nil, err
				}
				m.text = out.Bytes()
			}
			all = append(all, m)
		}
	}
	return all, nil
}

// gunzipped returns the text of the next member of a compressed file.
func gunzipped(in *bytes.Reader) ([]byte, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return io.ReadAll(z)
}

// divided divides a text before each line that begins a block.
func divided(text []byte) (parts [][]byte) {
	begin := []byte("\n" + Marker)
	for {
		at := bytes.Index(text, begin)
		if at < 0 {
			return append(parts, text)
		}
		parts, text = append(parts, text[:at+1]), text[at+1:]
	}
}

// identityOf returns the identity of a block.
func identityOf(text []byte) (record.Identity, error) {
	var h Header
	for line := range bytes.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSuffix(string(line), "\n"), ": ")
		switch at := indexOfKey(name); {
		case name == keyFormat && value == version:
		case !ok || at < 0:
			return h.Identity(), fmt.Errorf("it has the line %.40q before the name of a data set", line)
		default:
			if err := h.set(name, value); err != nil {
				return h.Identity(), err
			}
		}
		if name == keyData {
			return h.Identity(), nil
		}
	}
	return h.Identity(), errors.New("it ends before the name of a data set")
}

// writeMember writes a part of a file, compressed or not.
func writeMember(out *bytes.Buffer, zipped, large bool, write func(w io.Writer) error) error {
	if !zipped {
		return write(out)
	}
	var z io.WriteCloser = gzip.NewWriter(out)
	if large {
		var err error
		if z, err = newPacker(out); err != nil {
			return err
		}
	}
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}
