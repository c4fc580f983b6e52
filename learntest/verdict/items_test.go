package verdict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

var (
	correct = unit.Unit{Name: "correct", Better: unit.Higher, Min: 0, Max: 1, Mean: true}
	usd     = unit.Unit{Name: "usd", Better: unit.Lower, Min: 0, Max: math.Inf(1)}
)

// onItems are pairs of n items, with the scores of each repeat: of the candidate and of the
// baseline. The cluster of an item is empty if cluster is nil.
func onItems(u unit.Unit, n, repeats int, cluster func(int) string, candidate,
	baseline func(item, repeat int) float64,
) *record.Pairs {
	h := &record.Header{Data: "faq", Protocol: record.ItemsProtocol(repeats)}
	var items []record.Item
	for i := range n {
		it := record.Item{ID: fmt.Sprintf("q%04d", i), Content: "01234567"}
		if cluster != nil {
			it.Cluster = cluster(i)
		}
		items = append(items, it)
	}
	if err := h.SetItems(items); err != nil {
		panic(err)
	}
	b, err := record.NewBlock(*h, []string{"now", "before"}, []unit.Unit{u}, 0)
	if err != nil {
		panic(err)
	}
	for i := range n {
		for repeat := 1; repeat <= repeats; repeat++ {
			for l, score := range []func(int, int) float64{candidate, baseline} {
				t := record.Trial{
					Data: "faq", Learner: b.Learners[l], Run: repeat, Fold: i + 1, TestN: 1,
					Values: []float64{score(i, repeat)},
				}
				if err := b.Add(t); err != nil {
					panic(err)
				}
			}
		}
	}
	f := record.NewFile(b)
	p, err := record.Pair(f.Of("faq", "now"), f.Of("faq", "before"), u.Name)
	if err != nil {
		panic(err)
	}
	return p
}

func constant(x float64) func(int, int) float64 { return func(int, int) float64 { return x } }

// below is right on the first items, and wrong on the others.
func below(n int) func(int, int) float64 {
	return func(i, _ int) float64 {
		if i < n {
			return 1
		}
		return 0
	}
}

// Without clusters and without a margin the test is the paired t test. R 4.2.2 has the reference
// numbers, t.test(c(rep(-1, 6), rep(0, 94))).
func TestItemsAreJudgedByThePairedTest(t *testing.T) {
	t.Parallel()
	p := onItems(correct, 100, 1, nil, below(74), below(80))
	v := Judge(p, Claim{})
	require.Equal(t, Regressed, v.Outcome, v.Reason)
	require.InDelta(t, -2.513791745, v.Difference.Result.Statistic, 5e-10)
	require.InDelta(t, 99, v.Difference.Result.DF, 1e-9)
	require.InDelta(t, 0.013556759, v.Difference.P, 5e-10)
	require.InDelta(t, -0.06, v.Estimate, 1e-12)
	require.InDelta(t, 0.74, v.CandidateMean, 1e-12)
	require.Nil(t, v.Rerun)
	require.Empty(t, v.Warnings)
	require.Equal(t, []int{0, 6, 94}, []int{v.Items.Better, v.Items.Worse, v.Items.Same})
	text := v.String()
	require.Contains(t, text, "  test           items-t, 100 items, t = -2.514, df = 99\n")
	require.Contains(t, text, "  items          0 better, 6 worse, 94 equal; worst: q0074 (1/1 to 0/1), q0075 (1/1 to 0/1), q0076 (1/1 to 0/1) and 3 more\n")
	require.NotContains(t, text, "fold")
	require.NotContains(t, text, "rerun")

	swapped := Judge(onItems(correct, 100, 1, nil, below(80), below(74)), Claim{})
	require.Equal(t, Improved, swapped.Outcome)
	require.Equal(t, v.Difference.P, swapped.Difference.P)

	lower := correct
	lower.Name, lower.Better = "wrong", unit.Lower
	v = Judge(onItems(lower, 100, 1, nil, below(80), below(74)), Claim{})
	require.Equal(t, Regressed, v.Outcome)
	require.InDelta(t, 0.06, v.Estimate, 1e-12)
	require.Equal(t, []int{0, 6}, []int{v.Items.Better, v.Items.Worse})
	require.Greater(t, v.Difference.Lo, 0.)
}

