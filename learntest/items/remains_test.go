package items

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// short lets a test run under -short.
func short(t *testing.T) {
	t.Helper()
	was := isShort
	t.Cleanup(func() { isShort = was })
	isShort = func() bool { return true }
}

// Under -short, nothing is kept, and nothing can go on.
func TestShortKeepsNoJournal(t *testing.T) {
	fresh(t)
	short(t)
	a := &asked{hook: func(int, question) error {
		require.Empty(t, journals(t))
		return nil
	}}
	judge(t, Compare(&recorder{T: t}, priced, questions(400), a.system("agent", 40),
		a.system("before", 45)), noRegression)
	require.Equal(t, 80, a.total)
	t.Setenv("LEARNTEST_RESUME", "1")
	r := &recorder{T: t}
	judge(t, Compare(r, priced, questions(400), a.system("agent", 40), a.system("before", 45)),
		noRegression)
	require.Contains(t, strings.Join(r.errors, ""),
		"LEARNTEST_RESUME=1: -short keeps no answers that it could go on from")
	require.Equal(t, 80, a.total)
}

// Without a directory for journals, a run says that it keeps nothing; one that is to go on fails.
func TestNoPlaceForJournals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the cache is found by other variables")
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	a := new(asked)
	r := &recorder{T: t}
	require.NoError(t, judge(t, Compare(r, priced, questions(60), a.system("agent", 40),
		a.system("before", 45)), noRegression).Err)
	require.Contains(t, strings.Join(r.logs, "\n"),
		"note: answers are not kept if this run is interrupted: ")
	a.requireOnce(t, 240)
	t.Setenv("LEARNTEST_RESUME", "1")
	r = &recorder{T: t}
	require.Error(t, judge(t, Compare(r, priced, questions(60), a.system("agent", 40),
		a.system("before", 45)), noRegression).Err)
	require.Equal(t, 240, a.total)
}

// A file that cannot be written is an error before anything is asked.
func TestResultsThatCannotBeStored(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	if err := os.Symlink(filepath.Join(t.TempDir(), "none", "out.txt"), out); err != nil {
		t.Skip(err)
	}
	t.Setenv("LEARNTEST_OUT", out)
	a := new(asked)
	r := &recorder{T: t}
	Compare(r, priced, questions(60), a.system("agent", 40), a.system("before", 45))
	require.Contains(t, strings.Join(r.errors, ""), "answers cannot be kept: ")
	require.Zero(t, a.total)
}

// Another test, suite, system or baseline has a journal of its own in the user's cache, which no
// other one sees.
func TestJournalsAreOfOneComparison(t *testing.T) {
	fresh(t)
	interrupted(t, priced, questions(60), new(asked).system("agent", 40),
		new(asked).system("before", 45))
	require.Len(t, journals(t), 1)
	other := questions(60)
	other.name = "other"
	for name, run := range map[string]func(r *recorder, a *asked) *Comparison{
		"test": func(r *recorder, a *asked) *Comparison {
			r.name = "TestOther"
			return Compare(r, priced, questions(60), a.system("agent", 40), a.system("before", 45))
		},
		"suite": func(r *recorder, a *asked) *Comparison {
			return Compare(r, priced, other, a.system("agent", 40), a.system("before", 45))
		},
		"system": func(r *recorder, a *asked) *Comparison {
			return Compare(r, priced, questions(60), a.system("bot", 40), a.system("before", 45))
		},
	} {
		r := &recorder{T: t}
		require.NoError(t, judge(t, run(r, new(asked)), noRegression).Err, name)
		r.end()
		require.NotContains(t, strings.Join(r.logs, "\n"), "interrupted", name)
		require.Len(t, journals(t), 1, name)
	}

	fresh(t)
	paths := []string{
		stored(t, questions(60), upTo("agent", 52, nil)),
		stored(t, questions(60), upTo("agent", 52, nil)),
	}
	for i, path := range paths {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		a := &asked{hook: func(total int, _ question) error {
			if total == 10 {
				cancel()
			}
			return nil
		}}
		r := &canceled{recorder{T: t}, ctx}
		cfg := Config{Repeats: 2, Parallel: 1}
		judge(t, Against(r, cfg, questions(60), NewSystem("agent", func(ctx context.Context, q question,
			repeat int,
		) (Scores, error) {
			s, err := a.system("agent", 40).ask(ctx, q, repeat)
			return Scores{"correct": s["correct"]}, err
		}), path), noRegression)
		require.NotContains(t, strings.Join(r.logs, "\n"), "interrupted", i)
		require.Len(t, journals(t), i+1)
	}
}

