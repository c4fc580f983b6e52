package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
)

// manyRepeats is the number of repeats whose interval a verdict predicts.
const manyRepeats = 10

// noiseOf says in words how much of the variance comes from the repeats, and how much narrower the interval would be
// with more of them, or with more items. It says nothing if an item was answered once, or no difference
// varies.
func noiseOf(r *itemwise.Result, p *record.ItemPairs) string {
	noise, err := r.Noise(p.ByItem())
	share := noise.Share()
	if err != nil || math.IsNaN(share) || noise.Variance == 0 {
		return ""
	}
	which, most := "the repeats", max(len(p.A), len(p.B))
	if len(p.A) == len(p.B) {
		which = fmt.Sprintf("the %d repeats", len(p.A))
	}
	text := fmt.Sprintf("of the variance %.0f%% is %s, %.0f%% the items", 100*share, which, 100*(1-share))
	more := manyRepeats
	if most >= more {
		more = 2 * most
	}
	narrower := func(items, repeats int) float64 { return 100 * (1 - noise.SE(items, repeats)/r.SE) }
	text += fmt.Sprintf(": %d repeats would narrow the interval by %.0f%%", more, max(0, narrower(r.N, more)))
	return text + fmt.Sprintf(", twice the items by %.0f%%", 100*(1-math.Sqrt(0.5)))
}

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
			need += fmt.Sprintf(" in %.0f clusters of such a size", math.Ceil(float64(n)*float64(it.Clusters)/float64(it.N)))
		}
		help = append(help, fmt.Sprintf("at the difference that was found, it would take %s to %s with %.4g%% power", need, wanted, 100*q.Power))
	}
	return help
}