// Nothing differs on 40 items: no margin of two points follows. The bound of the constrained t is
// 6.4 points.
func TestNothingDiffersOnFewItems(t *testing.T) {
	t.Parallel()
	p := onItems(correct, 40, 3, nil, below(30), below(30))
	claim := Claim{Kind: NoRegression, Margin: 0.02}
	v := Judge(p, claim)
	require.False(t, v.Holds)
	require.Equal(t, "a regression by more than 2.00 points was not ruled out: without an improvement 40 items cannot show a loss below 6.35 points, and the smallest round margin above that is 7.00 points", v.Reason)
	require.InDelta(t, -0.0635, v.Above.Lo, 5e-5)
	require.InDelta(t, 0.0635, v.Above.Hi, 5e-5)
	require.Contains(t, v.String(), "both have the same correct on every item")
	note, err := claim.ForItems(p.CandidateHeader, correct, p.Items.Items)
	require.NoError(t, err)
	require.Contains(t, v.Reason, note)
	require.NotEmpty(t, note)

	require.Contains(t, v.Help, "at the difference that was found, it would take about 149 items to show a margin of 2.00 points with 80% power")

	claim.Margin = 0.07
	require.True(t, Judge(p, claim).Holds)
	note, err = claim.ForItems(p.CandidateHeader, correct, p.Items.Items)
	require.NoError(t, err)
	require.Empty(t, note)
	require.False(t, Judge(p, Claim{Kind: Equivalent, Margin: 0.06}).Holds)
	require.True(t, Judge(p, Claim{Kind: Equivalent, Margin: 0.07}).Holds)
}

// The margin's interval, its p and its decision are one statement.
func TestMarginsOfItemsAgreeWithTheirInterval(t *testing.T) {
	t.Parallel()
	for _, lost := range []int{0, 1, 2, 5} {
		p := onItems(correct, 300, 1, nil, below(200-lost), below(200))
		for _, margin := range []float64{0.01, 0.015, 0.02, 0.03, 0.05} {
			v := Judge(p, Claim{Kind: NoRegression, Margin: margin})
			require.Equal(t, v.Holds, v.Above.Lo > -margin, "%d lost, margin %v", lost, margin)
			require.Equal(t, v.Holds, v.Above.P <= 0.05)
			if !v.Holds && v.Outcome != Invalid {
				least := -v.Above.Lo
				require.True(t, Judge(p, Claim{Kind: NoRegression, Margin: least + 1e-9}).Holds)
				require.False(t, Judge(p, Claim{Kind: NoRegression, Margin: least - 1e-9}).Holds)
			}
		}
	}
}

// Of few clusters that break as a whole, the verdict says which margin they can show.
func TestClustersOfItems(t *testing.T) {
	t.Parallel()
	ten := func(i int) string { return fmt.Sprint("doc", i%10) }
	p := onItems(correct, 400, 1, ten, below(200), below(200))
	v := Judge(p, Claim{Kind: NoRegression, Margin: 0.05})
	require.False(t, v.Holds)
	require.Contains(t, v.Reason, "without an improvement 400 items in 10 clusters cannot show a loss below 2")
	require.Contains(t, v.String(), "items-t, 400 items in 10 clusters")
	require.Contains(t, v.String(), "(largest cluster 10% of the items, icc 0.00)")
	require.Equal(t, 10, v.Items.Clusters)

	// The items of a cluster fail together: the clusters count.
	broken := func(i, _ int) float64 {
		if i%10 < 2 {
			return 0
		}
		return 1
	}
	v = Judge(onItems(correct, 400, 1, ten, broken, constant(1)), Claim{})
	require.Equal(t, Inconclusive, v.Outcome)
	require.InDelta(t, 9, v.Difference.Result.DF, 1e-9)
	require.InDelta(t, 1, v.Items.ICC, 1e-9)
	v = Judge(onItems(correct, 400, 1, nil, broken, constant(1)), Claim{})
	require.Equal(t, Regressed, v.Outcome, "without clusters the items count")

	some := func(i int) string { // which leaves the others on their own
		if i < 4 {
			return "c"
		}
		return ""
	}
	require.Equal(t, 97, Judge(onItems(correct, 100, 1, some, constant(1), constant(1)),
		Claim{}).Items.Clusters)
}

