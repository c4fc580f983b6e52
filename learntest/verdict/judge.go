package verdict

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// Judge judges a claim about the pairs, whose unit must be the unit of the
// claim's metric, if it names one.
//
// The test uses the protocol's own runs, however many there are; further runs,
// which repeat the test, count only for a replicability that the claim asks for. If
// there are too few of them the outcome is Invalid, and Verdict.NeedRuns says how
// many it takes.
//
// Significant means p ≤ alpha. The outcome is Same if all scores are equal, or if
// the claim has a margin and the difference is shown to be within it; else Improved
// or Regressed if the difference is significant; else Inconclusive. A required
// replicability that is not shown makes the outcome Inconclusive.
//
// Pairs of the first runs of a protocol are judged only if they settle the claim, and the claim has a Settle, or training
// was stopped there, with an error of its own (see record.Pairs.Stop). Else the outcome is Invalid, and Verdict.NeedRuns
// says how many runs to train next.
func Judge(p *record.Pairs, c Claim) Verdict { return judge(p, c, whole) }

// Brief is Judge without what takes most of the time and only explains a verdict:
// Detectable is NaN, and there is no Help.
func Brief(p *record.Pairs, c Claim) Verdict { return judge(p, c, brief) }

// Bare is Brief without a Rerun, unless the claim asks for a replicability: the prediction
// takes more time than the verdict.
func Bare(p *record.Pairs, c Claim) Verdict { return judge(p, c, bare) }

// An extent says how much of a verdict is wanted.
type extent uint8

const (
	whole extent = iota
	brief
	bare
)

func judge(p *record.Pairs, c Claim, e extent) Verdict {
	if p.Stop > 0 && (c.Settle == 0 || p.Stop < c.Settle) {
		c.Settle = p.Stop
	}
	if p.Items == nil && (c.Settle != 0 || p.Planned > p.Runs) {
		return judgeFirst(p, c, e)
	}
	return judgeThese(p, c, e)
}

// judgeThese judges a claim by the runs of the pairs.
func judgeThese(p *record.Pairs, c Claim, e extent) Verdict {
	if c.Kind.Absolute() {
		return judgeLevel(p, c, e)
	}
	if c.Kind == RatioAtMost {
		return judgeRatio(p, c)
	}
	v := Verdict{
		Claim: c, Data: p.Data, Candidate: p.Candidate, Baseline: p.Baseline, Unit: p.Unit,
		CandidateHeader: p.CandidateHeader, BaselineHeader: p.BaselineHeader,
		Runs: p.Runs, Folds: p.Folds, Detectable: math.NaN(),
	}
	j := judging{Verdict: &v, pairs: p, extent: e}
	err := j.prepare()
	if err == nil {
		err = j.decide()
	}
	if err != nil {
		v.Outcome, v.Holds, v.Reason, v.Err = Invalid, false, err.Error(), err
	}
	return v
}

// A judging is a verdict in the making.
type judging struct {
	*Verdict
	pairs  *record.Pairs
	extent extent

	test stat.Test
	own  stat.Differences // of the protocol's own runs
}

// prepare settles the claim, and returns an error if that makes no sense.
func (j *judging) prepare() error {
	p := j.pairs
	if j.Claim.Metric != "" && j.Claim.Metric != p.Unit.Name {
		return fmt.Errorf("%w: it is about %s, the pairs are of %s", ErrClaim, j.Claim.Metric, p.Unit.Name)
	}
	c, err := j.Claim.WithDefaults(p.Unit)
	if err != nil {
		return err
	}
	j.Claim = c
	if err := errors.Join(c.checkSlice(p), checkPairs(p)); err != nil {
		return err
	}
	n := j.Runs * j.Folds
	j.Tested = Tested(p)
	j.CandidateMean, j.BaselineMean = mean(p.A[:n]), mean(p.B[:n])
	if s := p.Slice; s != nil {
		j.Slice = &s.Slice
		if p.Items == nil {
			j.CandidateMean, j.BaselineMean = scoreOf(s, p.A[:n], p.Folds), scoreOf(s, p.B[:n], p.Folds)
		}
		if err := tooSmall(p); err != nil {
			return err
		}
	}
	if len(c.Margins.Metrics()) > 0 { // in percent of a mean
		if c, err = c.settle(p.Unit, j.BaselineMean); err != nil {
			return err
		}
		j.Claim = c
	}
	if c.MaxRuns > 0 && c.MaxRuns < j.Runs {
		return fmt.Errorf("%w: a budget of %d runs is less than the protocol's own %d", ErrClaim, c.MaxRuns, j.Runs)
	}
	if p.Items != nil {
		if err = c.checkItems(); err == nil {
			j.Items, j.test, err = newItems(p)
		}
		if err == nil {
			err = j.Items.describe(p)
		}
		j.Tested, j.Claim.Test = p.Folds, stat.Test{Name: itemsT} // which holds these differences
	} else if j.test, j.Warnings, err = c.fit(p); err == nil && c.Probability == 0 {
		j.Claim.Test = j.test
	}
	if err != nil {
		return err
	}
	if j.single, err = examplesOfPairs(p, j.test); err != nil {
		return err
	}
	if j.own, err = ownDifferences(p); err != nil {
		return err
	}
	if err := j.question().refutable(j.test, p, j.BaselineMean); err != nil {
		return err
	}
	j.Unchanged = p.SameProgram && slices.Equal(p.A[:n], p.B[:n])
	return nil
}

