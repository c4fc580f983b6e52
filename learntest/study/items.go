package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
)

func itemsStudy() Study {
	return Study{
		Name: "items",
		Doc:  "tests of fixed systems on items: false alarms with clusters and with repeats, and false passes at a margin",
		Run:  configured(runItems),
	}
}

// itemsSets and itemsMarginSets are the numbers of data sets of each cell in a full study.
const itemsSets, itemsMarginSets = 2000, 500

// An itemsCell counts on how many data sets each of several tests rejects its null hypothesis.
type itemsCell struct {
	sets    int
	tests   int
	draw    func(r *rand.Rand, reject []bool) error // judges a data set
	rejects []int
}

func (c *itemsCell) measure(r *rand.Rand) error {
	c.rejects = make([]int, c.tests)
	reject := make([]bool, c.tests)
	for range c.sets {
		clear(reject)
		if err := c.draw(r, reject); err != nil {
			return err
		}
		for i, yes := range reject {
			c.rejects[i] += lab.Indicator(yes)
		}
	}
	return nil
}

// percent returns on how many data sets a test rejects.
func (c *itemsCell) percent(test int) float64 {
	return 100 * float64(c.rejects[test]) / float64(c.sets)
}

// An itemsTable has the cells of a table, and prints them once they are measured.
type itemsTable struct {
	cells []*itemsCell
	print func() Table
}

func runItems(ctx context.Context, cfg lab.Config) (_ *Report, err error) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return nil, err
	}
	if cfg.Store != "" {
		return nil, fmt.Errorf("%w: it keeps no scores", ErrConfig)
	}
	sets, margins := cfg.SetsOr(20, itemsSets), cfg.SetsOr(10, itemsMarginSets)
	tables := []itemsTable{
		clusterLevels(sets), marginLevels(margins), brokenClusters(sets),
		repeatLevels(sets), sizeLevels(sets),
	}
	var cells []*itemsCell
	for _, t := range tables {
		cells = append(cells, t.cells...)
	}
	l, err := lab.Open(cfg, len(cells))
	if err != nil {
		return nil, err
	}
	defer l.Close(&err)
	err = l.Share(ctx, len(cells), func(_ context.Context, i int, _ lab.Desk) error {
		return cells[i].measure(rand.New(rand.NewPCG(lab.Derive(cfg.Seed, 32, i), 1)))
	})
	if err != nil {
		return nil, err
	}
	report := &Report{}
	for _, t := range tables {
		report.Tables = append(report.Tables, t.print())
	}
	return report, nil
}

// ofSets describes the number of data sets of a table, with their Monte Carlo error at a level of
// 5%.
func ofSets(sets int) string {
	return fmt.Sprintf("%d data sets a cell; ± %.1f at 5%%.", sets,
		100*math.Sqrt(0.05*0.95/float64(sets)))
}

// An itemScore draws the difference between two equally good systems on an item.
type itemScore struct {
	name  string
	whole bool // the items of a cluster are all equal or all independent
	draw  func(r *rand.Rand) float64
}

func itemScores() []itemScore {
	half := func(r *rand.Rand) float64 {
		x := r.Float64()
		return float64(lab.Indicator(x < 0.6)+lab.Indicator(x < 0.8)) / 2
	}
	return []itemScore{
		{"normal", false, func(r *rand.Rand) float64 { return r.NormFloat64() }},
		{"all differ", true, func(r *rand.Rand) float64 { return float64(2*r.IntN(2) - 1) }},
		{"0, ½, 1", true, func(r *rand.Rand) float64 { return half(r) - half(r) }},
	}
}

// sample draws the differences of items in clusters of the given sizes.
func (s itemScore) sample(r *rand.Rand, sizes []int, icc float64) itemwise.Data {
	var d itemwise.Data
	if s.whole {
		d.Range = itemwise.Range{Least: -1, Most: 1}
	}
	for g, size := range sizes {
		shared, whole := s.draw(r), r.Float64() < icc
		for range size {
			x := s.draw(r)
			switch {
			case !s.whole:
				x = float64(math.Sqrt(icc)*shared) + float64(math.Sqrt(1-icc)*x)
			case whole:
				x = shared
			}
			d.Differences, d.Clusters = append(d.Differences, x), append(d.Clusters, g)
		}
	}
	return d
}

// clusterSizes draws the numbers of items in clusters.
var clusterSizes = []struct {
	name string
	draw func(r *rand.Rand, clusters int) []int
}{
	{"equal", func(_ *rand.Rand, clusters int) []int {
		return sizesOf(clusters,
			func(int) int { return 10 })
	}},
	{"lognormal", func(r *rand.Rand, clusters int) []int {
		return sizesOf(clusters, func(int) int {
			return max(1,
				int(math.Round(10*math.Exp(r.NormFloat64()))))
		})
	}},
	{"one with half", func(_ *rand.Rand, clusters int) []int {
		return sizesOf(clusters, func(g int) int {
			if g == 0 {
				return 10 * (clusters - 1)
			}
			return 10
		})
	}},
}

func sizesOf(clusters int, size func(g int) int) []int {
	sizes := make([]int, clusters)
	for g := range sizes {
		sizes[g] = size(g)
	}
	return sizes
}

