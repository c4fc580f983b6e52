package items

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/require"
)

// asked counts the answers that systems were asked for.
type asked struct {
	mu    sync.Mutex
	times map[string]int // by system, item and repeat
	total int
	hook  func(total int, q question) error
}

func (a *asked) system(name string, right int) System[question] {
	return NewSystem(name, func(_ context.Context, q question, repeat int) (Scores, error) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.times == nil {
			a.times = make(map[string]int)
		}
		a.times[fmt.Sprint(name, " ", q.ID, " ", repeat)]++
		a.total++
		s := Scores{"correct": 0, "usd": 0.5}
		if (q.N*7+repeat)%60 < right {
			s["correct"] = 1
		}
		if a.hook != nil {
			return s, a.hook(a.total, q)
		}
		return s, nil
	})
}

// requireOnce checks that each answer was asked for once.
func (a *asked) requireOnce(t *testing.T, total int) {
	t.Helper()
	require.Len(t, a.times, total)
	for call, n := range a.times {
		require.Equal(t, 1, n, call)
	}
}

var priced = Config{Metrics: []unit.Unit{Correct(), Cost("usd")}, Repeats: 2, Parallel: 3}

// textOf returns a verdict without its times.
func uninterrupted(t *testing.T, claim verdict.Claim) string {
	t.Helper()
	a := new(asked)
	r := &recorder{T: t, name: "TestWhole"}
	defer r.end()
	return judge(t, Compare(r, priced, questions(60), a.system("agent", 40), a.system("before", 45)),
		claim).String()
}

func fresh(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, dir)
	}
}

// journals returns the paths of the journals in the user's cache.
func journals(t *testing.T) []string {
	t.Helper()
	dir, err := os.UserCacheDir()
	require.NoError(t, err)
	paths, err := filepath.Glob(filepath.Join(dir, "learnbench", "answers", "*"))
	require.NoError(t, err)
	return paths
}

// A run that was interrupted, however often, ends with the same verdict, and asks for nothing
// twice.
func TestInterruptedRunsGoOn(t *testing.T) {
	fresh(t)
	want := strings.ReplaceAll(uninterrupted(t, noRegression), "TestWhole", "TestAgent")
	require.Empty(t, journals(t), "a run to the end leaves nothing")
	a := new(asked)
	for i, end := range []int{20, 70, 71, 200, 0} {
		if i > 0 {
			t.Setenv("LEARNTEST_RESUME", "1")
		}
		ctx, cancel := context.WithCancel(t.Context())
		a.hook = func(total int, _ question) error {
			if total == end {
				cancel()
			}
			return nil
		}
		r := &canceled{recorder{T: t}, ctx}
		cfg := priced
		cfg.Parallel = 1
		v := judge(t, Compare(r, cfg, questions(60), a.system("agent", 40), a.system("before", 45)),
			noRegression)
		cancel()
		if end == 0 {
			r.end()
			require.Empty(t, r.errors)
			require.Contains(t, r.logs, "faq: 196 answers taken over, 44 to ask for")
			require.Contains(t, r.logs, "faq: agent and before answer 60 items 2 times: 240 answers, of which 196 are there")
			require.Equal(t, want, v.String())
			break
		}
		require.ErrorIs(t, v.Err, context.Canceled)
		require.Contains(t, r.errors[0],
			"of 240 answers: context canceled: LEARNTEST_RESUME=1 go test -count=1 -run '^TestAgent$' github.com/learnbench/learnbench/learntest/items goes on from there")
	}
	// An answer that arrives while the test is cancelled may have been cut short.
	require.Equal(t, 244, a.total)
	require.Len(t, a.times, 240)
	require.Empty(t, journals(t))
}

// A budget counts the cost of earlier runs, failed answers included. A larger budget goes on
// without another answer twice.
func TestBudgetsCountWhatWasSpentBefore(t *testing.T) {
	fresh(t)
	cfg := priced
	cfg.Budget, cfg.Parallel = 30, 1
	a := new(asked)
	a.hook = func(_ int, q question) error {
		if q.N == 5 && a.times["agent q005 1"] == 1 {
			return errors.New("status 500")
		}
		return nil
	}
	run := func() (verdict.Verdict, *recorder) {
		r := &recorder{T: t}
		defer r.end()
		return judge(t, Compare(r, cfg, questions(60), a.system("agent", 40), a.system("before", 45)),
			noRegression), r
	}
	v, r := run()
	require.ErrorIs(t, v.Err, errSpent)
	require.Equal(t, 60, a.total)
	require.Contains(t, r.errors[0],
		"60 of 240 answers: the budget is spent: 30 usd of 30: LEARNTEST_RESUME=1 LEARNTEST_BUDGET=60 go test -count=1")

	t.Setenv("LEARNTEST_RESUME", "1")
	v, r = run()
	require.ErrorIs(t, v.Err, errSpent)
	require.Equal(t, 60, a.total, "nothing is left")
	require.Contains(t, r.errors[0],
		"the budget is spent: 30 usd of 30: LEARNTEST_RESUME=1 LEARNTEST_BUDGET=60 go test")

	t.Setenv("LEARNTEST_BUDGET", "60")
	v, r = run()
	require.ErrorIs(t, v.Err, errSpent)
	require.Equal(t, 120, a.total)
	require.Contains(t, r.errors[0], "the budget is spent: 60 usd of 60")
	t.Setenv("LEARNTEST_BUDGET", "122")
	v, r = run()
	require.Empty(t, r.errors)
	require.NoError(t, v.Err)
	require.Equal(t, 244, a.total, "four answers failed, and had to be paid for again")
	require.Len(t, a.times, 240)
	require.Empty(t, journals(t))
}

