package study

import (
	"context"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"golang.org/x/sync/errgroup"
)

// What the papers draw from a source.
const (
	examples = 300    // of a data set
	tested   = 20_000 // of the test set that accuracy is measured on
)

// An exam tests models on all examples that a network of few attributes can draw, each
// with its weights.
type exam struct {
	all    *dataset.Table
	weight [][][2]float64 // some weights, of each example with class 0 and with class 1
}

// newExam returns the exam that weighs examples by their probability.
func newExam(n *Network) (*exam, error) {
	t, p, err := n.patterns()
	return &exam{t, [][][2]float64{p}}, err
}

// sample adds the weights that a test set drawn from the network gives to the examples.
func (e *exam) sample(n *Network, size int, seed uint64) error {
	t, err := n.Table("test set", size, seed)
	if err != nil {
		return err
	}
	w := make([][2]float64, e.all.Len())
	for i := range size {
		pattern := 0
		for j := range n.attributes {
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

// accuracies appends the accuracies of a classifier that is trained on a data set, in
// percent, by each of the weights.
func (e *exam) accuracies(dst []float64, c learner.Classifier, t *dataset.Table) ([]float64, error) {
	rows := make([]int, t.Len())
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
type grade struct{ bayes, tree, gap mean }

func (g *grade) add(bayes, tree float64) {
	g.bayes.add(bayes)
	g.tree.add(tree)
	g.gap.add(tree - bayes)
}

// grade trains naive Bayes and C4.5 on data sets of the network.
func (n *Network) grade(ctx context.Context, sets int, seed uint64, parallel int) (g grade, err error) {
	e, err := newExam(n)
	if err != nil {
		return g, err
	}
	found := make([][]float64, sets)
	group, ctx := errgroup.WithContext(ctx)
	for w := range parallel {
		group.Go(func() error {
			bayes, tree := newBayes(), newTree()
			for i := w; i < sets; i += parallel {
				if err := context.Cause(ctx); err != nil {
					return err
				}
				t, err := n.Table("graded", examples, derive(seed, i))
				if err != nil {
					return err
				}
				if found[i], err = e.both(bayes, tree, t); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = group.Wait()
	if err == nil {
		for _, x := range found {
			g.add(x[0], x[1])
		}
	}
	return g, err
}

// both returns the accuracies of two classifiers, by all weights of the one and then of the
// other.
func (e *exam) both(a, b learner.Classifier, t *dataset.Table) ([]float64, error) {
	x, err := e.accuracies(nil, a, t)
	if err != nil {
		return nil, err
	}
	return e.accuracies(x, b, t)
}

// A grader measures how accurate the learners are on the data sets of a study: by
// the probabilities of the network, and on one test set, as the papers did.
type grader struct {
	exam  *exam
	found [][]float64
}

func newGrader(n *Network, seed uint64, sets int) (*grader, error) {
	e, err := newExam(n)
	if err == nil {
		err = e.sample(n, tested, derive(seed, tested))
	}
	return &grader{e, make([][]float64, sets)}, err
}

// add measures on a data set.
func (g *grader) add(s *drawn) (err error) {
	g.found[s.index], err = s.remember(fmt.Sprintf("accuracies of naivebayes and c45, %d tested", tested), func() ([]float64, error) {
		t, err := s.data()
		if err != nil {
			return nil, err
		}
		return g.exam.both(newBayes(), newTree(), t)
	})
	return err
}

// grades returns the means by probability and on the test set.
func (g *grader) grades() (exact, sampled grade) {
	for _, x := range g.found {
		exact.add(x[0], x[2])
		sampled.add(x[1], x[3])
	}
	return exact, sampled
}

// sourceTable describes the sources: table 3 of Bouckaert (2003), and the row "accuracy" of
// table 5 of Bouckaert & Frank (2004).
func sourceTable(graders []*grader) Table {
	t := Table{
		Title: "Sources: accuracies",
		Notes: []string{fmt.Sprintf("Mean accuracies of learners trained on %d data sets of %d examples, and C4.5's less naive Bayes's: on one test set of %d examples, and on infinitely many, which are the probabilities of the source. The errors are those of the means over data sets; that a test set of %d has its own, of up to %.1f points, is the rest of the difference between the two. The printed figures are those of Bouckaert 2003, table 3; the difference is also in Bouckaert & Frank 2004, table 5.",
			len(graders[0].found), examples, tested, tested, 100*math.Sqrt(0.25/tested))},
		Columns: []string{"source", "accuracy, %", "tested", "infinitely", "±", "printed"},
	}
	for i, g := range graders {
		exact, sampled := g.grades()
		want := targets()[i]
		name := fmt.Sprint(i + 1)
		t.add(name, "naive Bayes", figure(sampled.bayes.mean(), 2), figure(exact.bayes.mean(), 2), figure(exact.bayes.se(), 2), figure(want.bayes, 2))
		t.add(name, "C4.5", figure(sampled.tree.mean(), 2), figure(exact.tree.mean(), 2), figure(exact.tree.se(), 2), figure(want.tree, 2))
		t.add(name, "difference", figure(sampled.gap.mean(), 2), figure(exact.gap.mean(), 2), figure(exact.gap.se(), 2), figure(want.gap, 2))
	}
	return t
}
