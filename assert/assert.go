// Package assert makes claims about a comparison of two learners.
//
// A claim is a function that takes a test, a comparison and what modifies the
// claim: options such as Alpha or Replicability first, then, as in testify, a
// message that is printed if the claim fails.
//
//	c := learntest.Compare(t, data, candidate, baseline)
//	assert.Improves(t, c, assert.Replicability(0.9))
//	assert.NoRegression(t, c, assert.On("logloss"), assert.Margin(0.02), "release %s", version)
//
// Each returns whether the claim holds, and fails the test without ending it
// if not. The failure says what was claimed, the estimate with its interval, the test
// with p, replicability, the smallest difference that the test would have detected, protocol and
// seed, the digest of the data, and the command that reproduces it. A claim that
// holds logs the same, for go test -v.
//
// A claim about records that are incomplete or failed never holds, nor does
// one whose options do not go together.
package assert

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/verdict"
	testify "github.com/stretchr/testify/assert"
)

// TestingT is the part of testing.TB that claims need.
type TestingT interface {
	Errorf(format string, args ...any)
}

// A Comparison can judge claims about a candidate and a baseline, as a
// *learntest.Comparison does.
type Comparison interface {
	Judge(c verdict.Claim) verdict.Verdict
}

// Improves claims that the candidate is better than the baseline: the
// difference in the metric is significant at level alpha and in the candidate's
// favour. The test is the corrected repeated k-fold cross-validation t test,
// two-sided, unless options say otherwise.
func Improves(t TestingT, c Comparison, optionsAndMessage ...any) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.Improves}, optionsAndMessage)
}

// NoRegression claims that the candidate is not worse than the baseline by as
// much as a margin (non-inferiority): a one-sided test at level alpha rejects that it
// is. It fails if the data cannot rule such a regression out, be it because there is
// one or because there are too few of them.
//
// The margin is one percentage point for metrics with the range 0 to 1, such
// as accuracy; for others Margin is required.
func NoRegression(t TestingT, c Comparison, optionsAndMessage ...any) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.NoRegression}, optionsAndMessage)
}

// Equivalent claims that the difference is smaller than a margin in either
// direction: two one-sided tests at level alpha reject that it is not. The margin is
// as for NoRegression.
func Equivalent(t TestingT, c Comparison, optionsAndMessage ...any) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.Equivalent}, optionsAndMessage)
}

// Replicable claims that the test for a difference comes to the same
// conclusion, whichever it is, on two random partitions with at least the given
// probability, such as 0.9. It is counted from ten repetitions of the test, which takes nine
// times as many trials as the comparison has run so far; see Repeats.
func Replicable(t TestingT, c Comparison, probability float64, optionsAndMessage ...any) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.Differs, Replicability: probability}, optionsAndMessage)
}

func claim(t TestingT, c Comparison, cl verdict.Claim, optionsAndMessage []any) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	st := settings{claim: cl}
	message, err := st.split(optionsAndMessage)
	if err != nil {
		return testify.Fail(t, failure(verdict.Fail(st.claim, err)), message...)
	}
	var failed []string
	for _, v := range judgeAll(c, st.claim, st.adjustment) {
		if !v.Holds {
			failed = append(failed, failure(v))
		} else if l, ok := t.(interface{ Logf(string, ...any) }); ok {
			l.Logf("%s: claim holds\n%v", v.Statement(), v)
		}
	}
	if len(failed) > 0 {
		return testify.Fail(t, strings.Join(failed, "\n"), message...)
	}
	return true
}

// settings are what the options modify.
type settings struct {
	claim      verdict.Claim
	adjustment string
}

// split applies the options and returns the message.
func (st *settings) split(args []any) ([]any, error) {
	for i, arg := range args {
		o, ok := arg.(Option)
		if !ok {
			for _, rest := range args[i:] {
				if _, ok := rest.(Option); ok {
					return args[i:], fmt.Errorf("%w: an option comes after the message", verdict.ErrClaim)
				}
			}
			return args[i:], nil
		}
		if err := o.apply(st); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func failure(v verdict.Verdict) string {
	return strings.TrimSuffix(fmt.Sprintf("Claim does not hold: %s\n%v", v.Statement(), v), "\n")
}

// A helper can mark the calling function as a helper of the test.
type helper interface{ Helper() }
