package split

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// version is the version of the partitioning algorithms. A change that gives
// other partitions needs another version, since stored results name it.
const version = "v1"

// random is the SplitMix64 generator of Steele, Lea and Flood (Fast splittable
// pseudorandom number generators, OOPSLA 2014). Its value is its state.
type random uint64

// newRandom returns the generator of one run of a kind of protocol.
func newRandom(kind string, seed uint64, run int) random {
	sum := sha256.Sum256(fmt.Appendf(nil, "learnbench split %s %s seed=%d run=%d", version, kind, seed,
		run))
	return random(binary.BigEndian.Uint64(sum[:]))
}

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a uniformly distributed number in 0..m-1. m is positive.
func (r *random) below(m int) int { return int(r.below64(uint64(m))) }

func (r *random) below64(m uint64) uint64 {
	x := r.next()
	if x < m { // otherwise x is not below 2^64 mod m either
		for reject := -m % m; x < reject; {
			x = r.next()
		}
	}
	return x % m
}

// shuffle permutes a by Fisher and Yates' method from the last element down.
func shuffle[T any](r *random, a []T) {
	for i := len(a) - 1; i > 0; i-- {
		j := r.below(i + 1)
		a[i], a[j] = a[j], a[i]
	}
}