// clusterCorrelations are the correlations of the items of a cluster.
var clusterCorrelations = []float64{0, 0.2, 0.8}

var clusterNumbers = []int{5, 10, 20, 50}

// clusterLevels measures tests of whether two equally good systems differ.
func clusterLevels(sets int) itemsTable {
	names := []string{
		"items alone", "CR1, t(G−1)", "CR2, t(G−1)", "means of clusters", "items-t",
		"items-t, weights by cluster", "cluster-flip",
	}
	var t itemsTable
	for _, sizes := range clusterSizes {
		for _, clusters := range clusterNumbers {
			for _, score := range itemScores() {
				for _, icc := range clusterCorrelations {
					t.cells = append(t.cells, &itemsCell{
						sets: sets, tests: len(names),
						draw: func(r *rand.Rand, reject []bool) error {
							return judgeClusters(score.sample(r, sizes.draw(r, clusters), icc), clusters, reject)
						},
					})
				}
			}
		}
	}
	t.print = func() Table {
		table := Table{
			Title: "False alarms with clusters",
			Notes: []string{
				"Two systems are equally good; the differences on the items of a cluster have the correlation 0, 0.2 or 0.8. They are normal; or 1 and −1; or differences of the scores 0, ½ and 1, where a cluster with a correlation is all equal or all independent. Clusters have 10 items; or a lognormal number with median 10 and σ = 1; or one has as many as all others. In percent, how often each test finds a difference at the 5% level, two-sided: the largest share of the three correlations. " + ofSets(sets),
				"`items alone` is the paired t test as if there were no clusters; CR1 is the usual cluster-robust standard error, with one degree of freedom less than the clusters; `means of clusters` answers another question, in which clusters weigh equally; items-t is the test of this module, by the mean over items or, with weights by cluster, over the clusters' means. cluster-flip takes six clusters or more; its 100,000 random signs for 50 clusters would take this study hours.",
			},
			Columns: append([]string{"sizes, clusters, scores"}, names...),
		}
		cells := t.cells
		for _, sizes := range clusterSizes {
			for _, clusters := range clusterNumbers {
				for _, score := range itemScores() {
					row := []string{fmt.Sprintf("%s, %d, %s", sizes.name, clusters, score.name)}
					for test := range names {
						worst := 0.0
						for _, c := range cells[:len(clusterCorrelations)] {
							worst = max(worst, c.percent(test))
						}
						if test == len(names)-1 && !isFlipped(clusters) {
							row = append(row, "–")
							continue
						}
						row = append(row, lab.Figure(worst, 1))
					}
					table.Add(row...)
					cells = cells[len(clusterCorrelations):]
				}
			}
		}
		return table
	}
	return t
}

// isFlipped reports whether clusterLevels measures the test that flips clusters.
func isFlipped(clusters int) bool { return clusters >= itemwise.LeastFlipped && clusters <= 20 }

// judgeClusters tests the differences of items in numbered clusters by the tests of clusterLevels.
func judgeClusters(d itemwise.Data, clusters int, reject []bool) error {
	alone, err := stat.PairedTTest(stat.Differences{
		Runs: 1, Folds: len(d.Differences),
		X: d.Differences,
	}, stat.TwoSided)
	if err != nil {
		return err
	}
	sums, sizes := make([]float64, clusters), make([]float64, clusters)
	for i, g := range d.Clusters {
		sums[g] += d.Differences[i]
		sizes[g]++
	}
	squares, means := 0.0, stat.Differences{Runs: 1, Folds: clusters, X: make([]float64, clusters)}
	for g := range sums {
		u := sums[g] - float64(sizes[g]*alone.Mean)
		squares += float64(u * u)
		means.X[g] = sums[g] / sizes[g]
	}
	equal, err := stat.PairedTTest(means, stat.TwoSided)
	if err != nil {
		return err
	}
	s, err := itemwise.Prepare(d)
	if err != nil {
		return err
	}
	r, err := s.Test(0, stat.TwoSided)
	if err != nil {
		return err
	}
	t, err := stat.StudentT(float64(clusters - 1))
	if err != nil {
		return err
	}
	reject[0], reject[3], reject[4] = alone.P <= gateLevel, equal.P <= gateLevel, r.P <= gateLevel
	if isFlipped(clusters) {
		flipped, err := itemwise.ClusterFlip(d, stat.TwoSided)
		if err != nil {
			return err
		}
		reject[6] = flipped.P <= gateLevel
	}
	d.Weight = itemwise.ByCluster
	weighed, err := itemwise.Prepare(d)
	if err != nil {
		return err
	}
	byCluster, err := weighed.Test(0, stat.TwoSided)
	if err != nil {
		return err
	}
	reject[5] = byCluster.P <= gateLevel
	if r.SE == 0 {
		reject[1], reject[2] = r.Mean != 0, r.Mean != 0
		return nil
	}
	g := float64(clusters)
	for i, se := range []float64{math.Sqrt(squares*g/(g-1)) / float64(len(d.Differences)), r.SE} {
		p, err := t.P(r.Mean/se, stat.TwoSided)
		if err != nil {
			return err
		}
		reject[1+i] = p <= gateLevel
	}
	return nil
}