// decide answers the claim.
func (j *judging) decide() error {
	q := j.question()
	f, doubts, err := q.find(j.test, j.own)
	j.Findings, j.Warnings = f, append(j.Warnings, doubts...)
	if err != nil {
		return err
	}
	j.conclude()
	if q.Halvings > 0 {
		if err := j.consult(); err != nil {
			return err
		}
	}
	if j.pairs.Planned > j.Runs || j.Slice != nil { // a rerun might be settled by other runs; of slices, none is foretold
		j.warn()
		if j.extent == whole && j.Slice != nil {
			j.Detectable = j.power().detectable()
		}
		if !j.Holds && j.extent == whole {
			j.Help = j.power().help(j.own, j.Outcome, j.Detectable)
		}
		return nil
	}
	first := j.Second != nil && j.Second.Asked || q.heldByExamples()
	q.single = nil // which are counted over the protocol's own runs
	r, err := repetition{q, j.test, j.pairs, &j.Findings, j.Holds, first}.judge(j.extent != bare)
	j.Rerun, j.NeedRuns, j.Help = r.rerun, r.need, r.help
	if err != nil {
		return err
	}
	if r.reason != "" {
		j.Outcome, j.Holds, j.Reason = Inconclusive, false, r.reason
	}
	j.warn()
	if j.extent != whole {
		return nil
	}
	w := j.power()
	j.Detectable = w.detectable()
	if !j.Holds && r.reason == "" {
		j.Help = append(j.Help, w.help(j.own, j.Outcome, j.Detectable)...)
	}
	return nil
}

// conclude draws outcome and claim from the findings.
func (j *judging) conclude() {
	c := j.question().conclude(&j.Findings)
	j.Outcome, j.Holds, j.Reason = c.outcome, c.holds, c.reason
	q := j.question()
	_, _, nothing := majorityHeader(j.Verdict).NoBetter(j.Unit, j.BaselineMean) // and so nothing to lose
	equivalent := q.Kind == Differs && j.Outcome == Same && !nothing
	if (j.Holds || equivalent) && q.guardsMajority() && j.Significance() <= 0 {
		err := j.LearnedNothing()
		if err == nil {
			return
		}
		j.Holds, j.Reason = false, err.Error()
		switch {
		case equivalent && j.Significance() < 0:
			j.Outcome = Regressed
		case equivalent:
			j.Outcome = Inconclusive
		}
	}
}

