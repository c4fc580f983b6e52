package neighbor

import (
	"math/bits"
)

const (
	laneCodes    = 254  // codes that a lane of eight bits can tell apart
	pointMissing = 0xFF // lane of a missing value of a point
	queryMissing = 0xFE // lane of a missing value of a query, which differs
)

// Lanes hold the nominal codes of the points, eight attributes to a word, for
// counting differences.
type lanes struct {
	words int      // words of a point
	exact bool     // whether equal lanes are equal values
	w     []uint64 // words of all points
}

// lane returns the eight bits of a code.
func lane(code int32, missing uint64) uint64 {
	if code < 0 {
		return missing
	}
	return uint64(code) % laneCodes
}

// fill packs the codes of all points.
func (l *lanes) fill(w *workspace) {
	l.words = (w.dc + 7) / 8
	l.exact = true
	l.w = resize(l.w, len(w.rows)*l.words)
	clear(l.w)
	for _, a := range w.attrs {
		l.exact = l.exact && len(a.meta.Values) <= laneCodes
	}
	for p := range w.rows {
		packLanes(l.w[p*l.words:(p+1)*l.words], w.codes[p*w.dc:(p+1)*w.dc], pointMissing)
	}
}

func packLanes(dst []uint64, codes []int32, missing uint64) {
	clear(dst)
	for j, c := range codes {
		dst[j/8] |= lane(c, missing) << (j % 8 * 8)
	}
}

// differing returns the number of lanes in which two words differ.
func differing(a, b uint64) int {
	const low = 0x7F7F7F7F7F7F7F7F
	x := a ^ b
	return bits.OnesCount64(((x&low + low) | x) &^ low)
}