// Answers that have failed are asked for again, and no others.
func TestFailedAnswersAreAskedForAgain(t *testing.T) {
	fresh(t)
	want := strings.ReplaceAll(uninterrupted(t, noRegression), "TestWhole", "TestAgent")
	a := &asked{hook: func(_ int, q question) error {
		if q.N%20 == 7 {
			return errors.New("status 500")
		}
		return nil
	}}
	r := &recorder{T: t}
	v := judge(t, Compare(r, priced, questions(60), a.system("agent", 40), a.system("before", 45)),
		noRegression)
	require.ErrorIs(t, v.Err, record.ErrFailedTrial)
	require.Contains(t, r.logs[len(r.logs)-1],
		"the other answers are kept: LEARNTEST_RESUME=1 go test")
	a.hook = nil
	t.Setenv("LEARNTEST_RESUME", "1")
	r = &recorder{T: t}
	v = judge(t, Compare(r, priced, questions(60), a.system("agent", 40), a.system("before", 45)),
		noRegression)
	r.end()
	require.Equal(t, want, v.String())
	require.Equal(t, 240+12, a.total)

	// Where all have failed there is nothing to keep.
	t.Setenv("LEARNTEST_RESUME", "")
	cheap := NewSystem("agent", func(context.Context, question, int) (Scores, error) {
		return nil,
			errors.New("down")
	})
	r = &recorder{T: t}
	judge(t, Compare(r, Config{}, questions(60), cheap, NewSystem("before", cheap.ask)), noRegression)
	require.Empty(t, journals(t))
	require.NotContains(t, strings.Join(r.logs, "\n"), "are kept")
}

// interrupted leaves a journal of 10 answers.
func interrupted(t *testing.T, cfg Config, suite Suite[question], systems ...System[question]) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for i, s := range systems {
		systems[i].ask = func(ctx context.Context, q question, repeat int) (Scores, error) {
			if n++; n == 11 {
				cancel()
			}
			return s.ask(ctx, q, repeat)
		}
	}
	r := &canceled{recorder{T: t}, ctx}
	defer r.end()
	cfg.Parallel = 1
	judge(t, Compare(r, cfg, suite, systems[0], systems[1]), verdict.Claim{})
	require.Contains(t, strings.Join(r.errors, ""), "on faq 10 of ")
}

