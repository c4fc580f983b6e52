package blockfile

import (
	"cmp"
	"errors"
	"slices"
)

// replace puts blocks in place of those with the same keys.
func (f *File) replace(h handle, path string, blocks []Block, added []extent) error {
	old, err := f.old(h, blocks)
	if err != nil {
		return err
	}
	size := f.idx.size + textSize(blocks)
	if len(old) > 0 && size <= f.small {
		return f.rewrite(h, path, blocks)
	}
	if err := f.inPlace(h, blocks, added, old); err != nil {
		return err
	}
	if x := &f.idx; x.info != nil && x.holes > x.size/2 && x.size > max(f.small, f.compactAt) {
		// The blocks are written. Without space for a copy the holes stay.
		if err := f.rewrite(h, path, nil); err != nil {
			f.compactAt = 2 * x.size
		}
	}
	return nil
}

// old returns the extents of the blocks to be replaced, in the order of the
// file. It has compared each with what is remembered of it.
func (f *File) old(h handle, blocks []Block) ([]extent, error) {
	for range 2 {
		var old []extent
		seen := make(map[string]bool)
		same := true
		for _, b := range blocks {
			if seen[b.Key] {
				continue
			}
			seen[b.Key] = true
			for _, e := range f.idx.blocks(b.Key) {
				ok, err := f.holds(h, e)
				if err != nil {
					return nil, err
				}
				same = same && ok
				old = append(old, e)
			}
		}
		if same {
			slices.SortFunc(old, func(a, b extent) int { return cmp.Compare(a.off, b.off) })
			return old, nil
		}
		if d, err := f.rescan(h, f.idx.size); err != nil {
			return nil, err
		} else if d != nil {
			break
		}
	}
	return nil, f.fail(errors.New("the file is changed by another program that does not lock it"))
}

// textSize returns how much the file grows by blocks at most.
func textSize(blocks []Block) int64 {
	n := int64(0)
	for _, b := range blocks {
		n += int64(len(b.Text)) + 1
	}
	return n
}

// inPlace appends blocks and takes the old ones away.
func (f *File) inPlace(h handle, blocks []Block, added, old []extent) error {
	x := &f.idx
	text := make([]byte, 0, textSize(blocks))
	offs := make([]int64, len(blocks))
	for i, b := range blocks {
		if x.size > 0 || i > 0 {
			text = append(text, '\n')
		}
		offs[i] = x.size + int64(len(text))
		text = append(text, b.Text...)
	}
	text[offs[0]-x.size] = f.format.pendingByte()
	if err := f.commit(h, text, offs[0], old); err != nil {
		return err
	}
	// From here on the blocks are written. What fails now is left to the next
	// writer, who finds it out by a scan.
	if err := f.blank(h, old); err != nil {
		x.info = nil
		return nil
	}
	for _, e := range old {
		x.holes += e.end - e.off
	}
	if len(old) > 0 {
		for _, b := range blocks {
			delete(x.keys, b.Key)
		}
	}
	for i, b := range blocks {
		e := added[i]
		e.off, e.end = offs[i], offs[i]+e.end
		x.add(b.Key, e)
	}
	if err := f.note(h); err != nil {
		x.info = nil
	}
	return nil
}

// commit does steps 1 to 3 of the package comment. If one fails it undoes them.
func (f *File) commit(h handle, text []byte, pending int64, old []extent) error {
	size := f.idx.size
	if err := write(h, text, size); err != nil {
		return errors.Join(err, f.undo(h, size, -1, nil))
	}
	if err := f.retire(h, old); err != nil {
		return errors.Join(err, f.undo(h, size, -1, old))
	}
	if err := write(h, []byte{f.format.Marker[0]}, pending); err != nil {
		return errors.Join(err, f.undo(h, size, pending, old))
	}
	return nil
}

// write writes a text and syncs.
func write(h handle, text []byte, off int64) error {
	if _, err := h.WriteAt(text, off); err != nil {
		return err
	}
	return h.Sync()
}

func (f *File) retire(h handle, old []extent) error { return f.mark(h, old, retiredByte) }

// mark sets the first byte of blocks, and syncs.
func (f *File) mark(h handle, blocks []extent, first byte) error {
	for _, e := range blocks {
		if _, err := h.WriteAt([]byte{first}, e.off); err != nil {
			return err
		}
	}
	if len(blocks) == 0 {
		return nil
	}
	return h.Sync()
}

// undo takes back an append. Each step is on the disk before the next, so
// that the file is always one that a recovery completes or takes back.
func (f *File) undo(h handle, size, pending int64, old []extent) error {
	if pending >= 0 {
		if err := write(h, []byte{f.format.pendingByte()}, pending); err != nil {
			return err
		}
	}
	if err := f.mark(h, old, f.format.Marker[0]); err != nil {
		return err
	}
	return truncate(h, size)
}

func truncate(h handle, size int64) error {
	if err := h.Truncate(size); err != nil {
		return err
	}
	return h.Sync()
}

// blank does step 4 of the package comment.
func (f *File) blank(h handle, old []extent) error {
	if len(old) == 0 {
		return nil
	}
	m := int64(len(f.format.Marker))
	for _, e := range slices.Backward(old) {
		for end := e.end; end > e.off+m; {
			n := min(int64(len(newlineBlock)), end-e.off-m)
			end -= n
			if _, err := h.WriteAt(newlineBlock[:n], end); err != nil {
				return err
			}
		}
	}
	if err := h.Sync(); err != nil {
		return err
	}
	var markers []span
	for _, e := range old {
		markers = append(markers, span{e.off, e.off + m})
	}
	return blankMarkers(h, markers)
}

// blankMarkers blanks spans that are shorter than a sector, from the front also
// where they are in two sectors.
func blankMarkers(h handle, spans []span) error {
	for _, s := range slices.Backward(spans) {
		if cut := (s.off/sector + 1) * sector; cut < s.end {
			if err := write(h, newlineBlock[:cut-s.off], s.off); err != nil {
				return err
			}
			s.off = cut
		}
		if _, err := h.WriteAt(newlineBlock[:s.end-s.off], s.off); err != nil {
			return err
		}
	}
	return h.Sync()
}

// recover completes or takes back what another writer has left.
func (f *File) recover(h handle, d *damage) error {
	f.idx.info = nil
	switch p := d.pending; {
	case p != nil && len(d.retired) == 0:
		return truncate(h, d.cut)
	case p != nil:
		var old []extent
		seen := make(map[string]bool)
		for _, b := range d.follow {
			if !seen[b.key] {
				seen[b.key] = true
				old = append(old, f.idx.blocks(b.key)...)
			}
		}
		// The retired bytes may be from a process that was killed before it synced.
		if err := h.Sync(); err != nil {
			return err
		}
		if err := f.retire(h, old); err != nil {
			return err
		}
		if err := write(h, []byte{f.format.Marker[0]}, p.off); err != nil {
			return err
		}
		return f.blank(h, append(d.retired, old...))
	}
	if err := h.Sync(); err != nil {
		return err
	}
	if err := f.blank(h, d.retired); err != nil {
		return err
	}
	if len(d.remnants) == 0 {
		return nil
	}
	return blankMarkers(h, d.remnants)
}
