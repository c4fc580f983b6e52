package split

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// Digest returns the SHA-256 of all partitions of the plan in lower-case
// hexadecimal. It depends on the training and test sets and their order only:
// plans of different protocols that give the same partitions have the same
// digest. It is computed once, at the first call.
//
// What is hashed is a sequence of unsigned 32-bit little-endian integers after
// the 19 bytes "learnbench plan v1\n": the number of runs, the number of folds of
// each, and then, run by run and fold by fold, the training set and the test
// set. A set is written as its maximal stretches of consecutive ascending
// indices in the set's order: the number of stretches, and for each its first
// index and its length. The set 4 5 6 9 8 is 3, 4 3, 9 1, 8 1.
func (p *Plan) Digest() string { return p.digest() }

func (p *Plan) computeDigest() string {
	h := newPlanHash(p.Runs(), p.folds)
	var train, test []int
	for run := 1; run <= p.Runs(); run++ {
		for fold := 1; fold <= p.folds; fold++ {
			train, test = p.Trial(run, fold, train[:0], test[:0])
			h.add(train)
			h.add(test)
		}
	}
	return h.sum()
}

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
