package verdict

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// unequal puts each of the first items into a cluster of its own name, and all others into one.
func unequal(i int) string { return fmt.Sprint("doc", min(i, 20)) }

// byCluster are the pairs with clusters that weigh equally.
func byCluster(p *record.Pairs) *record.Pairs {
	q := *p
	a, b := *p.CandidateHeader, *p.BaselineHeader
	a.Weight, b.Weight = record.ByCluster, record.ByCluster
	q.CandidateHeader, q.BaselineHeader = &a, &b
	return &q
}

// A cluster of 80 items all of which get worse is one cluster of 21 where clusters weigh equally,
// and a disaster by items.
func TestClustersThatWeighEqually(t *testing.T) {
	t.Parallel()
	p := onItems(correct, 100, 1, unequal, below(20), constant(1))
	v := Judge(byCluster(p), Claim{Kind: NoRegression, Margin: 0.3})
	require.NoError(t, v.Err)
	require.InDelta(t, -1./21, v.Estimate, 1e-12)
	require.InDelta(t, 20./21, v.CandidateMean, 1e-12)
	require.InDelta(t, v.Estimate, v.CandidateMean-v.BaselineMean, 1e-12)
	require.True(t, v.Holds)
	require.Contains(t, v.String(), "items-t, 100 items in 21 clusters that weigh equally, t = ")
	byItem := Judge(p, Claim{Kind: Improves})
	require.NoError(t, byItem.Err)
	require.InDelta(t, -0.8, byItem.Estimate, 1e-12)
	require.False(t, byItem.Holds)
	require.NotContains(t, byItem.String(), "weigh equally")

	// As if the mean of each cluster were an item.
	alone := Judge(onItems(correct, 21, 1, nil, below(20), constant(1)),
		Claim{Kind: NoRegression, Margin: 0.3})
	require.InDelta(t, alone.Above.P, v.Above.P, 1e-12)
	require.InDelta(t, alone.Above.Lo, v.Above.Lo, 1e-9)

	few := Judge(byCluster(p), Claim{Kind: NoRegression, Margin: 0.05})
	require.Contains(t, few.Reason,
		"100 items in 21 clusters that weigh equally cannot show a loss below")
	note, err := Claim{Kind: NoRegression, Margin: 0.05}.ForItems(byCluster(p).CandidateHeader,
		correct, p.Items.Items)
	require.NoError(t, err)
	require.Contains(t, few.Reason, note)

	var facts struct{ Items struct{ Weight string } }
	text, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &facts))
	require.Equal(t, "cluster", facts.Items.Weight)
	f := v.Facts()
	require.Equal(t, "100 items in 21 clusters that weigh equally", f.Size())
	text, err = json.Marshal(byItem)
	require.NoError(t, err)
	require.NotContains(t, string(text), `"weight"`)
}

// Costs weigh as scores do.
func TestCostsOfClustersThatWeighEqually(t *testing.T) {
	t.Parallel()
	dear := func(i, _ int) float64 { return 1 + float64(i%3)/10 + float64(min(i, 20)/20)*9 }
	p := onItems(usd, 100, 1, unequal, dear, func(i, _ int) float64 { return 1 + float64(i%5)/10 })
	byItem, weighted := Judge(p, spends(3)), Judge(byCluster(p), spends(3))
	require.NoError(t, byItem.Err)
	require.NoError(t, weighted.Err)
	require.Greater(t, byItem.Costs.Ratio, 5.)
	require.Less(t, weighted.Costs.Ratio, 1.6)
	require.InDelta(t, weighted.Costs.Ratio, weighted.CandidateMean/weighted.BaselineMean, 1e-12)
	require.True(t, weighted.Holds)
	require.False(t, byItem.Holds)
	require.Contains(t, weighted.String(), "(means of 100 items in 21 clusters that weigh equally)")
}

