package adjust

import "fmt"

// Pairs returns the pairs (i, j), i < j, out of m learners numbered from 0 in
// the order in which the all-pairs methods take their p-values:
//
//	(0,1), (0,2), ..., (0,m−1), (1,2), ..., (m−2,m−1)
//
// It is empty if m is less than 2.
func Pairs(m int) [][2]int {
	pairs := make([][2]int, 0, max(0, m*(m-1)/2))
	for i := range m {
		for j := i + 1; j < m; j++ {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// learners returns the m of which there are m(m−1)/2 = pairs pairs, m ≥ 2.
func learners(pairs int) (int, error) {
	m := 2
	for m*(m-1)/2 < pairs {
		m++
	}
	if m*(m-1)/2 != pairs {
		return 0, fmt.Errorf("%w: %d p-values; %d learners have %d pairs and %d have %d",
			errPairs, pairs, m-1, (m-1)*(m-2)/2, m, m*(m-1)/2)
	}
	return m, nil
}
