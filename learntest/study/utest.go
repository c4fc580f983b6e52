package study

import (
	"math"
	"slices"
)

// uTest returns the two-sided p of the U test of Mann and Whitney for two independent samples, by
// the normal approximation with corrections for ties and for continuity. If all values are equal,
// or a sample is empty, it is 1. ahead says that a has the greater ranks. This is what benchstat
// does with more than 50 values on either side; the scores of cross-validation are not such
// samples.
func uTest(a, b []float64) (p float64, ahead bool) {
	all := slices.Concat(a, b)
	slices.Sort(all)
	n, n1, n2 := float64(len(all)), float64(len(a)), float64(len(b))
	ranks, ties := 0.0, 0.0 // sum of the ranks of a, sum of t³ − t over groups of t equal values
	sorted := slices.Sorted(slices.Values(a))
	for i := 0; i < len(all); {
		end := i
		for end < len(all) && all[end] == all[i] {
			end++
		}
		own := 0
		for len(sorted) > 0 && sorted[0] == all[i] {
			sorted = sorted[1:]
			own++
		}
		ranks += float64(own) * float64(i+1+end) / 2
		t := float64(end - i)
		ties += t*t*t - t
		i = end
	}
	variance := n1 * n2 / 12 * (n + 1 - ties/(n*(n-1)))
	if !(variance > 0) {
		return 1, false
	}
	u := ranks - n1*(n1+1)/2 - n1*n2/2
	return math.Erfc(max(0, math.Abs(u)-0.5) / math.Sqrt(2*variance)), u > 0
}
