package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// String returns "two-sided", "greater" or "less".
func (a Alternative) String() string {
	switch a {
	case TwoSided:
		return "two-sided"
	case Greater:
		return "greater"
	case Less:
		return "less"
	}
	return fmt.Sprintf("Alternative(%d)", uint8(a))
}

// Mirror returns the alternative after the two learners are swapped.
func (a Alternative) Mirror() Alternative {
	switch a {
	case Greater:
		return Less
	case Less:
		return Greater
	}
	return a
}

// Check returns an error that wraps [ErrDomain] if a is none of the three alternatives.
func (a Alternative) Check() error {
	if a > Less {
		return fmt.Errorf("%w: %v is not an alternative", ErrDomain, a)
	}
	return nil
}

// tailT returns the p-value of a statistic that has Student's t distribution
// under the null hypothesis; the statistic may be infinite.
func (a Alternative) tailT(t, df float64) float64 {
	switch a {
	case Greater:
		return dist.StudentSF(t, df)
	case Less:
		return dist.StudentSF(-t, df)
	}
	return 2 * dist.StudentSF(math.Abs(t), df)
}
