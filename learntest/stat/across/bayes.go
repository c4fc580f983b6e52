package across

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
)

// A Region is a range of differences candidate − baseline. The zero value is
// Rope.
type Region uint8

// The regions.
const (
	Rope   Region = iota // from −rope to rope: no practical difference
	Worse                // below −rope
	Better               // above rope
)

// String returns "rope", "worse" or "better".
func (r Region) String() string {
	switch r {
	case Rope:
		return "rope"
	case Worse:
		return "worse"
	case Better:
		return "better"
	}
	return fmt.Sprintf("Region(%d)", uint8(r))
}

// Regions has a number for each region: worse, in the rope, and better.
type Regions struct {
	Worse, Rope, Better float64
}

func checkRope(rope float64) error {
	if !(rope >= 0) || math.IsInf(rope, 1) {
		return fmt.Errorf("%w: rope %v", stat.ErrDomain, rope)
	}
	return nil
}

// priorStrength returns the strength of a prior that is given as an option.
func priorStrength(strength, fallback float64) (float64, error) {
	switch {
	case strength == 0:
		return fallback, nil
	case !(strength > 0) || math.IsInf(strength, 1):
		return 0, fmt.Errorf("%w: prior of strength %v", stat.ErrDomain, strength)
	}
	return strength, nil
}
