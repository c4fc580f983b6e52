package items

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/require"
)

// A question is answered right by whom its number allows.
type question struct {
	ID    string
	Topic string
	N     int
}

func questions(n int) Suite[question] {
	var all []question
	for i := range n {
		all = append(all, question{ID: fmt.Sprintf("q%03d", n-1-i), N: n - 1 - i})
	}
	return New("faq", all, func(q question) Item { return Item{ID: q.ID, Cluster: q.Topic} })
}

// upTo returns a system that is right on the questions below n. It counts its calls.
func upTo(name string, n int, calls *atomic.Int64) System[question] {
	return NewSystem(name, func(_ context.Context, q question, _ int) (Scores, error) {
		if calls != nil {
			calls.Add(1)
		}
		if q.N < n {
			return Scores{"correct": 1}, nil
		}
		return Scores{"correct": 0}, nil
	})
}

func ask(f func(ctx context.Context, q question, repeat int) (Scores, error)) System[question] {
	return NewSystem("agent", f)
}

var noRegression = verdict.Claim{Kind: verdict.NoRegression, Margin: 0.1}

func judge(t *testing.T, c *Comparison, claim verdict.Claim) verdict.Verdict {
	t.Helper()
	vs := c.Verdicts(claim)
	require.Len(t, vs, 1)
	return vs[0]
}

func TestCompare(t *testing.T) {
	r := &recorder{T: t}
	var calls atomic.Int64
	c := Compare(r, Config{Repeats: 2, Parallel: 3}, questions(60), upTo("agent", 40, &calls),
		upTo("before", 52, &calls))
	require.Zero(t, calls.Load(), "nothing is asked before a claim")
	v := judge(t, c, noRegression)
	require.False(t, v.Holds)
	require.Equal(t, verdict.Regressed, v.Outcome)
	require.InDelta(t, -0.2, v.Estimate, 1e-12)
	require.EqualValues(t, 240, calls.Load())
	require.Equal(t, []string{"agent", "before", "faq"}, []string{v.Candidate, v.Baseline, v.Data})
	require.Equal(t, "q040 (2/2 to 0/2)", v.Items.Flips[0].String())
	require.False(t, judge(t, c, verdict.Claim{Kind: verdict.Improves}).Holds)
	require.EqualValues(t, 240, calls.Load(), "asked once for all claims")
	r.end()
	require.Empty(t, r.errors)
	require.Contains(t, r.logs, "faq: agent and before answer 60 items 2 times: 240 answers")
	require.Contains(t, v.String(),
		"go test -count=1 -run '^TestAgent$' github.com/learnbench/learnbench/learntest/items\n")
}

// Order, GOMAXPROCS and the number of goroutines change nothing.
func TestAnswersDoNotDependOnTheirOrder(t *testing.T) {
	var texts []string
	for _, parallel := range []int{1, 8} {
		system := ask(func(_ context.Context, q question, repeat int) (Scores, error) {
			time.Sleep(time.Duration(q.N*7%5) * 100 * time.Microsecond)
			return Scores{"correct": float64((q.N*repeat)%3) / 2}, nil
		})
		c := Compare(&recorder{T: t}, Config{Repeats: 3, Parallel: parallel}, questions(30), system,
			upTo("before", 20, nil))
		texts = append(texts, judge(t, c, verdict.Claim{}).String())
	}
	require.Equal(t, texts[0], texts[1])
}

