package items

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Scored compares existing scores, from 0 to 1: of each id, the new one and the old one.
// [ScoredBy] takes clusters and other metrics.
func Scored(t TB, suite string, ids []string, now, before []float64) *Comparison {
	t.Helper()
	all := make([]Item, len(ids))
	for i, id := range ids {
		all[i].ID = id
	}
	return scored(t, "items.Scored", Correct(), suite, all, now, before)
}

// ScoredBy is Scored for items that may have clusters, in any metric.
func ScoredBy(t TB, metric unit.Unit, suite string, items []Item, now,
	before []float64,
) *Comparison {
	t.Helper()
	return scored(t, "items.ScoredBy", metric, suite, items, now, before)
}

func scored(t TB, by string, metric unit.Unit, suite string, all []Item, now,
	before []float64,
) *Comparison {
	t.Helper()
	c := &Comparison{t: t, by: by, candidate: "new", baseline: "old", suite: suite, done: true}
	if len(all) != len(now) || len(all) != len(before) {
		return c.fatal(fmt.Errorf("%w: %d ids, %d new and %d old scores", ErrConfig, len(all),
			len(now), len(before)))
	}
	var err error
	if c.env, err = environmentOf(t); err != nil {
		return c.fatal(err)
	}
	if c.env.items != "" {
		c.err = fmt.Errorf("%w: %s=%s asks for some items, and nothing is asked for here",
			verdict.ErrNotJudged, envItems, c.env.items)
		return c
	}
	if c.cfg, err = (Config{Metrics: []unit.Unit{metric}}).withDefaults(); err != nil {
		return c.fatal(err)
	}
	items := make([]record.Item, len(all))
	number := make(map[string]int, len(all))
	for i, it := range all {
		digest, _ := dataset.DigestOf(it.ID) // of a text, which has one
		items[i] = record.Item{ID: it.ID, Cluster: it.Cluster, Content: digest, Slices: it.Slices}
		number[it.ID] = i
	}
	if c.items, err = record.SortItems(items); err != nil {
		return c.fatal(err)
	}
	c.slices = record.SlicesOfItems(c.items)
	if c.now, err = c.newBlock(t, []string{c.candidate, c.baseline}); err != nil {
		return c.fatal(err)
	}
	e := &engine{cfg: c.cfg}
	for i, it := range c.items {
		for l, scores := range [][]float64{now, before} {
			x := scores[number[it.ID]]
			values, err := e.values(Scores{metric.Name: x})
			if err == nil {
				err = c.now.Add(record.Trial{
					Data: suite, Learner: c.now.Learners[l], Run: 1, Fold: i + 1,
					TestN: 1, Values: values,
				})
			}
			if err != nil {
				return c.fatal(fmt.Errorf("%w: item %q, %s: %w", ErrConfig, it.ID, c.now.Learners[l], err))
			}
		}
	}
	if c.env.degrade > 0 {
		if c.now, err = degraded(c.now, c.candidate, c.env.degrade); err != nil {
			return c.fatal(err)
		}
	}
	c.now.Timeless = true
	if c.begin(); c.err == nil && c.env.out != "" {
		if err := store(c.env.out, c.now); err != nil {
			return c.fatal(err)
		}
	}
	return c
}
