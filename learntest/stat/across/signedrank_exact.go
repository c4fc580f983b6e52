package across

import (
	"math"
	"slices"
)

// signedRankTails returns P(S ≥ plus) and P(S ≤ plus), where S is a random sum: a fair coin
// decides for each of the positive integers in twice whether it is added.
//
// It splits the numbers in two halves, gets the distribution of each half's
// sum by dynamic programming, and joins them in the tail only. Sums of more
// than half of the total follow by symmetry.
func signedRankTails(twice []int, plus int) (greater, less float64) {
	unit, total := 0, 0
	for _, t := range twice {
		unit = gcd(unit, t)
		total += t
	}
	// The tail that does not hold the middle, as P(S ≤ bound).
	bound := min(plus, total-plus) / unit
	sorted := slices.Sorted(slices.Values(twice))
	var halves [2][]int
	for i, t := range sorted {
		halves[i%2] = append(halves[i%2], t/unit)
	}
	a, b := coinSums(halves[0], bound), coinSums(halves[1], bound)
	for i := 1; i < len(b); i++ {
		b[i] += b[i-1]
	}
	// Going on with the last value of b, sums of a beyond its range count in
	// full.
	atMost, below := 0.0, 0.0
	for i, p := range a {
		atMost += float64(p * b[min(bound-i, len(b)-1)])
		if i < bound {
			below += float64(p * b[min(bound-1-i, len(b)-1)])
		}
	}
	if plus <= total-plus {
		return 1 - below, atMost
	}
	return atMost, 1 - below
}

// coinSums returns the probabilities of the sums 0, 1, ..., at most bound, if a fair coin
// decides for each of the numbers, in ascending order, whether it is added.
func coinSums(numbers []int, bound int) []float64 {
	total := 0
	for _, x := range numbers {
		total += x
	}
	// Counts of subsets, scaled at the end: powers of two are exact, and up to
	// exactLimit/2 numbers they do not overflow. As sums s and sum−s of the
	// numbers so far are equally frequent, the lower half is enough.
	counts := make([]float64, min(total, bound)+1)
	counts[0] = 1
	sum, known := 0, 0
	for _, x := range numbers {
		if x >= len(counts) {
			break
		}
		half := min((sum+x)/2, len(counts)-1)
		mirror(counts[:half+1], known, sum)
		known, sum = half, sum+x
		if x > half {
			continue
		}
		// Downward, so that each number is added at most once.
		from := counts[:half+1-x]
		to := counts[x : half+1][:len(from)]
		for s := len(from) - 1; s >= 0; s-- {
			to[s] += from[s]
		}
	}
	mirror(counts, known, sum)
	scale := math.Ldexp(1, -len(numbers))
	for i := range counts {
		counts[i] *= scale
	}
	return counts
}

// mirror extends counts of sums beyond those known by the symmetry about
// sum/2.
func mirror(counts []float64, known, sum int) {
	for s := known + 1; s < len(counts) && s <= sum; s++ {
		counts[s] = counts[sum-s]
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
