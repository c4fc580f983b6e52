// Package javarand is the pseudo-random generator of Java's java.util.Random,
// whose sequence the Java platform fixes. Weka draws its folds and its
// shuffles from it.
package javarand

const (
	multiplier = 0x5DEECE66D
	increment  = 0xB
	mask       = 1<<48 - 1
)

// A Random is a 48-bit linear congruential generator. It must be made by
// [New] and must not be used by several goroutines at once.
type Random struct {
	state uint64
}

// New returns a generator that yields the sequence of new Random(seed).
func New(seed int64) *Random {
	return &Random{state: (uint64(seed) ^ multiplier) & mask}
}

// next advances the state and returns its highest bits, as a signed number if
// bits is 32.
func (r *Random) next(bits uint) int32 {
	r.state = (r.state*multiplier + increment) & mask
	return int32(r.state >> (48 - bits))
}

// Int32 returns a number from the whole range of an int32, as nextInt().
func (r *Random) Int32() int32 { return r.next(32) }

// Intn returns a number in [0, n), as nextInt(n). It panics if n is not
// positive or does not fit in an int32.
func (r *Random) Intn(n int) int {
	if n <= 0 || int(int32(n)) != n {
		panic("javarand: argument to Intn is out of range")
	}
	k := int32(n)
	if k&(k-1) == 0 {
		return int(int64(k) * int64(r.next(31)) >> 31)
	}
	for {
		bits := r.next(31)
		v := bits % k
		// Wraps around if bits lies in the last, incomplete block of k numbers.
		if bits-v+(k-1) >= 0 {
			return int(v)
		}
	}
}

// Float64 returns a multiple of 2^-53 in [0, 1), as nextDouble().
func (r *Random) Float64() float64 {
	hi := int64(r.next(26)) << 27
	return float64(hi+int64(r.next(27))) * 0x1p-53
}

// Shuffle permutes n elements by swapping the last one with a random one at
// or before it, then the last but one, and so on: the order in which Weka
// consumes the generator when it randomises instances.
func (r *Random) Shuffle(n int, swap func(i, j int)) {
	for j := n - 1; j > 0; j-- {
		swap(j, r.Intn(j+1))
	}
}