// warn adds the doubts that do not forbid the verdict.
func (j *judging) warn() {
	add := func(format string, args ...any) { j.Warnings = append(j.Warnings, fmt.Errorf(format, args...)) }
	if r := &j.Difference.Result; r.Estimate != r.Mean {
		add("%s estimates the difference as %s, not as the mean: its interval is about that", r.Test, j.Unit.FormatDifference(float64(j.Unit.Better)*r.Estimate))
	}
	if j.test.Naive {
		add("%s takes the folds for independent, which overlapping training sets are not: expect far more false alarms than the level says", j.test.Name)
	}
	for _, w := range j.Difference.Result.Warnings {
		if errors.Is(w, stat.ErrZeroVariance) {
			what := "the differences are"
			if j.Estimate == 0 {
				what = "the scores of both learners are"
			}
			w = fmt.Errorf("%s equal %s: %w", what, j.question().everywhere(), w)
		}
		j.Warnings = append(j.Warnings, w)
	}
	q := j.question()
	q.unchanged = false // it may be tomorrow
	if note := q.seesTooLittle(); note != "" && (j.Holds || j.Claim.Kind == Differs) {
		add("%s", note)
	}
	if err := j.LearnedNothing(); err != nil {
		j.Warnings = append(j.Warnings, err)
	}
	if j.pairs.SameProgram && !j.Unchanged {
		add("%s has other scores than before, although program, parameters, command and data are equal: its seed does not fix it, or it depends on a variable, a file or a service that it does not declare", j.Candidate)
	}
	if j.Items != nil {
		j.Warnings = append(j.Warnings, j.Items.doubts...)
		return
	}
	j.Warnings = append(j.Warnings, unsteady(j.pairs, j.Claim)...)
	for _, l := range []struct {
		name, learner string
		header        *record.Header
	}{{j.Candidate, j.pairs.CandidateLearner, j.CandidateHeader}, {j.Baseline, j.pairs.BaselineLearner, j.BaselineHeader}} {
		switch l.header.Probe(cmp.Or(l.learner, l.name)) {
		case record.NotProbed:
			add("%s was not trained again: nobody knows whether its seed fixes it, or whether it keeps something between trainings", l.name)
		case record.NotDeterministic:
			add("%s is not deterministic: trained twice with the same seed, it predicted differently, so that a rerun differs by more than the partition", l.name)
		}
	}
}

// checkPairs returns an error unless there is a finite score of both learners
// for each fold of each run.
func checkPairs(p *record.Pairs) error {
	n := (p.Runs + p.More) * p.Folds
	if p.Runs < 1 || p.More < 0 || n == 0 || len(p.A) != n || len(p.B) != n || len(p.TrainN) != n || len(p.TestN) != n {
		return fmt.Errorf("%d candidate and %d baseline scores, %d and %d sizes for %d runs of %d folds",
			len(p.A), len(p.B), len(p.TrainN), len(p.TestN), p.Runs, p.Folds)
	}
	for i := range n {
		for _, s := range []struct {
			learner string
			score   float64
		}{{p.Candidate, p.A[i]}, {p.Baseline, p.B[i]}} {
			if math.IsNaN(s.score) || math.IsInf(s.score, 0) {
				return fmt.Errorf("%s of %s, run %d, fold %d, is %v", p.Unit.Name, s.learner, i/p.Folds+1, i%p.Folds+1, s.score)
			}
		}
	}
	return nil
}

// ownDifferences returns the differences in the protocol's own runs.
func ownDifferences(p *record.Pairs) (stat.Differences, error) {
	if p.Slice == nil || p.Items != nil {
		return differences(p, 0, p.Runs), nil
	}
	n := p.Runs * p.Folds
	d, err := linearised(p, n)
	if err != nil {
		return d, err
	}
	train, tested := 0, 0
	for i := range n {
		train, tested = train+int(p.TrainN[i]), tested+int(p.TestN[i])
	}
	d.Ratio = float64(tested) / float64(train)
	if !d.Zero() {
		d.LeastVariance = sliceFloor(p)
	}
	return d, nil
}

// differences returns the differences in runs from..from+runs-1, counted from 0, in the
// direction in which the metric is better.
func differences(p *record.Pairs, from, runs int) stat.Differences {
	lo, hi := from*p.Folds, (from+runs)*p.Folds
	d := stat.Differences{Runs: runs, Folds: p.Folds, X: make([]float64, hi-lo)}
	train, tested := 0, 0
	for i := range d.X {
		a, b := p.A[lo+i], p.B[lo+i]
		d.X[i] = float64(p.Unit.Better) * (a - b)
		d.Scale = max(d.Scale, math.Abs(a), math.Abs(b))
		train += int(p.TrainN[lo+i])
		tested += int(p.TestN[lo+i])
	}
	d.Ratio = float64(tested) / float64(train)
	if !d.Zero() {
		d.LeastVariance = leastVariance(p, lo, hi)
	}
	return d
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