func TestTooFewClusters(t *testing.T) {
	t.Parallel()
	four := func(i int) string { return fmt.Sprint(i % 4) }
	p := onItems(correct, 400, 1, four, constant(1), constant(0))
	v := Judge(p, Claim{})
	require.Equal(t, Invalid, v.Outcome)
	require.ErrorContains(t, v.Err,
		"4 clusters of items: items-t takes at least 5: add cases of others, or leave the clusters out if items fail on their own")
	_, err := Claim{}.ForItems(p.CandidateHeader, correct, p.Items.Items)
	require.Equal(t, v.Err, err)
	v = Judge(onItems(correct, 4, 3, nil, constant(1), constant(0)), Claim{})
	require.ErrorContains(t, v.Err, "4 items: items-t takes at least 5: add cases")
	require.NotEqual(t, Invalid, Judge(onItems(correct, 5, 1, nil, constant(1), constant(0)),
		Claim{}).Outcome)
}

// Repeats are averaged: they are no further items.
func TestRepeatsAreNoItems(t *testing.T) {
	t.Parallel()
	score := func(i, _ int) float64 { return float64(i % 2) }
	one := Judge(onItems(correct, 20, 1, nil, score, below(15)), Claim{})
	ten := Judge(onItems(correct, 20, 10, nil, score, below(15)), Claim{})
	require.Equal(t, one.Difference.P, ten.Difference.P)
	require.Equal(t, one.Difference.Lo, ten.Difference.Lo)

	half := func(i, repeat int) float64 { return float64((i + repeat) % 2) }
	v := Judge(onItems(correct, 20, 4, nil, half, constant(1)), Claim{})
	require.Equal(t, "q0000 (4/4 to 2/4)", v.Items.Flips[0].String())
	graded := func(i, repeat int) float64 { return float64(i) / 40 }
	v = Judge(onItems(correct, 20, 1, nil, graded, constant(1)), Claim{})
	require.Equal(t, "q0000 (100.00% to 0.00%)", v.Items.Flips[0].String())
	require.Equal(t, "q0019 (100.00% to 47.50%)", v.Items.Flips[19].String())
}

func TestClaimsThatItemsCannotDecide(t *testing.T) {
	t.Parallel()
	p := onItems(correct, 50, 1, nil, below(40), below(20))
	for _, c := range []struct {
		claim Claim
		msg   string
	}{
		{
			Claim{Kind: Improves, Replicability: 0.9},
			"a replicability is for random partitions, and items have none",
		},
		{Claim{Kind: Replicable, Replicability: 0.9}, "a replicability is for random partitions"},
		{Claim{Kind: Improves, Repeats: 10}, "a replicability is for random partitions"},
		{Claim{Kind: Improves, Halvings: 20}, "nothing is trained on items"},
		{
			Claim{Kind: Improves, Probability: 0.9},
			"a posterior probability is for scores of cross-validation",
		},
		{Claim{Kind: Improves, Settle: 0.01}, "runs that settle a claim are for random partitions"},
		{
			Claim{Kind: Improves, Test: stat.MustLookup("paired-t")},
			"the test paired-t is for folds of random partitions",
		},
		{Claim{Kind: AtLeast, Threshold: 0.5}, "on items, compare two systems"},
		{Claim{Kind: NoRegression, Margin: 0.9}, "even a candidate with 0.00% on every item would hold"},
	} {
		v := Judge(p, c.claim)
		require.Equal(t, Invalid, v.Outcome, "%+v", c.claim)
		require.ErrorIs(t, v.Err, ErrClaim)
		require.ErrorContains(t, v.Err, c.msg)
		if c.claim.Kind != AtLeast && c.claim.Margin == 0 {
			_, err := c.claim.ForItems(p.CandidateHeader, correct, p.Items.Items)
			require.ErrorContains(t, err, c.msg)
		}
	}
	v := Judge(p, Claim{Kind: Improves})
	require.True(t, v.Holds)
	require.True(t, Judge(p, Claim{Kind: Improves, OneSided: true}).Holds)
	require.True(t, Judge(p, Claim{Kind: Improves, Gain: 0.1}).Holds)
	require.False(t, Judge(p, Claim{Kind: Improves, Gain: 0.35}).Holds)
	again := Judge(p, v.Claim) // a verdict's claim is one
	require.Equal(t, v.Difference.P, again.Difference.P)
	require.Equal(t, v.String(), again.String())
}