// Beside one result file there are journals of several tests: neither the answers of another test
// nor their costs count.
func TestJournalsBesideOneFile(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	t.Setenv("LEARNTEST_OUT", out)
	cfg := priced
	cfg.Budget, cfg.Parallel = 5, 1
	failing := &asked{hook: func(total int, _ question) error {
		if total%2 == 0 {
			return errors.New("status 500")
		}
		return nil
	}}
	r := &recorder{T: t, name: "TestOther"}
	Compare(r, cfg, questions(60), failing.system("agent", 40), failing.system("before", 45))
	require.Contains(t, r.errors[0],
		"10 of 240 answers: the budget is spent: 5 usd of 5: LEARNTEST_RESUME=1 LEARNTEST_BUDGET=10 LEARNTEST_OUT="+out+" go test ")
	text, err := os.ReadFile(out + ".partial-1")
	require.NoError(t, err)
	require.Contains(t, string(text), " spent=0.5\n")
	require.NotContains(t, string(text), "replay=")
	r.end()

	t.Setenv("LEARNTEST_RESUME", "1")
	a := new(asked)
	r = &recorder{T: t}
	cfg.Budget = 120
	Compare(r, cfg, questions(60), a.system("agent", 40), a.system("before", 45))
	require.Empty(t, r.errors)
	require.Contains(t, r.logs, "faq: 0 answers taken over, 240 to ask for")
	a.requireOnce(t, 240)
	require.FileExists(t, out+".partial-1")
	r.end()

	// A journal that has costs alone is of one comparison, too.
	require.NoError(t, os.Remove(out+".partial-1"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cut := &asked{hook: func(int, question) error {
		cancel()
		return ctx.Err()
	}}
	other := questions(60)
	other.name = "other"
	stopped := &canceled{recorder{T: t, name: "TestOther"}, ctx}
	Compare(stopped, cfg, other, cut.system("agent", 40), cut.system("before", 45))
	stopped.end()
	text, err = os.ReadFile(out + ".partial-1")
	require.NoError(t, err)
	require.Contains(t, string(text), " spent=0.5\n")
	require.NotContains(t, string(text), "repeat=1 1 ")
	a = new(asked)
	r = &recorder{T: t, name: "TestThird"}
	Compare(r, cfg, questions(60), a.system("agent", 40), a.system("before", 45))
	require.Empty(t, r.errors)
	a.requireOnce(t, 240)
}

// A line that was torn is dropped, with a word, and its answer asked for again.
func TestTornJournals(t *testing.T) {
	fresh(t)
	interrupted(t, priced, questions(60), new(asked).system("agent", 40),
		new(asked).system("before", 45))
	path := journals(t)[0]
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	at := strings.LastIndex(string(text), "BenchmarkItem")
	require.NoError(t, os.WriteFile(path, text[:at+30], 0o666))
	t.Setenv("LEARNTEST_RESUME", "1")
	a := new(asked)
	r := &recorder{T: t}
	require.NoError(t, judge(t, Compare(r, priced, questions(60), a.system("agent", 40),
		a.system("before", 45)), noRegression).Err)
	require.Contains(t, strings.Join(r.logs, "\n"),
		"dropped what follows the last whole answer: \"BenchmarkItem/")
	require.Contains(t, r.logs, "faq: 9 answers taken over, 231 to ask for")
	a.requireOnce(t, 231)
}

func TestJournalsOfAnotherToolchain(t *testing.T) {
	fresh(t)
	interrupted(t, priced, questions(60), new(asked).system("agent", 40),
		new(asked).system("before", 45))
	path := journals(t)[0]
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	changed := strings.Replace(string(text), "Toolchain: go1.", "Toolchain: go0.", 1)
	require.NotEqual(t, string(text), changed)
	require.NoError(t, os.WriteFile(path, []byte(changed), 0o666))
	t.Setenv("LEARNTEST_RESUME", "1")
	r := &recorder{T: t}
	judge(t, Compare(r, priced, questions(60), new(asked).system("agent", 40),
		new(asked).system("before", 45)), noRegression)
	require.Contains(t, strings.Join(r.errors, ""), "it was written under go0.")
}

// The costs of answers that have all failed are kept.
func TestCostsOfFailuresAreKept(t *testing.T) {
	fresh(t)
	a := &asked{hook: func(int, question) error { return errors.New("status\n500") }}
	cfg := priced
	cfg.Budget, cfg.Parallel = 3, 1
	r := &recorder{T: t}
	v := judge(t, Compare(r, cfg, questions(60), a.system("agent", 40), a.system("before", 45)),
		noRegression)
	require.ErrorIs(t, v.Err, errSpent)
	require.Contains(t, r.errors[0],
		"6 of 240 answers: the budget is spent: 3 usd of 3: LEARNTEST_RESUME=1 LEARNTEST_BUDGET=6 go test ")
	require.Len(t, journals(t), 1)
	t.Setenv("LEARNTEST_RESUME", "1")
	r = &recorder{T: t}
	judge(t, Compare(r, cfg, questions(60), a.system("agent", 40), a.system("before", 45)),
		noRegression)
	require.Equal(t, 6, a.total, "nothing is left")
	require.Contains(t, r.errors[0], "the budget is spent: 3 usd of 3")
}

// brokenKeeper returns a keeper whose journal takes nothing more.
func brokenKeeper(t *testing.T, b *record.Block) *keeper {
	t.Helper()
	j, err := storage.CreateJournal(filepath.Join(t.TempDir(), "out.txt"))
	require.NoError(t, err)
	require.NoError(t, j.Begin(b.Header, b.Learners, b.Units, 0))
	return &keeper{journal: j}
}

// A run that can no longer keep its answers ends at once.
func TestJournalsThatBreak(t *testing.T) {
	h := record.Header{Data: "faq", Protocol: record.ItemsProtocol(1)}
	require.NoError(t, h.SetItems(questions(60).items))
	b, err := record.NewBlock(h, []string{"agent"}, []unit.Unit{Correct()}, 0)
	require.NoError(t, err)
	cfg, err := Config{Parallel: 1}.withDefaults()
	require.NoError(t, err)
	e := &engine{cfg: cfg, keeper: brokenKeeper(t, b)}
	n := 0
	var calls []call
	for i := range 60 {
		calls = append(calls, call{item: i, id: questions(60).items[i].ID, ask: func(context.Context,
			int,
		) (Scores, error) {
			if n++; n == 5 {
				require.NoError(t, e.keeper.journal.Close())
			}
			return Scores{"correct": 1}, nil
		}})
	}
	err = e.run(t.Context(), b, calls)
	require.ErrorContains(t, err, "5 of 60 answers: answers can no longer be kept: ")
	require.Equal(t, 5, n)
}

// A cost that is no number, or below zero, makes a budget neither larger nor endless.
func TestCostsThatCannotBe(t *testing.T) {
	e := &engine{cfg: Config{Budget: 1}}
	for _, cost := range []float64{0.25, math.NaN(), -5, math.Inf(-1), 0.25} {
		e.spend(cost)
	}
	require.Equal(t, 0.5, e.sum())
	e.spend(0.5)
	require.True(t, e.isSpent())
}

// Stored results have the time of each answer.
func TestAnswersAreTimed(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	t.Setenv("LEARNTEST_OUT", out)
	slow := func(name string) System[question] {
		return NewSystem(name, func(context.Context, question, int) (Scores, error) {
			time.Sleep(time.Millisecond)
			return Scores{"correct": 1}, nil
		})
	}
	Compare(&recorder{T: t}, Config{Parallel: 8}, questions(20), slow("agent"), slow("before"))
	f, err := record.Open(out)
	require.NoError(t, err)
	for tr := range f.Blocks()[0].Trials() {
		require.GreaterOrEqual(t, tr.PredictSec, 0.0005)
	}
}

// The replays of a run that goes on are of the items that it took over, and no others.
func TestReplaysOfItemsBetweenOthers(t *testing.T) {
	fresh(t)
	dir := filepath.Join(t.TempDir(), "responses")
	b := &bot{right: 40}
	recordAll(t, Config{}, b.system(dir))
	was := b.system(dir).ask
	fails := true
	odd := NewSystem("agent", func(ctx context.Context, q question, repeat int) (Scores, error) {
		if q.N%2 == 1 && fails {
			return nil, errors.New("status 500")
		}
		return was(ctx, q, repeat)
	})
	judge(t, Compare(&recorder{T: t}, Config{}, questions(60), odd, upTo("before", 45, nil)),
		noRegression)
	fails = false
	t.Setenv("LEARNTEST_RESUME", "1")
	r := &recorder{T: t}
	v := judge(t, Compare(r, Config{}, questions(60), odd, upTo("before", 45, nil)), noRegression)
	require.Contains(t, r.logs, "faq: 90 answers taken over, 30 to ask for")
	require.Contains(t, v.String(), "  responses      all 60 answers of agent rest on ")
	require.NotContains(t, v.String(), "asked for again (agent", "a recording does not vary")
}

// Long names tell responses apart, and one that cannot be recorded is no answer.
func TestRecordingsThatCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "responses")
	b := &bot{right: 40}
	recordAll(t, Config{}, b.system(dir))
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files {
		require.Len(t, f.Name(), len("90fd1dc7b930436e6e65.json"))
	}
	t.Setenv("CI", "")
	t.Setenv("LEARNTEST_RESPONSES", "record")
	below := filepath.Join(dir, "below")
	if err := os.Symlink(filepath.Join(dir, "none", "at", "all"), below); err != nil {
		t.Skip(err)
	}
	r := &recorder{T: t}
	judge(t, Compare(r, Config{}, questions(60), b.system(below), upTo("before", 45, nil)),
		noRegression)
	require.Contains(t, fmt.Sprint(r.errors), "the response was not recorded: ")
	require.Contains(t, fmt.Sprint(r.errors), below)
}

