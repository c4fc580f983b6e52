package items

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
)

// ByCluster is the Config.Weight with which clusters weigh equally, and not items.
const ByCluster = itemwise.ByCluster

// ErrConfig is wrapped by errors about a configuration, a suite or a system that makes no sense.
var ErrConfig = errors.New("invalid configuration")

var inf = math.Inf(1)

// A Config says how systems are asked. The zero value is usable.
type Config struct {
	// Repeats is how often each system answers each item. If zero, once. Repeats narrow the part of
	// the uncertainty that comes from systems whose answers vary; they are no further items.
	Repeats int

	// Metrics are the metrics that each answer has scores in; a claim without assert.On is about
	// the first. If nil, there is Correct alone.
	Metrics []unit.Unit

	// Weight says what weighs equally in means and differences. If zero, items do, so that a claim
	// is about the next item; with ByCluster, the clusters of Item.Cluster do, however many items
	// each has: it is about an item of the next cluster. It is stored: answers are not compared
	// with a baseline that weighs otherwise.
	Weight itemwise.Weight

	// Parallel is the number of answers that are asked for at a time. If zero, GOMAXPROCS.
	Parallel int

	// Timeout is the time that an answer may take, after which it has failed. If zero, only the
	// deadline of the test counts.
	Timeout time.Duration

	// Budget, if not zero, is how much all answers of a comparison may cost, in the sum of the
	// metric named BudgetMetric, which failed answers may have a score in, too. Once it is spent,
	// nothing more is asked, and the test fails. A run that goes on from another one counts what
	// that one has spent. LEARNTEST_BUDGET takes its place.
	Budget       float64
	BudgetMetric string // if empty, usd

	// Grader says who or what grades, as in "rubric 3, judge m-2026-10". It is stored: answers of
	// another grader are not compared.
	Grader string

	// NoClaim allows a test that claims nothing.
	NoClaim bool
}

// withDefaults returns the configuration with its defaults, or why it makes no sense.
func (c Config) withDefaults() (Config, error) {
	fail := func(format string, args ...any) (Config, error) {
		return c, fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, args...))
	}
	if c.Repeats == 0 {
		c.Repeats = 1
	}
	if c.Metrics == nil {
		c.Metrics = []unit.Unit{Correct()}
	}
	if c.Parallel == 0 {
		c.Parallel = runtime.GOMAXPROCS(0)
	}
	if c.BudgetMetric == "" {
		c.BudgetMetric = "usd"
	}
	seen := make(map[string]bool)
	for _, u := range c.Metrics {
		switch {
		case seen[u.Name]:
			return fail("two metrics are named %s", u.Name)
		case u.Better != unit.Higher && u.Better != unit.Lower:
			return fail("metric %s has no direction: set Better", u.Name)
		case !(u.Min < u.Max):
			return fail("metric %s has the range %v to %v", u.Name, u.Min, u.Max)
		}
		seen[u.Name] = true
	}
	switch {
	case c.Weight > ByCluster:
		return fail("Weight %d is none: leave it out, or set ByCluster", c.Weight)
	case c.Repeats < 0 || c.Parallel < 0 || c.Timeout < 0:
		return fail("Repeats %d, Parallel %d and Timeout %v: none may be negative", c.Repeats, c.Parallel,
			c.Timeout)
	case !(c.Budget >= 0) || math.IsInf(c.Budget, 1):
		return fail("a budget of %v is not a positive number", c.Budget)
	case c.Budget > 0 && !seen[c.BudgetMetric]:
		return fail("a budget of %v %s, which Config.Metrics does not declare: add items.Cost(%[3]q)",
			c.Budget, c.BudgetMetric, c.BudgetMetric)
	case c.Budget > 0 && c.metric(c.BudgetMetric).Better != unit.Lower:
		return fail("a budget in %s, of which more is better", c.BudgetMetric)
	}
	return c, nil
}

// metric returns the metric of a name.
func (c *Config) metric(name string) unit.Unit {
	return c.Metrics[slices.IndexFunc(c.Metrics, func(u unit.Unit) bool { return u.Name == name })]
}