// A margin against which a perfect candidate could not stand is refused; one that an improvement
// could show is not.
func TestMarginsOfItemsOutOfReach(t *testing.T) {
	t.Parallel()
	v := Judge(onItems(correct, 40, 1, nil, constant(1), constant(1)), Claim{
		Kind:   NoRegression,
		Margin: 0.02,
	})
	require.ErrorIs(t, v.Err, ErrClaim)
	require.ErrorContains(t, v.Err,
		"40 items cannot show a margin of 2.00 points against a baseline with 100.00%, however good the candidate is")
	v = Judge(onItems(correct, 40, 1, nil, constant(1), below(20)), Claim{
		Kind:   NoRegression,
		Margin: 0.02,
	})
	require.True(t, v.Holds)
}

// In a metric without a range, equal scores say nothing of a margin.
func TestItemsWithoutARange(t *testing.T) {
	t.Parallel()
	cost := func(i, _ int) float64 { return 0.01 * float64(1+i%5) }
	v := Judge(onItems(usd, 60, 1, nil, cost, cost), Claim{Kind: NoRegression, Margin: 0.001})
	require.False(t, v.Holds)
	require.NotEqual(t, Invalid, v.Outcome)
	require.Contains(t, v.Reason, "all scores are equal, from which no margin of usd follows")
	require.Equal(t, 1., v.Above.P)

	dear := func(i, _ int) float64 { return cost(i, 1) + 0.0001*float64(i%7) }
	v = Judge(onItems(usd, 60, 1, nil, dear, cost), Claim{Kind: NoRegression, Margin: 0.001})
	require.True(t, v.Holds)
	require.False(t, Judge(onItems(usd, 60, 1, nil, dear, cost), Claim{
		Kind:   NoRegression,
		Margin: 0.0002,
	}).Holds)
	more := func(i, _ int) float64 { return cost(i, 1) + 0.005 } // for each item
	v = Judge(onItems(usd, 60, 1, nil, more, cost), Claim{Kind: NoRegression, Margin: 0.01})
	require.False(t, v.Holds)
	require.Equal(t, Regressed, v.Outcome)
}

