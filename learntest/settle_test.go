package learntest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// countingFits returns the learner, and counts its trainings.
func countingFits(l Learner[int, bool]) (Learner[int, bool], *atomic.Int64) {
	fits, n := l.Fit, new(atomic.Int64)
	l.Fit = func(ctx context.Context, s Sample[int, bool], seed uint64) (Model[int, bool], error) {
		n.Add(1)
		return fits(ctx, s, seed)
	}
	return l, n
}

// runsOf returns how many runs of ten folds there are of each learner.
func runsOf(c *Comparison, learners int) float64 {
	return float64(c.Records().Blocks()[0].Len()) / float64(10*learners)
}

var settled = Config{Settle: 0.01}

func TestSettledClaimTrainsTheFirstRunsOnly(t *testing.T) {
	candidate, fits := countingFits(knows("better", 0.95))
	r := newRecorder(t)
	c := CompareWith(r, settled, numbers(200), candidate, knows("worse.", 0.6))
	require.Empty(t, r.fatal)
	assert.Equal(t, 2.0, runsOf(c, 2), "nothing is settled before a claim")
	assert.Equal(t, []string{"settle 0.01: 20 of 100 trainings a learner before any claim; each claim trains as many more as it takes"}, r.logs)
	v := c.Judge(verdict.Claim{Kind: verdict.Improves})
	assert.True(t, v.Holds)
	require.NotNil(t, v.Settled)
	assert.Equal(t, 2, v.Settled.After)
	assert.Equal(t, 10, v.Settled.Runs)
	assert.LessOrEqual(t, fits.Load(), int64(20+2), "and a few cells again")
	r.end()
	assert.Empty(t, r.errors)
	assert.Contains(t, strings.Join(r.logs, "\n"),
		"better vs worse. on numbers: settled after 2 of 10 runs")
	assert.Equal(t, "improved", r.attrs["learntest.1.verdict"])
}

// The verdicts agree with the verdicts of all runs. They depend neither on the order of claims, nor
// on other claims.
func TestLaterClaimsTrainOnAndChangeNoVerdict(t *testing.T) {
	list := []verdict.Claim{
		{Kind: verdict.Improves},
		{Kind: verdict.NoRegression, Margin: 0.02},
		{Kind: verdict.Improves, Gain: 0.25},
		{Kind: verdict.Improves, Gain: 0.3, AllRuns: true},
	}
	compare := func(cfg Config) *Comparison {
		return CompareWith(newRecorder(t), cfg, numbers(200), knows("better", 0.95), knows("worse.", 0.6))
	}
	c, whole := compare(settled), compare(Config{})
	require.Equal(t, 10.0, runsOf(whole, 2))
	last, trained := 0.0, make(map[float64]bool)
	var texts []string
	for _, claim := range list {
		v := c.Judge(claim)
		assert.Equal(t, whole.Judge(claim).Holds, v.Holds, "%+v", claim)
		assert.GreaterOrEqual(t, runsOf(c, 2), last)
		last = runsOf(c, 2)
		trained[last] = true
		texts = append(texts, v.String())
	}
	assert.Equal(t, 10.0, last)
	assert.Len(t, trained, 3, "%v", trained)
	for i, claim := range list { // when all runs are there, and alone
		assert.Equal(t, texts[i], c.Judge(claim).String())
		assert.Equal(t, texts[i], compare(settled).Judge(claim).String())
	}
}

func TestSettledCandidatesTrainOnApart(t *testing.T) {
	r := newRecorder(t)
	cs := CompareAll(r, settled, numbers(200), knows("worse.", 0.6), knows("better", 0.95),
		knows("equal", 0.6))
	clear, close := cs[0].Judge(verdict.Claim{}), cs[1].Judge(verdict.Claim{})
	assert.Equal(t, 2, clear.Settled.After)
	assert.Greater(t, close.Settled.After, 2)
	n := 0
	for trial := range cs[0].Records().Blocks()[0].Trials() {
		if trial.Learner == "better" {
			n++
		}
	}
	assert.Equal(t, 20, n, "the learner of the settled comparison is not run on")
	r.end()
	assert.Contains(t, strings.Join(r.logs, "\n"),
		"better vs worse. on numbers: settled after 2 of 10 runs")
}

