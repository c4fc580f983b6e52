package verdict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

const (
	timeSeries     = "timeseries"      // as split.KindOf has it
	dieboldMariano = "diebold-mariano" // the test for it
)

// fit returns the test of the claim for the pairs and their protocol, with doubts
// about it. Where no source supports the default test, it is an error not to name
// a test.
func (c Claim) fit(p *record.Pairs) (stat.Test, []error, error) {
	why, remedy := unfit(p)
	if why != "" && c.Test.Run == nil {
		if c.Probability > 0 {
			remedy += ", instead of a posterior probability"
		}
		return stat.Test{}, nil, fmt.Errorf("%s: %s", why, remedy)
	}
	isSeries := isTimeSeries(p.CandidateHeader)
	if isSeries && c.Test.Name == dieboldMariano {
		return c.overGap(p)
	}
	test, err := c.test(p.Runs, p.Folds)
	if err != nil || why == "" {
		return test, nil, err
	}
	if isSeries && strings.HasPrefix(test.Name, dieboldMariano) {
		test.Naive = false // here it is not
		return test, nil, nil
	}
	return test, []error{fmt.Errorf("%s: %s is used because the claim names it", why, test.Name)}, nil
}

// unfit says why the default test does not fit the protocol of the pairs, and
// what to do about it; it says nothing if the test fits.
//
// The default test takes from the sizes of training and test sets how much the
// scores of random partitions have in common. No source supports it where nothing is
// random, in leave-one-out and time series, nor where runs repeat a partition,
// as with few groups.
func unfit(p *record.Pairs) (why, remedy string) {
	h := p.CandidateHeader
	if h.HasItems() {
		return fmt.Sprintf("%q is of items, which are no folds", h.Protocol),
			"judge them by a test for items"
	}
	const unsupported = "no source supports the default test for "
	switch distinct := distinctRuns(p); {
	case isTimeSeries(h):
		return fmt.Sprintf("%q is a time series, and %sthat", h.Protocol, unsupported),
			"name the test " + dieboldMariano + ", or another one"
	case isLeaveOneOut(p):
		return fmt.Sprintf("%q is leave-one-out of %d examples, and %sthat", h.Protocol, p.Folds,
			unsupported), "use repeated cross-validation, or name a test"
	case distinct < p.Runs:
		return fmt.Sprintf("only %d of the %d runs of %q are different partitions, and %sruns that repeat one another, %d folds in all",
			distinct, p.Runs, h.Protocol, unsupported, p.Runs*p.Folds), "ask for fewer runs, or name a test"
	}
	return "", ""
}

func isTimeSeries(h *record.Header) bool { return split.KindOf(h.Protocol) == timeSeries }

// isLeaveOneOut reports whether each fold tests one example and trains on all
// others: the protocol of that name, or as many folds as examples.
func isLeaveOneOut(p *record.Pairs) bool {
	others := func(n int32) bool { return int(n) == p.Folds-1 }
	one := func(n int32) bool { return n == 1 }
	return every(p.TrainN, others) && every(p.TestN, one)
}

func every(sizes []int32, is func(int32) bool) bool {
	return !slices.ContainsFunc(sizes, func(n int32) bool { return !is(n) })
}

// distinctRuns returns how many of the runs of the test are different partitions.
// Both headers are of the same partitions, but one may be of a writer that does not
// count.
func distinctRuns(p *record.Pairs) int {
	distinct := p.Runs
	for _, h := range []*record.Header{p.CandidateHeader, p.BaselineHeader} {
		if h.DistinctRuns != "" {
			distinct = min(distinct, h.Distinct())
		}
	}
	return distinct
}

// overGap returns the test of Diebold and Mariano for a time series, with the
// horizon that follows from the gap between training and test sets.
//
// With test sets of t examples and a gap of g, the scores of a fold depend on
// what happened after its training set, which are g+t examples, while folds k
// apart begin k·t examples apart. They have examples of that kind in common, and
// with them an error that no learner could foresee, if k·t < g+t: from k = 1 to
// ⌈g/t⌉. As many lags are h−1, hence h = 1 + ⌈g/t⌉, which is 1 without a gap.
func (c Claim) overGap(p *record.Pairs) (stat.Test, []error, error) {
	gap := 0
	if text := split.SettingOf(p.CandidateHeader.Protocol, "gap"); text != "" {
		n, err := strconv.ParseUint(text, 10, 30)
		if err != nil {
			return stat.Test{}, nil, fmt.Errorf("the gap of %q is not a number of examples: run the trials again", p.CandidateHeader.Protocol)
		}
		gap = int(n)
	}
	size := max(1, int(slices.Min(p.TestN)))
	h := 1 + gap/size
	if gap%size > 0 {
		h++
	}
	if h > 1 {
		c.Test = stat.MustLookup(fmt.Sprintf("diebold-mariano/h=%d", h))
	}
	test, err := c.test(p.Runs, p.Folds)
	if err != nil && h > 1 {
		err = fmt.Errorf("%w: h = %d follows from a gap of %d examples before test sets of %d: ask for more folds, or for larger test sets", err, h, gap, size)
	}
	test.Naive = false // not of a time series
	return test, nil, err
}
