package across

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// poolLimit bounds the number of learners, and so the 2^(m−2) pools.
const poolLimit = 18

// A Pool is a set of other learners with which a pair was compared.
type Pool struct {
	Others      []int   // the other learners, ascending
	Difference  float64 // mean rank of learner I minus mean rank of learner J in this pool
	Statistic   float64 // normal deviate
	Significant bool    // decision in this pool
}

// PoolSize sums up the pools with a certain number of other learners.
type PoolSize struct {
	Others      int     // number of learners beside the pair
	Critical    float64 // what Statistic must reach, by Bonferroni's inequality
	Significant int     // number of pools in which the pair differs significantly
	Pools       []Pool  // in lexical order
}

// Depends reports whether the decision on the pair changes between pools of
// this size.
func (s PoolSize) Depends() bool { return s.Significant > 0 && s.Significant < len(s.Pools) }

// String returns the fraction of significant pools as in "7/10".
func (s PoolSize) String() string { return fmt.Sprintf("%d/%d", s.Significant, len(s.Pools)) }

// A PoolReport tells how the decision of the mean-ranks test on one pair
// depends on the other learners.
type PoolReport struct {
	DataSets, Learners int
	I, J               int        // the pair
	Alpha              float64    // level of the decisions
	Sizes              []PoolSize // Sizes[k] has k other learners, k = 0 the pair alone
	Significant        bool       // decision with all learners in the pool

	// Changes counts the pools of all sizes that decide otherwise than the pool
	// of all learners, out of Pools.
	Changes, Pools int
}

// PoolDependence runs the mean-ranks test (see [MeanRanks]) of learners i and
// j in every pool that can be made of the m learners, and counts the pools in
// which the two differ significantly at family-wise level alpha.
//
// scores[d][l] is the score of learner l on data set d; better says which
// scores are the better ones. In a pool of k learners, the pair differs
// significantly if its normal deviate is at least the upper alpha/(k(k−1))
// quantile of the normal distribution.
//
// Adding a learner to a pool changes the difference of the pair's rank sums
// by an amount that does not depend on the rest of the pool, so that each
// pool takes O(k) time after O(n·m log m + n·m) for all.
//
// It returns [stat.ErrSampleSize] for fewer than two data sets or learners or a row of another
// length, [stat.ErrNotFinite] naming the cell, [stat.ErrDomain] if i or j is not a learner, if
// i equals j, or unless 0 < alpha < 1, and errTooMany for over 18 learners (65,536 pools).
//
// Benavoli, Corani and Mangili (2016), section 4.3 and table 1, where the
// three columns are Sizes[2], Sizes[3] and Sizes[4].
func PoolDependence(scores [][]float64, better unit.Direction, i, j int, alpha float64) (PoolReport,
	error,
) {
	n, m, err := checkScores(scores, 2, 2)
	if err != nil {
		return PoolReport{}, err
	}
	if err := checkDirection(better); err != nil {
		return PoolReport{}, err
	}
	if i < 0 || j < 0 || i >= m || j >= m || i == j {
		return PoolReport{}, fmt.Errorf("%w: pair (%d, %d) of %d learners", stat.ErrDomain, i, j, m)
	}
	if !(alpha > 0 && alpha < 1) {
		return PoolReport{}, fmt.Errorf("%w: level %v", stat.ErrDomain, alpha)
	}
	if m > poolLimit {
		return PoolReport{}, fmt.Errorf("%w: %d, limit %d", errTooMany, m, poolLimit)
	}
	twice, _ := rankRows(scores, better)
	// Twice what each other learner adds to R_i − R_j, and what the two do
	// alone.
	adds := make([]int, m)
	alone := 0
	for _, row := range twice {
		alone += order(row[j], row[i]) - order(row[i], row[j])
		for l := range m {
			adds[l] += order(row[l], row[i]) - order(row[l], row[j])
		}
	}
	var others []int
	for l := range m {
		if l != i && l != j {
			others = append(others, l)
		}
	}
	r := PoolReport{DataSets: n, Learners: m, I: i, J: j, Alpha: alpha}
	for k := 0; k <= len(others); k++ {
		size := PoolSize{Others: k, Critical: bonferroniZ(k+2, alpha)}
		se := rankSE(n, k+2)
		combinations(others, k, func(pool []int) {
			sum := alone
			for _, l := range pool {
				sum += adds[l]
			}
			p := Pool{Others: append([]int(nil), pool...), Difference: float64(sum) / float64(2*n)}
			p.Statistic = math.Abs(p.Difference) / se
			p.Significant = p.Statistic >= size.Critical
			if p.Significant {
				size.Significant++
			}
			size.Pools = append(size.Pools, p)
		})
		r.Sizes = append(r.Sizes, size)
		r.Pools += len(size.Pools)
	}
	r.Significant = r.Sizes[m-2].Significant == 1
	for _, size := range r.Sizes {
		if r.Significant {
			r.Changes += len(size.Pools) - size.Significant
		} else {
			r.Changes += size.Significant
		}
	}
	return r, nil
}

// order returns by how much, doubled, a learner of doubled rank a raises the
// rank of one of doubled rank b: 2 if it is better, 1 if they tie.
func order(a, b int) int {
	switch {
	case a < b:
		return 2
	case a == b:
		return 1
	}
	return 0
}

// combinations calls f with every choice of k of the items, in lexical order.
// f must not keep the slice.
func combinations(items []int, k int, f func([]int)) {
	choice := make([]int, 0, k)
	var choose func(from int)
	choose = func(from int) {
		if len(choice) == k {
			f(choice)
			return
		}
		for i := from; i <= len(items)-(k-len(choice)); i++ {
			choice = append(choice, items[i])
			choose(i + 1)
			choice = choice[:len(choice)-1]
		}
	}
	choose(0)
}