// Flips of clusters judge differences, in either direction and one-sided, and say where their p
// comes from.
func TestClusterFlips(t *testing.T) {
	t.Parallel()
	flip := stat.MustLookup("cluster-flip")
	eight := func(i int) string { return fmt.Sprint(i % 8) }
	p := onItems(correct, 80, 1, eight, below(64), constant(1))
	v := Judge(p, Claim{Test: flip})
	require.Equal(t, Regressed, v.Outcome, v.Reason)
	require.InDelta(t, 2./256, v.Difference.P, 0)
	require.True(t, math.IsNaN(v.Difference.Lo))
	require.True(t, math.IsNaN(v.Detectable))
	require.Contains(t, v.String(),
		"  test           cluster-flip, 80 items in 8 clusters, exact (largest cluster 12% of the items, icc 0.00)\n")
	require.InDelta(t, 2./256, LeastP(&v, stat.TwoSided), 0)
	require.InDelta(t, 1./256, LeastP(&v, stat.Greater), 0)
	require.Equal(t, v.Difference.P, Judge(p, v.Claim).Difference.P, "a verdict's claim is one")
	require.False(t, Judge(p, Claim{Kind: Improves, Test: flip}).Holds)
	up := onItems(correct, 80, 1, eight, constant(1), below(64))
	one := Judge(up, Claim{Kind: Improves, OneSided: true, Test: flip})
	require.True(t, one.Holds)
	require.InDelta(t, 1./256, one.Decision.P, 0)

	many := onItems(correct, 80, 1, nil, below(64), constant(1))
	v = Judge(many, Claim{Test: flip})
	require.Contains(t, v.String(), "cluster-flip, 80 items, p from random changes of signs, ± ")
	require.InDelta(t, 1./100001, LeastP(&v, stat.TwoSided), 0)
	require.GreaterOrEqual(t, v.Difference.P, LeastP(&v, stat.TwoSided))
	require.Equal(t, v.Difference.P, Judge(many, Claim{Test: flip}).Difference.P)

	// The answers of the weights differ.
	q := onItems(correct, 100, 1, unequal, below(15),
		func(i, _ int) float64 { return float64(min(i, 20) / 20) })
	require.NotEqual(t, Judge(q, Claim{Test: flip}).Difference.P,
		Judge(byCluster(q), Claim{Test: flip}).Difference.P)
}

// Six clusters are the fewest of which a result can be significant, and nothing that flips cannot
// show is promised.
func TestClaimsThatTestsOfItemsRefuse(t *testing.T) {
	t.Parallel()
	flip, exact := stat.MustLookup("cluster-flip"), stat.MustLookup("mcnemar")
	groups := func(n int) func(int) string { return func(i int) string { return fmt.Sprint(i % n) } }
	p := func(cluster func(int) string, repeats int) *record.Pairs {
		return onItems(correct, 60, repeats, cluster, below(30), below(40))
	}
	half := onItems(correct, 60, 1, nil, below(30), constant(0.5))
	for name, c := range map[string]struct {
		p     *record.Pairs
		claim Claim
		msg   string
	}{
		"five clusters": {
			p(groups(5), 1),
			Claim{Test: flip},
			"5 clusters of items: cluster-flip takes at least 6, since no p of 5 is below 0.05",
		},
		"flip, margin": {
			p(groups(6), 1),
			Claim{Kind: NoRegression, Margin: 0.5, Test: flip},
			"cluster-flip tells whether two systems differ, and holds no margin and no gain: leave the test out, which then is items-t",
		},
		"flip, default": {
			p(groups(6), 1),
			Claim{Kind: NoRegression, Test: flip},
			"holds no margin and no gain",
		},
		"flip, within": {
			p(groups(6), 1),
			Claim{Margin: 0.5, Test: flip},
			"holds no margin and no gain",
		},
		"flip, gain": {
			p(groups(6), 1),
			Claim{Kind: Improves, Gain: 0.01, Test: flip},
			"holds no margin and no gain",
		},
		"flip, equal": {
			p(groups(6), 1),
			Claim{Kind: Equivalent, Margin: 0.5, Test: flip},
			"holds no margin and no gain",
		},
		"flip, unbeaten": {
			p(groups(6), 1),
			Claim{Kind: Unbeaten, Alpha: 0.02, Test: flip},
			"no result of cluster-flip on 60 items in 6 clusters has a p of 0.02 or less",
		},
		"mcnemar cluster": {
			p(groups(6), 1),
			Claim{Test: exact},
			"mcnemar takes items on their own, and these are in 6 clusters",
		},
		"mcnemar repeats": {
			p(nil, 3),
			Claim{Test: exact},
			`mcnemar takes one answer to an item, and "items repeats=3 v1" has 3`,
		},
		"mcnemar margin": {
			p(nil, 1),
			Claim{Kind: NoRegression, Margin: 0.5, Test: exact},
			"mcnemar tells whether two systems differ",
		},
		"mcnemar graded": {
			half,
			Claim{Test: exact},
			"mcnemar takes scores of 0 and 1, and before has 0.5 on q0000",
		},
		"folds": {
			p(nil, 1),
			Claim{Test: stat.MustLookup("paired-t")},
			"the test paired-t is for folds of random partitions: items are judged by items-t, the default, cluster-flip or mcnemar",
		},
	} {
		v := Judge(c.p, c.claim)
		require.Equal(t, Invalid, v.Outcome, name)
		require.ErrorIs(t, v.Err, ErrClaim, name)
		require.ErrorContains(t, v.Err, c.msg, name)
		if name == "mcnemar graded" || name == "flip, unbeaten" { // which the answers tell
			continue
		}
		_, err := c.claim.ForItems(c.p.CandidateHeader, correct, c.p.Items.Items)
		require.Equal(t, v.Err.Error(), err.Error(), name)
	}
	margins := unit.Margins{}
	require.NoError(t, margins.Set("5%"))
	v := Judge(p(groups(6), 1), Claim{Kind: NoRegression, Margins: margins, Test: flip})
	require.ErrorContains(t, v.Err, "holds no margin")
	_, err := Claim{Kind: NoRegression, Margins: margins, Test: flip}.ForItems(v.CandidateHeader,
		correct, p(groups(6), 1).Items.Items)
	require.ErrorContains(t, err, "holds no margin", "before anything is asked")
	thrice := *p(nil, 1) // on the baseline's side alone, with equal scores
	thrice.BaselineHeader = p(nil, 3).BaselineHeader
	require.ErrorContains(t, Judge(&thrice, Claim{Test: exact}).Err,
		"mcnemar takes one answer to an item")
	for _, test := range []stat.Test{flip, exact} { // nor are folds flipped
		v := Judge(pairs(accuracy, 1, 0.01, 0.03), Claim{Test: test})
		require.Equal(t, Invalid, v.Outcome)
		require.ErrorContains(t, v.Err,
			test.Name+" is a test of fixed systems on items, and not of folds")
	}
}

