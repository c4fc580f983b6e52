package hierarchical

import (
	"math"
	"slices"
	"sync"

	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A sampler has the chains of a model and their draws.
type sampler struct {
	rope   float64
	chains []*follower
	scores []float64
}

// A follower is a chain with a record of its draws.
type follower struct {
	*chain
	rope                  float64
	mean, logSpread, logN []float64
	best                  []int8 // most probable region of each draw: 0 worse, 1 rope, 2 better
	theta                 [3]float64
	deltas                []float64
	regions               [][3]int
}

func newSampler(m *Model, rope float64, seed uint64) *sampler {
	s := &sampler{rope: rope}
	for i := range uint64(chains) {
		c := m.newChain(seed, i)
		s.chains = append(s.chains, &follower{
			chain: c, rope: rope, deltas: make([]float64, len(m.Sets)),
			regions: make([][3]int, len(m.Sets)),
		})
	}
	return s
}

// run makes all chains longer, by the sweeps that are left out if they are at their beginning.
func (s *sampler) run(draws int) {
	var all sync.WaitGroup
	for _, f := range s.chains {
		all.Go(func() {
			if len(f.mean) == 0 {
				f.chain.run(leftOut, nil)
			}
			f.chain.run(draws, f.keep)
		})
	}
	all.Wait()
}

func (s *sampler) draws() int { return len(s.chains) * len(s.chains[0].mean) }

// keep takes down the present draw.
func (f *follower) keep() {
	center := f.center + f.delta0
	f.mean, f.logSpread, f.logN = append(f.mean, center), append(f.logSpread, math.Log(f.spread)),
		append(f.logN, math.Log(f.nu1+1))
	worse := dist.StudentSF((f.rope+center)/f.spread, f.nu1+1)
	better := dist.StudentSF((f.rope-center)/f.spread, f.nu1+1)
	p := [3]float64{worse, max(0, 1-worse-better), better}
	if f.rope == 0 {
		p[1] = 0
	}
	best := 0
	for k, x := range p {
		f.theta[k] += x
		if x > p[best] {
			best = k
		}
	}
	f.best = append(f.best, int8(best))
	for i := range f.sets {
		d := f.center + f.sets[i].delta
		f.deltas[i] += d
		f.regions[i][regionOf(d, f.rope)]++
	}
}

func regionOf(d, rope float64) int {
	switch {
	case d < -rope:
		return 0
	case d > rope:
		return 2
	}
	return 1
}

// diagnose returns the largest R-hat and the smallest effective number of draws.
func (s *sampler) diagnose() (rhat, ess float64) {
	if len(s.scores) != s.draws() {
		s.scores = normalScores(s.draws())
	}
	ess = math.Inf(1)
	for _, of := range []func(f *follower) []float64{
		func(f *follower) []float64 { return f.mean },
		func(f *follower) []float64 { return f.logSpread },
		func(f *follower) []float64 { return f.logN },
	} {
		var all [][]float64
		for _, f := range s.chains {
			all = append(all, of(f))
		}
		d := diagnose(all, s.scores)
		rhat, ess = max(rhat, d.rhat), min(ess, d.ess)
	}
	return rhat, ess
}

// summarise fills in the result, in the unit of the scores.
func (s *sampler) summarise(r *Result, unit float64) {
	n := float64(s.draws())
	r.Draws = s.draws()
	var best []int8
	var mean []float64
	var theta [3]float64
	r.Sets = make([]Shrunken, r.DataSets)
	for _, f := range s.chains {
		best, mean = append(best, f.best...), append(mean, f.mean...)
		for k := range theta {
			theta[k] += f.theta[k] / n
		}
		for i := range r.Sets {
			x := &r.Sets[i]
			x.Mean += float64(f.deltas[i] * unit / n)
			x.P.Worse += float64(f.regions[i][0]) / n
			x.P.Rope += float64(f.regions[i][1]) / n
			x.P.Better += float64(f.regions[i][2]) / n
		}
		for i := range f.mean {
			r.Spread += f.logSpread[i] / n
			r.Nu += f.logN[i] / n
		}
	}
	r.Spread, r.Nu = math.Exp(r.Spread)*unit, math.Exp(r.Nu)
	r.Theta = across.Regions{Worse: theta[0], Rope: theta[1], Better: theta[2]}
	r.P.Worse, r.SE.Worse = share(best, 0)
	r.P.Rope, r.SE.Rope = share(best, 1)
	r.P.Better, r.SE.Better = share(best, 2)
	r.Mean, _ = meanVariance(mean)
	slices.Sort(mean)
	tail := len(mean) / 40
	r.Mean, r.Lo, r.Hi = r.Mean*unit, mean[tail]*unit, mean[len(mean)-1-tail]*unit
}

// share returns how often a region is the best one, and the standard error by batch means.
func share(best []int8, region int8) (p, se float64) {
	total := 0
	var means []float64
	for batch := range slices.Chunk(best, len(best)/batches) {
		count := 0
		for _, b := range batch {
			if b == region {
				count++
			}
		}
		total += count
		means = append(means, float64(count)/float64(len(batch)))
	}
	_, variance := meanVariance(means)
	return float64(total) / float64(len(best)), math.Sqrt(variance / float64(len(means)))
}
