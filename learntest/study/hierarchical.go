package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/hierarchical"
)

// hierarchicalModels is the number of models from the prior distribution in a full study.
const hierarchicalModels = 1000

// rankBins is the number of bins of a rank histogram.
const rankBins = 10

func hierarchicalStudy() Study {
	return Study{
		Name: "hierarchical",
		Doc:  "that the draws of the hierarchical test come from the posterior distribution: simulation-based calibration",
		Run:  configured(runHierarchical),
	}
}

// A priorData is a shape of data that models are drawn for.
type priorData struct {
	name            string
	sets, n         int
	rho             float64
	spread, largest float64 // most σ₀ and |δ₀|, in units of most σ_i
	nu              hierarchical.Prior
}

func hierarchicalData() []priorData {
	return []priorData{
		{"4 data sets, 3×4", 4, 12, 0.25, 1, 50, hierarchical.Default},
		{"10 data sets, 10×10", 10, 100, 0.1, 1, 50, hierarchical.Default},
		{
			"10 data sets, 10×10, prior of the paper's program", 10, 100, 0.1, 1, 50,
			hierarchical.Corani2017,
		},
		{"30 data sets, 10×10, little spread", 30, 100, 0.1, 0.1, 5, hierarchical.Default},
	}
}

// hierarchicalParameters are the parameters with counted ranks.
var hierarchicalParameters = []string{"δ₀", "σ₀", "ν"}

func runHierarchical(ctx context.Context, cfg lab.Config) (*Report, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.Store != "" {
		return nil, fmt.Errorf("%w: it trains nothing, and keeps no scores", ErrConfig)
	}
	models := cfg.SetsOr(40, hierarchicalModels)
	all := hierarchicalData()
	done := cfg.Counter(models * len(all))
	t := Table{
		Title: "Simulation-based calibration of the hierarchical test",
		Notes: []string{
			fmt.Sprintf("Parameters are drawn from the prior distribution, and data from them, %d times: the ranks of the true δ₀, σ₀ and ν among 200 thinned draws from the posterior distribution are then uniform. Columns: how many ranks are in each tenth (%.0f ± %.0f expected), and p of the chi-squared test of all ten.",
				models, float64(models)/rankBins, math.Sqrt(float64(models)*0.09)),
		},
		Columns: []string{"data and parameter"},
	}
	for bin := range rankBins {
		t.Columns = append(t.Columns, fmt.Sprintf("%d%%", 100*(bin+1)/rankBins))
	}
	t.Columns = append(t.Columns, "p")
	for k, data := range all {
		ranks := make([][]float64, models)
		var workers sync.WaitGroup
		next := make(chan int)
		for range cfg.Parallel {
			workers.Go(func() {
				for i := range next {
					ranks[i] = data.ranks(rand.New(rand.NewPCG(cfg.Seed, uint64(k)<<32|uint64(i))))
					done()
				}
			})
		}
		for i := 0; i < models && ctx.Err() == nil; i++ {
			next <- i
		}
		close(next)
		workers.Wait()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for p, name := range hierarchicalParameters {
			row, err := rankRow(data.name+": "+name, ranks, p)
			if err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return &Report{Tables: []Table{t}}, nil
}

// rankRow counts the ranks of a parameter, which are between 0 and 1.
func rankRow(name string, ranks [][]float64, parameter int) ([]string, error) {
	var counts [rankBins]int
	for _, r := range ranks {
		counts[min(int(r[parameter]*rankBins), rankBins-1)]++
	}
	row := []string{name}
	expected, squares := float64(len(ranks))/rankBins, 0.0
	for _, n := range counts {
		d := float64(n) - expected
		squares += d * d / expected
		row = append(row, fmt.Sprint(n))
	}
	law, err := stat.ChiSquared(rankBins - 1)
	if err != nil {
		return nil, err
	}
	p, err := law.P(squares, stat.TwoSided)
	return append(row, fmt.Sprintf("%.3f", p)), err
}

// ranks draws a model and data, and returns the ranks of its parameters among draws from the
// posterior distribution.
func (d *priorData) ranks(r *rand.Rand) []float64 {
	between := func(x [2]float64) float64 { return x[0] + (x[1]-x[0])*r.Float64() }
	m := hierarchical.Model{MaxSD: 1, MaxSpread: d.spread, MaxMean: d.largest, Nu: d.nu}
	alpha, beta := between(d.nu.Alpha), between(d.nu.Beta)
	nu := 1 + gammaDraw(r, alpha)/beta
	center, spread := between([2]float64{-m.MaxMean, m.MaxMean}), m.MaxSpread*r.Float64()
	n := float64(d.n)
	for range d.sets {
		delta := center + spread*r.NormFloat64()/math.Sqrt(gammaDraw(r, nu/2)/(nu/2))
		sd := m.MaxSD * r.Float64()
		m.Sets = append(m.Sets, hierarchical.Moments{
			N: d.n, Correlation: d.rho, Mean: delta + sd*math.Sqrt((1+(n-1)*d.rho)/n)*r.NormFloat64(),
			Squares: (1 - d.rho) * sd * sd * 2 * gammaDraw(r, (n-1)/2),
		})
	}
	const thin, kept = 15, 200
	draws := m.Draw(r.Uint64(), 0, 500, thin*kept)
	var ranks []float64
	for _, x := range []struct {
		draws []float64
		truth float64
	}{{draws.Mean, center}, {draws.Spread, spread}, {draws.Nu, nu}} {
		below := 0
		for i := thin - 1; i < len(x.draws); i += thin {
			if x.draws[i] < x.truth {
				below++
			}
		}
		ranks = append(ranks, (float64(below)+r.Float64())/(kept+1))
	}
	return ranks
}

// gammaDraw draws from the gamma distribution of a shape above 0: the distribution of shape + 1, of
// Marsaglia and Tsang (2000), times a power of a uniform number.
func gammaDraw(r *rand.Rand, shape float64) float64 {
	d := shape + 1 - 1./3
	for {
		x := r.NormFloat64()
		v := 1 + x/math.Sqrt(9*d)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-r.Float64()) < x*x/2+d*(1-v+math.Log(v)) {
			return d * v * math.Pow(1-r.Float64(), 1/shape)
		}
	}
}
