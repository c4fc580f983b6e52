package blockfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

var (
	// ErrNotRegular says that a path names a directory, a device, a FIFO or a
	// symbolic link to nothing.
	ErrNotRegular = errors.New("not a regular file")
	// ErrNoBlocks says that a file holds text but no block.
	ErrNoBlocks = errors.New("no block in the file")
	// ErrBlock says that a block to be written is not one.
	ErrBlock = errors.New("not a block")
)

// A Block is a text and its key. The text begins with the marker, ends with a newline and has
// no other marker; its key is the result of [Format.Key].
type Block struct {
	Key  string
	Text []byte
}

// A File adds blocks to the file at a path. Its methods may be called by several
// goroutines, and several Files, in other processes too, may name the same
// file. Having one File for all that writes to a path saves reading the file
// again and again.
type File struct {
	path   string
	format Format
	sys    system
	small  int64 // a file up to this size is written anew when blocks are replaced

	mu        sync.Mutex
	idx       index
	compactAt int64 // no compaction of a smaller file, after one has failed
	swept     bool  // what a killed rewrite has left is gone
}

// smallFile is the default of File.small in bytes.
const smallFile = 256 << 10

// New returns a File for a path. It does not touch the file. It returns an error
// if the format is not valid.
func New(path string, format Format) (*File, error) {
	if err := format.check(); err != nil {
		return nil, err
	}
	return &File{path: path, format: format, sys: osSystem{}, small: smallFile}, nil
}

// Put writes blocks in place of all blocks in the file that have one of their keys. Other
// blocks do not change. When Put returns without an error, the blocks are on the disk; when it
// is interrupted, the file has all of them or none. The receipt is for [File.Extend].
//
// A file that is missing is created; its directory must exist. A symbolic link
// is followed.
//
// Put returns an error, and leaves the file unchanged, if there are no blocks or one is not
// valid (ErrBlock), the path names no regular file (ErrNotRegular), the file holds text but no
// block (ErrNoBlocks), its last line lacks a newline, a block has no key, or the file system
// fails or has no locks. After an error of the file system all blocks may still have been
// written, never a part.
//
// It costs as much as the blocks given and those replaced are long, and once as much
// as what others have written since the last call.
func (f *File) Put(blocks ...Block) (Receipt, error) {
	added, err := f.validate(blocks)
	if err != nil {
		return Receipt{}, err
	}
	err = f.locked(true, func(c *edit) error {
		return c.replace(blocks, added)
	})
	if err != nil {
		return Receipt{}, err
	}
	var r Receipt
	for i, b := range blocks {
		m, ok := r.mark(b.Key)
		if !ok {
			m.key = b.Key
		}
		r.set(m.add(added[i]))
	}
	return r, nil
}

// Extend appends a block and replaces none, if the blocks of its key in the file match the
// receipt. Otherwise, or if there is no such file, it returns false and changes nothing. The
// receipt that it returns includes the new block. It returns the errors of [File.Put]; the
// cost does not depend on how many blocks the key has.
func (f *File) Extend(r Receipt, b Block) (Receipt, bool, error) {
	added, err := f.validate([]Block{b})
	if err != nil {
		return r, false, err
	}
	want, ok := r.mark(b.Key)
	if !ok {
		return r, false, nil
	}
	done := false
	err = f.locked(false, func(c *edit) error {
		if have := f.idx.keys[b.Key]; have == nil || have.mark != want {
			return nil
		}
		done = true
		return c.inPlace([]Block{b}, added, nil)
	})
	if err != nil || !done {
		return r, false, err
	}
	r = Receipt{slices.Clone(r.marks)}
	r.set(want.add(added[0]))
	return r, true, nil
}

// Recover puts in order what an interrupted write has left, as the next Put would. A
// missing file is left alone. It returns the errors of Put for a file.
func (f *File) Recover() error {
	return f.locked(false, func(*edit) error { return nil })
}

// Texts returns the texts of the blocks that have a key, in their order; none if there
// is no file. It costs as much as these are long, and once as much as what others have
// written since the last call. It puts in order what an interrupted write has left, and
// returns the errors of Put for a file.
func (f *File) Texts(key string) ([][]byte, error) {
	var texts [][]byte
	err := f.locked(false, func(c *edit) error {
		for _, e := range f.idx.blocks(key) {
			text := make([]byte, e.end-e.off)
			if _, err := c.ReadAt(text, e.off); err != nil {
				return err
			}
			texts = append(texts, text)
		}
		return nil
	})
	return texts, err
}

