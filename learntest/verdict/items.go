package verdict

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
)

// itemsT is the test of answers to items.
const itemsT = "items-t"

// LeastClusters is how many clusters, or items without clusters, the test of items takes: of fewer, its degrees of
// freedom say too little.
const LeastClusters = 5

// Items are what a verdict says of the items that candidate and baseline have answered.
type Items struct {
	N        int     // items
	Clusters int     // N if each item is a cluster of its own
	Largest  float64 // share of the items in the largest cluster
	ICC      float64 // correlation of the differences within clusters

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

// checkItems returns an error for a claim that makes no sense of items, or that so few clusters cannot
// answer.
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
	case c.Test.Run != nil:
		return fail("the test %s is for folds of random partitions: items are judged by %s, the default", c.Test.Name, itemsT)
	}
	return nil
}

// ForItems returns an error for a claim that the answers to these items cannot decide, and a note if they
// cannot show its margin without an improvement: both are known before any system is asked. If the metric is of a slice, the
// items are its members; the error wraps [ErrTooSmall] if they are too few.
func (c Claim) ForItems(u unit.Unit, items []record.Item) (note string, err error) {
	if c.Kind == RatioAtMost {
		if _, err = checkCosts(c, u); err == nil {
			_, _, err = newSuite(u, items)
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
	it, _, err := newSuite(u, items)
	if err != nil {
		return "", err
	}
	return question{Claim: c, unit: u, items: it}.seesTooLittle(), nil
}

// newSuite returns the items before any is answered, and the number of the cluster of each.
func newSuite(u unit.Unit, items []record.Item) (*Items, []int, error) {
	n, clusters := record.ClusterNumbers(items)
	if n < LeastClusters {
		what, remedy := "items", "add cases"
		if clusters != nil {
			what, remedy = "clusters of items", "add cases of others, or leave the clusters out if items fail on their own"
		}
		return nil, nil, fmt.Errorf("%w: %d %s: %s takes at least %d: %s", ErrClaim, n, what, itemsT, LeastClusters, remedy)
	}
	it := &Items{N: len(items), Clusters: n}
	var err error
	if hasRange(u) {
		it.none, err = itemwise.Prepare(itemwise.Data{Differences: make([]float64, len(items)), Clusters: clusters, Range: rangeOf(u)})
	}
	return it, clusters, err
}

// newItems returns the items of pairs, and the test of them.
func newItems(p *record.Pairs) (*Items, stat.Test, error) {
	d := differences(p, 0, 1)
	it, clusters, err := newSuite(p.Unit, p.Items.Items)
	if err != nil {
		return nil, stat.Test{}, err
	}
	s, err := itemwise.Prepare(itemwise.Data{Differences: d.X, Clusters: clusters, Scale: d.Scale, Range: rangeOf(p.Unit)})
	if err != nil {
		return nil, stat.Test{}, err
	}
	it.sample = s
	ranged := hasRange(p.Unit)
	at := func(null float64, alt stat.Alternative) (stat.Result, error) {
		r, err := s.Test(null, alt)
		if errors.Is(err, stat.ErrZeroVariance) && null != 0 && !ranged {
			nothing := stat.Result{Test: itemsT, Alternative: alt, N: p.Folds, Mean: mean(d.X), Null: null, DF: math.NaN(), DF2: math.NaN(), P: 1}
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

// hasRange reports whether the scores of a metric have both ends.
func hasRange(u unit.Unit) bool { return !math.IsInf(u.Span(), 0) }

func rangeOf(u unit.Unit) itemwise.Range {
	if !hasRange(u) {
		return itemwise.Range{}
	}
	return itemwise.Range{Least: -u.Span(), Most: u.Span()}
}

// widen gives the findings about a margin the interval of the test that they rest on. In a metric with a
// range, the ordinary t has a narrower one.
func (it *Items) widen(q *question, f *Findings) {
	if !hasRange(q.unit) {
		return
	}
	lo, hi, err := it.sample.Bounds(q.Alpha)
	if err != nil {
		lo, hi = math.NaN(), math.NaN()
	}
	if q.unit.Better == unit.Lower {
		lo, hi = -hi, -lo
	}
	f.Above.Lo, f.Above.Hi = lo, hi
	f.Below.Lo, f.Below.Hi = lo, hi
}

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
	return fmt.Sprintf("%d items in %d clusters", it.N, it.Clusters)
}

// mostWorst is how many items a text names.
const mostWorst = 3

// lines adds the lines about the items, and about the systems of these names, to the text of a verdict.
func (it *Items) lines(add func(key, format string, args ...any), r stat.Result, names [2]string) {
	test := fmt.Sprintf("%s, %s, %s", r.Test, it, statistic(r))
	if it.Clusters < it.N {
		test += fmt.Sprintf(" (largest cluster %.0f%% of the items, icc %.2f)", 100*it.Largest, it.ICC)
	}
	add("test", "%s", test)
	counts := fmt.Sprintf("%d better, %d worse, %d equal", it.Better, it.Worse, it.Same)
	var worst []string
	for _, f := range it.Flips[:min(it.Worse, mostWorst)] {
		worst = append(worst, f.String())
	}
	if worst != nil {
		counts += "; worst: " + strings.Join(worst, ", ")
		if more := it.Worse - mostWorst; more > 0 {
			counts += fmt.Sprintf(" and %d more", more)
		}
	}
	add("items", "%s", counts)
	if left := it.LeftOut; left != (record.LeftOut{}) {
		add("common", "the %d items that both sides have; left out %d that only the candidate has, and %d that only the baseline has", it.N, left.Candidate, left.Baseline)
	}
	it.of.lines(add, names)
}
