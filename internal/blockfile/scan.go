package blockfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A State says whether a block counts.
type State int

// The states, as the first byte of a marker line shows them.
const (
	None    State = iota // the line does not begin with a marker
	Live                 // the block counts
	Pending              // an append that is not committed
	Retired              // another block takes its place
)

// retiredByte is the first byte of the marker of a retired block.
const retiredByte = 'R'

// minMarker is the least length of a marker. The end of a shorter one could
// be the line of a user.
const minMarker = 8

// sector is the unit that a disk writes as a whole.
const sector = 512

// A Format describes the blocks of a file.
type Format struct {
	// Marker begins the first line of a block. It has at least 8 bytes and no
	// newline, and its first byte is a lower-case ASCII letter other than r.
	Marker string
	// Key returns what a block is about. It gets the lines of the block before
	// the first that starts with "Benchmark", its marker in the live form, and
	// must not keep or change them.
	Key func(head []byte) (string, error)
}

func (f Format) check() error {
	switch m := f.Marker; {
	case len(m) < minMarker || m[0] < 'a' || m[0] > 'z' || m[0] == 'r' ||
		bytes.ContainsAny([]byte(m), "\n\x00"):
		return fmt.Errorf("blockfile: marker %q: want at least %d bytes in one line, the first a lower-case letter other than r", m, minMarker)
	case f.Key == nil:
		return errors.New("blockfile: the function Key is missing")
	}
	return nil
}

// State returns the state of the block that the line begins, and None if it
// begins none.
func (f Format) State(line []byte) State {
	if len(line) < len(f.Marker) || string(line[1:len(f.Marker)]) != f.Marker[1:] {
		return None
	}
	switch line[0] {
	case f.Marker[0]:
		return Live
	case f.pendingByte():
		return Pending
	case retiredByte:
		return Retired
	}
	return None
}

func (f Format) pendingByte() byte { return f.Marker[0] - 'a' + 'A' }

// A block is one block of a file as a scan finds it.
type block struct {
	extent
	state State
	torn  bool   // the start of a pending block whose marker is not complete
	zeros bool   // torn, and zeros are in its place
	key   string // not of retired and torn blocks
	err   error  // of Format.Key
	next  int64  // where the next block starts, or the end
}

// An extent is the place of a block and its content. Newlines at the end beyond the first do
// not count.
type extent struct {
	off, end int64
	crc      uint32 // of the text in its live form, without its last newline
}

// A scanner reads blocks from a stream in chunks.
type scanner struct {
	Format
	emit    func(*block) error
	special [256]bool // bytes that begin a line that may be more than text
	to      int64     // the end

	// The block that is being read, whose off is -1 for the text before the first one.
	cur      block
	head     []byte
	inHead   bool
	last     int64 // behind the last byte that is not a newline
	newlines int64 // since last

	bol bool  // at the beginning of a line
	run int64 // newlines directly before; the start of a file counts as one

	remnant span // the end of a blanked marker, unless text follows it
	sum     summary
}

// A span is a part of a file.
type span struct{ off, end int64 }

const chunkSize = 256 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// newlineBlock fills holes, and gives the checksums of newlines.
var newlineBlock = bytes.Repeat([]byte{'\n'}, 64<<10)

// A summary has the findings of a scan besides blocks.
type summary struct {
	preamble   bool // there is text other than space before the first block
	terminated bool // the last byte is a newline, or there is none
	lead       bool // text other than newlines before the first block
	// remnants are the ends of markers that are left of blanked blocks.
	remnants []span
}

// scan calls emit for every block that starts in the bytes of r from one offset,
// which is the beginning of a line, to another. emit must not keep the block.
func (f Format) scan(r io.ReaderAt, from, to int64, emit func(*block) error) (summary, error) {
	s := &scanner{Format: f, emit: emit, to: to, bol: true, run: 1, last: from}
	for _, c := range []byte{f.Marker[0], f.pendingByte(), retiredByte, 0, 'B'} {
		s.special[c] = true
	}
	s.cur.off = -1
	s.sum.terminated = true
	// A line is looked at when this much of it is there.
	ahead := max(sector, 2*len(f.Marker)+2)
	buf := make([]byte, min(chunkSize+int64(ahead), to-from))
	base, n := from, 0
	for base+int64(n) < to {
		m, err := r.ReadAt(buf[n:min(int64(len(buf)), to-base)], base+int64(n))
		if m == 0 && err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return s.sum, err
		}
		n += m
		eof := base+int64(n) == to
		if eof {
			s.sum.terminated = buf[n-1] == '\n'
		}
		limit := n
		if !eof {
			limit = max(n-ahead, 0)
		}
		if err := s.chunk(buf[:n], limit, base); err != nil {
			return s.sum, err
		}
		copy(buf, buf[limit:n])
		base += int64(limit)
		n -= limit
	}
	err := s.finish(to)
	return s.sum, err
}