// validate returns where each block ends and its checksum, as if it were a file
// of its own.
func (f *File) validate(blocks []Block) ([]extent, error) {
	if len(blocks) == 0 {
		return nil, f.fail(fmt.Errorf("%w: there are none", ErrBlock))
	}
	extents := make([]extent, len(blocks))
	for i, b := range blocks {
		fail := func(format string, args ...any) error {
			return f.fail(fmt.Errorf("%w: block %d: %w", ErrBlock, i, fmt.Errorf(format, args...)))
		}
		if f.format.State(b.Text) != Live {
			return nil, fail("it begins with %.40q, not with the marker %q", b.Text, f.format.Marker)
		}
		if bytes.Contains(b.Text, []byte("\n\x00")) {
			return nil, fail("a line begins with a zero byte")
		}
		n := 0
		var found block
		sum, err := f.format.scan(bytes.NewReader(b.Text), 0, int64(len(b.Text)), func(b *block) error {
			n++
			found = *b
			return nil
		})
		switch {
		case err != nil:
			return nil, fail("%w", err)
		case n > 1:
			return nil, fail("a line within it begins with the marker %q or a state of it", f.format.Marker)
		case !sum.terminated:
			return nil, fail("no newline at its end")
		case len(sum.remnants) > 0:
			return nil, fail("its last line is the end of the marker")
		case found.err != nil:
			return nil, fail("%w", found.err)
		case found.key != b.Key:
			return nil, fail("its text has the key %q, not %q", found.key, b.Key)
		}
		extents[i] = found.extent
	}
	return extents, nil
}

// locked calls op with the file, which is locked and as the index says. It
// creates the file if asked to; otherwise a missing file is left alone, and so
// is op.
func (f *File) locked(create bool, op func(c *edit) error) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	path, err := resolve("write", f.path)
	if err != nil {
		return err
	}
	unlock, err := f.sys.lock(path)
	if err != nil {
		return err
	}
	defer func() {
		if uerr := unlock(); err == nil {
			err = uerr
		}
	}()
	if !f.swept { // of the copy that a killed rewrite was filling
		f.swept = true
		_ = f.sys.remove(path + rewriteSuffix)
	}
	h, created, err := f.openOrCreate(path, create)
	if err != nil || h == nil {
		return err
	}
	defer func() {
		if err != nil {
			f.idx.info = nil
		}
		if cerr := h.Close(); err == nil && !errors.Is(cerr, fs.ErrClosed) {
			err = cerr
		}
		if err != nil && created {
			if info, serr := os.Stat(path); serr == nil && info.Size() == 0 {
				err = errors.Join(err, f.sys.remove(path))
			}
		}
	}()
	// Each recovery leaves less to recover: pending blocks are live or gone, and retired ones
	// are blank. More rounds than that are somebody else's writes.
	c := &edit{view{f, h}, path}
	for range 4 {
		d, err := c.refresh()
		if err != nil {
			return err
		}
		if d == nil {
			return op(c)
		}
		if err := c.recover(d); err != nil {
			return err
		}
	}
	return f.fail(errors.New("the file is changed by another program that does not lock it"))
}

func (f *File) openOrCreate(path string, create bool) (h handle, created bool, err error) {
	h, err = f.sys.open(path)
	if errors.Is(err, fs.ErrNotExist) {
		f.idx.info = nil
		if !create {
			return nil, false, nil
		}
		h, err = f.sys.create(path)
		if err == nil {
			created = true
			err = f.sys.syncDir(filepath.Dir(path))
		}
	}
	if err == nil {
		var info fs.FileInfo
		if info, err = h.Stat(); err == nil && !info.Mode().IsRegular() {
			err = &fs.PathError{Op: "write", Path: path, Err: ErrNotRegular}
		}
	}
	if err != nil {
		if h != nil {
			err = errors.Join(err, h.Close())
		}
		if created {
			err = errors.Join(err, f.sys.remove(path))
		}
		return nil, false, err
	}
	return h, created, nil
}

// resolve returns the name of the file behind symbolic links, which all who
// write to it must lock.
func resolve(op, path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return "", &fs.PathError{Op: op, Path: path, Err: ErrNotRegular}
	case err == nil && !linked(path):
		return filepath.Clean(path), nil
	case err == nil:
		return filepath.EvalSymlinks(path)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if info, lerr := os.Lstat(path); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", &fs.PathError{
			Op: op, Path: path,
			Err: fmt.Errorf("%w: it is a symbolic link to nothing", ErrNotRegular),
		}
	}
	if _, derr := os.Stat(filepath.Dir(path)); derr != nil {
		return "", derr
	}
	return path, nil
}

// linked reports whether a path may lead through a symbolic link. Package os does not tell go test
// of Readlink, as it does of the Lstat in EvalSymlinks: a cached run would depend on the times of
// all directories above the file.
func linked(path string) bool {
	if strings.Contains(path, "..") { // behind a link, a parent is another one
		return true
	}
	for {
		if _, err := os.Readlink(path); err == nil {
			return true
		}
		parent := filepath.Dir(path)
		if parent == path {
			return false
		}
		path = parent
	}
}

func (f *File) fail(err error) error { return fmt.Errorf("%s: %w", f.path, err) }
