package verdict

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/unit"
)

// Alike says that no score differs, and whether it is known why; it is empty if one does, or if the verdict is
// Invalid. It belongs into the first line of what is said of a claim: two learners that behave the same are often
// one, by mistake.
func (v *Verdict) Alike() string {
	switch {
	case v.Outcome == Invalid || !v.same:
		return ""
	case v.Unchanged:
		return "nothing was changed: both sides are of the same program with the same parameters, and have the same scores"
	}
	return fmt.Sprintf("both have the same %s in every fold", unit.Printable(v.Unit.Name))
}
