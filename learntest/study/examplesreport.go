package study

import (
	"fmt"
	"math/rand/v2"

	"github.com/learnbench/learnbench/internal/lab"
)

// A fixedCell has two fixed rules on n examples, of which the candidate loses just the margin.
type fixedCell struct {
	exampleCell
	n int
}

func fixedCells() []*fixedCell {
	var all []*fixedCell
	for _, n := range []int{50, 100, 200, 300, 600} {
		for _, margin := range []float64{0.01, 0.02, 0.05} {
			all = append(all, &fixedCell{exampleCell{margin: margin}, n})
		}
	}
	return all
}

// measure draws data sets as [marginRow.measure] does.
func (c *fixedCell) measure(r *rand.Rand, sets int) error {
	rules, right := make([]rule, c.n), [2][]int{make([]int, c.n), make([]int, c.n)}
	for range sets {
		for i := range rules {
			rules[i] = rule{right: r.Float64() < 0.8}
			if rules[i].right && r.Float64() < c.margin/0.8 {
				rules[i].gain = -1
			}
			right[1][i] = exampleRuns * lab.Indicator(rules[i].right)
			right[0][i] = right[1][i] + exampleRuns*int(rules[i].gain)
		}
		p := rulePairs(r, rules, exampleRuns, 10)
		p.RightA, p.RightB = right[0], right[1]
		byFolds, byBoth, err := holds(p, c.margin)
		if err != nil {
			return err
		}
		c.add(byFolds, byBoth)
	}
	return nil
}

func fixedTable(cells []*fixedCell, sets int) Table {
	t := Table{
		Title: "Fixed rules",
		Notes: []string{
			"How often a claim of no loss of the margin holds, in percent, of a rule that truly loses the margin: by the default test, and by both tests. Nothing is trained; the baseline is right on 80%, and the candidate fails on some of these examples. " + ofSets(sets),
		},
		Columns: []string{"examples"},
	}
	for _, c := range cells[:3] {
		t.Columns = append(t.Columns, fmt.Sprintf("margin %g", 100*c.margin))
	}
	for i := 0; i < len(cells); i += 3 {
		row := []string{fmt.Sprint(cells[i].n)}
		for _, c := range cells[i : i+3] {
			row = append(row, c.String())
		}
		t.Add(row...)
	}
	return t
}

// name says what a row of results is of.
func (s *exampleSetting) name(r relation) string {
	return fmt.Sprintf("%s, %d, %s", s.learner, s.n, r.name)
}

func falsePasses(all []exampleSetting, results []exampleResult, sets int) Table {
	t := Table{
		Title: "Learners that truly lose the margin",
		Notes: []string{
			"How often a claim of no loss of the margin holds, in percent, of a candidate that truly loses the margin: by the default test, and by both tests. Learners train by 10×10 cross-validation on two attributes of two classes. The candidate only fails, on a share of the population that costs the margin; or both fail, each on another 2%, and the candidate also as before; or it has learned from other attributes, which tell as much, and fails as before; or it has learned from weaker attributes, and nothing else: the margin is then its true loss, the mean over all data sets, in brackets. " + ofSets(sets),
		},
		Columns: []string{"learner, examples, candidate"},
	}
	for _, margin := range exampleMargins {
		t.Columns = append(t.Columns, fmt.Sprintf("margin %g", 100*margin))
	}
	for k := range all {
		for i, r := range relations() {
			row := []string{all[k].name(r)}
			for _, c := range results[k][i][0] {
				cell := c.String()
				if r.candidate == weaker {
					cell += fmt.Sprintf(" (%s)", lab.Figure(100*c.margin, 1))
				}
				row = append(row, cell)
			}
			t.Add(row...)
		}
	}
	return t
}

func passes(all []exampleSetting, results []exampleResult, sets int) Table {
	t := Table{
		Title: "Learners that lose nothing",
		Notes: []string{
			"How often the claim holds where there is no difference (=), and where the candidate is better by the margin (+), by the default test and by both tests. " + ofSets(sets),
		},
		Columns: []string{"learner, examples, candidate"},
	}
	for _, truth := range []string{"=", "+"} {
		for _, margin := range exampleMargins {
			t.Columns = append(t.Columns, fmt.Sprintf("%s %g", truth, 100*margin))
		}
	}
	for k := range all {
		for i, r := range relations() {
			if !r.power {
				continue
			}
			row := []string{all[k].name(r)}
			for _, cells := range results[k][i][1:] {
				for _, c := range cells {
					row = append(row, c.String())
				}
			}
			t.Add(row...)
		}
	}
	return t
}
