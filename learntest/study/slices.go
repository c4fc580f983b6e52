package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// sliceSets is the number of data sets of each setting in a full study.
const sliceSets = 600

func slicesStudy() Study {
	return Study{
		Name: "slices",
		Doc:  "how often a difference on a slice of the examples is shown where there is none, at the 5% level, and where there is one",
		Run:  configured(runSlices),
	}
}

// A visit is an example with two halves of attributes, and the number of its group.
type visit struct {
	A, B  [2]float64
	Group int
}

// A sliceSetting is a learner under a protocol. The candidate sees one half of the attributes, the
// baseline the other one.
type sliceSetting struct {
	learner  string
	n        int // examples
	sizes    []int
	protocol split.Protocol
	group    int     // examples of a group; 0 if there are none
	better   float64 // how much larger the distance of the classes is in the candidate's half
}

func sliceSettings() []sliceSetting {
	cv, groups := split.TenByTen(), split.Groups(10, 10)
	return []sliceSetting{
		{"centroid", 300, []int{10, 15, 30, 60, 150, 300}, cv, 0, 0},
		{"centroid", 1000, []int{33, 50, 100, 300, 1000}, cv, 0, 0},
		{"1-NN", 300, []int{10, 15, 30, 60, 150, 300}, cv, 0, 0},
		{"naive Bayes", 300, []int{10, 15, 30, 60, 150, 300}, cv, 0, 0},
		{"centroid, groups of 5", 300, []int{10, 15, 30, 60, 150, 300}, groups, 5, 0},
		{"centroid, 50 subsamples", 300, []int{10, 15, 30, 60, 150, 300}, split.Subsample(50, 0.9), 0, 0},
		{"1-NN, 50 subsamples", 300, []int{30, 60, 150, 300}, split.Subsample(50, 0.9), 0, 0},
		{"centroid, power", 1000, []int{30, 60, 100, 300, 1000}, cv, 0, 0.35},
	}
}

// draw draws the examples of a setting, in balanced classes. Slices are the first so many of
// them, or of each group's: which examples they are says nothing of these.
func (s *sliceSetting) draw(r *rand.Rand) *learntest.ExampleSet[visit, string] {
	xs, ys := make([]visit, s.n), make([]string, s.n)
	var common [4]float64
	for i := range xs {
		if s.group > 0 && i%s.group == 0 {
			for k := range common {
				common[k] = 0.5 * r.NormFloat64()
			}
		}
		x, y := &xs[i], i%2
		ys[i] = strconv.Itoa(y)
		for k := range 2 {
			x.A[k] = r.NormFloat64() + common[k] + float64((0.7+s.better)*float64(y))
			x.B[k] = r.NormFloat64() + common[2+k] + float64(0.7*float64(y))
		}
		if s.group > 0 {
			x.Group = i / s.group
		}
	}
	index := make([]int, s.n)
	for place, i := range r.Perm(s.n) {
		index[i] = place
	}
	data := learntest.Examples("visits", xs, ys)
	for _, size := range s.sizes {
		i := -1
		data = data.WithSlice(strconv.Itoa(size), func(visit) bool { i++; return index[i] < size })
	}
	if s.group > 0 {
		names := make([]string, s.n)
		for i := range names {
			names[i] = strconv.Itoa(xs[i].Group)
		}
		data = data.WithGroups(names)
	}
	return data
}

// A halfVisit is one half of the attributes.
type halfVisit struct{ X, Y float64 }

// halfOf returns the first or the second half of the attributes.
func halfOf(second bool) func(visit) halfVisit {
	return func(x visit) halfVisit {
		if second {
			return halfVisit{x.B[0], x.B[1]}
		}
		return halfVisit{x.A[0], x.A[1]}
	}
}

// pair returns the learner on each half of the attributes.
func (s *sliceSetting) pair() []learntest.Learner[visit, string] {
	var pair []learntest.Learner[visit, string]
	for _, second := range []bool{false, true} {
		half := halfOf(second)
		var l learntest.Learner[visit, string]
		if strings.HasPrefix(s.learner, "naive Bayes") {
			l = learntest.Map(learntest.Tabulate[halfVisit,
				string](learntest.FromClassifier(naivebayes.New(naivebayes.Config{}))), half)
		} else {
			fit := fitCentroids
			if strings.HasPrefix(s.learner, "1-NN") {
				fit = fitNearest
			}
			l = learntest.Func("", func(_ context.Context, train learntest.Sample[visit, string],
				_ uint64,
			) (func(visit) string, error) {
				at := func(x visit) point { h := half(x); return point{h.X, h.Y} }
				xs, ys, of := make([]point, train.Len()), make([]bool, train.Len()), make([]int, train.Len())
				for i := range xs {
					xs[i], ys[i], of[i] = at(train.Example(i)), train.Class(i) == 1, i
				}
				predict := fit(xs, ys, of)
				return func(x visit) string { return strconv.Itoa(lab.Indicator(predict(at(x)))) }, nil
			})
		}
		l.Name = []string{"candidate", "baseline"}[lab.Indicator(second)]
		pair = append(pair, l)
	}
	return pair
}

// sliceTests are the estimates that are tried: the numbers of rejections of each size.
var sliceTests = []string{"sums", "linearised", "df of the cells", "means of folds"}

