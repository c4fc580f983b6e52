// Package bouckaert2004 reproduces R. R. Bouckaert and E. Frank (2004), "Evaluating the
// replicability of significance tests for comparing learning algorithms".
package bouckaert2004

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/learnbench/learnbench/papers/internal/shelf"
	"github.com/learnbench/learnbench/papers/internal/simulation"
	"golang.org/x/sync/errgroup"
)

// bfPaper begins the titles of its studies.
const bfPaper = "Bouckaert & Frank 2004, "

// bfSets are the data sets of table 1.
func bfSets() []shelf.Set {
	var sets []shelf.Set
	for _, name := range []string{
		"anneal", "arrhythmia", "audiology", "autos", "balance-scale", "breast-cancer", "credit-rating",
		"ecoli", "german-credit",
		"glass", "heart-statlog", "hepatitis", "horse-colic", "hungarian", "ionosphere", "iris", "labor",
		"lymphography", "pima-diabetes",
		"primary-tumor", "sonar", "soybean", "vehicle", "vote", "vowel", "wisconsin-breast-cancer", "zoo",
	} {
		s := shelf.Set{Name: name}
		if name == "zoo" {
			s.Derive = shelf.Without("animal") // 16 attributes in the paper
		}
		sets = append(sets, s)
	}
	return sets
}

// The partitionings of the paper, by index.
const (
	bfTwoFolds = iota
	bfTenFolds
	bfResampled
	bfStratified
	bfPartitionings
)

func bfPartitioning(i int) shelf.Partitioning {
	protocols := [bfPartitionings]split.Protocol{
		split.FiveByTwo(), split.TenByTen(), split.Subsample(100, 0.9),
		split.Subsample(100, 0.9).Stratified(true),
	}
	return shelf.Partitioning{Protocol: protocols[i], Parts: simulation.Repeats}
}

// bfPairs are the comparisons of the paper, by their names in its tables, of bfSubjects.
var bfPairs = []struct {
	name string
	a, b int
}{{"NB vs C4.5", 0, 1}, {"NB vs NN", 0, 2}, {"C4.5 vs NN", 1, 2}}

func bfSubjects() []lab.Subject { return []lab.Subject{lab.Bayes(), lab.Tree(), lab.IB1()} }

// A bfTest is one that the paper applies ten times to each data set: to the first so many
// runs of each part.
type bfTest struct {
	column       string // of its table in print
	test         string
	partitioning int
	runs         int
	alpha        float64
}

func bfTable1Tests() []bfTest { return []bfTest{{"5×2 cv", "5x2cv-t", bfTwoFolds, 5, paper.Level}} }

func bfResamplingTests(partitioning int) []bfTest {
	var tests []bfTest
	for _, runs := range []int{10, 20, 50, 100} {
		tests = append(tests, bfTest{
			fmt.Sprint(runs), "corrected-resampled-t", partitioning,
			runs, paper.Level,
		})
	}
	return tests
}

func bfTable3Tests() []bfTest {
	var tests []bfTest
	for _, runs := range []int{1, 2, 5, 10} {
		tests = append(tests, bfTest{fmt.Sprint(runs), "corrected-cv-t", bfTenFolds, runs, paper.Level})
	}
	return tests
}

func bfTable4Tests() []bfTest {
	var tests []bfTest
	for _, alpha := range []float64{0.01, 0.025, paper.Level, 0.1} {
		tests = append(tests, bfTest{fmt.Sprint(alpha), "corrected-cv-t", bfTenFolds, 10, alpha})
	}
	return tests
}

func bfTextTests() []bfTest {
	return []bfTest{
		{"10-fold cv", "paired-t", bfTenFolds, 1, paper.Level},
		{"10×10 cv", "paired-t", bfTenFolds, 10, paper.Level},
	}
}

// redraws is how often the partitions are drawn again to know what depends on them.
const redraws = 100

// A bfOutcome is how often a test rejects on each data set: in all, in favour of the second
// learner, and with partitions that are drawn again.
type bfOutcome struct {
	rejections []int
	second     []int
	redrawn    [redraws][]int
}

// A bf has the results of the paper's experiments.
type bf struct {
	shelf    shelf.Shelf
	found    []shelf.Scored
	place    [bfPartitionings]int // in the scores of each set; -1 if not trained
	seed     uint64
	parallel int
}

