package split

import "fmt"

// planCV deals the classes out one after the other, continuing round the folds
// from class to class.
func planCV(p Protocol, n int, classes [][]int32) (layout, error) {
	if n < p.folds {
		return nil, fmt.Errorf("%w: fewer than folds", ErrTooFew)
	}
	if n == p.folds && p.runs > 1 {
		return nil, fmt.Errorf("%w: as many as folds, which makes all runs the same; ask for one run", ErrTooFew)
	}
	a := newAssigned(n, p.runs, p.folds)
	var members []int32
	for run := 1; run <= p.runs; run++ {
		r := newRandom(p.kind, p.seed, run)
		order := foldOrder(&r, p.folds)
		of, t := a.run(run), 0
		for _, class := range classes {
			members = append(members[:0], class...)
			shuffle(&r, members)
			for _, i := range members {
				of[i] = order[t]
				if t++; t == len(order) {
					t = 0
				}
			}
		}
	}
	a.count()
	return a, nil
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