// Whoever looks at the results beside claims has all runs, and the test says why.
func TestWhatTakesAllRunsTrainsThem(t *testing.T) {
	for why, cfg := range map[string]Config{
		"a shard trains its part": {Results: Results{
			Out:   filepath.Join(t.TempDir(), "new.txt"),
			Shard: split.Shard{Index: 1, Count: 1},
		}},
		"nothing is claimed":            {NoClaim: true},
		"their predictions are wanted":  {Predicted: func(record.Cell, []int, *metric.Predictions) {}},
		"(Repeats, MinRuns)":            {MinRuns: 11},
		"2 are too few to stop earlier": {Protocol: split.CV(2, 10)},
		"has nothing random":            {Protocol: split.LeaveOneOut()},
	} {
		cfg.Settle = 0.01
		r := newRecorder(t)
		c := CompareWith(r, cfg, numbers(100), knows("better", 0.95), knows("worse.", 0.6))
		require.Empty(t, r.fatal, why)
		assert.Contains(t, r.logs[0], why)
		assert.Contains(t, r.logs[0], "runs are run, although claims may be settled by fewer (Settle 0.01): ")
		all := c.Records().Blocks()[0]
		assert.NoError(t, all.Check(), why)
		if cfg.Results.Shard.Count == 0 {
			assert.Nil(t, c.Judge(verdict.Claim{}).Settled, why)
		}
	}
}

func TestSettleOfTheEnvironment(t *testing.T) {
	t.Setenv(envSettle, "0.01")
	c := Compare(newRecorder(t), numbers(200), knows("better", 0.95), knows("worse.", 0.6))
	v := c.Judge(verdict.Claim{Kind: verdict.Improves})
	assert.Equal(t, 2, v.Settled.After)
	assert.NotContains(t, v.CandidateHeader.Reproduce, envSettle, "the command trains all runs")
	for _, value := range []string{"0", "1", "0.06", "-0.01", "NaN", "on"} {
		t.Setenv(envSettle, value)
		r := newRecorder(t)
		Compare(r, numbers(200), knows("better", 0.95), knows("worse.", 0.6))
		assert.Contains(t, r.fatal, "environment variable LEARNTEST_SETTLE="+value, value)
	}
	t.Setenv(envSettle, "off")
	whole := CompareWith(newRecorder(t), settled, numbers(200), knows("better", 0.95),
		knows("worse.", 0.6))
	assert.Nil(t, whole.Judge(verdict.Claim{}).Settled, "the environment counts")
	assert.Equal(t, 10.0, runsOf(whole, 2))
	t.Setenv(envSettle, "")
	r := newRecorder(t)
	CompareWith(r, Config{Settle: 0.5}, numbers(200), knows("better", 0.95), knows("worse.", 0.6))
	assert.Contains(t, r.fatal, "invalid configuration: Settle: ")
	assert.Contains(t, r.fatal, "it is above 0 and at most 0.05")
}

func TestSettledAgainstABaseline(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	t.Setenv(envUpdate, "force")
	t.Setenv(envSettle, "0.01")
	r := newRecorder(t)
	Against(r, numbers(200), knows("model", 0.8), path)
	assert.Contains(t, strings.Join(r.logs, "\n"),
		"all 10 runs are run, although claims may be settled by fewer (Settle 0.01): a baseline is made of them")
	f, err := record.Open(path)
	require.NoError(t, err)
	require.NoError(t, f.Check())
	t.Setenv(envUpdate, "")

	worse := Against(newRecorder(t), numbers(200), knows("model", 0.5), path)
	v := worse.Judge(verdict.Claim{Kind: verdict.NoRegression, Margin: 0.02})
	assert.False(t, v.Holds)
	assert.Equal(t, verdict.Regressed, v.Outcome)
	assert.Equal(t, 2, v.Settled.After)
	assert.Equal(t, 2.0, runsOf(worse, 1))

	// The same program with the same scores need not be trained to the end.
	same := Against(newRecorder(t), numbers(200), knows("model", 0.8), path)
	v = same.Judge(verdict.Claim{Kind: verdict.NoRegression, Margin: 0.001})
	assert.True(t, v.Holds && v.Unchanged, v.Reason)
	assert.Equal(t, 2, v.Settled.After)
	assert.Equal(t, 2.0, runsOf(same, 1))

	// Another program with the same scores is.
	f, err = record.Open(path)
	require.NoError(t, err)
	b := f.Blocks()[0].Clone()
	b.Header.Binary = ""
	var text bytes.Buffer
	require.NoError(t, record.Write(&text, b))
	require.NoError(t, os.WriteFile(path, text.Bytes(), 0o666))
	same = Against(newRecorder(t), numbers(200), knows("model", 0.8), path)
	v = same.Judge(verdict.Claim{Kind: verdict.NoRegression, Margin: 0.05})
	require.NotNil(t, v.Settled, v.Reason)
	assert.Equal(t, 10, v.Settled.After)
	assert.Equal(t, 10.0, runsOf(same, 1))
}

