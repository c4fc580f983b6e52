package verdict

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/learntest/unit"
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
	// the runs of the protocol; else 0.
	Enough int
}

// counted reports whether R is counted from repetitions rather than predicted.
func (r *Rerun) counted() bool { return r.Repeats > 0 }

// outside reports whether R lies outside its own interval, as near 1, where texts and files give
// the interval alone.
func (r *Rerun) outside() bool { return r.R < r.Lo || r.R > r.Hi }

// String returns what a rerun would find, and where that comes from.
func (r *Rerun) String() string {
	if r.counted() {
		return fmt.Sprintf("%d of %d repetitions come to this conclusion: replicability %.3f", r.Agreeing,
			r.Repeats, r.R)
	}
	value, lo := unit.FormatProbability(r.R), fmt.Sprintf("%.3f", r.Lo)
	switch {
	case lo == "1.000":
		value = unit.FormatProbability(1)
	case r.outside(): // see replicate.Retest.Predict
		value = fmt.Sprintf("90%% interval %s to %.3f", lo, r.Hi)
	default:
		value += fmt.Sprintf(", 90%% interval %s to %.3f", lo, r.Hi)
	}
	return fmt.Sprintf("%s with probability %s; replicability %s, predicted from %s",
		cmp.Or(r.Finds, "agrees"), unit.FormatProbability(r.P), value, unit.FormatRuns(r.Runs))
}

// A repetition is the test of a claim on other partitions.
type repetition struct {
	question
	test  stat.Test
	pairs *record.Pairs
	found *Findings // in the protocol's own runs
	holds bool      // the claim, but for its replicability
	first bool      // a second opinion was asked for, of which this is the first test
}

// A replicated is the outcome of a repetition.
type replicated struct {
	rerun  *Rerun // nil if that is not known
	need   int    // runs that it takes, where there are fewer
	reason string // why the claim is not as replicable as is required; empty if it is
	help   []string
}

// judge says how replicable the test is, and compares that with the required
// replicability. The protocol's own runs decide whether the claim holds otherwise; only
// then do further runs count. A prediction that is not required is made only where it is shown.
func (r repetition) judge(shown bool) (replicated, error) {
	required := r.Replicability > 0 && r.holds
	switch {
	case r.settled(), r.items != nil: // by any partitions, or there are none
		return replicated{}, nil
	case r.Repeats > 0 && (r.Replicability == 0 || required):
		return r.count(r.Repeats)
	case !required && shown:
		return replicated{rerun: r.predict()}, nil
	case !required:
		return replicated{}, nil
	}
	x, err := r.adapt()
	if !errors.Is(err, stat.ErrDomain) {
		return x, err
	}
	// The rule does not apply to the test.
	if need := defaultRepeats * r.pairs.Runs; r.MaxRuns > 0 && r.MaxRuns < need {
		return x, fmt.Errorf("%w: the replicability of %s is counted, from %d runs, and the budget is %d: name another test or a budget of %[3]d", ErrClaim, r.test.Name, need, r.MaxRuns)
	}
	return r.count(defaultRepeats)
}

// sure is the probability from which the clearer one of the two tests of equivalence is
// taken to reject in every repeat.
const sure = 0.999

// retest returns the repeated test. Of the two tests of equivalence it is the less clear
// one, if the own runs say that the other one is sure to reject: a repeat then rejects both
// just if it rejects that. Otherwise their replicability cannot be predicted.
func (r repetition) retest(own stat.Differences) (replicate.Retest, error) {
	q := replicate.Retest{Test: r.test, Runs: r.pairs.Runs, Alpha: r.tail()}
	if r.seen() {
		return q, fmt.Errorf("%w: the replicability of a claim that rests on the number of examples is counted, not predicted", stat.ErrDomain)
	}
	switch r.Kind {
	case Improves:
		q.Null = r.gain()
		if r.OneSided || r.Probability > 0 {
			q.Alternative = stat.Greater
		}
	case NoRegression:
		q.Null, q.Alternative = -r.allowance(), stat.Greater
	case Equivalent:
		above, below := q, q
		above.Null, above.Alternative = -r.Margin, stat.Greater
		below.Null, below.Alternative = r.Margin, stat.Less
		clear := below
		if q = above; r.found.Below.Result.P > r.found.Above.Result.P {
			q, clear = below, above
		}
		if p, err := clear.Predict(own); err != nil || r.Probability > 0 || !p.Rejected || p.P < sure {
			return q, fmt.Errorf("%w: the replicability of two tests of which neither is sure to reject is counted, not predicted", stat.ErrDomain)
		}
	}
	return q, nil
}

// seen reports whether what the tested examples may have missed decides the claim, instead of the
// test: it is the wider half of the interval.
func (r repetition) seen() bool {
	u := r.unseen()
	if r.hasRoom() && r.sayLittle(r.found.same) {
		return true
	}
	if u == 0 || r.Kind != NoRegression && r.Kind != Equivalent {
		return false
	}
	x := r.found.Difference.Result
	c, err := x.Critical(2 * r.tail())
	return err != nil || !(c*x.SE >= u)
}

// predict predicts the replicability from the protocol's own runs; nil where the test does not
// allow that.
func (r repetition) predict() *Rerun {
	own := differences(r.pairs, 0, r.pairs.Runs)
	q, err := r.retest(own)
	if err != nil {
		return nil
	}
	p, err := q.Predict(own)
	if err != nil {
		return nil
	}
	return r.predicted(&p, p.N)
}

