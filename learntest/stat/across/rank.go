package across

import (
	"cmp"
	"slices"
)

// A ranker ranks values, and is reused so that it allocates but once.
type ranker struct {
	order []int
}

// rank sets twice[i] to twice the midrank of x[i], 1 the smallest. Neighbours
// in sorted order tie if they are no more than tol apart. Twice the rank is
// an integer, so that everything up to the final division is exact. It
// returns the sum of t³−t over the groups of t ties.
func (r *ranker) rank(x []float64, tol float64, twice []int) (ties float64) {
	if cap(r.order) < len(x) {
		r.order = make([]int, len(x))
	}
	order := r.order[:len(x)]
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	for lo := 0; lo < len(order); {
		hi := lo + 1
		for hi < len(order) && x[order[hi]]-x[order[hi-1]] <= tol {
			hi++
		}
		for _, i := range order[lo:hi] {
			twice[i] = lo + 1 + hi
		}
		t := float64(hi - lo)
		ties += t*t*t - t
		lo = hi
	}
	return ties
}

// rankRows returns twice the ranks inside each row, 1 the best, and the tie
// sum of each. Ties are judged by the largest score of the row alone, since
// different data sets need not be commensurable.
func rankRows(scores [][]float64, better Direction) (twice [][]int, ties []float64) {
	n, m := len(scores), len(scores[0])
	var r ranker
	ties = make([]float64, n)
	twice = make([][]int, n)
	cells := make([]int, n*m)
	x := make([]float64, m)
	for i, row := range scores {
		for j, v := range row {
			x[j] = -better.sign() * v
		}
		twice[i] = cells[i*m : (i+1)*m : (i+1)*m]
		ties[i] = r.rank(x, tieTolerance*largest(row), twice[i])
	}
	return twice, ties
}

// arrangements returns in how many different ways m ranks can be assigned
// whose midranks are half of the given ones: m!/Π t! over the groups of ties.
func arrangements(twice []int) float64 {
	sorted := slices.Sorted(slices.Values(twice))
	ways, run := 1.0, 0
	for i := range sorted {
		run++
		if i > 0 && sorted[i] != sorted[i-1] {
			run = 1
		}
		ways *= float64(i+1) / float64(run)
	}
	return ways
}
