// Package benavoli2016 reproduces A. Benavoli, G. Corani and F. Mangili (2016), "Should we really
// use post-hoc tests based on mean-ranks?".
package benavoli2016

import (
	"fmt"
	"math"
	"strconv"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/learnbench/learnbench/papers/internal/prints"
)

// bcmPaper begins the titles of its studies.
const bcmPaper = "Benavoli, Corani & Mangili 2016, "

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// bcmScores1 are the accuracies of example 1.
func bcmScores1() [][]float64 {
	scores := make([][]float64, 20)
	for i := range scores {
		scores[i] = []float64{50, 80, 55, 60, 65}
		if i >= 10 {
			scores[i] = []float64{80, 50, 45, 85, 90}
		}
	}
	return scores
}

func bcmExample1() ([]study.Table, error) {
	scores := bcmScores1()
	ranks, err := across.MeanRanks(scores, unit.Higher)
	if err != nil {
		return nil, err
	}
	critical, err := across.CriticalDifference(len(scores), len(scores[0]), paper.Level)
	if err != nil {
		return nil, err
	}
	friedman, err := across.Friedman(scores, unit.Higher)
	if err != nil {
		return nil, err
	}
	pools, err := across.PoolDependence(scores, unit.Higher, 0, 1, paper.Level)
	if err != nil {
		return nil, err
	}
	t := prints.NewFigureTable(bcmPaper+"example 1", "bcm-text", "1",
		"Learners A and B win on ten data sets each, by as much. High ranks are good ones, as in the paper.")
	best := float64(len(scores[0]) + 1)
	t.Holds("mean rank of A", best-ranks.MeanRanks[0])
	t.Holds("mean rank of B", best-ranks.MeanRanks[1])
	t.Holds("difference of mean ranks", math.Abs(ranks.Pairs[0].Difference))
	t.Holds("z*", critical.BonferroniZ)
	t.Holds("critical difference", critical.Bonferroni)
	t.Says("p of Friedman's test", fmt.Sprintf("%.2g", friedman.ChiSquared.P),
		t.Print.Text("printed", "1: p of Friedman's test"))
	t.Says("A and B differ beside C, D and E", yes(pools.Significant), "yes")
	t.Says("A and B differ alone", yes(pools.Sizes[0].Pools[0].Significant), "no")
	a, b := columnOf(scores, 0), columnOf(scores, 1)
	for _, test := range across.PairTests() {
		r, err := test.Run(a, b, stat.TwoSided)
		if err != nil {
			return nil, err
		}
		t.Add(append([]string{"p of A and B alone, " + test.Name},
			prints.Beside(r.P, t.Print.Figure("printed", "1: p of A and B alone"))...)...)
	}
	return []study.Table{t.Table}, nil
}

func columnOf(scores [][]float64, j int) []float64 {
	x := make([]float64, len(scores))
	for i, row := range scores {
		x[i] = row[j]
	}
	return x
}

func bcmExample3() ([]study.Table, error) {
	t := prints.NewFigureTable(bcmPaper+"example 3", "bcm-text", "3",
		"Two pools of four of seven classifiers on 54 data sets. High ranks are good ones, as in the paper.")
	critical, err := across.CriticalDifference(54, 4, paper.Level)
	if err != nil {
		return nil, err
	}
	t.Holds("z* of four learners", critical.BonferroniZ)
	for _, pool := range [][]int{{0, 1, 2, 3}, {0, 1, 3, 4}} {
		scores := printedScores(pool...)
		ranks, err := across.MeanRanks(scores, unit.Higher)
		if err != nil {
			return nil, err
		}
		friedman, err := across.Friedman(scores, unit.Higher)
		if err != nil {
			return nil, err
		}
		name, two, four := "", 0, 0
		for i, c := range pool {
			name += fmt.Sprintf("C%d ", c+1)
			switch c {
			case 1:
				two = i
			case 3:
				four = i
			}
		}
		name = name[:len(name)-1] + ", "
		for i, c := range pool {
			t.Holds(fmt.Sprintf("%smean rank of C%d", name, c+1), float64(len(pool)+1)-ranks.MeanRanks[i])
		}
		for _, p := range ranks.Pairs {
			if p.I == two && p.J == four {
				t.Holds(name+"z of C2 and C4", p.Statistic)
			}
		}
		t.Says(name+"Friedman's test rejects", yes(friedman.ChiSquared.P <= paper.Level), "yes")
		t.Says(name+"Friedman's test rejects without correction for ties (equation 3)",
			yes(friedman.Uncorrected.P <= paper.Level), "")
	}
	t.Part = "5"
	all := printedScores()
	for _, null := range []across.Null{across.Normal, across.Exact} {
		r, err := across.SignedRank(columnOf(all, 1), columnOf(all, 3), stat.TwoSided,
			across.SignedRankOptions{Null: null})
		if err != nil {
			return nil, err
		}
		if null == across.Normal {
			t.Holds("signed-rank p of C2 and C4", r.P)
		} else {
			t.Says("signed-rank p of C2 and C4, exact", lab.Figure(r.P, 6), "")
		}
	}
	const m = 4
	t.Holds("threshold of four learners", paper.Level/(m*(m-1)))
	t.Says("threshold of four learners for a two-sided p", lab.Figure(paper.Level/(m*(m-1)/2), 4), "")
	return []study.Table{t.Table}, nil
}

// printedScores returns columns of the paper's table of accuracies, or all.
func printedScores(columns ...int) [][]float64 {
	return prints.Open("bcm-table2").Scores(columns...)
}

// bcmTable1 has the pairs that are printed, and all others whose comparison depends on pools
// of the sizes that are.
func bcmTable1() ([]study.Table, error) {
	printed := prints.Open("bcm-table1")
	t := study.Table{
		Title: bcmPaper + "table 1",
		Notes: []string{"Pools of a pair and two, three or four other classifiers in which mean ranks tell the pair apart, of all such pools; - where all agree. No pair but these depends on them."},
		Columns: []string{
			"pair", "Card=2", "printed", "Card=3", "printed", "Card=4", "printed", "differences",
		},
	}
	scores := prints.Open("bcm-table2").Scores()
	for i := range scores[0] {
		for j := range i {
			r, err := across.PoolDependence(scores, unit.Higher, j, i, paper.Level)
			if err != nil {
				return nil, err
			}
			pair := fmt.Sprintf("C%d vs C%d", j+1, i+1)
			row, depends, differences := []string{pair}, false, 0
			for k, column := range printed.Columns[1:] {
				ours, theirs := "-", "-"
				if size := r.Sizes[2+k]; size.Depends() {
					ours, depends = size.String(), true
				}
				for _, cells := range printed.Rows {
					if cells[0] == pair {
						theirs, depends = printed.Text(column, pair), true
					}
				}
				differences += lab.Indicator(ours != theirs)
				row = append(row, ours, theirs)
			}
			if depends {
				t.Add(append(row, strconv.Itoa(differences))...)
			}
		}
	}
	return []study.Table{t}, nil
}
