package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// atLeastSets is the number of data sets of each cell in a full study.
const atLeastSets = 2000

func atLeastStudy() Study {
	return Study{
		Name: "at-least",
		Doc:  "how often a claim that a learner scores at least its true expected accuracy is shown, at the 5% level",
		Run:  configured(runAtLeast),
	}
}

// A point has the attributes of an example.
type point [5]float64

func (x point) squaredDistance(y point) float64 {
	sum := 0.0
	for k := range x {
		sum += float64((x[k] - y[k]) * (x[k] - y[k]))
	}
	return sum
}

// A twoClasses is two normal classes, equally frequent, with a distance of their centers in the
// first attribute.
type twoClasses struct {
	name     string
	distance float64
}

// sourcesOfTwo are the sources: the best accuracy is 0.75 on the first, and 0.942 on the second.
func sourcesOfTwo() []twoClasses { return []twoClasses{{"hard", 1.349}, {"easy", 3.14}} }

// A pointLearner predicts the class of a point from other points.
type pointLearner struct {
	name string
	fit  func(xs []point, ys []bool, of []int) func(x point) bool
}

func pointLearners() []pointLearner {
	return []pointLearner{{"centroid", fitCentroids}, {"1-NN", fitNearest}, {"3-NN", fitThree}}
}

// fitCentroids predicts the class of the nearer center.
func fitCentroids(xs []point, ys []bool, of []int) func(point) bool {
	var center [2]point
	var n [2]float64
	for _, i := range of {
		n[lab.Indicator(ys[i])]++
	}
	for _, i := range of {
		c := lab.Indicator(ys[i])
		for k := range center[c] {
			center[c][k] += xs[i][k] / n[c]
		}
	}
	return func(x point) bool {
		return n[0] == 0 || n[1] > 0 && x.squaredDistance(center[1]) < x.squaredDistance(center[0])
	}
}

// fitNearest predicts the class of the nearest point, and fitThree asks three.
func fitNearest(xs []point, ys []bool, of []int) func(point) bool {
	return nearest(xs, ys, of, 1)
}

func fitThree(xs []point, ys []bool, of []int) func(point) bool {
	return nearest(xs, ys, of, 3)
}

func nearest(xs []point, ys []bool, of []int, k int) func(point) bool {
	return func(x point) bool {
		best, votes := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]bool{}
		for _, i := range of {
			d, y := x.squaredDistance(xs[i]), ys[i]
			for j := range k {
				if d < best[j] {
					best[j], d = d, best[j]
					votes[j], y = y, votes[j]
				}
			}
		}
		yes := 0
		for _, v := range votes[:k] {
			yes += lab.Indicator(v)
		}
		return 2*yes > k
	}
}

// score runs 10×10 cross-validation of all learners on n points.
func (p twoClasses) score(r *rand.Rand, n int, learners []pointLearner) [][][]float64 {
	xs, ys := make([]point, n), make([]bool, n)
	for i := range xs {
		ys[i] = r.IntN(2) == 1
		for k := range xs[i] {
			xs[i][k] = r.NormFloat64()
		}
		xs[i][0] += p.distance * float64(lab.Indicator(ys[i]))
	}
	const runs, folds = 10, 10
	all := make([][][]float64, len(learners))
	for range runs {
		order := r.Perm(n)
		for l := range all {
			all[l] = append(all[l], nil)
		}
		for f := range folds {
			lo, hi := f*n/folds, (f+1)*n/folds
			train := append(append([]int{}, order[:lo]...), order[hi:]...)
			for l, learner := range learners {
				predict, hits := learner.fit(xs, ys, train), 0
				for _, i := range order[lo:hi] {
					hits += lab.Indicator(predict(xs[i]) == ys[i])
				}
				all[l][len(all[l])-1] = append(all[l][len(all[l])-1], float64(hits)/float64(hi-lo))
			}
		}
	}
	return all
}