func TestSettledClaimFailsWithAFailedTrial(t *testing.T) {
	var fits atomic.Int64
	bad := knows("better", 0.95)
	fit := bad.Fit
	bad.Fit = func(ctx context.Context, s Sample[int, bool], seed uint64) (Model[int, bool], error) {
		if fits.Add(1) == 15 {
			return Model[int, bool]{}, errNoModel
		}
		return fit(ctx, s, seed)
	}
	r := newRecorder(t)
	c := CompareWith(r, settled, numbers(200), bad, knows("worse.", 0.6))
	require.NotEmpty(t, r.errors)
	v := c.Judge(verdict.Claim{Kind: verdict.Improves})
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.False(t, v.Holds)
	assert.Nil(t, v.Settled)
}

func TestRunAndJudgeTrainsUntilAllIsSettled(t *testing.T) {
	learners := []Learner[int, bool]{knows("better", 0.95), knows("worse.", 0.6), knows("equal", 0.95)}
	data := []Data[int, bool]{numbers(200)}
	f, vs, err := RunAndJudge(t.Context(), data, learners, settled, verdict.Claim{})
	require.NoError(t, err)
	require.Len(t, vs, 2)
	assert.Equal(t, 2, vs[0].Settled.After)
	assert.Greater(t, vs[1].Settled.After, 2)
	_, whole, err := RunAndJudge(t.Context(), data, learners, Config{}, verdict.Claim{})
	require.NoError(t, err)
	for i := range vs {
		assert.Equal(t, whole[i].Outcome, vs[i].Outcome)
	}
	runs := 10 * (vs[0].Settled.After + 2*vs[1].Settled.After)
	assert.Equal(t, runs, f.Blocks()[0].Len())
	_, vs, err = RunAndJudge(t.Context(), data, learners[:2], settled, verdict.Claim{Halvings: 5})
	require.NoError(t, err)
	assert.NotNil(t, vs[0].Second)
	assert.Equal(t, 10, vs[0].Runs)

	repeated := settled
	repeated.Repeats = 2
	f, vs, err = RunAndJudge(t.Context(), data, learners[:2], repeated, verdict.Claim{Repeats: 2})
	require.NoError(t, err)
	assert.Equal(t, 2*20*10, f.Blocks()[0].Len())
	assert.Equal(t, 2, vs[0].Rerun.Repeats)

	stored := settled
	stored.Results.Out = filepath.Join(t.TempDir(), "new.txt")
	_, vs, err = RunAndJudge(t.Context(), data, learners, stored, verdict.Claim{})
	require.NoError(t, err)
	f, err = record.Open(stored.Results.Out)
	require.NoError(t, err)
	require.NoError(t, f.CheckStopped())
	requireStops(t, f, map[string]int{
		"better": vs[1].Settled.After, "worse.": 2,
		"equal": vs[1].Settled.After,
	})
	stored.Results.Shard = split.Shard{Index: 1, Count: 2}
	_, _, err = RunAndJudge(t.Context(), data, learners, stored, verdict.Claim{})
	require.ErrorIs(t, err, ErrConfig)
	require.ErrorContains(t, err, "Settle, and results that are taken from files, or belong to a shard (Results.In, Shard), exclude each other")
	_, err = Run(t.Context(), data, learners, settled)
	require.ErrorContains(t, err, "Settle 0.01 without a claim that the first runs could settle")
}
