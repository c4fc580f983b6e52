package split

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/internal/javarand"
)

var weka = &kind{
	name:       "weka",
	settings:   []setting{{name: "runs", at: atRuns}, {name: "folds", at: atFolds}},
	stratified: true, random: true,
	sizes: sizes{all: true, even: true, cover: true},
	check: (*Protocol).checkTwoFolds,
	plan:  planWeka,
}

// Weka returns repeated cross-validation with the partitions of Weka's Experimenter
// (compared with version 3.6.14), index by index, so that results can be paired with
// results of Weka. It is stratified if there are classes.
//
// Run j draws from Java's generator with the seed Seed()+j-1. With seed 1, the default, the
// run number is Weka's seed; with seed s, run 1 corresponds to Weka's command line option
// -s s. Training and test sets keep Weka's order, which matters to learners that depend on
// the order of their examples.
func Weka(runs, folds int) Protocol {
	return Protocol{kind: weka, runs: runs, folds: folds, stratified: true, seed: 1}
}

// wekaOrder is the layout that stores each run's order of examples after
// randomisation and stratification, of which folds are contiguous parts, and
// the state of the generator before each fold, which shuffles the training set.
type wekaOrder struct {
	n, folds int
	order    []int32           // of run 1, of run 2, ...
	states   []javarand.Random // likewise
}

func planWeka(p Protocol, ex *members) (layout, error) {
	n, class := ex.n, ex.class
	if n < p.folds {
		return nil, fmt.Errorf("%w: fewer than folds", ErrTooFew)
	}
	w := &wekaOrder{
		n: n, folds: p.folds,
		order:  make([]int32, 0, n*p.runs),
		states: make([]javarand.Random, 0, p.folds*p.runs),
	}
	for run := 1; run <= p.runs; run++ {
		r := javarand.New(int64(p.seed + uint64(run-1)))
		order := everyone(n)
		r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		if class != nil {
			order = stratify(order, class, p.folds)
		}
		w.order = append(w.order, order...)
		for fold := 1; fold <= p.folds; fold++ {
			w.states = append(w.states, *r)
			trainN, _ := w.sizes(run, fold)
			r.Shuffle(trainN, func(int, int) {}) // only the draws matter here
		}
	}
	return w, nil
}

// stratify brings examples of equal class together by exchanging them, as Weka
// does, and deals the result out to the folds.
func stratify(order []int32, class []int, folds int) []int32 {
	n := len(order)
	for i := 1; i < n; i++ {
		c := class[order[i-1]]
		for j := i; j < n; j++ {
			if class[order[j]] == c {
				order[i], order[j] = order[j], order[i]
				i++
			}
		}
	}
	dealt := make([]int32, 0, n)
	for f := range folds {
		for j := f; j < n; j += folds {
			dealt = append(dealt, order[j])
		}
	}
	return dealt
}

// bounds returns where the test set starts and ends in the run's order.
func (w *wekaOrder) bounds(fold int) (from, to int) {
	size, surplus := w.n/w.folds, w.n%w.folds
	from = (fold-1)*size + min(fold-1, surplus)
	to = from + size
	if fold <= surplus {
		to++
	}
	return from, to
}

func (w *wekaOrder) sizes(_, fold int) (trainN, testN int) {
	from, to := w.bounds(fold)
	return w.n - (to - from), to - from
}

func (w *wekaOrder) trial(run, fold int, train, test []int) {
	order := w.order[(run-1)*w.n : run*w.n]
	from, to := w.bounds(fold)
	widen(train[:from], order[:from])
	widen(test, order[from:to])
	widen(train[from:], order[to:])
	r := w.states[(run-1)*w.folds+fold-1]
	r.Shuffle(len(train), func(i, j int) { train[i], train[j] = train[j], train[i] })
}

func widen(dst []int, src []int32) {
	for i, x := range src {
		dst[i] = int(x)
	}
}

func (w *wekaOrder) tested(run int, of []uint16) {
	order := w.order[(run-1)*w.n : run*w.n]
	for fold := 1; fold <= w.folds; fold++ {
		from, to := w.bounds(fold)
		for _, i := range order[from:to] {
			if int(i) < len(of) {
				of[i] = uint16(fold)
			}
		}
	}
}
