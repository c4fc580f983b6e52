package study

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/learnbench/learnbench/learntest/internal/papers"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
)

// bcmPaper is what the titles of its studies begin with.
const bcmPaper = "Benavoli, Corani & Mangili 2016, "

// bcmStudies returns the studies of mean ranks: their inconsistencies by example, and their
// errors.
func bcmStudies() []Study {
	return []Study{
		computed("bcm1", bcmPaper+"example 1: learners that make a difference between two others", bcmExample1),
		{Name: "bcm2", Doc: bcmPaper + "example 2: learners that take the power from a comparison of two others", Run: runBCMExample2},
		computed("bcm3", bcmPaper+"example 3: seven classifiers on 54 data sets", bcmExample3),
		computed("bcm-table1", bcmPaper+"table 1: pairs of seven classifiers whose comparison depends on the others", bcmTable1),
		{Name: "bcm-mean-ranks", Doc: bcmPaper + "section 4.4: the largest Type I error of the mean-ranks test", Run: runBCMErrors},
	}
}

// computed returns a study that draws no random numbers.
func computed(name, doc string, tables func() ([]Table, error)) Study {
	return Study{Name: name, Doc: doc, Run: func(_ context.Context, cfg Config) (*Report, error) {
		if _, err := cfg.withDefaults(); err != nil {
			return nil, err
		}
		if err := cfg.withoutSets(); err != nil {
			return nil, err
		}
		t, err := tables()
		return &Report{t}, err
	}}
}

// level is that of all tests of the papers, unless they say otherwise.
const level = 0.05

// A figureTable holds figures of one paper's text against the print.
type figureTable struct {
	Table
	print papers.Table
	part  string // of the paper
}

func newFigureTable(title, file, part string, notes ...string) *figureTable {
	return &figureTable{Table{
		Title: title, Notes: notes, Columns: []string{"figure", "ours", "printed", "difference"},
	}, papers.Open(file), part}
}

// holds adds a figure that is printed.
func (t *figureTable) holds(name string, x float64) {
	t.add(append([]string{name}, besidePrint(x, t.print.Figure("printed", t.part+": "+name))...)...)
}

// says adds what is not a printed number.
func (t *figureTable) says(name, ours, printed string) { t.add(name, ours, printed, "") }

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

func bcmExample1() ([]Table, error) {
	scores := bcmScores1()
	ranks, err := across.MeanRanks(scores, across.Higher)
	if err != nil {
		return nil, err
	}
	critical, err := across.CriticalDifference(len(scores), len(scores[0]), level)
	if err != nil {
		return nil, err
	}
	friedman, err := across.Friedman(scores, across.Higher)
	if err != nil {
		return nil, err
	}
	pools, err := across.PoolDependence(scores, across.Higher, 0, 1, level)
	if err != nil {
		return nil, err
	}
	t := newFigureTable(bcmPaper+"example 1", "bcm-text", "1", "Learners A and B win on ten data sets each, by as much. High ranks are good ones, as in the paper.")
	best := float64(len(scores[0]) + 1)
	t.holds("mean rank of A", best-ranks.MeanRanks[0])
	t.holds("mean rank of B", best-ranks.MeanRanks[1])
	t.holds("difference of mean ranks", math.Abs(ranks.Pairs[0].Difference))
	t.holds("z*", critical.BonferroniZ)
	t.holds("critical difference", critical.Bonferroni)
	t.says("p of Friedman's test", fmt.Sprintf("%.2g", friedman.ChiSquared.P), t.print.Text("printed", "1: p of Friedman's test"))
	t.says("A and B differ beside C, D and E", yes(pools.Significant), "yes")
	t.says("A and B differ alone", yes(pools.Sizes[0].Pools[0].Significant), "no")
	a, b := columnOf(scores, 0), columnOf(scores, 1)
	for _, test := range across.PairTests() {
		r, err := test.Run(a, b, stat.TwoSided)
		if err != nil {
			return nil, err
		}
		t.add(append([]string{"p of A and B alone, " + test.Name}, besidePrint(r.P, t.print.Figure("printed", "1: p of A and B alone"))...)...)
	}
	return []Table{t.Table}, nil
}

func columnOf(scores [][]float64, j int) []float64 {
	x := make([]float64, len(scores))
	for i, row := range scores {
		x[i] = row[j]
	}
	return x
}

func bcmExample3() ([]Table, error) {
	t := newFigureTable(bcmPaper+"example 3", "bcm-text", "3",
		"Two pools of four of seven classifiers on 54 data sets. High ranks are good ones, as in the paper.")
	critical, err := across.CriticalDifference(54, 4, level)
	if err != nil {
		return nil, err
	}
	t.holds("z* of four learners", critical.BonferroniZ)
	for _, pool := range [][]int{{0, 1, 2, 3}, {0, 1, 3, 4}} {
		scores := t.scores(pool...)
		ranks, err := across.MeanRanks(scores, across.Higher)
		if err != nil {
			return nil, err
		}
		friedman, err := across.Friedman(scores, across.Higher)
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
			t.holds(fmt.Sprintf("%smean rank of C%d", name, c+1), float64(len(pool)+1)-ranks.MeanRanks[i])
		}
		for _, p := range ranks.Pairs {
			if p.I == two && p.J == four {
				t.holds(name+"z of C2 and C4", p.Statistic)
			}
		}
		t.says(name+"Friedman's test rejects", yes(friedman.ChiSquared.P <= level), "yes")
		t.says(name+"the same without correction for ties (equation 3)", yes(friedman.Uncorrected.P <= level), "")
	}
	t.part = "5"
	all := t.scores()
	for _, null := range []across.Null{across.Normal, across.Exact} {
		r, err := across.SignedRank(columnOf(all, 1), columnOf(all, 3), stat.TwoSided, across.SignedRankOptions{Null: null})
		if err != nil {
			return nil, err
		}
		if null == across.Normal {
			t.holds("signed-rank p of C2 and C4", r.P)
		} else {
			t.says("the same, exact", figure(r.P, 6), "")
		}
	}
	const m = 4
	t.holds("threshold of four learners", level/(m*(m-1)))
	t.says("the same for a two-sided p", figure(level/(m*(m-1)/2), 4), "")
	return []Table{t.Table}, nil
}

// scores returns columns of the paper's table of accuracies, or all.
func (t *figureTable) scores(columns ...int) [][]float64 {
	return papers.Open("bcm-table2").Scores(columns...)
}

// bcmTable1 has the pairs that are printed, and all others whose comparison depends on pools
// of the sizes that are.
func bcmTable1() ([]Table, error) {
	printed := papers.Open("bcm-table1")
	t := Table{
		Title: bcmPaper + "table 1",
		Notes: []string{"Pools of a pair and two, three or four other classifiers in which mean ranks tell the pair apart, of all such pools; - where all say the same. No pair but these depends on them."},
		Columns: []string{
			"pair", "Card=2", "printed", "Card=3", "printed", "Card=4", "printed", "differences",
		},
	}
	scores := papers.Open("bcm-table2").Scores()
	for i := range scores[0] {
		for j := range i {
			r, err := across.PoolDependence(scores, across.Higher, j, i, level)
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
				differences += index(ours != theirs)
				row = append(row, ours, theirs)
			}
			if depends {
				t.add(append(row, strconv.Itoa(differences))...)
			}
		}
	}
	return []Table{t}, nil
}
