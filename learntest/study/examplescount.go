package study

import (
	"errors"
	"math"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// holds reports whether a claim of no loss of the margin holds by the default test, and by the test
// of the examples as well.
func holds(p *record.Pairs, margin float64) (byFolds, byBoth bool, err error) {
	claim := verdict.Claim{Kind: verdict.NoRegression, Margin: margin}
	alone := *p
	alone.RightA, alone.RightB = nil, nil
	switch v := verdict.Judge(&alone, claim, verdict.Bare); {
	case v.Err != nil && !errors.Is(v.Err, verdict.ErrClaim): // a margin out of reach is refused
		return false, false, v.Err
	case !v.Holds:
		return false, false, nil
	}
	v := verdict.Judge(p, claim, verdict.Bare)
	return true, v.Holds, v.Err
}

// A relation is how a candidate differs from the baseline, other than by the loss.
type relation struct {
	name      string
	candidate int     // variant
	fails     float64 // share of the population on which each of them fails, another one for each
	power     bool    // measured where nothing is lost, too
}

func relations() []relation {
	return []relation{
		{"only fails", firstTwo, 0, false},
		{"both fail", firstTwo, 0.02, true},
		{"other attributes", otherTwo, 0, true},
		{"weaker attributes", weaker, 0, false},
	}
}

// An exampleCell counts claims that hold by the default test, and by both tests.
type exampleCell struct {
	margin          float64
	byFolds, byBoth lab.Proportion
}

func (c *exampleCell) add(byFolds, byBoth bool) {
	c.byFolds.K, c.byFolds.N = c.byFolds.K+lab.Indicator(byFolds), c.byFolds.N+1
	c.byBoth.K, c.byBoth.N = c.byBoth.K+lab.Indicator(byBoth), c.byBoth.N+1
}

func (c *exampleCell) String() string {
	if c.byFolds.N == 0 {
		return "–"
	}
	return lab.Percent(c.byFolds.Share()) + " " + lab.Percent(c.byBoth.Share())
}

// count counts the claims about a relation that hold on the data sets, of a candidate whose gain is
// so many margins.
func (r relation) count(sets []*learned, place int, gain float64) (*exampleCell, error) {
	c := &exampleCell{margin: exampleMargins[place]}
	candidate, fails := r.candidate, [2]float64{r.fails, r.fails}
	right, loss := 0.0, 0.0
	if candidate == weaker {
		candidate += place
	}
	for _, d := range sets {
		a, b := d.accuracy(candidate), d.accuracy(firstTwo)
		right, loss = right+(a+b)/float64(2*len(sets)), loss+(b-a)/float64(len(sets))
	}
	switch {
	case r.candidate == weaker: // the loss is known by the mean of all data sets
		c.margin = loss
	case gain != 0:
		fails[lab.Indicator(gain > 0)] += math.Abs(gain) * c.margin / right
	}
	if !(c.margin > 0) {
		return c, nil
	}
	for _, d := range sets {
		byFolds, byBoth, err := holds(d.pairs(candidate, firstTwo, fails), c.margin)
		if err != nil {
			return c, err
		}
		c.add(byFolds, byBoth)
	}
	return c, nil
}
