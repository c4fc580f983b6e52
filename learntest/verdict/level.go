package verdict

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A leveling is a verdict on an absolute claim in the making.
type leveling struct {
	judging
	x     *record.Pairs // with the threshold for a baseline
	level Level
}

// judgeLevel judges a claim about the candidate alone.
func judgeLevel(p *record.Pairs, c Claim, e Extent) Verdict {
	v := Verdict{
		Claim: c, Data: p.Data, Candidate: p.Candidate, Unit: p.Unit, CandidateHeader: p.CandidateHeader,
		BaselineHeader: p.CandidateHeader,
		Runs:           p.Runs, Folds: p.Folds, Detectable: math.NaN(),
	}
	l := leveling{judging: judging{Verdict: &v, pairs: p, extent: e}}
	err := l.prepareLevel()
	if err == nil {
		err = l.decideLevel()
	}
	if err != nil {
		v.Outcome, v.Holds, v.Reason, v.Err = Invalid, false, err.Error(), err
	}
	return v
}

// checkLevel returns the claim with its defaults, or an error if it makes no sense for the metric.
func (c Claim) checkLevel(u unit.Unit) (Claim, error) {
	fail := func(format string, args ...any) (Claim, error) {
		return c, fmt.Errorf("%w: %s", ErrClaim, fmt.Sprintf(format, args...))
	}
	c.Metric = u.Name
	if c.Alpha == 0 {
		c.Alpha = DefaultAlpha
	}
	if c.Power == 0 {
		c.Power = 0.8
	}
	switch {
	case c.Margin != 0 || len(c.Margins.Metrics()) > 0 || c.Gain != 0 || c.Rope != 0 ||
		c.Probability != 0 || c.OneSided || c.Halvings != 0 || c.Adjust.Adjust != nil:
		return fail("a claim that a learner %s a threshold takes neither a margin, a gain, a rope, a probability, a second opinion nor an adjustment: it is one-sided, and about one learner", c.Kind)
	case c.Kind == AtLeast && u.Better == unit.Lower:
		return fail("lower %s is better, and any bad learner has at least %v: claim at most",
			u.Name, c.Threshold)
	case c.Kind == AtMost && u.Better == unit.Higher:
		return fail("higher %s is better, and any bad learner has at most %v: claim at least",
			u.Name, c.Threshold)
	case math.IsNaN(c.Threshold) || math.IsInf(c.Threshold, 0):
		return fail("a threshold of %v is not a finite number", c.Threshold)
	case !(c.Threshold >= u.Min && c.Threshold <= u.Max):
		return fail("a threshold of %v is outside of the range of %s, %v to %v%s", c.Threshold, u.Name,
			u.Min, u.Max, percentHint(u, c.Threshold))
	case c.Threshold == u.Worst():
		return fail("a threshold of %v is the worst possible %s: every learner reaches it", c.Threshold,
			u.Name)
	}
	return c, c.check()
}

func percentHint(u unit.Unit, x float64) string {
	if u.IsFraction() && x > 1 && x <= 100 {
		return fmt.Sprintf(": %v%% is %v", x, x/100)
	}
	return ""
}

func (l *leveling) prepareLevel() error {
	p := l.pairs
	if l.Claim.Metric != "" && l.Claim.Metric != p.Unit.Name {
		return fmt.Errorf("%w: it is about %s, the scores are of %s", ErrClaim, l.Claim.Metric,
			p.Unit.Name)
	}
	c, err := l.Claim.checkLevel(p.Unit)
	l.Claim = c
	if err != nil {
		return err
	}
	if p.Items != nil {
		return fmt.Errorf("%w: a claim that a learner %s a threshold is for learners that are trained: on items, compare two systems", ErrClaim, c.Kind)
	}
	if err := errors.Join(c.checkSlice(p), checkPairs(p)); err != nil {
		return err
	}
	l.Tested, l.CandidateMean, l.BaselineMean = Tested(p), mean(p.A[:l.Runs*l.Folds]), c.Threshold
	if l.test, l.Warnings, err = c.fit(p); err != nil {
		return err
	}
	l.Claim.Test = l.test
	same := *p
	same.B, same.SameProgram = make([]float64, len(p.A)), false
	for i := range same.B {
		same.B[i] = c.Threshold
	}
	l.x = &same
	l.level.Threshold = c.Threshold
	if class, score, ok := p.CandidateHeader.MajorityIn(p.Unit.Name); ok && !c.AllowMajority &&
		float64(p.Unit.Better)*(score-c.Threshold) >= 0 {
		return fmt.Errorf("%w: a model that always predicts %q scores %s and reaches %s (AllowMajority or -allow-majority, if that is meant): claim more",
			ErrClaim, class, p.Unit.FormatScore(score), p.Unit.FormatScore(c.Threshold))
	}
	return l.attainable()
}

