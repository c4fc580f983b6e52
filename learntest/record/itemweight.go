package record

import "fmt"

// ByCluster is the Header.Weight of items whose clusters weigh equally.
const ByCluster = "cluster"

func checkWeight(text string) error {
	if text != ByCluster {
		return fmt.Errorf("%q is not %s: items that weigh equally have no such line",
			excerpt([]byte(text)), ByCluster)
	}
	return nil
}

// Means returns the mean scores of candidate and baseline over the protocol's own runs. Of items it
// follows Header.Weight.
func (p *Pairs) Means() (candidate, baseline float64) {
	n := p.Runs * p.Folds
	if p.Items != nil && p.CandidateHeader.Weight == ByCluster {
		weights := weightsOf(p.Items.Items)
		return weightedMean(p.A[:n], weights), weightedMean(p.B[:n], weights)
	}
	return meanOf(p.A[:n]), meanOf(p.B[:n])
}

// weightsOf returns the weight of each item where clusters weigh equally. The sum of all is one.
func weightsOf(items []Item) []float64 {
	n, of := ClusterNumbers(items)
	sizes, weights := make([]float64, n), make([]float64, len(items))
	for i := range items {
		if of == nil {
			weights[i] = 1 / float64(n)
		} else {
			sizes[of[i]]++
		}
	}
	for i, g := range of {
		weights[i] = 1 / (float64(n) * sizes[g])
	}
	return weights
}

// weightedMean returns the mean of the scores of one or several repeats.
func weightedMean(scores, weights []float64) float64 {
	sum := 0.0
	for i, x := range scores {
		sum += float64(x * weights[i%len(weights)])
	}
	return sum / float64(len(scores)/len(weights))
}

func meanOf(scores []float64) float64 {
	sum := 0.0
	for _, x := range scores {
		sum += x
	}
	return sum / float64(len(scores))
}
