package items

import (
	"context"
	"errors"
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

// update stores the answers of a system in a file.
func update(t *testing.T, cfg Config, suite Suite[question], s System[question],
	path string,
) *recorder {
	t.Helper()
	t.Setenv("CI", "")
	t.Setenv("LEARNTEST_UPDATE", "1")
	defer t.Setenv("LEARNTEST_UPDATE", "")
	r := &recorder{T: t}
	c := Against(r, cfg, suite, s, path)
	if r.fatal == "" && r.errors == nil {
		require.ErrorIs(t, judge(t, c, verdict.Claim{}).Err, verdict.ErrNotJudged)
	}
	r.end()
	return r
}

func stored(t *testing.T, suite Suite[question], s System[question]) string {
	path := filepath.Join(t.TempDir(), "agent.txt")
	r := update(t, Config{Repeats: 2}, suite, s, path)
	require.Empty(t, r.errors)
	require.Empty(t, r.fatal)
	return path
}

func TestAgainst(t *testing.T) {
	path := stored(t, questions(60), upTo("agent", 52, nil))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "Means: agent/correct=0.8666666666666667\n")
	require.Contains(t, string(text),
		"BenchmarkItem/data=faq/learner=agent/item=q051/repeat=2 1 1 correct\n", "without times")

	r := &recorder{T: t}
	var calls atomic.Int64
	c := Against(r, Config{Repeats: 3}, questions(60), upTo("agent", 40, &calls), path)
	require.Zero(t, calls.Load())
	v := judge(t, c, noRegression)
	require.EqualValues(t, 180, calls.Load(), "only the candidate is asked")
	require.Equal(t, verdict.Regressed, v.Outcome)
	require.Equal(t, "agent now", v.Candidate)
	require.True(t, strings.HasPrefix(v.Baseline, "agent at ") || v.Baseline == "agent, stored",
		v.Baseline)
	require.Equal(t, "q040 (2/2 to 0/3)", v.Items.Flips[0].String())
	r.end()
	require.Empty(t, r.errors)
	require.Contains(t, r.logs, "faq: agent answers 60 items 3 times: 180 answers")

	again, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(text), string(again), "nothing but an update writes")
	require.True(t, judge(t, Against(&recorder{T: t}, Config{Repeats: 2}, questions(60),
		upTo("agent", 60, nil), path), verdict.Claim{Kind: verdict.Improves}).Holds)
	require.False(t, judge(t, Against(&recorder{T: t}, Config{Repeats: 2}, questions(60),
		upTo("agent", 60, nil), path), verdict.Claim{Kind: verdict.Unbeaten}).Holds)
}

// A stored baseline tells before anything is asked whether a margin can be shown, or missed.
func TestMarginsAreCheckedAgainstTheBaselineFirst(t *testing.T) {
	path := stored(t, questions(60), upTo("agent", 60, nil))
	var calls atomic.Int64
	c := Against(&recorder{T: t}, Config{}, questions(60), upTo("agent", 40, &calls), path)
	v := judge(t, c, verdict.Claim{Kind: verdict.NoRegression, Margin: 0.01})
	require.ErrorContains(t, v.Err,
		"60 items cannot show a margin of 1.00 points against a baseline with 100.00%")
	require.Zero(t, calls.Load())
}

// Other items are never compared with: removed, added or changed ones, or ones that something else
// grades.
func TestSuitesThatHaveChanged(t *testing.T) {
	path := stored(t, questions(60), upTo("agent", 52, nil))
	change := func(change func(q *question)) Suite[question] {
		s := questions(60)
		for i := range s.cases {
			change(&s.cases[i])
		}
		return New("faq", s.cases, func(q question) Item { return Item{ID: q.ID, Cluster: q.Topic} })
	}
	var calls atomic.Int64
	for _, c := range []struct {
		cfg   Config
		suite Suite[question]
		msg   string
	}{
		{Config{}, questions(57), "the items differ: only the baseline has q057, q058, q059; if that is meant, LEARNTEST_UPDATE=1 go test -count=1 -run '^TestAgent$'"},
		{Config{}, questions(61), "the items differ: only the suite has q060;"},
		{Config{}, change(func(q *question) { q.N = max(q.N, 1) }), "content or cluster differ of q000;"},
		{
			Config{},
			change(func(q *question) { q.Topic = "x" }),
			"content or cluster differ of q000, q001, q002 and 57 more;",
		},
		{
			Config{Grader: "rubric 2"},
			questions(60),
			`Grader is "" for the baseline but "rubric 2" for the suite`,
		},
		{Config{Metrics: []unit.Unit{Graded("f1")}}, questions(60), "it has no metric f1"},
		{
			Config{Metrics: []unit.Unit{{Name: "correct", Better: unit.Lower, Max: 1}}},
			questions(60),
			"metric correct has another direction or range there",
		},
	} {
		r := &recorder{T: t}
		v := judge(t, Against(r, c.cfg, c.suite, upTo("agent", 52, &calls), path), noRegression)
		require.Contains(t, r.fatal, c.msg)
		require.Equal(t, verdict.Invalid, v.Outcome)
	}
	require.Zero(t, calls.Load())
}

