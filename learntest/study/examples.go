package study

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

func examplesStudy() Study {
	return Study{
		Name: "examples",
		Doc:  "margins held against the scores of folds, and against each example as well: false passes and power, of learners that train",
		Run:  configured(runExamples),
	}
}

// examplesSets is the number of data sets of each setting in a full study, and fixedSets of each
// row of fixed rules.
const examplesSets, fixedSets = 400, 4000

const exampleRuns = 10

// An exampleSetting is a learner on data sets of n examples with two classes of equal frequency.
// Attributes are normal with variance 1, their means apart by shift; the learner sees two of them.
type exampleSetting struct {
	learner string
	new     func() learner.Classifier
	shift   float64
	n       int
}

func exampleSettings() []exampleSetting {
	var all []exampleSetting
	for _, s := range []exampleSetting{
		{"linear", func() learner.Classifier { return centroids{} }, 1, 0},
		{"naive Bayes", lab.NewBayes, 1, 0},
		{"tree", lab.NewTree, 1, 0},
		{"1-NN", func() learner.Classifier { return neighbor.New(neighbor.Config{}) }, 1, 0},
		{"tree, hard data", lab.NewTree, 0.4, 0},
	} {
		for _, n := range []int{50, 100, 300, 1000} {
			s.n = n
			all = append(all, s)
		}
	}
	return all
}

var exampleMargins = []float64{0.005, 0.01, 0.02, 0.05}

// The variants of a learner that are trained: on two attributes, on two others that tell as much,
// and on the first two with less distance between the classes, one for each margin.
const firstTwo, otherTwo, weaker = 0, 1, 2

// weakened returns the distance between the classes at which the best accuracy falls by the given
// loss.
func weakened(shift, loss float64) float64 {
	best := math.Erf(shift/2) - 2*loss // Φ(shift/√2), scaled from −1 to 1
	return 2 * math.Erfinv(max(best, 0))
}

// A learned data set has what the variants of a learner predict on it.
type learned struct {
	luck []float64            // of each example, from 0 to 1: at most the share on which a learner fails is unlucky
	fold [exampleRuns][]uint8 // of each example, in each run
	hits [][]uint16           // of each variant: bit r says whether it is right on the example in run r
	test [exampleRuns][]int32 // number of test examples of each fold
}

