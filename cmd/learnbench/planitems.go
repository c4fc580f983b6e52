package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// An itemsPlan is about fixed systems on items.
type itemsPlan struct {
	n, clusters int     // of the results or of the guess; 0 clusters if each item is its own
	icc         float64 // of a guess: correlation of the differences within clusters
	repeats     int     // of an item and a system
	byCluster   bool    // clusters weigh equally

	independent float64 // clusters that an item counts for
	variance    float64 // of the difference on an item, at these repeats
	noise       itemwise.Noise
}

// check returns an error for a guess that makes no sense, given the flags that are set.
func (i *itemsPlan) check(set map[string]bool) error {
	switch {
	case i.n < verdict.LeastClusters:
		return fmt.Errorf("-items %d: the test takes at least %d", i.n, verdict.LeastClusters)
	case set["clusters"] && (i.clusters < verdict.LeastClusters || i.clusters > i.n):
		return fmt.Errorf("-clusters %d: the test takes at least %d, and no more than there are items",
			i.clusters, verdict.LeastClusters)
	case set["clusters"] != set["icc"]:
		return errors.New("-clusters and -icc, how alike the differences within a cluster are from 0 to 1, are given together")
	case !(i.icc >= 0 && i.icc <= 1):
		return fmt.Errorf("-icc %v is not from 0 to 1", i.icc)
	}
	return nil
}

// guess takes the standard deviation of a difference. In clusters of equal size m, the variance of
// the mean is larger by 1 + (m − 1)·icc.
func (i *itemsPlan) guess(sd float64) {
	i.variance, i.independent, i.repeats = float64(sd*sd), 1, 1
	if i.clusters > 0 {
		size := float64(i.n) / float64(i.clusters)
		i.variance *= 1 + float64((size-1)*i.icc)
		i.independent = 1 / size
	}
	i.noise.Within = math.NaN()
}

// openItems takes the variance from the stored answers.
func (p *planConfig) openItems(data string) error {
	if p.minutes > 0 {
		return errors.New("-minutes are for trainings, and nothing is trained on items")
	}
	q := p.pairs
	d := itemwise.Data{Differences: make([]float64, len(q.A))}
	for k := range q.A {
		d.Differences[k] = float64(q.Unit.Better) * (q.A[k] - q.B[k])
		d.Scale = max(d.Scale, math.Abs(q.A[k]), math.Abs(q.B[k]))
	}
	var clusters int
	clusters, d.Clusters = record.ClusterNumbers(q.Items.Items)
	d.Weight = verdict.WeightOf(q.CandidateHeader)
	if clusters < verdict.LeastClusters {
		return fmt.Errorf("%d items in %d clusters: the test takes at least %d", len(q.A), clusters,
			verdict.LeastClusters)
	}
	s, err := itemwise.Prepare(d)
	if err != nil {
		return err
	}
	r, err := s.Test(0, stat.TwoSided)
	if err != nil || r.SE == 0 {
		return errors.New("no item differs, or all do equally, which says nothing of how they vary: guess with -items, and -disagree or -sd")
	}
	i := &itemsPlan{n: r.N, repeats: max(len(q.Items.A), len(q.Items.B))}
	if r.Clusters < r.N {
		i.clusters, i.byCluster = r.Clusters, d.Weight == itemwise.ByCluster
	}
	plan := r.Plan(p.experiment.Alpha, p.experiment.Power)
	i.variance, i.independent = plan.Variance, plan.Independent
	if i.noise, err = r.Noise(q.Items.ByItem()); err != nil {
		return err
	}
	p.items, p.unit = i, q.Unit
	p.title = fmt.Sprintf("plan for %s on %s, %s, from stored answers to %s", p.title, data,
		q.Unit.Name, i)
	return nil
}

func (i *itemsPlan) String() string {
	text := fmt.Sprintf("%d items", i.n)
	if i.clusters > 0 {
		text += fmt.Sprintf(" in %d clusters", i.clusters)
	}
	if i.byCluster {
		text += " that weigh equally"
	}
	if i.repeats > 1 {
		text += fmt.Sprintf(", %d repeats", i.repeats)
	}
	return text
}

// knowsRepeats reports whether the parts of the variance are known.
func (i *itemsPlan) knowsRepeats() bool { return !math.IsNaN(i.noise.Within) }

// plan returns the plan with so many repeats: of a difference, or of a margin of no regression.
func (p *planConfig) itemsWith(repeats int, margin bool) itemwise.Plan {
	i := p.items
	q := itemwise.Plan{
		Variance: i.variance, Independent: i.independent, Alpha: p.experiment.Alpha,
		Power: p.experiment.Power,
	}
	if repeats != i.repeats {
		se := i.noise.SE(1, repeats)
		q.Variance = float64(se * se)
	}
	if margin {
		q.Alternative = stat.Greater
		if span := p.unit.Span(); !math.IsInf(span, 0) {
			q.Worst = span
		}
	}
	return q
}

// reportItems says what so many items, clusters and repeats can show.
func (p *planConfig) reportItems() (string, error) {
	i := p.items
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", unit.Printable(p.title))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "items\tclusters\trepeats\tanswers\tdetectable difference\tmargin of no regression\n")
	repeats := []int{i.repeats}
	if i.knowsRepeats() {
		repeats = []int{1, i.repeats, 10}
		if i.repeats >= 10 {
			repeats[2] = 2 * i.repeats
		}
		repeats = slices.Compact(repeats)
	}
	for _, times := range []int{1, 2, 4} {
		n := times * i.n
		for _, k := range repeats {
			detectable, err := p.itemsWith(k, false).Detectable(n)
			if err != nil {
				return "", err
			}
			margin, err := p.itemsWith(k, true).Detectable(n)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(w, "%d\t%s\t%d\t%d\t%s\t%s\n", n, i.clustersOf(n), k, n*k, p.amount(detectable),
				p.amount(margin))
		}
	}
	w.Flush() // into memory
	fmt.Fprintf(&b, "with %.4g%% power at the %.4g%% level; margins if there is no difference; answers are of each system that is asked\n", 100*p.experiment.Power, 100*p.experiment.Alpha)
	if !i.knowsRepeats() && p.pairs != nil {
		fmt.Fprintf(&b, "items were answered once, which does not say what repeats would bring: store answers with two or more\n")
	}
	for _, x := range []struct {
		what   string
		amount float64
		margin bool
	}{{"a margin", p.margin, true}, {"a difference", p.difference, false}} {
		if x.amount == 0 {
			continue
		}
		var takes []string
		for _, k := range repeats {
			n, err := p.itemsWith(k, x.margin).Items(x.amount)
			if errors.Is(err, stat.ErrSampleSize) {
				takes = append(takes, "more than 2^30 items")
				continue
			}
			if err != nil {
				return "", err
			}
			text := fmt.Sprintf("%d items", n)
			if i.clusters > 0 {
				text += fmt.Sprintf(" in %s clusters", i.clustersOf(n))
			}
			if len(repeats) > 1 {
				text += fmt.Sprintf(" answered %d times", k)
			}
			takes = append(takes, text)
		}
		fmt.Fprintf(&b, "%s of %s takes %s\n", x.what, p.amount(x.amount), strings.Join(takes, ", or "))
	}
	return b.String(), nil
}

// clustersOf returns the number of clusters of so many items, if clusters are as large as here.
func (i *itemsPlan) clustersOf(n int) string {
	if i.clusters == 0 {
		return "-"
	}
	return fmt.Sprint(int(math.Ceil(float64(n) * float64(i.clusters) / float64(i.n))))
}
