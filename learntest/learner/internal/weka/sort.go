// Package weka has what learners do as Weka does where another way would give
// another result: sorting and printing numbers.
package weka

// Sort sorts keys by their upper 32 bits with the quicksort of Weka's class
// Utils, which leaves equal keys in an order of its own. Pivots are medians of
// the first, the middle and the last key; up to three keys are sorted by
// comparing them pairwise.
//
// Weka sorts instances in this way and then sums their weights. Where weights
// are fractions, the last digits of the sums, and what is decided by them,
// depend on the order of equal values.
func Sort(keys []uint64) {
	for {
		n := len(keys)
		switch n {
		case 0, 1:
			return
		case 2:
			order(keys, 0, 1)
			return
		case 3:
			order(keys, 0, 1)
			order(keys, 0, 2)
			order(keys, 1, 2)
			return
		}
		mid := (n - 1) / 2
		order(keys, 0, mid)
		order(keys, 0, n-1)
		order(keys, mid, n-1)
		keys[mid], keys[n-2] = keys[n-2], keys[mid]
		pivot := keys[n-2] >> 32
		i, j := 0, n-2
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
		keys[i], keys[n-2] = keys[n-2], keys[i]
		Sort(keys[:i])
		keys = keys[i+1:]
	}
}

// order swaps two keys that are out of order.
func order(keys []uint64, i, j int) {
	if keys[i]>>32 > keys[j]>>32 {
		keys[i], keys[j] = keys[j], keys[i]
	}
}
