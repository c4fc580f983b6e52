package across

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A CochranResult is the outcome of Cochran's Q test.
type CochranResult struct {
	Examples, Learners int   // how many there are
	Informative        int   // examples on which not all learners are alike
	Successes          []int // number of successes of each learner
	ChiSquared         ChiSquared
	Exact              bool // always false
	Warnings           []error
}

// CochranQ tests whether m learners succeed equally often, from outcomes that
// are either a success or not: correct predictions on one test set, or data
// sets on which a goal was reached.
//
// H0 is that on each example all assignments of its outcomes to the learners
// are equally probable. success[i][j] is the outcome of learner j on example
// i. With G_j the successes of learner j, L_i those on example i, and T their
// total,
//
//	Q = (m−1)(m·Σ G_j² − T²) / (m·T − Σ L_i²)
//
// on m−1 degrees of freedom. For two learners it is McNemar's test without
// correction for continuity.
//
// It returns [stat.ErrSampleSize] if there are no examples, fewer than two
// learners, or a row of another length. If no example tells the learners
// apart, Q is 0, p is 1 and the warning is [ErrNoDifference]. It warns with
// errFewDataSets if fewer than 4 informative examples or fewer than 24
// outcomes on them make the limit rough (Tate and Brown 1970). It takes
// O(n·m) time.
//
// Cochran (1950), The comparison of percentages in matched samples,
// Biometrika 37.
func CochranQ(success [][]bool) (CochranResult, error) {
	if len(success) == 0 {
		return CochranResult{}, fmt.Errorf("%w: no examples", stat.ErrSampleSize)
	}
	n, m := len(success), len(success[0])
	if m < 2 {
		return CochranResult{}, fmt.Errorf("%w: %d learners, need at least 2", stat.ErrSampleSize, m)
	}
	r := CochranResult{Examples: n, Learners: m, Successes: make([]int, m)}
	mixed := 0.0 // Σ L_i(m − L_i)
	for i, row := range success {
		if len(row) != m {
			return CochranResult{}, fmt.Errorf("example %d: %w: %d outcomes, example 0 has %d",
				i, stat.ErrSampleSize, len(row), m)
		}
		l := 0
		for j, ok := range row {
			if ok {
				l++
				r.Successes[j]++
			}
		}
		if l > 0 && l < m {
			r.Informative++
		}
		mixed += float64(l) * float64(m-l)
	}
	total := 0
	for _, g := range r.Successes {
		total += g
	}
	between := 0.0 // m times Σ (m·G_j − T)²
	for _, g := range r.Successes {
		d := float64(m*g - total)
		between += d * d
	}
	mf := float64(m)
	r.ChiSquared = ChiSquared{DF: mf - 1, P: 1}
	if mixed == 0 {
		r.Warnings = append(r.Warnings, ErrNoDifference)
		return r, nil
	}
	r.ChiSquared.Statistic = (mf - 1) * (between / mf) / mixed
	r.ChiSquared.P = dist.ChiSquaredSF(r.ChiSquared.Statistic, r.ChiSquared.DF)
	if r.Informative < 4 || r.Informative*m < 24 {
		r.Warnings = append(r.Warnings, fmt.Errorf(
			"%w: the χ² limit needs 4 informative examples and 24 outcomes on them, there are %d and %d",
			errFewDataSets, r.Informative, r.Informative*m))
	}
	return r, nil
}
