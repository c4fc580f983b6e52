package split

import "fmt"

var cv = &kind{
	name:       "cv",
	settings:   []setting{{name: "runs", at: atRuns}, {name: "folds", at: atFolds}},
	stratified: true, optional: true, random: true,
	sizes: sizes{all: true, even: true, cover: true},
	check: (*Protocol).checkTwoFolds,
	plan:  planCV,
}

// CV returns repeated k-fold cross-validation, stratified by class [Kohavi 1995]. Every run
// deals all examples afresh into the given number of folds. Each fold is the test set once,
// and the other folds together are its training set. The sizes of two folds differ by at
// most one, and so do their numbers of examples of any class. Without classes (regression)
// the folds are not stratified.
//
// The plan needs at least 1 run and at least 2 folds.
func CV(runs, folds int) Protocol {
	return Protocol{kind: cv, runs: runs, folds: folds, stratified: true, seed: 1}.pack()
}

// TenByTen returns ten runs of stratified 10-fold cross-validation, the default of this
// module [Bouckaert & Frank 2004].
func TenByTen() Protocol { return CV(10, 10) }

// FiveByTwo returns five runs of stratified 2-fold cross-validation, which the 5×2cv tests
// need [Dietterich 1998].
func FiveByTwo() Protocol { return CV(5, 2) }

// RByTwo returns the given number of runs of stratified 2-fold cross-validation.
func RByTwo(runs int) Protocol { return CV(runs, 2) }

// planCV deals the classes out one after the other, continuing round the folds
// from class to class.
func planCV(p Protocol, ex *members) (layout, error) {
	n := ex.n
	if n < p.folds {
		return nil, fmt.Errorf("%w: fewer than folds", ErrTooFew)
	}
	if n == p.folds && p.runs > 1 {
		return nil, fmt.Errorf("%w: as many as folds, which makes all runs identical; ask for one run",
			ErrTooFew)
	}
	a := newAssigned(n, p.runs, p.folds)
	for run := 1; run <= p.runs; run++ {
		r := newRandom(p.kind.name, p.seed, run)
		deal(&r, ex.classes, p.folds, 0, a.run(run))
	}
	a.count()
	return a, nil
}

// deal assigns the members of the classes in turn to the folds after from, in random order,
// and sets the fold of each member.
func deal(r *random, classes [][]int32, folds, from int, of []uint16) {
	order := foldOrder(r, folds)
	var members []int32
	t := 0
	for _, class := range classes {
		members = append(members[:0], class...)
		shuffle(r, members)
		for _, i := range members {
			of[i] = uint16(from) + order[t]
			if t++; t == len(order) {
				t = 0
			}
		}
	}
}

// foldOrder returns the folds 1..k in random order.
func foldOrder(r *random, k int) []uint16 {
	order := make([]uint16, k)
	for i := range order {
		order[i] = uint16(i + 1)
	}
	shuffle(r, order)
	return order
}
