package study

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/perceptron"
	"github.com/learnbench/learnbench/learntest/learner/tan"
	"golang.org/x/sync/errgroup"
)

// replicabilityStudy returns the study of how well replicability is estimated and
// required.
func replicabilityStudy() Study {
	return Study{
		Name: "replicability",
		Doc:  "estimates of replicability, the probability that a rerun agrees, and the sequential rule, for the corrected test of 10×10 cross-validation",
		Run:  configured(runReplicability),
	}
}

// referenceLearners returns the reference learners that can learn the classes of the table.
func referenceLearners(t *dataset.Table) []learntest.Learner[dataset.Row, int] {
	classifiers := []learner.Classifier{
		baseline.Majority(), naivebayes.New(naivebayes.Config{}), neighbor.New(neighbor.Config{}),
		c45.New(c45.Config{}), tan.New(tan.Config{}),
	}
	if t.NumClasses() == 2 {
		classifiers = append(classifiers, perceptron.New(perceptron.Config{}))
	}
	var ls []learntest.Learner[dataset.Row, int]
	for _, c := range classifiers {
		ls = append(ls, learntest.FromClassifier(c))
	}
	return ls
}

func runReplicability(ctx context.Context, cfg lab.Config) (*Report, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	if err := cfg.WithoutSets(); err != nil {
		return nil, err
	}
	plan := planReplicability(cfg.Small)
	done := cfg.Counter(len(plan.sets) + plan.simulated)
	real, err := plan.appraiseReal(ctx, cfg, done)
	if err != nil {
		return nil, err
	}
	simulated, err := plan.appraiseSimulated(ctx, cfg, done)
	if err != nil {
		return nil, err
	}
	model, err := plan.appraiseModel(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return plan.report(real, simulated, model), nil
}

func atMost[T any](n int, xs []T) []T { return xs[:min(n, len(xs))] }

// appraiseReal runs the learners on the real data sets, one after the other, and judges
// the methods on all pairs.
func (p *replicabilityPlan) appraiseReal(ctx context.Context, cfg lab.Config,
	done func(),
) ([]*appraisal, error) {
	var all []*appraisal
	for s, name := range p.sets {
		t, err := uci.Load(name)
		if err != nil {
			return nil, err
		}
		pools, err := newPools(ctx, t, atMost(p.learners, referenceLearners(t)), p.runs, cfg)
		if err != nil {
			return nil, err
		}
		as := make([]*appraisal, len(pools))
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(cfg.Parallel)
		for i := range pools {
			g.Go(func() (err error) {
				if err := context.Cause(ctx); err != nil {
					return err
				}
				as[i], err = appraise(pools[i], p.real, lab.Derive(cfg.Seed, 1, s, i))
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		all = append(all, as...)
		done()
	}
	return all, nil
}

// appraiseSimulated judges the methods on simulated data sets: on each the pair of
// learners whose turn it is.
func (p *replicabilityPlan) appraiseSimulated(ctx context.Context, cfg lab.Config,
	done func(),
) ([]*appraisal, error) {
	as := make([]*appraisal, p.simulated)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cfg.Parallel)
	one := cfg
	one.Parallel = 1
	for i := range as {
		g.Go(func() error {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			t, err := newChain(10, lab.Derive(cfg.Seed, 2, i)).Table(fmt.Sprintf("simulated-%d", i+1),
				p.size[i%len(p.size)], lab.Derive(cfg.Seed, 3, i))
			if err != nil {
				return err
			}
			pools, err := newPools(ctx, t, pairOf(referenceLearners(t), i), p.few, one)
			if err != nil {
				return err
			}
			if as[i], err = appraise(pools[0], p.sim, lab.Derive(cfg.Seed, 4, i)); err != nil {
				return err
			}
			done()
			return nil
		})
	}
	return as, g.Wait()
}

// pairOf returns pair i of the learners but the first, in turn.
func pairOf[T any](learners []T, i int) []T {
	learners = learners[1:]
	n := len(learners)
	i %= n * (n - 1) / 2
	for a := range n {
		for b := range a {
			if i == 0 {
				return []T{learners[b], learners[a]}
			}
			i--
		}
	}
	return nil // not reached
}