// A claim that the items cannot decide costs nothing.
func TestClaimsAreCheckedBeforeAnythingIsAsked(t *testing.T) {
	var calls atomic.Int64
	for _, c := range []struct {
		suite Suite[question]
		claim verdict.Claim
		msg   string
	}{
		{questions(4), verdict.Claim{}, "4 items: items-t takes at least 5"},
		{
			questions(60),
			verdict.Claim{Kind: verdict.Improves, Replicability: 0.9},
			"a replicability is for random partitions",
		},
		{questions(60), verdict.Claim{Metric: "usd"}, "metric usd is not among Config.Metrics"},
		{
			questions(60),
			verdict.Claim{Kind: verdict.Unbeaten},
			"only a stored baseline can be out of date",
		},
		{
			questions(60),
			verdict.Claim{Kind: verdict.NoRegression, Margin: 2},
			"a margin of 2 says nothing",
		},
	} {
		r := &recorder{T: t}
		v := judge(t, Compare(r, Config{}, c.suite, upTo("agent", 40, &calls),
			upTo("before", 40, &calls)), c.claim)
		require.Equal(t, verdict.Invalid, v.Outcome)
		require.ErrorContains(t, v.Err, c.msg)
	}
	require.Zero(t, calls.Load())

	r := &recorder{T: t}
	c := Compare(r, Config{}, questions(60), upTo("agent", 40, nil), upTo("before", 40, nil))
	require.False(t, judge(t, c, verdict.Claim{Kind: verdict.NoRegression}).Holds)
	require.Contains(t, r.logs[0], "note: without an improvement 60 items cannot show a loss below ")
}

func TestNothingIsClaimed(t *testing.T) {
	var calls atomic.Int64
	r := &recorder{T: t}
	Compare(r, Config{}, questions(60), upTo("agent", 40, &calls), upTo("before", 40, &calls))
	r.end()
	require.Len(t, r.errors, 1)
	require.Contains(t, r.errors[0], "nothing was claimed of agent on faq when the test ended")
	require.Zero(t, calls.Load())
	r = &recorder{T: t}
	Compare(r, Config{NoClaim: true}, questions(60), upTo("agent", 40, nil), upTo("before", 40, nil))
	r.end()
	require.Empty(t, r.errors)
	for _, r := range []*recorder{{T: t, skipped: true}, {T: t, failed: true}} { // for another reason
		Compare(r, Config{}, questions(60), upTo("agent", 40, nil), upTo("before", 40, nil))
		r.end()
		require.Empty(t, r.errors)
	}
}

// Answers that fail fail the test, and no claim holds.
func TestFailedAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		ask func(ctx context.Context, q question, repeat int) (Scores, error)
		cfg Config
		msg string
	}{
		"error": {func(_ context.Context, q question, repeat int) (Scores, error) {
			return Scores{"correct": 1}, errors.New("status 500")
		}, Config{}, "status 500"},
		"panic": {
			func(context.Context, question, int) (Scores, error) { panic("nil map") },
			Config{},
			"panic: nil map",
		},
		"goexit": {func(context.Context, question, int) (Scores,
			error,
		) {
			runtime.Goexit()
			return nil, nil
		}, Config{}, "the goroutine of the system has ended"},
		"missing": {
			func(context.Context, question, int) (Scores, error) { return nil, nil },
			Config{},
			"the answer has no score in correct",
		},
		"NaN": {func(context.Context, question, int) (Scores,
			error,
		) {
			return Scores{"correct": nan()}, nil
		}, Config{}, "correct is NaN"},
		"Inf": {func(context.Context, question, int) (Scores, error) {
			return Scores{
				"correct": 1,
				"usd":     inf,
			}, nil
		}, Config{Metrics: []unit.Unit{Correct(), Cost("usd")}}, "usd is +Inf"},
		"range": {func(context.Context, question, int) (Scores,
			error,
		) {
			return Scores{"correct": 37}, nil
		}, Config{}, "correct is 37, which is not from 0 to 1"},
		"undeclared": {func(context.Context, question, int) (Scores, error) {
			return Scores{
				"correct": 1,
				"usd":     1,
			}, nil
		}, Config{}, "a score in usd, which Config.Metrics does not declare"},
		"hangs": {
			func(context.Context, question, int) (Scores, error) { select {} },
			Config{Timeout: 200 * time.Millisecond},
			"no answer in time: it took more than 200ms",
		},
		"late": {func(ctx context.Context, _ question, _ int) (Scores, error) {
			<-ctx.Done()
			return Scores{"correct": 1}, nil
		}, Config{Timeout: 200 * time.Millisecond}, "no answer in time"},
	} {
		r := &recorder{T: t}
		cfg := c.cfg
		cfg.Parallel = 10
		some := func(ctx context.Context, q question, repeat int) (Scores, error) {
			if q.N >= 7 {
				s := make(Scores)
				for _, u := range cfg.Metrics {
					s[u.Name] = 1
				}
				s["correct"] = 1
				return s, nil
			}
			return c.ask(ctx, q, repeat)
		}
		good := NewSystem("good", func(context.Context, question, int) (Scores, error) {
			s := Scores{"correct": 0}
			for _, u := range cfg.Metrics {
				s[u.Name] = 0
			}
			return s, nil
		})
		v := judge(t, Compare(r, cfg, questions(60), ask(some), good),
			verdict.Claim{Kind: verdict.Improves})
		require.False(t, v.Holds, name)
		require.Equal(t, verdict.Invalid, v.Outcome, name)
		require.ErrorIs(t, v.Err, record.ErrFailedTrial, name)
		require.Len(t, r.errors, 6, name)
		require.Equal(t, "items.Compare: answer failed: data set faq, learner agent, item q000, repeat 1: "+r.errors[0][strings.Index(r.errors[0], "repeat 1: ")+10:], r.errors[0])
		require.Contains(t, r.errors[0], c.msg, name)
		require.Equal(t, "items.Compare: and 2 more answers failed", r.errors[5])
	}
}

