package across

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/learnbench/learnbench/learntest/stat/internal/rank"
	"github.com/learnbench/learnbench/learntest/unit"
)

// An AlignedRanksResult is the outcome of the aligned-ranks test.
type AlignedRanksResult struct {
	DataSets, Learners int
	MeanRanks          []float64 // mean aligned rank of each learner, out of n·m; smaller is better
	ChiSquared         ChiSquared
	Exact              bool // always false
	Warnings           []error
}

// AlignedRanks is Friedman's test on aligned ranks: from each score the mean
// of its data set is subtracted, and all n·m results are ranked together.
//
// H0 is that on each data set all assignments of the scores to the learners are equally
// probable. scores[i][j] is the score of learner j on data set i; scores must be commensurable
// across data sets, otherwise use [Friedman]. For few learners it has more power than
// Friedman's test. With R_j the rank sum of learner j and T_i the rank sum of data set i,
//
//	χ² = (m−1)(Σ_j R_j² − mn²(mn+1)²/4) / (mn(mn+1)(2mn+1)/6 − Σ_i T_i²/m)
//
// on m−1 degrees of freedom. Aligned scores tie if no more than
// [stat.TieTolerance] of the largest absolute score of their data sets apart
// (see [stat.Tied]); ties get midranks, the denominator is not corrected for
// them.
//
// It returns [stat.ErrSampleSize] for fewer than two data sets or learners or
// a row of another length, [stat.ErrNotFinite] naming the cell, and
// [stat.ErrDomain] for a direction that does not exist. If all tie
// everywhere, the statistic is 0, p is 1 and the warning is
// [ErrNoDifference].
//
// It takes O(n·m log(n·m)) time. Hodges and Lehmann (1962), Rank methods for
// combination of independent experiments, Annals of Mathematical Statistics
// 33; García, Fernández, Luengo and Herrera (2010), Information Sciences 180,
// section 3.
func AlignedRanks(scores [][]float64, better unit.Direction) (AlignedRanksResult, error) {
	n, m, err := checkScores(scores, 2, 2)
	if err != nil {
		return AlignedRanksResult{}, err
	}
	if err := checkDirection(better); err != nil {
		return AlignedRanksResult{}, err
	}
	aligned, slack := make([]float64, 0, n*m), make([]float64, 0, n*m)
	for i, row := range scores {
		mean := 0.0
		own := rank.Slack(slices.Max(row), slices.Min(row))
		for _, v := range row {
			mean += v / float64(m)
		}
		for _, v := range row {
			a := mean - v
			if better == unit.Lower {
				a = v - mean
			}
			if notFinite(a) {
				return AlignedRanksResult{}, fmt.Errorf("data set %d: %w", i, errRange)
			}
			aligned, slack = append(aligned, a), append(slack, own)
		}
	}
	twice := make([]int, n*m)
	ties := new(rank.Ranker).Midranks(aligned, slack, twice)

	r := AlignedRanksResult{DataSets: n, Learners: m, MeanRanks: make([]float64, m)}
	nf, mf := float64(n), float64(m)
	all := nf * mf
	// Deviations from the mean rank, doubled, so that the squares stay small.
	var between, rows float64
	for j := range m {
		d := -nf * (all + 1)
		for i := range n {
			d += float64(twice[i*m+j])
		}
		between += float64(d * d)
		r.MeanRanks[j] = 0.5 * (d/nf + all + 1)
	}
	for i := range n {
		d := -mf * (all + 1)
		for j := range m {
			d += float64(twice[i*m+j])
		}
		rows += float64(d * d)
	}
	r.ChiSquared = ChiSquared{DF: mf - 1, P: 1}
	if ties == all*all*all-all {
		r.Warnings = append(r.Warnings, ErrNoDifference)
		return r, nil
	}
	r.ChiSquared.Statistic = (mf - 1) * between / (all*(all*all-1)/3 - rows/mf)
	r.ChiSquared.P = dist.ChiSquaredSF(r.ChiSquared.Statistic, r.ChiSquared.DF)
	return r, nil
}
