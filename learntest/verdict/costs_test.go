package verdict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bill is what items cost: between 1 and 2 for most of them, times a factor.
func bill(factor float64) func(int, int) float64 {
	return func(i, _ int) float64 { return factor * (1 + float64(i*37%100)/100) }
}

func spends(limit float64) Claim {
	return Claim{
		Kind: RatioAtMost, Threshold: limit,
		Metric: "usd",
	}
}

func TestCostsOfItems(t *testing.T) {
	t.Parallel()
	varied := func(i, r int) float64 { return bill(1.1)(i, r) + 0.2*float64(i%7-3) }
	p := onItems(usd, 200, 1, nil, varied, bill(1))
	shown := Judge(p, spends(1.2))
	require.NoError(t, shown.Err)
	assert.True(t, shown.Holds)
	x, err := itemwise.RatioAtMost(p.A, p.B, nil, itemwise.ByItem, 1.2, 0.05)
	require.NoError(t, err)
	assert.Equal(t, [3]float64{x.Ratio, x.Upper, x.P}, [3]float64{
		shown.Costs.Ratio, shown.Costs.Upper,
		shown.Decision.P,
	})
	assert.Equal(t, fmt.Sprintf(`now costs at most ×1.2 the usd of before on faq: shown
  usd            now %.4g, before %.4g (means of 200 items)
  claim          at most ×1.2: shown, at most ×1.13 (one-sided 95%%), p = 6.6e-08 (it takes 0.05 or less)
  test           ratio of means ×1.10, items-ratio-t, t = %.4g, df = 199
`, shown.CandidateMean, shown.BaselineMean, x.Statistic),
		strings.Join(strings.SplitAfter(shown.String(), "\n")[:4], ""))
	assert.Equal(t, "now costs at most ×1.2 the usd of before on faq: shown", shown.Summary())
	assert.Greater(t, shown.CandidateMean, shown.BaselineMean)

	refuted := Judge(p, spends(1.01))
	assert.Equal(t, Regressed, refuted.Outcome)
	assert.False(t, refuted.Holds)
	assert.Contains(t, refuted.String(), "on faq: refuted\n")
	assert.Contains(t, refuted.String(), "at most ×1.01: refuted, at most ×1.13")

	open := Judge(p, spends(1.11))
	assert.Equal(t, Inconclusive, open.Outcome)
	assert.False(t, open.Holds)
	assert.Equal(t, "at most ×1.13 is shown", open.Reason)
	assert.Equal(t, []string{"more items narrow the bound; a limit of ×1.13 would have held here"},
		open.Help)
	assert.True(t, Judge(p, spends(1.13)).Holds, "the limit that the help names")
	assert.Equal(t, Inconclusive, Judge(p, spends(1.09)).Outcome,
		"above the limit, and not significantly")
	assert.Empty(t, open.Warnings)
	assert.Len(t, Judge(p, spends(12)).Warnings, 1)

	// One answer costs more than all others.
	dear := onItems(usd, 200, 1, nil, bill(1), func(i, _ int) float64 {
		if i == 0 {
			return 1e4
		}
		return 1
	})
	v := Judge(dear, spends(1.2))
	assert.False(t, v.Holds)
	assert.Contains(t, v.String(), "at most ×1.2: not shown, no bound (one-sided 95%)")
	assert.Contains(t, v.String(),
		"help           the baseline's costs vary too much for any bound: more items determine their mean")
}

// Questions of one document cost alike: clusters widen the bound.
func TestCostsOfClusters(t *testing.T) {
	t.Parallel()
	byDocument := func(i, _ int) float64 { return 1 + 0.5*float64(i/20%5) }
	alone := Judge(onItems(usd, 200, 1, nil, byDocument, bill(1)), spends(1.5))
	clustered := Judge(onItems(usd, 200, 1, func(i int) string { return fmt.Sprint("doc", i/20) },
		byDocument, bill(1)), spends(1.5))
	require.NoError(t, clustered.Err)
	assert.Greater(t, clustered.Costs.Upper, alone.Costs.Upper+0.1)
	assert.Contains(t, clustered.String(), "means of 200 items in 10 clusters")
	few := Judge(onItems(usd, 200, 1, func(i int) string { return fmt.Sprint("doc", i/50) },
		byDocument, bill(1)), spends(1.5))
	require.ErrorContains(t, few.Err, "4 clusters of items")
}

