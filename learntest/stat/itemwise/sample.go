package itemwise

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
)

// Data are the differences candidate − baseline between the scores of two systems on the same
// items, positive where the candidate is better. The score of an item with repeats is their mean:
// items weigh equally, however many repeats they have.
type Data struct {
	Differences []float64

	// Clusters has the cluster of each item; items with equal numbers are in one cluster. If nil,
	// each item is a cluster of its own.
	Clusters []int

	// Weight says whether items or clusters weigh equally in the mean.
	Weight Weight

	// Scale is the largest absolute score behind the differences: see [stat.Differences].
	Scale float64

	// Range is where each difference must be. The zero Range means that the score has none, as the
	// number of tokens or the seconds of an answer.
	Range Range
}

// A Range has the least and the most that a difference can be. For a score from min to max it is
// from min−max to max−min.
type Range struct{ Least, Most float64 }

// extreme is a span of a range so small or large that squares of differences would underflow or
// overflow.
const extreme = 1e150

func (r Range) check() error {
	if span := r.Most - r.Least; r != (Range{}) && !(span > 1/extreme && span < extreme) {
		return fmt.Errorf("%w: a range from %v to %v of differences", stat.ErrDomain, r.Least, r.Most)
	}
	return nil
}

// A cluster has a number of items and their mean difference.
type cluster struct{ items, mean float64 }

// A Sample is data that [Prepare] has checked and summed up. It may be used concurrently.
type Sample struct {
	items    int
	clusters int
	largest  float64 // share of the items in the largest cluster
	mean     float64 // 0 if all differences count as zero
	se       float64 // 0 if the means of the clusters count as equal
	varies   bool    // some differences within a cluster are not equal
	icc, df  float64
	limits   Range
	tol      float64 // standard deviation up to which means count as equal

	// For the constrained t: the means of the clusters, each with the share of the items that have
	// it, by ascending means, and the effective number of clusters.
	points    []point
	effective float64

	factors []float64 // of each item, N times its weight; nil if items weigh equally
}

// A point has a share of all items.
type point struct{ value, share float64 }

// Prepare sums up at least two differences in at least two clusters.
//
// It returns an error that wraps [stat.ErrNotFinite] and names the index if a difference is NaN or
// infinite, or if their sum or spread is too large for a float64; [stat.ErrSampleSize] if there are
// fewer than two items or two clusters, or not as many clusters' numbers as items; and
// [stat.ErrDomain] for a scale that is negative, NaN or infinite, for a range that is empty, and
// for a difference out of the range.
func Prepare(d Data) (*Sample, error) {
	largest, err := d.check()
	if err != nil {
		return nil, err
	}
	groups, of := d.groups()
	if len(groups) < 2 {
		return nil, fmt.Errorf("%w: all %d items are in one cluster, need at least 2", stat.ErrSampleSize,
			len(d.Differences))
	}
	s := &Sample{items: len(d.Differences), clusters: len(groups), limits: d.Range}
	s.tol = sample.Tolerance(cmp.Or(d.Scale, largest))
	w := d.weighing(groups)
	if err := s.sum(d.Differences, groups, of, w, largest); err != nil {
		return nil, err
	}
	if d.Range != (Range{}) {
		s.condense(groups, w)
	}
	s.factors = w.factors(groups, of)
	return s, nil
}

// check returns the largest absolute difference.
func (d *Data) check() (largest float64, err error) {
	n := len(d.Differences)
	switch {
	case n < 2:
		return 0, fmt.Errorf("%w: %d items, need at least 2", stat.ErrSampleSize, n)
	case d.Clusters != nil && len(d.Clusters) != n:
		return 0, fmt.Errorf("%w: clusters of %d items for %d differences", stat.ErrSampleSize,
			len(d.Clusters), n)
	case !(d.Scale >= 0) || math.IsInf(d.Scale, 1):
		return 0, fmt.Errorf("%w: scale %v", stat.ErrDomain, d.Scale)
	}
	if err := errors.Join(d.Range.check(), d.Weight.check()); err != nil {
		return 0, err
	}
	for i, x := range d.Differences {
		if x-x != 0 {
			return 0, fmt.Errorf("%w: the difference of item %d is %v", stat.ErrNotFinite, i, x)
		}
		largest = max(largest, math.Abs(x))
	}
	if d.Range == (Range{}) {
		return largest, nil
	}
	tol := sample.Tolerance(max(largest, d.Scale))
	for i, x := range d.Differences {
		if x < d.Range.Least-tol || x > d.Range.Most+tol {
			return 0, fmt.Errorf("%w: the difference of item %d is %v, out of the range from %v to %v",
				stat.ErrDomain, i, x, d.Range.Least, d.Range.Most)
		}
	}
	return largest, nil
}

