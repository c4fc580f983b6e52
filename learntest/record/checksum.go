package record

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// A checksum is the checksum of a block while it is computed: SHA-256 over its written keys and
// units, and over its written trials without their times, in canonical order. It leaves out the
// first line, the checksum itself, and where the times were measured.
type checksum struct {
	hash.Hash
	buf []byte
}

func newChecksum(b *Block) *checksum {
	c := &checksum{Hash: sha256.New(), buf: make([]byte, 0, chunk+4096)}
	c.begin(b)
	return c
}

// begin begins the checksum of another block.
func (c *checksum) begin(b *Block) {
	c.Reset()
	c.buf = appendUnits(appendKeys(c.buf[:0], b, false), b.Columns)
}

// chunk is how much is hashed at once.
const chunk = 8192

// line adds the line of a trial, without its end.
func (c *checksum) line(text []byte) {
	c.buf = append(append(c.buf, text...), '\n')
	if len(c.buf) >= chunk {
		c.Write(c.buf) // a hash does not fail
		c.buf = c.buf[:0]
	}
}

// hex returns the checksum in the hexadecimal digits of the file.
func (c *checksum) hex() string {
	c.Write(c.buf)
	c.buf = c.buf[:0]
	return hex.EncodeToString(c.Sum(nil))
}

// Checksum returns the checksum of the block: the hex SHA-256 of all that a
// file keeps of it except times.
func (b *Block) Checksum() string {
	c := newChecksum(b)
	w := newTrialWriter(b)
	var text []byte
	for at := range b.table.seats {
		text = w.appendTrial(text[:0], at)
		c.line(text)
	}
	return c.hex()
}
