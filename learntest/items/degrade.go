package items

import (
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// maxDegrade is the largest share of items whose answers may be made worse. A gate that lets a
// candidate pass with half of its answers wrong guards nothing.
const maxDegrade = 0.5

// degraded returns the answers in which a learner's items get the worst scores, each item with
// probability share: what the learner would score if its answers to them were wrong. A larger share
// includes the items of a smaller one.
//
// Scores of other items in their place would be no loss: they have an equal mean.
func degraded(b *record.Block, learner string, share float64) (*record.Block, error) {
	out, err := record.NewBlock(b.Header, b.Learners, b.Units, 0)
	if err != nil {
		return nil, err
	}
	worst := make([]float64, len(b.Units))
	for i, u := range b.Units {
		worst[i] = worstOf(u, b, learner, i)
	}
	r := rand.New(rand.NewPCG(0x9e3779b97f4a7c15, 0x2545f4914f6cdd1d))
	chance := make([]float64, len(record.ItemsOf(b)))
	for i := range chance {
		chance[i] = r.Float64()
	}
	for t := range b.Trials() {
		if t.Learner == learner && t.Err == "" && chance[t.Fold-1] < share {
			t.Values = worst
		}
		if err := out.Add(t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// worstOf returns the worst score in a metric: the end of its range, or the worst that a learner
// has.
func worstOf(u unit.Unit, b *record.Block, learner string, metric int) float64 {
	end := u.Max
	if u.Better == unit.Higher {
		end = u.Min
	}
	if !math.IsInf(end, 0) {
		return end
	}
	worst := math.NaN()
	for t := range b.Trials() {
		if t.Learner != learner || t.Err != "" {
			continue
		}
		if x := t.Values[metric]; math.IsNaN(worst) || (x < worst) == (u.Better == unit.Higher) {
			worst = x
		}
	}
	return worst
}