// groups returns the clusters in the order of their first items, and for each item the index of its
// cluster, or nil if it is its own.
func (d *Data) groups() ([]cluster, []int) {
	if d.Clusters == nil {
		groups := make([]cluster, len(d.Differences))
		for i, x := range d.Differences {
			groups[i] = cluster{1, x}
		}
		return groups, nil
	}
	var groups []cluster
	of, index := make([]int, len(d.Differences)), map[int]int{}
	for i, x := range d.Differences {
		g, ok := index[d.Clusters[i]]
		if !ok {
			g = len(groups)
			index[d.Clusters[i]] = g
			groups = append(groups, cluster{})
		}
		of[i] = g
		groups[g].items++
		groups[g].mean += x
	}
	for g := range groups {
		groups[g].mean /= groups[g].items
	}
	return groups, of
}

// sum fills in the mean, its standard error and the degrees of freedom.
func (s *Sample) sum(d []float64, groups []cluster, of []int, w weighing, largest float64) error {
	all := sample.Mean(d)
	s.mean = all
	if w.byCluster {
		s.mean = meanOfClusters(groups)
	}
	// Squares of numbers as far from 1 as these would overflow or underflow.
	unit := 1.0
	if largest > 0x1p500 || largest < 0x1p-400 && largest > 0 {
		unit = math.Ldexp(1, min(-math.Ilogb(largest), 1000))
	}
	n := float64(s.items)
	var variance, between, within, squares, weights float64
	equal := true
	for _, c := range groups {
		weight := w.of(c)
		u := (c.mean - s.mean) * unit * weight
		variance += float64(u*u) / (1 - weight/w.total)
		u = (c.mean - all) * unit * c.items
		between += u * u / c.items
		squares += float64(c.items * c.items)
		weights += float64(weight * weight)
		s.largest = max(s.largest, c.items/n)
		equal = equal && c.items == groups[0].items
	}
	for i, g := range of {
		x := d[i] - groups[g].mean
		s.varies = s.varies || math.Abs(x) > s.tol
		within += float64(x * unit * (x * unit))
	}
	s.effective = w.total * w.total / weights
	s.se = math.Sqrt(variance) / w.total / unit
	if s.se-s.se != 0 || s.mean-s.mean != 0 {
		return fmt.Errorf("%w: the sum or the spread of the differences", stat.ErrNotFinite)
	}
	if s.se*math.Sqrt(s.effective) <= s.tol {
		s.se = 0
		if math.Abs(s.mean) <= s.tol {
			s.mean = 0
		}
	}
	s.icc = correlation(between, within, squares, n, float64(s.clusters))
	s.df = float64(s.clusters - 1)
	if !equal {
		s.df = min(max(degrees(groups, w, s.icc), 1), s.df)
	}
	return nil
}

// correlation returns the intraclass correlation by analysis of variance, from the sums of squares
// between and within the clusters, and the sum of the squared sizes of the clusters.
func correlation(between, within, squares, n, clusters float64) float64 {
	if n == clusters {
		return 0
	}
	msb, msw := between/(clusters-1), within/(n-clusters)
	size := (n - squares/n) / (clusters - 1)
	all := msb + float64((size-1)*msw)
	if !(all > 0) {
		return 0
	}
	return min(max((msb-msw)/all, 0), 1)
}

// degrees returns Satterthwaite's degrees of freedom of the variance of the mean, if items of a
// cluster are correlated by icc: (Σ w_g S_gg)²/ΣΣ w_g w_h S_gh², where S is the covariance of the
// residuals of the clusters' means.
func degrees(groups []cluster, of weighing, icc float64) float64 {
	var s, sw, swx, swx2 float64
	each := func(f func(w, x, v float64)) {
		for _, c := range groups {
			a, v := of.of(c)/of.total, icc+(1-icc)/c.items
			f(a*a/(1-a), a*v, v)
		}
	}
	for _, c := range groups {
		a, v := of.of(c)/of.total, icc+(1-icc)/c.items
		s += float64(a * a * v)
	}
	each(func(w, x, _ float64) {
		sw += w
		swx += float64(w * x)
		swx2 += float64(w * x * x)
	})
	trace, squares := 0.0, float64(s*s*sw*sw)+float64(2*sw*swx2)+float64(2*swx*swx)-float64(4*s*sw*swx)
	each(func(w, x, v float64) {
		off := s - 2*x
		trace += float64(w * (v + off))
		squares += float64(w * w * (float64((v+off)*(v+off)) - float64(off*off)))
	})
	return trace * trace / squares
}

// condense fills in the points.
func (s *Sample) condense(groups []cluster, w weighing) {
	s.points = make([]point, len(groups))
	for g, c := range groups {
		s.points[g] = point{min(max(c.mean, s.limits.Least), s.limits.Most), w.of(c) / w.total}
	}
	slices.SortFunc(s.points, func(a, b point) int { return cmp.Compare(a.value, b.value) })
	last := 0
	for _, p := range s.points[1:] {
		if p.value == s.points[last].value {
			s.points[last].share += p.share
			continue
		}
		last++
		s.points[last] = p
	}
	s.points = s.points[:last+1]
}
