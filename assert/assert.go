// Package assert makes claims about a comparison of two learners:
//
//	c := learntest.Compare(t, data, candidate, baseline)
//	assert.Improves(t, c, assert.Replicability(0.9))
//	assert.NoRegression(t, c, assert.On(metric.LogLoss()), assert.Margin(0.02))
//
// [Improves], [NoRegression], [Equivalent] and [Replicable] are claims about two learners,
// [AtLeast] and [AtMost] about one, [RatioAtMost] about times and costs, [WithinBudget] about a
// candidate and a pinned reference, [BaselineIsCurrent] about a stored baseline, and [NoCopies]
// about data. [ImprovesOver] is one claim about the comparisons of a [Family].
//
// A claim that holds returns true and logs its facts for go test -v. A claim that does not hold
// returns false and fails the test; the option [FailNow] also ends it. The failure shows the claim,
// each fact with its interval and its p, the test, how likely a rerun agrees, how large a
// difference the test could have shown, the command that reproduces the trials, and what would
// help. Significance tests judge a claim; the option [Bayes] judges it by its posterior
// probability.
//
// A claim about incomplete or failed trials never holds, nor does one whose options contradict each
// other, or one that no data could refute. Where a claim cannot be judged, as in a shard of the
// trials, it does not hold, and the test is skipped.
//
// Beside testify's package of this name, import this one as claim.
package assert

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/verdict"
	testify "github.com/stretchr/testify/assert"
)

// TestingT is the part of testing.TB that claims need.
type TestingT interface {
	Errorf(format string, args ...any)
}

// A Comparison can judge claims about a candidate and a baseline, as a
// *learntest.Comparison does, or about several, as a [Family].
type Comparison interface {
	// Verdicts returns one verdict for each comparison, at least one.
	Verdicts(c verdict.Claim) []verdict.Verdict
}

// Improves claims that the candidate is better than the baseline: the
// difference in the metric is significant at level alpha and in the candidate's
// favour. The test is the corrected repeated k-fold cross-validation t test,
// two-sided, unless options say otherwise.
func Improves(t TestingT, c Comparison, options ...Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.Improves}, options)
}

// NoRegression claims that the candidate is not worse than the baseline by as
// much as a margin (non-inferiority): a one-sided test at level alpha rejects that it
// is. It fails if the data cannot rule such a regression out, be it because there is
// one or because there are too few of them.
//
// The margin is one percentage point for metrics with the range 0 to 1, such
// as accuracy; for others Margin is required.
func NoRegression(t TestingT, c Comparison, options ...Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.NoRegression}, options)
}

// Equivalent claims that the difference is smaller than a margin in either
// direction: two one-sided tests at level alpha reject that it is not. The margin is
// as for NoRegression.
func Equivalent(t TestingT, c Comparison, options ...Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.Equivalent}, options)
}

// Replicable claims that the two-sided test for a difference comes to the same
// conclusion as it did here, whichever that is, on two other random partitions with at
// least the given probability, such as 0.9. See the option Replicability for how that is
// found out.
func Replicable(t TestingT, c Comparison, probability float64, options ...Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.Replicable, Replicability: probability}, options)
}

func claim(t TestingT, c Comparison, cl verdict.Claim, options []Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	s := settings{claim: cl}
	var verdicts []verdict.Verdict
	if err := s.apply(options); err != nil {
		verdicts = []verdict.Verdict{verdict.Fail(s.claim, err)}
	} else {
		verdicts = c.Verdicts(s.claim)
	}
	var failed, postponed, small []string
	least := fmt.Sprintf("%d examples", verdict.LeastMembers)
	held := 0
	for _, v := range verdicts {
		if chosen := s.claim.Slices; chosen != nil && !chosen.All && v.Slice != nil &&
			errors.Is(v.Err, verdict.ErrTooSmall) {
			small = append(small, tooSmall(&v))
			if ofItems(&v) {
				least = fmt.Sprintf("%d items in %d clusters", verdict.LeastMembers, verdict.LeastClusters)
			}
			continue
		}
		tell(t, &v)
		switch {
		case errors.Is(v.Err, verdict.ErrNotJudged):
			postponed = append(postponed, fmt.Sprintf("%s: %v", v.Statement(), v.Err))
		case !v.Holds:
			failed = append(failed, failure(v))
		default:
			held++
			succeed(t, v)
		}
	}
	if small != nil {
		unjudged := fmt.Sprintf("%d of %d slices are too small to be judged (%s): %s", len(small),
			len(verdicts), least, strings.Join(small, "; "))
		if held+len(failed)+len(postponed) == 0 {
			failed = append(failed, "Claim does not hold: "+unjudged)
		} else {
			sayUnjudged(t, unjudged, len(failed) == 0)
			if len(failed) > 0 {
				failed = append(failed, unjudged)
			}
		}
	}
	switch {
	case len(failed) == 0 && len(postponed) > 0:
		if skip(t, strings.Join(postponed, "\n")) {
			return false
		}
		failed = postponed
	case len(failed) == 0 && len(verdicts) > 0:
		return true
	case len(failed) == 0:
		failed = []string{"Claim does not hold: there is nothing that it is about"}
	}
	testify.Fail(t, strings.Join(failed, "\n"), s.message...)
	if s.now {
		if f, ok := t.(interface{ FailNow() }); ok {
			f.FailNow()
		}
	}
	return false
}

