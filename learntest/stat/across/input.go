package across

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/learnbench/learnbench/learntest/unit"
)

func checkDirection(d unit.Direction) error {
	if d != unit.Higher && d != unit.Lower {
		return fmt.Errorf("%w: %v is not a direction", stat.ErrDomain, d)
	}
	return nil
}

// A Null says how the null distribution of a statistic is obtained. The zero
// value is Exact.
type Null uint8

// The null distributions.
const (
	Exact            Null = iota // the exact distribution
	Normal                       // the normal approximation
	NormalContinuity             // the normal approximation with a correction for continuity
)

// String returns "exact", "normal" or "normal-continuity".
func (n Null) String() string {
	switch n {
	case Exact:
		return "exact"
	case Normal:
		return "normal"
	case NormalContinuity:
		return "normal-continuity"
	}
	return fmt.Sprintf("Null(%d)", uint8(n))
}

func (n Null) check() error {
	if n > NormalContinuity {
		return fmt.Errorf("%w: %v is not a null distribution", stat.ErrDomain, n)
	}
	return nil
}

// deviate returns the normal deviate and p-value of a statistic that exceeds
// its mean by excess and has standard deviation sd > 0. step is half the
// distance between the values that it can take, or 0 for no correction for
// continuity.
func deviate(excess, sd, step float64, alt stat.Alternative) (z, p float64) {
	switch alt {
	case stat.Greater:
		z = (excess - step) / sd
		return z, dist.NormalSF(z)
	case stat.Less:
		z = (excess + step) / sd
		return z, dist.NormalCDF(z)
	}
	z = math.Copysign(max(0, math.Abs(excess)-step), excess) / sd
	return z, min(1, 2*dist.NormalSF(math.Abs(z)))
}

// tail picks the p-value of the alternative from the p-values of the two tails, both of which
// include the observed value.
func tail(greater, less float64, alt stat.Alternative) float64 {
	switch alt {
	case stat.Greater:
		return greater
	case stat.Less:
		return less
	}
	return min(1, 2*min(greater, less))
}

func notFinite(x float64) bool { return x-x != 0 }

// differences returns a[i] − b[i] after checking that there are any and that
// they are finite.
func differences(a, b []float64) ([]float64, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("%w: %d scores of the candidate, %d of the baseline", stat.ErrSampleSize,
			len(a), len(b))
	}
	if len(a) == 0 {
		return nil, fmt.Errorf("%w: no data sets", stat.ErrSampleSize)
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
		if notFinite(d[i]) {
			return nil, fmt.Errorf("data set %d: %w: scores %v and %v", i, stat.ErrNotFinite, a[i], b[i])
		}
	}
	return d, nil
}

// checkScores returns the numbers of data sets and learners after checking
// that the scores are a table of finite numbers of at least the given size.
func checkScores(scores [][]float64, minData, minLearners int) (n, m int, err error) {
	n = len(scores)
	if n < minData {
		return 0, 0, fmt.Errorf("%w: %d data sets, need at least %d", stat.ErrSampleSize, n, minData)
	}
	m = len(scores[0])
	if m < minLearners {
		return 0, 0, fmt.Errorf("%w: %d learners, need at least %d", stat.ErrSampleSize, m, minLearners)
	}
	for i, row := range scores {
		if len(row) != m {
			return 0, 0, fmt.Errorf("data set %d: %w: %d scores, data set 0 has %d", i, stat.ErrSampleSize,
				len(row), m)
		}
		for j, v := range row {
			if notFinite(v) {
				return 0, 0, fmt.Errorf("data set %d, learner %d: %w: %v", i, j, stat.ErrNotFinite, v)
			}
		}
	}
	return n, m, nil
}

// column returns the scores of learner j.
func column(scores [][]float64, j int) []float64 {
	c := make([]float64, len(scores))
	for i, row := range scores {
		c[i] = row[j]
	}
	return c
}

// errRange means that scores are finite but their differences are not.
var errRange = fmt.Errorf("%w: the range of the scores", stat.ErrNotFinite)
