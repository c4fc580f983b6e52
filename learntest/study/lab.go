package study

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"sync/atomic"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"golang.org/x/sync/errgroup"
)

// A lab draws data sets from sources and trains subjects on them. What it was asked for
// once, on a data set, it does not train again: tests share trainings where their protocols
// are the same, and where a store keeps the scores so do studies, and the parts of one that
// is interrupted.
type lab struct {
	cfg   Config
	store *store
	done  func()
}

// openLab returns a lab for the given number of data sets. The configuration is complete.
func openLab(cfg Config, sets int) (*lab, error) {
	l := &lab{cfg: cfg, done: cfg.progress(sets)}
	if cfg.Store == "" {
		return l, nil
	}
	var err error
	l.store, err = openStore(cfg.Store)
	return l, err
}

// close ends the use of the lab, and adds its error to that of the study.
func (l *lab) close(err *error) { *err = errors.Join(*err, l.store.close()) }

// each calls f with each of the data sets of n examples from the source, on as many
// goroutines as the configuration says. f puts what it finds where the index of the
// data set says, so that the result does not depend on the order.
func (l *lab) each(ctx context.Context, src Source, n, sets int, f func(ctx context.Context, s *drawn) error) error {
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(l.cfg.Parallel, sets) {
		g.Go(func() error {
			bound := make(map[string]scorer)
			for {
				i := int(next.Add(1) - 1)
				if i >= sets {
					return nil
				}
				if err := context.Cause(ctx); err != nil {
					return err
				}
				if err := f(ctx, l.draw(src, n, i, bound)); err != nil {
					return fmt.Errorf("data set %d of %s: %w", i+1, src.ID(), err)
				}
				l.done()
			}
		})
	}
	return g.Wait()
}

// A drawn data set, and what is known of it. It is used by one goroutine.
type drawn struct {
	index int // among those of the source
	lab   *lab
	src   Source
	n     int
	seed  uint64
	bound map[string]scorer // of the goroutine
	table *dataset.Table    // nil until it is needed
	plans map[string]*split.Plan
	known map[string][]float64
}

func (l *lab) draw(src Source, n, i int, bound map[string]scorer) *drawn {
	h := fnv.New64a()
	h.Write([]byte(src.ID()))
	return &drawn{
		index: i, lab: l, src: src, n: n, seed: derive(l.cfg.Seed^h.Sum64(), n, i),
		bound: bound, plans: make(map[string]*split.Plan), known: make(map[string][]float64),
	}
}

// data returns the data set itself.
func (s *drawn) data() (_ *dataset.Table, err error) {
	if s.table == nil {
		s.table, err = s.src.Table(fmt.Sprintf("simulated-%d", s.index+1), s.n, s.seed)
	}
	return s.table, err
}

// remember returns what is known under a name, and else computes it. It is known, after
// that, as long as the data set, and in the store for ever.
func (s *drawn) remember(name string, compute func() ([]float64, error)) ([]float64, error) {
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
func (s *drawn) knows(name string) bool {
	_, ok := s.known[name]
	return ok || s.lab.store.has(s.key(name))
}

// key is what something is kept under in the store.
func (s *drawn) key(name string) string {
	return fmt.Sprintf("%s, n=%d, set %d, seed %d: %s", s.src.ID(), s.n, s.index, s.seed, name)
}

// partitioned returns the protocol with the seed of the data set.
func (s *drawn) partitioned(p split.Protocol) split.Protocol { return p.WithSeed(s.seed) }

// plan returns the partitions of the data set by a protocol that has its seed.
func (s *drawn) plan(p split.Protocol) (*split.Plan, error) {
	name := p.String()
	if plan := s.plans[name]; plan != nil {
		return plan, nil
	}
	t, err := s.data()
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
	plan, err := p.Plan(ex)
	if err == nil {
		s.plans[name] = plan
	}
	return plan, err
}

// scores returns the ratio of test to training examples, and the score of each trial of
// the protocol, whose seed becomes that of the data set.
func (s *drawn) scores(ctx context.Context, p split.Protocol, of subject) (ratio float64, scores []float64, err error) {
	p = s.partitioned(p)
	runs := p.Runs()
	if longer, ok := s.longer(p, of); ok {
		p = longer
	}
	x, err := s.remember(scoresName(p, of), func() ([]float64, error) {
		plan, err := s.plan(p)
		if err != nil {
			return nil, err
		}
		if s.bound[of.name] == nil {
			s.bound[of.name] = of.bind()
		}
		scores, err := s.bound[of.name].scores(ctx, s.table, plan)
		return append([]float64{testRatio(plan)}, scores...), err
	})
	if err != nil {
		return 0, nil, err
	}
	return x[0], x[1 : 1+(len(x)-1)/p.Runs()*runs], nil
}

func scoresName(p split.Protocol, of subject) string { return of.name + ", " + p.String() }

// longer returns the protocol with the number of runs that another study asks for, if it
// is known already: the runs of a random protocol do not depend on how many there are.
func (s *drawn) longer(p split.Protocol, of subject) (split.Protocol, bool) {
	if !p.IsRandom() || s.knows(scoresName(p, of)) {
		return p, false
	}
	for _, shared := range []int{10, 50, 100, 1000} {
		if shared > p.Runs() {
			if q := p.WithRuns(shared); s.knows(scoresName(q, of)) {
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

// differences returns the differences of two subjects in all trials of the protocol.
func (s *drawn) differences(ctx context.Context, p split.Protocol, candidate, baseline subject) (stat.Differences, error) {
	ratio, a, err := s.scores(ctx, p, candidate)
	if err != nil {
		return stat.Differences{}, err
	}
	_, b, err := s.scores(ctx, p, baseline)
	if err != nil {
		return stat.Differences{}, err
	}
	return newDifferences(ratio, a, b, p.Runs()), nil
}

// newDifferences returns the differences of scores in so many runs.
func newDifferences(ratio float64, a, b []float64, runs int) stat.Differences {
	d := stat.Differences{Runs: runs, Folds: len(a) / runs, X: make([]float64, len(a)), Ratio: ratio}
	for i, x := range a {
		d.X[i] = x - b[i]
		d.Scale = max(d.Scale, math.Abs(x), math.Abs(b[i]))
	}
	return d
}

// part returns the differences of some runs, as many as given, from one on, that is
// counted from 0. The ratio and the scale stay those of all.
func part(d stat.Differences, from, runs int) stat.Differences {
	d.X = d.X[from*d.Folds : (from+runs)*d.Folds]
	d.Runs = runs
	return d
}
