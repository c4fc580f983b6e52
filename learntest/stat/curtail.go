package stat

import (
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Curtailment stops the training of a test early: once its first runs settle what all of them
// would show. Given data and learners, runs are independent random partitions, so that the runs
// done predict the others, however the folds of a run depend on one another.
type Curtailment struct {
	Runs  int     // of the whole test
	Error float64 // γ, the largest probability that all runs would show something else
}

// MaxCurtailmentError bounds Curtailment.Error: the level of false alarms grows by as much.
const MaxCurtailmentError = 0.05

// Check returns an error that wraps [ErrDomain] unless there are runs and the error is above 0 and
// at most [MaxCurtailmentError].
func (c Curtailment) Check() error {
	if c.Runs < 1 {
		return fmt.Errorf("%w: a test of %d runs", ErrDomain, c.Runs)
	}
	if !(c.Error > 0 && c.Error <= MaxCurtailmentError) {
		return fmt.Errorf("%w: a probability of %v that all runs would show something else: it is above 0 and at most %v", ErrDomain, c.Error, MaxCurtailmentError)
	}
	return nil
}

// Looks returns the numbers of runs after which the test is looked at: 2, 3 and 5, as far as these
// are fewer than all runs.
func (c Curtailment) Looks() []int {
	looks := []int{2, 3, 5}
	for len(looks) > 0 && looks[len(looks)-1] >= c.Runs {
		looks = looks[:len(looks)-1]
	}
	return looks
}

// A Prospect says whether the first runs of a test settle what all of them would show. The zero
// value is that they do not.
type Prospect int8

// The prospects.
const (
	Unsettled  Prospect = iota // train on
	SettledYes                 // all runs would show it
	SettledNo                  // all runs would not show it
)

// Not returns the prospect that all runs do not show it.
func (p Prospect) Not() Prospect {
	switch p {
	case SettledYes:
		return SettledNo
	case SettledNo:
		return SettledYes
	}
	return Unsettled
}

// Both returns the prospect that all runs show what each of two prospects is about.
func (p Prospect) Both(o Prospect) Prospect {
	switch {
	case p == SettledNo || o == SettledNo:
		return SettledNo
	case p == SettledYes && o == SettledYes:
		return SettledYes
	}
	return Unsettled
}

// Either returns the prospect that all runs show what one of two prospects is about.
func (p Prospect) Either(o Prospect) Prospect {
	switch {
	case p == SettledYes || o == SettledYes:
		return SettledYes
	case p == SettledNo && o == SettledNo:
		return SettledNo
	}
	return Unsettled
}

// A Look is the first runs of a test, as a [Curtailment] sees them. Of all R runs of k folds, the
// test at level α shows that the difference is above a value if
//
//	m_R − c·S_R > value,  c = t_{1−α, kR−1}·√(1/(kR) + n2/n1),
//
// where m_R is the mean and S_R the standard deviation of all kR differences. After r runs, m_R −
// m_r has mean 0 and at most the variance S²/k·(1/r − 1/R), since folds of a run are no more alike
// than folds of different runs, and S_R − S_r has about the variance S²/(2k)·(1/r − 1/R). What all
// runs show is settled if m_r − c·S_r is further from the value than
//
//	h = t_{1−γ/L, kr−1}·S_r·√((1/r − 1/R)(1 + c²/2)/k),
//
// where L is the number of looks. A two-sided test at level α is two of level α/2, and every claim
// on the end of an interval is of this form: a margin, a least gain, equivalence, a budget.
//
// The probability that a settled test shows something else after all runs is at most γ, so that a
// test at level α has at most α+γ of false alarms; the report of the study settle has measured
// rates. For 10 runs of 10 folds, α = 0.05 and γ = 0.01 the two-sided test of a difference is
// settled at these values of |m|/S:
//
//	runs           2     3     5
//	different  above 1.368 1.187 1.006
//	not shown  below  .013  .194  .375
//
// Source: own rule; stochastic curtailment with a bound for the variance of a run's mean.
type Look struct {
	runs, all int
	folds     int
	mean, sd  float64 // sd is at least the root of LeastVariance
	ratio     float64
	quantile  float64 // t_{1−γ/L, kr−1}; 0 if nothing is settled by this look
}

// Look looks at the differences of the first runs.
//
// It returns the errors of [Curtailment.Check] and [Differences.Moments], and one that wraps
// [ErrDomain] if this is no number of runs to look at, or if the test is none of corrected-cv-t,
// corrected-cv-t/ratio and corrected-resampled-t, whose form the rule is for. Special case: if all
// differences are equal up to round-off, the look settles nothing.
func (c Curtailment) Look(t Test, d Differences) (Look, error) {
	if err := c.Check(); err != nil {
		return Look{}, err
	}
	if err := c.Fits(t); err != nil {
		return Look{}, err
	}
	looks := c.Looks()
	if !slices.Contains(looks, d.Runs) {
		return Look{}, fmt.Errorf("%w: a look after %d of %d runs: there are looks after %v", ErrDomain,
			d.Runs, c.Runs, looks)
	}
	m, err := d.Moments()
	if err != nil {
		return Look{}, err
	}
	l := Look{runs: d.Runs, all: c.Runs, folds: d.Folds, mean: m.Mean}
	if l.ratio, err = t.corrects(&d); err != nil {
		return Look{}, err
	}
	if m.SD > 0 {
		l.sd = max(m.SD, math.Sqrt(d.LeastVariance))
		l.quantile = dist.StudentInvSF(c.Error/float64(len(looks)), float64(m.N-1))
	}
	return l, nil
}

// Fits returns an error that wraps [ErrDomain] unless there are looks at the test: why it takes all
// runs.
func (c Curtailment) Fits(t Test) error {
	if len(c.Looks()) == 0 {
		return fmt.Errorf("%w: %d runs are too few to stop earlier", ErrDomain, c.Runs)
	}
	if t.corrects == nil {
		return fmt.Errorf("%w: %s takes all runs: only corrected t tests can be settled by the first of them", ErrDomain, t.Name)
	}
	return nil
}

// Above returns the prospect that the test at level alpha shows a difference above a value.
func (l Look) Above(value, alpha float64) Prospect { return l.beyond(l.mean-value, l.width(alpha)) }

// Below returns the prospect that the test at level alpha shows a difference below a value.
func (l Look) Below(value, alpha float64) Prospect { return l.beyond(value-l.mean, l.width(alpha)) }

// MeanAbove returns the prospect that the mean difference is above a value.
func (l Look) MeanAbove(value float64) Prospect { return l.beyond(l.mean-value, 0) }

// MeanBelow returns the prospect that the mean difference is below a value.
func (l Look) MeanBelow(value float64) Prospect { return l.beyond(value-l.mean, 0) }

// width returns c: by how many standard deviations the mean of all runs must lie beyond a value.
func (l Look) width(alpha float64) float64 {
	n := float64(l.folds * l.all)
	return dist.StudentInvSF(alpha, n-1) * math.Sqrt(1/n+l.ratio)
}

// beyond returns the prospect that a distance is more than c standard deviations.
func (l Look) beyond(distance, c float64) Prospect {
	if l.quantile == 0 {
		return Unsettled
	}
	rest := 1/float64(l.runs) - 1/float64(l.all)
	h := l.quantile * l.sd * math.Sqrt(rest*(1+float64(c*c)/2)/float64(l.folds))
	switch away := distance - float64(c*l.sd); {
	case away > h:
		return SettledYes
	case away < -h:
		return SettledNo
	}
	return Unsettled
}
