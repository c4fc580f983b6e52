package assert

import (
	"errors"
	"fmt"
	"math"
	"strings"

	testify "github.com/stretchr/testify/assert"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/stat/hierarchical"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// ImprovesOver claims that the candidate is better than the baseline on data sets in general:
// Wilcoxon's exact signed-rank test over the differences of the mean scores, one from each data
// set, is significant in the candidate's favour. It is two-sided unless the option OneSided is
// given.
//
//	assert.ImprovesOver(t, assert.Family{vehicle, glass, vote, iris, wine, zoo})
//
// It fails where a comparison of the family cannot be judged; where learners, metric or protocol
// differ between comparisons, or data occur twice; where the candidate is no better than the
// majority class on one of them, unless AllowMajority is given; and where so few data sets could
// show nothing: at the 5% level it takes six, one-sided five.
//
// The test assumes differences that are comparable between data sets and symmetric about their
// median. With the option Bayes the claim is one of the hierarchical test instead, which takes the
// folds of all data sets: on a further data set the candidate is most probably better by more than
// the rope, with more than the given probability. It takes a rope above zero and three data sets;
// two would say little but the prior distribution. See [hierarchical.Test].
//
//	assert.ImprovesOver(t, assert.Family{vehicle, glass, vote, iris}, assert.Bayes(0.01, 0.95))
//
// The options On, OnUnit, Alpha, OneSided, Bayes, AllowMajority, Message and FailNow apply;
// "learnstat -over" has further tests.
//
// Demšar (2006), JMLR 7, section 3.1.3; Benavoli, Corani and Mangili (2016), section 5; Corani,
// Benavoli, Demšar, Mangili and Zaffalon (2017), Machine Learning 106.
func ImprovesOver(t TestingT, family Family, options ...Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	s := settings{}
	o, err := over(family, &s, options)
	if a, ok := t.(interface{ Attr(key, value string) }); ok {
		a.Attr(gotest.ClaimKey, gotest.Claim{Text: o.statement(), Judged: err == nil, Holds: err == nil &&
			o.holds()}.Attribute())
	}
	switch {
	case errors.Is(err, verdict.ErrNotJudged) && skip(t, fmt.Sprintf("%s: %v", o.statement(), err)):
		return false
	case err != nil:
		testify.Fail(t, fmt.Sprintf("Claim does not hold: %s: %v", o.statement(), err), s.message...)
	case !o.holds():
		testify.Fail(t, "Claim does not hold: "+o.String(), s.message...)
	default:
		if l, ok := t.(interface{ Logf(string, ...any) }); ok {
			l.Logf("%s", o.String())
		}
		return true
	}
	if f, ok := t.(interface{ FailNow() }); ok && s.now {
		f.FailNow()
	}
	return false
}

// An overall is what a family of comparisons says of data sets in general.
type overall struct {
	verdicts []verdict.Verdict // one of each data set
	alpha    float64
	ranks    across.SignedRankResult

	// With the option Bayes:
	rope, probability float64
	folds             *hierarchical.Result
}

// over judges the comparisons of a family together.
func over(family Family, s *settings, options []Option) (overall, error) {
	var o overall
	if err := s.apply(options); err != nil {
		return o, err
	}
	c := s.claim
	if c.Margin != 0 || c.Gain != 0 || c.Replicability != 0 || c.Test.Run != nil ||
		c.Adjust.Adjust != nil || c.Halvings != 0 || c.Slices != nil {
		return o, fmt.Errorf("%w: ImprovesOver takes On, OnUnit, Alpha, OneSided, Bayes, AllowMajority, Message and FailNow, and no other option", verdict.ErrClaim)
	}
	o.rope, o.probability = c.Rope, c.Probability
	asked := verdict.Claim{
		Kind: verdict.Improves, Metric: c.Metric, Alpha: c.Alpha,
		Probability: c.Probability, AllRuns: true,
	}
	if asked.Probability > 0 {
		asked.OneSided = c.OneSided // which is refused then
	}
	for _, comparison := range family {
		o.verdicts = append(o.verdicts, comparison.Verdicts(asked)...)
	}
	if err := o.check(c.AllowMajority); err != nil {
		return o, err
	}
	if o.probability > 0 {
		return o, o.byFolds()
	}
	return o, o.byRanks(c.OneSided)
}

// byRanks takes the mean difference of each data set.
func (o *overall) byRanks(oneSided bool) error {
	alt, least := stat.TwoSided, 2.0
	if oneSided {
		alt, least = stat.Greater, 1
	}
	n := len(o.verdicts)
	if math.Ldexp(least, -n) > o.alpha {
		return fmt.Errorf("%w: %d data sets cannot show an improvement at level %v, whatever the scores: it takes %v", verdict.ErrClaim, n, o.alpha, math.Ceil(math.Log2(least/o.alpha)))
	}
	a, b := make([]float64, n), make([]float64, n)
	for i, v := range o.verdicts {
		sign := float64(v.Unit.Better)
		a[i], b[i] = sign*v.CandidateMean, sign*v.BaselineMean
	}
	var err error
	o.ranks, err = across.SignedRank(a, b, alt, across.SignedRankOptions{})
	return err
}

// byFolds takes the differences of all folds of all data sets.
func (o *overall) byFolds() error {
	switch n := len(o.verdicts); {
	case o.rope == 0:
		return fmt.Errorf("%w: over data sets a posterior probability takes a rope, the difference that does not matter", verdict.ErrClaim)
	case n < 3:
		return fmt.Errorf("%w: %d data sets say next to nothing about others: it takes 3",
			verdict.ErrClaim, n)
	}
	samples := make([]hierarchical.Sample, len(o.verdicts))
	for i := range o.verdicts {
		v := &o.verdicts[i]
		if v.Posterior == nil || v.Items != nil {
			return fmt.Errorf("%w: there are no differences of folds on %s", verdict.ErrClaim, v.Data)
		}
		samples[i].Differences = v.Sample
	}
	r, err := hierarchical.Test(samples, hierarchical.Options{Rope: o.rope, Seed: 1})
	if err != nil {
		return err
	}
	o.folds = &r
	return nil
}

// check returns why the comparisons cannot be judged together.
func (o *overall) check(majority bool) error {
	seen := make(map[string]string)
	for i := range o.verdicts {
		v := &o.verdicts[i]
		if v.Outcome == verdict.Invalid {
			return fmt.Errorf("%s: %w", v.Data, reasonOf(v))
		}
		first := &o.verdicts[0]
		o.alpha = first.Claim.Alpha
		switch {
		case v.Candidate != first.Candidate || v.Baseline != first.Baseline:
			return fmt.Errorf("%w: on %s %s is compared with %s, on %s %s with %s", verdict.ErrClaim,
				first.Data, first.Candidate, first.Baseline, v.Data, v.Candidate, v.Baseline)
		case v.Unit != first.Unit:
			return fmt.Errorf("%w: scores on %s are in %s, on %s in %s: name the metric with On",
				verdict.ErrClaim, first.Data, first.Unit.Name, v.Data, v.Unit.Name)
		case protocolOf(v) != protocolOf(first):
			return fmt.Errorf("%w: the protocol of %s is %q, of %s %q", verdict.ErrClaim, first.Data,
				protocolOf(first), v.Data, protocolOf(v))
		}
		for _, key := range []string{"data set " + v.Data, "digest " + digestOf(v)} {
			if other, twice := seen[key]; twice && !strings.HasSuffix(key, " ") {
				return fmt.Errorf("%w: %s and %s are the same data: each data set counts once",
					verdict.ErrClaim, other, v.Data)
			}
			seen[key] = v.Data
		}
		if err := v.LearnedNothing(); err != nil && !majority {
			return fmt.Errorf("%s: %w", v.Data, err)
		}
	}
	return nil
}

// reasonOf returns why a verdict is invalid.
func reasonOf(v *verdict.Verdict) error {
	if v.Err != nil {
		return v.Err
	}
	return errors.New(v.Reason)
}

func protocolOf(v *verdict.Verdict) string {
	if v.CandidateHeader == nil {
		return ""
	}
	return v.CandidateHeader.Protocol
}

func digestOf(v *verdict.Verdict) string {
	if v.CandidateHeader == nil {
		return ""
	}
	return v.CandidateHeader.DataDigest
}

// holds reports whether the claim is shown.
func (o *overall) holds() bool {
	if o.folds != nil {
		return o.folds.P.Better > o.probability
	}
	return o.ranks.P <= o.alpha && o.ranks.WPlus > o.ranks.WMinus
}

// refuted reports whether the opposite is shown.
func (o *overall) refuted() bool {
	if o.folds != nil {
		return o.folds.P.Worse > o.probability
	}
	return o.ranks.P <= o.alpha && o.ranks.WPlus < o.ranks.WMinus
}

// statement returns the claim.
func (o *overall) statement() string {
	if len(o.verdicts) == 0 || o.verdicts[0].Candidate == "" {
		return "a candidate is better on data sets in general"
	}
	v := &o.verdicts[0]
	return fmt.Sprintf("%s is better than %s on data sets in general, in %s", v.Candidate, v.Baseline,
		v.Unit.Name)
}

// String returns the findings, over all data sets and on each.
func (o *overall) String() string {
	var b strings.Builder
	found := "not shown"
	switch {
	case o.holds():
		found = "shown"
	case o.refuted() && o.folds != nil:
		found = "refuted, it is most probably worse,"
	case o.refuted():
		found = "refuted, it is significantly worse,"
	}
	fmt.Fprintf(&b, "%s: %s by %d data sets\n", o.statement(), found, len(o.verdicts))
	if o.folds != nil {
		o.describeFolds(&b)
	} else {
		o.describeRanks(&b)
	}
	for _, v := range o.verdicts {
		fmt.Fprintf(&b, "  %-14s %s, %s %s, %s %s\n", v.Data,
			v.Unit.FormatDifference(v.CandidateMean-v.BaselineMean),
			v.Candidate, v.Unit.FormatScore(v.CandidateMean), v.Baseline, v.Unit.FormatScore(v.BaselineMean))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (o *overall) describeRanks(b *strings.Builder) {
	better, worse := 0, 0
	for _, v := range o.verdicts {
		switch d := float64(v.Unit.Better) * (v.CandidateMean - v.BaselineMean); {
		case stat.Tied(v.CandidateMean, v.BaselineMean):
		case d > 0:
			better++
		default:
			worse++
		}
	}
	fmt.Fprintf(b, "  signed-rank    better on %d, worse on %d, W+ = %g, W- = %g, p = %.3g (it takes %g or less)\n",
		better, worse, o.ranks.WPlus, o.ranks.WMinus, o.ranks.P, o.alpha)
}

func (o *overall) describeFolds(b *strings.Builder) {
	u, r := o.verdicts[0].Unit, o.folds
	sign := float64(u.Better)
	lo, hi := sign*r.Lo, sign*r.Hi
	fmt.Fprintf(b, "  hierarchical   P(better) = %.3f, P(worse) = %.3f, P(within %s) = %.3f (it takes more than %g)\n",
		r.P.Better, r.P.Worse, u.FormatMargin(o.rope), r.P.Rope, o.probability)
	fmt.Fprintf(b, "  center         %s, 95%% interval %s\n", u.FormatDifference(sign*r.Mean),
		u.FormatInterval(min(lo, hi), max(lo, hi)))
	for _, w := range r.Warnings {
		fmt.Fprintf(b, "  caution        %v\n", w)
	}
}
