package verdict

import (
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
)

// The tests of items that a claim may name in the place of items-t, as stat.Lookup finds them.
const (
	clusterFlip = "cluster-flip"
	mcNemar     = "mcnemar"
)

// An itemClaim is a claim about answers to items.
type itemClaim struct{ Claim }

// checkTest returns an error for a test that is not for items, or does not answer the claim.
func (c itemClaim) checkTest() error {
	margins := false
	if _, ok := c.Margins.Of(c.Metric); ok {
		margins = true
	}
	switch name := c.Test.Name; {
	case c.Test.Run == nil:
	case name != clusterFlip && name != mcNemar:
		return fmt.Errorf("%w: the test %s is for folds of random partitions: items are judged by %s, the default, %s or %s", ErrClaim, name, itemsT, clusterFlip, mcNemar)
	case margins || c.Margin > 0 || c.Gain > 0:
		return fmt.Errorf("%w: %s tells whether two systems differ, and holds no margin and no gain: leave the test out, which then is %s", ErrClaim, name, itemsT)
	}
	return nil
}

// checkSuite returns an error for items of which the claim's test says nothing, whatever the
// answers are. of is the cluster of each item, n their number, and h the header of either side's
// answers.
func (c itemClaim) checkSuite(h *record.Header, n int, of []int) error {
	switch repeats := split.SettingOf(h.Protocol, "repeats"); c.Test.Name {
	case clusterFlip:
		if n >= itemwise.LeastFlipped {
			return nil
		}
		return fmt.Errorf("%w: %d %s: %s takes at least %d, since no p of %d is below 0.05: leave the test out, which then is %s",
			ErrClaim, n, clustersOrItems(of), clusterFlip, itemwise.LeastFlipped, itemwise.LeastFlipped-1,
			itemsT)
	case mcNemar:
		if of != nil {
			return fmt.Errorf("%w: %s takes items on their own, and these are in %d clusters: leave the test out, which then is %s, or name %s", ErrClaim, mcNemar, n, itemsT, clusterFlip)
		}
		if repeats != "1" {
			return fmt.Errorf("%w: %s takes one answer to an item, and %q has %s: leave the test out, which then is %s, of their means", ErrClaim, mcNemar, h.Protocol, repeats, itemsT)
		}
	}
	return nil
}

func clustersOrItems(of []int) string {
	if of == nil {
		return "items"
	}
	return "clusters of items"
}

// test returns the test that the claim names for the differences between the pairs.
func (c itemClaim) test(p *record.Pairs, d itemwise.Data) (stat.Test, error) {
	run := itemwise.ClusterFlip
	if c.Test.Name == mcNemar {
		run = itemwise.McNemar
		for _, side := range []struct {
			scores []float64
			header *record.Header
			name   string
		}{{p.A, p.CandidateHeader, p.Candidate}, {p.B, p.BaselineHeader, p.Baseline}} {
			if err := c.checkSuite(side.header, len(d.Differences), d.Clusters); err != nil {
				return stat.Test{}, err
			}
			if i := slices.IndexFunc(side.scores, func(x float64) bool { return x != 0 && x != 1 }); i >= 0 {
				return stat.Test{}, fmt.Errorf("%w: %s takes scores of 0 and 1, and %s has %v on %s: leave the test out, which then is %s",
					ErrClaim, mcNemar, side.name, side.scores[i], p.Items.Items[i].ID, itemsT)
			}
		}
	}
	at := func(null float64, alt stat.Alternative) (stat.Result, error) {
		if null != 0 {
			return stat.Result{}, fmt.Errorf("%w: %s of a difference of %v", stat.ErrDomain, c.Test.Name,
				null)
		}
		r, err := run(d, alt)
		return r.Result, err
	}
	return stat.Held(c.Test.Name, c.Test.Doc, at), nil
}

// manyFlipped is more clusters than all of whose changes of signs are counted: the draws alone
// limit their p.
const manyFlipped = 40

// LeastP returns the smallest p that the test of a verdict could have had in the alternative's
// direction, whatever the scores were: see [stat.LeastP]. It is NaN where a test has none, such as
// items-t.
func LeastP(v *Verdict, alt stat.Alternative) float64 {
	if v.Items != nil {
		return v.Items.leastP(v.Claim.Test.Name, alt)
	}
	return stat.LeastP(v.Claim.Test, v.Runs, v.Folds, alt)
}

func (it *Items) leastP(test string, alt stat.Alternative) float64 {
	switch test {
	case clusterFlip:
		return stat.LeastP(stat.MustLookup("permutation"), 1, min(it.Clusters, manyFlipped), alt)
	case mcNemar:
		p := math.Ldexp(1, -it.N)
		if alt == stat.TwoSided {
			p *= 2
		}
		return p
	}
	return math.NaN()
}

// WeightOf returns what weighs equally in means over the items of a result.
func WeightOf(h *record.Header) itemwise.Weight {
	return weight(h.Weight == record.ByCluster)
}

func weight(byCluster bool) itemwise.Weight {
	if byCluster {
		return itemwise.ByCluster
	}
	return itemwise.ByItem
}

// data returns differences in a metric as package itemwise takes them.
func (it *Items) data(u unit.Unit, d []float64, scale float64, clusters []int) itemwise.Data {
	return itemwise.Data{
		Differences: d, Clusters: clusters, Weight: weight(it.ByCluster), Scale: scale,
		Range: rangeOf(u),
	}
}
