package verdict

import (
	"errors"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
)

// ForItems returns an error for a claim that the answers to these items cannot decide, and a note
// if they cannot show its margin without an improvement: both are known before any system is asked.
// Of the answers' header, protocol and weight count. If the metric is of a slice, the items are its
// members; the error wraps [ErrTooSmall] if they are too few.
func (c Claim) ForItems(h *record.Header, u unit.Unit, items []record.Item) (note string,
	err error,
) {
	if c.Kind == RatioAtMost {
		if _, err = checkCosts(c, u); err == nil {
			_, _, err = itemClaim{c}.newSuite(h, u, items)
		}
		return "", err
	}
	if c, err = c.WithDefaults(u); err != nil {
		return "", err
	}
	if err := c.checkItems(); err != nil {
		return "", err
	}
	if _, slice := unit.CutSlice(u.Name); slice != "" {
		if err := tooFewItems(slice, items); err != nil {
			return "", err
		}
	}
	it, _, err := itemClaim{c}.newSuite(h, u, items)
	if err != nil {
		return "", err
	}
	return question{Claim: c, unit: u, items: it}.seesTooLittle(), nil
}

// checkItems returns an error for a claim that makes no sense of items, or that so few clusters
// cannot answer.
func (c Claim) checkItems() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrClaim, fmt.Sprintf(format, args...))
	}
	switch {
	case c.Kind == Replicable || c.Replicability != 0 || c.Repeats != 0:
		return fail("a replicability is for random partitions, and items have none: ask for more repeats of each item instead")
	case c.Halvings != 0:
		return fail("a second opinion trains on halves of the examples, and nothing is trained on items")
	case c.Probability != 0:
		return fail("a posterior probability is for scores of cross-validation, not for items")
	case c.Settle != 0:
		return fail("runs that settle a claim are for random partitions, and items have none")
	}
	return itemClaim{c}.checkTest()
}

// newSuite returns the items before any is answered, and the number of the cluster of each.
func (c itemClaim) newSuite(h *record.Header, u unit.Unit, items []record.Item) (*Items,
	[]int, error,
) {
	n, clusters := record.ClusterNumbers(items)
	if n < LeastClusters {
		remedy := "add cases"
		if clusters != nil {
			remedy = "add cases of others, or leave the clusters out if items fail on their own"
		}
		return nil, nil, fmt.Errorf("%w: %d %s: %s takes at least %d: %s", ErrClaim, n,
			clustersOrItems(clusters), itemsT, LeastClusters, remedy)
	}
	if err := c.checkSuite(h, n, clusters); err != nil {
		return nil, nil, err
	}
	it := &Items{N: len(items), Clusters: n, ByCluster: h.Weight == record.ByCluster && n < len(items)}
	var err error
	if hasRange(u) {
		it.none, err = itemwise.Prepare(it.data(u, make([]float64, len(items)), 0, clusters))
	}
	return it, clusters, err
}

// newItems returns the items of pairs, and the test of them.
func (c itemClaim) newItems(p *record.Pairs) (*Items, stat.Test, error) {
	d := differences(p, 0, 1)
	it, clusters, err := c.newSuite(p.CandidateHeader, p.Unit, p.Items.Items)
	if err != nil {
		return nil, stat.Test{}, err
	}
	data := it.data(p.Unit, d.X, d.Scale, clusters)
	s, err := itemwise.Prepare(data)
	if err != nil {
		return nil, stat.Test{}, err
	}
	it.sample = s
	if c.Test.Run != nil {
		test, err := c.test(p, data)
		return it, test, err
	}
	ranged := hasRange(p.Unit)
	at := func(null float64, alt stat.Alternative) (stat.Result, error) {
		r, err := s.Test(null, alt)
		if errors.Is(err, stat.ErrZeroVariance) && null != 0 && !ranged {
			nothing := stat.Result{
				Test: itemsT, Alternative: alt, N: p.Folds, Mean: s.Mean(), Null: null,
				DF: math.NaN(), DF2: math.NaN(), P: 1,
			}
			nothing.Estimate = nothing.Mean
			return nothing, nil
		}
		return r.Result, err
	}
	return it, stat.Held(itemsT, "t test of items, with standard errors by cluster: for fixed systems on fixed cases", at), nil
}

// describe sets what texts say of the items.
func (it *Items) describe(p *record.Pairs) error {
	r, err := it.sample.Test(0, stat.TwoSided)
	if err != nil {
		return err
	}
	it.result, it.Largest, it.ICC, it.LeftOut = r, r.Largest, r.ICC, p.Items.LeftOut
	it.of = systemsOf(&r, p)
	d := differences(p, 0, 1)
	it.count(p, d.X)
	if it.Clusters == it.N {
		it.doubts = forgotten(p, d)
	}
	return nil
}
