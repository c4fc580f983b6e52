package replicate

import (
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
)

// A Conclusion is the joint result of several partitions of a data set.
type Conclusion uint8

// The conclusions. The zero value is that there are too few partitions for any
// of the others.
const (
	TooFewPartitions Conclusion = iota
	CandidateBetter             // the mean t is significantly positive
	BaselineBetter              // the mean t is significantly negative
	NotSignificant              // the mean t is not significant
)

// String returns the conclusion in words.
func (c Conclusion) String() string {
	words := []string{"too few partitions", "candidate better", "baseline better", "not significant"}
	if int(c) < len(words) {
		return words[c]
	}
	return fmt.Sprintf("Conclusion(%d)", uint8(c))
}

// A Sufficiency says whether the partitions were enough for a conclusion.
type Sufficiency struct {
	Partitions int
	MeanT      float64 // mean of the partitions' t
	SE         float64 // its standard error over partitions
	Critical   float64 // upper α₁ point of one partition's t
	Threshold  float64 // upper α₂ point of t with Partitions−1 degrees of freedom

	// The statistics of the three tests: the distance of MeanT beyond Critical,
	// beyond −Critical, and inside of both, in standard errors. One above
	// Threshold establishes its conclusion.
	Candidate, Baseline, Neither float64

	Conclusion Conclusion
}

// PartitionSufficiency tests whether the t statistics ts of one test on several
// partitions of a data set are enough to be confident, at level alpha2, of what
// their mean says at level alpha1 (one tail of the test's t with df degrees of
// freedom; 0.025 for a two-sided test at 5%). There are three mirrored tests,
// of which at most one succeeds:
//
//	( t̄ − t_α1,df)/(sd(t)/√n) > t_α2,n−1   the candidate is better
//	(−t̄ − t_α1,df)/(sd(t)/√n) > t_α2,n−1   the baseline is better
//	(t_α1,df − |t̄|)/(sd(t)/√n) > t_α2,n−1  there is no significant difference
//
// It returns an error that wraps [stat.ErrSampleSize] if there are fewer than two
// statistics, [stat.ErrNotFinite], naming the index, if one is NaN or infinite, and
// [stat.ErrDomain] unless df is positive and both levels are between 0 and 0.5.
// Special case: if the statistics are all equal up to round-off, SE is 0 and
// the test statistics are infinite, or 0 on the boundary itself.
//
// Where the partitions are runs of cross-validation and ts the t of each, this
// is the same inference as the prediction for the averaged t test: Candidate is
// the statistic of the score of [stat.AveragedTTest] at level 2·alpha1 in direction [stat.Greater],
// Baseline that in direction [stat.Less], and Neither the larger of the two with its
// sign changed, however many runs a repeat has. The two must agree therefore: the
// partitions suffice for a better learner just if the exact interval of level
// 1−2·alpha2 of θ lies above 0 in the learner's direction, so
// that a repeat rejects in it more often than not, and for no significant
// difference just if it lies below 0 in both. Sufficiency does not say how much
// more often; two repeats may still agree with a probability of little more than
// one half. [Retest.Adaptive] asks for more.
//
// Source: Bradford and Brodley (2001), section 4. df is the value for the test on one
// partition; the print has the number of partitions less one, which can reverse the
// conclusion.
func PartitionSufficiency(ts []float64, df, alpha1, alpha2 float64) (Sufficiency, error) {
	switch {
	case len(ts) < 2:
		return Sufficiency{}, fmt.Errorf("%w: %d partitions, need at least 2", stat.ErrSampleSize,
			len(ts))
	case !(df > 0):
		return Sufficiency{}, fmt.Errorf("%w: %v degrees of freedom", stat.ErrDomain, df)
	case !(alpha1 > 0 && alpha1 < 0.5 && alpha2 > 0 && alpha2 < 0.5):
		return Sufficiency{}, fmt.Errorf("%w: levels %v and %v are not both between 0 and 0.5",
			stat.ErrDomain, alpha1, alpha2)
	}
	if i := sample.NotFinite(ts); i >= 0 {
		return Sufficiency{}, fmt.Errorf("%w: statistic %d is %v", stat.ErrNotFinite, i, ts[i])
	}
	mean, sd, largest := sample.MeanSD(ts)
	if sd <= sample.Tolerance(largest) {
		sd = 0
	}
	n := float64(len(ts))
	s := Sufficiency{
		Partitions: len(ts),
		MeanT:      mean,
		SE:         sd / math.Sqrt(n),
		Critical:   dist.StudentInvSF(alpha1, df),
		Threshold:  dist.StudentInvSF(alpha2, n-1),
	}
	inErrors := func(distance float64) float64 {
		if distance == 0 {
			return 0
		}
		return distance / s.SE
	}
	s.Candidate = inErrors(mean - s.Critical)
	s.Baseline = inErrors(-mean - s.Critical)
	s.Neither = inErrors(s.Critical - math.Abs(mean))
	tests := []float64{s.Candidate, s.Baseline, s.Neither}
	if i := slices.IndexFunc(tests, func(t float64) bool { return t > s.Threshold }); i >= 0 {
		s.Conclusion = Conclusion(i + 1)
	}
	return s, nil
}
