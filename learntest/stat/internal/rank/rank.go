// Package rank ranks scores and their differences, and decides which of them
// tie: the one place that does.
package rank

import (
	"cmp"
	"math"
	"slices"
)

// Tolerance is the fraction of scores by which they may differ and still tie.
// Scores are rounded, and their differences once more, which breaks ties that
// are there.
const Tolerance = 1e-9

// Slack returns how far the difference of two scores, or one of them, may be
// from another value that it ties with: Tolerance of the larger one. What other
// scores there are does not matter, so that one that diverged makes no ties
// among the rest.
func Slack(a, b float64) float64 { return Tolerance * max(math.Abs(a), math.Abs(b)) }

// Tied reports whether two scores tie.
func Tied(a, b float64) bool { return math.Abs(a-b) <= Slack(a, b) }

// A Ranker ranks values, and is reused so that it allocates but once.
type Ranker struct {
	order []int
}

// Midranks sets twice[i] to twice the midrank of x[i], 1 the smallest: an
// integer, so that everything up to the final division is exact. It returns the
// sum of t³−t over the groups of t ties.
//
// Two values tie if they are no farther apart than the larger of their slacks.
// In ascending order each ties with the first of its group, not with its
// neighbour, so that ties do not chain; of equal values that with the smaller
// slack is first, so that the order of x does not matter.
func (r *Ranker) Midranks(x, slack []float64, twice []int) (ties float64) {
	if cap(r.order) < len(x) {
		r.order = make([]int, len(x))
	}
	order := r.order[:len(x)]
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(slack[a], slack[b]))
	})
	for lo := 0; lo < len(order); {
		first := order[lo]
		hi := lo + 1
		for hi < len(order) && x[order[hi]]-x[first] <= max(slack[first], slack[order[hi]]) {
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

// A Zero says what becomes of differences of scores that tie.
type Zero uint8

// The rules.
const (
	Drop  Zero = iota // left out before ranking
	Pratt             // ranked, then left out with their ranks
	Split             // ranked, and half of their ranks given to each side
)

// Signed are the signed ranks of differences, all of them doubled.
type Signed struct {
	Ranked      int   // differences that were ranked
	Tied        bool  // some of the counted values tie
	Twice       []int // ranks of the differences that are not zero
	Plus, Minus int64 // sums of Twice over the positive and negative differences
	Split       int64 // sum over the zeros that both sides share

	// Squares is the sum of squares of all ranks that count.
	Squares float64
}

// SignedRanks ranks the absolute differences a[i] − b[i] of finite scores. A
// difference is zero if its two scores tie.
func SignedRanks(a, b []float64, zeros Zero) Signed {
	var x, slack []float64
	var sign []int8
	for i := range a {
		d, s := a[i]-b[i], int8(1)
		switch tied := Tied(a[i], b[i]); {
		case tied && zeros == Drop:
			continue
		case tied:
			d, s = 0, 0
		case d < 0:
			s = -1
		}
		x, slack, sign = append(x, math.Abs(d)), append(slack, Slack(a[i], b[i])), append(sign, s)
		if s == 0 {
			slack[len(slack)-1] = 0
		}
	}
	// A zero is exactly 0 by now, and every other difference exceeds its slack:
	// zeros tie with zeros alone.
	r := Signed{Ranked: len(x)}
	twice := make([]int, len(x))
	ties := new(Ranker).Midranks(x, slack, twice)
	for i, s := range sign {
		t := twice[i]
		switch {
		case s > 0:
			r.Plus += int64(t)
		case s < 0:
			r.Minus += int64(t)
		case zeros == Split:
			r.Split += int64(t)
		}
		if s != 0 {
			r.Twice = append(r.Twice, t)
		}
		if s != 0 || zeros == Split {
			r.Squares += float64(float64(t) * float64(t))
		}
	}
	if zeros == Pratt {
		z := float64(len(x) - len(r.Twice))
		ties -= z*z*z - z
	}
	r.Tied = ties > 0
	return r
}
