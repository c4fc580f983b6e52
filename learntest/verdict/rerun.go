package verdict

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
)

// A Rerun says how likely the same test on other random partitions of the same data
// comes to the same conclusion.
type Rerun struct {
	// R is the replicability: the probability that two reruns agree with each other.
	// A predicted one is the mean over what the runs at hand leave possible, which near
	// 1 is below its interval. P is the probability that a rerun agrees with this verdict;
	// NaN if R was counted.
	R, P float64

	// Finds says in words what a rerun that agrees finds; empty if R was counted.
	Finds string

	// Lo and Hi are the 90% interval of a predicted R. They are NaN if R was
	// counted.
	Lo, Hi float64

	Runs int // that it was found from

	// Repeats and Agreeing are the number of repetitions of the test, and how many
	// of them came to the conclusion of the verdict. They are 0 if R is predicted.
	Repeats, Agreeing int

	// Enough is a number of runs from which a required replicability would
	// probably be decided, where it is not and that takes no more than a thousand times
	// those of the protocol; else 0.
	Enough int
}

// manyRuns is how many times the runs of the protocol are not worth asking for.
const manyRuns = 1000

// Counted reports whether R is counted from repetitions rather than predicted.
func (r *Rerun) Counted() bool { return r.Repeats > 0 }

// replicate says how replicable the test is, and holds that against what is
// required. The protocol's own runs decide whether the claim holds otherwise; only
// then do further runs count.
func (v *Verdict) replicate(test stat.Test, p *record.Pairs) error {
	c := &v.Claim
	required := c.Replicability > 0 && v.Holds
	switch {
	case c.Repeats > 0 && (c.Replicability == 0 || required):
		return v.count(test, p, c.Repeats)
	case !required:
		v.predict(test, differences(p, 0, p.Runs))
		return nil
	}
	err := v.adapt(test, p)
	if !errors.Is(err, stat.ErrDomain) {
		return err
	}
	// The rule does not apply to the test.
	if need := DefaultRepeats * v.Runs; c.MaxRuns > 0 && c.MaxRuns < need {
		return fmt.Errorf("%w: the replicability of %s is counted, from %d runs, and the budget is %d: name another test or a budget of %[3]d", ErrClaim, test.Name, need, c.MaxRuns)
	}
	return v.count(test, p, DefaultRepeats)
}

// sure is the probability from which the clearer one of the two tests of equivalence is
// taken to reject in every repeat.
const sure = 0.999

// retest returns what is repeated. Of the two tests of equivalence it is the less clear
// one, if the own runs say that the other one is sure to reject: a repeat then rejects both
// just if it rejects that. Otherwise their replicability cannot be predicted.
func (v *Verdict) retest(test stat.Test, own stat.Differences) (replicate.Retest, error) {
	c := &v.Claim
	q := replicate.Retest{Test: test, Runs: v.Runs, Alpha: c.tail()}
	switch c.Kind {
	case Improves:
		q.Null = c.gain()
		if c.OneSided || c.Probability > 0 {
			q.Alternative = stat.Greater
		}
	case NoRegression:
		q.Null, q.Alternative = -c.allowance(), stat.Greater
	case Equivalent:
		above, below := q, q
		above.Null, above.Alternative = -c.Margin, stat.Greater
		below.Null, below.Alternative = c.Margin, stat.Less
		clear := below
		if q = above; v.Below.Result.P > v.Above.Result.P {
			q, clear = below, above
		}
		if p, err := clear.Predict(own); err != nil || c.Probability > 0 || !p.Rejected || p.P < sure {
			return q, fmt.Errorf("%w: the replicability of two tests of which neither is sure to reject is counted, not predicted", stat.ErrDomain)
		}
	}
	return q, nil
}

// predict predicts the replicability from the protocol's own runs, where the test
// allows that.
func (v *Verdict) predict(test stat.Test, own stat.Differences) {
	if v.extent == bare {
		return
	}
	q, err := v.retest(test, own)
	if err != nil {
		return
	}
	if p, err := q.Predict(own); err == nil {
		v.Rerun = &Rerun{R: p.R, P: p.P, Finds: v.finds(&p), Lo: p.Lo, Hi: p.Hi, Runs: p.N}
	}
}