// Answers of anything else are never taken over.
func TestJournalsOfOthers(t *testing.T) {
	change := func(topic string) Suite[question] {
		s := questions(60)
		for i := range s.cases {
			s.cases[i].Topic = topic
		}
		return New("faq", s.cases, func(q question) Item { return Item{ID: q.ID, Cluster: q.Topic} })
	}
	a := upTo("agent", 40, nil)
	out := filepath.Join(t.TempDir(), "out.txt")
	for name, c := range map[string]struct {
		cfg   Config
		suite Suite[question]
		name  string
		msg   string
	}{
		"items":   {Config{}, questions(61), "agent", "the items differ: only the suite has q060"},
		"content": {Config{}, change("x"), "agent", "content or cluster differ of q000"},
		"grader": {
			Config{Grader: "rubric 2"},
			questions(60), "agent",
			`Grader is "" for the journal but "rubric 2" for the suite`,
		},
		"repeats": {
			Config{Repeats: 3},
			questions(60), "agent",
			`it is of "items repeats=1 v1", and this is "items repeats=3 v1"`,
		},
		"version": {
			Config{},
			questions(60), "agent",
			`it is of the versions "agent=m-1", and this is of ""`,
		},
		"system": {
			Config{},
			questions(60), "bot",
			"it has answers of agent and before, and this test asks bot and before",
		},
		"metrics": {
			Config{Metrics: []unit.Unit{{Name: "correct", Better: unit.Higher, Max: 2}}},
			questions(60), "agent", "it has other metrics",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("LEARNTEST_OUT", out)
			system := a
			if name == "version" {
				system = a.WithVersion("m-1")
			}
			interrupted(t, Config{}, questions(60), system, upTo("before", 45, nil))
			t.Setenv("LEARNTEST_RESUME", "1")
			r := &recorder{T: t}
			Compare(r, c.cfg, c.suite, upTo(c.name, 40, nil), upTo("before", 45, nil))
			require.Len(t, r.errors, 1)
			require.Contains(t, r.errors[0], out+".partial-1 cannot be resumed: ")
			require.Contains(t, r.errors[0], c.msg)
			require.Contains(t, r.errors[0], ": remove it to start anew")
			require.NoFileExists(t, out)
			require.NoError(t, os.Remove(out+".partial-1"))
		})
	}
	t.Run("program", func(t *testing.T) {
		t.Setenv("LEARNTEST_OUT", out)
		interrupted(t, Config{}, questions(60), a, upTo("before", 45, nil))
		defer os.Remove(out + ".partial-1")
		text, err := os.ReadFile(out + ".partial-1")
		require.NoError(t, err)
		at := strings.Index(string(text), "Binary: ") + len("Binary: ")
		changed := string(text[:at]) + "0123456789abcdef" + string(text[at+16:])
		for _, line := range strings.Split(changed, "\n") {
			if strings.HasPrefix(line, "commit: ") {
				changed = strings.Replace(changed, line+"\n", "commit: 0123\n", 1)
			}
		}
		require.NoError(t, os.WriteFile(out+".partial-1", []byte(changed), 0o666))
		t.Setenv("LEARNTEST_RESUME", "1")
		r := &recorder{T: t}
		Compare(r, Config{}, questions(60), upTo("agent", 40, nil), upTo("before", 45, nil))
		require.Contains(t, strings.Join(r.errors, ""), "it was written by another build of the program")
	})
	t.Run("unread", func(t *testing.T) {
		t.Setenv("LEARNTEST_OUT", out)
		require.NoError(t, os.WriteFile(out+".partial-1",
			[]byte("learnbench-format: 9\n\nBenchmarkItem/data=faq 1 1 correct\n"), 0o666))
		defer os.Remove(out + ".partial-1")
		t.Setenv("LEARNTEST_RESUME", "1")
		r := &recorder{T: t}
		Compare(r, Config{}, questions(60), upTo("agent", 40, nil), upTo("before", 45, nil))
		require.Contains(t, strings.Join(r.errors, ""), "cannot be resumed")
	})
}

// Without LEARNTEST_RESUME a run begins anew, and names the journal that is there.
func TestRunsBeginAnewUnlessToldOtherwise(t *testing.T) {
	fresh(t)
	interrupted(t, Config{Repeats: 2}, questions(60), upTo("agent", 40, nil), upTo("before", 45, nil))
	left := journals(t)
	require.Len(t, left, 1)
	a := new(asked)
	r := &recorder{T: t}
	cfg := priced
	judge(t, Compare(r, cfg, questions(60), a.system("agent", 40), a.system("before", 45)),
		noRegression)
	require.Contains(t, r.logs, "note: "+left[0]+" has the answers of a run that was interrupted: LEARNTEST_RESUME=1 goes on from there, and a run to the end removes it")
	r.end()
	a.requireOnce(t, 240)
	require.Empty(t, journals(t))

	// Another test, and the same systems elsewhere, have journals of their own.
	interrupted(t, Config{}, questions(60), upTo("agent", 40, nil), upTo("before", 45, nil))
	t.Setenv("LEARNTEST_RESUME", "1")
	a = new(asked)
	for _, name := range []string{"TestOther", "TestAgent"} {
		if name == "TestAgent" {
			t.Chdir(t.TempDir())
		}
		r = &recorder{T: t, name: name}
		judge(t, Compare(r, cfg, questions(60), a.system("agent", 40), a.system("before", 45)),
			noRegression)
		r.end()
		require.Contains(t, r.logs, "faq: 0 answers taken over, 240 to ask for")
	}
	require.Len(t, journals(t), 1)
}

// Answers that several runs have left count once, and cost each time.
func TestSeveralJournals(t *testing.T) {
	fresh(t)
	cfg := priced
	cfg.Budget, cfg.Parallel = 5, 1
	a := new(asked)
	for range 2 {
		r := &recorder{T: t}
		judge(t, Compare(r, cfg, questions(60), a.system("agent", 40), a.system("before", 45)),
			noRegression)
		require.Contains(t, r.errors[0], "10 of 240 answers: the budget is spent: 5 usd of 5")
	}
	require.Len(t, journals(t), 2)
	t.Setenv("LEARNTEST_RESUME", "1")
	t.Setenv("LEARNTEST_BUDGET", "12")
	r := &recorder{T: t}
	judge(t, Compare(r, cfg, questions(60), a.system("agent", 40), a.system("before", 45)),
		noRegression)
	require.Contains(t, r.logs, "faq: 10 answers taken over, 230 to ask for")
	require.Contains(t, r.errors[0], "14 of 240 answers: the budget is spent: 12 usd of 12")
	require.Equal(t, 24, a.total)
}