// tell has the go command know what came of a claim.
func tell(t TestingT, v *verdict.Verdict) {
	a, ok := t.(interface{ Attr(key, value string) })
	if !ok {
		return
	}
	c := gotest.Claim{
		Text: v.Statement(), Judged: v.Outcome != verdict.Invalid, Holds: v.Holds,
		Power: v.Claim.Power, Fraction: v.Unit.IsFraction(), Items: v.Items != nil,
	}
	if c.Judged {
		c.Estimate = float64(v.Unit.Better) * v.Estimate
	}
	if err := v.LearnedNothing(); err != nil {
		c.Warning = err.Error()
	}
	if loss := v.DetectableLoss(); !math.IsNaN(loss) {
		c.Loss = &loss
	}
	a.Attr(gotest.ClaimKey, c.Attribute())
}

// skip marks the test as skipped when it ends, unless it has failed then: claims that
// follow may still be judged. It returns false for what cannot be skipped.
func skip(t TestingT, reason string) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	s, ok := t.(interface {
		Cleanup(func())
		Failed() bool
		SkipNow()
		Logf(format string, args ...any)
	})
	if !ok {
		return false
	}
	s.Logf("%s", reason)
	s.Cleanup(func() {
		if !s.Failed() {
			s.SkipNow()
		}
	})
	return true
}

// succeed logs a claim that holds. That most test examples have a copy in training is printed
// without -v, too, and that two learners of one run behave alike; against a stored baseline they
// mostly do.
func succeed(t TestingT, v verdict.Verdict) {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	text := report(&v)
	if l, ok := t.(interface{ Logf(string, ...any) }); ok {
		l.Logf("%s", text)
	}
	alike := v.Alike() != "" && v.CandidateHeader == v.BaselineHeader
	if (alike || v.MostlyCopies() != nil) && !gotest.Verbose() {
		first, _, _ := strings.Cut(text, "\n")
		fmt.Fprintln(os.Stdout, first)
	}
}

// tooSmall names a slice that is too small to be judged, with its scores.
func tooSmall(v *verdict.Verdict) string {
	of := "examples"
	if ofItems(v) {
		of = "items"
	}
	return fmt.Sprintf("%s, %d %s, %s and %s", v.Slice.Name, v.Slice.Members, of,
		v.Unit.FormatScore(v.CandidateMean), v.Unit.FormatScore(v.BaselineMean))
}

func ofItems(v *verdict.Verdict) bool {
	return v.CandidateHeader != nil && v.CandidateHeader.HasItems()
}

// sayUnjudged logs which slices were not judged, and prints it without -v, too, where the claim
// holds.
func sayUnjudged(t TestingT, text string, holds bool) {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	if l, ok := t.(interface{ Logf(string, ...any) }); ok {
		l.Logf("%s", text)
	}
	if holds && !gotest.Verbose() {
		fmt.Fprintln(os.Stdout, text)
	}
}

func failure(v verdict.Verdict) string {
	return strings.TrimSuffix("Claim does not hold: "+report(&v), "\n")
}

// report returns the verdict, whose first line also warns of examples with a copy in training.
func report(v *verdict.Verdict) string {
	err := v.MostlyCopies()
	if err == nil {
		return v.String()
	}
	first, rest, _ := strings.Cut(v.String(), "\n")
	return fmt.Sprintf("%s; %v; see split.Groups with the groups of learntest.FindCopies\n%s",
		first, err, rest)
}

// A helper can mark the calling function as a helper of the test.
type helper interface{ Helper() }
