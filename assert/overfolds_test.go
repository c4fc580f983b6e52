package assert_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/stat/hierarchical"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	testify "github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// numbered is a comparison on a data set of its own.
type numbered struct {
	stored
	i int
}

func (n numbered) Verdicts(c verdict.Claim) []verdict.Verdict {
	v := n.judge(c)
	v.Data = fmt.Sprint("set", n.i)
	if v.CandidateHeader != nil {
		v.CandidateHeader.DataDigest = fmt.Sprintf("%064d", n.i)
	}
	return []verdict.Verdict{v}
}

// on returns comparisons of folds on several data sets, the differences of each shifted by a gain.
func on(u unit.Unit, diffs []float64, gains ...float64) (f assert.Family) {
	for i, gain := range gains {
		shifted := make([]float64, len(diffs))
		for k, d := range diffs {
			shifted[k] = d + gain
		}
		f = append(f, numbered{comparison(u, shifted), i})
	}
	return f
}

func TestImprovesOverByFolds(t *testing.T) {
	t.Parallel()
	gains, zero := []float64{.08, .1, .12, .11}, make([]float64, len(maybe))
	bayes := assert.Bayes(0.01, 0.95)
	type claimed struct {
		name    string
		family  assert.Family
		options []assert.Option
		holds   bool
		text    string
	}
	cases := []claimed{
		{
			"four gains", on(accuracy, maybe, gains...), nil, true,
			"new is better than old on data sets in general, in accuracy: shown by 4 data sets\n  hierarchical   P(better) = 0.99",
		},
		{
			"three, and a higher probability", on(accuracy, maybe, gains[:3]...),
			[]assert.Option{assert.Bayes(0.01, 0.9999)},
			false, "not shown by 3",
		},
		{
			"losses", on(accuracy, maybe, -.08, -.1, -.12, -.11), nil, false,
			"refuted, it is most probably worse, by 4",
		},
		{
			"lower is better", on(logloss, maybe, -.18, -.2, -.22, -.21), nil, true,
			", 95% interval -0.2",
		},
		{
			"gains within the rope", on(accuracy, maybe, gains...),
			[]assert.Option{assert.Bayes(0.4, 0.95)},
			false, "not shown by 4",
		},
		{
			"no difference anywhere", on(accuracy, zero, 0, 0, 0, 0), nil, false,
			"P(better) = 0.000, P(worse) = 0.000, P(within 1.00 points) = 1.000 (it takes more than 0.95)",
		},
		{
			"equal gains", on(accuracy, zero, .1, .1, .1, .1), nil, true,
			"caution        all differences are equal on 4 of 4 data sets",
		},
		{
			"two", on(accuracy, maybe, gains[:2]...), nil, false,
			"2 data sets say next to nothing about others: it takes 3",
		},
		{"none", assert.Family{}, nil, false, "0 data sets"},
		{
			"no rope", on(accuracy, maybe, gains...),
			[]assert.Option{assert.Bayes(0, 0.95)},
			false,
			"takes a rope",
		},
		{
			"a guess", on(accuracy, maybe, gains...),
			[]assert.Option{assert.Bayes(0.01, 0.5)},
			false,
			"posterior probability 0.5 is not between",
		},
		{
			"a rope in another unit", on(accuracy, maybe, gains...),
			[]assert.Option{assert.Bayes(1e-6, 0.95)},
			false, "rope",
		},
		{
			"a level", on(accuracy, maybe, gains...),
			[]assert.Option{assert.Alpha(0.01)},
			false,
			"neither a test nor a significance level",
		},
		{
			"one-sided", on(accuracy, maybe, gains...),
			[]assert.Option{assert.OneSided()},
			false,
			"neither a test nor a significance level",
		},
		{
			"a margin", on(accuracy, maybe, gains...),
			[]assert.Option{assert.Margin(0.02)},
			false,
			"and no other option",
		},
		{
			"an adjustment", on(accuracy, maybe, gains...),
			[]assert.Option{assert.Adjust(adjust.MustLookup("holm"))},
			false, "and no other option",
		},
		{
			"a second opinion", on(accuracy, maybe, gains...),
			[]assert.Option{assert.SecondOpinion()},
			false, "and no other option",
		},
		{"items", append(on(accuracy, maybe, gains...), means{verdict.Verdict{
			Outcome: verdict.Inconclusive, Data: "items", Candidate: "new", Baseline: "old", Unit: accuracy,
			Items: &verdict.Items{},
			Findings: verdict.Findings{
				Posterior: &stat.Posterior{},
				Sample:    stat.Differences{X: maybe, Runs: 1, Folds: 10, Ratio: 1, Scale: 1},
			},
			CandidateHeader: &record.Header{Protocol: "cv runs=5 folds=2 stratified seed=1 v1"},
		}}), nil, false, "there are no differences of folds on items"},
		{
			"no folds", familyOf(accuracy, gains...), nil, false,
			"there are no differences of folds on set0",
		},
		{
			"one set twice", append(on(accuracy, maybe, gains...), on(accuracy, maybe, .1)...), nil, false,
			"set0 and set0 are the same data",
		},
		{
			"a failed trial", append(on(accuracy, maybe, gains...),
				means{verdict.Fail(verdict.Claim{}, record.ErrFailedTrial)}), nil, false,
			record.ErrFailedTrial.Error(),
		},
	}
	if citest.Has(citest.Slow) {
		cases = append(cases, claimed{"three", on(accuracy, maybe, gains[:3]...), nil, true, "shown by 3"},
			claimed{"higher is worse", on(logloss, maybe, .18, .2, .22), nil, false, "refuted"})
	}
	for _, c := range cases {
		r := &recorder{}
		testify.Equal(t, c.holds, assert.ImprovesOver(r, c.family, append([]assert.Option{bayes},
			c.options...)...), c.name)
		text := strings.Join(append(r.failures, r.logs...), "\n")
		testify.Contains(t, text, c.text, c.name)
		testify.Equal(t, !c.holds, len(r.failures) == 1, "%s: %s", c.name, text)
	}
}

