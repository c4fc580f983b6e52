package dataset

import (
	"crypto/sha256"
	"encoding/hex"
)

// CurrentDigest computes the digest of the current values. It differs from [Table.Digest]
// if somebody has changed a slice that the table returned, because those slices are shared.
func (t *Table) CurrentDigest() string {
	e := encoder{h: sha256.New(), buf: make([]byte, 0, 4096)}
	e.table(t)
	e.flush()
	return hex.EncodeToString(e.h.Sum(nil))
}