// trainBF trains by some of the partitionings.
func trainBF(ctx context.Context, cfg lab.Config, used [bfPartitionings]bool) (*bf, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.Sets != 0 {
		return nil, fmt.Errorf("%w: it has no number of data sets to choose", lab.ErrConfig)
	}
	b := &bf{seed: cfg.Seed, parallel: cfg.Parallel}
	if b.shelf, err = shelf.Open(cfg, bfSets()); err != nil {
		return nil, err
	}
	var ps []shelf.Partitioning
	for i := range used {
		b.place[i] = -1
		if used[i] {
			b.place[i] = len(ps)
			ps = append(ps, bfPartitioning(i))
		}
	}
	b.found, err = b.shelf.Score(ctx, cfg, ps, bfSubjects())
	return b, err
}

// outcomes applies tests to the comparisons: by pair and test.
func (b *bf) outcomes(ctx context.Context, tests []bfTest) ([][]bfOutcome, error) {
	found := make([][]bfOutcome, len(bfPairs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(b.parallel)
	for p := range bfPairs {
		found[p] = make([]bfOutcome, len(tests))
		for i, test := range tests {
			o := &found[p][i]
			n := len(b.shelf.Sets)
			o.rejections, o.second = make([]int, n), make([]int, n)
			for r := range o.redrawn {
				o.redrawn[r] = make([]int, n)
			}
			for s := range n {
				g.Go(func() error {
					if err := context.Cause(ctx); err != nil {
						return err
					}
					if err := b.outcome(test, p, s, o); err != nil {
						return fmt.Errorf("data set %s, %s, %s: %w", b.shelf.Sets[s].Name, bfPairs[p].name, test.test,
							err)
					}
					return nil
				})
			}
		}
	}
	return found, g.Wait()
}

// outcome applies a test to the comparison of a pair on a data set.
func (b *bf) outcome(test bfTest, pair, set int, o *bfOutcome) error {
	t := stat.MustLookup(test.test)
	protocol := bfPartitioning(test.partitioning).Protocol
	parts := make([]stat.Differences, simulation.Repeats)
	var whole stat.Differences
	for i := range parts {
		d := b.found[set].Differences(b.place[test.partitioning], i, bfPairs[pair].a, bfPairs[pair].b,
			protocol.Runs())
		whole.Folds, whole.Ratio, whole.Scale = d.Folds, d.Ratio, max(whole.Scale, d.Scale)
		whole.X = append(whole.X, d.X...)
		whole.Runs += d.Runs
		parts[i] = lab.Part(d, 0, test.runs)
	}
	for _, d := range parts {
		r, err := t.Run(d, stat.TwoSided)
		if err != nil {
			return err
		}
		o.rejections[set] += lab.Indicator(r.P <= test.alpha)
		o.second[set] += lab.Indicator(r.P <= test.alpha && r.Statistic < 0)
	}
	all := &lab.Pool{All: whole}
	rng := rand.New(rand.NewPCG(lab.Derive(b.seed, 81, set, pair, test.partitioning, test.runs),
		0xe7037ed1a0b428db))
	d := all.Room(test.runs)
	for i := range o.redrawn {
		for range simulation.Repeats {
			all.Draw(rng, &d)
			r, err := t.Run(d, stat.TwoSided)
			if err != nil {
				return err
			}
			o.redrawn[i][set] += lab.Indicator(r.P <= test.alpha)
		}
	}
	return nil
}

// A bfSummary is the foot of a column, with the errors that its figures have because
// partitions are drawn at random.
type bfSummary struct {
	replicate.Consistency
	se [3]float64 // of consistent, almost consistent, and R
}

func (o *bfOutcome) summary() (bfSummary, error) {
	c, err := replicate.ReplicabilityOver(o.rejections, simulation.Repeats)
	if err != nil {
		return bfSummary{}, err
	}
	s := bfSummary{Consistency: c}
	var of [3]lab.Mean
	for _, k := range o.redrawn {
		c, err := replicate.ReplicabilityOver(k, simulation.Repeats)
		if err != nil {
			return s, err
		}
		for i, x := range figures(c) {
			of[i].Add(x)
		}
	}
	for i := range of {
		s.se[i] = of[i].SE() * math.Sqrt(float64(of[i].N))
	}
	return s, nil
}

// bfMeasures are the rows of each pair, by their names in print.
var bfMeasures = [3]string{"consistent", "almost consistent", "R"}

func figures(c replicate.Consistency) [3]float64 {
	return [3]float64{float64(c.Consistent), float64(c.AlmostConsistent), c.R}
}
