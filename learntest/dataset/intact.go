package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"hash/maphash"
)

// CurrentDigest computes the digest of the current values. It differs from [Table.Digest]
// if somebody has changed a slice that the table returned, because those slices are shared.
//
// Once the digest is known, a checksum of 64 bits with a random seed tells unchanged values much
// sooner.
func (t *Table) CurrentDigest() string {
	if d := t.described.Load(); d != nil && checksum(t, d.seed) == d.checksum {
		return d.digest
	}
	return computeDigest(t)
}

func computeDigest(t *Table) string {
	h := sha256.New()
	encode(t, h)
	return hex.EncodeToString(h.Sum(nil))
}

func checksum(t *Table, seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	encode(t, &h)
	return h.Sum64()
}

// encode hashes the encoding of the current values.
func encode(t *Table, h hash.Hash) {
	e := encoder{h: h, buf: make([]byte, 0, 4096)}
	e.table(t)
	e.flush()
}
