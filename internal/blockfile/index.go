package blockfile

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"time"
)

// An index is a File's memory of its file: the places of the live blocks. It
// is checked against the file before use.
type index struct {
	info  fs.FileInfo // of the file; nil if nothing is remembered
	mtime time.Time   // when size was
	size  int64       // how far the file is known, a line end or 0
	tail  []byte      // the last bytes before size
	keys  map[string]*entry
	holes int64 // bytes that hold newlines in place of blocks

	scanned int64 // bytes read by scans so far
}

const tailSize = 1024

// An entry has the live blocks of a key in their order.
type entry struct {
	mark   mark
	blocks []extent
}

func (x *index) add(key string, e extent) {
	have := x.keys[key]
	if have == nil {
		have = &entry{mark: mark{key: key}}
		x.keys[key] = have
	}
	have.mark = have.mark.add(e)
	have.blocks = append(have.blocks, e)
}

// blocks returns the live blocks of a key.
func (x *index) blocks(key string) []extent {
	if have := x.keys[key]; have != nil {
		return have.blocks
	}
	return nil
}

// errDamaged says that a scan found an interrupted write.
var errDamaged = errors.New("interrupted write")

// A damage has the remains of an interrupted write.
type damage struct {
	pending  *block // the first pending block
	cut      int64  // where pending is to be cut off
	follow   []block
	retired  []extent
	remnants []span
}

// A view is a file that is open and locked, and what its File remembers of it.
type view struct {
	*File
	handle
}

// refresh brings the index up to date with the file, which the caller has locked. It reads
// only the new part if the rest is unchanged. It returns a damage if a write was interrupted.
func (v *view) refresh() (*damage, error) {
	info, err := v.Stat()
	if err != nil {
		return nil, err
	}
	x := &v.idx
	size := info.Size()
	if x.info != nil && os.SameFile(x.info, info) {
		if size == x.size && info.ModTime().Equal(x.mtime) {
			return nil, nil
		}
		if size > x.size && v.tailHolds() {
			switch err := v.scanTail(size); {
			case err == nil:
				return nil, v.note()
			case !errors.Is(err, errDamaged):
				return nil, err
			}
		}
	}
	return v.rescan(size)
}

// tailHolds reports whether the text before x.size is the one remembered, or a
// hole, which others may have made of it.
func (v *view) tailHolds() bool {
	b := make([]byte, len(v.idx.tail))
	if _, err := v.ReadAt(b, v.idx.size-int64(len(b))); err != nil {
		return false
	}
	return bytes.Equal(b, v.idx.tail) || newlinePrefix(b) == len(b)
}

// scanTail adds the blocks that others have appended. It returns errDamaged if
// something does not match.
func (v *view) scanTail(size int64) error {
	x := &v.idx
	added := make(map[string][]extent)
	var keys []string
	sum, err := v.format.scan(v.handle, x.size, size, func(b *block) error {
		if b.state != Live || b.err != nil {
			return errDamaged
		}
		if _, ok := added[b.key]; !ok {
			keys = append(keys, b.key)
		}
		added[b.key] = append(added[b.key], b.extent)
		x.holes += v.hole(b)
		return nil
	})
	if err != nil {
		return err
	}
	// Lines before the first marker belong to the last block.
	if sum.lead || !sum.terminated || len(sum.remnants) > 0 {
		return errDamaged
	}
	x.scanned += size - x.size
	// Others append whenever they replace, so only these keys may have lost blocks.
	for _, key := range keys {
		old := x.blocks(key)
		delete(x.keys, key)
		for _, e := range old {
			state, err := v.stateAt(e.off)
			if err != nil {
				return err
			}
			if state == Live {
				x.add(key, e)
			} else {
				x.holes += e.end - e.off
			}
		}
		for _, e := range added[key] {
			x.add(key, e)
		}
	}
	return nil
}

// stateAt returns the state of a block that was live: Live, or None if it is
// blank. Anything else is errDamaged.
func (v *view) stateAt(off int64) (State, error) {
	b := make([]byte, len(v.format.Marker))
	if _, err := v.ReadAt(b, off); err != nil {
		return None, err
	}
	if v.format.State(b) == Live {
		return Live, nil
	}
	if newlinePrefix(b) == len(b) {
		return None, nil
	}
	return None, errDamaged
}

