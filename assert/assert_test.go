package assert_test

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	testify "github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorder is a TestingT that writes down how it was failed.
type recorder struct{ failures, logs []string }

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}

// stored is a comparison whose scores are a table of differences to 0.5 in the
// metric named, over as many runs of two folds as there are pairs.
type stored struct {
	unit  unit.Unit
	gains []float64
	claim *verdict.Claim // the last one judged

	unpinned error // that its baseline is no pinned reference
}

func (s stored) Verdicts(c verdict.Claim) []verdict.Verdict {
	return []verdict.Verdict{s.judge(c)}
}

func (s stored) Pinned() error { return s.unpinned }

func (s stored) judge(c verdict.Claim) verdict.Verdict {
	*s.claim = c
	p := &record.Pairs{
		Data: "mail", Candidate: "new", Baseline: "old", Unit: s.unit, Runs: len(s.gains) / 2, Folds: 2,
		CandidateHeader: &record.Header{
			Protocol: "cv runs=5 folds=2 stratified seed=1 v1", DataDigest: "0123456789abcdef",
			Reproduce: "go test -run '^TestMail$' ./mail",
		},
		BaselineHeader: new(record.Header),
	}
	for _, g := range s.gains {
		p.A, p.B = append(p.A, 0.5+g), append(p.B, 0.5)
		p.TrainN, p.TestN = append(p.TrainN, 10000), append(p.TestN, 10000)
	}
	return verdict.Judge(p, c)
}

var (
	accuracy = unit.Unit{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}
	logloss  = unit.Unit{Name: "logloss", Better: unit.Lower, Min: 0, Max: math.Inf(1)}

	better    = []float64{0.19, 0.21, 0.2, 0.2, 0.21, 0.19, 0.2, 0.2, 0.19, 0.21}
	worse     = []float64{-0.19, -0.21, -0.2, -0.2, -0.21, -0.19, -0.2, -0.2, -0.19, -0.21}
	undecided = []float64{0.19, -0.21, 0.2, -0.2, 0.21, -0.19, 0.2, -0.2, 0.19, -0.21}
	same      = make([]float64, 10)
)

func comparison(u unit.Unit, gains []float64) stored {
	return stored{u, gains, new(verdict.Claim), nil}
}

func TestClaims(t *testing.T) {
	t.Parallel()
	type claim func(assert.TestingT, assert.Comparison, ...assert.Option) bool
	replicable := func(t assert.TestingT, c assert.Comparison, args ...assert.Option) bool {
		return assert.Replicable(t, c, 0.9, args...)
	}
	for _, c := range []struct {
		name  string
		claim claim
		on    stored
		args  []assert.Option
		holds bool
	}{
		{"better improves", assert.Improves, comparison(accuracy, better), nil, true},
		{
			"better improves by a gain", assert.Improves, comparison(accuracy, better),
			[]assert.Option{assert.Gain(0.1)},
			true,
		},
		{
			"but not by a greater one", assert.Improves, comparison(accuracy, better),
			[]assert.Option{assert.Gain(0.3)},
			false,
		},
		{"same does not improve", assert.Improves, comparison(accuracy, same), nil, false},
		{"worse does not improve", assert.Improves, comparison(accuracy, worse), nil, false},
		{"more loss does not improve", assert.Improves, comparison(logloss, better), nil, false},
		{"less loss improves", assert.Improves, comparison(logloss, worse), nil, true},
		{"better does not regress", assert.NoRegression, comparison(accuracy, better), nil, true},
		{"same does not regress", assert.NoRegression, comparison(accuracy, same), nil, true},
		{"worse regresses", assert.NoRegression, comparison(accuracy, worse), nil, false},
		{"undecided may regress", assert.NoRegression, comparison(accuracy, undecided), nil, false},
		{
			"nor by much", assert.NoRegression, comparison(accuracy, undecided),
			[]assert.Option{assert.Margin(0.3)},
			false,
		},
		{"same is equivalent", assert.Equivalent, comparison(accuracy, same), nil, true},
		{"better is not", assert.Equivalent, comparison(accuracy, better), nil, false},
		{"a clear case is replicable", replicable, comparison(accuracy, better), nil, true},
		{"replicability of two repetitions", assert.Improves, comparison(accuracy, better), []assert.Option{assert.RequiredReplicability{Probability: 0.9, Repeats: 2}}, false}, // there is one
		{
			"another test", assert.Improves, comparison(accuracy, better),
			[]assert.Option{assert.SignificanceTest(stat.MustLookup("5x2cv-t")), assert.Alpha(0.01)},
			true,
		},
		{
			"one-sided", assert.Improves, comparison(accuracy, better),
			[]assert.Option{assert.OneSided()},
			true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{}
			testify.Equal(t, c.holds, c.claim(r, c.on, c.args...), "%v", r.failures)
			testify.Equal(t, c.holds, len(r.failures) == 0)
			testify.Equal(t, c.holds, len(r.logs) == 1)
		})
	}
}

