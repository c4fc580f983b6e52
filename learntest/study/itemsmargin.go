package study

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
)

// A lossy draws the difference on an item, from −1 to 1, of systems of which the candidate is worse
// by loss on average.
type lossy struct {
	name string
	draw func(r *rand.Rand, loss float64) float64
}

// changed returns size or −size with the same probability up to the loss, and mostly 0: so many
// items differ anyway.
func changed(r *rand.Rand, loss, size, share float64) float64 {
	switch x := r.Float64(); {
	case x < share/2:
		return size
	case x < share+loss/size:
		return -size
	}
	return 0
}

// repeated returns the difference of means of repeats, of which each system has its own number. A
// lossy candidate fails on so many items that it loses that much.
func repeated(r *rand.Rand, loss float64, repeats func() int) float64 {
	p := r.Float64()
	mean := func(p float64) float64 {
		k, hits := repeats(), 0
		for range k {
			hits += lab.Indicator(r.Float64() < p)
		}
		return float64(hits) / float64(k)
	}
	candidate := p
	if r.Float64() < 2*loss { // half of the repeats succeed on the average item
		candidate = 0
	}
	return mean(candidate) - mean(p)
}

func lossies() []lossy {
	return []lossy{
		{"0, 1: only losses", func(r *rand.Rand, loss float64) float64 { return changed(r, loss, 1, 0) }},
		{"0, 1: 4% differ", func(r *rand.Rand, loss float64) float64 {
			return changed(r,
				loss, 1, 0.04)
		}},
		{"0, ½, 1: losses of ½", func(r *rand.Rand, loss float64) float64 {
			return changed(r, loss,
				0.5, 0.04)
		}},
		{"graded: a fifth differ", func(r *rand.Rand, loss float64) float64 {
			if r.Float64() < 0.8 {
				return 0
			}
			return float64(0.5*(2*r.Float64()-1)) - 5*loss // at least −0.75
		}},
		{"3 repeats", func(r *rand.Rand, loss float64) float64 {
			return repeated(r, loss,
				func() int { return 3 })
		}},
		{"1 to 5 repeats", func(r *rand.Rand, loss float64) float64 {
			return repeated(r, loss, func() int { return 1 + r.IntN(5) })
		}},
		{"dense", func(r *rand.Rand, loss float64) float64 { return float64(0.3*(2*r.Float64()-1)) - loss }},
	}
}

var (
	itemMargins = []float64{0.01, 0.02, 0.05}
	itemNumbers = []int{20, 50, 100, 300, 1000, 2000}
)

// marginLevels measures tests that a candidate is not worse by a margin: where it is worse by just
// the margin, and where there is no difference.
func marginLevels(sets int) itemsTable {
	var t itemsTable
	for _, score := range lossies() {
		for _, margin := range itemMargins {
			for _, loss := range []float64{margin, 0} {
				for _, n := range itemNumbers {
					t.cells = append(t.cells, &itemsCell{
						sets: sets, tests: 2,
						draw: func(r *rand.Rand, reject []bool) error {
							d := itemwise.Data{
								Range: itemwise.Range{Least: -1, Most: 1}, Scale: 1,
								Differences: make([]float64, n),
							}
							for i := range d.Differences {
								d.Differences[i] = score.draw(r, loss)
							}
							return judgeMargin(d, margin, reject)
						},
					})
				}
			}
		}
	}
	t.print = func() Table {
		table := Table{
			Title: "False passes at a margin, and power",
			Notes: []string{
				"A claim of no loss of the margin, at the 5% level. `worse`: the candidate truly loses the margin; in percent, how often the claim holds by the ordinary t, and by items-t, which holds it against the constrained t as well. `equal`: how often it holds if there is no difference. " + ofSets(sets),
			},
			Columns: []string{"scores, margin, candidate"},
		}
		for _, n := range itemNumbers {
			table.Columns = append(table.Columns, fmt.Sprintf("%d items", n))
		}
		cells := t.cells
		for _, score := range lossies() {
			for _, margin := range itemMargins {
				for _, truth := range []string{"worse", "equal"} {
					row := []string{fmt.Sprintf("%s, %g, %s", score.name, 100*margin, truth)}
					for _, c := range cells[:len(itemNumbers)] {
						row = append(row, bothTests(c))
					}
					table.Add(row...)
					cells = cells[len(itemNumbers):]
				}
			}
		}
		return table
	}
	return t
}

// bothTests shows the shares of the ordinary t and of items-t.
func bothTests(c *itemsCell) string {
	return lab.Figure(c.percent(0), 1) + " " + lab.Figure(c.percent(1), 1)
}

// judgeMargin tests whether the candidate loses less than the margin, by the ordinary t and by
// both.
func judgeMargin(d itemwise.Data, margin float64, reject []bool) error {
	s, err := itemwise.Prepare(d)
	if err != nil {
		return err
	}
	r, err := s.Test(-margin, stat.Greater)
	if err != nil {
		return err
	}
	t, err := stat.StudentT(r.DF)
	if err != nil {
		return err
	}
	p, err := t.P(r.T, stat.Greater)
	reject[0], reject[1] = p <= gateLevel, r.P <= gateLevel
	return err
}

