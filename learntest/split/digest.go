package split

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"slices"
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

// DigestOfTests returns the digest of partitions in which each fold trains on all examples that it
// does not test, and both sets are ascending: see [Plan.Digest]. Each run has the fold that tests
// each example, from 1, and 0 for none.
func DigestOfTests(folds int, runs [][]uint16) string {
	h := newPlanHash(len(runs), folds)
	first := make([]int, folds+2)
	for _, of := range runs {
		clear(first)
		for _, fold := range of {
			first[fold+1]++
		}
		for fold := range folds + 1 {
			first[fold+1] += first[fold]
		}
		order, next := make([]int32, len(of)), slices.Clone(first)
		for i, fold := range of {
			order[next[fold]] = int32(i)
			next[fold]++
		}
		for fold := 1; fold <= folds; fold++ {
			h.addDivided(order[first[fold]:first[fold+1]], len(of))
		}
	}
	return h.sum()
}

// addDivided adds the set of all n examples that are not among the ascending tests, and the set of
// these.
func (h *planHash) addDivided(tests []int32, n int) {
	for _, tested := range []bool{false, true} {
		head, stretches := len(h.buf), uint32(0)
		h.buf = append(h.buf, 0, 0, 0, 0)
		add := func(first, end int) {
			if first < end {
				h.buf = binary.LittleEndian.AppendUint32(h.buf, uint32(first))
				h.buf = binary.LittleEndian.AppendUint32(h.buf, uint32(end-first))
				stretches++
			}
		}
		after := 0 // the last stretch of tests
		for i := 0; i < len(tests); {
			first := int(tests[i])
			end := first
			for ; i < len(tests) && int(tests[i]) == end; i++ {
				end++
			}
			if tested {
				add(first, end)
			} else {
				add(after, first)
			}
			after = end
		}
		if !tested {
			add(after, n)
		}
		binary.LittleEndian.PutUint32(h.buf[head:], stretches)
		h.hash.Write(h.buf)
		h.buf = h.buf[:0]
	}
}
