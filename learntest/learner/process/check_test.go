package process_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/learner/process"
	"github.com/learnbench/learnbench/learntest/learnercheck"
)

// served returns the program of the tests, which misbehaves as the arguments say.
func served(t *testing.T, args ...string) process.Config {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return process.Config{Args: append([]string{self, "serve", "ok"}, args...)}
}

// checked returns the rules that a program does not keep, and how many there are.
func checked(t *testing.T, cfg process.Config, limit time.Duration,
	allowed ...learnercheck.Rule,
) (others map[learnercheck.Rule]learnercheck.Finding, n int) {
	t.Helper()
	findings, err := learnercheck.Inspect(t.Context(), learnercheck.Program(cfg, limit), allowed...)
	require.NoError(t, err)
	others = make(map[learnercheck.Rule]learnercheck.Finding)
	for _, f := range findings {
		if f.Outcome != learnercheck.Passed && f.Outcome != learnercheck.Skipped {
			others[f.Rule] = f
		}
	}
	return others, len(findings)
}

func TestCheckOfAProgramThatIsRight(t *testing.T) {
	t.Parallel()
	modes := [][]string{nil, {"labels", "inline", "weights"}}
	if citest.Has(citest.Slow) {
		modes = [][]string{nil, {"labels"}, {"inline"}, {"weights"}, modes[1]}
	}
	for _, args := range modes {
		others, n := checked(t, served(t, args...), time.Minute)
		assert.Empty(t, others, "%v", args)
		assert.Greater(t, n, 15)
	}
}

// A program that answers items and does not learn keeps the rules about messages.
func TestCheckOfProgramsThatAnswer(t *testing.T) {
	t.Parallel()
	findings, err := learnercheck.Inspect(t.Context(), learnercheck.Program(served(t, "answers"),
		time.Minute))
	require.NoError(t, err)
	passed := make(map[learnercheck.Rule]string)
	for _, f := range findings {
		if f.Outcome != learnercheck.Skipped {
			require.Equal(t, learnercheck.Passed, f.Outcome, "%s: %s", f.Rule, f.Detail)
			passed[f.Rule] = f.Detail
		}
	}
	require.Equal(t, map[learnercheck.Rule]string{
		"hello": "test: answers items, keeps tables", "a line that is no JSON": "", "an unknown op": "",
		"predict before fit": "", "an item": "", "end of input": "",
	}, passed)
	for fault, rule := range map[string]learnercheck.Rule{
		"crash=answer": "an item",
		"tolerant":     "an unknown op", "garbage=answer": "an item",
	} {
		others, _ := checked(t, served(t, "answers", fault), time.Minute)
		require.Contains(t, others, rule, fault)
		require.Equal(t, learnercheck.Failed, others[rule].Outcome)
	}
	findings, err = learnercheck.Inspect(t.Context(), learnercheck.Program(served(t), time.Minute))
	require.NoError(t, err)
	for _, f := range findings {
		require.False(t, f.Rule == "an item" && f.Outcome != learnercheck.Skipped,
			"it is not for learners")
	}
}

