package across

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
)

// PairwiseOptions modify a comparison of many learners pair by pair. The zero
// value is the exact signed-rank test with Holm's adjustment.
type PairwiseOptions struct {
	Test   PairTest      // if its Run is nil, the first of [PairTests]: exact signed ranks
	Adjust adjust.Method // if its Adjust is nil, Holm's

	// Better says which scores are the better ones, for the counts of wins; if zero, the
	// higher ones.
	Better unit.Direction
}

// A PairResult compares learner I with learner J over all data sets.
type PairResult struct {
	I, J               int
	Wins, Losses, Ties int     // data sets on which I is better than J, worse, or tied
	Median             float64 // median of the differences of the scores, I − J
	Statistic          float64
	P                  float64 // of this pair alone
	Adjusted           float64 // adjusted for all pairs that were compared
	Exact              bool    // P is exact
	Warnings           []error
}

// A PairwiseResult is the outcome of [Pairwise] or [VersusControl].
type PairwiseResult struct {
	DataSets, Learners int
	Alternative        stat.Alternative
	Test, Adjust       string       // names of the test and the adjustment
	Pairs              []PairResult // the compared pairs
	Warnings           []error      // of the adjustment; the warnings of tests are with their pairs
}

// Pairwise compares all pairs out of m learners over n data sets by a test
// that looks at the two of them alone, and adjusts the p-values for their
// number.
//
// H0 of each pair is the null hypothesis of the test. scores[i][j] is the score of learner j
// on data set i. All tests are two-sided. Pairs are in the order (0,1), (0,2), ..., (m−2,m−1).
// Other learners affect the adjustment of a pair, but not its p-value, as they do in
// [MeanRanks]. No [Friedman] test needs to be significant first: the adjustment alone controls
// the family-wise error rate. bergmann-hommel is the most powerful adjustment that needs no
// assumption.
//
// It returns [stat.ErrSampleSize] if there are no data sets, fewer than two
// learners, or a row of another length, [stat.ErrNotFinite] naming the cell,
// [stat.ErrDomain] for a direction that does not exist, and errors of the
// test (naming the pair) and of the adjustment. It takes the time of m(m−1)/2
// tests and of the adjustment.
//
// Benavoli, Corani and Mangili (2016), section 5, recommend this.
func Pairwise(scores [][]float64, opt PairwiseOptions) (PairwiseResult, error) {
	_, m, err := checkScores(scores, 1, 2)
	if err != nil {
		return PairwiseResult{}, err
	}
	return comparePairs(scores, adjust.Pairs(m), stat.TwoSided, opt)
}

// VersusControl compares each of m−1 learners with a control, like [Pairwise]
// with fewer comparisons to adjust for. In each pair, I is the learner and J
// the control; alt is about the difference I − J of the scores.
//
// It returns the errors of Pairwise, and [stat.ErrDomain] if control is not a
// learner, if the alternative does not exist, or if the adjustment is for all
// pairs.
//
// Demšar (2006), JMLR 7, section 3.2.2, on comparisons with a control.
func VersusControl(
	scores [][]float64, control int, alt stat.Alternative, opt PairwiseOptions,
) (PairwiseResult, error) {
	_, m, err := checkScores(scores, 1, 2)
	if err != nil {
		return PairwiseResult{}, err
	}
	if control < 0 || control >= m {
		return PairwiseResult{}, fmt.Errorf("%w: control %d of %d learners", stat.ErrDomain, control, m)
	}
	if err := alt.Check(); err != nil {
		return PairwiseResult{}, err
	}
	if opt.Adjust.AllPairs {
		return PairwiseResult{}, fmt.Errorf("%w: adjustment %s is for all pairs, not for a control",
			stat.ErrDomain, opt.Adjust.Name)
	}
	var pairs [][2]int
	for j := range m {
		if j != control {
			pairs = append(pairs, [2]int{j, control})
		}
	}
	return comparePairs(scores, pairs, alt, opt)
}

func comparePairs(
	scores [][]float64, pairs [][2]int, alt stat.Alternative, opt PairwiseOptions,
) (PairwiseResult, error) {
	if opt.Better == 0 {
		opt.Better = unit.Higher
	}
	if err := checkDirection(opt.Better); err != nil {
		return PairwiseResult{}, err
	}
	if opt.Test.Run == nil {
		opt.Test = PairTests()[0]
	}
	if opt.Adjust.Adjust == nil {
		holm, err := adjust.Lookup("holm")
		if err != nil {
			return PairwiseResult{}, err
		}
		opt.Adjust = holm
	}
	n, m := len(scores), len(scores[0])
	columns := make([][]float64, m)
	for j := range columns {
		columns[j] = column(scores, j)
	}
	r := PairwiseResult{
		DataSets: n, Learners: m, Alternative: alt, Test: opt.Test.Name, Adjust: opt.Adjust.Name,
		Pairs: make([]PairResult, len(pairs)),
	}
	p := make([]float64, len(pairs))
	for k, pair := range pairs {
		a, b := columns[pair[0]], columns[pair[1]]
		out, err := opt.Test.Run(a, b, alt)
		if err != nil {
			return PairwiseResult{}, fmt.Errorf("learners %d and %d: %s: %w", pair[0], pair[1],
				opt.Test.Name, err)
		}
		sign, err := SignTest(a, b, alt, SignOptions{})
		if err != nil {
			return PairwiseResult{}, fmt.Errorf("learners %d and %d: %w", pair[0], pair[1], err)
		}
		if opt.Better == unit.Lower {
			sign.Wins, sign.Losses = sign.Losses, sign.Wins
		}
		r.Pairs[k] = PairResult{
			I: pair[0], J: pair[1], Wins: sign.Wins, Losses: sign.Losses, Ties: sign.Ties,
			Median: medianDifference(a, b), Statistic: out.Statistic, P: out.P, Exact: out.Exact,
			Warnings: out.Warnings,
		}
		p[k] = out.P
	}
	adjusted, err := opt.Adjust.Adjust(p)
	if err != nil {
		return PairwiseResult{}, fmt.Errorf("adjustment %s: %w", opt.Adjust.Name, err)
	}
	if len(adjusted) != len(p) {
		return PairwiseResult{}, fmt.Errorf("adjustment %s: %w: %d adjusted p-values for %d",
			opt.Adjust.Name, stat.ErrSampleSize, len(adjusted), len(p))
	}
	for k, v := range adjusted {
		r.Pairs[k].Adjusted = v
	}
	if !opt.Adjust.FamilyWise {
		r.Warnings = append(r.Warnings, fmt.Errorf("%w by adjustment %s", errNotFamilyWise,
			opt.Adjust.Name))
	}
	return r, nil
}

func medianDifference(a, b []float64) float64 {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	slices.Sort(d)
	h := len(d) / 2
	if len(d)%2 == 1 {
		return d[h]
	}
	return 0.5*d[h-1] + 0.5*d[h]
}
