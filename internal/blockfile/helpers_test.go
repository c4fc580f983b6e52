package blockfile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// testFormat has the rest of the second line of a block as its key.
var testFormat = Format{Marker: "learnbench-format: ", Key: testKey}

func testKey(head []byte) (string, error) {
	if !strings.HasPrefix(string(head), "learnbench-format: 2\n") {
		return "", fmt.Errorf("unknown version in %.40q", head)
	}
	for line := range strings.Lines(string(head)) {
		if key, ok := strings.CutPrefix(line, "test: "); ok {
			return strings.TrimSpace(key), nil
		}
	}
	return "", errors.New("no test: line")
}

// textOf returns the text of a block of about n bytes. Texts of different
// versions differ.
func textOf(key string, version, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "learnbench-format: 2\ntest: %s\nUnit accuracy better=higher\n", key)
	for i := 0; i == 0 || b.Len() < n; i++ {
		fmt.Fprintf(&b, "BenchmarkCV/data=%s/learner=c45/run=%d/fold=%d 1 0.741176 accuracy 761 train-n\n", key, version, i)
	}
	return b.String()
}

func blockOf(key string, version, n int) Block {
	return Block{Key: key, Text: []byte(textOf(key, version, n))}
}

func newFile(t testing.TB, path string) *File {
	t.Helper()
	f, err := New(path, testFormat)
	require.NoError(t, err)
	f.sys = &faulty{killAt: -1}
	return f
}

func put(t testing.TB, f *File, blocks ...Block) Receipt {
	t.Helper()
	r, err := f.Put(blocks...)
	require.NoError(t, err)
	return r
}

// content is what a file holds: the texts of each key, without the newlines
// behind them, and the text before the first block.
type content struct {
	lead string
	keys map[string]string
}

// parse reads a file line by line, without the code under test. It returns an
// error for a state other than live.
func parse(data string) (content, error) {
	c := content{keys: make(map[string]string)}
	var starts []int // of the blocks
	at := 0
	for line := range strings.SplitAfterSeq(data, "\n") {
		switch {
		case strings.HasPrefix(line, "Learnbench-format: "),
			strings.HasPrefix(line, "Rearnbench-format: "):
			return c, fmt.Errorf("state mark %q", line)
		case strings.HasPrefix(line, testFormat.Marker):
			starts = append(starts, at)
		}
		at += len(line)
	}
	starts = append(starts, at)
	c.lead = strings.TrimRight(data[:starts[0]], "\n")
	texts := make(map[string]*strings.Builder)
	for i, start := range starts[:len(starts)-1] {
		b := data[start:starts[i+1]]
		head, _, _ := strings.Cut(b, "\nBenchmark")
		key, err := testKey([]byte(head + "\n"))
		if err != nil {
			return c, err
		}
		if texts[key] == nil {
			texts[key] = new(strings.Builder)
		}
		texts[key].WriteString(strings.TrimRight(b, "\n") + "\n|\n")
	}
	for key, text := range texts {
		c.keys[key] = text.String()
	}
	return c, nil
}

func contentOf(t testing.TB, path string) content {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	c, err := parse(string(data))
	require.NoError(t, err)
	return c
}