// chunk reads buf up to limit. Its first byte is the one at base.
func (s *scanner) chunk(buf []byte, limit int, base int64) error {
	start, p := 0, 0
	for p < limit {
		if s.bol {
			c := buf[p]
			if c == '\n' {
				q := p + newlinePrefix(buf[p:limit])
				s.run += int64(q - p)
				p = q
				continue
			}
			if s.special[c] || s.run > 1 {
				if next, ok := s.begins(buf[p:], base+int64(p)); ok {
					s.feed(buf[start:p], base+int64(start))
					start = p
					if err := s.finish(base + int64(p)); err != nil {
						return err
					}
					s.start(next)
				} else if s.inHead && bytes.HasPrefix(buf[p:], []byte("Benchmark")) {
					s.feed(buf[start:p], base+int64(start))
					start = p
					s.endHead()
				}
			}
			s.bol = false
		}
		i := bytes.IndexByte(buf[p:limit], '\n')
		if i < 0 {
			p = limit
			break
		}
		p += i + 1
		s.bol, s.run = true, 1
	}
	s.feed(buf[start:p], base+int64(start))
	return nil
}

// begins reports whether the line at off begins a block, and records the rest of a marker that
// was blanked.
func (s *scanner) begins(line []byte, off int64) (block, bool) {
	b := block{extent: extent{off: off}}
	if b.state = s.State(line); b.state != None {
		return b, true
	}
	atEnd := off+int64(len(line)) == s.to
	b.state, b.torn = Pending, true
	if line[0] == 0 {
		// The file system has lengthened the file, but not written the text.
		b.zeros = true
		zeros := min(len(line), int(sector-off%sector))
		if len(bytes.TrimLeft(line[:zeros], "\x00")) == 0 && (zeros == int(sector-off%sector) || atEnd) {
			return b, true
		}
		b.zeros = false
	}
	if atEnd && len(line) < len(s.Marker) && (s.run > 1 || off == 0) &&
		line[0] == s.pendingByte() && string(line[1:]) == s.Marker[1:len(line)] {
		return b, true
	}
	if i := bytes.IndexByte(line[:min(len(line), len(s.Marker))], '\n'); i > 0 && off > 0 {
		missing := len(s.Marker) - i
		if s.run > int64(missing) && string(line[:i]) == s.Marker[missing:] {
			s.remnant = span{off, off + int64(i)}
		}
	}
	return block{}, false
}

func (s *scanner) start(b block) {
	s.cur = b
	s.head, s.inHead = s.head[:0], b.state != Retired && !b.torn
	s.last, s.newlines = b.off, 0
}

// feed adds text to the block. Newlines count once other text follows.
func (s *scanner) feed(text []byte, off int64) {
	if s.inHead {
		s.head = append(s.head, text...)
	}
	n := len(text) - newlineSuffix(text)
	if n == 0 {
		s.newlines += int64(len(text))
		return
	}
	if s.cur.off < 0 {
		s.sum.lead = true
		s.sum.preamble = s.sum.preamble || len(bytes.TrimSpace(text)) > 0
	} else {
		for s.newlines > 0 {
			m := min(s.newlines, int64(len(newlineBlock)))
			s.cur.crc = crc32.Update(s.cur.crc, castagnoli, newlineBlock[:m])
			s.newlines -= m
		}
		from := 0
		if s.last == s.cur.off {
			s.cur.crc = crc32.Update(0, castagnoli, []byte{s.Marker[0]})
			from = 1
		}
		s.cur.crc = crc32.Update(s.cur.crc, castagnoli, text[from:n])
	}
	s.last, s.newlines = off+int64(n), int64(len(text)-n)
}

// endHead asks for the key.
func (s *scanner) endHead() {
	s.inHead = false
	s.head[0] = s.Marker[0]
	s.cur.key, s.cur.err = s.Key(s.head)
}

// finish emits the block, which ends at next.
func (s *scanner) finish(next int64) error {
	if s.remnant.end > 0 && s.remnant.end == s.last {
		s.sum.remnants = append(s.sum.remnants, s.remnant)
	}
	s.remnant = span{}
	if s.cur.off < 0 {
		return nil
	}
	if s.inHead {
		s.endHead()
	}
	s.cur.end, s.cur.next = min(s.last+1, next), next
	return s.emit(&s.cur)
}

// newlinePrefix returns how many newlines b begins with.
func newlinePrefix(b []byte) int {
	const eight = 0x0a0a0a0a0a0a0a0a
	i := 0
	for i+8 <= len(b) && binary.LittleEndian.Uint64(b[i:]) == eight {
		i += 8
	}
	for i < len(b) && b[i] == '\n' {
		i++
	}
	return i
}

// newlineSuffix returns how many newlines b ends with.
func newlineSuffix(b []byte) int {
	const eight = 0x0a0a0a0a0a0a0a0a
	i := len(b)
	for i >= 8 && binary.LittleEndian.Uint64(b[i-8:]) == eight {
		i -= 8
	}
	for i > 0 && b[i-1] == '\n' {
		i--
	}
	return len(b) - i
}