// A lossy response comes back as another one.
type lossy struct{ N int }

func (l lossy) MarshalJSON() ([]byte, error)  { return fmt.Append(nil, l.N), nil }
func (l *lossy) UnmarshalJSON(_ []byte) error { l.N = 7; return nil }

// Responses belong to their place among equal requests, and the error of one that does not come
// back names its file.
func TestRecordingsOfEqualRequests(t *testing.T) {
	dir := t.TempDir()
	n := 0
	ask := Recorded(dir, func(context.Context, prompt) (reply, error) {
		n++
		return reply{Text: fmt.Sprint(n)}, nil
	})
	answering := func(record bool) context.Context {
		return context.WithValue(t.Context(), askingKey{}, (&asking{record: record}).of("agent", "", 1))
	}
	ctx := answering(true)
	for want := range 2 {
		r, err := ask(ctx, prompt{})
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(want+1), r.Text)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[1], text, 0o666))
	ctx = answering(false)
	_, err = ask(ctx, prompt{})
	_, second := ask(ctx, prompt{})
	require.ErrorContains(t, errors.Join(err, second), "this is the response to another request")

	_, err = Recorded(dir, func(context.Context, string) (lossy, error) {
		return lossy{3},
			nil
	})(answering(true), "q")
	require.ErrorContains(t, err, dir)
	require.ErrorContains(t, err, "the response does not survive as items.lossy")
}