func TestOptionsReachTheClaim(t *testing.T) {
	t.Parallel()
	c := comparison(accuracy, better)
	assert.Improves(&recorder{}, c, assert.OnUnit("accuracy"), assert.Alpha(0.01), assert.Gain(0.1),
		assert.OneSided(),
		assert.RequiredReplicability{Probability: 0.8, Strict: true, MaxRuns: 50})
	testify.Equal(t, verdict.Claim{
		Kind: verdict.Improves, Metric: "accuracy", Alpha: 0.01, Gain: 0.1, Replicability: 0.8,
		Strict: true, MaxRuns: 50, OneSided: true,
	}, *c.claim)
	assert.Replicable(&recorder{}, c, 0.7)
	testify.Equal(t, verdict.Claim{Kind: verdict.Replicable, Replicability: 0.7}, *c.claim)
	assert.Replicable(&recorder{}, c, 0.7, assert.RequiredReplicability{MaxRuns: 30})
	testify.Equal(t, verdict.Claim{Kind: verdict.Replicable, Replicability: 0.7, MaxRuns: 30},
		*c.claim)
	assert.Equivalent(&recorder{}, c, assert.Margin(0.3),
		assert.RequiredReplicability{Probability: 0.9, Repeats: 5})
	testify.Equal(t, verdict.Claim{
		Kind: verdict.Equivalent, Margin: 0.3, Repeats: 5,
		Replicability: 0.9,
	}, *c.claim)
	assert.Equivalent(&recorder{}, c, assert.Bayes(0.01, 0.95))
	testify.Equal(t, verdict.Claim{Kind: verdict.Equivalent, Rope: 0.01, Probability: 0.95}, *c.claim)
	assert.Improves(&recorder{}, c, assert.SignificanceTest(stat.MustLookup("paired-t")))
	testify.Equal(t, "paired-t", c.claim.Test.Name)
}

