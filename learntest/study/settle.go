package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"golang.org/x/sync/errgroup"
)

// settleStudy returns the study of how often the first runs settle what all runs would not have
// said.
func settleStudy() Study {
	return Study{
		Name: "settle",
		Doc:  "stopping once the first runs settle a claim: how often all ten runs of 10×10 cross-validation say something else, and how many runs it takes",
		Run:  configured(runSettle),
	}
}

// settleError is the promised error, γ.
const settleError = 0.01

// A settleClaim is a claim that is settled, with margins in standard deviations of a difference,
// and the true differences at which it is measured.
type settleClaim struct {
	name    string
	claim   verdict.Claim
	effects []float64
}

func settleClaims() []settleClaim {
	return []settleClaim{
		{"differs", verdict.Claim{}, []float64{0, 0.3, 0.6, 0.9, 1.8}},
		{
			"improves, one-sided",
			verdict.Claim{Kind: verdict.Improves, OneSided: true},
			[]float64{0, 0.6, 1.8},
		},
		{"gain of 0.5 σ", verdict.Claim{Kind: verdict.Improves, Gain: 0.5}, []float64{0.5, 1.3, 2.3}},
		{
			"no regression, margin or budget of 1 σ",
			verdict.Claim{Kind: verdict.NoRegression, Margin: 1},
			[]float64{-1.5, -1, -0.3, 0, 0.5},
		},
		{
			"equivalent, margin of 1.2 σ",
			verdict.Claim{Kind: verdict.Equivalent, Margin: 1.2},
			[]float64{0, 0.4, 1.2, 2},
		},
		{
			"equivalent, margin of 2 σ",
			verdict.Claim{Kind: verdict.Equivalent, Margin: 2},
			[]float64{0, 1, 2},
		},
	}
}

// A settleTally counts verdicts by all runs, and by the first that settle a claim.
type settleTally struct {
	n, all, settled, differ, runs int
	after                         map[int]int // comparisons by the number of their runs
}

func (t *settleTally) add(all, settled *verdict.Verdict) {
	if t.after == nil {
		t.after = make(map[int]int)
	}
	t.n++
	t.all += lab.Indicator(all.Holds)
	t.settled += lab.Indicator(settled.Holds)
	t.differ += lab.Indicator(all.Holds != settled.Holds || all.Claim.Kind == verdict.Differs &&
		all.Outcome != settled.Outcome)
	t.runs += settled.Runs
	t.after[settled.Runs]++
}

func (t *settleTally) merge(o *settleTally) {
	if t.after == nil {
		t.after = make(map[int]int)
	}
	t.n, t.all, t.settled, t.differ, t.runs = t.n+o.n, t.all+o.all, t.settled+o.settled,
		t.differ+o.differ, t.runs+o.runs
	for runs, n := range o.after {
		t.after[runs] += n
	}
}

// both judges a claim by all runs, and as settled by the first.
func (t *settleTally) both(p *record.Pairs, c verdict.Claim) error {
	all := verdict.Judge(p, c, verdict.Bare)
	c.Settle = settleError
	settled := verdict.Judge(p, c, verdict.Bare)
	if all.Err != nil {
		return all.Err
	}
	if settled.Err != nil {
		return settled.Err
	}
	t.add(&all, &settled)
	return nil
}

func runSettle(ctx context.Context, cfg lab.Config) (*Report, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.Store != "" {
		return nil, fmt.Errorf("%w: it keeps no scores", ErrConfig)
	}
	sets, claims := cfg.SetsOr(2000, 100_000), settleClaims()
	names := settleSets(cfg.Small)
	done := cfg.Counter(len(claims) + len(names))
	normal, err := settleNormal(ctx, cfg, claims, sets, done)
	if err != nil {
		return nil, err
	}
	real, err := settleReal(ctx, cfg, names, done)
	if err != nil {
		return nil, err
	}
	return &Report{[]Table{normal, real}}, nil
}

// settleNormal measures the rule on normal differences.
func settleNormal(ctx context.Context, cfg lab.Config, claims []settleClaim, sets int,
	done func(),
) (Table, error) {
	const parts = 64 // whatever the number of goroutines
	t := Table{
		Title: "Normal differences",
		Notes: []string{
			fmt.Sprintf("10 runs of 10 folds; %d data sets in a row. The differences of folds have the standard deviation σ and, on one data set, the correlation 0.1: what the corrected test expects. Given the data set they are independent, which makes runs vary as much as the rule allows for: on real data, the folds of a run make up for one another. γ is %v, and the level 5%%.", sets, settleError),
			"How often a claim holds by all ten runs, and by the first that settle it; how often the two differ, each in percent with the Monte Carlo error; and the mean number of runs.",
		},
		Columns: []string{"claim", "true difference, σ", "all runs", "settled", "differ", "±", "runs"},
	}
	for i, c := range claims {
		for j, effect := range c.effects {
			tallies := make([]settleTally, parts)
			g, ctx := errgroup.WithContext(ctx)
			g.SetLimit(cfg.Parallel)
			for part := range parts {
				g.Go(func() error {
					rng := rand.New(rand.NewPCG(lab.Derive(cfg.Seed, 20, i, j), uint64(part)))
					for range (sets + parts - 1 - part) / parts {
						if err := context.Cause(ctx); err != nil {
							return err
						}
						if err := tallies[part].both(normalPairs(rng, effect), c.claim); err != nil {
							return err
						}
					}
					return nil
				})
			}
			if err := g.Wait(); err != nil {
				return t, err
			}
			var all settleTally
			for part := range tallies {
				all.merge(&tallies[part])
			}
			share := func(k int) lab.Proportion { return lab.Proportion{K: k, N: all.n} }
			t.Add(c.name, lab.Figure(effect, 1), lab.Figure(100*share(all.all).Share(), 2),
				lab.Figure(100*share(all.settled).Share(), 2),
				lab.Figure(100*share(all.differ).Share(), 2), lab.Figure(100*share(all.differ).SE(), 2),
				lab.Figure(float64(all.runs)/float64(all.n), 1))
		}
		done()
	}
	return t, nil
}

// normalPairs draws the scores of 10×10 folds: differences about effect with standard deviation 1
// and correlation 0.1, and baseline scores far from zero.
func normalPairs(rng *rand.Rand, effect float64) *record.Pairs {
	const runs, folds, correlation = 10, 10, 0.1
	p := &record.Pairs{
		Data: "normal", Candidate: "candidate", Baseline: "baseline",
		Unit: unit.Unit{
			Name: "score", Better: unit.Higher, Min: math.Inf(-1),
			Max: math.Inf(1),
		},
		CandidateHeader: normalHeader, BaselineHeader: normalHeader, Runs: runs, Folds: folds,
		A: make([]float64, runs*folds), B: make([]float64, runs*folds),
		TrainN: make([]int32, runs*folds), TestN: make([]int32, runs*folds),
	}
	mean := effect + float64(math.Sqrt(correlation)*rng.NormFloat64())
	for i := range p.A {
		p.B[i] = 100 + rng.NormFloat64()
		p.A[i] = p.B[i] + mean + float64(math.Sqrt(1-correlation)*rng.NormFloat64())
		p.TrainN[i], p.TestN[i] = 900, 100
	}
	return p
}

var normalHeader = &record.Header{Protocol: "cv runs=10 folds=10 stratified seed=1 v1"}
