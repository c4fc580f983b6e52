package lab

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"golang.org/x/sync/errgroup"
)

// A Lab draws data sets from sources and trains subjects on them. It trains once for each
// request on a data set: tests with equal protocols share trainings; with a store, so do
// studies, and the parts of an interrupted study.
type Lab struct {
	cfg   Config
	store *store
	done  func()
}

// Open returns a lab for the given number of data sets. The configuration is complete.
func Open(cfg Config, sets int) (*Lab, error) {
	l := &Lab{cfg: cfg, done: cfg.Counter(sets)}
	if cfg.Store == "" {
		return l, nil
	}
	var err error
	l.store, err = openStore(cfg.Store)
	return l, err
}

// Close ends the use of the lab, and adds its error to the error of the study.
func (l *Lab) Close(err *error) { *err = errors.Join(*err, l.store.close()) }

// Each calls f with each of the data sets of n examples from the source, on as many goroutines
// as the configuration says. f stores its results at the index of the data set, so that the
// result does not depend on the order.
func (l *Lab) Each(ctx context.Context, src Source, n, sets int, f func(ctx context.Context,
	s *Drawn) error,
) error {
	return l.Share(ctx, sets, func(ctx context.Context, i int, d Desk) error {
		if err := f(ctx, d.Draw(src, n, i)); err != nil {
			return fmt.Errorf("data set %d of %s: %w", i+1, src.ID(), err)
		}
		return nil
	})
}

// Share does so many jobs on as many goroutines as the configuration says, each of which has a
// Desk of its own.
func (l *Lab) Share(ctx context.Context, jobs int, do func(ctx context.Context, i int,
	d Desk) error,
) error {
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(l.cfg.Parallel, jobs) {
		g.Go(func() error {
			d := l.Desk()
			for {
				i := int(next.Add(1) - 1)
				if i >= jobs {
					return nil
				}
				if err := context.Cause(ctx); err != nil {
					return err
				}
				if err := do(ctx, i, d); err != nil {
					return err
				}
				l.done()
			}
		})
	}
	return g.Wait()
}

// A Desk is where one goroutine trains: its scorers have memory of their own.
type Desk struct {
	lab   *Lab
	bound map[string]Scorer
}

func (l *Lab) Desk() Desk { return Desk{l, make(map[string]Scorer)} }

// Draw returns data set i of n examples from the source. It is drawn on demand.
func (d Desk) Draw(src Source, n, i int) *Drawn {
	h := fnv.New64a()
	h.Write([]byte(src.ID()))
	s := d.drawn(src, n, Derive(d.lab.cfg.Seed^h.Sum64(), n, i))
	s.Index = i
	return s
}

// Given returns the data set that the source always draws, with a seed for its partitions.
func (d Desk) Given(src Source, t *dataset.Table, seed uint64) *Drawn {
	s := d.drawn(src, t.Len(), seed)
	s.table = t
	return s
}

func (d Desk) drawn(src Source, n int, seed uint64) *Drawn {
	return &Drawn{
		lab: d.lab, src: src, n: n, seed: seed, bound: d.bound,
		plans: make(map[string]*split.Plan), known: make(map[string][]float64),
	}
}

// A Drawn is a data set with its cached results. Only one goroutine may use it.
type Drawn struct {
	Index int // among the data sets of the source
	lab   *Lab
	src   Source
	n     int
	seed  uint64
	bound map[string]Scorer // of the goroutine
	table *dataset.Table    // nil until it is needed
	plans map[string]*split.Plan
	known map[string][]float64
}

// Data returns the data set itself.
func (s *Drawn) Data() (_ *dataset.Table, err error) {
	if s.table == nil {
		s.table, err = s.src.Table(fmt.Sprintf("simulated-%d", s.Index+1), s.n, s.seed)
	}
	return s.table, err
}

// Remember returns the numbers stored under a name, or computes and stores them: in memory as
// long as the data set, and in the store for ever.
func (s *Drawn) Remember(name string, compute func() ([]float64, error)) ([]float64, error) {
	if x, ok := s.known[name]; ok {
		return x, nil
	}
	x, ok, err := s.lab.store.get(s.key(name))
	if err != nil {
		return nil, err
	}
	if !ok {
		if x, err = compute(); err != nil {
			return nil, err
		}
		if err := s.lab.store.put(s.key(name), x); err != nil {
			return nil, err
		}
	}
	s.known[name] = x
	return x, nil
}

// knows reports whether there is nothing to compute.
func (s *Drawn) knows(name string) bool {
	_, ok := s.known[name]
	return ok || s.lab.store.has(s.key(name))
}

// key returns the key of a name in the store.
func (s *Drawn) key(name string) string {
	return fmt.Sprintf("%s, n=%d, set %d, seed %d: %s", s.src.ID(), s.n, s.Index, s.seed, name)
}

