// Package lanes compares nominal values eight at a time. The code of each
// value takes eight bits of a word, a lane.
package lanes

import "math/bits"

// Codes is the number of codes 0, 1, ... that lanes can tell apart. A code c
// beyond has the lane of c mod Codes, so that equal codes always have equal
// lanes.
const Codes = 254

// Lanes of a missing value. The two differ from each other and from every code.
const (
	MissingA = 0xFF
	MissingB = 0xFE
)

// Words returns the number of words for n codes.
func Words(n int) int { return (n + 7) / 8 }

// Pack sets dst, which has [Words](len(codes)) words, to the lanes of codes.
// Negative codes get the lane missing, the places after the last code get 0.
func Pack(dst []uint64, codes []int32, missing uint64) {
	clear(dst)
	for j, c := range codes {
		lane := missing
		if c >= 0 {
			lane = uint64(c) % Codes
		}
		dst[j/8] |= lane << (j % 8 * 8)
	}
}

// Differences returns the number of lanes in which two words differ.
func Differences(a, b uint64) int {
	const low = 0x7F7F7F7F7F7F7F7F // all bits but the highest of each lane
	x := a ^ b
	return bits.OnesCount64(((x&low + low) | x) &^ low)
}
