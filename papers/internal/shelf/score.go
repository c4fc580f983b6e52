package shelf

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

// A Partitioning is a protocol that subjects are trained by again and again, each time on
// partitions of its own: part i by the protocol with seed i of the seeds that follow from the
// study's.
type Partitioning struct {
	Protocol split.Protocol
	Parts    int
}

// partSeed returns the seed of a part. For seed 1 the parts have 1, 2, ..., so that learnbench run
// can repeat a study's trials.
func partSeed(seed uint64, i int) uint64 { return 1000*(seed-1) + uint64(i) + 1 }

// Scored has the scores of subjects on a data set: by partitioning, part and subject.
type Scored [][][]ScoredPart

type ScoredPart struct {
	Ratio float64
	X     []float64 // run after run
}

// Score trains all subjects on all data sets by all partitionings, and shares the
// trainings among all later questions. Jobs are interleaved across data sets so that progress
// predicts the remaining time.
func (s Shelf) Score(ctx context.Context, cfg lab.Config, ps []Partitioning,
	subjects []lab.Subject,
) (_ []Scored, err error) {
	type job struct{ set, partitioning, part int }
	var jobs []job
	for part := range mostParts(ps) {
		for _, set := range s.bySize() {
			for p := range ps {
				if part < ps[p].Parts {
					jobs = append(jobs, job{set, p, part})
				}
			}
		}
	}
	found := make([]Scored, len(s.Sets))
	for i := range found {
		found[i] = make(Scored, len(ps))
		for p := range ps {
			found[i][p] = make([][]ScoredPart, ps[p].Parts)
		}
	}
	l, err := lab.Open(cfg, len(jobs))
	if err != nil {
		return nil, err
	}
	defer l.Close(&err)
	return found, l.Share(ctx, len(jobs), func(ctx context.Context, i int, desk lab.Desk) error {
		j := jobs[i]
		d := desk.Given(s.Sets[j.set], s.Sets[j.set].Data, partSeed(cfg.Seed, j.part))
		for _, of := range subjects {
			ratio, x, err := d.Scores(ctx, ps[j.partitioning].Protocol, of)
			if err != nil {
				return fmt.Errorf("data set %s: %w", s.Sets[j.set].Name, err)
			}
			to := &found[j.set][j.partitioning][j.part]
			*to = append(*to, ScoredPart{Ratio: ratio, X: x})
		}
		return nil
	})
}

func mostParts(ps []Partitioning) int {
	most := 0
	for _, p := range ps {
		most = max(most, p.Parts)
	}
	return most
}

// Differences returns the differences of two subjects in a part of so many runs.
func (s Scored) Differences(partitioning, part, candidate, baseline, runs int) stat.Differences {
	a, b := s[partitioning][part][candidate], s[partitioning][part][baseline]
	return lab.NewDifferences(a.Ratio, a.X, b.X, runs)
}