// partitioned returns the protocol with the seed of the data set.
func (s *Drawn) partitioned(p split.Protocol) split.Protocol { return p.WithSeed(s.seed) }

// plan returns the partitions of the data set by a protocol that has its seed.
func (s *Drawn) plan(p split.Protocol) (*split.Plan, error) {
	name := p.String()
	if plan := s.plans[name]; plan != nil {
		return plan, nil
	}
	t, err := s.Data()
	if err != nil {
		return nil, err
	}
	ex := split.Examples{N: t.Len()}
	if t.NumClasses() > 0 {
		ex.Class = make([]int, t.Len())
		for i, c := range t.Codes(t.ClassIndex()) {
			ex.Class[i] = int(c)
		}
	}
	if groups := t.Groups(); groups != nil {
		ex.Group = make([]int, len(groups))
		codes := make(map[string]int)
		for i, g := range groups {
			if _, ok := codes[g]; !ok {
				codes[g] = len(codes)
			}
			ex.Group[i] = codes[g]
		}
	}
	plan, err := p.Plan(ex)
	if err == nil {
		s.plans[name] = plan
	}
	return plan, err
}

// Scores returns the ratio of test to training examples, and the score of each trial of the
// protocol, with the seed of the data set.
func (s *Drawn) Scores(ctx context.Context, p split.Protocol, of Subject) (ratio float64,
	scores []float64, err error,
) {
	p = s.partitioned(p)
	runs := p.Runs()
	if longer, ok := s.longer(p, of); ok {
		p = longer
	}
	x, err := s.Remember(scoresName(p, of), func() ([]float64, error) {
		plan, err := s.plan(p)
		if err != nil {
			return nil, err
		}
		if s.bound[of.Name] == nil {
			s.bound[of.Name] = of.Bind()
		}
		scores, err := s.bound[of.Name].Scores(ctx, s.table, plan)
		return append([]float64{testRatio(plan)}, scores...), err
	})
	if err != nil {
		return 0, nil, err
	}
	return x[0], x[1 : 1+(len(x)-1)/p.Runs()*runs], nil
}

func scoresName(p split.Protocol, of Subject) string { return of.Name + ", " + p.String() }

// Trained reports whether the scores of the protocol are known already.
func (s *Drawn) Trained(p split.Protocol, of Subject) bool {
	return s.knows(scoresName(s.partitioned(p), of))
}

// longer returns the protocol with the number of runs that another study asks for, if it
// is known already: the runs of a random protocol do not depend on how many there are.
func (s *Drawn) longer(p split.Protocol, of Subject) (split.Protocol, bool) {
	if !p.IsRandom() || s.Trained(p, of) {
		return p, false
	}
	for _, shared := range []int{10, 50, 100, 1000} {
		if shared > p.Runs() {
			if q := p.WithRuns(shared); s.Trained(q, of) {
				return q, true
			}
		}
	}
	return p, false
}

// testRatio returns the ratio of test to training examples of all trials.
func testRatio(plan *split.Plan) float64 {
	train, test := 0, 0
	for run := 1; run <= plan.Runs(); run++ {
		for fold := 1; fold <= plan.Folds(); fold++ {
			a, b := plan.Sizes(run, fold)
			train, test = train+a, test+b
		}
	}
	return float64(test) / float64(train)
}

// Differences returns the differences of two subjects in all trials of the protocol.
func (s *Drawn) Differences(ctx context.Context, p split.Protocol, candidate,
	baseline Subject,
) (stat.Differences, error) {
	ratio, a, err := s.Scores(ctx, p, candidate)
	if err != nil {
		return stat.Differences{}, err
	}
	_, b, err := s.Scores(ctx, p, baseline)
	if err != nil {
		return stat.Differences{}, err
	}
	return NewDifferences(ratio, a, b, p.Runs()), nil
}

// NewDifferences returns the differences of scores in so many runs.
func NewDifferences(ratio float64, a, b []float64, runs int) stat.Differences {
	d := stat.Differences{Runs: runs, Folds: len(a) / runs, X: make([]float64, len(a)), Ratio: ratio}
	for i, x := range a {
		d.X[i] = x - b[i]
		d.Scale = max(d.Scale, math.Abs(x), math.Abs(b[i]))
	}
	return d
}

// Part returns the differences of the given number of runs, starting with run from, counted
// from 0. Ratio and scale remain the ratio and scale of all runs.
func Part(d stat.Differences, from, runs int) stat.Differences {
	d.X = d.X[from*d.Folds : (from+runs)*d.Folds]
	d.Runs = runs
	return d
}

// Derive returns a seed for a part of a study.
func Derive(seed uint64, part ...int) uint64 {
	for _, p := range part {
		seed = rand.NewPCG(seed, uint64(p)).Uint64()
	}
	return seed
}