// Ids that share a prefix, and succeed and fail together, are probably clusters that nobody has
// named.
func TestForgottenClusters(t *testing.T) {
	t.Parallel()
	suite := func(broken func(i int) bool, id func(i int) string) *record.Pairs {
		p := onItems(correct, 100, 1, nil, func(i, _ int) float64 {
			if broken(i) {
				return 0
			}
			return 1
		}, constant(1))
		for i := range p.Items.Items {
			p.Items.Items[i].ID = id(i)
		}
		return p
	}
	byTopic := func(i int) string { return fmt.Sprintf("topic%d-%d", i/10, i%10) }
	warnings := Judge(suite(func(i int) bool { return i/10 < 2 }, byTopic), Claim{}).Warnings
	require.Len(t, warnings, 1)
	require.EqualError(t, warnings[0],
		"ids such as topic0… (10 items) look like clusters whose items succeed and fail together, and no cluster is named: the test is then wrong more often than its level says: name them, as Cluster")
	require.Len(t, Judge(suite(func(i int) bool { return i/10 < 2 && i%10 > 2 || i == 55 }, byTopic),
		Claim{}).Warnings, 1, "mostly together")
	require.Empty(t, Judge(suite(func(i int) bool { return i%10 < 2 }, byTopic), Claim{}).Warnings,
		"not together")
	require.Empty(t, Judge(suite(func(i int) bool { return i*i%11 == 3 }, byTopic), Claim{}).Warnings,
		"by chance")
	require.Empty(t, Judge(suite(func(i int) bool { return i/10 < 2 },
		func(i int) string { return fmt.Sprint("q", i) }), Claim{}).Warnings, "no prefix")
	few := func(i int) string {
		if i < 10 {
			return byTopic(i)
		}
		return fmt.Sprint("q", i)
	}
	require.Empty(t, Judge(suite(func(i int) bool { return i < 10 }, few), Claim{}).Warnings,
		"of one in ten")
	fifth := func(i int) string {
		if i < 20 {
			return byTopic(i)
		}
		return fmt.Sprint("q", i)
	}
	require.Len(t, Judge(suite(func(i int) bool { return i < 10 }, fifth), Claim{}).Warnings, 1,
		"of one in five")
	require.Len(t, Judge(suite(func(i int) bool { return i/10 < 2 },
		func(i int) string { return fmt.Sprintf("topic%d#%d", i/10, i%10) }), Claim{}).Warnings, 1)
	require.Empty(t, Judge(suite(func(i int) bool { return i/10 < 2 }, func(i int) string {
		if i/10 < 2 {
			return fmt.Sprint("-", i)
		}
		return fmt.Sprint("q", i)
	}), Claim{}).Warnings, "nothing comes before the dash")
	named := suite(func(i int) bool { return i/10 < 2 }, byTopic)
	for i := range named.Items.Items {
		named.Items.Items[i].Cluster = fmt.Sprint(i / 10)
	}
	require.Empty(t, Judge(named, Claim{}).Warnings)
}

// Errors have the bounds of scores, on the other side, and the text counts the items that it does
// not name.
func TestErrorsOnItems(t *testing.T) {
	t.Parallel()
	wrong := unit.Unit{Name: "wrong", Better: unit.Lower, Min: 0, Max: 1, Mean: true}
	not := func(f func(int, int) float64) func(int, int) float64 {
		return func(i, repeat int) float64 { return 1 - f(i, repeat) }
	}
	claim := Claim{Kind: NoRegression, Margin: 0.1}
	a := Judge(onItems(correct, 60, 1, nil, below(46), below(50)), claim)
	b := Judge(onItems(wrong, 60, 1, nil, not(below(46)), not(below(50))), claim)
	require.Equal(t, []float64{a.Above.Lo, a.Above.Hi, a.Above.P}, []float64{
		-b.Above.Hi, -b.Above.Lo,
		b.Above.P,
	})
	require.Less(t, a.Above.Lo, a.Above.Hi)
	require.Contains(t, a.String(), "q0048 (1/1 to 0/1) and 1 more\n")
}