// requireAlone checks that nothing is beside the file.
func requireAlone(t testing.TB, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

var (
	errKilled = errors.New("killed")
	errDisk   = errors.New("disk full")
)

// A faulty system stops at an operation, which it does in part. Nothing that
// comes later has an effect, unless it is to fail once only. It never waits for
// the disk.
type faulty struct {
	os     osSystem
	killAt int     // the operation, or -1
	part   float64 // of the bytes of a write that are written; below 0: all but one; above 1: one
	once   bool    // later operations work
	alone  bool    // nobody else uses the file: no lock is taken
	rng    *rand.Rand
	whole  bool // no sector of a write is lost before others, as with prefixes

	ops   int
	dead  bool
	files map[string]*shadow
	names []func() // undoes each rename and creation that may be lost, oldest first
}

// A shadow is what of a file is on the disk.
type shadow struct {
	durable []byte
	loose   []change
}

// A change is a write or, if data is nil, a truncation to off bytes.
type change struct {
	off  int64
	data []byte
}

// step counts an operation. It returns an error if the operation is to fail.
func (s *faulty) step() error {
	if s.dead {
		return errKilled
	}
	s.ops++
	if s.ops-1 != s.killAt {
		return nil
	}
	if s.once {
		return errDisk
	}
	s.dead = true
	return errKilled
}

func (s *faulty) shadow(path string) *shadow {
	if s.files == nil {
		s.files = make(map[string]*shadow)
	}
	if s.files[path] == nil {
		data, _ := os.ReadFile(path)
		s.files[path] = &shadow{durable: data}
	}
	return s.files[path]
}

func (s *faulty) lock(path string) (unlock func() error, err error) {
	if s.alone {
		return func() error { return nil }, nil
	}
	return lockSide(s, path)
}

func (s *faulty) open(path string) (handle, error) {
	h, err := s.os.open(path)
	if err != nil {
		return nil, err
	}
	return &faultyHandle{handle: h, sys: s, shadow: s.shadow(path)}, nil
}

func (s *faulty) create(path string) (handle, error) {
	if err := s.step(); err != nil {
		return nil, err
	}
	h, err := s.os.create(path)
	if err != nil {
		return nil, err
	}
	delete(s.files, path)
	s.names = append(s.names, func() { os.Remove(path) })
	return &faultyHandle{handle: h, sys: s, shadow: s.shadow(path)}, nil
}

func (s *faulty) rename(from, to string) error {
	if err := s.step(); err != nil {
		return err
	}
	old := s.shadow(to)
	s.files[to] = s.shadow(from)
	delete(s.files, from)
	s.names = append(s.names, func() { s.files[to] = old })
	return s.os.rename(from, to)
}

func (s *faulty) remove(path string) error {
	if err := s.step(); err != nil {
		return err
	}
	delete(s.files, path)
	return s.os.remove(path)
}

func (s *faulty) syncDir(string) error {
	if err := s.step(); err != nil {
		return err
	}
	s.names = nil
	return nil
}

// powerOff leaves of the file what the disk may hold.
func (s *faulty) powerOff(t testing.TB, path string) {
	t.Helper()
	keep := s.rng.IntN(len(s.names) + 1)
	for i := len(s.names) - 1; i >= keep; i-- {
		s.names[i]()
	}
	for name, sh := range s.files {
		if _, err := os.Stat(name); err != nil {
			continue
		}
		data := append([]byte(nil), sh.durable...)
		for _, c := range sh.loose {
			data = s.persist(data, c)
		}
		overwrite(t, name, string(data))
	}
	os.Remove(path + lockSuffix)
}

// persist applies a change, a part of it, or none.
func (s *faulty) persist(data []byte, c change) []byte {
	if s.rng.IntN(3) == 0 {
		return data
	}
	if c.data == nil {
		return data[:min(int(c.off), len(data))]
	}
	write := func(from, to int) {
		for len(data) < int(c.off)+to {
			data = append(data, 0)
		}
		copy(data[int(c.off)+from:], c.data[from:to])
	}
	switch n := len(c.data); s.rng.IntN(3) {
	case 0:
		write(0, s.rng.IntN(n+1))
	case 1:
		write(0, n)
	default:
		if s.whole {
			write(0, n)
			break
		}
		for from := 0; from < n; {
			to := min(n, from+sector-(int(c.off)+from)%sector)
			if s.rng.IntN(2) == 0 {
				write(from, to)
			}
			from = to
		}
	}
	return data
}

type faultyHandle struct {
	handle
	sys    *faulty
	shadow *shadow
}

func (h *faultyHandle) WriteAt(b []byte, off int64) (int, error) {
	dead := h.sys.dead
	err := h.sys.step()
	n := len(b)
	if err != nil {
		switch p := h.sys.part; {
		case dead:
			n = 0
		case p < 0:
			n--
		case p > 1:
			n = min(n, 1)
		default:
			n = int(float64(n) * p)
		}
	}
	if n > 0 {
		h.shadow.loose = append(h.shadow.loose, change{off, append([]byte(nil), b[:n]...)})
		if _, werr := h.handle.WriteAt(b[:n], off); werr != nil {
			return 0, werr
		}
	}
	return n, err
}

func (h *faultyHandle) Truncate(size int64) error {
	if err := h.sys.step(); err != nil {
		return err
	}
	h.shadow.loose = append(h.shadow.loose, change{off: size})
	return h.handle.Truncate(size)
}

func (h *faultyHandle) Sync() error {
	if err := h.sys.step(); err != nil {
		return err
	}
	info, err := h.Stat()
	if err != nil {
		return err
	}
	data := make([]byte, info.Size())
	if len(data) > 0 {
		if _, err := h.ReadAt(data, 0); err != nil {
			return err
		}
	}
	h.shadow.durable, h.shadow.loose = data, nil
	return nil
}
