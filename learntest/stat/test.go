package stat

// An Alternative is the alternative hypothesis of a test about a location or a difference
// candidate − baseline. The zero value is the two-sided one.
type Alternative uint8

// The alternatives.
const (
	TwoSided Alternative = iota // the difference is not zero
	Greater                     // the difference is greater than zero
	Less                        // the difference is less than zero
)

// Differences are the paired differences candidate − baseline of two learners from r runs of k
// folds each.
type Differences struct {
	Runs, Folds int

	// X holds the differences in the unit of the scores, run after run: fold i of run j,
	// both counted from 0, is X[j*Folds+i].
	X []float64

	// Ratio is n2/n1, the number of test examples divided by the number of training examples;
	// where folds differ in size, the ratio of the two sums. Tests that correct the variance
	// need it.
	Ratio float64

	// Scale is the largest absolute score behind the differences. Differences that vary by
	// no more than 8 units in its last place count as equal. If zero, the largest absolute
	// difference is used.
	Scale float64

	// LeastVariance is a lower bound for the variance of the differences, in the tests that
	// correct the variance and in [BayesianCorrelatedT]. Scores that count few test
	// examples can be equal by chance. If zero, there is no bound.
	LeastVariance float64

	// Members is the number of examples behind the differences of a slice, which bounds the
	// degrees of freedom of the tests that correct the variance: see [Slice]. If zero, the
	// differences are of whole test sets.
	Members int
}

// A Law is the distribution to which a test refers its statistic.
type Law uint8

// The distributions.
const (
	LawT          Law = iota // Student's t, and the normal distribution if DF is +Inf
	LawF                     // Snedecor's F
	LawChiSquared            // chi-squared
	LawExact                 // the distribution of the data under the null hypothesis itself
)

// A Result is the outcome of a test.
type Result struct {
	Test        string // name of the test in the catalogue
	Alternative Alternative
	N           int     // number of differences that the test used
	Mean        float64 // mean of all differences, in the unit of the scores
	Estimate    float64 // the test's estimate of the difference: Mean, except for 5x2cv-t, which uses one difference
	SE          float64 // standard error of Estimate; NaN if the test has none
	Null        float64 // the difference under the null hypothesis, 0 except for [Test.Against]; NaN if the test is about no difference
	Statistic   float64
	DF          float64 // degrees of freedom; +Inf for a normal limit, NaN if there are none
	DF2         float64 // second degrees of freedom of an F statistic, else NaN
	P           float64
	Exact       bool    // P is exact under the null hypothesis of the test, not an approximation
	PError      float64 // Monte Carlo standard error of P; 0 unless P was estimated from random draws
	Law         Law     // distribution of Statistic under the null hypothesis
	Warnings    []error // doubts that do not invalidate the result

	tol float64 // difference up to which Estimate counts as equal to another value if SE is 0
}

// A Test is a significance test on the paired differences of one data set: one of [Tests],
// or your own.
type Test struct {
	Name string // as in "corrected-cv-t"
	Doc  string // one sentence: its purpose and when to use it

	// Naive means that the test assumes independent differences. Under cross-validation
	// they are dependent, and the test rejects true null hypotheses far more often than its
	// level.
	Naive bool

	// Design returns an error if the test does not apply to the given number of runs and
	// folds.
	Design func(runs, folds int) error

	// Run applies the test.
	Run func(d Differences, alt Alternative) (Result, error)

	// setting, if not empty, is the name of the test's parameter: NAME/SETTING=VALUE names
	// the test with that value.
	setting string
	with    func(value string) (Test, error)

	// moved returns the test for another difference under the null hypothesis. It is nil
	// unless the test holds differences of its own, beside the argument of Run.
	moved func(null float64) Test

	// held, if not nil, is the whole test: see [Held].
	held func(null float64, alt Alternative) (Result, error)

	// corrects returns the ratio n2/n1 with which the test corrects the variance of the mean. It is
	// nil for tests that do not refer mean/√((1/n + ratio)s²) to Student's t with n−1 degrees of
	// freedom.
	corrects func(d *Differences) (float64, error)
}