func nan() float64 { return inf - inf }

// A budget that is spent ends the test, which fails.
func TestSpentBudgetsFail(t *testing.T) {
	var calls atomic.Int64
	costly := func(name string, fail bool) System[question] {
		return NewSystem(name, func(context.Context, question, int) (Scores, error) {
			calls.Add(1)
			if fail {
				return Scores{"usd": 0.5}, errors.New("refused")
			}
			return Scores{"correct": 1, "usd": 0.5}, nil
		})
	}
	cfg := Config{Metrics: []unit.Unit{Correct(), Cost("usd")}, Budget: 10, Parallel: 2}
	r := &recorder{T: t}
	v := judge(t, Compare(r, cfg, questions(60), costly("agent", false), costly("before", false)),
		verdict.Claim{})
	require.Equal(t, verdict.Invalid, v.Outcome)
	require.ErrorIs(t, v.Err, errSpent)
	require.Contains(t, r.errors[0], "of 120 answers: the budget is spent")
	require.LessOrEqual(t, calls.Load(), int64(22))
	require.GreaterOrEqual(t, calls.Load(), int64(20))

	calls.Store(0)
	r = &recorder{T: t}
	v = judge(t, Compare(r, cfg, questions(60), costly("agent", true), costly("before", true)),
		verdict.Claim{})
	require.ErrorIs(t, v.Err, errSpent, "failed answers cost, too")
	require.LessOrEqual(t, calls.Load(), int64(22))

	cfg.Budget = 61
	require.NotEqual(t, verdict.Invalid, judge(t, Compare(&recorder{T: t}, cfg, questions(60),
		costly("agent", false), costly("before", false)), verdict.Claim{}).Outcome)
}

// The end of a test leaves no verdict on some answers.
func TestCancelledTests(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := &canceled{recorder{T: t}, ctx}
	n := 0
	system := ask(func(context.Context, question, int) (Scores, error) {
		if n++; n == 5 {
			cancel()
		}
		return Scores{"correct": 1}, nil
	})
	v := judge(t, Compare(r, Config{Parallel: 1}, questions(60), system, upTo("before", 40, nil)),
		verdict.Claim{})
	require.Equal(t, verdict.Invalid, v.Outcome)
	require.ErrorIs(t, v.Err, context.Canceled)
	require.Contains(t, r.errors[0], "of 120 answers: context canceled")
}

type canceled struct {
	recorder
	ctx context.Context
}

func (c *canceled) Context() context.Context { return c.ctx }

