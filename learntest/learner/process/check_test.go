package process

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// checked returns the checks of a program that are not passed, and how many there are.
func checked(t *testing.T, limit time.Duration, args ...string) (others map[string]Finding, n int) {
	t.Helper()
	findings, err := Check(t.Context(), Config{Args: append([]string{self(t), "serve", "ok"}, args...), endTime: 300 * time.Millisecond}, limit)
	require.NoError(t, err)
	others = make(map[string]Finding)
	for _, f := range findings {
		assert.NotEmpty(t, f.Why)
		if f.Outcome != Passed {
			others[f.Check] = f
		}
	}
	return others, len(findings)
}

func TestCheckOfAProgramThatIsRight(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"labels"}, {"inline"}, {"weights"}} {
		others, n := checked(t, time.Minute, args...)
		assert.Empty(t, others, "%v", args)
		assert.Greater(t, n, 15)
	}
}

// TestCheckFinds has programs do one thing wrong each.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fault, check, want string }{
		{"stateful", "the same again", "the predictions differ although the seed does not"},
		{"moody", "the same from another process", "the predictions differ although the seed does not"},
		{"forgetful", "several tables", "the predictions differ although the seed does not"},
		{"neighbours", "the same in another order", "is predicted otherwise among others"},
		{"pretrained", Learning, "trained on the same 24 examples with other labels, in 4 ways, it predicts the very same for all 30"},
		{"short", "fit and predict", "29 probabilities for 30 examples"},
		{"scalar", "one example", "is no answer"},
		{"unsure", "fit and predict", "the probabilities of example 0 sum to 0.5, not 1"},
		{"shifted", "a class without training examples", "most examples of the class behind it are taken for it"},
		{"tolerant", "an unknown op is an error", "is no error with the id"},
		{"early", "to predict before fit is an error", "is no error with the id"},
		{"guess", "a line that is no JSON is an error without id", "is no error with the id null"},
		{"stay", "end of input", "it has not ended with its standard input: no end within 2s"},
		{"fail", "end of input", "it ended with exit status 5: want exit status 0"},
		{"digits", "hello", "write numbers with 17 digits"},
		{"crash=fit", "fit and predict", "exit status 7"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute
			if c.fault == "stay" { // as long as it may
				limit = 2 * time.Second
			}
			others, _ := checked(t, limit, c.fault)
			require.Contains(t, others, c.check)
			assert.Equal(t, Failed, others[c.check].Outcome)
			assert.Contains(t, others[c.check].Detail, c.want)
		})
	}
	others, n := checked(t, time.Minute, "picky")
	assert.Equal(t, Refused, others["missing values"].Outcome)
	assert.Equal(t, "the program says: nothing may be missing", others["missing values"].Detail)
	assert.Len(t, others, 1)
	assert.Greater(t, n, 15)
}

// A model that was trained elsewhere may be allowed to learn nothing, and nothing else.
func TestCheckAllows(t *testing.T) {
	t.Parallel()
	findings, err := Check(t.Context(), Config{Args: []string{self(t), "serve", "ok", "pretrained", "stateful"}, endTime: 300 * time.Millisecond}, time.Minute, Learning)
	require.NoError(t, err)
	outcomes := make(map[string]Outcome)
	for _, f := range findings {
		outcomes[f.Check] = f.Outcome
	}
	assert.Equal(t, Failed, outcomes["the same again"])
	findings, err = Check(t.Context(), Config{Args: []string{self(t), "serve", "ok", "pretrained"}, endTime: 300 * time.Millisecond}, time.Minute, Learning)
	require.NoError(t, err)
	for _, f := range findings {
		assert.Equal(t, map[bool]Outcome{true: Allowed, false: Passed}[f.Check == Learning], f.Outcome, f.Check)
	}
	_, err = Check(t.Context(), Config{Args: []string{self(t), "serve", "ok"}}, time.Minute, "one example")
	assert.ErrorContains(t, err, `check "one example" cannot be allowed to fail: only "other labels of the training examples" can`)
}

// Of numbers, too.
func TestCheckOfLearningNumbers(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{"ok": "", "pretrained": "in 3 ways"} {
		findings, err := Check(t.Context(), Config{Args: []string{self(t), "serve", "numbers", fault}, endTime: 300 * time.Millisecond}, time.Minute)
		require.NoError(t, err)
		for _, f := range findings {
			if f.Check == Learning {
				assert.Equal(t, want != "", f.Outcome == Failed)
				assert.Contains(t, f.Detail, want)
			}
		}
	}
}

func TestCheckHasALimit(t *testing.T) {
	t.Parallel()
	findings, err := Check(t.Context(), Config{Args: []string{self(t), "serve", "hang=fit"}}, 500*time.Millisecond)
	require.NoError(t, err)
	last := findings[len(findings)-1]
	assert.Equal(t, Finding{"fit and predict", Failed, "no end within 500ms", last.Why}, last)
	_, err = Check(t.Context(), Config{Args: []string{"x", "{train}", "{test}", "{pred}"}}, time.Second)
	assert.ErrorContains(t, err, "a program that reads files speaks no protocol")
}