// TestCheckFinds has programs do one thing wrong each. All learners keep the rules that are not about
// programs: learnercheck tests these, and this test does where LEARNBENCH_CI names slow.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault string
		rule  learnercheck.Rule
		want  string
	}{
		{"stateful", learnercheck.Determinism, "trained twice in a row under one seed, it predicted "},
		{"moody", "another process", "although the seed is equal, another process predicted "},
		{"forgetful", "several tables", "although the seed is equal, another process "},
		{
			"neighbours", learnercheck.Order,
			"the test examples being predicted in the reverse order, it predicted ",
		},
		{
			"pretrained", learnercheck.Learning,
			"trained on the same 24 examples with other labels, in 4 ways, it predicts the very same for all 30",
		},
		{"short", learnercheck.Trial, "29 probabilities for 30 examples"},
		{"scalar", learnercheck.Order, "is no answer"},
		{"unsure", learnercheck.Probabilities, "class probabilities sum to 0.5, not 1"},
		{
			"shifted", "a class without training examples",
			"most examples of the class behind it are taken for it",
		},
		{"tolerant", "an unknown op", "is no error with the id"},
		{"early", "predict before fit", "is no error with the id"},
		{"guess", "a line that is no JSON", "is no error with the id null"},
		{"stay", "end of input", "it has not ended with its standard input: no end within 2s"},
		{"fail", "end of input", "it ended with exit status 5: want exit status 0"},
		{"digits", "hello", "write numbers with 17 digits"},
		{"crash=fit", learnercheck.Trial, "exit status 7"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute
			switch c.fault {
			case "stay": // as long as it may
				citest.Need(t, citest.Slow)
				limit = 2 * time.Second
			case "stateful", "neighbours", "pretrained", "unsure", "crash=fit":
				citest.Need(t, citest.Slow)
			}
			others, _ := checked(t, served(t, c.fault), limit)
			require.Contains(t, others, c.rule)
			if c.fault != "moody" && c.fault != "forgetful" { // which break others as it happens
				assert.Len(t, others, 1)
			}
			f := others[c.rule]
			assert.Equal(t, learnercheck.Failed, f.Outcome)
			assert.Contains(t, f.Detail, c.want)
			assert.Greater(t, len(f.Flaw.Harm()), 15)
			assert.Greater(t, len(f.Flaw.Remedy()), 10)
		})
	}
	others, n := checked(t, served(t, "picky"), time.Minute)
	assert.Equal(t, learnercheck.Refused, others["missing values"].Outcome)
	assert.Equal(t, "fit: the program says: nothing may be missing", others["missing values"].Detail)
	assert.Len(t, others, 1)
	assert.Greater(t, n, 15)
}

// A model that was trained elsewhere may be allowed to learn nothing.
func TestCheckAllows(t *testing.T) {
	t.Parallel()
	others, _ := checked(t, served(t, "pretrained", "stateful"), time.Minute, learnercheck.Learning)
	assert.Equal(t, learnercheck.Failed, others[learnercheck.Determinism].Outcome)
	others, _ = checked(t, served(t, "pretrained"), time.Minute, learnercheck.Learning)
	assert.Len(t, others, 1)
	assert.Equal(t, learnercheck.Allowed, others[learnercheck.Learning].Outcome)
	_, err := learnercheck.Inspect(t.Context(), learnercheck.Program(served(t), time.Minute), "hello")
	assert.ErrorContains(t, err, `rule "hello" cannot be allowed to be broken: the rules that can are determinism, learning, order`)
}

// Of numbers, too.
func TestCheckOfLearningNumbers(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{"ok": "", "pretrained": "in 3 ways"} {
		others, _ := checked(t, served(t, "numbers", fault), time.Minute)
		f, found := others[learnercheck.Learning]
		assert.Equal(t, want != "", found)
		assert.Contains(t, f.Detail, want)
	}
}

// TestCheckHasALimit has a program hang, with more time where the machine is too busy for the rest
// of the checks.
func TestCheckHasALimit(t *testing.T) {
	t.Parallel()
	others := make(map[learnercheck.Rule]learnercheck.Finding)
	limit := time.Second
	for ; len(others) != 1 && limit <= 16*time.Second; limit *= 4 {
		others, _ = checked(t, served(t, "hang=fit"), limit)
	}
	assert.Len(t, others, 1)
	assert.Contains(t, others[learnercheck.Trial].Detail, fmt.Sprintf("no end within %v", limit/4))
	err := learnercheck.Check(t.Context(),
		learnercheck.Program(process.Config{Args: []string{"x", "{train}", "{test}", "{pred}"}},
			time.Second))
	assert.ErrorContains(t, err, "a program that reads files speaks no protocol")
}
