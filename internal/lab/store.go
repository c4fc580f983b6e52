package lab

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/blockfile"
)

// ErrStore is wrapped by errors about a file of stored scores.
var ErrStore = errors.New("cannot use stored scores")

// storeHead is the first line of a store. Its number changes when the stored values would
// change.
const storeHead = "learnbench-study: 1\n"

// A store keeps numbers under keys in a file, as soon as computed, so that an interrupted
// study resumes. Each line has a key, a checksum and numbers. A kill can only leave a part of
// the last line, which is cut off when the file is opened.
type store struct {
	mu     sync.Mutex
	path   string
	f      *os.File
	unlock func() error
	at     map[string]span
	end    int64
	packed bytes.Buffer
	writer *flate.Writer
}

// A span is where the numbers of a key are in the file.
type span struct{ offset, size int64 }

// openStore opens or creates a store for this process alone.
func openStore(path string) (_ *store, err error) {
	fail := func(err error) (*store, error) { return nil, fmt.Errorf("%w: %w", ErrStore, err) }
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return fail(err)
	}
	unlock, ok, err := blockfile.TryLock(path)
	if err == nil && !ok {
		err = fmt.Errorf("%s is in use by another study: give each its own file", path)
	}
	if err != nil {
		return fail(errors.Join(err, f.Close()))
	}
	s := &store{path: path, f: f, unlock: unlock, at: make(map[string]span)}
	if err := s.load(); err != nil {
		return fail(errors.Join(err, s.close()))
	}
	return s, nil
}

// load reads the file, cuts a part of a line off its end, and leaves it as a store.
func (s *store) load() error {
	r := bufio.NewReaderSize(s.f, 1<<16)
	for number := 1; ; number++ {
		line, err := r.ReadString('\n')
		switch {
		case err == io.EOF:
			return s.begin(line, number)
		case err != nil:
			return err
		case number == 1 && line != storeHead:
			return fmt.Errorf("%s:1: not scores of this version of studies, which begin with %q: name another file", s.path, strings.TrimSpace(storeHead))
		case number > 1:
			key, numbers, err := parseLine(line)
			if err != nil {
				return fmt.Errorf("%s:%d: %w: delete the line, and it is computed again", s.path, number, err)
			}
			s.at[key] = span{s.end + int64(len(line)-1-len(numbers)), int64(len(numbers))}
		}
		s.end += int64(len(line))
	}
}

// begin cuts off the last line, which has no end, and writes the first if there is none.
func (s *store) begin(rest string, number int) error {
	if number == 1 {
		if !strings.HasPrefix(storeHead, rest) {
			return fmt.Errorf("%s is not a file of scores: name another file", s.path)
		}
		if _, err := s.f.WriteAt([]byte(storeHead), 0); err != nil {
			return err
		}
		s.end = int64(len(storeHead))
		return nil
	}
	return s.f.Truncate(s.end)
}

// parseLine returns the key and the packed numbers of a line.
func parseLine(line string) (key, numbers string, err error) {
	parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
	if len(parts) != 3 {
		return "", "", fmt.Errorf("%d fields: want key, checksum and numbers, with tabs between them",
			len(parts))
	}
	if parts[1] != checksum(parts[0], parts[2]) {
		return "", "", fmt.Errorf("the checksum does not match the line")
	}
	return parts[0], parts[2], nil
}

func checksum(key, numbers string) string {
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(key+"\t"+numbers)))
}

// get returns the numbers of a key, and whether they are there. A nil store has none.
func (s *store) get(key string) ([]float64, bool, error) {
	if s == nil {
		return nil, false, nil
	}
	s.mu.Lock()
	at, ok := s.at[key]
	s.mu.Unlock()
	if !ok {
		return nil, false, nil
	}
	text := make([]byte, at.size)
	_, err := s.f.ReadAt(text, at.offset)
	if err == nil {
		var numbers []float64
		if numbers, err = unpack(text); err == nil {
			return numbers, true, nil
		}
	}
	return nil, false, fmt.Errorf("%w: %s: %q: %w", ErrStore, s.path, key, err)
}

// has reports whether there are numbers of a key.
func (s *store) has(key string) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.at[key]
	return ok
}

func unpack(text []byte) ([]float64, error) {
	b, err := io.ReadAll(flate.NewReader(base64.NewDecoder(base64.RawStdEncoding,
		bytes.NewReader(text))))
	if err == nil && len(b)%8 != 0 {
		err = errors.New("a part of a number")
	}
	if err != nil {
		return nil, err
	}
	numbers := make([]float64, len(b)/8)
	for i := range numbers {
		numbers[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return numbers, nil
}

// put adds the numbers of a key. A nil store forgets them.
func (s *store) put(key string, numbers []float64) error {
	if s == nil {
		return nil
	}
	if strings.ContainsAny(key, "\t\n") {
		return fmt.Errorf("%w: key %q has a tab or a line break", ErrStore, key)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := s.pack(numbers)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	head := key + "\t" + checksum(key, text) + "\t"
	if _, err := s.f.WriteAt([]byte(head+text+"\n"), s.end); err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	s.at[key] = span{s.end + int64(len(head)), int64(len(text))}
	s.end += int64(len(head) + len(text) + 1)
	return nil
}

func (s *store) pack(numbers []float64) (string, error) {
	s.packed.Reset()
	if s.writer == nil {
		var err error
		if s.writer, err = flate.NewWriter(&s.packed, flate.BestSpeed); err != nil {
			return "", err
		}
	}
	s.writer.Reset(&s.packed)
	b := make([]byte, 0, 8*len(numbers))
	for _, x := range numbers {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	if _, err := s.writer.Write(b); err != nil {
		return "", err
	}
	if err := s.writer.Close(); err != nil {
		return "", err
	}
	return base64.RawStdEncoding.EncodeToString(s.packed.Bytes()), nil
}

// Close closes the file and lets others have it.
func (s *store) close() error {
	if s == nil {
		return nil
	}
	err := errors.Join(s.f.Sync(), s.f.Close(), s.unlock())
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrStore, err)
	}
	return err
}
