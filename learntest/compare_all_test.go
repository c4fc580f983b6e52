package learntest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompareAllTrainsTheBaselineOnce(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	r := newRecorder(t)
	var fits atomic.Int64
	base := Func("base", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		fits.Add(1)
		return func(int) bool { return true }, nil
	})
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}
	cs := CompareAll(r, cfg, numbers(60), base, guesser("a"), constant("even", false),
		Pretrained("parity", func(x int) bool { return x%2 == 1 }))
	require.Len(t, cs, 3)
	assert.Empty(t, r.errors)
	assert.Equal(t, int64(12), fits.Load(), "ten folds, the first and another one of which twice")
	require.Len(t, r.logs, 3)
	for i, name := range []string{"a", "even", "parity"} {
		v := cs[i].Judge(verdict.Claim{})
		assert.Equal(t, []string{name, "base"}, []string{v.Candidate, v.Baseline})
		assert.Regexp(t, "^"+name+` is .* base on numbers in accuracy, 95% interval `, r.logs[i])
		assert.Equal(t, fmt.Sprintf("%s vs base on numbers", name),
			r.attrs[fmt.Sprintf("learntest.%d.comparison", i+1)])
		assert.Equal(t, v.Outcome.String(), r.attrs[fmt.Sprintf("learntest.%d.verdict", i+1)])
		assert.Equal(t, fmt.Sprint(v.Difference.P), r.attrs[fmt.Sprintf("learntest.%d.p", i+1)])
		assert.Equal(t, fmt.Sprint(v.Rerun.R), r.attrs[fmt.Sprintf("learntest.%d.replicability", i+1)])
	}
	assert.Equal(t, verdict.Improved, cs[2].Judge(verdict.Claim{}).Outcome)
	e := open(t, out).Experiments()
	require.Len(t, e, 1)
	assert.Equal(t, []string{"a", "base", "even", "parity"}, e[0].Learners)

	// Each comparison equals a comparison of its candidate alone, and claims may be judged side by
	// side.
	alone := CompareWith(newRecorder(t), Config{Protocol: cfg.Protocol}, numbers(60), guesser("a"),
		base)
	want := alone.Judge(verdict.Claim{Repeats: 3})
	var judging sync.WaitGroup
	for _, c := range cs {
		judging.Go(func() { c.Judge(verdict.Claim{Repeats: 3}) })
	}
	judging.Wait()
	got := cs[0].Judge(verdict.Claim{Repeats: 3})
	assert.Equal(t, want.String(), got.String())
	assert.Equal(t, 4*30, cs[1].Records().Blocks()[0].Len())

	// A further comparison of the test has the next number.
	Compare(r, numbers(60), guesser("b"), base)
	assert.Equal(t, "b vs base on numbers", r.attrs["learntest.4.comparison"])
	assert.Equal(t, "a vs base on numbers", r.attrs["learntest.1.comparison"])
}

func TestCompareAllKeepsFailuresApart(t *testing.T) {
	fails := func(name string, folds int64) Learner[int, bool] {
		var fits atomic.Int64
		return Func(name, func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
			if n := fits.Add(1); n > 1 && n <= 1+folds {
				return nil, errors.New(name + " is out of luck")
			}
			return func(int) bool { return true }, nil
		})
	}
	cfg := Config{Protocol: split.CV(2, 5), Parallel: 1}
	r := newRecorder(t)
	cs := CompareAll(r, cfg, numbers(60), constant("odd", true), guesser("a"), fails("bad", 7),
		guesser("b"))
	require.Len(t, r.errors, 2)
	assert.Contains(t, r.errors[0],
		"learntest.CompareAll: trial failed: data set numbers, learner bad, run ")
	assert.Equal(t, "learntest.CompareAll: and 6 more trials failed with the same cause", r.errors[1])
	require.Len(t, r.logs, 2)
	assert.Contains(t, r.logs[0], "a is 0.83 points worse than odd")
	assert.Contains(t, r.logs[1], "b is 0.83 points worse than odd")
	for i, want := range []bool{false, true, false} {
		assert.Equal(t, want, cs[i].Judge(verdict.Claim{}).Outcome == verdict.Invalid)
		assert.Equal(t, want, r.attrs[fmt.Sprintf("learntest.%d.verdict", i+1)] == "invalid")
	}

	// What the baseline fails at is reported once.
	r = newRecorder(t)
	cs = CompareAll(r, cfg, numbers(60), fails("base", 1), guesser("a"), guesser("b"), guesser("c"))
	require.Len(t, r.errors, 1)
	assert.Contains(t, r.errors[0], "learner base, run 1, fold 2: fit: base is out of luck")
	assert.Empty(t, r.logs)
	for _, c := range cs {
		assert.Equal(t, verdict.Invalid, c.Judge(verdict.Claim{}).Outcome)
	}

	// What cannot be run at all is no comparison.
	r = newRecorder(t)
	cs = CompareAll(r, cfg, numbers(60), guesser("a"), guesser("b"), guesser("a"))
	assert.Contains(t, r.fatal, `two learners are named "a"`)
	require.Len(t, cs, 2)
	assert.Contains(t, cs[1].Judge(verdict.Claim{}).Reason, `two learners are named "a"`)
	assert.Empty(t, cs[1].Records().Blocks())
}

// A claim runs no learners further but its own two.
func TestCompareAllRunsOnlyWhatAClaimIsAboutFurther(t *testing.T) {
	counts := map[string]*atomic.Int64{}
	counting := func(name string, learn func(x int) bool) Learner[int, bool] {
		n := new(atomic.Int64)
		counts[name] = n
		return Func(name, func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
			n.Add(1)
			return learn, nil
		})
	}
	fits := func() string {
		return fmt.Sprint(counts["base"].Load(), counts["a"].Load(), counts["b"].Load())
	}
	out := filepath.Join(t.TempDir(), "out.txt")
	r := newRecorder(t)
	cs := CompareAll(r, Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}, numbers(60),
		counting("base", func(x int) bool { return x%3 == 0 }),
		counting("a", func(x int) bool { return x%2 == 1 != (x%9 == 0) }),
		counting("b", func(x int) bool { return x%2 == 1 != (x%7 == 0) }))
	require.Empty(t, r.errors)
	require.Equal(t, "12 11 11", fits()) // the first trial was run twice, and of base another one
	claim := verdict.Claim{Kind: verdict.Differs, Repeats: 3}
	v := cs[0].Judge(claim)
	require.NoError(t, v.Err)
	require.Equal(t, 3, v.Rerun.Repeats)
	require.Equal(t, "32 31 11", fits())

	// Further runs are stored, give the same verdict again, and do not disturb the others.
	f, err := record.Open(out)
	require.NoError(t, err)
	require.NoError(t, f.Check())
	require.Equal(t, v.String(), judged(f, "numbers", "a", "base", claim).String())
	require.NoError(t, judged(f, "numbers", "b", "base", verdict.Claim{}).Err)
	w := cs[1].Judge(claim)
	require.NoError(t, w.Err)
	require.Equal(t, "32 31 31", fits())
	f, err = record.Open(out)
	require.NoError(t, err)
	require.Equal(t, w.String(), judged(f, "numbers", "b", "base", claim).String())
}