// The cause of a failed answer is as long as a file may have it.
func TestLongCauses(t *testing.T) {
	fresh(t)
	a := &asked{hook: func(int, question) error { return errors.New(strings.Repeat("x", 5000)) }}
	r := &recorder{T: t}
	judge(t, Compare(r, priced, questions(60), a.system("agent", 40), a.system("before", 45)),
		noRegression)
	require.Contains(t, r.errors[0], "answer failed: ")
	require.Less(t, len(r.errors[0]), 1200)
}

// A probe needs one other score to say so, and after one failure it says nothing. Its costs are
// kept.
func TestProbesThatFailInPart(t *testing.T) {
	cfg := priced
	cfg.Repeats, cfg.Parallel, cfg.Budget = 1, 1, 200
	for _, differs := range []bool{true, false} {
		fresh(t)
		n := make(map[string]int)
		spent := false
		agent := ask(func(_ context.Context, q question, _ int) (Scores, error) {
			s := Scores{"correct": 1, "usd": 0.5}
			n[q.ID]++
			switch {
			case n[q.ID] == 2 && q.N == 0 && differs:
				s["correct"] = 0
			case n[q.ID] == 2 && q.N == 1:
				text, err := os.ReadFile(journals(t)[0])
				require.NoError(t, err)
				spent = strings.Contains(string(text), "item=q000/repeat=1 spent=0.5\n")
				return nil, errors.New("status 500")
			}
			return s, nil
		})
		v := judge(t, Compare(&recorder{T: t}, cfg, questions(60), agent, new(asked).system("before",
			45)), noRegression)
		require.NoError(t, v.Err)
		require.True(t, spent)
		require.Equal(t, differs, strings.Contains(v.String(), " (agent)"), v.String())
		require.Equal(t, differs, strings.Contains(v.String(),
			"other scores when items are asked for again"))
	}
}