// TestForgottenClustersAtTheLevel draws differences whose F test, by sums of squares computed
// another way, is close to one in a hundred.
func TestForgottenClustersAtTheLevel(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	const n, size = 20, 2
	below, above := 0, 0
	for range 10000 {
		x := make([]float64, n)
		for i := range x {
			if i%size == 0 {
				x[i] = 20 + random.NormFloat64()
			} else {
				x[i] = x[i-1] + random.NormFloat64()
			}
		}
		sum, squares, groups := 0.0, 0.0, 0.0
		for i := 0; i < n; i += size {
			sum += x[i] + x[i+1]
			squares += x[i]*x[i] + x[i+1]*x[i+1]
			groups += (x[i] + x[i+1]) * (x[i] + x[i+1]) / size
		}
		total, between := squares-sum*sum/n, groups-sum*sum/n
		f := between / (n/size - 1) / ((total - between) / (n - n/size))
		law, err := stat.SnedecorF(n/size-1, n-n/size)
		require.NoError(t, err)
		p, err := law.P(f, stat.TwoSided)
		require.NoError(t, err)
		if p < 0.008 || p > 0.0125 {
			continue
		}
		pairs := onItems(unit.Unit{Name: "usd", Better: unit.Higher, Max: math.Inf(1)}, n, 1, nil,
			func(i, _ int) float64 { return x[i] }, constant(0))
		for i := range pairs.Items.Items {
			pairs.Items.Items[i].ID = fmt.Sprintf("topic%d-%d", i/size, i%size)
		}
		if p < 0.01 {
			below++
			require.Len(t, Judge(pairs, Claim{}).Warnings, 1, "p = %v", p)
		} else {
			above++
			require.Empty(t, Judge(pairs, Claim{}).Warnings, "p = %v", p)
		}
	}
	require.Greater(t, below, 5)
	require.Greater(t, above, 5)
	one := onItems(correct, 40, 1, nil, below20, constant(1))
	for i := range one.Items.Items {
		one.Items.Items[i].ID = fmt.Sprintf("topic-%d", i)
	}
	require.Empty(t, Judge(one, Claim{}).Warnings, "one prefix is no cluster")
}

func below20(i, _ int) float64 { return below(20)(i, 1) }

// TestEquivalenceTakesMoreItems has both of its tests show the margin, each with half of the power
// that is missing.
func TestEquivalenceTakesMoreItems(t *testing.T) {
	t.Parallel()
	p := onItems(correct, 60, 1, nil, func(i, _ int) float64 { return float64(i % 2) },
		func(i, _ int) float64 { return float64(i / 2 % 2) })
	number := func(kind Kind) (n int) {
		v := Judge(p, Claim{Kind: kind, Margin: 0.1})
		require.False(t, v.Holds)
		for _, help := range v.Help {
			if _, err := fmt.Sscanf(help, "at the difference that was found, it would take about %d items",
				&n); err == nil {
				return n
			}
		}
		t.Fatalf("no number in %q", v.Help)
		return 0
	}
	require.Greater(t, number(Equivalent), number(NoRegression))
}

// TestLeftOutItemsAreSaid has items of one side only.
func TestLeftOutItemsAreSaid(t *testing.T) {
	t.Parallel()
	p := onItems(correct, 60, 1, nil, below(50), below(55))
	require.NotContains(t, Judge(p, Claim{}).String(), "common")
	require.Zero(t, Judge(p, Claim{}).Facts().Items.LeftOut)
	p.Items.LeftOut = record.LeftOut{Candidate: 1, Baseline: 2}
	v := Judge(p, Claim{})
	require.Contains(t, v.String(),
		"  common         the 60 items that both sides have; left out 1 that only the candidate has, and 2 that only the baseline has\n")
	require.Equal(t, 3, v.Facts().Items.LeftOut)
	columns := make(map[string]string)
	for _, c := range v.Facts().Columns(v.Subject()) {
		columns[c.Name] = c.Value
	}
	require.Equal(t, "3", columns["items_left_out"])
}

