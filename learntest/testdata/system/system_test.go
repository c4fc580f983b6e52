// Package system has tests that other tests run in processes of their own.
package system

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

type learner = learntest.Learner[int, bool]

// numbers is a data set whose name a variable may give.
func numbers() *learntest.ExampleSet[int, bool] {
	xs, ys := make([]int, 60), make([]bool, 60)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 1
	}
	return learntest.Examples(cmp.Or(os.Getenv("SYSTEM_DATA"), "numbers"), xs, ys)
}

// guesser takes odd for at least one number in n, by chance.
func guesser(name string, n int) learner {
	return learntest.Func(name, func(_ context.Context, train learntest.Sample[int, bool], seed uint64) (func(int) bool, error) {
		time.Sleep(time.Millisecond)
		r := rand.New(rand.NewPCG(seed, uint64(train.Len()*n)))
		return func(int) bool { return r.IntN(n) > 0 }, nil
	})
}

func config() learntest.Config {
	return learntest.Config{Protocol: split.CV(2, 5), Results: learntest.Results{Commit: "c0ffee"}, Parallel: 4}
}

// TestShared compares two candidates with one baseline, one of them with further runs.
func TestShared(t *testing.T) {
	c := learntest.CompareWith(t, config(), numbers(), guesser("first", 2), guesser("baseline", 3))
	learntest.CompareWith(t, config(), numbers(), guesser("second", 4), guesser("baseline", 3))
	if v := c.Judge(verdict.Claim{Repeats: 2}); v.Outcome == verdict.Invalid {
		t.Error(v.Reason)
	}
}

// TestDisagreeing compares with two baselines of one name. Between the two comparisons it
// copies the result file to where a variable says.
func TestDisagreeing(t *testing.T) {
	learntest.CompareWith(t, config(), numbers(), guesser("first", 2), guesser("baseline", 3)) // one baseline
	text, err := os.ReadFile(os.Getenv("LEARNTEST_OUT"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(os.Getenv("SYSTEM_COPY"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	learntest.CompareWith(t, config(), numbers(), guesser("second", 4), guesser("baseline", 5)) // other baseline
}

// traced notes each training in the file that a variable names.
func traced(t *testing.T, l learner) learner {
	fit := l.Fit
	l.Fit = func(ctx context.Context, train learntest.Sample[int, bool], seed uint64) (learntest.Model[int, bool], error) {
		f, err := os.OpenFile(os.Getenv("SYSTEM_TRACE"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
		if err == nil {
			_, err = fmt.Fprintf(f, "%s %d\n", l.Name, seed)
		}
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			t.Error(err)
		}
		return fit(ctx, train, seed)
	}
	return l
}

// TestTraced compares two candidates with one baseline, each of which notes what it is
// trained on.
func TestTraced(t *testing.T) {
	data := numbers()
	base := traced(t, guesser("baseline", 3))
	for _, c := range learntest.CompareAll(t, config(), data, base, traced(t, guesser("first", 2)), traced(t, guesser("second", 4))) {
		if v := c.Judge(verdict.Claim{}); v.Outcome == verdict.Invalid {
			t.Error(v.Reason)
		}
	}
	other := learntest.Examples("others", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []bool{true, false, true, false, true, false, true, false, true, false})
	learntest.CompareWith(t, config(), other, traced(t, guesser("third", 2)), traced(t, guesser("fourth", 2)))
}