func TestMisusedOptionsFail(t *testing.T) {
	t.Parallel()
	c := comparison(accuracy, better)
	for _, m := range []struct {
		args []assert.Option
		text string
	}{
		{[]assert.Option{assert.Margin(0.1)}, "use a gain"},
		{[]assert.Option{assert.Alpha(0)}, "Alpha without a usable value"},
		{[]assert.Option{assert.Alpha(2)}, "significance level 2 is not between 0 and 1"},
		{
			[]assert.Option{assert.Alpha(0.2)},
			"significance level 0.2: of equal learners, that many would be shown to differ: it must be below 0.2, and 0.05 is usual",
		},
		{
			[]assert.Option{assert.Alpha(0.01), assert.Alpha(0.05)},
			"Alpha(0.01) and Alpha(0.05) in one claim: which of them counts?",
		},
		{
			[]assert.Option{assert.Margin(0.01), assert.Margin(0.3)},
			"Margin(0.01) and Margin(0.3) in one claim: which of them counts?",
		},
		{[]assert.Option{assert.Gain(-1)}, "Gain without a usable value"},
		{[]assert.Option{assert.Gain(0)}, "Gain without a usable value"}, // not the claim without one
		{[]assert.Option{assert.Margin(0)}, "Margin without a usable value"},
		{
			[]assert.Option{assert.RequiredReplicability{Repeats: 10}},
			"Replicability without a usable value",
		},
		{
			[]assert.Option{assert.Replicability(0.9), assert.Replicability(0.8)},
			"Replicability(0.9) and Replicability(0.8) in one claim: which of them counts?",
		},
		{[]assert.Option{assert.OnUnit("")}, "OnUnit without a usable value"},
		{[]assert.Option{assert.On(metric.Metric{})}, "On without a usable value"},
		{[]assert.Option{assert.On(metric.Kappa())}, "it is about kappa, the pairs are of accuracy"},
		{
			[]assert.Option{assert.RequiredReplicability{Probability: 0.9, Repeats: 1}},
			"Replicability without a usable value",
		},
		{
			[]assert.Option{assert.RequiredReplicability{Probability: 0.9, MaxRuns: -1}},
			"Replicability without a usable value",
		},
		{
			[]assert.Option{assert.RequiredReplicability{MaxRuns: 20, Strict: true}},
			"Replicability without a usable value",
		},
		{[]assert.Option{assert.Message("")}, "Message without a usable value"},
		{[]assert.Option{assert.Margin(2)}, "use a gain"},
		{[]assert.Option{assert.Gain(2)}, "0.02 is two points"},
		{[]assert.Option{assert.Replicability(0)}, "Replicability without a usable value"},
		{
			[]assert.Option{assert.SignificanceTest(stat.Test{})},
			"SignificanceTest without a usable value",
		},
		{[]assert.Option{assert.SecondOpinion(20, 40)}, "SecondOpinion without a usable value"},
		{[]assert.Option{assert.SecondOpinion(0)}, "SecondOpinion without a usable value"},
		{[]assert.Option{assert.SecondOpinion(-20)}, "SecondOpinion without a usable value"},
		{[]assert.Option{assert.Bayes(-0.01, 0.95)}, "Bayes without a usable value"},
		{[]assert.Option{assert.Bayes(0.01, 0)}, "Bayes without a usable value"},
		{[]assert.Option{assert.Bayes(0.95, 0.01)}, "posterior probability 0.01 is not between 0.5"},
		{
			[]assert.Option{assert.Bayes(0.01, 0.95), assert.Alpha(0.01)},
			"has neither a test nor a significance level",
		},
		{
			[]assert.Option{assert.Gain(0.01), assert.Bayes(0.01, 0.95)},
			"has a rope, neither a margin nor a gain",
		},
	} {
		r := &recorder{}
		testify.False(t, assert.Improves(r, c, m.args...))
		require.Len(t, r.failures, 1)
		testify.Contains(t, r.failures[0], m.text)
		testify.Contains(t, r.failures[0], "invalid")
	}
	r := &recorder{}
	testify.False(t, assert.NoRegression(r, comparison(logloss, same)))
	testify.Contains(t, r.failures[0], "needs a margin in the unit of logloss")
}

func TestFailureSaysEverythingInOrder(t *testing.T) {
	t.Parallel()
	r := &recorder{}
	assert.Improves(r, comparison(accuracy, undecided), assert.Message("release %d, 100%% sure", 7))
	testify.Equal(t, []string{
		"Claim does not hold: new is 0.20 points worse than old on mail in accuracy: inconclusive; no significant improvement",
		"accuracy       new 49.80%, old 50.00%",
		"difference     -0.20 points, 95% interval -50.25 to +49.85 points, p = 0.993",
		"test           corrected-cv-t, n = 5×2, t = -0.009039, df = 9",
		"rerun          the claim fails again with probability > 0.999; replicability > 0.999, predicted from 5 runs",
		"detectable     a difference of 69.69 points with 80% power",
		"protocol       cv runs=5 folds=2 stratified seed=1 v1",
		"data           mail, sha256 0123456789ab",
		"reproduce      go test -run '^TestMail$' ./mail",
		"help           with these data the test finds a difference of 69.69 points in 80% of cases, and smaller ones less often",
		"Messages:   \trelease 7, 100% sure",
	}, message(t, r))
}

