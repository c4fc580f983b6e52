package learntest

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompareEndsBeforeTheTestsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorder(t)
		r.deadline = time.Now().Add(time.Minute)
		hang := Func("hang", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
			time.Sleep(time.Hour)
			return nil, nil
		})
		c := CompareWith(r, Config{Protocol: split.CV(1, 2)}, numbers(60), hang, constant("odd", true))
		assert.Equal(t, 3*time.Second-trial.Grace, time.Until(r.deadline))
		require.Len(t, r.errors, 1)
		assert.Contains(t, r.errors[0],
			"learntest.CompareWith: interrupted: the test's deadline is near: ")
		assert.Contains(t, r.errors[0],
			"the learner did not return: data set numbers, learner hang, run 1, fold 1")
		v := c.Judge(verdict.Claim{})
		assert.Equal(t, verdict.Invalid, v.Outcome)
		assert.Contains(t, v.Reason, "the test's deadline is near")
		time.Sleep(time.Hour)
	})
}

// Comparisons leave a twentieth of the test's time to report, but 1 to 10 s.
func TestTimeThatIsLeftToReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for there, left := range map[time.Duration]time.Duration{
			3 * time.Second: time.Second, time.Minute: 3 * time.Second, time.Hour: 10 * time.Second,
		} {
			r := newRecorder(t)
			r.deadline = time.Now().Add(there)
			a := Func("a", func(ctx context.Context, _ Sample[int, bool], _ uint64) (func(int) bool, error) {
				end, _ := ctx.Deadline()
				assert.Equal(t, left, r.deadline.Sub(end))
				return func(int) bool { return true }, nil
			})
			c := CompareWith(r, Config{Protocol: split.CV(1, 2)}, numbers(60), a, constant("odd", true))
			require.Empty(t, r.errors)

			// Claims that take further runs need the time as well.
			time.Sleep(there)
			v := c.Judge(verdict.Claim{Repeats: 2})
			assert.False(t, v.Holds)
			assert.Equal(t, "interrupted: the test's deadline is near: 0 of 4 trials were run", v.Reason)
			assert.NotEqual(t, verdict.Invalid, c.Judge(verdict.Claim{}).Outcome,
				"the finished trials can be judged")
		}
	})
}

func TestProgressIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(name string) Learner[int, bool] {
			return Func(name, func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
				time.Sleep(time.Second)
				return func(int) bool { return true }, nil
			})
		}
		cfg := Config{Protocol: split.CV(2, 2), Parallel: 1}
		r := newRecorder(t)
		CompareWith(r, cfg, numbers(60), slow("a"), slow("b")) // repeated trials are no progress
		require.Len(t, r.logs, 3)
		assert.Equal(t, []string{
			"a vs b on numbers: 3 of 8 trials after 3s, 5s left",
			"a vs b on numbers: 6 of 8 trials after 6s, 2s left",
		}, r.logs[:2])
		r = newRecorder(t)
		CompareAll(r, cfg, numbers(60), slow("a"), slow("b"), slow("c"))
		assert.Equal(t, "2 candidates vs a on numbers: 3 of 12 trials after 3s, 9s left", r.logs[0])
		r = newRecorder(t)
		CompareWith(r, Config{Protocol: split.CV(1, 2), Parallel: 1}, numbers(60), slow("a"), slow("b"))
		require.Len(t, r.logs, 2, "the end is not progress")
		assert.Equal(t, "a vs b on numbers: 3 of 4 trials after 3s, 1s left", r.logs[0])
		r = newRecorder(t)
		cfg.Progress = func(int, int) {}
		CompareWith(r, cfg, numbers(60), slow("a"), slow("b"))
		assert.Len(t, r.logs, 1, "the verdict")
	})
}
