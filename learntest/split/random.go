package split

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// random is the SplitMix64 generator of Steele, Lea and Flood (Fast splittable
// pseudorandom number generators, OOPSLA 2014). Its value is its state.
type random uint64

// newRandom returns the generator of one run.
func newRandom(k kind, seed uint64, run int) random {
	sum := sha256.Sum256(fmt.Appendf(nil, "learnbench split %s %s seed=%d run=%d", version, k, seed, run))
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
func (r *random) below(m int) int {
	n := uint64(m)
	x := r.next()
	if x < n { // rare, and the only case in which x can be below 2^64 mod n
		for min := -n % n; x < min; {
			x = r.next()
		}
	}
	return int(x % n)
}

// shuffle permutes a by Fisher and Yates' method from the last element down.
func shuffle[T any](r *random, a []T) {
	for i := len(a) - 1; i > 0; i-- {
		j := r.below(i + 1)
		a[i], a[j] = a[j], a[i]
	}
}
