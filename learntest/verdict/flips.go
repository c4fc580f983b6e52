package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// count counts the items whose score has changed, given the gains.
func (it *Items) count(p *record.Pairs, gains []float64) {
	hits := p.Unit.IsFraction() && onlyHits(p.Items.A) && onlyHits(p.Items.B)
	for i, gain := range gains {
		switch {
		case gain > 0:
			it.Better++
		case gain < 0:
			it.Worse++
		default:
			it.Same++
			continue
		}
		words := func(repeats [][]float64, mean float64) string {
			if hits {
				return hitsOf(repeats, i)
			}
			return p.Unit.FormatScore(mean)
		}
		item := p.Items.Items[i]
		it.Flips = append(it.Flips, Flip{
			ID: item.ID, Cluster: item.Cluster, Gain: gain,
			Old: words(p.Items.B, p.B[i]), New: words(p.Items.A, p.A[i]),
		})
	}
	slices.SortStableFunc(it.Flips, func(a, b Flip) int { return cmp.Compare(a.Gain, b.Gain) })
}

// onlyHits reports whether all scores are 0 or 1.
func onlyHits(repeats [][]float64) bool {
	for _, scores := range repeats {
		for _, x := range scores {
			if x != 0 && x != 1 {
				return false
			}
		}
	}
	return true
}

// hitsOf returns how many repeats of an item are right, as in "2/3".
func hitsOf(repeats [][]float64, item int) string {
	n := 0.0
	for _, scores := range repeats {
		n += scores[item]
	}
	return fmt.Sprintf("%.0f/%d", n, len(repeats))
}

// forgotten returns a warning if ids look as if items came in clusters that nobody has named, and
// differences within them are alike: more so than at random, at a level of one in a hundred.
func forgotten(p *record.Pairs, d stat.Differences) []error {
	const leastShare, level = 0.2, 0.01
	groups := make(map[string]int)
	var prefixes []string
	var gains [][]float64
	for i, it := range p.Items.Items {
		prefix := it.ID
		if at := strings.LastIndexAny(it.ID, "-/#"); at > 0 {
			prefix = it.ID[:at]
		}
		g, ok := groups[prefix]
		if !ok {
			g = len(prefixes)
			groups[prefix] = g
			prefixes, gains = append(prefixes, prefix), append(gains, nil)
		}
		gains[g] = append(gains[g], d.X[i])
	}
	shared, example, most := 0, "", 1
	for g, xs := range gains {
		if len(xs) > 1 {
			shared += len(xs)
		}
		if len(xs) > most {
			example, most = prefixes[g], len(xs)
		}
	}
	n, g := len(d.X), len(prefixes)
	if float64(shared) < leastShare*float64(n) {
		return nil
	}
	total, between, within := mean(d.X), 0.0, 0.0
	for _, xs := range gains {
		m := mean(xs)
		between += float64(len(xs)) * (m - total) * (m - total)
		for _, x := range xs {
			within += (x - m) * (x - m)
		}
	}
	law, err := stat.SnedecorF(float64(g-1), float64(n-g))
	if err != nil || !(between > 0) {
		return nil
	}
	if within > 0 {
		tail, err := law.P(between/float64(g-1)/(within/float64(n-g)), stat.TwoSided)
		if err != nil || tail >= level {
			return nil
		}
	}
	return []error{fmt.Errorf("ids such as %s… (%d items) look like clusters whose items succeed and fail together, and no cluster is named: the test is then wrong more often than its level says: name them, as Cluster", example, most)}
}