func TestConfigurationsThatMakeNoSense(t *testing.T) {
	a, b := upTo("agent", 40, nil), upTo("before", 40, nil)
	for _, c := range []struct {
		cfg       Config
		suite     Suite[question]
		candidate System[question]
		msg       string
	}{
		{Config{Repeats: -1}, questions(9), a, "Repeats -1"},
		{
			Config{Metrics: []unit.Unit{Correct(), Correct()}},
			questions(9), a,
			"two metrics are named correct",
		},
		{Config{Metrics: []unit.Unit{{Name: "x", Max: 1}}}, questions(9), a, "metric x has no direction"},
		{
			Config{Metrics: []unit.Unit{{Name: "x", Better: unit.Higher}}},
			questions(9), a,
			"metric x has the range 0 to 0",
		},
		{Config{Budget: 5}, questions(9), a, "a budget of 5 usd, which Config.Metrics does not declare"},
		{Config{Budget: -5}, questions(9), a, "a budget of -5"},
		{Config{Budget: 5, BudgetMetric: "correct"}, questions(9), a, "of which more is better"},
		{Config{}, questions(9), b, `two systems are named "before"`},
		{Config{}, questions(9), System[question]{}, "has no name, or nothing to ask"},
		{
			Config{},
			New("", []question{}, func(question) Item { return Item{} }), a,
			"a suite without a name",
		},
		{
			Config{},
			New("s", []question{{}}, func(question) Item { return Item{} }), a,
			"an item has no id",
		},
		{
			Config{},
			New("s", []question{{}, {}}, func(question) Item { return Item{ID: "x"} }), a,
			`two items have the id "x"`,
		},
	} {
		r := &recorder{T: t}
		v := judge(t, Compare(r, c.cfg, c.suite, c.candidate, b), verdict.Claim{})
		require.Contains(t, r.fatal, c.msg)
		require.Equal(t, verdict.Invalid, v.Outcome)
	}
	r := &recorder{T: t}
	Compare(r, Config{}, New("s", []func(){nil, func() {}},
		func(func()) Item { return Item{ID: "x"} }), System[func()]{name: "a"}, System[func()]{name: "b"})
	require.Contains(t, r.fatal, "of suite s has no digest")
}

func TestVariables(t *testing.T) {
	for _, c := range []struct{ name, value, msg string }{
		{"LEARNTEST_DEGRADE", "0.6", "it must be above 0 and at most 0.5"},
		{"LEARNTEST_RESPONSES", "all", "it must be record or not set"},
		{"LEARNTEST_RESUM", "1", "unknown variable"},
		{"LEARNTEST_BUDGET", "0", "it must be a number above 0"},
		{"LEARNTEST_BUDGET", "5", "a budget of 5 usd, which Config.Metrics does not declare"},
		{"LEARNTEST_SHARD", "1/2", "it is for learners that are trained"},
		{"LEARNTEST_IN", "/x", "it is for learners that are trained"},
		{"LEARNTEST_RESUME", "yes", "it must be 1 or not set"},
		{"LEARNTEST_OUT", "x.txt", "a relative path"},
		{"LEARNTEST_ALPHA", "0.1", "at most 0.05"},
		{"LEARNTEST_ALPHA", "x", "at most 0.05"},
		{"LEARNTEST_UPDATE", "yes", "it must be 1, force or not set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			r := &recorder{T: t}
			Compare(r, Config{}, questions(60), upTo("agent", 40, nil), upTo("before", 40, nil))
			require.Contains(t, r.fatal, c.msg)
		})
	}
	t.Run("alpha", func(t *testing.T) {
		t.Setenv("LEARNTEST_ALPHA", "0.01")
		v := judge(t, Compare(&recorder{T: t}, Config{}, questions(60), upTo("agent", 40, nil),
			upTo("before", 45, nil)), verdict.Claim{})
		require.Equal(t, 0.01, v.Claim.Alpha)
		require.Equal(t, verdict.Inconclusive, v.Outcome)
	})
	t.Run("predictions", func(t *testing.T) {
		const note = "note: LEARNTEST_PREDICTIONS keeps predictions of learners that are trained, and no answers to items"
		for _, path := range []string{"", filepath.Join(t.TempDir(), "new.pred")} {
			t.Setenv("LEARNTEST_PREDICTIONS", path)
			r := &recorder{T: t}
			judge(t, Compare(r, Config{}, questions(60), upTo("agent", 40, nil), upTo("before", 40, nil)),
				verdict.Claim{})
			require.Empty(t, r.fatal)
			require.Equal(t, path != "", strings.Contains(strings.Join(r.logs, "\n"), note))
		}
	})
	t.Run("CI", func(t *testing.T) {
		t.Setenv("CI", "true")
		t.Setenv("LEARNTEST_UPDATE", "1")
		r := &recorder{T: t}
		path := filepath.Join(t.TempDir(), "agent.txt")
		Against(r, Config{}, questions(60), upTo("agent", 40, nil), path)
		require.Contains(t, r.fatal, "as in continuous integration")
		require.NoFileExists(t, path)
	})
}

