package items

import (
	"context"
	"slices"
	"sync"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// probed is how many items each system is asked for again.
const probed = 3

// probes reports whether some answers are asked for again: repeats, which show more, make that
// needless.
func (c *Comparison) probes() bool {
	return c.cfg.Repeats == 1 && c.short == 0 && c.env.degrade == 0 &&
		len(c.calls) >= probed*len(c.now.Learners)
}

// probe asks each system for the first items again, and adds to the header whether they score
// alike: nobody is to take a system for deterministic because its temperature is 0. Nothing is
// known of answers that fail, that use recorded responses, which do not vary, or that the budget
// does not allow.
func (e *engine) probe(ctx context.Context, b *record.Block, calls []call) {
	calls = slices.DeleteFunc(slices.Clone(calls), func(c call) bool { return c.item >= probed })
	first := make(map[place][]float64)
	for t := range b.Trials() {
		if t.Fold <= probed && t.Err == "" {
			first[placeOf(&t)] = slices.Clone(t.Values)
		}
	}
	var mu sync.Mutex
	alike := make(map[string]int)
	differs, unknown := make(map[string]bool), make(map[string]bool)
	e.each(len(calls), func(i int) bool {
		t := calls[i].trial(b)
		var recorded bool
		if e.isSpent() || ctx.Err() != nil {
			t.Err = "not asked"
		} else {
			t, recorded = e.again(ctx, b, &calls[i])
		}
		was := first[placeOf(&t)]
		mu.Lock()
		defer mu.Unlock()
		switch name := b.Learners[calls[i].learner]; {
		case recorded || t.Err != "" || t.Values == nil || was == nil:
			unknown[name] = true
		case e.scoresDiffer(was, t.Values):
			differs[name] = true
		default:
			alike[name]++
		}
		return true
	})
	for _, name := range b.Learners {
		switch {
		case differs[name]:
			b.Header.Of(name).SetProbe(record.NotDeterministic)
		case !unknown[name] && alike[name] > 0:
			b.Header.Of(name).SetProbe(record.DeterministicIn(alike[name]))
		}
	}
}

// again asks for an answer that is not kept, but for its cost.
func (e *engine) again(ctx context.Context, b *record.Block, c *call) (record.Trial, bool) {
	t, recorded := e.trial(ctx, b, c, nil)
	if t.Err == "" && t.Values != nil {
		cell := t.Cell()
		cell.Item = c.id
		e.keeper.spent(cell, e.cost(t.Values))
	}
	return t, recorded
}

// scoresDiffer reports whether answers to one item score otherwise, in metrics with a range if
// there are some: a cost may vary with an answer that does not.
func (e *engine) scoresDiffer(a, b []float64) bool {
	ranged := func(u unit.Unit) bool { return u.Span()-u.Span() == 0 }
	some := slices.ContainsFunc(e.cfg.Metrics, ranged)
	for i, u := range e.cfg.Metrics {
		if (ranged(u) || !some) && a[i] != b[i] {
			return true
		}
	}
	return false
}
