package learntest

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// knows is a learner that is right with the given probability: at random, by its seed and
// name, and thus differently on each training set.
func knows(name string, p float64) Learner[int, bool] {
	return Func(name, func(_ context.Context, train Sample[int, bool], seed uint64) (func(int) bool,
		error,
	) {
		r := rand.New(rand.NewPCG(seed, uint64(len(name))))
		return func(x int) bool { return (x%2 == 1) == (r.Float64() < p) }, nil
	})
}

// nearly compares learners whose difference is significant in four runs, and not
// clear to a rule that requires a replicability of 0.9.
func nearly(t *testing.T, cfg Config) *Comparison {
	t.Helper()
	cfg.Protocol = split.CV(4, 5).WithSeed(59)
	r := newRecorder(t)
	c := CompareWith(r, cfg, numbers(100), knows("better", 0.92), knows("worse.", 0.8))
	require.Empty(t, r.fatal)
	require.Empty(t, r.errors)
	return c
}

func replicable(c *Comparison) verdict.Verdict {
	return c.Judge(verdict.Claim{Kind: verdict.Improves, Replicability: 0.9})
}

// trained returns how many runs there are of each learner.
func trained(c *Comparison) int { return c.Records().Blocks()[0].Len() / (2 * 5) }

const nearlyCommand = `go test -count=1 -run '^TestModel$/^case \(1\)$' github.com/learnbench/learnbench/learntest`

func TestUndecidedAtTheBudgetSaysWhatIsKnownAndWhatHelps(t *testing.T) {
	c := nearly(t, Config{})
	assert.Equal(t, 4, trained(c))
	v := replicable(c)
	assert.False(t, v.Holds)
	assert.Equal(t, verdict.Inconclusive, v.Outcome)
	assert.Equal(t, "a replicability of 0.9 is undecided at the budget of 40 runs: from 40 its 90% interval is 0.869 to 0.995", v.Reason)
	assert.Equal(t, []string{"about 68 runs would probably decide it", "LEARNTEST_RUNS_MAX=68 " +
		nearlyCommand}, v.Help)
	assert.Equal(t, 40, trained(c))
	assert.Equal(t, 4, v.Runs, "the verdict itself rests on the protocol's own runs")

	// The command does decide it, and leaves the other variables.
	t.Setenv("LEARNTEST_RUNS_MAX", "68")
	t.Setenv("LEARNTEST_SEED", "59")
	c = nearly(t, Config{})
	v = replicable(c)
	assert.True(t, v.Holds, "%v", v)
	assert.Greater(t, trained(c), 40)
	assert.LessOrEqual(t, trained(c), 68)
	assert.Equal(t, trained(c), v.Rerun.Runs)

	// A lower budget is one, too, and takes the place of the claim's own.
	t.Setenv("LEARNTEST_RUNS_MAX", "11")
	c = nearly(t, Config{})
	v = c.Judge(verdict.Claim{Kind: verdict.Improves, Replicability: 0.9, MaxRuns: 100})
	assert.Contains(t, v.Reason, "a replicability of 0.9 is undecided at the budget of 11 runs: from 8 its 90% interval is ")
	require.Len(t, v.Help, 2)
	assert.Regexp(t, `^LEARNTEST_RUNS_MAX=\d+ LEARNTEST_SEED=59 go test -count=1 `, v.Help[1])
	assert.Equal(t, 8, trained(c))
}

func TestRefutedReplicabilityIsNoQuestionOfRuns(t *testing.T) {
	t.Parallel()
	r := newRecorder(t)
	c := CompareWith(r, Config{Protocol: split.CV(4, 5).WithSeed(11)}, numbers(100),
		knows("better", 0.9), knows("worse.", 0.8))
	v := replicable(c)
	assert.False(t, v.Holds)
	assert.Regexp(t, `^a replicability of 0.9 is refuted by 12 runs: a rerun agrees with a probability of 0\.9[34]\d at most, and it takes 0.947$`, v.Reason)
	assert.Equal(t, []string{"more examples would make it more replicable; more runs would not"},
		v.Help)
}

