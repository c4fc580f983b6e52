package neighbor

import "math/bits"

const (
	laneCodes    = 254  // codes that a lane of eight bits can tell apart
	pointMissing = 0xFF // lane of a missing value of a point
	queryMissing = 0xFE // lane of a missing value of a query, which differs
)

// Lanes hold the nominal codes of the points, eight attributes to a word, so
// that differences are counted by words. Equal codes have equal lanes.
type lanes struct {
	words int      // words of a point
	exact bool     // whether equal lanes are equal codes
	w     []uint64 // words of all points
}

// fill packs the codes of all points.
func (l *lanes) fill(w *workspace) {
	l.words = (w.dc + 7) / 8
	l.exact = true
	for k := range w.attrs {
		l.exact = l.exact && len(w.attrs[k].meta.Values) <= laneCodes
	}
	l.w = resize(l.w, len(w.rows)*l.words)
	for p := range w.rows {
		packLanes(l.w[p*l.words:(p+1)*l.words], w.codes[p*w.dc:(p+1)*w.dc], pointMissing)
	}
}

// packLanes sets dst to the lanes of codes.
func packLanes(dst []uint64, codes []int32, missing uint64) {
	clear(dst)
	for j, c := range codes {
		lane := missing
		if c >= 0 {
			lane = uint64(c) % laneCodes
		}
		dst[j/8] |= lane << (j % 8 * 8)
	}
}

// differences returns the number of lanes in which point p differs from the
// lanes of a query.
func (l *lanes) differences(p int, q []uint64) int {
	n := 0
	for i, x := range l.w[p*l.words:][:len(q)] {
		n += differences(x, q[i])
	}
	return n
}

// differences returns the number of lanes in which two words differ.
func differences(a, b uint64) int {
	const low = 0x7F7F7F7F7F7F7F7F // all bits but the highest of each lane
	x := a ^ b
	return bits.OnesCount64(((x&low + low) | x) &^ low)
}