// rescan makes the index anew.
func (v *view) rescan(size int64) (*damage, error) {
	x := &v.idx
	*x = index{keys: make(map[string]*entry), scanned: x.scanned + size}
	var d damage
	afterZeros := false
	sum, err := v.format.scan(v.handle, 0, size, func(b *block) error {
		afterZeros = d.pending != nil && d.pending.zeros
		switch {
		case b.state == Retired:
			d.retired = append(d.retired, b.extent)
			return nil
		case d.pending != nil:
			d.follow = append(d.follow, *b)
			return nil
		case b.state == Pending:
			p := *b
			d.pending = &p
			d.follow = append(d.follow, p)
			return nil
		case b.err != nil:
			return v.at(b.off, b.err)
		}
		x.add(b.key, b.extent)
		x.holes += v.hole(b)
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.remnants = sum.remnants
	switch p := d.pending; {
	case afterZeros:
		return nil, v.at(p.off, errors.New("zeros in place of text, and blocks behind them: the file system has lost data; delete the zeros, or the block around them"))
	case sum.preamble && len(x.keys) == 0 && len(d.retired) == 0 && len(sum.remnants) == 0:
		return nil, v.fail(fmt.Errorf("%w: it holds text but no line that begins with %q", ErrNoBlocks,
			v.format.Marker))
	case !sum.terminated && (p == nil || len(d.retired) > 0):
		return nil, v.at(size-1, errors.New("the last line has no newline at its end: was the file cut off? complete the line or delete it"))
	case p != nil && len(d.retired) > 0:
		for i := range d.follow {
			if b := &d.follow[i]; b.torn || b.err != nil {
				return nil, v.at(b.off, errors.Join(errors.New("an interrupted write cannot be completed"),
					b.err))
			}
		}
	}
	if p := d.pending; p != nil {
		if err := v.checkPending(&d, size); err != nil {
			return nil, err
		}
		if d.cut, err = v.cutAt(p); err != nil {
			return nil, err
		}
	}
	if d.pending != nil || len(d.retired) > 0 || len(d.remnants) > 0 {
		return &d, nil
	}
	x.size = size
	return nil, v.note()
}

// checkPending returns an error if other data follow a pending block of the last write, as in
// files that were joined after an interrupted write. Recovery would cut them off.
func (v *view) checkPending(d *damage, size int64) error {
	foreign := func(off int64) error {
		return v.at(off, errors.New("another file seems to follow an interrupted write; delete the block that begins with a capital letter as far as it goes"))
	}
	for i, b := range d.follow[:len(d.follow)-1] {
		if b.next == b.end || d.follow[i+1].state != Live {
			return foreign(b.next)
		}
	}
	marker := []byte(v.format.Marker)
	buf := make([]byte, chunkSize)
	for off := d.pending.off; off < size; off += int64(len(buf) - len(marker)) {
		b := buf[:min(int64(len(buf)), size-off)]
		if _, err := v.ReadAt(b, off); err != nil {
			return err
		}
		for from := 1; ; {
			i := bytes.Index(b[from:], marker)
			if i < 0 {
				break
			}
			if from += i; b[from-1] != '\n' {
				return foreign(off + int64(from))
			}
			from++
		}
	}
	return nil
}

// cutAt returns where a pending block is cut off: before the newline that was
// written with it.
func (v *view) cutAt(p *block) (int64, error) {
	if p.zeros || p.off < 2 {
		return p.off, nil
	}
	var b [2]byte
	if _, err := v.ReadAt(b[:], p.off-2); err != nil {
		return 0, err
	}
	if b != [2]byte{'\n', '\n'} {
		return p.off, nil
	}
	return p.off - 1, nil
}

// note remembers the state of the file after a scan or a write.
func (v *view) note() error {
	x := &v.idx
	info, err := v.Stat()
	if err != nil {
		return err
	}
	x.size = info.Size()
	x.tail = make([]byte, min(tailSize, x.size))
	if _, err := v.ReadAt(x.tail, x.size-int64(len(x.tail))); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	x.info, x.mtime = info, info.ModTime()
	return nil
}

// hole returns the number of newlines behind a block if they may be in place
// of another.
func (v *view) hole(b *block) int64 {
	if n := b.next - b.end; n > int64(len(v.format.Marker)) {
		return n
	}
	return 0
}

// holds reports whether the file has a block in the place of e, and it is
// the one remembered.
func (v *view) holds(e extent) (bool, error) {
	if state, err := v.stateAt(e.off); err != nil || state != Live {
		if errors.Is(err, errDamaged) || errors.Is(err, io.EOF) {
			err = nil
		}
		return false, err
	}
	sum := crc32.New(castagnoli)
	if _, err := io.Copy(sum, io.NewSectionReader(v.handle, e.off, e.end-1-e.off)); err != nil {
		return false, err
	}
	var nl [1]byte
	if _, err := v.ReadAt(nl[:], e.end-1); err != nil {
		return false, err
	}
	return sum.Sum32() == e.crc && nl[0] == '\n', nil
}

// at wraps an error with the line that is at an offset.
func (v *view) at(off int64, err error) error {
	lines := 1
	buf := make([]byte, 64<<10)
	for p := int64(0); p < off; {
		n, rerr := v.ReadAt(buf[:min(int64(len(buf)), off-p)], p)
		lines += bytes.Count(buf[:n], []byte{'\n'})
		p += int64(n)
		if rerr != nil {
			break
		}
	}
	return fmt.Errorf("%s:%d: %w", v.path, lines, err)
}
