package study

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
)

// A gate is a way to decide about two learners on one data set.
type gate int

// The gates. bothShort and bothLong are the default test and the halves test together.
const (
	defaultGate gate = iota
	bothShort
	bothLong
	wideGate
	fewDegrees
	pairedGate
	unpaired
	numGates
)

// halvings has the number of halvings of the second opinion, and of a final claim.
var halvings = map[gate]int{bothShort: 20, bothLong: 40}

// halfFolds is the number of folds in each half.
const halfFolds = 5

func (g gate) String() string {
	switch g {
	case bothShort, bothLong:
		return fmt.Sprintf("and halves m=%d", halvings[g])
	case unpaired:
		return "U test"
	}
	return g.test().Name
}

// test returns the test of the catalogue that decides alone, or first.
func (g gate) test() stat.Test {
	switch g {
	case wideGate:
		return stat.MustLookup("corrected-cv-t/ratio=0.18")
	case fewDegrees:
		return stat.MustLookup("b03-use-all-data/df=10")
	case pairedGate:
		return stat.MustLookup("paired-t")
	}
	return stat.MustLookup("corrected-cv-t")
}

// gateLevel is the level of all gates, two-sided, and gatePower the power of an oracle that knows
// the standard deviation of the mean difference, for the difference at which power is measured.
const (
	gateLevel = 0.05
	gatePower = 0.8
)

// agree reports whether the halves test rejects too, in the direction of the mean. One that
// cannot judge does not.
func agree(d, h stat.Differences, alpha float64) (bool, error) {
	r, err := stat.HalvesTest(d, h, stat.TwoSided)
	if errors.Is(err, stat.ErrZeroVariance) {
		return false, nil
	}
	return r.P <= alpha && r.Beyond() != 0, err
}