// share returns a score on the scale from the worst, 0, to the best, 1.
func (l *leveling) share(score float64) float64 {
	return (score - l.Unit.Worst()) / (l.Unit.Best() - l.Unit.Worst())
}

// score is the reverse of share.
func (l *leveling) score(share float64) float64 {
	return l.Unit.Worst() + share*(l.Unit.Best()-l.Unit.Worst())
}

// attainable sets Wilson's bound, and returns an error for a threshold that no data could show.
func (l *leveling) attainable() error {
	if !l.Unit.IsMean() || l.Tested == 0 {
		if l.Claim.Threshold == l.Unit.Best() {
			return fmt.Errorf("%w: no data show the best possible %s", ErrClaim, l.Unit.Name)
		}
		return nil
	}
	l.level.Wilson = &stat.Wilson{Examples: l.Tested, Alpha: l.Claim.Alpha}
	most, err := l.level.Wilson.Highest()
	if err != nil {
		return err
	}
	if l.share(l.Claim.Threshold) > most {
		return fmt.Errorf("%w: no scores on %d examples could show %s: not a single failure would show %s", ErrClaim, l.Tested, l.Unit.FormatScore(l.Claim.Threshold), l.Unit.FormatScore(l.score(most)))
	}
	return nil
}

// decideLevel answers the claim.
func (l *leveling) decideLevel() error {
	d := differences(l.x, 0, l.Runs)
	d.LeastVariance = 0 // Wilson's bound sees to that
	r, err := l.test.Run(d, stat.Greater)
	if err != nil {
		return err
	}
	x, better := &l.level, float64(l.Unit.Better)
	both := r
	both.Alternative = stat.TwoSided
	lower, upper := both.Interval(1 - 2*l.Claim.Alpha)
	lo, hi := both.Interval(1 - l.Claim.Alpha)
	if r.SE == 0 {
		lower, upper, lo, hi = r.Mean, r.Mean, r.Mean, r.Mean
	}
	if math.IsNaN(lower) {
		return fmt.Errorf("%w: %s has no interval, and so no bound of the score: name a test that has one", ErrClaim, l.test.Name)
	}
	x.T, x.P = r, r.P
	x.Bound, x.Ceiling = l.Claim.Threshold+better*lower, l.Claim.Threshold+better*upper
	x.Lo, x.Hi = l.Claim.Threshold+better*lo, l.Claim.Threshold+better*hi
	if better < 0 {
		x.Lo, x.Hi = x.Hi, x.Lo
	}
	shown := r.P <= l.Claim.Alpha && r.Beyond() == 1
	x.WilsonP, x.WilsonBound = math.NaN(), math.NaN()
	if w := x.Wilson; w != nil {
		share, at := l.share(l.CandidateMean), l.share(l.Claim.Threshold)
		low, high, err := w.Bounds(min(max(share, 0), 1))
		if err != nil {
			return err
		}
		if x.WilsonP, err = w.P(min(max(share, 0), 1), at); err != nil {
			return err
		}
		x.WilsonBound = l.score(low)
		shown = shown && x.WilsonP <= l.Claim.Alpha
		x.P = max(x.P, x.WilsonP)
		x.Bound, x.Ceiling = worse(better, x.Bound, x.WilsonBound), worse(-better, x.Ceiling,
			l.score(high))
	}
	l.Level = x
	l.Estimate = l.CandidateMean - l.Claim.Threshold
	l.Difference = Finding{
		Result: r, P: x.P, Shown: shown, Lo: x.Lo - l.Claim.Threshold,
		Hi: x.Hi - l.Claim.Threshold, Level: 1 - l.Claim.Alpha,
	}
	l.Decision = l.Difference
	switch {
	case shown && r.SE == 0 && x.Wilson == nil:
		l.Outcome, l.Reason = Inconclusive,
			"no fold has another score than the others, and no bound follows from that"
	case shown:
		l.Outcome, l.Holds = Improved, true
	case better*(x.Ceiling-l.Claim.Threshold) < 0:
		l.Outcome, l.Reason = Regressed, "it scores "+levelText{l.Verdict}.most(x.Ceiling)
	default:
		l.Outcome, l.Reason = Inconclusive, levelText{l.Verdict}.least(x.Bound)+" is shown"
	}
	if l.Holds && !l.Claim.AllowMajority {
		if err := l.LearnedNothing(); err != nil {
			l.Outcome, l.Holds, l.Reason = Inconclusive, false, err.Error()
		}
	}
	return l.again(d)
}

