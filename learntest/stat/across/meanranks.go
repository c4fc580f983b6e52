package across

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A RankDifference compares the mean ranks of two learners.
type RankDifference struct {
	I, J       int     // the learners, I < J
	Difference float64 // mean rank of I minus mean rank of J: negative if I ranks better
	Statistic  float64 // normal deviate |Difference|/SE
	P          float64 // two-sided, for this pair alone
	Bonferroni float64 // P adjusted for all pairs
	Nemenyi    float64 // adjusted for all pairs by the studentized range
}

// A MeanRanksResult is the outcome of the mean-ranks test.
type MeanRanksResult struct {
	DataSets, Learners int
	MeanRanks          []float64        // of each learner over the data sets, 1 the best
	SE                 float64          // standard error of the difference of two mean ranks under H0
	Pairs              []RankDifference // of all learners, in the order of the first learner
	Exact              bool             // always false
	Warnings           []error          // always holds errPoolDependent
}

// MeanRanks is the mean-ranks test of all pairs of m learners over n data
// sets, also known as Nemenyi's test: a post-hoc test after [Friedman].
//
// Note: Benavoli, Corani and Mangili (2016) show that this test must not be relied on. Whether
// learners A and B differ significantly depends on the ranks of the others: they can create a
// difference and hide one, and the family-wise error rate is not controlled unless all
// learners are alike. [PoolDependence] shows by how much; use [Pairwise], which does not have
// this problem. The test is here because many papers report it.
//
// scores[i][j] is the score of learner j on data set i; better says which
// scores are the better ones. With R̄ the mean midranks of [Friedman],
//
//	z = |R̄_i − R̄_j| / √(m(m+1)/(6n))
//
// is compared with the normal distribution (equation 4 of the paper), and z√2
// with the range of m normal variables. There is no correction for ties.
// Pairs are in the order (0,1), (0,2), ..., (m−2,m−1).
//
// It returns [stat.ErrSampleSize] for fewer than two data sets or learners or
// a row of another length, [stat.ErrNotFinite] naming the cell, and
// [stat.ErrDomain] for a direction that does not exist. It takes O(n·m log m
// + m²) time.
//
// Nemenyi (1963), Distribution-free multiple comparisons; Demšar (2006), JMLR
// 7, section 3.2.2.
func MeanRanks(scores [][]float64, better unit.Direction) (MeanRanksResult, error) {
	n, m, err := checkScores(scores, 2, 2)
	if err != nil {
		return MeanRanksResult{}, err
	}
	if err := checkDirection(better); err != nil {
		return MeanRanksResult{}, err
	}
	twice, _ := rankRows(scores, better)
	r := MeanRanksResult{
		DataSets: n, Learners: m, MeanRanks: meanRanks(twice), SE: rankSE(n, m),
		Pairs: make([]RankDifference, 0, m*(m-1)/2),
		Warnings: []error{fmt.Errorf(
			"%w: the mean-ranks test is not to be relied on; compare pairs by signed ranks or signs",
			errPoolDependent)},
	}
	for i := range m {
		for j := i + 1; j < m; j++ {
			sum := 0
			for _, row := range twice {
				sum += row[i] - row[j]
			}
			p := RankDifference{I: i, J: j, Difference: float64(sum) / float64(2*n)}
			p.Statistic = math.Abs(p.Difference) / r.SE
			p.P = min(1, 2*dist.NormalSF(p.Statistic))
			p.Bonferroni = min(1, p.P*float64(m*(m-1)/2))
			p.Nemenyi = dist.RangeSF(p.Statistic*math.Sqrt2, m, math.Inf(1))
			r.Pairs = append(r.Pairs, p)
		}
	}
	return r, nil
}

// rankSE returns the standard error of the difference of two mean ranks.
func rankSE(n, m int) float64 {
	return math.Sqrt(float64(m) * float64(m+1) / (6 * float64(n)))
}

// Critical holds the critical differences of two mean ranks, and the normal deviates behind
// them.
type Critical struct {
	DataSets, Learners int
	Alpha              float64 // family-wise level

	// Bonferroni is the critical difference for all pairs by Bonferroni's
	// inequality, as in Benavoli, Corani and Mangili (2016), equation 4; the
	// two-sided tests are each at level Alpha/(m(m−1)/2).
	Bonferroni, BonferroniZ float64

	// Nemenyi is the critical difference for all pairs by the studentized range;
	// NemenyiZ is that range's quantile over √2, the q_α of Demšar (2006), table
	// 5a.
	Nemenyi, NemenyiZ float64

	// Dunn is the critical difference between a control and each other learner
	// by Bonferroni's inequality, m−1 two-sided tests (Demšar 2006, table 5b).
	Dunn, DunnZ float64
}

// CriticalDifference returns the critical differences of mean ranks of m
// learners over n data sets at the family-wise level alpha. The note of
// [MeanRanks] applies.
//
// It returns [stat.ErrSampleSize] if n is not positive or m is less than 2,
// and [stat.ErrDomain] unless 0 < alpha < 1.
func CriticalDifference(n, m int, alpha float64) (Critical, error) {
	if n < 1 || m < 2 {
		return Critical{}, fmt.Errorf("%w: %d data sets, %d learners", stat.ErrSampleSize, n, m)
	}
	if !(alpha > 0 && alpha < 1) {
		return Critical{}, fmt.Errorf("%w: level %v", stat.ErrDomain, alpha)
	}
	c := Critical{
		DataSets: n, Learners: m, Alpha: alpha,
		BonferroniZ: bonferroniZ(m, alpha),
		NemenyiZ:    dist.RangeInvSF(alpha, m, math.Inf(1)) / math.Sqrt2,
		DunnZ:       dist.NormalInvSF(alpha / (2 * float64(m-1))),
	}
	se := rankSE(n, m)
	c.Bonferroni, c.Nemenyi, c.Dunn = c.BonferroniZ*se, c.NemenyiZ*se, c.DunnZ*se
	return c, nil
}

// bonferroniZ returns the upper α/(m(m−1)) quantile of the normal
// distribution.
func bonferroniZ(m int, alpha float64) float64 {
	return dist.NormalInvSF(alpha / (float64(m) * float64(m-1)))
}
