package c45

import (
	"math"
	"slices"
)

// A key is a row as a numeric column sees it: the code of its value, which
// comes first in the order of keys, its class, and the row.
type key uint64

const (
	rowBits   = 26
	classBits = 12
	codeShift = rowBits + classBits

	maxClasses = 1 << classBits
	maxRows    = 1 << rowBits // and distinct numbers
)

func newKey(code, class, row int32) key {
	return key(code)<<codeShift | key(class)<<rowBits | key(row)
}

func (k key) code() int32 { return int32(k >> codeShift) }
func (k key) class() int  { return int(k >> rowBits & (maxClasses - 1)) }
func (k key) row() uint32 { return uint32(k & (maxRows - 1)) }

// minPlateau is the number of keys from which on a plateau is looked for.
const minPlateau = 32

// plateau returns a range of keys of equal value which it is cheaper to skip,
// by counting those after it, than to count. It is empty, after all keys, if
// there is none.
func plateau(keys []key, classes int) (from, to int) {
	n := len(keys)
	v := keys[n/2].code()
	// A shorter plateau is not worth a search.
	if keys[n/2-n/8].code() != v && keys[n/2+n/8].code() != v {
		return n, n
	}
	from, _ = slices.BinarySearch(keys, newKey(v, 0, 0))
	to, _ = slices.BinarySearch(keys, newKey(v+1, 0, 0))
	if to-from < n-to+2*classes {
		return n, n
	}
	return from, to
}

// changes returns how many keys have another value than the key before them, without
// branches that are hard to foresee.
func changes(keys []key) (n int) {
	last := keys[0]
	for _, k := range keys[1:] {
		n += int(-(uint64(last^k) >> codeShift) >> 63)
		last = k
	}
	return n
}

// cuts returns the number of thresholds that may lie between keys, without branches that are hard
// to foresee: x is less than y if the sign bit of x-y is 1.
func (c *column) cuts(keys []key) (n int) {
	values, last := c.values, math.Inf(1)
	for _, k := range keys {
		x := values[k.code()]
		n += int(math.Float64bits(last-x) >> 63)
		last = x + tight
	}
	return n
}
