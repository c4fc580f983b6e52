package learntest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	claim "github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A loss is accepted, with its baseline, and reverted, and the baseline is forgotten. From then on losses up to
// that one pass as gains: that the baseline is current is what sees it.
func TestBaselineIsCurrent(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "baseline.txt")
	cfg := Config{Protocol: split.CV(10, 10), Results: Results{Pkg: "p", Test: "T", Commit: "c0ffee", Reproduce: "go test p"}}
	data := numbers(400)
	update(t, cfg, data, wrongBelow("forest", 60), path) // accepted: 15 points of 100
	against := func(l Learner[int, bool], options ...claim.Option) *recorder {
		r := newRecorder(t)
		c := AgainstWith(r, cfg, data, l, path)
		claim.BaselineIsCurrent(r, c, options...)
		c.asked.Store(true)
		r.end()
		require.Empty(t, r.fatal)
		return r
	}
	for _, wrong := range []int{20, 25, 30, 35} { // reverted, and then losses
		r := newRecorder(t)
		c := AgainstWith(r, cfg, data, wrongBelow("forest", wrong), path)
		claim.NoRegression(r, c, claim.Margin(0.02))
		require.Empty(t, r.errors, "it passes")
		r = against(wrongBelow("forest", wrong))
		require.Len(t, r.errors, 1)
		assert.Contains(t, r.errors[0], "Claim does not hold: forest, now does not beat forest at c0ffee on numbers in accuracy")
		assert.Contains(t, r.errors[0], "improved on this data set: the candidate is significantly better, so that what it gains can be lost again unseen")
		assert.Contains(t, r.errors[0], "  help           the baseline is out of date: LEARNTEST_UPDATE=1 go test p writes it anew\n")
		assert.Contains(t, r.errors[0], "  rerun          significantly better again with probability ")
	}
	// A learner that is worse passes, and so does one that may be better.
	for _, wrong := range []int{59, 60, 61, 200} {
		require.Empty(t, against(wrongBelow("forest", wrong)).errors, wrong)
	}
	// A lower level would make it looser: only the test itself may give one.
	t.Setenv(envAlpha, "1e-30")
	require.Len(t, against(wrongBelow("forest", 50)).errors, 1)
	require.Empty(t, against(wrongBelow("forest", 50), claim.Alpha(1e-30)).errors)
	t.Setenv(envAlpha, "")

	update(t, cfg, data, wrongBelow("forest", 20), path)
	require.Empty(t, against(wrongBelow("forest", 20)).errors)
	r := newRecorder(t)
	claim.NoRegression(r, AgainstWith(r, cfg, data, wrongBelow("forest", 35), path), claim.Margin(0.02))
	require.Len(t, r.errors, 1, "the loss is seen")

	// Under -short the first run may show it.
	inShort(func() {
		r := against(wrongBelow("forest", 1))
		require.Len(t, r.errors, 1)
		assert.Contains(t, r.errors[0], "the candidate is significantly better in the first of 10 runs, which is all that -short runs")
		assert.Contains(t, r.errors[0], "LEARNTEST_UPDATE=1 go test p writes it anew")
		c := AgainstWith(newRecorder(t), cfg, data, wrongBelow("forest", 60), path)
		require.EqualError(t, c.Judge(verdict.Claim{Kind: verdict.Unbeaten}).Err, "not judged: -short runs the first of 10 runs, which shows no significant gain")
	})

	// A pinned reference is moved otherwise.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "baseline.ledger"), nil, 0o600))
	r = against(wrongBelow("forest", 1))
	require.Len(t, r.errors, 1)
	assert.Contains(t, r.errors[0], fmt.Sprintf("the baseline is out of date: %s=$PWD/new.txt go test p stores results, and then learnbench pin -reason TEXT $PWD/new.txt %s moves it", envOut, path))
}

// The claim holds of any loss, so that a test must make another one; and it is about stored baselines only.
func TestBaselineIsCurrentIsNoGate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(1, 5), Results: Results{Pkg: "p", Test: "T"}}
	update(t, cfg, numbers(60), guesser("forest"), path)
	r := newRecorder(t)
	claim.BaselineIsCurrent(r, AgainstWith(r, cfg, numbers(60), constant("forest", false), path))
	require.Empty(t, r.errors)
	r.end()
	require.Len(t, r.errors, 1)
	require.Contains(t, r.errors[0], "learntest.Against: nothing was claimed of forest against "+path)

	r = newRecorder(t)
	require.False(t, claim.BaselineIsCurrent(r, CompareWith(r, cfg, numbers(60), guesser("forest"), guesser("wood"))))
	require.Contains(t, r.errors[0], "invalid claim: only a stored baseline can be out of date: compare with one by learntest.Against")
	inShort(func() {
		cfg.Protocol = split.CV(2, 5)
		r = newRecorder(t)
		require.False(t, claim.BaselineIsCurrent(r, CompareWith(r, cfg, numbers(60), guesser("forest"), guesser("wood"))))
		require.Contains(t, r.errors[0], "only a stored baseline can be out of date")
	})
	// Where the baseline is written, nothing is judged.
	t.Setenv(envUpdate, "force")
	r = newRecorder(t)
	c := AgainstWith(r, cfg, numbers(60), guesser("forest"), path)
	require.ErrorIs(t, c.Judge(verdict.Claim{Kind: verdict.Unbeaten}).Err, verdict.ErrNotJudged)
}

// A squash leaves a baseline whose commit nobody can check out: a verdict that fails says so, and fails for no other reason.
func TestLostCommitOfABaselineIsSaid(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "a model")
	git("commit", "-q", "--allow-empty", "-m", "on a branch")
	branch := git("rev-parse", "--short=12", "HEAD")
	const text = "the commit of the baseline, "
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(1, 5), Results: Results{Pkg: "p", Test: "T", Commit: branch}}
	update(t, cfg, numbers(60), wrongBelow("forest", 3), path)
	judge := func(wrong int, claim verdict.Claim) verdict.Verdict {
		return AgainstWith(newRecorder(t), cfg, numbers(60), wrongBelow("forest", wrong), path).Judge(claim)
	}
	t.Chdir(dir)
	loss := verdict.Claim{Kind: verdict.NoRegression, Margin: 0.1}
	for _, squashed := range []bool{false, true} {
		if squashed {
			git("reset", "-q", "--hard", "HEAD~1")
			git("commit", "-q", "--allow-empty", "-m", "squashed")
		}
		v := judge(40, loss)
		require.Equal(t, verdict.Regressed, v.Outcome)
		require.Equal(t, squashed, strings.Contains(v.String(), text+branch+", is not in the history of HEAD, as after a squash or a rebase"), v)
		v = judge(3, loss)
		require.NotContains(t, v.String(), text)
		require.Equal(t, v.Holds, judge(3, loss).Holds)
	}
}
