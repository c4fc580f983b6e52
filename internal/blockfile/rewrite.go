package blockfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/learnbench/learnbench/internal/atomicfile"
)

// A system does what changes files, so that tests can interrupt it.
type system interface {
	// lock takes the exclusive lock of a file.
	lock(path string) (unlock func() error, err error)
	open(path string) (handle, error)
	// create makes a file that must not exist.
	create(path string) (handle, error)
	rename(from, to string) error
	remove(path string) error
	syncDir(dir string) error
}

// A handle is a file that is open for reading and writing.
type handle interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Close() error
}

type osSystem struct{}

func (s osSystem) lock(path string) (unlock func() error, err error) { return lockSide(s, path) }

func (osSystem) open(path string) (handle, error) {
	return osFile(os.OpenFile(path, os.O_RDWR, 0))
}

func (osSystem) create(path string) (handle, error) {
	return osFile(os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666))
}

func (osSystem) rename(from, to string) error { return os.Rename(from, to) }
func (osSystem) remove(path string) error     { return os.Remove(path) }
func (osSystem) syncDir(dir string) error     { return atomicfile.SyncDir(dir) }

// osFile makes no handle of a nil file.
func osFile(f *os.File, err error) (handle, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// rewriteSuffix makes the name of the file that a rewrite fills. The name never changes, so
// that kills leave one such file at most, for the next rewrite to replace.
const rewriteSuffix = ".rewrite"

// rewrite writes the file anew, the blocks in place of the first of those with
// the same key, without the others and without holes. It closes the file.
func (c *edit) rewrite(blocks []Block) error {
	c.idx.info = nil
	info, err := c.Stat()
	if err != nil {
		return err
	}
	name := c.target + rewriteSuffix
	if err := c.sys.remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	to, err := c.sys.create(name)
	if err != nil {
		return err
	}
	err = c.fill(to, info, blocks)
	if cerr := to.Close(); err == nil {
		err = cerr
	}
	// Some systems do not rename to a file that is open.
	if cerr := c.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = c.sys.rename(name, c.target)
	}
	if err != nil {
		return errors.Join(err, c.sys.remove(name))
	}
	return c.sys.syncDir(filepath.Dir(c.target))
}

// fill writes and syncs the new content.
func (c *edit) fill(to handle, info fs.FileInfo, blocks []Block) error {
	if err := to.Chmod(info.Mode().Perm()); err != nil {
		return err
	}
	w := bufio.NewWriterSize(io.NewOffsetWriter(to, 0), chunkSize)
	if err := c.compose(w, info.Size(), blocks); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return to.Sync()
}

// compose writes the content of the file with blocks replaced. The newlines
// behind a block go away with it, unless it is the last: then those before it do.
func (c *edit) compose(w io.Writer, size int64, blocks []Block) error {
	texts := make(map[string][]byte)
	for _, b := range blocks {
		if text, ok := texts[b.Key]; ok {
			texts[b.Key] = append(append(text, '\n'), b.Text...)
		} else {
			texts[b.Key] = bytes.Clone(b.Text)
		}
	}
	done := make(map[string]bool)
	at := int64(0) // up to where the file is copied
	gap := span{}  // newlines that are not written yet
	flush := func(last bool) error {
		if gap.end-gap.off > int64(len(c.format.Marker)) {
			gap.end = gap.off + 1
			if last || gap.off == 0 {
				gap.end = gap.off
			}
		}
		err := copyTo(w, c.handle, gap.off, gap.end)
		gap = span{}
		return err
	}
	_, err := c.format.scan(c.handle, 0, size, func(b *block) error {
		if at == 0 && b.off > 0 {
			lead, err := c.lead(b.off)
			if err != nil {
				return err
			}
			if err := copyTo(w, c.handle, 0, lead); err != nil {
				return err
			}
			gap = span{lead, b.off}
		}
		at = b.next
		text, replaced := texts[b.key]
		if replaced && done[b.key] {
			if b.next == size {
				gap = span{b.end, b.next}
			}
			return nil
		}
		if err := flush(false); err != nil {
			return err
		}
		gap = span{b.end, b.next}
		if !replaced {
			return copyTo(w, c.handle, b.off, b.end)
		}
		done[b.key] = true
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	if err := flush(true); err != nil {
		return err
	}
	for _, b := range blocks {
		if !done[b.Key] {
			done[b.Key] = true
			if _, err := w.Write(append([]byte{'\n'}, texts[b.Key]...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// lead returns where the newlines before the first block begin that are blank
// lines.
func (c *edit) lead(first int64) (int64, error) {
	for end := first; end > 0; {
		b := make([]byte, min(end, chunkSize))
		if _, err := c.ReadAt(b, end-int64(len(b))); err != nil {
			return 0, err
		}
		n := newlineSuffix(b)
		end -= int64(n)
		if n < len(b) {
			return min(end+1, first), nil
		}
	}
	return 0, nil
}

// copyTo copies a part of a file.
func copyTo(w io.Writer, h handle, from, to int64) error {
	_, err := io.Copy(w, io.NewSectionReader(h, from, to-from))
	return err
}
