package learntest

import "github.com/learnbench/learnbench/internal/gotest"

// Measure runs one learner on random partitions of the data, as [Compare] does two, for claims
// about its own scores:
//
//	m := learntest.Measure(t, vehicle, forest)
//	assert.AtLeast(t, m, 0.70)
//
// Where there is a baseline, compare instead: a difference on the same partitions is known far
// better than a score. Claims about two learners do not hold of a Measure. The results are stored
// as any others, with one learner, and Measure reads the variables of Compare. Under -short no such
// claim is judged, and the test is marked as skipped.
func Measure[X any, Y comparable](t TB, data Data[X, Y], learner Learner[X, Y]) *Comparison {
	t.Helper()
	return measure(t, Config{}, data, learner)
}

// MeasureWith is Measure under a configuration. A configuration that makes no sense ends the test.
func MeasureWith[X any, Y comparable](t TB, cfg Config, data Data[X, Y],
	learner Learner[X, Y],
) *Comparison {
	t.Helper()
	return measure(t, cfg, data, learner)
}

func measure[X any, Y comparable](t TB, cfg Config, data Data[X, Y],
	learner Learner[X, Y],
) *Comparison {
	t.Helper()
	const by = "learntest.Measure"
	c := &Comparison{by: by, candidate: learner.Name, baseline: learner.Name, alone: true}
	c.group, c.env, c.err = newGroup(t, cfg, data, learner.Name, "", "", []Learner[X, Y]{learner})
	if c.err != nil {
		t.Fatalf("%s: %v", by, c.err)
		return c
	}
	c.group.ctx = gotest.BeforeDeadline(t)
	if c.err = c.group.run(c.group.ctx, c.group.cfg.runs()); c.err != nil {
		t.Errorf("%s: %v", by, c.err)
	} else if c.group.cfg.Results.Shard.Count > 0 {
		c.err = c.group.sharded()
	}
	c.reportFailures(t, true)
	if c.err == nil && c.group.cfg.Results.Out == "" {
		t.Cleanup(func() {
			t.Helper()
			c.missClaim(t, by, c.candidate+" on "+data.Name(), "assert.AtLeast(t, m, 0.7)")
		})
	}
	return c
}
