package across

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A ChiSquared is a statistic with its p-value on the χ² distribution.
type ChiSquared struct {
	Statistic float64
	DF        float64 // degrees of freedom
	P         float64
}

// An F is a statistic with its p-value on Snedecor's F distribution.
type F struct {
	Statistic float64
	DF1, DF2  float64 // degrees of freedom
	P         float64
}

// A FriedmanResult is the outcome of Friedman's test.
type FriedmanResult struct {
	DataSets, Learners int
	MeanRanks          []float64 // of each learner over the data sets, 1 the best

	// TieCorrection is 1 − Σ(t³−t)/(n(m³−m)) over the groups of t ties inside
	// data sets: 1 without ties, 0 if all learners tie everywhere.
	TieCorrection float64

	ChiSquared    ChiSquared // Friedman's statistic, corrected for ties
	ImanDavenport F          // from the corrected statistic
	KendallW      float64    // Kendall's coefficient of concordance, from 0 to 1, corrected for ties

	// The statistics without the correction for ties, as printed in papers.
	Uncorrected              ChiSquared
	UncorrectedImanDavenport F

	// Exact says that the p-value of an infinite F is exact: see errUnanimous. The
	// distributions of all other statistics are limits for many data sets.
	Exact    bool
	Warnings []error
}

// Friedman tests whether m learners perform alike on n data sets.
//
// H0 is that on each data set all orders of the learners are equally
// probable; the alternative is that some learner tends to rank better than
// another. scores[i][j] is the score of learner j on data set i; better says
// which scores are the better ones. Scores need not be commensurable across
// data sets. Ranks inside a data set are midranks; scores tie as [stat.Tied]
// says.
//
// With R_j the sum of the ranks r_ij of learner j, the statistic is
//
//	χ² = (m−1)·Σ_j (R_j − n(m+1)/2)² / (Σ_ij r_ij² − n·m(m+1)²/4)
//	   = 12/(nm(m+1))·Σ_j (R_j − n(m+1)/2)²  without ties
//	F  = (n−1)χ²/(n(m−1)−χ²)
//	W  = χ²/(n(m−1))
//
// χ² has m−1 degrees of freedom. Iman and Davenport's F, on m−1 and
// (m−1)(n−1), is less conservative and to be preferred. W is Kendall's
// coefficient of concordance.
//
// A small p-value says that some learners differ, not which; use [Pairwise]
// for that.
//
// It returns [stat.ErrSampleSize] for fewer than two data sets or learners or
// a row of another length, [stat.ErrNotFinite] naming the cell, and
// [stat.ErrDomain] for a direction that does not exist. It warns with
// errFewDataSets up to 10 data sets, where the limits are rough (Demšar
// 2006, section 3.2.2).
//
// Special cases are: if all tie everywhere, the statistics are 0, p is 1 and the warning is
// [ErrNoDifference]. If all data sets order the learners alike, F is +Inf, its p-value is the
// probability of just that order under H0, (m!)^(1−n) without ties, and the warning is
// errUnanimous. That p is exact, where the limit would be 0 even for two data sets. Do not
// compare it with approximate p-values: neither with the p of χ² beside it nor with the p of F
// on data sets that agree less, which can be smaller.
//
// It takes O(n·m log m) time. Friedman (1937), The use of ranks to avoid the
// assumption of normality, JASA 32; Iman and Davenport (1980), Approximations
// of the critical region of the Friedman statistic, Communications in
// Statistics A9; Conover (1999), Practical nonparametric statistics, section
// 5.8 for ties. Benavoli, Corani and Mangili (2016), equation 3 is the
// uncorrected statistic, with the sum to m where n is printed.
func Friedman(scores [][]float64, better unit.Direction) (FriedmanResult, error) {
	n, m, err := checkScores(scores, 2, 2)
	if err != nil {
		return FriedmanResult{}, err
	}
	if err := checkDirection(better); err != nil {
		return FriedmanResult{}, err
	}
	twice, ties := rankRows(scores, better)
	r := FriedmanResult{DataSets: n, Learners: m, MeanRanks: meanRanks(twice)}
	nf, mf := float64(n), float64(m)

	s := sumBlocks(n, m, func(i, j int) int64 { return int64(twice[i][j] - (m + 1)) })
	tieSum := 0.0
	for _, t := range ties {
		tieSum += t
	}
	r.TieCorrection = 1 - tieSum/(nf*(mf*mf*mf-mf))

	r.ChiSquared, r.ImanDavenport = friedmanStatistics(nf, mf, s.between, s.total, s.residual)
	// Without ties the sum of squares would be larger by a third of the tie sum.
	r.Uncorrected, r.UncorrectedImanDavenport = friedmanStatistics(nf, mf, s.between, s.total+tieSum/3,
		s.residual+nf*tieSum/3)
	switch {
	case s.total == 0:
		r.TieCorrection = 0
		r.Warnings = append(r.Warnings, ErrNoDifference)
	case s.agree:
		r.KendallW, r.Exact = 1, true
		r.ImanDavenport.Statistic, r.ImanDavenport.P = math.Inf(1), agreementP(n, twice[0])
		if tieSum == 0 {
			r.UncorrectedImanDavenport = r.ImanDavenport
		}
		r.Warnings = append(r.Warnings, errAgree)
	default:
		r.KendallW = s.between / (nf * s.total)
	}
	if n <= 10 {
		r.Warnings = append(r.Warnings, fmt.Errorf("%w: %d; the χ² and F limits need more than 10",
			errFewDataSets, n))
	}
	return r, nil
}

// friedmanStatistics returns the statistics of n data sets and m learners from
// four times the sums of squares between learners, in total, and of n times the
// latter less the former. F is left at 0 where that is 0.
func friedmanStatistics(n, m, between, total, residual float64) (ChiSquared, F) {
	chi := ChiSquared{DF: m - 1, P: 1}
	f := F{DF1: m - 1, DF2: (m - 1) * (n - 1), P: 1}
	if total > 0 {
		chi.Statistic = (m - 1) * between / total
		chi.P = dist.ChiSquaredSF(chi.Statistic, chi.DF)
	}
	if residual > 0 {
		f.Statistic = (n - 1) * between / residual
		f.P = dist.FSF(f.Statistic, f.DF1, f.DF2)
	}
	return chi, f
}

// meanRanks returns the mean rank of each column of doubled ranks.
func meanRanks(twice [][]int) []float64 {
	out := make([]float64, len(twice[0]))
	for j := range out {
		sum := 0
		for _, row := range twice {
			sum += row[j]
		}
		out[j] = float64(sum) / float64(2*len(twice))
	}
	return out
}
