package hierarchical

import (
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// normalScores returns the scores of normal order statistics for so many values.
func normalScores(n int) []float64 {
	z := make([]float64, n)
	for i := range z {
		if z[i] = dist.NormalInvSF(1 - (float64(i+1)-0.375)/(float64(n)+0.25)); i >= n/2 {
			z[i] = -z[n-1-i]
		}
	}
	return z
}

// A diagnosis says whether chains have mixed, by one of their parameters.
type diagnosis struct {
	rhat float64 // rank-normalised split R-hat, the larger one of place and spread
	ess  float64 // effective number of draws
}

// diagnose compares the halves of chains of one length: Vehtari, Gelman, Simpson, Carpenter and
// Bürkner (2021), Rank-normalization, folding, and localization, Bayesian Analysis 16. The scores
// are normalScores.
func diagnose(chains [][]float64, scores []float64) diagnosis {
	all := slices.Concat(chains...)
	normal, center := normalised(all, scores)
	z := halves(normal, 2*len(chains))
	for i, x := range all {
		all[i] = math.Abs(x - center)
	}
	normal, _ = normalised(all, scores)
	folded := halves(normal, 2*len(chains))
	within, total := variances(z)
	w, t := variances(folded)
	return diagnosis{rhat: math.Sqrt(max(total/within, t/w)), ess: effective(z, within, total)}
}

// normalised returns the normal scores of the ranks, and the median. Ties, which come from repeated
// values only, keep their order.
func normalised(x, scores []float64) (z []float64, median float64) {
	type ranked struct {
		x     float64
		index int
	}
	order := make([]ranked, len(x))
	for i, v := range x {
		order[i] = ranked{v, i}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return a.index - b.index
	})
	z = make([]float64, len(x))
	for rank, o := range order {
		z[o.index] = scores[rank]
	}
	n := len(order)
	return z, 0.5 * (order[(n-1)/2].x + order[n/2].x)
}

// halves cuts x into so many parts of one length.
func halves(x []float64, parts int) [][]float64 {
	return slices.Collect(slices.Chunk(x[:len(x)/parts*parts], len(x)/parts))
}

// variances returns the mean variance within sequences and the estimate of the whole variance.
func variances(z [][]float64) (within, total float64) {
	m, n := float64(len(z)), float64(len(z[0]))
	means := make([]float64, len(z))
	for i, s := range z {
		var v float64
		means[i], v = meanVariance(s)
		within += v / m
	}
	_, between := meanVariance(means)
	return within, (n-1)/n*within + between
}

func meanVariance(x []float64) (mean, variance float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	for _, v := range x {
		variance += float64((v - mean) * (v - mean))
	}
	return mean, variance / float64(len(x)-1)
}

// effective returns the effective number of draws, by Geyer's initial monotone sequence.
func effective(z [][]float64, within, total float64) float64 {
	m, n := len(z), len(z[0])
	means := make([]float64, m)
	for i, s := range z {
		means[i], _ = meanVariance(s)
	}
	autocorrelation := func(lag int) float64 {
		sum := 0.0
		for i, s := range z {
			for t := range n - lag {
				sum += float64((s[t] - means[i]) * (s[t+lag] - means[i]))
			}
		}
		return 1 - (within-sum/float64(m*n))/total
	}
	tau, last := -1.0, math.Inf(1)
	for lag := 0; lag+1 < n; lag += 2 {
		pair := autocorrelation(lag+1) + 1
		if lag > 0 {
			pair += autocorrelation(lag) - 1
		}
		if !(pair > 0) {
			break
		}
		last = min(last, pair)
		tau += 2 * last
	}
	draws := float64(m * n)
	return min(draws/tau, draws*math.Log10(draws))
}