// The update of a baseline goes on, too, and a baseline that an update has not ended is no
// baseline.
func TestInterruptedUpdatesGoOn(t *testing.T) {
	path := stored(t, questions(60), upTo("agent", 52, nil))
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	var left error = errors.New("status 500")
	a := &asked{hook: func(_ int, q question) error {
		if q.N == 9 {
			return left
		}
		return nil
	}}
	r := update(t, priced, questions(60), a.system("agent", 40), path)
	require.Contains(t, strings.Join(r.errors, "\n"), "was not written: answer failed")
	require.Contains(t, strings.Join(r.logs, "\n"), "LEARNTEST_RESUME=1 LEARNTEST_UPDATE=1 go test")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	r = &recorder{T: t}
	Against(r, Config{Repeats: 2}, questions(60), upTo("agent", 52, nil), path)
	require.Contains(t, r.fatal, "a run that writes to "+path+" was interrupted")

	left = nil
	t.Setenv("LEARNTEST_RESUME", "1")
	r = update(t, priced, questions(60), a.system("agent", 40), path)
	require.Empty(t, r.errors)
	require.Equal(t, 122, a.total)
	require.NoFileExists(t, path+".partial-1")
	t.Setenv("LEARNTEST_RESUME", "")
	require.NoError(t, judge(t, Against(&recorder{T: t}, priced, questions(60), a.system("agent", 40),
		path), noRegression).Err)
}

// A prompt in a file is a part of the program.
func TestProgramsAreTheirFilesToo(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	out := filepath.Join(dir, "testdata", "out.txt")
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("testdata/prompt.txt", "answer")
	was := program(out, 3)
	require.Len(t, was, 64)
	for _, name := range []string{
		"testdata/out.txt", "testdata/out.txt.lock",
		"testdata/other.txt.partial-1", "README.md", "x.go", ".git/x", ".env", "__pycache__/x.pyc",
	} {
		write(name, "x")
		require.Equal(t, was, program(out, 3), name)
	}
	write("testdata/prompt.txt", "answer briefly")
	longer := program(out, 3)
	require.NotEqual(t, was, longer)
	info, err := os.Stat("testdata/prompt.txt")
	require.NoError(t, err)
	write("testdata/prompt.txt", "answer in brief")
	require.NoError(t, os.Chtimes("testdata/prompt.txt", info.ModTime(), info.ModTime()))
	require.NotEqual(t, longer, program(out, 3), "of another size")
	longer = program(out, 3)
	later := time.Now().Add(time.Second)
	require.NoError(t, os.Chtimes(filepath.Join(dir, "testdata/prompt.txt"), later, later))
	require.NotEqual(t, longer, program(out, 3))
	was = program(out, 3)
	write("prompt2.txt", "answer")
	require.NotEqual(t, was, program(out, 3))
	write("prompt3.txt", "answer")
	require.NotEmpty(t, program(out, 3))
	write("prompt4.txt", "answer")
	require.Empty(t, program(out, 3))
}

// Of two comparisons of one test on one suite, the answers of one would replace the answers of the
// other.
func TestComparisonsThatReplaceEachOther(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	t.Setenv("LEARNTEST_OUT", out)
	a := new(asked)
	r := &recorder{T: t}
	Compare(r, priced, questions(60), a.system("agent", 40), a.system("before", 45))
	for _, name := range []string{"", "TestOther"} {
		r.fatal, r.name = "", name
		second := &recorder{T: t, name: name}
		Compare(second, priced, questions(60), a.system("bot", 40), a.system("before", 45))
		if name == "" {
			require.Contains(t, second.fatal,
				"another comparison of this test is on faq, too, and its answers are stored in "+out+" under the same name: make subtests of them")
			require.Equal(t, 240, a.total)
			continue
		}
		require.Empty(t, second.fatal)
	}
	require.Equal(t, 480, a.total)
	r.end()
	again := &recorder{T: t}
	Compare(again, priced, questions(60), a.system("agent", 40), a.system("before", 45))
	require.Empty(t, again.fatal)
	Scored(again, "faq", []string{"a", "b", "c", "d", "e"}, make([]float64, 5), make([]float64, 5))
	require.Empty(t, again.fatal, "it is under another protocol")
	Scored(again, "faq", []string{"a", "b", "c", "d", "e"}, make([]float64, 5), make([]float64, 5))
	require.Contains(t, again.fatal, "another comparison of this test is on faq")
}