func TestBaselinesThatCannotBeRead(t *testing.T) {
	path := stored(t, questions(60), upTo("agent", 52, nil))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	full := string(text)
	one := "item=q000/repeat=1 1 1 correct\n"
	var sum string
	for line := range strings.Lines(full) {
		if strings.HasPrefix(line, "Checksum: ") {
			sum = line
		}
	}
	for name, c := range map[string]struct{ text, msg string }{
		"edited": {strings.Replace(full, one, strings.Replace(one, "1 correct", "0 correct", 1),
			1), "changed after they were written"},
		"without checksum": {strings.Replace(full, sum, "", 1), "the block has no checksum"},
		"shorter":          {full[:len(full)-1], "truncated"},
		"item removed": {
			strings.Replace(full, "Item: q000 ", "Item: q00 ", 1),
			"an item was added, removed or changed by hand",
		},
		"other system": {strings.ReplaceAll(full, "agent", "other"), "0 times the answers of agent"},
		"twice":        {full + "\n" + full, "occur more than once"},
		"conflict":     {"<<<<<<< HEAD\n" + full, "merge conflict"},
	} {
		require.NotEqual(t, full, c.text, name)
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o666))
		r := &recorder{T: t}
		var calls atomic.Int64
		v := judge(t, Against(r, Config{}, questions(60), upTo("agent", 52, &calls), path), noRegression)
		if name == "other system" { // whose checksum is wrong, too
			require.NotEmpty(t, r.fatal)
		} else {
			require.Contains(t, r.fatal, c.msg, name)
		}
		require.Equal(t, verdict.Invalid, v.Outcome)
		require.Zero(t, calls.Load())
	}
	r := &recorder{T: t}
	Against(r, Config{}, questions(60), upTo("agent", 52, nil), path+".not")
	require.Contains(t, r.fatal, "there is no baseline "+path+".not: LEARNTEST_UPDATE=1 go test -count=1 -run '^TestAgent$' github.com/learnbench/learnbench/learntest/items writes it anew")
	require.NoError(t, os.WriteFile(path, text, 0o666))
	r = &recorder{T: t}
	Against(r, Config{}, questions(60), upTo("agent, the second", 52, nil), path)
	require.Contains(t, r.fatal, "it has 0 times the answers of agent, the second on faq, and not once")
}

// An update names its changes, and writes whole results only.
func TestUpdates(t *testing.T) {
	path := stored(t, questions(60), upTo("agent", 52, nil))
	before, err := os.ReadFile(path)
	require.NoError(t, err)

	failing := ask(func(_ context.Context, q question, _ int) (Scores, error) {
		if q.N == 7 {
			return nil, errors.New("status 500")
		}
		return Scores{"correct": 1}, nil
	})
	r := update(t, Config{Repeats: 2}, questions(60), failing, path)
	require.Contains(t, strings.Join(r.errors, "\n"),
		"was not written: answer failed: data set faq, learner agent, item q007, repeat 1: status 500")
	r = update(t, Config{Repeats: 3}, questions(60), upTo("agent", 40, nil), path)
	require.Contains(t, strings.Join(r.errors, "\n"),
		`it has answers of agent under "items repeats=2 v1", which would stay beside those under "items repeats=3 v1": remove the file first`)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))

	r = update(t, Config{Repeats: 2}, questions(57), upTo("agent", 40, nil), path)
	require.Empty(t, r.errors)
	after, err = os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, string(after), "Item: q059")
	f, err := record.Open(path)
	require.NoError(t, err)
	require.Len(t, f.Blocks(), 1)

	require.NoError(t, os.WriteFile(strings.TrimSuffix(path, ".txt")+".ledger", []byte("x\n"), 0o666))
	r = update(t, Config{Repeats: 2}, questions(57), upTo("agent", 40, nil), path)
	require.Contains(t, strings.Join(r.errors, "\n"), "it is a pinned reference")
}

// An answer that changes is one changed line of the baseline.
func TestAFlipIsOneLine(t *testing.T) {
	path := stored(t, questions(60), upTo("agent", 52, nil))
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	update(t, Config{Repeats: 2}, questions(60),
		ask(func(_ context.Context, q question, repeat int) (Scores, error) {
			if q.N >= 52 || q.N == 7 && repeat == 2 {
				return Scores{"correct": 0}, nil
			}
			return Scores{"correct": 1}, nil
		}), path)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	var changed []string
	old := strings.Split(string(before), "\n")
	for i, line := range strings.Split(string(after), "\n") {
		if line != old[i] && strings.HasPrefix(line, "Benchmark") {
			changed = append(changed, line)
		}
	}
	require.Equal(t, []string{"BenchmarkItem/data=faq/learner=agent/item=q007/repeat=2 1 0 correct"},
		changed)
}

// A baseline with two sets of answers to a suite, of one test, is none.
func TestBaselinesWithTwoAnswers(t *testing.T) {
	path, other := stored(t, questions(60), upTo("agent", 52, nil)),
		filepath.Join(t.TempDir(), "other.txt")
	require.Empty(t, update(t, Config{Repeats: 3}, questions(60), upTo("agent", 40, nil),
		other).errors)
	both, err := os.ReadFile(path)
	require.NoError(t, err)
	more, err := os.ReadFile(other)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(both, more...), 0o600))
	r := &recorder{T: t}
	Against(r, Config{Repeats: 2}, questions(60), upTo("agent", 52, nil), path)
	require.Contains(t, r.fatal, "it has 2 times the answers of agent on faq, and not once")
}