// brokenClusters measures the claim of no loss of a margin where whole clusters fail, each with the
// margin as its probability.
func brokenClusters(sets int) itemsTable {
	var t itemsTable
	margins := []float64{0.02, 0.05, 0.1, 0.3}
	for _, sizes := range clusterSizes {
		for _, clusters := range clusterNumbers {
			for _, margin := range margins {
				t.cells = append(t.cells, &itemsCell{
					sets: sets, tests: 2,
					draw: func(r *rand.Rand, reject []bool) error {
						d := itemwise.Data{Range: itemwise.Range{Least: -1, Most: 1}, Scale: 1}
						for g, size := range sizes.draw(r, clusters) {
							x := -float64(lab.Indicator(r.Float64() < margin))
							for range size {
								d.Differences, d.Clusters = append(d.Differences, x), append(d.Clusters, g)
							}
						}
						return judgeMargin(d, margin, reject)
					},
				})
			}
		}
	}
	t.print = func() Table {
		table := Table{
			Title:   "False passes where whole clusters fail",
			Notes:   []string{"The candidate fails on all items of a cluster, or on none; clusters fail with the margin as their probability. In percent, how often the claim of a smaller loss holds by the ordinary t, and by items-t, at the 5% level. " + ofSets(sets)},
			Columns: []string{"sizes, clusters"},
		}
		for _, margin := range margins {
			table.Columns = append(table.Columns, fmt.Sprintf("margin %g", 100*margin))
		}
		cells := t.cells
		for _, sizes := range clusterSizes {
			for _, clusters := range clusterNumbers {
				row := []string{fmt.Sprintf("%s, %d", sizes.name, clusters)}
				for _, c := range cells[:len(margins)] {
					row = append(row, bothTests(c))
				}
				table.Add(row...)
				cells = cells[len(margins):]
			}
		}
		return table
	}
	return t
}

// repeatLevels measures tests of whether two equally good systems differ, whose items have repeats.
func repeatLevels(sets int) itemsTable {
	repeats := []struct {
		name string
		draw func(r *rand.Rand) int
	}{
		{"1", func(*rand.Rand) int { return 1 }},
		{"3", func(*rand.Rand) int { return 3 }},
		{"10", func(*rand.Rand) int { return 10 }},
		{"2 to 6", func(r *rand.Rand) int { return 2 + r.IntN(5) }},
	}
	systems, numbers := []string{"one system twice", "items differ both ways"}, []int{10, 30, 300}
	names := []string{"rows of repeats", "two proportions", "within items", "items-t"}
	var t itemsTable
	for kind := range systems {
		for _, repeat := range repeats {
			for _, n := range numbers {
				t.cells = append(t.cells, &itemsCell{
					sets: sets, tests: len(names),
					draw: func(r *rand.Rand, reject []bool) error {
						var scores [2][][]float64
						for range n {
							p := 0.02 + 0.96*r.Float64()
							for side := range scores {
								if side == 1 && kind == 1 {
									p = 0.02 + 0.96*r.Float64()
								}
								x := make([]float64, repeat.draw(r))
								for k := range x {
									x[k] = float64(lab.Indicator(r.Float64() < p))
								}
								scores[side] = append(scores[side], x)
							}
						}
						return judgeRepeats(scores, reject)
					},
				})
			}
		}
	}
	t.print = func() Table {
		table := Table{
			Title: "False alarms with repeats",
			Notes: []string{
				"Two systems are equally good on average: one system twice, or systems that are good at different items. Items succeed with probabilities from 0.02 to 0.98. In percent, how often each test finds a difference at the 5% level, two-sided. " + ofSets(sets),
				"`rows of repeats` pairs the first repeat with the first, and takes each pair for an item; `two proportions` compares all hits; `within items` takes only the variance of the repeats, which two repeats are needed for; items-t compares the items' means.",
			},
			Columns: append([]string{"systems, repeats, items"}, names...),
		}
		cells := t.cells
		for _, system := range systems {
			for _, repeat := range repeats {
				for _, n := range numbers {
					row := []string{fmt.Sprintf("%s, %s, %d", system, repeat.name, n)}
					for test := range names {
						if test == 2 && repeat.name == "1" {
							row = append(row, "–")
							continue
						}
						row = append(row, lab.Figure(cells[0].percent(test), 1))
					}
					table.Add(row...)
					cells = cells[1:]
				}
			}
		}
		return table
	}
	return t
}

// judgeRepeats tests the repeats of two systems by the tests of repeatLevels.
func judgeRepeats(scores [2][][]float64, reject []bool) error {
	d := itemwise.Data{Scale: 1}
	rows := stat.Differences{Runs: 1, Scale: 1}
	var hits, calls [2]float64
	for i := range scores[0] {
		var mean [2]float64
		for side := range scores {
			for _, x := range scores[side][i] {
				mean[side] += x / float64(len(scores[side][i]))
				hits[side] += x
				calls[side]++
			}
		}
		d.Differences = append(d.Differences, mean[0]-mean[1])
		for k := range min(len(scores[0][i]), len(scores[1][i])) {
			rows.X = append(rows.X, scores[0][i][k]-scores[1][i][k])
		}
	}
	rows.Folds = len(rows.X)
	paired, err := stat.PairedTTest(rows, stat.TwoSided)
	if err != nil {
		return err
	}
	s, err := itemwise.Prepare(d)
	if err != nil {
		return err
	}
	r, err := s.Test(0, stat.TwoSided)
	if err != nil {
		return err
	}
	noise, err := r.Noise(scores[0], scores[1])
	if err != nil {
		return err
	}
	const critical = 1.959963984540054
	all := (hits[0] + hits[1]) / (calls[0] + calls[1])
	pooled := math.Sqrt(all * (1 - all) * (1/calls[0] + 1/calls[1]))
	reject[0], reject[3] = paired.P <= gateLevel, r.P <= gateLevel
	reject[1] = math.Abs(hits[0]/calls[0]-hits[1]/calls[1]) >= critical*pooled && pooled > 0
	reject[2] = math.Abs(r.Mean) >= critical*math.Sqrt(noise.Within/float64(r.N)) && noise.Within > 0
	return nil
}
