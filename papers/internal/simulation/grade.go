package simulation

import (
	"context"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/study"
	"golang.org/x/sync/errgroup"
)

// tested is the size of the test set that the papers measure accuracy on.
const tested = 20_000

// An exam tests models on all examples that a network of few attributes can draw, each
// with its weights.
type exam struct {
	all    *dataset.Table
	weight [][][2]float64 // some weights, of each example with class 0 and with class 1
}

// newExam returns the exam that weighs examples by their probability.
func newExam(n *lab.Network) (*exam, error) {
	t, p, err := n.Patterns()
	return &exam{t, [][][2]float64{p}}, err
}

// sample adds the weights that a test set drawn from the network gives to the examples.
func (e *exam) sample(n *lab.Network, size int, seed uint64) error {
	t, err := n.Table("test set", size, seed)
	if err != nil {
		return err
	}
	w := make([][2]float64, e.all.Len())
	for i := range size {
		pattern := 0
		for j := range n.Attributes {
			pattern |= int(t.Codes(j)[i]) << j
		}
		w[pattern][t.Class(i)]++
	}
	for i := range w {
		w[i][0] /= float64(size)
		w[i][1] /= float64(size)
	}
	e.weight = append(e.weight, w)
	return nil
}

// accuracies appends the accuracies of a classifier that is trained on the first n examples of a
// data set, in percent, by each of the weights.
func (e *exam) accuracies(dst []float64, c learner.Classifier, t *dataset.Table, n int) ([]float64,
	error,
) {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	m, err := c.Fit(t, rows, 1)
	if err != nil {
		return nil, err
	}
	right := make([]float64, len(e.weight))
	dist := make([]float64, 2)
	for i := range e.all.Len() {
		m.Distribution(e.all, i, dist)
		if y := learner.Best(dist); y >= 0 {
			for k, w := range e.weight {
				right[k] += w[i][y]
			}
		}
	}
	for _, r := range right {
		dst = append(dst, 100*r)
	}
	return dst, m.Close()
}

// A grade is how accurate learners are that are trained on data sets of a network, on
// average, in percent.
type grade struct {
	bayes, tree, gap lab.Mean
	half             lab.Mean // gap on half as many examples
}

func (g *grade) add(bayes, tree float64) {
	g.bayes.Add(bayes)
	g.tree.Add(tree)
	g.gap.Add(tree - bayes)
}

// gradeOf trains naive Bayes and C4.5 on data sets of the network and, if half is set, on the first
// half of each.
func gradeOf(ctx context.Context, n *lab.Network, sets int, seed uint64, parallel int,
	half bool,
) (g grade, err error) {
	e, err := newExam(n)
	if err != nil {
		return g, err
	}
	found := make([][]float64, sets)
	group, ctx := errgroup.WithContext(ctx)
	for w := range parallel {
		group.Go(func() error {
			bayes, tree := lab.NewBayes(), lab.NewTree()
			for i := w; i < sets; i += parallel {
				if err := context.Cause(ctx); err != nil {
					return err
				}
				t, err := n.Table("graded", lab.Examples, lab.Derive(seed, i))
				if err != nil {
					return err
				}
				if found[i], err = e.both(bayes, tree, t, t.Len()); err != nil {
					return err
				}
				if half {
					x, err := e.both(bayes, tree, t, t.Len()/2)
					if err != nil {
						return err
					}
					found[i] = append(found[i], x...)
				}
			}
			return nil
		})
	}
	err = group.Wait()
	if err == nil {
		for _, x := range found {
			g.add(x[0], x[1])
			if half {
				g.half.Add(x[3] - x[2])
			}
		}
	}
	return g, err
}

// both returns the accuracies of two classifiers, by all weights of the one and then of the
// other.
func (e *exam) both(a, b learner.Classifier, t *dataset.Table, n int) ([]float64, error) {
	x, err := e.accuracies(nil, a, t, n)
	if err != nil {
		return nil, err
	}
	return e.accuracies(x, b, t, n)
}

// A Grader measures how accurate the learners are on the data sets of a study: by
// the probabilities of the network, and on one test set, as the papers did.
type Grader struct {
	exam  *exam
	found [][]float64
}

func NewGrader(n *lab.Network, seed uint64, sets int) (*Grader, error) {
	e, err := newExam(n)
	if err == nil {
		err = e.sample(n, tested, lab.Derive(seed, tested))
	}
	return &Grader{e, make([][]float64, sets)}, err
}

// Add measures on a data set.
func (g *Grader) Add(s *lab.Drawn) (err error) {
	g.found[s.Index], err = s.Remember(fmt.Sprintf("accuracies of naivebayes and c45, %d tested",
		tested), func() ([]float64, error) {
		t, err := s.Data()
		if err != nil {
			return nil, err
		}
		return g.exam.both(lab.NewBayes(), lab.NewTree(), t, t.Len())
	})
	return err
}

// grades returns the means by probability and on the test set.
func (g *Grader) grades() (exact, sampled grade) {
	for _, x := range g.found {
		exact.add(x[0], x[2])
		sampled.add(x[1], x[3])
	}
	return exact, sampled
}

// SourceTable describes the sources: table 3 of Bouckaert (2003), and the row "accuracy" of
// table 5 of Bouckaert & Frank (2004).
func SourceTable(graders []*Grader) study.Table {
	t := study.Table{
		Title: "Sources: accuracies",
		Notes: []string{fmt.Sprintf("Mean accuracies of learners trained on %d data sets of %d examples, and C4.5's less naive Bayes's: on one test set of %d examples, and on infinitely many, which are the probabilities of the source. The errors are standard errors of the means over data sets; a test set of %d has an error of its own, of up to %.1f points: the rest of the difference between the two. The printed figures are from Bouckaert 2003, table 3; the difference is also in Bouckaert & Frank 2004, table 5.",
			len(graders[0].found), lab.Examples, tested, tested, 100*math.Sqrt(0.25/tested))},
		Columns: []string{"source", "accuracy, %", "tested", "infinitely", "±", "printed"},
	}
	for i, g := range graders {
		exact, sampled := g.grades()
		want := targets()[i]
		name := fmt.Sprint(i + 1)
		t.Add(name, "naive Bayes", lab.Figure(sampled.bayes.Mean(), 2), lab.Figure(exact.bayes.Mean(), 2),
			lab.Figure(exact.bayes.SE(), 2), lab.Figure(want.bayes, 2))
		t.Add(name, "C4.5", lab.Figure(sampled.tree.Mean(), 2), lab.Figure(exact.tree.Mean(), 2),
			lab.Figure(exact.tree.SE(), 2), lab.Figure(want.tree, 2))
		t.Add(name, "difference", lab.Figure(sampled.gap.Mean(), 2), lab.Figure(exact.gap.Mean(), 2),
			lab.Figure(exact.gap.SE(), 2), lab.Figure(want.gap, 2))
	}
	return t
}