func TestBudgetHoldsForCountedReplicability(t *testing.T) {
	t.Setenv("LEARNTEST_RUNS_MAX", "12")
	c := nearly(t, Config{})
	counted := verdict.Claim{Kind: verdict.Improves, Replicability: 0.9, Repeats: 3}
	assert.Equal(t, 12, c.Judge(counted).Rerun.Runs)
	assert.Equal(t, 12, trained(c))
	counted.Repeats = 4
	v := c.Judge(counted)
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.Equal(t, "invalid configuration: environment variable LEARNTEST_RUNS_MAX=12: to count 4 repetitions of 4 runs takes more", v.Reason)
	assert.Equal(t, 12, trained(c))

	// The replicability of a test that the rule does not apply to is counted, by default in ten
	// repetitions.
	v = c.Judge(verdict.Claim{
		Kind: verdict.Improves, Replicability: 0.9,
		Test: stat.MustLookup("b03-runs"),
	})
	require.Equal(t, verdict.Invalid, v.Outcome, "%v", v)
	assert.Equal(t, "invalid claim: the replicability of b03-runs is counted, from 40 runs, and the budget is 12: name another test or a budget of 40", v.Reason)
	assert.Equal(t, 12, trained(c))
}

func TestRunsThatAreTrainedWhateverIsClaimed(t *testing.T) {
	without := nearly(t, Config{})
	t.Setenv("LEARNTEST_RUNS_MIN", "13")
	c := nearly(t, Config{})
	assert.Equal(t, 13, trained(c))
	assert.Equal(t, "cv runs=4 folds=5 stratified seed=59 v1", c.Records().Blocks()[0].Header.Protocol)
	assert.Contains(t, c.Records().Blocks()[0].Header.Reproduce, "LEARNTEST_RUNS_MIN=13 go test")
	assert.Equal(t, without.Judge(verdict.Claim{}).Summary(), c.Judge(verdict.Claim{}).Summary())
	assert.Equal(t, replicable(without).Reason, replicable(c).Reason)
	assert.Equal(t, 40, trained(c))

	// Fewer than the protocol has are no fewer.
	t.Setenv("LEARNTEST_RUNS_MIN", "3")
	assert.Equal(t, 4, trained(nearly(t, Config{})))
	t.Setenv("LEARNTEST_RUNS_MIN", "")
	assert.Equal(t, 7, trained(nearly(t, Config{MinRuns: 7})))
	assert.Equal(t, 8, trained(nearly(t, Config{MinRuns: 7, Repeats: 2})))
	b := mustRun(t, numbers(30), Config{Protocol: split.CV(1, 3), MinRuns: 2}, guesser("a"))
	assert.Equal(t, 6, b.Len())
	r := newRecorder(t)
	CompareWith(r, Config{MinRuns: -1}, numbers(60), constant("a", true), constant("b", true))
	assert.Equal(t, "learntest.CompareWith: invalid configuration: MinRuns is negative", r.fatal)
}