// The listed items are the ones that changed most, in both directions, the greatest loss first.
func TestItemFacts(t *testing.T) {
	t.Parallel()
	list := func(worse, better int) []string {
		score := func(i, _ int) float64 {
			switch {
			case i < worse:
				return 0.5 - 0.001*float64(1+i)
			case i < worse+better:
				return 0.5 + 0.001*float64(1+i-worse)
			}
			return 0.5
		}
		f := Judge(onItems(correct, 100, 1, nil, score, constant(0.5)), Claim{}).Facts()
		require.Equal(t, []int{100, 100, better, worse}, []int{
			f.Items.Items, f.Items.Clusters,
			f.Items.Better, f.Items.Worse,
		})
		last := math.Inf(-1)
		var ids []string
		for _, x := range f.Items.Flips {
			require.Greater(t, float64(x.Gain), last)
			last = float64(x.Gain)
			ids = append(ids, x.ID)
		}
		return ids
	}
	require.Equal(t, []string{"q0002", "q0001", "q0000", "q0003"}, list(3, 1))
	many := list(40, 50)
	require.Len(t, many, 20)
	require.Equal(t, []string{"q0039", "q0030", "q0080", "q0089"}, []string{
		many[0], many[9],
		many[10], many[19],
	})
	require.Len(t, list(40, 3), 20)
	require.Equal(t, []string{"q0039", "q0023", "q0040"}, []string{
		list(40, 3)[0], list(40, 3)[16],
		list(40, 3)[17],
	})
	require.Equal(t, "q0042", list(40, 3)[19])
	require.Len(t, list(2, 60), 20)
	require.Empty(t, list(0, 0))

	columns := make(map[string]string)
	for _, c := range Judge(onItems(correct, 100, 1, nil, below(74), below(80)), Claim{}).Columns() {
		columns[c.Name] = c.Value
	}
	require.Equal(t, []string{"100", "100", "0", "0", "6"}, []string{
		columns["items"],
		columns["clusters"], columns["icc"], columns["items_better"], columns["items_worse"],
	})
}

// The variance has a part that more repeats narrow, which one answer an item does not show.
func TestNoiseOfItems(t *testing.T) {
	t.Parallel()
	steady := func(i, _ int) float64 { return float64(i % 2) }
	require.NotContains(t, Judge(onItems(correct, 60, 1, nil, steady, below(40)), Claim{}).String(),
		"noise")
	v := Judge(onItems(correct, 60, 4, nil, steady, below(40)), Claim{})
	require.Contains(t, v.String(),
		"  noise          equal scores in all 4 repeats, which count as one (now and before)\n")
	require.Contains(t, Judge(onItems(correct, 60, 4, nil, steady, steady), Claim{}).String(),
		"equal scores in all 4 repeats, which count as one (now and before)", "without variance")

	// Each answer is right in half of the repeats, in an order that differs: all variance is of the
	// repeats.
	coin := func(i, repeat int) float64 { return float64((i*7 + repeat*repeat*3 + i*repeat) % 5 % 2) }
	text := Judge(onItems(correct, 200, 12, nil, coin, constant(1)), Claim{}).String()
	require.Regexp(t, `noise +of the variance \d+% is the 12 repeats, \d+% the items: 24 repeats would narrow the interval by \d+%, twice`, text)
	a, b := (&record.ItemPairs{A: [][]float64{{1, 2}, {3, 4}}, B: [][]float64{{5, 6}}}).ByItem()
	require.Equal(t, [][]float64{{1, 3}, {2, 4}}, a)
	require.Equal(t, [][]float64{{5}, {6}}, b)
}

// The help names a number of items that would show the margin: with as many of the same kind, it
// does.
func TestHelpOfItems(t *testing.T) {
	t.Parallel()
	claim := Claim{Kind: NoRegression, Margin: 0.02}
	now := func(i, _ int) float64 { // as often better as worse
		if i%20 == 0 {
			return 0
		}
		return 1
	}
	before := func(i, _ int) float64 {
		if i%20 == 10 {
			return 0
		}
		return 1
	}
	v := Judge(onItems(correct, 400, 1, nil, now, before), claim)
	require.False(t, v.Holds)
	var n int
	for _, h := range v.Help {
		if _, err := fmt.Sscanf(h, "at the difference that was found, it would take about %d items to show a margin of 2.00 points with 80%% power", &n); err == nil {
			break
		}
	}
	require.Greater(t, n, 400, "%q", v.Help)
	again := Judge(onItems(correct, n, 1, nil, now, before), claim)
	require.InDelta(t, 0.02, again.Detectable, 0.0015)
	require.Greater(t, Judge(onItems(correct, n/2, 1, nil, now, before), claim).Detectable, 0.025)

	ten := func(i int) string { return fmt.Sprint(i / 8) }
	text := Judge(onItems(correct, 400, 1, ten, now, before), claim).String()
	require.Regexp(t, `it would take about \d+ items in \d+ clusters of such a size to show a margin of 2.00 points with 80% power`, text)
}
