// Package weka has what learners do as Weka does where another way would give
// another result: sorting and printing numbers.
package weka

import (
	"math/bits"
	"slices"
)

// Sort sorts keys by their upper 32 bits, which must be below 1<<31, with the
// quicksort of Weka's class Utils, which leaves equal keys in an order of its
// own. Pivots are medians of the first, the middle and the last key; up to
// three keys are sorted by comparing them pairwise.
//
// Weka sorts instances in this way and then sums their weights. Where weights are fractions,
// the last digits of the sums, and the decisions that depend on them, depend on the order of
// equal values.
func Sort(keys []uint64) {
	for len(keys) > 4 {
		if len(keys) <= mostEqual && equal(keys) {
			permute(keys, equalOrders[len(keys)][:])
			return
		}
		i := partition(keys)
		Sort(keys[:i])
		keys = keys[i+1:]
	}
	switch len(keys) {
	case 2:
		keys[0], keys[1] = order(keys[0], keys[1])
	case 3:
		keys[0], keys[1], keys[2] = orderThree(keys[0], keys[1], keys[2])
	case 4:
		a, pivot, d := orderThree(keys[0], keys[1], keys[3])
		// The third key belongs on one side of the pivot; the pair on the other
		// side is in order already.
		b, c := order(pivot, keys[2])
		keys[0], keys[1] = order(a, b)
		keys[2], keys[3] = order(c, d)
	}
}

// partition moves the median of the first, the middle and the last key to its
// place, with none that is greater before and none that is smaller after it, and
// returns the place.
//
// From the left, Weka looks for a key that is not below the pivot, and from the
// right for one that is not above it; it swaps them and goes on until it passes
// the middle. Here, up to 64 keys are compared before any of them is swapped,
// since the processor cannot foresee how a comparison ends.
func partition(keys []uint64) int {
	mid, last := (len(keys)-1)/2, len(keys)-2
	var pivot uint64
	keys[0], pivot, keys[last+1] = orderThree(keys[0], keys[mid], keys[last+1])
	keys[mid], keys[last] = keys[last], pivot
	if keys[0]>>32 == keys[last+1]>>32 {
		return partitionAlike(keys)
	}
	least := pivot >> 32 << 32 // of the keys that are not below the pivot
	var left, right uint64     // a bit for each key found that is not swapped yet
	lo, from := 0, 1           // left is about keys[lo:from]
	hi, to := 0, last          // right is about keys[to:hi], the last of which has the highest bit
	if n := last - 1; n <= 64 {
		low, high := compare(keys[1:last], least)
		left, right = ^low>>(64-n), high
		lo, from, hi, to = 1, last, last, 1
	}
	i, j, swapped := 0, 0, last
	for {
		for left == 0 && from < last {
			lo, from = from, min(from+64, last)
			left = ^below(keys[lo:from], least) >> (64 - (from - lo))
		}
		for right == 0 && to > 1 {
			hi, to = to, max(to-64, 1)
			right = below(keys[to:hi], least+1<<32)
		}
		i, j = lo+bits.TrailingZeros64(left), hi-1-bits.LeadingZeros64(right)
		if i >= j {
			break
		}
		keys[i], keys[j] = keys[j], keys[i]
		swapped = j
		left &= left - 1
		right &^= 1 << 63 >> (hi - 1 - j)
	}
	i = min(i, swapped) // which was compared before it was swapped
	keys[i], keys[last] = pivot, keys[i]
	return i
}

// partitionAlike is partition after the choice of the pivot, which is the last key but one. It is
// for keys most of which are equal, so that the processor can foresee how comparisons end.
func partitionAlike(keys []uint64) int {
	last := len(keys) - 2
	pivot := keys[last] >> 32
	i, j := 0, last
	for {
		for i++; keys[i]>>32 < pivot; i++ {
		}
		for j--; keys[j]>>32 > pivot; j-- {
		}
		if i >= j {
			break
		}
		keys[i], keys[j] = keys[j], keys[i]
	}
	keys[i], keys[last] = keys[last], keys[i]
	return i
}

// below reports for each of at most 64 keys whether it is below the bound. The
// last key has the highest bit.
func below(keys []uint64, bound uint64) uint64 {
	mask := uint64(0)
	for len(keys) >= 4 {
		a, b, c, d := keys[0]-bound, keys[1]-bound, keys[2]-bound, keys[3]-bound
		mask = mask>>4 | a>>63<<60 | b>>63<<61 | c>>63<<62 | d>>63<<63
		keys = keys[4:]
	}
	for _, k := range keys {
		mask = mask>>1 | (k-bound)>>63<<63
	}
	return mask
}

// compare reports for each of at most 64 keys whether it is below the bound, and whether it is at
// most equal. The last key has the highest bit.
func compare(keys []uint64, bound uint64) (low, high uint64) {
	for len(keys) >= 4 {
		a, b, c, d := keys[0]-bound, keys[1]-bound, keys[2]-bound, keys[3]-bound
		low = low>>4 | a>>63<<60 | b>>63<<61 | c>>63<<62 | d>>63<<63
		a, b, c, d = a-1<<32, b-1<<32, c-1<<32, d-1<<32
		high = high>>4 | a>>63<<60 | b>>63<<61 | c>>63<<62 | d>>63<<63
		keys = keys[4:]
	}
	for _, k := range keys {
		k -= bound
		low = low>>1 | k>>63<<63
		high = high>>1 | (k-1<<32)>>63<<63
	}
	return low, high
}

// order returns two keys in order.
func order(a, b uint64) (uint64, uint64) {
	swap := (a ^ b) & uint64(int64(b>>32-a>>32)>>63)
	return a ^ swap, b ^ swap
}

// orderThree returns three keys in order, which have been compared pairwise.
func orderThree(a, b, c uint64) (uint64, uint64, uint64) {
	a, b = order(a, b)
	a, c = order(a, c)
	b, c = order(b, c)
	return a, b, c
}

// equal reports whether all keys are equal.
func equal(keys []uint64) bool {
	for _, k := range keys {
		if k>>32 != keys[0]>>32 {
			return false
		}
	}
	return true
}

// mostEqual is the number of equal keys up to which their order is tabulated.
const mostEqual = 64

// equalOrders has for each number of equal keys the order that Weka gives them:
// it swaps all of them, and goes on with both halves.
var equalOrders = func() (orders [mostEqual + 1][mostEqual]uint8) {
	for n := range orders {
		o := orders[n][:n]
		for i := range o {
			o[i] = uint8(i)
		}
		if n <= 4 {
			continue
		}
		mid, last := (n-1)/2, n-2
		o[mid], o[last] = o[last], o[mid]
		slices.Reverse(o[1:last])
		o[mid], o[last] = o[last], o[mid]
		permute(o[:mid], orders[mid][:])
		permute(o[mid+1:], orders[n-1-mid][:])
	}
	return orders
}()

// permute puts at most mostEqual elements into the given order.
func permute[T any](x []T, order []uint8) {
	var given [mostEqual]T
	copy(given[:], x)
	for i := range x {
		x[i] = given[order[i]]
	}
}