// worse returns the worse one of two scores, given the direction in which scores are better.
func worse(better, a, b float64) float64 {
	if better < 0 {
		return math.Max(a, b)
	}
	return math.Min(a, b)
}

// again says what other partitions would lead to, and holds a required replicability against that.
func (l *leveling) again(d stat.Differences) error {
	x := &l.level
	l.warnLevel()
	x.MeanFlips, x.FlipsLo, x.FlipsHi = meanFlips(d)
	x.Needs = l.needs()
	if x.Wilson != nil && x.WilsonP > x.T.P {
		if l.Claim.Replicability > 0 && l.Holds {
			return fmt.Errorf("%w: Replicability is for claims that the test decides, and Wilson's bound on %d examples decides this one: leave it out, or claim less", ErrClaim, l.Tested)
		}
		l.Rerun = l.againByMean()
		return nil
	}
	q := l.question()
	q.Kind, q.OneSided = Improves, true
	q.tested = 0
	r, err := repetition{q, l.test, l.x, &l.Findings, l.Holds, false}.judge(l.extent != Bare)
	l.Rerun, l.NeedRuns, l.Help = r.rerun, r.need, r.help
	if l.Rerun != nil && !l.Rerun.counted() {
		l.Rerun.Finds = failsAgain
		if l.Holds {
			l.Rerun.Finds = holdsAgain
		}
	}
	if r.reason != "" {
		l.Outcome, l.Holds, l.Reason = Inconclusive, false, r.reason
	}
	return err
}

// againByMean predicts what Wilson's bound says on other partitions: it looks at the mean of the
// runs alone.
func (l *leveling) againByMean() *Rerun {
	least, err := l.level.Wilson.Least(l.share(l.Claim.Threshold))
	if err != nil {
		return nil
	}
	shares := make([]float64, l.Runs)
	for run := range shares {
		shares[run] = l.share(mean(l.pairs.A[run*l.Folds : (run+1)*l.Folds]))
	}
	p, err := replicate.PredictMean(shares, least, 0.9)
	if err != nil {
		return nil
	}
	finds := failsAgain
	if p.Rejected {
		finds = holdsAgain
	}
	return &Rerun{R: p.R, P: p.P, Finds: finds, Lo: p.Lo, Hi: p.Hi, Runs: l.Runs}
}

// meanFlips returns in which share of pairs of partitions a comparison of the mean with the
// threshold, without an interval, comes to different answers, with the 90% interval of this share.
func meanFlips(d stat.Differences) (share, lo, hi float64) {
	runs := make([]float64, d.Runs)
	for j := range runs {
		runs[j] = mean(d.X[j*d.Folds : (j+1)*d.Folds])
	}
	p, err := replicate.PredictMean(runs, 0, 0.9)
	if err != nil {
		return math.NaN(), math.NaN(), math.NaN()
	}
	above := 0.5 * math.Erfc(-math.Abs(p.Z)/math.Sqrt2)
	return 2 * above * (1 - above), 1 - p.Hi, 1 - p.Lo
}

// warnLevel adds the doubts that do not forbid the verdict.
func (l *leveling) warnLevel() {
	add := func(format string, args ...any) {
		l.Warnings = append(l.Warnings,
			fmt.Errorf(format, args...))
	}
	if m := otherSeed.FindStringSubmatch(l.CandidateHeader.Protocol); m != nil && m[1] != "1" {
		add("the seed is %s, not 1: a seed that is chosen until a claim holds makes it hold wrongly",
			m[1])
	}
	for _, w := range l.level.T.Warnings {
		if errors.Is(w, stat.ErrZeroVariance) {
			w = fmt.Errorf("no fold has another score than the others: %w", w)
		}
		l.Warnings = append(l.Warnings, w)
	}
	if err := l.LearnedNothing(); err != nil {
		l.Warnings = append(l.Warnings, err)
	}
	switch l.CandidateHeader.Of(cmp.Or(l.pairs.CandidateLearner, l.Candidate)).Probe() {
	case record.NotProbed:
		add("%s was not trained again: nobody knows whether its seed fixes it, or whether it keeps something between trainings", l.Candidate)
	case record.NotDeterministic:
		add("%s is not deterministic: trained twice with the same seed, it predicted differently, so that a rerun differs by more than the partition", l.Candidate)
	}
}

// otherSeed finds the seed of a protocol that is not the default one.
var otherSeed = regexp.MustCompile(`\bseed=(\d+)\b`)
