package study

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"golang.org/x/sync/errgroup"
)

// A partitioning is a protocol that subjects are trained by again and again, each time on
// partitions of its own: part i by the protocol with seed i of those that the seed of the
// study has.
type partitioning struct {
	protocol split.Protocol
	parts    int
}

// partSeed returns the seed of a part. Those of seed 1 are 1, 2, ..., so that learnbench run can
// repeat what a study has found.
func partSeed(seed uint64, i int) uint64 { return 1000*(seed-1) + uint64(i) + 1 }

// scored is what subjects score on a data set: by partitioning, part and subject.
type scored [][][]scoredPart

type scoredPart struct {
	ratio float64
	x     []float64 // run after run
}

// score trains all subjects on all data sets by all partitionings, and shares the
// trainings among whatever is asked of them later. Parts of all data sets come in turn, so
// that what is done says how long the rest takes.
func (s shelf) score(ctx context.Context, cfg Config, ps []partitioning, subjects []subject) (_ []scored, err error) {
	type job struct{ set, partitioning, part int }
	var jobs []job
	for part := range mostParts(ps) {
		for _, set := range s.bySize() {
			for p := range ps {
				if part < ps[p].parts {
					jobs = append(jobs, job{set, p, part})
				}
			}
		}
	}
	found := make([]scored, len(s.sets))
	for i := range found {
		found[i] = make(scored, len(ps))
		for p := range ps {
			found[i][p] = make([][]scoredPart, ps[p].parts)
		}
	}
	l, err := openLab(cfg, len(jobs))
	if err != nil {
		return nil, err
	}
	defer l.close(&err)
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(cfg.Parallel, len(jobs)) {
		g.Go(func() error {
			bound := make(map[string]scorer)
			for {
				i := int(next.Add(1) - 1)
				if i >= len(jobs) {
					return nil
				}
				j := jobs[i]
				d := l.given(s.sets[j.set], partSeed(cfg.Seed, j.part), bound)
				for _, of := range subjects {
					ratio, x, err := d.scores(ctx, ps[j.partitioning].protocol, of)
					if err != nil {
						return fmt.Errorf("data set %s: %w", s.sets[j.set].name, err)
					}
					of := &found[j.set][j.partitioning][j.part]
					*of = append(*of, scoredPart{ratio, x})
				}
				l.done()
			}
		})
	}
	return found, g.Wait()
}

func mostParts(ps []partitioning) int {
	most := 0
	for _, p := range ps {
		most = max(most, p.parts)
	}
	return most
}

// given returns the data set with a seed of its own for partitions.
func (l *lab) given(g given, seed uint64, bound map[string]scorer) *drawn {
	return &drawn{
		lab: l, src: g, n: g.table.Len(), seed: seed, table: g.table,
		bound: bound, plans: make(map[string]*split.Plan), known: make(map[string][]float64),
	}
}

// differences returns those of two subjects in a part of so many runs.
func (s scored) differences(partitioning, part, candidate, baseline, runs int) stat.Differences {
	a, b := s[partitioning][part][candidate], s[partitioning][part][baseline]
	return newDifferences(a.ratio, a.x, b.x, runs)
}
