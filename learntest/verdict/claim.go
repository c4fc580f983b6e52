package verdict

import (
	"errors"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
)

// ErrClaim is wrapped by errors about claims that make no sense.
var ErrClaim = errors.New("invalid claim")

// DefaultAlpha is the significance level of a claim that gives none.
const DefaultAlpha = 0.05

// AlphaLimit is the significance level that claims of tests and gates of commands must be below: at
// 0.2, one comparison in five of equal learners would show a difference.
const AlphaLimit = 0.2

// defaultRepeats is the number of repetitions that a required replicability is
// counted from where it cannot be predicted.
const defaultRepeats = 10

// DefaultMargin is the margin of a claim that needs one and gives none, for
// metrics whose range is 0 to 1: one percentage point, the customary region of practical
// equivalence.
//
// Source: Corani & Benavoli, A Bayesian approach for comparing cross-validated
// algorithms on multiple data sets, 2015.
const DefaultMargin = 0.01

// A Claim is a statement about two learners, to be judged. The zero value claims that there is a
// difference in the first metric, by the corrected test at the 5% level.
type Claim struct {
	Kind Kind

	// Metric names the metric. If empty, it is the first one stored.
	Metric string

	// Test is the significance test, of stat.Tests or one's own. If it has
	// no Run, it is "corrected-resampled-t" for protocols with one fold a run and
	// "corrected-cv-t" for all others, except that there is none for
	// leave-one-out, time series, and runs that repeat one another.
	// "diebold-mariano" has the horizon that the gap of a time series asks for,
	// as in "diebold-mariano/h=2".
	Test stat.Test

	// OneSided makes the test of Improves one-sided.
	OneSided bool

	// Alpha is the significance level. If zero, it is DefaultAlpha. A claim of a
	// Probability has none of its own: it is 2·(1−Probability), so that a
	// significant difference has that probability of being on its side of zero.
	Alpha float64

	// Probability, if not zero, is a bound between 0.5 and 1, both excluded. The posterior
	// probability of the claimed region must exceed it, for Improves, NoRegression or
	// Equivalent. The Bayesian correlated t test (stat.BayesianCorrelatedT) then takes the
	// place of a significance test.
	Probability float64

	// Rope is half the width of the region of practical equivalence that goes with
	// a Probability, in the unit of the metric. It takes the place of Gain and Margin:
	// Improves claims that δ > Rope, NoRegression that δ ≥ −Rope, and Equivalent that
	// −Rope ≤ δ ≤ Rope. For the last two it must not be zero.
	Rope float64

	// Gain is the least gain that Improves claims, in the unit of the metric.
	Gain float64

	// Threshold is the score of AtLeast and AtMost, in the unit of the metric, or the ratio of
	// RatioAtMost.
	Threshold float64

	// Margin is the margin of NoRegression and Equivalent, in the unit of the
	// metric. If zero, it is DefaultMargin if the metric's range is 0 to 1, and
	// an error otherwise. Given for Differs, differences that are shown to be
	// within the margin have the outcome Equivalent.
	Margin float64

	// AllowMajority lets NoRegression and Equivalent hold of a candidate that is no better than
	// always predicting the most frequent class, Differs call it Same, and all have a margin which
	// that would pass.
	AllowMajority bool

	// Margins, if there is one for the metric, is where Margin comes from: in the form in which
	// users write it, which may be in percent of the baseline's mean score. A verdict's
	// claim has the Margin that it comes to.
	Margins unit.Margins

	// Replicability is the required probability, above 0.5, that two runs of the
	// test on other random partitions reach the same conclusion. If zero, none is
	// required. A claim that holds otherwise is then held against it by the
	// sequential rule of replicate.Retest.Adaptive, which may take further runs.
	Replicability float64

	// Strict asks for replicate.StrictRule, which passes fewer claims wrongly.
	Strict bool

	// MaxRuns is the budget of that rule in runs, the protocol's own included.
	// If zero, it is ten times those.
	MaxRuns int

	// Repeats, if not zero, has replicability counted instead, from that many
	// repetitions of the test, each on runs of its own, as the papers do. A required
	// one is counted from ten where the rule does not apply to the test.
	Repeats int

	// Halvings, if not zero, asks for a second opinion from so many random halvings of the examples
	// (see SecondOpinion), such as DefaultHalvings: where the test shows the claim, it holds only
	// if the halves test shows it too; one that requires a Probability, only if the posterior
	// distribution of the mean difference in halves has more than that, too. It is not for
	// Replicable, and for repeated cross-validation only.
	Halvings int

	// Slices, if not nil, makes the claim one about each of these slices, for what judges several.
	// Metric is the metric of all examples then; of a slice, it is as in unit.OfSlice.
	Slices *Slices

	// Settle, if not zero, lets the first runs of the protocol decide as soon as they settle what
	// all of them would: it is the largest probability that all runs would decide otherwise, such
	// as 0.01 (see stat.Curtailment). Claims that take all runs say why: Verdict.Settled.
	Settle float64

	// AllRuns has all runs decide nevertheless, as in a family whose p-values are adjusted.
	AllRuns bool

	// Adjust is the adjustment of a family of claims, for what judges several. A
	// single claim has none.
	Adjust adjust.Method

	// Power is the power at which the detectable difference is stated. If
	// zero, it is 0.8.
	Power float64
}

// tail is the level of the one-sided tests that the claim rests on. With a flat prior
// the posterior probability is 1 − p of such a test.
func (c Claim) tail() float64 {
	if c.Probability > 0 {
		return 1 - c.Probability
	}
	return c.Alpha
}

// allowance is how much worse a candidate may be of which the claim holds; 0 if that
// is not for the claim to say.
func (c Claim) allowance() float64 {
	if c.Kind == NoRegression || c.Kind == Equivalent {
		return max(c.Margin, c.Rope)
	}
	return c.Margin
}

// gain is how much better a candidate must be.
func (c Claim) gain() float64 {
	if c.Kind == Improves {
		return max(c.Gain, c.Rope)
	}
	return 0
}

// The default tests. A verdict needs one so often that looking it up would show.
var (
	defaultCV        = stat.MustLookup("corrected-cv-t")
	defaultResampled = stat.MustLookup("corrected-resampled-t")
)

// test returns the test of the claim, or the default for the design.
func (c Claim) test(runs, folds int) (stat.Test, error) {
	t := c.Test
	if t.Run == nil {
		t = defaultCV
		if folds == 1 {
			t = defaultResampled
		}
	}
	if t.Design == nil {
		return t, nil
	}
	return t, t.Design(runs, folds)
}

// Slices selects the slices that a claim is about.
type Slices struct {
	// Patterns are the names of slices, in which * stands for any text. If empty, all slices.
	Patterns []string

	// All has slices that are too small to be judged fail the claim.
	All bool
}