// Answers are stored, and claims about them are judged as well.
func TestResultsAreStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	t.Setenv("LEARNTEST_OUT", path)
	r := &recorder{T: t}
	c := Compare(r, Config{Repeats: 2}, questions(60), upTo("agent", 40, nil), upTo("before", 40, nil))
	r.end()
	require.Empty(t, r.errors, "results that are stored are a use of them")
	live := judge(t, c, verdict.Claim{})
	f, err := record.Open(path)
	require.NoError(t, err)
	require.NoError(t, f.Check())
	stored := verdict.Of(f.Of("faq", "agent"), f.Of("faq", "before"), verdict.Claim{})
	require.Equal(t, live.String(), stored.String())
	Compare(&recorder{T: t}, Config{Repeats: 2}, questions(60), upTo("agent", 41, nil),
		upTo("before", 40, nil))
	f, err = record.Open(path)
	require.NoError(t, err)
	require.Len(t, f.Blocks(), 1)

	before, err := os.ReadFile(path)
	require.NoError(t, err)
	failing := ask(func(context.Context, question, int) (Scores, error) {
		return nil,
			errors.New("status 500")
	})
	Compare(&recorder{T: t}, Config{Repeats: 2}, questions(60), failing, upTo("before", 40, nil))
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after), "failed answers replace nothing")
	fresh := filepath.Join(t.TempDir(), "fresh.txt")
	t.Setenv("LEARNTEST_OUT", fresh)
	Compare(&recorder{T: t}, Config{Repeats: 2}, questions(60), failing, upTo("before", 40, nil))
	require.NoFileExists(t, fresh, "and make no file")
}

func TestScored(t *testing.T) {
	var ids []string
	var now, before []float64
	for i := range 60 {
		ids, now, before = append(ids, fmt.Sprint("id", i)), append(now, float64(i%2)), append(before, 1)
	}
	r := &recorder{T: t}
	v := judge(t, Scored(r, "logs", ids, now, before), noRegression)
	require.Equal(t, verdict.Regressed, v.Outcome)
	require.InDelta(t, -0.5, v.Estimate, 1e-12)
	require.Equal(t, []string{"new", "old"}, []string{v.Candidate, v.Baseline})
	slices.Reverse(ids)
	slices.Reverse(now)
	again := judge(t, Scored(&recorder{T: t}, "logs", ids, now, before), noRegression)
	require.Equal(t, v.String(), again.String(), "in any order")

	var all []Item
	for i, id := range ids {
		all = append(all, Item{ID: id, Cluster: fmt.Sprint(i % 10)})
	}
	seconds := Cost("seconds")
	v = judge(t, ScoredBy(&recorder{T: t}, seconds, "logs", all, before, now), verdict.Claim{})
	require.Equal(t, 10, v.Items.Clusters)
	require.Equal(t, "seconds", v.Unit.Name)

	for msg, f := range map[string]func(r *recorder){
		"60 ids, 59 new and 60 old scores": func(r *recorder) {
			Scored(r, "logs", ids,
				now[1:], before)
		},
		`item "id0", new: correct is 37`: func(r *recorder) {
			Scored(r, "logs", []string{"id0"},
				[]float64{37}, []float64{1})
		},
		`two items have the id "a"`: func(r *recorder) {
			Scored(r, "logs", []string{"a", "a"},
				[]float64{1, 1}, []float64{1, 1})
		},
		`item "a", old: correct is NaN`: func(r *recorder) {
			Scored(r, "logs", []string{"a"},
				[]float64{1}, []float64{nan()})
		},
		"nothing was claimed of new on logs": func(r *recorder) { Scored(r, "logs", ids, now, before) },
	} {
		r := &recorder{T: t}
		f(r)
		r.end()
		require.Contains(t, r.fatal+strings.Join(r.errors, ""), msg)
	}
}