// message returns the lines of the only failure.
func message(t *testing.T, r *recorder) []string {
	t.Helper()
	require.Len(t, r.failures, 1)
	_, text, ok := strings.Cut(r.failures[0], "Error:")
	require.True(t, ok, "testify's layout")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return lines
}

func TestHeldClaimIsLogged(t *testing.T) {
	t.Parallel()
	r := &recorder{}
	assert.Improves(r, comparison(accuracy, better))
	require.Len(t, r.logs, 1)
	testify.Contains(t, r.logs[0],
		"new is 20.00 points better than old on mail in accuracy: holds on this data set\n")
	testify.Contains(t, r.logs[0], "reproduce")
}

// A recorder that can be ended.
type endable struct {
	recorder
	ended bool
}

func (e *endable) FailNow() { e.ended = true }

func TestFailNowEndsTheTest(t *testing.T) {
	t.Parallel()
	e := &endable{}
	testify.False(t, assert.Improves(e, comparison(accuracy, worse), assert.FailNow()))
	testify.True(t, e.ended)
	e = &endable{}
	testify.False(t, assert.Improves(e, comparison(accuracy, worse)))
	testify.False(t, e.ended)
	e = &endable{}
	testify.True(t, assert.Improves(e, comparison(accuracy, better), assert.FailNow()))
	testify.False(t, e.ended)
}

// Whoever has no verdict has not shown anything.
func TestNoVerdictIsNoPass(t *testing.T) {
	t.Parallel()
	r := &recorder{}
	testify.False(t, assert.Improves(r, nothing{}))
	require.Len(t, r.failures, 1)
	testify.Contains(t, r.failures[0], "Claim does not hold: there is nothing that it is about")
}

type nothing struct{}

func (nothing) Verdicts(verdict.Claim) []verdict.Verdict { return nil }

// together is a comparison of two learners of one run.
type together struct{ stored }

func (c together) Verdicts(claim verdict.Claim) []verdict.Verdict {
	v := c.judge(claim)
	v.BaselineHeader = v.CandidateHeader
	return []verdict.Verdict{v}
}

// The first line names learners with equal scores, and is printed where a passing test logs
// nothing.
func TestLearnersThatBehaveTheSame(t *testing.T) {
	stdout := os.Stdout
	defer func() { os.Stdout = stdout }()
	printed := func(c assert.Comparison, claim func(assert.TestingT, assert.Comparison,
		...assert.Option) bool, options ...assert.Option,
	) (*recorder, string) {
		in, out, err := os.Pipe()
		require.NoError(t, err)
		os.Stdout = out
		r := &recorder{}
		claim(r, c, options...)
		require.NoError(t, out.Close())
		text, err := io.ReadAll(in)
		require.NoError(t, err)
		return r, string(text)
	}
	r, text := printed(comparison(accuracy, same), assert.Improves)
	testify.Empty(t, text)
	require.Len(t, r.failures, 1)
	testify.Contains(t, r.failures[0],
		"Claim does not hold: new is on a par with old on mail in accuracy: equivalent; no significant improvement; both have the same accuracy in every fold\n")
	r, text = printed(comparison(accuracy, same), assert.NoRegression, assert.Margin(0.3))
	testify.Empty(t, text, "of two files")
	testify.Len(t, r.logs, 1)
	r, text = printed(together{comparison(accuracy, same)}, assert.NoRegression, assert.Margin(0.3))
	testify.Empty(t, r.failures)
	first := "new is on a par with old on mail in accuracy, 30.00 points allowed: holds; both have the same accuracy in every fold\n"
	require.Len(t, r.logs, 1)
	testify.Contains(t, r.logs[0], first)
	if testing.Verbose() {
		first = ""
	}
	testify.Equal(t, first, text)
	_, text = printed(together{comparison(accuracy, better)}, assert.NoRegression, assert.Margin(0.3))
	testify.Empty(t, text)
}
