package items

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/require"
)

// Versions may differ: they are compared. They are stored, shown, and named by an update.
func TestVersions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.txt")
	r := update(t, Config{}, questions(60), upTo("agent", 52, nil).WithVersion("m-1, prompt 3"), path)
	require.Empty(t, r.errors)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "\nVersions: agent=m-1,%20prompt%203\n")

	r = &recorder{T: t}
	v := judge(t, Against(r, Config{}, questions(60), upTo("agent", 40, nil).WithVersion("m-2"), path),
		noRegression)
	require.Equal(t, verdict.Regressed, v.Outcome)
	require.Contains(t, v.String(), "  versions       agent now: m-2; "+v.Baseline+": m-1, prompt 3\n")
	require.Contains(t, r.logs[0], ", version m-1, prompt 3")
	v = judge(t, Against(&recorder{T: t}, Config{}, questions(60), upTo("agent", 40, nil), path),
		noRegression)
	require.Contains(t, v.String(), "  versions       agent now: none named; ")

	unnamed := filepath.Join(t.TempDir(), "agent.txt")
	update(t, Config{}, questions(60), upTo("agent", 40, nil), unnamed)
	for version, said := range map[string]bool{"": false, "m-2": true} {
		r = &recorder{T: t}
		judge(t, Against(r, Config{}, questions(60), upTo("agent", 40, nil).WithVersion(version), unnamed), noRegression)
		require.Equal(t, said, strings.Contains(r.logs[0], ", version unknown"), r.logs[0])
	}
	v = judge(t, Against(&recorder{T: t}, Config{}, questions(60),
		upTo("agent", 40, nil).WithVersion("m-1, prompt 3"), path), noRegression)
	require.Contains(t, v.String(), "  versions       m-1, prompt 3 on both sides\n")

	out := filepath.Join(t.TempDir(), "out.txt")
	t.Setenv("LEARNTEST_OUT", out)
	Compare(&recorder{T: t}, Config{}, questions(60), upTo("agent", 40, nil).WithVersion("m-2"),
		upTo("before", 40, nil).WithVersion("m-1"))
	f, err := record.Open(out)
	require.NoError(t, err)
	require.Equal(t, "m-2", f.Blocks()[0].Header.Of("agent").Version())
	require.Equal(t, "m-1", f.Blocks()[0].Header.Of("before").Version())
}

// Three items are asked for again, so that nobody takes a system that varies for one that does not.
func TestDeterminismProbe(t *testing.T) {
	var calls atomic.Int64
	vary := func(from int64) System[question] {
		calls.Store(0)
		return ask(func(_ context.Context, q question, repeat int) (Scores, error) {
			s := Scores{"correct": 1, "usd": float64(calls.Load())}
			if calls.Add(1) > from && q.N == 1 {
				s["correct"] = 0
			}
			return s, nil
		})
	}
	fixed := NewSystem("fixed", func(context.Context, question, int) (Scores,
		error,
	) {
		return Scores{"correct": 1, "usd": 1}, nil
	})
	cfg := Config{Parallel: 1, Metrics: []unit.Unit{Correct(), Cost("usd")}}
	for _, c := range []struct {
		cfg   Config
		from  int64
		calls int64
		want  string
	}{
		{cfg, 60, 63, "  noise          other scores when items are asked for again, of which repeats would show the part in the variance (agent); equal scores when 3 items are asked for again (fixed)\n"},
		{cfg, 99, 63, "  noise          equal scores when 3 items are asked for again (agent and fixed)\n"},
		{
			Config{Parallel: 1, Metrics: cfg.Metrics, Repeats: 2},
			999, 120,
			"  noise          equal scores in all 2 repeats, which count as one (agent and fixed)\n",
		},
	} {
		r := &recorder{T: t}
		v := judge(t, Compare(r, c.cfg, questions(60), vary(c.from), fixed), noRegression)
		require.NoError(t, v.Err)
		require.Contains(t, v.String(), c.want)
		require.Equal(t, c.calls, calls.Load())
		require.Empty(t, r.errors)
	}

	// What costs too much, or fails, is not known.
	cfg.Budget = 122
	one := func(name string, err *error) System[question] {
		return NewSystem(name, func(context.Context, question, int) (Scores, error) {
			calls.Add(1)
			return Scores{"correct": 1, "usd": 1}, *err
		})
	}
	var none, later error
	calls.Store(0)
	v := judge(t, Compare(&recorder{T: t}, cfg, questions(60), one("agent", &none),
		one("before", &none)), noRegression)
	require.NoError(t, v.Err)
	require.EqualValues(t, 122, calls.Load())
	require.NotContains(t, v.String(), "asked for again")
	failing := ask(func(_ context.Context, q question, _ int) (Scores, error) {
		if q.N == 59 {
			later = errors.New("down")
			return Scores{"correct": 1, "usd": 1}, nil
		}
		return Scores{"correct": 1, "usd": 1}, later
	})
	r := &recorder{T: t}
	cfg.Budget = 0
	v = judge(t, Compare(r, cfg, questions(60), failing, one("before", &none)), noRegression)
	require.NoError(t, v.Err)
	require.Empty(t, r.errors)
	require.Contains(t, v.String(),
		"  noise          equal scores when 3 items are asked for again (before)\n")
}

