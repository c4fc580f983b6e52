package across

import (
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/learnbench/learnbench/learntest/stat/internal/rank"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A QuadeResult is the outcome of Quade's test.
type QuadeResult struct {
	DataSets, Learners int

	// WeightedRanks are the mean ranks of the learners, 1 the best, with each
	// data set weighted by the rank of the range of its scores.
	WeightedRanks []float64

	F        F
	Exact    bool // F.P is exact: see errUnanimous
	Warnings []error
}

// Quade tests whether m learners perform alike on n data sets, and gives more
// weight to those data sets on which the learners differ more.
//
// H0 is that on each data set all orders of the learners are equally
// probable. scores[i][j] is the score of learner j on data set i. The ranges
// of the scores must be comparable between data sets, otherwise use
// [Friedman]. With r_ij the midrank of learner j on data set i and Q_i the
// midrank of the range of that data set's scores,
//
//	S_ij = Q_i·(r_ij − (m+1)/2),  A = Σ S_ij²,  B = Σ_j (Σ_i S_ij)²/n
//	F = (n−1)B/(A−B)
//
// on m−1 and (m−1)(n−1) degrees of freedom. Scores of a data set, and the
// differences that are the ranges, tie as [stat.Tied] says.
//
// It returns [stat.ErrSampleSize] for fewer than two data sets or learners or
// a row of another length, [stat.ErrNotFinite] naming the cell, and
// [stat.ErrDomain] for a direction that does not exist.
//
// Special cases are: if all tie everywhere, F is 0, p is 1 and the warning is
// [ErrNoDifference]. If all data sets order the learners alike and have equal weights, F is +Inf,
// p is the probability of just that order under H0, and the warning is errUnanimous, which
// forbids to compare that p with an approximate one.
//
// It takes O(n·m log m + n log n) time. Quade (1979), Using weighted rankings
// in the analysis of complete blocks with additive block effects, JASA 74;
// Conover (1999), Practical nonparametric statistics, section 5.8.
func Quade(scores [][]float64, better unit.Direction) (QuadeResult, error) {
	n, m, err := checkScores(scores, 2, 2)
	if err != nil {
		return QuadeResult{}, err
	}
	if err := checkDirection(better); err != nil {
		return QuadeResult{}, err
	}
	twice, _ := rankRows(scores, better)
	ranges, slack := make([]float64, n), make([]float64, n)
	for i, row := range scores {
		most, least := slices.Max(row), slices.Min(row)
		ranges[i], slack[i] = most-least, rank.Slack(most, least)
		if notFinite(ranges[i]) {
			return QuadeResult{}, fmt.Errorf("data set %d: %w", i, errRange)
		}
	}
	weights := make([]int, n)
	new(rank.Ranker).Midranks(ranges, slack, weights)

	r := QuadeResult{DataSets: n, Learners: m, WeightedRanks: make([]float64, m)}
	// Four times S, an integer.
	s := sumBlocks(n, m, func(i, j int) int64 { return int64(weights[i]) * int64(twice[i][j]-(m+1)) })
	nf, mf := float64(n), float64(m)
	// The sum of the doubled weights is the sum of the doubled ranks, n(n+1).
	for j, sum := range s.columns {
		r.WeightedRanks[j] = 0.5 * (mf + 1 + float64(sum)/(nf*(nf+1)))
	}
	r.F = F{DF1: mf - 1, DF2: (mf - 1) * (nf - 1), P: 1}
	switch {
	case s.total == 0:
		r.Warnings = append(r.Warnings, ErrNoDifference)
	case s.agree:
		r.F.Statistic, r.F.P, r.Exact = math.Inf(1), agreementP(n, twice[0]), true
		r.Warnings = append(r.Warnings, errAgree)
	default:
		r.F.Statistic = (nf - 1) * s.between / s.residual
		r.F.P = dist.FSF(r.F.Statistic, r.F.DF1, r.F.DF2)
	}
	return r, nil
}
