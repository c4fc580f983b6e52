package study

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"golang.org/x/sync/errgroup"
)

// modelled are the replicabilities of the normal model.
var modelled = []float64{0.7, 0.8, 0.9, 0.95, 0.97, 0.99, 0.999}

// A modelRow is what the rule does where its assumption is exactly true.
type modelRow struct {
	r                              float64
	n, shown, refuted, looked, sq2 int
}

// appraiseModel has the rule look at runs whose influences are exactly normal, of tests on
// ten runs that reject.
func (p *replicabilityPlan) appraiseModel(ctx context.Context, cfg lab.Config) ([]modelRow, error) {
	rows := make([]modelRow, len(modelled))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cfg.Parallel)
	for i, r := range modelled {
		g.Go(func() (err error) {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			rows[i], err = appraiseNormal(r, p.sequences, lab.Derive(cfg.Seed, 5, i))
			return err
		})
	}
	return rows, g.Wait()
}

// appraiseNormal draws sequences of runs for a test on ten runs whose replicability is r.
func appraiseNormal(r float64, sequences int, seed uint64) (modelRow, error) {
	const runs, budget = 10, 100
	refuted, shown := make([]float64, budget+1), make([]float64, budget+1)
	for n := runs; n <= budget; n += runs {
		var err error
		if refuted[n], shown[n], err = (replicate.Rule{Required: required}).Thresholds(runs,
			n); err != nil {
			return modelRow{}, err
		}
	}
	// The influence of a run has mean G and standard deviation 1, θ = G√10.
	theta := math.Sqrt2 * math.Erfinv(math.Sqrt(2*r-1))
	rng := rand.New(rand.NewPCG(seed, 0xd6e8feb86659fd93))
	row := modelRow{r: r}
	for row.n < sequences {
		var sum, squares float64
		looked := 0
		for n := 1; n <= budget && looked == 0; n++ {
			u := theta/math.Sqrt(runs) + rng.NormFloat64()
			sum += u
			squares += float64(u * u)
			if n%runs != 0 {
				continue
			}
			if n == runs && sum <= 0 {
				break // the test does not reject
			}
			mean := sum / float64(n)
			z := mean * math.Sqrt(runs) / math.Sqrt((squares-float64(sum*mean))/float64(n-1))
			switch {
			case z >= shown[n]:
				row.shown++
				looked = n
			case z <= refuted[n]:
				row.refuted++
				looked = n
			case n == budget:
				looked = n
			}
		}
		if looked > 0 {
			row.n++
			row.looked += looked
			row.sq2 += looked * looked
		}
	}
	return row, nil
}