// Some of a candidate's answers are wrong on purpose; more of them with a larger share.
func TestDegradedAnswers(t *testing.T) {
	run := func(share string, claim verdict.Claim) verdict.Verdict {
		t.Setenv("LEARNTEST_DEGRADE", share)
		r := &recorder{T: t}
		a := new(asked)
		v := judge(t, Compare(r, priced, questions(400), a.system("agent", 60), a.system("before", 60)),
			claim)
		r.end()
		require.Empty(t, r.errors)
		return v
	}
	require.Zero(t, run("", noRegression).Estimate)
	last := 0.0
	for share, most := range map[string]float64{"0.1": 0.13, "0.5": 0.55} {
		v := run(share, noRegression)
		require.Less(t, v.Estimate, last-0.05, "also of a candidate without a fault")
		require.Greater(t, v.Estimate, -most)
		require.Equal(t, v.String(), run(share, noRegression).String())
	}
	fresh(t)
	t.Setenv("LEARNTEST_DEGRADE", "0.5")
	require.False(t, judge(t, Compare(&recorder{T: t}, Config{}, questions(60), upTo("agent", 60, nil),
		upTo("before", 60, nil)), noRegression).Holds)
	require.Empty(t, journals(t), "they are not kept")
	usd := run("0.5", verdict.Claim{Metric: "usd"})
	require.Zero(t, usd.Estimate, "no answer costs more than the others")

	ones := make([]float64, 60)
	var ids []string
	for i := range ones {
		ones[i], ids = 1, append(ids, fmt.Sprint(i))
	}
	v := judge(t, Scored(&recorder{T: t}, "faq", ids, ones, ones), noRegression)
	require.False(t, v.Holds)
	require.Equal(t, "new degraded by 0.5", v.Candidate)
	require.Contains(t, v.String(), "reproduce      LEARNTEST_DEGRADE=0.5 go test")

	for _, name := range []string{"LEARNTEST_OUT", "LEARNTEST_UPDATE", "LEARNTEST_RESUME"} {
		t.Run(name, func(t *testing.T) {
			value := "1"
			if name == "LEARNTEST_OUT" {
				value = filepath.Join(t.TempDir(), "x")
			}
			t.Setenv("LEARNTEST_DEGRADE", "0.1")
			t.Setenv(name, value)
			r := &recorder{T: t}
			Compare(r, Config{}, questions(60), upTo("agent", 40, nil), upTo("before", 40, nil))
			require.Contains(t, r.fatal, "answers that were made worse on purpose are no results")
		})
	}

	// A metric without an end: the worst cost of any.
	nested := make(map[string][]bool)
	for _, share := range []float64{0.1, 0.3} {
		h := record.Header{Data: "faq", Protocol: record.ItemsProtocol(1)}
		require.NoError(t, h.SetItems(questions(100).items))
		block, err := record.NewBlock(h, []string{"agent", "before"}, []unit.Unit{Cost("usd")}, 0)
		require.NoError(t, err)
		for i := range 100 {
			for _, name := range block.Learners {
				require.NoError(t, block.Add(record.Trial{
					Data: "faq", Learner: name, Run: 1, Fold: i + 1,
					TestN: 1, Values: []float64{float64(i)},
				}))
			}
		}
		out, err := degraded(block, "agent", share)
		require.NoError(t, err)
		n := 0
		for tr := range out.Trials() {
			if tr.Values[0] != float64(tr.Fold-1) {
				require.Equal(t, "agent", tr.Learner)
				require.Equal(t, 99.0, tr.Values[0])
				n++
			}
			nested[tr.Learner] = append(nested[tr.Learner], tr.Values[0] != float64(tr.Fold-1))
		}
		require.InDelta(t, 100*share, n, 12)
	}
	for i, is := range nested["agent"][:100] {
		require.True(t, !is || nested["agent"][100+i], "a larger share includes a smaller one")
	}
}
