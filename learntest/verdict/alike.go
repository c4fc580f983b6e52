package verdict

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/unit"
)

// Alike returns a remark on learners whose scores are all equal, with the reason if that is known.
// It is empty if a score differs or the verdict is Invalid. The first line of each report has it:
// two learners with equal scores are often one, by mistake.
func (v *Verdict) Alike() string {
	switch {
	case v.Outcome == Invalid || !v.same:
		return ""
	case v.Unchanged:
		return "nothing was changed: both sides are of the same program with the same parameters, and have the same scores"
	}
	return fmt.Sprintf("both have the same %s %s", unit.Printable(v.Unit.Name),
		v.question().everywhere())
}