// learn draws a data set, and trains all variants by 10×10 cross-validation.
func (s *exampleSetting) learn(seed uint64) (*learned, error) {
	r := rand.New(rand.NewPCG(seed, 0xe8a3))
	class := dataset.Column{
		Attribute: dataset.Attribute{Name: "class", Kind: dataset.Nominal, Values: []string{"0", "1"}},
		Codes:     randomClasses(r, s.n, 2, true),
	}
	d := &learned{luck: make([]float64, s.n)}
	noise := [4][]float64{}
	for k := range noise {
		noise[k] = make([]float64, s.n)
	}
	for i := range s.n {
		d.luck[i] = r.Float64()
		for k := range noise {
			noise[k][i] = r.NormFloat64()
		}
	}
	variant := func(v int) (*dataset.Table, error) {
		shift, from := s.shift, 0
		switch {
		case v == otherTwo:
			from = 2
		case v >= weaker:
			shift = weakened(s.shift, exampleMargins[v-weaker])
		}
		cols := numericColumns(2, s.n)
		for k := range cols {
			for i, z := range noise[from+k] {
				cols[k].Numbers[i] = z + float64(shift*float64(class.Codes[i]))
			}
		}
		return dataset.New("simulated", append(cols, class), 2, nil)
	}
	ex := split.Examples{N: s.n, Class: make([]int, s.n)}
	for i, c := range class.Codes {
		ex.Class[i] = int(c)
	}
	plan, err := split.CV(exampleRuns, 10).WithSeed(seed).Plan(ex)
	if err != nil {
		return nil, err
	}
	for v := range weaker + len(exampleMargins) {
		t, err := variant(v)
		if err != nil {
			return nil, err
		}
		d.hits = append(d.hits, make([]uint16, s.n))
		if err := d.train(t, plan, s.new(), v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// train fills in what a variant predicts.
func (d *learned) train(t *dataset.Table, plan *split.Plan, c learner.Classifier, v int) error {
	class, dist := t.Codes(t.ClassIndex()), make([]float64, 2)
	var train, test []int
	for run := range plan.Runs() {
		if v == 0 {
			d.fold[run] = make([]uint8, t.Len())
		}
		for fold := range plan.Folds() {
			train, test = plan.Trial(run+1, fold+1, train[:0], test[:0])
			if v == 0 {
				d.test[run] = append(d.test[run], int32(len(test)))
			}
			m, err := c.Fit(t, train, 1)
			if err != nil {
				return err
			}
			for _, i := range test {
				d.fold[run][i] = uint8(fold)
				clear(dist)
				m.Distribution(t, i, dist)
				if learner.Best(dist) == int(class[i]) {
					d.hits[v][i] |= 1 << run
				}
			}
			if err := m.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}

// accuracy returns the share of right predictions of a variant.
func (d *learned) accuracy(v int) float64 {
	sum := 0
	for _, h := range d.hits[v] {
		sum += bits.OnesCount16(h)
	}
	return float64(sum) / float64(exampleRuns*len(d.hits[v]))
}

// pairs returns the accuracies of two variants, each of which fails on its own share of the
// population.
func (d *learned) pairs(candidate, baseline int, fails [2]float64) *record.Pairs {
	n := len(d.luck)
	h := &record.Header{Protocol: fmt.Sprintf("cv runs=%d folds=10 stratified seed=1 v1", exampleRuns)}
	p := &record.Pairs{
		Data: "simulated", Candidate: "new", Baseline: "old", Unit: metric.Accuracy().Unit,
		Runs: exampleRuns, Folds: 10,
		CandidateHeader: h, BaselineHeader: h,
	}
	var sides [2][]uint16
	for side, v := range []int{candidate, baseline} {
		sides[side] = d.hits[v]
		if fails[side] > 0 {
			sides[side] = slices.Clone(d.hits[v])
			for i, luck := range d.luck {
				if side == 0 && luck < fails[0] || side == 1 && luck >= 1-fails[1] {
					sides[side][i] = 0
				}
			}
		}
	}
	for run := range exampleRuns {
		var right [2][10]int
		for i, fold := range d.fold[run] {
			right[0][fold] += int(sides[0][i] >> run & 1)
			right[1][fold] += int(sides[1][i] >> run & 1)
		}
		for fold, tested := range d.test[run] {
			p.A = append(p.A, float64(right[0][fold])/float64(tested))
			p.B = append(p.B, float64(right[1][fold])/float64(tested))
			p.TrainN, p.TestN = append(p.TrainN, int32(n)-tested), append(p.TestN, tested)
		}
	}
	for i := range n {
		p.RightA, p.RightB = append(p.RightA, bits.OnesCount16(sides[0][i])),
			append(p.RightB, bits.OnesCount16(sides[1][i]))
	}
	return p
}

// An exampleResult has the cells of a setting for each relation: of all margins where the candidate
// loses it, then where it is equal, and where it gains as much.
type exampleResult [][3][]*exampleCell

func (s *exampleSetting) measure(ctx context.Context, cfg lab.Config, l *lab.Lab, number,
	sets int,
) (exampleResult, error) {
	all, rs := make([]*learned, sets), relations()
	if err := l.Share(ctx, sets, func(_ context.Context, i int, _ lab.Desk) (err error) {
		all[i], err = s.learn(lab.Derive(cfg.Seed, 33, number, i))
		return err
	}); err != nil {
		return nil, err
	}
	result := make(exampleResult, len(rs))
	return result, l.Share(ctx, len(rs), func(_ context.Context, i int, _ lab.Desk) error {
		for k := range result[i] {
			if k > 0 && !rs[i].power {
				break
			}
			for place := range exampleMargins {
				c, err := rs[i].count(all, place, float64(k-1))
				if err != nil {
					return err
				}
				result[i][k] = append(result[i][k], c)
			}
		}
		return nil
	})
}

func runExamples(ctx context.Context, cfg lab.Config) (_ *Report, err error) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return nil, err
	}
	if cfg.Store != "" {
		return nil, fmt.Errorf("%w: it keeps no scores", ErrConfig)
	}
	sets, rules, all := cfg.SetsOr(6, examplesSets), cfg.SetsOr(20, fixedSets), exampleSettings()
	fixed := fixedCells()
	l, err := lab.Open(cfg, (sets+len(relations()))*len(all)+len(fixed))
	if err != nil {
		return nil, err
	}
	defer l.Close(&err)
	if err := l.Share(ctx, len(fixed), func(_ context.Context, i int, _ lab.Desk) error {
		return fixed[i].measure(rand.New(rand.NewPCG(lab.Derive(cfg.Seed, 34, i), 1)), rules)
	}); err != nil {
		return nil, err
	}
	results := make([]exampleResult, len(all))
	for k := range all {
		if results[k], err = all[k].measure(ctx, cfg, l, k, sets); err != nil {
			return nil, fmt.Errorf("%s, %d examples: %w", all[k].learner, all[k].n, err)
		}
	}
	return &Report{Tables: []Table{
		fixedTable(fixed, rules), falsePasses(all, results, sets),
		passes(all, results, sets),
	}}, nil
}
