package itemwise

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
)

// A Weight says what weighs equally in the mean difference, which is another question: about the
// next item, or about an item of the next cluster.
type Weight uint8

// The weights. Without clusters, both are one.
const (
	ByItem    Weight = iota // items weigh equally, and clusters by their numbers of items
	ByCluster               // clusters weigh equally: the mean is taken over the means of clusters
)

func (w Weight) check() error {
	if w > ByCluster {
		return fmt.Errorf("%w: weight %d", stat.ErrDomain, w)
	}
	return nil
}

// A weighing gives clusters their weights, of which total is the sum.
type weighing struct {
	byCluster bool
	total     float64
}

func (d *Data) weighing(groups []cluster) weighing {
	if d.Weight == ByCluster && len(groups) < len(d.Differences) {
		return weighing{true, float64(len(groups))}
	}
	return weighing{false, float64(len(d.Differences))}
}

// of returns the weight of a cluster.
func (w weighing) of(c cluster) float64 {
	if w.byCluster {
		return 1
	}
	return c.items
}

// factors returns of each item the number of items times its weight; nil if items weigh equally. of
// is the cluster of each.
func (w weighing) factors(groups []cluster, of []int) []float64 {
	if !w.byCluster {
		return nil
	}
	factors := make([]float64, len(of))
	for i, g := range of {
		factors[i] = float64(len(of)) / (w.total * groups[g].items)
	}
	return factors
}

func meanOfClusters(groups []cluster) float64 {
	sum := 0.0
	for _, c := range groups {
		sum += c.mean
	}
	return sum / float64(len(groups))
}
