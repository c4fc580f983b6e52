package blockfile

import (
	"cmp"
	"errors"
	"slices"
)

// An edit writes to a file that it has a view of.
type edit struct {
	view
	target string // the path behind symbolic links
}

// replace puts blocks in place of those with the same keys.
func (c *edit) replace(blocks []Block, added []extent) error {
	old, err := c.old(blocks)
	if err != nil {
		return err
	}
	size := c.idx.size + textSize(blocks)
	if len(old) > 0 && size <= c.small {
		return c.rewrite(blocks)
	}
	if err := c.inPlace(blocks, added, old); err != nil {
		return err
	}
	if x := &c.idx; x.info != nil && x.holes > x.size/2 && x.size > max(c.small, c.compactAt) {
		// The blocks are written. Without space for a copy the holes stay.
		if err := c.rewrite(nil); err != nil {
			c.compactAt = 2 * x.size
		}
	}
	return nil
}

// old returns the extents of the blocks to be replaced, in the order of the file. It has
// compared each with the index.
func (c *edit) old(blocks []Block) ([]extent, error) {
	for range 2 {
		var old []extent
		seen := make(map[string]bool)
		same := true
		for _, b := range blocks {
			if seen[b.Key] {
				continue
			}
			seen[b.Key] = true
			for _, e := range c.idx.blocks(b.Key) {
				ok, err := c.holds(e)
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
		if d, err := c.rescan(c.idx.size); err != nil {
			return nil, err
		} else if d != nil {
			break
		}
	}
	return nil, c.fail(errors.New("the file is changed by another program that does not lock it"))
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
func (c *edit) inPlace(blocks []Block, added, old []extent) error {
	x := &c.idx
	text := make([]byte, 0, textSize(blocks))
	offs := make([]int64, len(blocks))
	for i, b := range blocks {
		if x.size > 0 || i > 0 {
			text = append(text, '\n')
		}
		offs[i] = x.size + int64(len(text))
		text = append(text, b.Text...)
	}
	text[offs[0]-x.size] = c.format.pendingByte()
	if err := c.commit(text, offs[0], old); err != nil {
		return err
	}
	// From here on the blocks are written. What fails now is left to the next
	// writer, who finds it out by a scan.
	if err := c.blank(old); err != nil {
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
	if err := c.note(); err != nil {
		x.info = nil
	}
	return nil
}

// commit does steps 1 to 3 of the package comment. If one fails it undoes them.
func (c *edit) commit(text []byte, pending int64, old []extent) error {
	size := c.idx.size
	if err := write(c.handle, text, size); err != nil {
		return errors.Join(err, c.undo(size, -1, nil))
	}
	if err := c.retire(old); err != nil {
		return errors.Join(err, c.undo(size, -1, old))
	}
	if err := write(c.handle, []byte{c.format.Marker[0]}, pending); err != nil {
		return errors.Join(err, c.undo(size, pending, old))
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

func (c *edit) retire(old []extent) error { return c.mark(old, retiredByte) }

// mark sets the first byte of blocks, and syncs.
func (c *edit) mark(blocks []extent, first byte) error {
	for _, e := range blocks {
		if _, err := c.WriteAt([]byte{first}, e.off); err != nil {
			return err
		}
	}
	if len(blocks) == 0 {
		return nil
	}
	return c.Sync()
}

// undo takes back an append. Each step is on the disk before the next, so
// that the file is always one that a recovery completes or takes back.
func (c *edit) undo(size, pending int64, old []extent) error {
	if pending >= 0 {
		if err := write(c.handle, []byte{c.format.pendingByte()}, pending); err != nil {
			return err
		}
	}
	if err := c.mark(old, c.format.Marker[0]); err != nil {
		return err
	}
	return truncate(c.handle, size)
}

func truncate(h handle, size int64) error {
	if err := h.Truncate(size); err != nil {
		return err
	}
	return h.Sync()
}

// blank does step 4 of the package comment.
func (c *edit) blank(old []extent) error {
	if len(old) == 0 {
		return nil
	}
	m := int64(len(c.format.Marker))
	for _, e := range slices.Backward(old) {
		for end := e.end; end > e.off+m; {
			n := min(int64(len(newlineBlock)), end-e.off-m)
			end -= n
			if _, err := c.WriteAt(newlineBlock[:n], end); err != nil {
				return err
			}
		}
	}
	if err := c.Sync(); err != nil {
		return err
	}
	var markers []span
	for _, e := range old {
		markers = append(markers, span{e.off, e.off + m})
	}
	return blankMarkers(c.handle, markers)
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
func (c *edit) recover(d *damage) error {
	c.idx.info = nil
	switch p := d.pending; {
	case p != nil && len(d.retired) == 0:
		return truncate(c.handle, d.cut)
	case p != nil:
		var old []extent
		seen := make(map[string]bool)
		for _, b := range d.follow {
			if !seen[b.key] {
				seen[b.key] = true
				old = append(old, c.idx.blocks(b.key)...)
			}
		}
		// The retired bytes may be from a process that was killed before it synced.
		if err := c.Sync(); err != nil {
			return err
		}
		if err := c.retire(old); err != nil {
			return err
		}
		if err := write(c.handle, []byte{c.format.Marker[0]}, p.off); err != nil {
			return err
		}
		return c.blank(append(d.retired, old...))
	}
	if err := c.Sync(); err != nil {
		return err
	}
	if err := c.blank(d.retired); err != nil {
		return err
	}
	if len(d.remnants) == 0 {
		return nil
	}
	return blankMarkers(c.handle, d.remnants)
}
