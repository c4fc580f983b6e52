package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
)

// help says how many items of this kind it takes to show a size, and what repeats would tell.
func (it *Items) help(q *question, wanted string, size float64) (help []string) {
	plan := it.result.Plan(q.tail(), q.Power)
	if q.Kind == NoRegression || q.Kind == Equivalent {
		plan.Alternative = stat.Greater
		if q.Kind == Equivalent { // both tests must show it
			plan.Power = (1 + q.Power) / 2
		}
		if hasRange(q.unit) {
			plan.Worst = q.unit.Span()
		}
	}
	if n, err := plan.Items(size); err == nil && n > it.N {
		need := fmt.Sprintf("about %d items", n)
		if it.Clusters < it.N {
			need += fmt.Sprintf(" in %.0f clusters of such a size",
				math.Ceil(float64(n)*float64(it.Clusters)/float64(it.N)))
		}
		help = append(help, fmt.Sprintf("at the difference that was found, it would take %s to %s with %.4g%% power", need, wanted, 100*q.Power))
	}
	return help
}