// finds says what a rerun finds that agrees with the first test.
func (v *Verdict) finds(p *replicate.Prediction) string {
	c := &v.Claim
	worse := p.Rejected && p.Direction == stat.Less
	switch {
	case c.Kind == Differs, c.Kind == Replicable:
		switch {
		case worse:
			return "significantly worse again"
		case p.Rejected:
			return "significantly better again"
		}
		return "no significant difference again"
	case c.Kind == Improves && worse && c.gain() > 0: // a test on both sides of the gain
		return "significantly less than the gain again"
	case c.Kind == Improves && worse:
		return "significantly worse again"
	case p.Rejected:
		return "the claim holds again"
	}
	return "the claim fails again"
}

// adapt decides on a required replicability by the sequential rule.
func (v *Verdict) adapt(test stat.Test, p *record.Pairs) error {
	c := &v.Claim
	q, err := v.retest(test, differences(p, 0, v.Runs))
	if err != nil {
		return err
	}
	rule := replicate.Rule{Required: c.Replicability}
	if c.Strict {
		rule = replicate.StrictRule(c.Replicability)
	}
	// Whichever the conclusion is, it is what must be replicable.
	rule.NoRejection = c.Kind == Replicable && v.Significance() == 0
	rule.Budget = c.MaxRuns
	d, err := q.Adaptive(differences(p, 0, p.Runs+p.More), rule)
	if err != nil {
		return err
	}
	r := &d.Prediction
	v.Rerun = &Rerun{R: r.R, P: r.P, Finds: v.finds(r), Lo: r.Lo, Hi: r.Hi, Runs: d.Looked}
	if d.Enough <= manyRuns*v.Runs {
		v.Rerun.Enough = d.Enough
	}
	switch {
	case d.Answer == replicate.Shown:
	case d.Answer == replicate.Undecided && d.Next > 0:
		return v.need(p, d.Next, fmt.Sprintf("a replicability of %.3g is not decided yet", c.Replicability))
	case d.Answer == replicate.Undecided:
		v.helpUndecided()
		v.notReplicable("a replicability of %.3g is undecided at the budget of %d runs: from %d its 90%% interval is %.3f to %.3f", c.Replicability, d.Budget, d.Looked, r.Lo, r.Hi)
	default:
		v.Help = append(v.Help, "more examples would make it more replicable; more runs would not")
		v.notReplicable("a replicability of %.3g is refuted by %d runs: a rerun agrees with a probability of %.3f at most, and it takes %.3f", c.Replicability, d.Looked, d.AtMost, d.Needed)
	}
	return nil
}

// need says that the claim takes more runs than there are, unless it is known why
// there cannot be more.
func (v *Verdict) need(p *record.Pairs, runs int, why string) error {
	if p.MoreErr != nil {
		return fmt.Errorf("further runs, which replicability rests on: %w", p.MoreErr)
	}
	v.NeedRuns = runs
	return fmt.Errorf("%s: it takes %d runs; there are %d", why, runs, p.Runs+p.More)
}

func (v *Verdict) notReplicable(format string, args ...any) {
	v.Holds, v.unreplicable, v.Outcome, v.Reason = false, true, Inconclusive, fmt.Sprintf(format, args...)
}

// count counts the replicability from repetitions of the test, as Bouckaert &
// Frank 2004 do.
func (v *Verdict) count(test stat.Test, p *record.Pairs, repeats int) error {
	need := repeats * v.Runs
	if need > p.Runs+p.More {
		return v.need(p, need, fmt.Sprintf("counting replicability needs %d repetitions of the test", repeats))
	}
	first := v.conclusion()
	agreeing := 0
	for i := range repeats {
		w := Verdict{Claim: v.Claim, Unit: v.Unit}
		if err := w.find(test, differences(p, i*v.Runs, v.Runs)); err != nil {
			return err
		}
		w.conclude()
		if w.conclusion() == first {
			agreeing++
		}
	}
	r, err := replicate.Replicability(agreeing, repeats)
	if err != nil {
		return err
	}
	nan := v.Detectable // NaN until it is found
	v.Rerun = &Rerun{R: r, P: nan, Lo: nan, Hi: nan, Runs: need, Repeats: repeats, Agreeing: agreeing}
	if required := v.Claim.Replicability; required > 0 && (r < required || 2*agreeing <= repeats) {
		v.notReplicable("%d of %d repetitions of the test come to this conclusion: replicability %.3f, of which %.3g is required with a majority",
			agreeing, repeats, r, required)
	}
	return nil
}

// conclusion is what a repetition must share to agree: that the claim holds or
// not, and for claims of no direction in which direction the difference is
// significant.
func (v *Verdict) conclusion() int {
	switch v.Claim.Kind {
	case Differs, Replicable:
		return v.Significance()
	}
	if v.Holds {
		return 1
	}
	return 0
}
