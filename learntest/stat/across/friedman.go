package across

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
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

	// The same without the correction for ties, as printed in papers.
	Uncorrected              ChiSquared
	UncorrectedImanDavenport F

	Exact    bool // always false: the distributions are limits for many data sets
	Warnings []error
}

// Friedman tests whether m learners perform alike on n data sets.
//
// H0 is that on each data set all orders of the learners are equally
// probable; the alternative is that some learner tends to rank better than
// another. scores[i][j] is the score of learner j on data set i; better says
// which scores are the better ones. Scores need not be commensurable across
// data sets. Ranks inside a data set are midranks; scores tie if no more than
// 1e-9 of the largest absolute score on the data set apart.
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
// [ErrFewDataSets] up to 10 data sets, where the limits are rough (Demšar
// 2006, section 3.2.2).
//
// Special cases are: if all tie everywhere, the statistics are 0, p is 1 and
// the warning is [ErrNoDifference]. If all data sets order the learners
// alike, F is +Inf, its p-value is the probability of just that under H0, and
// the warning is [ErrUnanimous].
//
// It takes O(n·m log m) time. Friedman (1937), The use of ranks to avoid the
// assumption of normality, JASA 32; Iman and Davenport (1980), Approximations
// of the critical region of the Friedman statistic, Communications in
// Statistics A9; Conover (1999), Practical nonparametric statistics, section
// 5.8 for ties. Benavoli, Corani and Mangili (2016), equation 3 is the
// uncorrected statistic, with the sum to m where n is printed.
func Friedman(scores [][]float64, better Direction) (FriedmanResult, error) {
	n, m, err := checkScores(scores, 2, 2)
	if err != nil {
		return FriedmanResult{}, err
	}
	if err := better.check(); err != nil {
		return FriedmanResult{}, err
	}
	twice, ties := rankRows(scores, better)
	r := FriedmanResult{DataSets: n, Learners: m, MeanRanks: meanRanks(twice)}
	nf, mf := float64(n), float64(m)

	// All sums are of integers and exact: four times those of the formula.
	between := 0.0
	for j := range m {
		d := -n * (m + 1)
		for i := range n {
			d += twice[i][j]
		}
		between += float64(d) * float64(d)
	}
	tieSum := 0.0
	for _, t := range ties {
		tieSum += t
	}
	full := nf * (mf*mf*mf - mf) / 3 // four times the sum of squares without ties
	within := full - tieSum/3
	r.TieCorrection = 1 - tieSum/(nf*(mf*mf*mf-mf))

	allAlike := 1.0
	if between == nf*within {
		for _, row := range twice[1:] {
			allAlike /= arrangements(row)
		}
	}
	r.ChiSquared, r.ImanDavenport = friedmanStatistics(nf, mf, between, within, allAlike)
	r.Uncorrected, r.UncorrectedImanDavenport = friedmanStatistics(nf, mf, between, full, allAlike)
	if within > 0 {
		r.KendallW = between / (nf * within)
	}

	switch {
	case within == 0:
		r.TieCorrection = 0
		r.Warnings = append(r.Warnings, ErrNoDifference)
	case between == nf*within:
		r.Warnings = append(r.Warnings, fmt.Errorf("%w on the order of the learners: F is infinite", ErrUnanimous))
	}
	if n <= 10 {
		r.Warnings = append(r.Warnings, fmt.Errorf("%w: %d; the χ² and F limits need more than 10", ErrFewDataSets, n))
	}
	return r, nil
}

// friedmanStatistics returns the statistics of n data sets and m learners
// from four times the sums of squares between learners and in total.
func friedmanStatistics(n, m, between, total, allAlike float64) (ChiSquared, F) {
	chi := ChiSquared{DF: m - 1, P: 1}
	f := F{DF1: m - 1, DF2: (m - 1) * (n - 1), P: 1}
	if total > 0 {
		chi.Statistic = (m - 1) * between / total
		chi.P = dist.ChiSquaredSF(chi.Statistic, chi.DF)
		f.Statistic = (n - 1) * between / (n*total - between)
		f.P = dist.FSF(f.Statistic, f.DF1, f.DF2)
	}
	if total > 0 && between == n*total {
		f.Statistic, f.P = math.Inf(1), allAlike
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
