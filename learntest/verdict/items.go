package verdict

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
)

// itemsT is the test of answers to items.
const itemsT = "items-t"

// LeastClusters is how many clusters, or items without clusters, the test of items takes: of fewer,
// its degrees of freedom say too little.
const LeastClusters = 5

// Items are what a verdict says of the items that candidate and baseline have answered.
type Items struct {
	N        int     // items
	Clusters int     // N if each item is a cluster of its own
	Largest  float64 // share of the items in the largest cluster
	ICC      float64 // correlation of the differences within clusters

	// ByCluster says that clusters weigh equally in means and differences, and not items: see
	// record.ByCluster.
	ByCluster bool

	Better, Worse, Same int // items on which the candidate is better, worse, equal

	LeftOut record.LeftOut // items that just one side has, where it was asked for the others

	Flips []Flip // items whose score has changed, by ascending gain; equal gains by id

	sample *itemwise.Sample
	result itemwise.Result  // of the two-sided test
	of     systems          // that have answered
	none   *itemwise.Sample // if no item differed; nil if the metric has no range
	doubts []error
}

// A Flip is an item whose score has changed.
type Flip struct {
	ID       string  // of the item
	Cluster  string  // its cluster; empty if it is one of its own
	Old, New string  // scores in words, such as "3/3"
	Gain     float64 // of the mean score, in the direction in which the metric is better
}

// String returns the flip as in "refund-17 (3/3 to 0/3)".
func (f Flip) String() string { return fmt.Sprintf("%s (%s to %s)", f.ID, f.Old, f.New) }

// unseen returns the loss that the items cannot rule out where none of them differs.
func (it *Items) unseen(alpha float64) float64 {
	if it.none == nil {
		return 0
	}
	lo, _, err := it.none.Bounds(alpha)
	if err != nil {
		return 0
	}
	return -lo
}

// String returns the number of items, and of clusters if there are some, in words.
func (it *Items) String() string {
	if it.Clusters == it.N {
		return fmt.Sprintf("%d items", it.N)
	}
	return inClusters(it.N, it.Clusters, it.ByCluster)
}

func inClusters(items, clusters int, byCluster bool) string {
	s := fmt.Sprintf("%d items in %d clusters", items, clusters)
	if byCluster {
		s += " that weigh equally"
	}
	return s
}
