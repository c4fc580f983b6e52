package learntest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

// A budget of minutes is for all trainings of a process: of all tests of a package. The first
// training of each learner says what the others will take. They do not begin if that is more than
// is left, and end when nothing is left.

// errMinutes is wrapped by errors about a budget that is not enough.
var errMinutes = errors.New("too few minutes")

// worthSaying is how long trainings take whose plan a test logs.
const worthSaying = 10 * time.Second

// budget returns the minutes that are left; false if there is no limit.
func (x *experiment) budget() (left time.Duration, limited bool) {
	if x.cfg.Minutes == 0 {
		return 0, false
	}
	return time.Duration(x.cfg.Minutes*float64(time.Minute)) - registry.Spent(0), true
}

// withinMinutes returns a context that ends with the budget, if there is one.
func (x *experiment) withinMinutes(ctx context.Context) (context.Context, context.CancelFunc) {
	left, limited := x.budget()
	if !limited {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, left, fmt.Errorf("%w: %s are used up", errMinutes,
		x.named("LEARNTEST_MINUTES=%v", "-minutes %v", x.cfg.Minutes)))
}

// named names a setting as a test or a command has it.
func (x *experiment) named(variable, flag string, value any) string {
	if x.inTest {
		return fmt.Sprintf(variable, value)
	}
	return fmt.Sprintf(flag, value)
}

// finished returns the mean time of the finished trials of each learner on a data set.
func finished(s *results.Set) map[string]float64 {
	took, trained := make(map[string]float64), make(map[string]float64)
	for r := range s.Block().Trials() {
		if r.FitSeconds+r.PredictSec > 0 {
			took[r.Learner] += r.FitSeconds + r.PredictSec
			trained[r.Learner]++
		}
	}
	for name, n := range trained {
		took[name] /= n
	}
	return took
}

// cost returns what the trainings that are missing will take, second ones included, by the mean
// time of each learner on a data set, where it is known.
func (t *training) cost(means func(s *results.Set) map[string]float64) (c cost) {
	seconds := 0.0
	for _, s := range t.sets {
		mean := means(s)
		missing := make(map[string]int)
		for cell := range s.Missing(t.runs, t.wanted.learners) {
			missing[cell.Learner]++
		}
		for name, n := range missing {
			again := 1 + n/trial.OneInTrained
			c.trainings += n + again
			seconds += mean[name]*float64(n)/float64(min(t.cfg.Parallel, n)) +
				mean[name]*float64(again)/float64(min((t.cfg.Parallel+1)/2, again))
		}
	}
	c.took = duration(seconds)
	return c
}

// afford says what the trainings that are missing will take, if that is worth it, and returns an
// error if a share of it is more than is left of the budget: how many shards or runs it is enough
// for.
func (t *training) afford(c cost, share float64) error {
	left, limited := t.budget()
	if c.trainings == 0 || !limited && c.took < worthSaying {
		return nil
	}
	t.there.Note("%s", t.forecast(c))
	if !limited || c.times(share).took <= left {
		return nil
	}
	whole := time.Duration(t.cfg.Minutes * float64(time.Minute))
	const most = 0.9 // of the time: the test has to report, too
	shards := max(t.cfg.Results.Shard.Count,
		1) * (1 + int(float64(whole-left+c.took)/(most*float64(whole))))
	text := fmt.Sprintf("%v, take more than the %v that are left of %s: %d shards fit (%s)", c,
		max(left, 0).Round(time.Millisecond),
		t.named("LEARNTEST_MINUTES=%v", "-minutes %v", t.cfg.Minutes), shards,
		t.named("LEARNTEST_SHARD=1/%d", "-shard 1/%d", shards))
	if runs := int(most * float64(t.runs) * float64(left) / float64(c.took)); t.cfg.Protocol.IsRandom() && runs > 0 {
		text += fmt.Sprintf(", or %d of %d runs (%s)", runs, t.runs, t.named("LEARNTEST_RUNS=%d",
			"-runs %d", runs))
	}
	return fmt.Errorf("%w: %s", errMinutes, text)
}

// forecast says what trainings will take, and what would save some of them.
func (t *training) forecast(c cost) string {
	text := fmt.Sprintf("plan: %v, %d at a time", c, t.cfg.Parallel)
	if t.cfg.Results.Shard == (split.Shard{}) {
		const shards = 4
		text += fmt.Sprintf("; in %d shards %v each", shards, c.times(1.0/shards))
	}
	if looks := (stat.Curtailment{Runs: t.runs}).Looks(); t.cfg.Settle == 0 &&
		t.cfg.Protocol.IsRandom() && len(looks) > 0 && t.runs == t.cfg.Protocol.Runs() {
		text += fmt.Sprintf("; %v, if %d runs settle the claims (%s)",
			c.times(float64(looks[0])/float64(t.runs)), looks[0], t.named("LEARNTEST_SETTLE=%v",
				"-settle %v", 0.01))
	}
	if t.inTest && t.cache == nil {
		text += fmt.Sprintf("; %v, from a cache of trials where nothing has changed (LEARNTEST_CACHE)",
			c.times(1.0/trial.OneInCached))
	}
	return text
}