// predicted returns a prediction from runs.
func (r repetition) predicted(p *replicate.Prediction, runs int) *Rerun {
	return &Rerun{R: p.R, P: p.P, Finds: r.finds(p), Lo: p.Lo, Hi: p.Hi, Runs: runs}
}

// finds says what a rerun finds that agrees with the test.
func (r repetition) finds(p *replicate.Prediction) string {
	text := r.conclusionOf(p)
	switch {
	case !r.first:
		return text
	case text == holdsAgain:
		return "the first test shows the claim again"
	case text == failsAgain:
		return "the first test does not show the claim again"
	}
	return text + " by the first test"
}

const holdsAgain, failsAgain = "the claim holds again", "the claim fails again"

func (r repetition) conclusionOf(p *replicate.Prediction) string {
	worse := p.Rejected && p.Direction == stat.Less
	switch direction := r.Kind == Differs || r.Kind == Replicable || r.Kind == Unbeaten; {
	case r.Kind == Improves && worse && r.gain() > 0: // a test on both sides of the gain
		return "significantly less than the gain again"
	case worse && (direction || r.Kind == Improves):
		return "significantly worse again"
	case p.Rejected && direction:
		return "significantly better again"
	case direction:
		return "no significant difference again"
	case p.Rejected:
		return holdsAgain
	}
	return failsAgain
}

// manyRuns is how many times the runs of the protocol are not worth asking for.
const manyRuns = 1000

// adapt decides on a required replicability by the sequential rule.
func (r repetition) adapt() (x replicated, err error) {
	p := r.pairs
	q, err := r.retest(differences(p, 0, p.Runs))
	if err != nil {
		return x, err
	}
	rule := replicate.Rule{Required: r.Replicability}
	if r.Strict {
		rule = replicate.StrictRule(r.Replicability)
	}
	// Whichever the conclusion is, it is what must be replicable.
	rule.NoRejection = r.Kind == Replicable && r.found.Significance() == 0
	rule.Budget = r.MaxRuns
	d, err := q.Adaptive(differences(p, 0, p.Runs+p.More), rule)
	if err != nil {
		return x, err
	}
	f := &d.Prediction
	x.rerun = r.predicted(f, d.Looked)
	if d.Enough <= manyRuns*p.Runs {
		x.rerun.Enough = d.Enough
	}
	switch {
	case d.Answer == replicate.Shown:
	case d.Answer == replicate.Undecided && d.Next > 0:
		x.need, err = r.need(d.Next, fmt.Sprintf("a replicability of %.3g is not decided yet",
			r.Replicability))
	case d.Answer == replicate.Undecided:
		x.help = []string{x.rerun.undecided(p.Runs)}
		x.reason = fmt.Sprintf("a replicability of %.3g is undecided at the budget of %d runs: from %d its 90%% interval is %.3f to %.3f", r.Replicability, d.Budget, d.Looked, f.Lo, f.Hi)
	default:
		x.help = []string{"more examples would make it more replicable; more runs would not"}
		x.reason = fmt.Sprintf("a replicability of %.3g is refuted by %d runs: a rerun agrees with a probability of %.3f at most, and it takes %.3f", r.Replicability, d.Looked, d.AtMost, d.Needed)
	}
	return x, err
}

// undecided says what would help a required replicability that is undecided, given the runs of
// the protocol.
func (r *Rerun) undecided(runs int) string {
	if r.Enough > 0 {
		return fmt.Sprintf("about %d runs would probably decide it", r.Enough)
	}
	return fmt.Sprintf("it is about as high as required: to tell which is higher would take more than %d runs; require a lower one, or test on more examples", manyRuns*runs)
}

// need says that the claim takes more runs than there are, unless it is known why
// there cannot be more.
func (r repetition) need(runs int, why string) (int, error) {
	if err := r.pairs.MoreErr; err != nil {
		return 0, fmt.Errorf("further runs, which replicability rests on: %w", err)
	}
	return runs, fmt.Errorf("%s: it takes %d runs; there are %d", why, runs, r.pairs.Runs+r.pairs.More)
}

// count counts the replicability from repetitions of the test, as Bouckaert &
// Frank 2004 do.
func (r repetition) count(repeats int) (x replicated, err error) {
	p := r.pairs
	need := repeats * p.Runs
	if need > p.Runs+p.More {
		x.need, err = r.need(need, fmt.Sprintf("counting replicability needs %d repetitions of the test",
			repeats))
		return x, err
	}
	first, agreeing := reading{r.question, r.found}.repeats(r.holds), 0
	for i := range repeats {
		f, _, err := r.find(r.test, differences(p, i*p.Runs, p.Runs))
		if err != nil {
			return x, err
		}
		if again := (reading{r.question, &f}); again.repeats(again.conclude().holds) == first {
			agreeing++
		}
	}
	share, err := replicate.Replicability(agreeing, repeats)
	if err != nil {
		return x, err
	}
	nan := math.NaN()
	x.rerun = &Rerun{
		R: share, P: nan, Lo: nan, Hi: nan, Runs: need, Repeats: repeats,
		Agreeing: agreeing,
	}
	if r.Replicability > 0 && (share < r.Replicability || 2*agreeing <= repeats) {
		x.reason = fmt.Sprintf("%d of %d repetitions of the test come to this conclusion: replicability %.3f, of which %.3g is required with a majority",
			agreeing, repeats, share, r.Replicability)
	}
	return x, nil
}