func TestRunsThatTheBudgetForbidsAreRefused(t *testing.T) {
	for _, c := range []struct {
		least, most string
		cfg         Config
		want        string
	}{
		{"20", "19", Config{}, "environment variables LEARNTEST_RUNS_MIN=20 and LEARNTEST_RUNS_MAX=19: more runs are asked for than the budget has"},
		{"", "9", Config{}, `environment variable LEARNTEST_RUNS_MAX=9: a budget is no less than the 10 runs that "cv runs=10 folds=10 stratified seed=1 v1" has of its own: set LEARNTEST_RUNS_MAX=10 or more, or LEARNTEST_RUNS`},
		{
			"", "19",
			Config{Repeats: 2},
			"environment variable LEARNTEST_RUNS_MAX=19: the configuration asks for 20 runs for any claim (Repeats 2, MinRuns 0)",
		},
		{
			"", "19",
			Config{MinRuns: 20},
			"environment variable LEARNTEST_RUNS_MAX=19: the configuration asks for 20 runs for any claim (Repeats 0, MinRuns 20)",
		},
	} {
		t.Setenv("LEARNTEST_RUNS_MIN", c.least)
		t.Setenv("LEARNTEST_RUNS_MAX", c.most)
		r := newRecorder(t)
		CompareWith(r, c.cfg, numbers(60), constant("a", true), constant("b", true))
		assert.Equal(t, "learntest.CompareWith: invalid configuration: "+c.want, r.fatal)

		// Without anything random in the protocol there are no runs to be had.
		if c.cfg.Repeats+c.cfg.MinRuns == 0 && c.least == "" {
			r = newRecorder(t)
			CompareWith(r, Config{Protocol: split.LeaveOneOut()}, numbers(20), constant("a", true),
				constant("b", true))
			assert.Empty(t, r.fatal)
		}
	}
}

// A protocol without anything random has the runs that it has, whatever the budget.
func TestBudgetLeavesPredefinedRunsAlone(t *testing.T) {
	t.Setenv("LEARNTEST_RUNS_MAX", "1")
	var run []split.Fold
	for f := range 2 {
		var fold split.Fold
		for i := range 20 {
			if i%2 == f {
				fold.Train = append(fold.Train, i)
			} else {
				fold.Test = append(fold.Test, i)
			}
		}
		run = append(run, fold)
	}
	r := newRecorder(t)
	c := CompareWith(r, Config{Protocol: split.Predefined(run, []split.Fold{run[1], run[0]})},
		numbers(20), knows("better", 0.9), knows("worse.", 0.5))
	require.Empty(t, r.fatal)
	v := c.Judge(verdict.Claim{Replicability: 0.9, Test: stat.MustLookup("paired-t")})
	assert.Equal(t, 2, v.Runs)
	assert.Zero(t, v.Claim.MaxRuns)
	assert.NotContains(t, v.Reason, "budget")
}

func TestBudgetOfJustTheRunsThatAreAskedFor(t *testing.T) {
	t.Setenv("LEARNTEST_RUNS_MIN", "2")
	t.Setenv("LEARNTEST_RUNS_MAX", "2")
	r := newRecorder(t)
	c := CompareWith(r, Config{Protocol: split.CV(2, 5)}, numbers(60), guesser("a"),
		constant("odd", true))
	require.Empty(t, r.fatal)
	v := c.Judge(verdict.Claim{}) // requires no replicability: the budget is nothing to it
	assert.NotEqual(t, verdict.Invalid, v.Outcome, v.Reason)
	assert.Zero(t, v.Claim.MaxRuns)
}

func TestWithBudget(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"go test ./...":                      "LEARNTEST_RUNS_MAX=7 go test ./...",
		"LEARNTEST_RUNS_MAX=5 go test ./...": "LEARNTEST_RUNS_MAX=7 go test ./...",
		"LEARNTEST_RUNS_MAX=5 LEARNTEST_RUNS_MIN=4 LEARNTEST_SEED=1 go test": "LEARNTEST_RUNS_MAX=7 LEARNTEST_RUNS_MIN=4 LEARNTEST_SEED=1 go test",
		"GOFLAGS=-p=1 LEARNTEST_RUNS_MAX=5 go test -count=1":                 "LEARNTEST_RUNS_MAX=7 GOFLAGS=-p=1 go test -count=1",
		"make test LEARNTEST_RUNS_MAX=5":                                     "LEARNTEST_RUNS_MAX=7 make test LEARNTEST_RUNS_MAX=5",
	} {
		assert.Equal(t, want, withBudget(command, 7))
	}
}