// pairsOf returns the scores as package verdict takes them.
func pairsOf(scores [][]float64, n int) *record.Pairs {
	h := &record.Header{Protocol: "cv runs=10 folds=10 unstratified seed=1 v1"}
	p := &record.Pairs{
		Data: "points", Candidate: "learner", Baseline: "learner", CandidateHeader: h, BaselineHeader: h,
		Unit: unit.Unit{Name: "accuracy", Better: unit.Higher, Max: 1}, Runs: len(scores),
		Folds: len(scores[0]),
	}
	for _, run := range scores {
		for f, x := range run {
			size := (f+1)*n/len(run) - f*n/len(run)
			p.A, p.B = append(p.A, x), append(p.B, x)
			p.TrainN, p.TestN = append(p.TrainN, int32(n-size)), append(p.TestN, int32(size))
		}
	}
	return p
}

func runAtLeast(ctx context.Context, cfg lab.Config) (*Report, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.Store != "" {
		return nil, fmt.Errorf("%w: it keeps no scores", ErrConfig)
	}
	sets, sizes := cfg.SetsOr(20, atLeastSets), []int{50, 100, 300}
	learners := pointLearners()
	done := cfg.Counter(sets * len(sizes) * len(sourcesOfTwo()))
	t := Table{
		Title: "False claims of a score",
		Notes: []string{fmt.Sprintf("Shares of data sets, in percent, on which a claim of at least the true expected accuracy is shown at the 5%% level, by parts of the rule and by all of it (both); and on which the upper bound is below the truth (refuted). %d data sets each, 10×10 cross-validation; the truth is the mean of all estimates. ± is the Monte Carlo error at 5%%: %.1f.",
			sets, 100*math.Sqrt(0.05*0.95/float64(sets)))},
		Columns: []string{
			"learner, source, examples", "truth", "t", "t, ratio .18", "Wilson", "both",
			"both, ratio .18", "refuted",
		},
	}
	for k, p := range sourcesOfTwo() {
		for s, n := range sizes {
			scores := make([][][][]float64, sets)
			var workers sync.WaitGroup
			next := make(chan int)
			for range cfg.Parallel {
				workers.Go(func() {
					for i := range next {
						scores[i] = p.score(rand.New(rand.NewPCG(cfg.Seed, uint64(k)<<40|uint64(s)<<32|uint64(i))), n,
							learners)
						done()
					}
				})
			}
			for i := 0; i < sets && ctx.Err() == nil; i++ {
				next <- i
			}
			close(next)
			workers.Wait()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for l, learner := range learners {
				row, err := levelRow(fmt.Sprintf("%s, %s, %d", learner.name, p.name, n), scores, l, n)
				if err != nil {
					return nil, err
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return &Report{Tables: []Table{t}}, nil
}

// levelRow counts the claims of a learner's true expected accuracy.
func levelRow(name string, scores [][][][]float64, learner, n int) ([]string, error) {
	truth, count := 0.0, 0.0
	for _, s := range scores {
		for _, run := range s[learner] {
			for _, x := range run {
				truth, count = truth+x, count+1
			}
		}
	}
	truth /= count
	var t, wide, wilson, both, bothWide, refuted int
	for _, s := range scores {
		p := pairsOf(s[learner], n)
		v := verdict.Judge(p, verdict.Claim{Kind: verdict.AtLeast, Threshold: truth}, verdict.Bare)
		w := verdict.Judge(p, verdict.Claim{
			Kind: verdict.AtLeast, Threshold: truth,
			Test: stat.CorrectedCVT(0.18),
		}, verdict.Bare)
		if v.Err != nil || w.Err != nil {
			return nil, fmt.Errorf("%s: %w", name, v.Err)
		}
		t += lab.Indicator(v.Level.T.P <= gateLevel)
		wide += lab.Indicator(w.Level.T.P <= gateLevel)
		wilson += lab.Indicator(v.Level.WilsonP <= gateLevel)
		both += lab.Indicator(v.Holds)
		bothWide += lab.Indicator(w.Holds)
		refuted += lab.Indicator(v.Level.Ceiling < truth)
	}
	row := []string{name, fmt.Sprintf("%.3f", truth)}
	for _, k := range []int{t, wide, wilson, both, bothWide, refuted} {
		row = append(row, fmt.Sprintf("%.1f", 100*float64(k)/float64(len(scores))))
	}
	return row, nil
}
