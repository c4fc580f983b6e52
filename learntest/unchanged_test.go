package learntest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	claim "github.com/learnbench/learnbench/assert"
	. "github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A learner that nobody has changed is no worse, however few examples there are, and nothing else
// is it for having the same scores.
func TestUnchangedLearnersDoNotRegress(t *testing.T) {
	cfg := Config{Protocol: split.CV(10, 10), Results: Results{
		Pkg:  "example.com/p",
		Test: "TestForest", Commit: "c0ffee",
	}}
	dir := t.TempDir()
	model := filepath.Join(dir, "model.txt")
	require.NoError(t, os.WriteFile(model, []byte("one"), 0o600))
	now := WrongBelow("forest", 6)
	now.Depends = []string{model}
	path := filepath.Join(dir, "baseline.txt")
	fresh := func() { // an update leaves a baseline of equal scores alone
		require.NoError(t, os.RemoveAll(path))
		Update(t, cfg, Numbers(60), now, path)
	}
	fresh()
	against := func(cfg Config, l Learner[int, bool]) *Recorder {
		r := NewRecorder(t)
		c := AgainstWith(r, cfg, Numbers(60), l, path)
		claim.NoRegression(r, c)
		claim.Equivalent(r, c, claim.Margin(0.02))
		claim.NoRegression(r, c, claim.Bayes(0.01, 0.95))
		claim.NoRegression(r, c, claim.Replicability(0.9))
		r.End()
		require.Empty(t, r.Ended())
		return r
	}
	r := against(cfg, now)
	require.Empty(t, r.Failures())
	said := strings.Join(r.Logged(), "\n")
	assert.Contains(t, said, ": holds; nothing was changed: both sides are of the same program with the same parameters, and have the same scores\n")
	assert.Contains(t, said, "\n  margin         nothing was changed, which is less than 1.00 points\n")
	assert.Contains(t, said, "\n  warning        without an improvement 60 examples cannot show a loss below 4.87 points, and the smallest round margin above that is 5.00 points\n")
	later := cfg
	later.Results.Commit, later.Results.Out = "decade", filepath.Join(dir, "out.txt")
	require.Empty(t, against(later, now).Failures(), "the commit may be another")

	// Another learner may have equal scores.
	const few = "a regression by more than 1.00 points was not ruled out: without an improvement 60 examples cannot show a loss below 4.87 points"
	differs := func(what string, cfg Config, l Learner[int, bool]) {
		t.Helper()
		r := against(cfg, l)
		require.Len(t, r.Failures(), 4, what)
		assert.Contains(t, r.Failures()[0], few, what)
		assert.Regexp(t, "Claim does not hold: .*; both have the same accuracy in every fold\n",
			r.Failures()[0], what)
		assert.NotContains(t, strings.Join(r.Failures(), ""), "nothing was changed", what)
	}
	for what, change := range map[string]func(h *record.Header){
		"another build": func(h *record.Header) {
			h.Binary = strings.Repeat("a", 64) +
				h.Binary[64:]
		},
		"other files": func(h *record.Header) {
			h.Binary = h.Binary[:65] + strings.Repeat("a",
				64)
		},
		"no known program":    func(h *record.Header) { h.Binary = "" },
		"one that names none": func(h *record.Header) { h.Binary = record.UnknownProgram },
		"another test":        func(h *record.Header) { h.Test = "TestWood" },
		"started in another way": func(h *record.Header) {
			h.Reproduce = "LEARNTEST_DEGRADE=0.01 " +
				h.Reproduce
		},
	} {
		fresh()
		Rewrite(t, path, change)
		differs(what, cfg, now)
	}
	fresh()
	require.NoError(t, os.WriteFile(model, []byte("two"), 0o600))
	differs("a file that the learner reads", cfg, now)
	require.NoError(t, os.WriteFile(model, []byte("one"), 0o600))
	require.Empty(t, against(cfg, now).Failures())

	// Two learners of one run do not count as unchanged: see package assert.
	two := CompareWith(NewRecorder(t), cfg, Numbers(60), now,
		WrongBelow("twin", 6)).Judge(verdict.Claim{})
	assert.Same(t, two.CandidateHeader, two.BaselineHeader)
	assert.False(t, two.Unchanged)

	// Other scores are a change of any program.
	c := AgainstWith(NewRecorder(t), cfg, Numbers(60), WrongBelow("forest", 7), path)
	v := c.Judge(verdict.Claim{Kind: verdict.NoRegression})
	assert.False(t, v.Holds)
	assert.False(t, v.Unchanged)

	// What always predicts one class has learned nothing, changed or not.
	path = filepath.Join(dir, "never.txt")
	t.Setenv("LEARNTEST_UPDATE", "force")
	t.Setenv("CI", "")
	AgainstWith(NewRecorder(t), cfg, Numbers(60), Constant("never", false), path)
	t.Setenv("LEARNTEST_UPDATE", "")
	v = AgainstWith(NewRecorder(t), cfg, Numbers(60), Constant("never", false),
		path).Judge(verdict.Claim{Kind: verdict.NoRegression, Margin: 0.06})
	assert.False(t, v.Holds)
	v = AgainstWith(NewRecorder(t), cfg, Numbers(60), Constant("never", false),
		path).Judge(verdict.Claim{Kind: verdict.NoRegression, Margin: 0.02, AllowMajority: true})
	assert.True(t, v.Holds, "%v", v)
}