// Nothing is asked for again of two items, nor of a candidate that was made worse on purpose.
func TestWhatIsNotProbed(t *testing.T) {
	fresh(t)
	a := new(asked)
	cfg := priced
	cfg.Repeats = 1
	t.Setenv("LEARNTEST_DEGRADE", "0.1")
	require.NoError(t, judge(t, Compare(&recorder{T: t}, cfg, questions(60), a.system("agent", 40),
		a.system("before", 45)), noRegression).Err)
	a.requireOnce(t, 120)
	t.Setenv("LEARNTEST_DEGRADE", "")
	t.Setenv("LEARNTEST_OUT", filepath.Join(t.TempDir(), "out.txt"))
	cfg.NoClaim = true
	a = new(asked)
	r := &recorder{T: t}
	Compare(r, cfg, questions(2), a.system("agent", 40), a.system("before", 45))
	require.Empty(t, r.errors)
	a.requireOnce(t, 4)
	require.NotContains(t, strings.Join(r.logs, "\n"), "again")
}

// The worst score is the worst of the learner that is made worse.
func TestWorstScoresOfOne(t *testing.T) {
	h := record.Header{Data: "faq", Protocol: record.ItemsProtocol(1)}
	require.NoError(t, h.SetItems(questions(20).items))
	b, err := record.NewBlock(h, []string{"agent", "before"}, []unit.Unit{Cost("usd")}, 0)
	require.NoError(t, err)
	for i := range 20 {
		for l, name := range b.Learners {
			require.NoError(t, b.Add(record.Trial{
				Data: "faq", Learner: name, Run: 1, Fold: i + 1, TestN: 1,
				Values: []float64{float64(i + 100*l)},
			}))
		}
	}
	require.Equal(t, 19., worstOf(Cost("usd"), b, "agent", 0))
	require.Equal(t, 119., worstOf(Cost("usd"), b, "before", 0))
}
