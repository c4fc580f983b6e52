package blockfile

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// A Receipt says which blocks a caller has written. The zero Receipt tells of none.
type Receipt struct{ marks []mark }

func (r Receipt) mark(key string) (mark, bool) {
	i := slices.IndexFunc(r.marks, func(m mark) bool { return m.key == key })
	if i < 0 {
		return mark{}, false
	}
	return r.marks[i], true
}

func (r *Receipt) set(m mark) {
	if i := slices.IndexFunc(r.marks, func(o mark) bool { return o.key == m.key }); i >= 0 {
		r.marks[i] = m
		return
	}
	r.marks = append(r.marks, m)
}

// A mark says which blocks of a key there are, in their order: how many, and a
// hash of their lengths and texts.
type mark struct {
	key  string
	n    int
	hash uint64
}

// add returns the mark with one more block.
func (m mark) add(e extent) mark {
	var b [20]byte
	binary.LittleEndian.PutUint64(b[:], m.hash)
	binary.LittleEndian.PutUint64(b[8:], uint64(e.end-e.off))
	binary.LittleEndian.PutUint32(b[16:], e.crc)
	h := fnv.New64a()
	h.Write(b[:])
	return mark{key: m.key, n: m.n + 1, hash: h.Sum64()}
}
