package c45

import (
	"math/bits"
	"sort"
)

// A key is a row as a sorted list has it: from the low bits, the row, as many bits as are left of
// the code of the value, and the class. They save looks at the row.
type key uint32

const (
	maxClasses = 1 << 12
	maxRows    = 1 << 26
)

// A layout says where a key has its parts.
type layout struct {
	rowBits, classShift uint
	rowMask             key
	codes               key // number of codes that differ in a key, less 1
}

// fits reports whether keys have room for so many rows and classes.
func fits(rows, classes int) bool {
	return rows <= maxRows && classes <= maxClasses && bitsFor(rows)+bitsFor(classes) <= 32
}

// bitsFor returns the number of bits of integers below n.
func bitsFor(n int) uint { return uint(bits.Len(uint(max(n-1, 0)))) }

func newLayout(rows, classes int) layout {
	r, c := bitsFor(rows), bitsFor(classes)
	return layout{rowBits: r, classShift: 32 - c, rowMask: 1<<r - 1, codes: 1<<(32-r-c) - 1}
}

func (l layout) keyOf(code, class, row int32) key {
	return key(class)<<l.classShift | (key(code)&l.codes)<<l.rowBits | key(row)
}

func (l layout) classOf(k key) int { return int(k >> l.classShift) }
func (l layout) rowOf(k key) int32 { return int32(k & l.rowMask) }
func (l layout) codeOf(k key) key  { return k >> l.rowBits & l.codes }

// parts reports whether a threshold of column c may lie between two keys.
func (l layout) parts(c *column, a, b key) bool {
	d := (l.codeOf(b) - l.codeOf(a)) & l.codes
	return d >= c.sure || d >= c.doubt && c.apart(c.x[l.rowOf(a)], c.x[l.rowOf(b)])
}

// minPlateau is the number of keys from which on a plateau is looked for.
const minPlateau = 32

// exact reports whether the codes of keys differ where values do, and have their order.
func (c *column) exact() bool { return c.doubt == c.sure }

// plateau returns a range of keys of equal value of column c, which it is cheaper to skip, by
// counting those after it, than to count. It is empty, after all keys, if there is none.
func (l layout) plateau(c *column, keys []key, classes int) (from, to int) {
	n := len(keys)
	// A shorter plateau is not worth a search.
	middle := l.codeOf(keys[n/2])
	if l.codeOf(keys[n/2-n/8]) != middle && l.codeOf(keys[n/2+n/8]) != middle {
		return n, n
	}
	exact := c.exact()
	at := func(i int) float64 {
		if exact {
			return float64(l.codeOf(keys[i]))
		}
		return c.x[l.rowOf(keys[i])]
	}
	v := at(n / 2)
	if at(n/2-n/8) != v && at(n/2+n/8) != v {
		return n, n
	}
	from = sort.Search(n/2, func(i int) bool { return at(i) >= v })
	to = n/2 + sort.Search(n-n/2, func(i int) bool { return at(n/2+i) > v })
	if to-from < n-to+2*classes {
		return n, n
	}
	return from, to
}

// A doubts lists pairs of keys between which codes do not tell whether a threshold may lie.
type doubts [256]key

// cuts returns the number of thresholds of column c that may lie between keys. It has no branches
// that are hard to foresee for a processor, and looks at values where codes are in doubt.
func (l layout) cuts(c *column, keys []key, open *doubts) (n int) {
	last, shift := keys[0], l.rowBits&31
	if c.exact() {
		mask := l.codes << shift
		for _, k := range keys[1:] {
			n += int(-uint64((last^k)&mask) >> 63)
			last = k
		}
		return n
	}
	for keys = keys[1:]; len(keys) > 0; {
		block := keys[:min(len(keys), len(open)/2)]
		keys = keys[len(block):]
		doubt := c.doubt
		if end := block[len(block)-1]; c.x[l.rowOf(end)]-c.x[l.rowOf(last)] < c.whole {
			doubt = 1 // so few codes lie between them that bits of none come twice
		}
		m, below, span := 0, uint64(c.sure-1), uint64(c.sure-doubt)
		for _, k := range block {
			open[m&254], open[m&254+1] = last, k
			d := (k>>shift - last>>shift) & l.codes
			n += int((below - uint64(d)) >> 63)
			m += int((uint64(d-doubt)-span)>>63) << 1
			last = k
		}
		for i := 0; i < m; i += 2 {
			above := 0
			if c.apart(c.x[l.rowOf(open[i])], c.x[l.rowOf(open[i+1])]) {
				above = 1
			}
			n += above
		}
	}
	return n
}
