package split

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// A planHash computes the digest of partitions: see [Plan.Digest].
type planHash struct {
	hash hash.Hash
	buf  []byte
}

func newPlanHash(runs, folds int) *planHash {
	h := &planHash{hash: sha256.New()}
	h.buf = append(h.buf, "learnbench plan v1\n"...)
	h.buf = binary.LittleEndian.AppendUint32(h.buf, uint32(runs))
	h.buf = binary.LittleEndian.AppendUint32(h.buf, uint32(folds))
	return h
}

func (h *planHash) add(set []int) {
	head := len(h.buf)
	h.buf = append(h.buf, 0, 0, 0, 0)
	stretches := uint32(0)
	for i := 0; i < len(set); {
		first := i
		for i++; i < len(set) && set[i] == set[i-1]+1; i++ {
		}
		h.buf = binary.LittleEndian.AppendUint32(h.buf, uint32(set[first]))
		h.buf = binary.LittleEndian.AppendUint32(h.buf, uint32(i-first))
		stretches++
	}
	binary.LittleEndian.PutUint32(h.buf[head:], stretches)
	h.hash.Write(h.buf)
	h.buf = h.buf[:0]
}

func (h *planHash) sum() string { return hex.EncodeToString(h.hash.Sum(h.buf)) }
