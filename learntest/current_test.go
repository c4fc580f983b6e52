package learntest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	claim "github.com/learnbench/learnbench/assert"
	. "github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A loss is accepted, with its baseline, and reverted, and the baseline is forgotten. From then on
// losses up to the first one pass as gains: only the claim that the baseline is current sees it.
func TestBaselineIsCurrent(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "baseline.txt")
	cfg := Config{Protocol: split.CV(10, 10), Results: Results{
		Pkg: "p", Test: "T", Commit: "c0ffee",
		Reproduce: "go test p",
	}}
	data := Numbers(400)
	Update(t, cfg, data, WrongBelow("forest", 60), path) // accepted: 15 points of 100
	against := func(l Learner[int, bool], options ...claim.Option) *Recorder {
		r := NewRecorder(t)
		c := AgainstWith(r, cfg, data, l, path)
		claim.BaselineIsCurrent(r, c, options...)
		c.Judge(verdict.Claim{})
		r.End()
		require.Empty(t, r.Ended())
		return r
	}
	for _, wrong := range []int{20, 25, 30, 35} { // reverted, and then losses
		r := NewRecorder(t)
		c := AgainstWith(r, cfg, data, WrongBelow("forest", wrong), path)
		claim.NoRegression(r, c, claim.Margin(0.02))
		require.Empty(t, r.Failures(), "it passes")
		r = against(WrongBelow("forest", wrong))
		require.Len(t, r.Failures(), 1)
		assert.Regexp(t, `Claim does not hold: forest now is \S+ points better than forest at c0ffee on numbers in accuracy: improved`, r.Failures()[0])
		assert.Contains(t, r.Failures()[0],
			"improved on this data set; the candidate is significantly better, so that its gain can be lost again unseen")
		assert.Contains(t, r.Failures()[0],
			"  help           the baseline is out of date: LEARNTEST_UPDATE=1 go test p writes it anew\n")
		assert.Contains(t, r.Failures()[0],
			"  rerun          significantly better again with probability ")
	}
	// A learner that is worse passes, and so does one that may be better.
	for _, wrong := range []int{59, 60, 61, 200} {
		require.Empty(t, against(WrongBelow("forest", wrong)).Failures(), wrong)
	}
	// A lower level would make it looser: only the test itself may give one.
	t.Setenv("LEARNTEST_ALPHA", "1e-30")
	require.Len(t, against(WrongBelow("forest", 50)).Failures(), 1)
	require.Empty(t, against(WrongBelow("forest", 50), claim.Alpha(1e-30)).Failures())
	t.Setenv("LEARNTEST_ALPHA", "")

	Update(t, cfg, data, WrongBelow("forest", 20), path)
	require.Empty(t, against(WrongBelow("forest", 20)).Failures())
	r := NewRecorder(t)
	claim.NoRegression(r, AgainstWith(r, cfg, data, WrongBelow("forest", 35), path),
		claim.Margin(0.02))
	require.Len(t, r.Failures(), 1, "the loss is seen")

	// Under -short the first run may show it.
	InShort(func() {
		r := against(WrongBelow("forest", 1))
		require.Len(t, r.Failures(), 1)
		assert.Contains(t, r.Failures()[0],
			"the candidate is significantly better in the first of 10 runs, which is all that -short runs")
		assert.Contains(t, r.Failures()[0], "LEARNTEST_UPDATE=1 go test p writes it anew")
		c := AgainstWith(NewRecorder(t), cfg, data, WrongBelow("forest", 60), path)
		require.EqualError(t, c.Judge(verdict.Claim{Kind: verdict.Unbeaten}).Err,
			"not judged: -short runs the first of 10 runs, which shows no significant gain")
	})

	// A pinned reference is moved otherwise.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "baseline.ledger"), nil, 0o600))
	r = against(WrongBelow("forest", 1))
	require.Len(t, r.Failures(), 1)
	assert.Contains(t, r.Failures()[0],
		fmt.Sprintf("the baseline is out of date: %s=$PWD/new.txt go test p stores results, and then learnbench pin -reason TEXT $PWD/new.txt %s moves it", "LEARNTEST_OUT", path))
}

// The claim holds of any loss, so that a test must make another one; and it is about stored
// baselines only.
func TestBaselineIsCurrentIsNoGate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(1, 5), Results: Results{Pkg: "p", Test: "T"}}
	Update(t, cfg, Numbers(60), Guesser("forest"), path)
	r := NewRecorder(t)
	claim.BaselineIsCurrent(r, AgainstWith(r, cfg, Numbers(60), Constant("forest", false), path))
	require.Empty(t, r.Failures())
	r.End()
	require.Len(t, r.Failures(), 1)
	require.Contains(t, r.Failures()[0],
		"learntest.Against: nothing was claimed of forest against "+path)

	r = NewRecorder(t)
	require.False(t, claim.BaselineIsCurrent(r, CompareWith(r, cfg, Numbers(60), Guesser("forest"),
		Guesser("wood"))))
	require.Contains(t, r.Failures()[0],
		"invalid claim: only a stored baseline can be out of date: compare with one by learntest.Against")
	InShort(func() {
		cfg.Protocol = split.CV(2, 5)
		r = NewRecorder(t)
		require.False(t, claim.BaselineIsCurrent(r, CompareWith(r, cfg, Numbers(60), Guesser("forest"),
			Guesser("wood"))))
		require.Contains(t, r.Failures()[0], "only a stored baseline can be out of date")
	})
	// Where the baseline is written, nothing is judged.
	t.Setenv("LEARNTEST_UPDATE", "force")
	r = NewRecorder(t)
	c := AgainstWith(r, cfg, Numbers(60), Guesser("forest"), path)
	require.ErrorIs(t, c.Judge(verdict.Claim{Kind: verdict.Unbeaten}).Err, verdict.ErrNotJudged)
}

// A squash leaves a baseline whose commit nobody can check out: a verdict that fails says so, but
// never fails because of it.
func TestLostCommitOfABaselineIsSaid(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git",
			append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
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
	Update(t, cfg, Numbers(60), WrongBelow("forest", 3), path)
	judge := func(wrong int, claim verdict.Claim) verdict.Verdict {
		return AgainstWith(NewRecorder(t), cfg, Numbers(60), WrongBelow("forest", wrong),
			path).Judge(claim)
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
		require.Equal(t, squashed, strings.Contains(v.String(),
			text+branch+", is not in the history of HEAD, as after a squash or a rebase"), v)
		v = judge(3, loss)
		require.NotContains(t, v.String(), text)
		require.Equal(t, v.Holds, judge(3, loss).Holds)
	}
}
