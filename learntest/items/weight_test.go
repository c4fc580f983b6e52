package items

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/require"
)

// inClusters is a suite in which all but the first 20 questions are about one topic.
func inClusters(n int) Suite[question] {
	s := questions(n)
	for i := range s.cases {
		s.cases[i].Topic = s.cases[min(i, 20)].ID
	}
	return New("faq", s.cases, func(q question) Item { return Item{ID: q.ID, Cluster: q.Topic} })
}

// The weight is stored with the answers, and judges a file that is read back alike. Another one is
// refused before anything is asked.
func TestWeights(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.txt")
	equally := Config{Weight: ByCluster}
	r := update(t, equally, inClusters(60), upTo("agent", 60, nil), path)
	require.Empty(t, r.errors)
	require.Empty(t, r.fatal)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "\nWeight: cluster\n")

	c := Against(&recorder{T: t}, equally, inClusters(60), upTo("agent", 20, nil), path)
	v := judge(t, c, verdict.Claim{})
	require.NoError(t, v.Err)
	require.InDelta(t, -1./21, v.Estimate, 1e-12)
	require.Contains(t, v.String(), "60 items in 21 clusters that weigh equally")

	// A file with both sides has the identical verdict.
	out := filepath.Join(t.TempDir(), "out.txt")
	t.Setenv("LEARNTEST_OUT", out)
	both := &recorder{T: t}
	v = judge(t, Compare(both, equally, inClusters(60), upTo("agent", 20, nil), upTo("old", 60, nil)),
		verdict.Claim{})
	require.Empty(t, both.fatal)
	both.end()
	t.Setenv("LEARNTEST_OUT", "")
	f, err := record.Open(out)
	require.NoError(t, err)
	stored := verdict.Of(f.Of("faq", "agent"), f.Of("faq", "old"), verdict.Claim{})
	require.Equal(t, v.String(), stored.String())

	var calls atomic.Int64
	r = &recorder{T: t}
	Against(r, Config{}, inClusters(60), upTo("agent", 20, &calls), path)
	require.Contains(t, r.fatal, "the weights differ: items weigh equally in the suite, and clusters in the baseline, which are two questions; if that is meant, LEARNTEST_UPDATE=1")
	require.Zero(t, calls.Load())
}

func TestWeightsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct {
		cfg   Config
		suite Suite[question]
		msg   string
	}{
		{
			Config{Weight: ByCluster},
			questions(60),
			"Config.Weight is ByCluster, and no item of faq has a Cluster: set these, or leave Weight out",
		},
		{Config{Weight: itemwise.Weight(7)}, inClusters(60), "Weight 7 is none"},
	} {
		r := &recorder{T: t}
		Compare(r, c.cfg, c.suite, upTo("agent", 20, nil), upTo("old", 60, nil))
		require.Contains(t, r.fatal, c.msg)
	}
}

// A test that the items or the repeats rule out is refused before anything is asked.
func TestNamedTests(t *testing.T) {
	for name, c := range map[string]struct {
		cfg   Config
		suite Suite[question]
		test  string
		msg   string
	}{
		"repeats":  {Config{Repeats: 2}, questions(60), "mcnemar", "mcnemar takes one answer to an item"},
		"clusters": {Config{}, inClusters(60), "mcnemar", "these are in 21 clusters"},
		"few":      {Config{}, inClusters(25), "cluster-flip", ""},
		"folds":    {Config{}, questions(60), "paired-t", "items are judged by items-t, the default"},
	} {
		r := &recorder{T: t}
		var calls atomic.Int64
		v := judge(t, Compare(r, c.cfg, c.suite, upTo("agent", 10, &calls), upTo("old", 60, nil)),
			verdict.Claim{Test: stat.MustLookup(c.test)})
		if c.msg == "" {
			require.NoError(t, v.Err, name)
			require.Equal(t, c.test, v.Difference.Result.Test)
			continue
		}
		require.ErrorContains(t, v.Err, c.msg, name)
		require.Zero(t, calls.Load(), name)
	}
}

// -short may leave too few clusters of a suite that has enough: the claim is not judged, and
// nothing is asked.
func TestShortLeavesFewClusters(t *testing.T) {
	suite := questions(400)
	for i := range suite.cases {
		suite.cases[i].Topic = suite.cases[min(i, 8)].ID
	}
	suite = New("faq", suite.cases, func(q question) Item { return Item{ID: q.ID, Cluster: q.Topic} })
	for _, claim := range []verdict.Claim{{}, {Test: stat.MustLookup("cluster-flip")}} {
		full := judge(t, Compare(&recorder{T: t}, Config{}, suite, upTo("agent", 200, nil),
			upTo("old", 400, nil)), claim)
		require.NoError(t, full.Err)
		var calls atomic.Int64
		short(t)
		v := judge(t, Compare(&recorder{T: t}, Config{}, suite, upTo("agent", 200, &calls),
			upTo("old", 400, nil)), claim)
		isShort = func() bool { return false }
		require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
		require.ErrorContains(t, v.Err, "-short asks 40 of 400 items, in ")
		require.Zero(t, calls.Load())
	}
}

// -short judges by the test that a claim names, and a claim that makes no sense stays one with five
// clusters.
func TestShortKeepsTheTest(t *testing.T) {
	short(t)
	v := judge(t, Compare(&recorder{T: t}, Config{}, questions(400), upTo("agent", 0, nil),
		upTo("old", 400, nil)), verdict.Claim{Test: stat.MustLookup("mcnemar")})
	require.Equal(t, verdict.Regressed, v.Outcome)
	require.Equal(t, "mcnemar", v.Difference.Result.Test)

	suite := questions(400)
	for i := range suite.cases {
		suite.cases[i].Topic = suite.cases[i%5].ID
	}
	suite = New("faq", suite.cases, func(q question) Item { return Item{ID: q.ID, Cluster: q.Topic} })
	v = judge(t, Compare(&recorder{T: t}, Config{}, suite, upTo("agent", 0, nil),
		upTo("old", 400, nil)), verdict.Claim{Kind: verdict.Improves, Replicability: 0.9})
	require.ErrorIs(t, v.Err, verdict.ErrClaim)

	suite.cases[399].Topic = "alone" // which a tenth leaves out
	suite = New("faq", suite.cases, func(q question) Item { return Item{ID: q.ID, Cluster: q.Topic} })
	v = judge(t, Compare(&recorder{T: t}, Config{}, suite, upTo("agent", 0, nil),
		upTo("old", 400, nil)), verdict.Claim{Test: stat.MustLookup("cluster-flip")})
	require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
	require.ErrorContains(t, v.Err, "in 5 clusters, too few for a test")
}