func TestCostsThatAreRefused(t *testing.T) {
	t.Parallel()
	p := onItems(usd, 20, 1, nil, bill(1), bill(1))
	for says, c := range map[string]Claim{
		"a limit of ×0":          spends(0),
		"a limit of ×-1":         spends(-1),
		"a limit of ×+Inf":       spends(math.Inf(1)),
		"takes neither a margin": {Kind: RatioAtMost, Threshold: 1.2, Metric: "usd", Margin: 0.1},
		"takes no replicability": {Kind: RatioAtMost, Threshold: 1.2, Metric: "usd", Replicability: 0.9},
		"the pairs are of usd":   {Kind: RatioAtMost, Threshold: 1.2, Metric: "tokens"},
	} {
		v := Judge(p, c)
		require.ErrorContains(t, v.Err, says)
		assert.False(t, v.Holds, says)
	}
	v := Judge(onItems(correct, 20, 1, nil, constant(1), constant(1)),
		Claim{Kind: RatioAtMost, Threshold: 1.2, Metric: "correct"})
	require.ErrorContains(t, v.Err,
		"a ratio is claimed of costs, of which less is better and none is negative, and not of correct")
	assert.Contains(t, v.String(),
		"now costs at most ×1.2 the correct of before on faq: a ratio is claimed of costs")
	loss := usd
	loss.Min = -1
	v = Judge(onItems(loss, 20, 1, nil, bill(1), bill(1)), spends(1.2))
	require.ErrorContains(t, v.Err, "none is negative, and not of usd")
	p.A[3] = math.NaN()
	require.ErrorContains(t, Judge(p, spends(1.2)).Err, "usd of now, run 1, fold 4, is NaN")
	free := Judge(onItems(usd, 20, 1, nil, bill(1), constant(0)), spends(1.2))
	require.ErrorContains(t, free.Err, "the baseline costs nothing")
	_, err := spends(1.2).ForItems(p.CandidateHeader, correct, p.Items.Items)
	require.ErrorContains(t, err, "a ratio is claimed of costs")
	_, err = spends(1.2).ForItems(p.CandidateHeader, usd, p.Items.Items[:4])
	require.ErrorContains(t, err, "4 items: items-t takes at least 5")
	_, err = spends(1.2).ForItems(p.CandidateHeader, usd, p.Items.Items)
	require.NoError(t, err)
	_, err = spends(0).ForItems(p.CandidateHeader, usd, p.Items.Items)
	require.ErrorContains(t, err, "a limit of ×0")
}

// Outcome, p and bound never contradict each other.
func TestCostsAreConsistent(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	held, refuted := 0, 0
	for range 500 {
		n := 5 + rng.IntN(60)
		spread := rng.Float64()
		random := func(int, int) float64 { return math.Round(100*math.Exp(spread*rng.NormFloat64())) / 100 }
		limit := []float64{1.05, 1.2, 1.5, 0.8}[rng.IntN(4)]
		v := Judge(onItems(usd, n, 1, nil, random, random), spends(limit))
		require.NoError(t, v.Err)
		require.Equal(t, v.Holds, v.Outcome == Improved)
		require.Equal(t, v.Holds, v.Decision.Shown)
		require.Equal(t, v.Holds, v.Costs.Upper <= limit)
		require.Equal(t, v.Holds, v.Costs.P <= 0.05)
		require.Equal(t, v.Holds, v.Reason == "")
		if v.Outcome == Regressed {
			refuted++
			require.Greater(t, v.Costs.Ratio, limit)
		}
		if v.Holds {
			held++
			require.LessOrEqual(t, v.Costs.Ratio, limit)
		}
	}
	require.Greater(t, held, 50)
	require.Greater(t, refuted, 10)
}

func TestCostsAreNoTimes(t *testing.T) {
	t.Parallel()
	p := onItems(usd, 20, 1, nil, bill(1), bill(1))
	f := record.NewFile() // without blocks
	v := Of(f.Of("faq", "now"), f.Of("faq", "before"), spends(1.2))
	require.Error(t, v.Err)
	p.Items = nil
	require.ErrorContains(t, Judge(p, spends(1.2)).Err,
		"a ratio is claimed of times, fit-sec and predict-sec")
}