// McNemar's exact test on request: 6 items of 100 get worse, and none better.
func TestMcNemarOnRequest(t *testing.T) {
	t.Parallel()
	v := Judge(onItems(correct, 100, 1, nil, below(74), below(80)),
		Claim{Test: stat.MustLookup("mcnemar")})
	require.Equal(t, Regressed, v.Outcome, v.Reason)
	require.InDelta(t, 2./64, v.Difference.P, 1e-15)
	require.InDelta(t, -0.06, v.Estimate, 1e-12)
	require.Contains(t, v.String(), "  test           mcnemar, 100 items, exact\n")
	require.InDelta(t, math.Ldexp(2, -100), LeastP(&v, stat.TwoSided), 0)
	lower := correct
	lower.Name, lower.Better = "wrong", unit.Lower
	w := Judge(onItems(lower, 100, 1, nil, below(80), below(74)),
		Claim{Test: stat.MustLookup("mcnemar")})
	require.Equal(t, Regressed, w.Outcome)
	require.Equal(t, v.Difference.P, w.Difference.P)
	same := Judge(onItems(correct, 100, 1, nil, below(80), below(80)),
		Claim{Test: stat.MustLookup("mcnemar")})
	require.Equal(t, Same, same.Outcome)
}

// Without clusters, both weights are one, and nothing speaks of clusters.
func TestWeightsWithoutClusters(t *testing.T) {
	t.Parallel()
	p := onItems(correct, 50, 1, nil, below(30), below(40))
	one, two := Judge(p, Claim{}), Judge(byCluster(p), Claim{})
	require.Equal(t, one.String(), two.String())
	text, err := json.Marshal(two)
	require.NoError(t, err)
	require.NotContains(t, string(text), `"weight"`)
}

// Where the repeats of an item vary more than the differences between items, more of them promise
// nothing.
func TestMoreRepeatsNeverWidenTheInterval(t *testing.T) {
	t.Parallel()
	p := onItems(correct, 20, 2, nil,
		func(i, repeat int) float64 { return float64(max(repeat%2, (20-i)/20)) },
		func(i, repeat int) float64 { return float64(min((repeat+1)%2, i)) })
	require.Contains(t, Judge(p, Claim{}).String(), ": 10 repeats would narrow the interval by 0%, ")
}
