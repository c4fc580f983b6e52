package benavoli2016

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/learnbench/learnbench/papers/internal/prints"
	"golang.org/x/sync/errgroup"
)

// batch is how many draws one goroutine makes with a generator of its own.
const batch = 1000

// draws counts in how many of so many draws each of some events happens. What f is called
// with depends on the seed and the number of the batch alone.
func draws(ctx context.Context, cfg lab.Config, n, events int, seed uint64,
	f func(rng *rand.Rand, hit []int) error,
) ([]lab.Proportion, error) {
	hits := make([][]int, (n+batch-1)/batch)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cfg.Parallel)
	for b := range hits {
		g.Go(func() error {
			hits[b] = make([]int, events)
			rng := rand.New(rand.NewPCG(lab.Derive(seed, b), 0xa0761d6478bd642f))
			for range min(batch, n-b*batch) {
				if err := context.Cause(ctx); err != nil {
					return err
				}
				if err := f(rng, hits[b]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	shares := make([]lab.Proportion, events)
	for i := range shares {
		shares[i].N = n
		for _, h := range hits {
			shares[i].K += h[i]
		}
	}
	return shares, nil
}

// settled returns the configuration of a study that only draws numbers.
func settled(c lab.Config) (lab.Config, error) {
	c, err := c.WithDefaults()
	if err == nil {
		err = c.WithoutSets()
	}
	return c, err
}

// runBCMExample2 measures the power of two tests of A and B: without correction for other
// pairs, as the paper does.
func runBCMExample2(ctx context.Context, cfg lab.Config) (*study.Report, error) {
	cfg, err := settled(cfg)
	if err != nil {
		return nil, err
	}
	const sets = 20
	n := 100_000
	if cfg.Small {
		n = 5000
	}
	means := []float64{0, 1.5, 5, 6, 7}
	single, err := across.CriticalDifference(sets, 2, paper.Level) // 1.96 for its z
	if err != nil {
		return nil, err
	}
	of := func(win float64) (float64, error) {
		p, err := across.SignPower(sets, win, paper.Level, stat.TwoSided)
		return p.Power, err
	}
	exact, err := of(0.5 * math.Erfc(-1.5/math.Sqrt2/math.Sqrt2))
	if err != nil {
		return nil, err
	}
	done := cfg.Counter(1)
	found, err := draws(ctx, cfg, n, 2, lab.Derive(cfg.Seed, 2016),
		func(rng *rand.Rand, hit []int) error {
			scores := normalScores(rng, sets, means)
			ranks, err := across.MeanRanks(scores, unit.Higher)
			if err != nil {
				return err
			}
			hit[1] += lab.Indicator(ranks.Pairs[0].Statistic >= single.BonferroniZ)
			sign, err := across.SignTest(columnOf(scores, 0), columnOf(scores, 1), stat.TwoSided,
				across.SignOptions{})
			hit[0] += lab.Indicator(sign.P <= paper.Level)
			return err
		})
	if err != nil {
		return nil, err
	}
	done()
	t := study.Table{
		Title: bcmPaper + "example 2",
		Notes: []string{fmt.Sprintf("How often the sign test, and mean ranks beside C, D and E ~ N(5, 1), N(6, 1) and N(7, 1), find a difference between A ~ N(0, 1) and B ~ N(1.5, 1) on %d data sets, in %d draws; the Monte Carlo error of this share; and the difference in standard errors. The print counts with its rounding error alone: the paper does not say how often it has drawn.", sets, n)},
		Columns: []string{
			"power", "ours", "±", "printed", "in errors", "exact", "rounds to the print",
		},
	}
	printed := prints.Open("bcm-text")
	for i, name := range []string{"of the sign test", "of the mean-ranks test"} {
		f := printed.Figure("printed", "2: power "+name)
		row := append([]string{name}, prints.BesideError(found[i].Share(), found[i].SE(), 4, f,
			f.Rounding())...)
		if i == 0 {
			row = append(row, lab.Figure(exact, 4), yes(f.Rounds(exact)))
		} else {
			row = append(row, "", yes(f.Rounds(found[i].Share())))
		}
		t.Add(row...)
	}
	return &study.Report{Tables: []study.Table{t}}, nil
}

// normalScores draws the scores of learners with the given means on so many data sets.
func normalScores(rng *rand.Rand, sets int, means []float64) [][]float64 {
	scores := make([][]float64, sets)
	for i := range scores {
		for _, m := range means {
			scores[i] = append(scores[i], m+rng.NormFloat64())
		}
	}
	return scores
}

// A pooling says where learners stand that others, which are equivalent, are compared beside.
type pooling struct {
	name  string
	equal func(m int) int                       // how many of m are equivalent: the first ones
	place func(equal []float64, rest []float64) // puts the others among them
}

func poolings() []pooling {
	allButOne := func(m int) int { return m - 1 }
	shift := func(by float64) func(equal, rest []float64) {
		return func(_, rest []float64) {
			for i := range rest {
				rest[i] = by
			}
		}
	}
	return []pooling{
		{"all equivalent", func(m int) int { return m }, func(_, _ []float64) {}},
		{"all but one, which is the best", allButOne, shift(100)},
		{"all but one, which is in the middle", allButOne, shift(0)},
		{"two, the others between them", func(int) int { return 2 }, func(equal, rest []float64) {
			for i := range rest {
				f := float64(i+1) / float64(len(rest)+1)
				rest[i] = float64((1-f)*equal[0]) + float64(f*equal[1])
			}
		}},
	}
}

// runBCMErrors measures how often mean ranks tell any two of the equivalent learners of a
// pool apart, with Bonferroni's correction for all pairs of the pool.
func runBCMErrors(ctx context.Context, cfg lab.Config) (*study.Report, error) {
	cfg, err := settled(cfg)
	if err != nil {
		return nil, err
	}
	const sets = 54
	n, sizes := 10_000, []int{3, 4, 5, 7, 10}
	if cfg.Small {
		n, sizes = 1000, []int{3, 5}
	}
	t := study.Table{
		Title: bcmPaper + "section 4.4: the largest Type I error",
		Notes: []string{
			fmt.Sprintf("How often, in percent of %d draws of %d data sets, a test rejects for any two equivalent learners of a pool at the family-wise level of 5%%: mean ranks, and sign tests, each with Bonferroni's correction for all pairs of the pool. Scores are normal. The paper prints no figure: it says that the level is not kept where all learners but one are equal.", n, sets),
		},
		Columns: []string{"equivalent", "learners", "mean ranks, %", "±", "sign tests, %", "±"},
	}
	done := cfg.Counter(len(sizes) * len(poolings()))
	worst, where := lab.Proportion{N: n}, ""
	for i, p := range poolings() {
		for _, m := range sizes {
			found, err := draws(ctx, cfg, n, 2, lab.Derive(cfg.Seed, 44, i, m),
				func(rng *rand.Rand, hit []int) error {
					return p.draw(rng, sets, m, hit)
				})
			if err != nil {
				return nil, err
			}
			if found[0].K > worst.K {
				worst, where = found[0], fmt.Sprintf("%d learners: %s", m, p.name)
			}
			t.Add(p.name, fmt.Sprint(m), lab.Percent(found[0].Share()), lab.Percent(found[0].SE()),
				lab.Percent(found[1].Share()), lab.Percent(found[1].SE()))
			done()
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("The largest is %s%% (%s).", lab.Percent(worst.Share()),
		where))
	return &study.Report{Tables: []study.Table{t}}, nil
}

// draw makes one draw, and counts whether mean ranks and sign tests find a difference.
func (p pooling) draw(rng *rand.Rand, sets, m int, hit []int) error {
	equal := p.equal(m)
	scores := make([][]float64, sets)
	for i := range scores {
		row := make([]float64, m)
		for j := range equal {
			row[j] = rng.NormFloat64()
		}
		p.place(row[:equal], row[equal:])
		scores[i] = row
	}
	ranks, err := across.MeanRanks(scores, unit.Higher)
	if err != nil {
		return err
	}
	byRanks, bySigns := false, false
	for _, pair := range ranks.Pairs {
		if pair.J >= equal {
			continue
		}
		byRanks = byRanks || pair.Bonferroni <= paper.Level
		sign, err := across.SignTest(columnOf(scores, pair.I), columnOf(scores, pair.J), stat.TwoSided,
			across.SignOptions{})
		if err != nil {
			return err
		}
		bySigns = bySigns || sign.P*float64(len(ranks.Pairs)) <= paper.Level
	}
	hit[0] += lab.Indicator(byRanks)
	hit[1] += lab.Indicator(bySigns)
	return nil
}