// The hierarchical test of all folds has these probabilities.
func TestImprovesOverByFoldsIsTheHierarchicalTest(t *testing.T) {
	t.Parallel()
	gains := []float64{.02, -.01, .05, 0, .03}
	samples := make([]hierarchical.Sample, len(gains))
	for i, gain := range gains {
		d := stat.Differences{Runs: 5, Folds: 2, Ratio: 1, Scale: 1}
		for _, x := range maybe {
			d.X = append(d.X, x+gain)
		}
		samples[i].Differences = d
	}
	want, err := hierarchical.Test(samples, hierarchical.Options{Rope: 0.01, Seed: 1})
	require.NoError(t, err)
	r := &recorder{}
	assert.ImprovesOver(r, on(accuracy, maybe, gains...), assert.Bayes(0.01, 0.95))
	require.Contains(t, strings.Join(append(r.failures, r.logs...), "\n"), fmt.Sprintf(
		"P(better) = %.3f, P(worse) = %.3f, P(within 1.00 points) = %.3f (it takes more than 0.95)\n  center         %+.2f points, 95%% interval %+.2f to %+.2f points",
		want.P.Better, want.P.Worse, want.P.Rope, 100*want.Mean, 100*want.Lo, 100*want.Hi))
}

// On each data set a posterior is asked for, and no rope: on some no candidate could gain as much.
func TestImprovesOverByFoldsAsksForFolds(t *testing.T) {
	t.Parallel()
	var claims []verdict.Claim
	assert.ImprovesOver(&recorder{}, assert.Family{asked{&claims}}, assert.OnUnit("usd"),
		assert.Bayes(0.01, 0.9))
	require.Len(t, claims, 1)
	testify.Equal(t, verdict.Claim{
		Kind: verdict.Improves, Metric: "usd", Probability: 0.9,
		AllRuns: true,
	}, claims[0])
}