// TestCosts claims limits on costs. Nothing is asked for a claim that no costs decide, or under
// -short.
func TestCosts(t *testing.T) {
	t.Parallel()
	spends := func(name string, calls *atomic.Int64, most int) System[question] {
		return NewSystem(name, func(_ context.Context, q question, _ int) (Scores, error) {
			calls.Add(1)
			return Scores{"correct": 1, "usd": 0.01 * float64(10+q.N%most)}, nil
		})
	}
	var calls atomic.Int64
	cfg := Config{Metrics: []unit.Unit{Correct(), Cost("usd")}}
	c := Compare(&recorder{T: t}, cfg, questions(100), spends("new", &calls, 4),
		spends("old", &calls, 2))
	v := judge(t, c, verdict.Claim{Kind: verdict.RatioAtMost, Threshold: 1.2})
	require.ErrorContains(t, v.Err,
		"a ratio is claimed of costs, of which less is better and none is negative, and not of correct")
	require.Zero(t, calls.Load())
	limit := verdict.Claim{Kind: verdict.RatioAtMost, Threshold: 1.2, Metric: "usd"}
	v = judge(t, c, limit)
	require.NoError(t, v.Err)
	require.True(t, v.Holds, "%s", v)
	require.InDelta(t, 11.5/10.5, v.Costs.Ratio, 1e-12)
	require.GreaterOrEqual(t, calls.Load(), int64(200),
		"some are asked again, to see whether answers vary")
	limit.Threshold = 1.05
	v = judge(t, c, limit)
	require.Equal(t, verdict.Regressed, v.Outcome)
	require.Equal(t, "new costs at most ×1.05 the usd of old on faq: refuted", v.Summary())
}

// -short asks some items once, and fails a regression alone.
func TestShort(t *testing.T) {
	isShort = func() bool { return true }
	defer func() { isShort = func() bool { return false } }()
	var calls atomic.Int64
	path := filepath.Join(t.TempDir(), "agent.txt")
	run := func(right int, claim verdict.Claim) verdict.Verdict {
		calls.Store(0)
		return judge(t, Compare(&recorder{T: t}, Config{Repeats: 5}, questions(400),
			upTo("agent", right, &calls), upTo("before", 400, nil)), claim)
	}
	v := run(0, noRegression)
	require.EqualValues(t, 40, calls.Load())
	require.Equal(t, verdict.Regressed, v.Outcome)
	require.False(t, v.Holds)
	require.Contains(t, v.Reason, "on 40 of 400 items, which is all that -short asks")
	v = run(400, noRegression)
	require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
	require.ErrorIs(t, run(200, verdict.Claim{Kind: verdict.NoRegression, Margin: 0.9}).Err,
		verdict.ErrNotJudged)
	costs := Config{Metrics: []unit.Unit{Cost("usd")}}
	v = judge(t, Compare(&recorder{T: t}, costs, questions(400), upTo("agent", 400, &calls),
		upTo("before", 400, nil)), verdict.Claim{Kind: verdict.RatioAtMost, Threshold: 1.2})
	require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
	require.ErrorContains(t, v.Err, "-short asks 40 of 400 items, which decide no claim about costs")

	t.Setenv("LEARNTEST_UPDATE", "1")
	t.Setenv("CI", "")
	Against(&recorder{T: t}, Config{Repeats: 2}, questions(400), upTo("agent", 400, &calls), path)
	t.Setenv("LEARNTEST_UPDATE", "")
	calls.Store(0)
	v = judge(t, Against(&recorder{T: t}, Config{Repeats: 2}, questions(400), upTo("agent", 0, &calls),
		path), noRegression)
	require.Equal(t, verdict.Regressed, v.Outcome)
	require.EqualValues(t, 40, calls.Load())
}
