package split

// assigned is a layout that stores for every example and run the fold that
// tests it, 0 if none does. All other examples train.
type assigned struct {
	n, folds int
	fold     []uint16 // of run 1, of run 2, ...
	tests    []int32  // size of each test set, likewise
}

func newAssigned(n, runs, folds int) *assigned {
	return &assigned{n: n, folds: folds, fold: make([]uint16, n*runs), tests: make([]int32, folds*runs)}
}

// run returns the folds of a run, counted from 1, to be filled in.
func (a *assigned) run(run int) []uint16 { return a.fold[(run-1)*a.n : run*a.n] }

// count sets the sizes of the test sets once the folds are filled in.
func (a *assigned) count() {
	for run := 1; run*a.folds <= len(a.tests); run++ {
		tests := a.tests[(run-1)*a.folds : run*a.folds]
		for _, f := range a.run(run) {
			if f > 0 {
				tests[f-1]++
			}
		}
	}
}

func (a *assigned) sizes(run, fold int) (trainN, testN int) {
	testN = int(a.tests[(run-1)*a.folds+fold-1])
	return a.n - testN, testN
}

// trial writes every index to both sets and advances in one of them, which
// spares a branch that the processor could not predict.
func (a *assigned) trial(run, fold int, train, test []int) {
	of, tested := a.run(run), uint16(fold)
	i, r := 0, 0 // of the first i examples r are trained on and i-r tested
	for ; r < len(train) && i-r < len(test); i++ {
		train[r], test[i-r] = i, i
		trained := 0
		if of[i] != tested {
			trained = 1
		}
		r += trained
	}
	for ; r < len(train); i++ {
		train[r] = i
		r++
	}
	for ; i-r < len(test); i++ {
		test[i-r] = i
	}
}