// try runs the setting on a data set, and returns which tests show a difference on each slice.
func (s *sliceSetting) try(ctx context.Context, seed uint64) ([][]bool, error) {
	data := s.draw(rand.New(rand.NewPCG(seed, 0x51ce)))
	cfg := learntest.Config{
		Protocol: s.protocol.WithSeed(seed), Parallel: 1,
		AllowNondeterminism: true,
	}
	records, err := learntest.Run(ctx, []learntest.Data[visit, string]{data}, s.pair(), cfg)
	if err != nil {
		return nil, err
	}
	if failed := records.Failures(); len(failed) > 0 {
		return nil, fmt.Errorf("%v: %s", failed[0].Cell(), failed[0].Err)
	}
	shown := make([][]bool, len(s.sizes))
	for k, size := range s.sizes {
		p, err := record.Pair(records.Of("visits", "candidate"), records.Of("visits", "baseline"),
			unit.OfSlice("accuracy", strconv.Itoa(size)))
		if err != nil {
			return nil, err
		}
		if shown[k], err = showSlice(p); err != nil {
			return nil, fmt.Errorf("slice of %d examples: %w", size, err)
		}
	}
	return shown, nil
}

// showSlice returns which of the tests show a difference.
func showSlice(p *record.Pairs) ([]bool, error) {
	sums, train, tested := make([]float64, len(p.A)), 0., 0.
	plain := stat.Differences{Runs: p.Runs, Folds: p.Folds, X: make([]float64, len(p.A))}
	var means []float64
	for i := range p.A {
		plain.X[i] = p.A[i] - p.B[i]
		sums[i] = plain.X[i] * float64(p.Slice.Members) / p.Slice.Scale
		if n := p.Slice.Counts[i]; n > 0 {
			means = append(means, sums[i]/float64(n))
		}
		train, tested = train+float64(p.TrainN[i]), tested+float64(p.TestN[i])
	}
	plain.Ratio = tested / train
	linear, err := stat.Slice{Members: p.Slice.Members, Counts: p.Slice.Counts}.Linearise(sums,
		p.Runs, p.Folds)
	if err != nil {
		return nil, err
	}
	linear.Ratio, linear.LeastVariance = plain.Ratio, 0
	cells := linear
	cells.Members = 0
	shown := make([]bool, len(sliceTests))
	for i, d := range []stat.Differences{plain, linear, cells, {
		Runs: len(means), Folds: 1, X: means,
		Ratio: plain.Ratio,
	}} {
		r, err := stat.CorrectedResampledTTest(d, stat.TwoSided)
		if err != nil {
			return nil, err
		}
		shown[i] = r.P <= gateLevel
	}
	if p.Slice.Members >= verdict.LeastMembers { // what a claim says
		v := verdict.Judge(p, verdict.Claim{}, verdict.Bare)
		if v.Err != nil {
			return nil, v.Err
		}
		if shown[1] = v.Significance() != 0; v.Difference.Result.DF != min(float64(len(p.A)),
			float64(p.Slice.Members))-1 {
			return nil, fmt.Errorf("%v degrees of freedom", v.Difference.Result.DF)
		}
	}
	return shown, nil
}

func runSlices(ctx context.Context, cfg lab.Config) (*Report, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.Store != "" {
		return nil, fmt.Errorf("%w: it keeps no scores", ErrConfig)
	}
	sets, all := cfg.SetsOr(8, sliceSets), sliceSettings()
	done := cfg.Counter(sets * len(all))
	t := Table{
		Title: "Differences on slices",
		Notes: []string{fmt.Sprintf("Shares of data sets, in percent, on which a difference is shown at the 5%% level. Candidate and baseline see two halves of the attributes that tell as much, except in the rows of power; slices are the examples of a random subset. Tests: of the sums of each fold (k/n)·s; of the linearised ratio, as in claims; of that ratio with the degrees of freedom of all cells; of the means of folds, without folds that have no member. %d data sets each. ± is the Monte Carlo error at 5%%: %.1f.",
			sets, 100*math.Sqrt(0.05*0.95/float64(sets)))},
		Columns: append([]string{"learner, examples, of the slice"}, sliceTests...),
	}
	for k := range all {
		s := &all[k]
		shown := make([][][]bool, sets)
		l, err := lab.Open(lab.Config{Seed: cfg.Seed, Parallel: cfg.Parallel}, sets)
		if err != nil {
			return nil, err
		}
		if err := l.Share(ctx, sets, func(ctx context.Context, i int, _ lab.Desk) error {
			var err error
			shown[i], err = s.try(ctx, lab.Derive(cfg.Seed, k, i))
			done()
			return err
		}); err != nil {
			return nil, fmt.Errorf("%s: %w", s.learner, err)
		}
		for j, size := range s.sizes {
			counts := make([]int, len(sliceTests))
			for _, of := range shown {
				for c := range counts {
					counts[c] += lab.Indicator(of[j][c])
				}
			}
			row := []string{fmt.Sprintf("%s, %d, %d", s.learner, s.n, size)}
			for _, n := range counts {
				row = append(row, fmt.Sprintf("%.1f", 100*float64(n)/float64(sets)))
			}
			t.Add(row...)
		}
	}
	return &Report{Tables: []Table{t}}, nil
}
