package split

// members are the input of a plan: the number of examples, their classes (nil if there are
// none), and, if the protocol needs them, the sets of examples of each class and each group.
type members struct {
	n               int
	class           []int
	classes, groups [][]int32
}

// A layout knows the partitions. Runs and folds are counted from 1 and in
// range.
type layout interface {
	sizes(run, fold int) (trainN, testN int)

	// trial fills train and test, whose lengths are given by sizes.
	trial(run, fold int, train, test []int)
}

// A complementary layout has each example in one test set of a run, or none, and
// trains each fold on all that it does not test: the test sets alone tell runs
// apart.
type complementary interface {
	// tested fills in the fold that tests each of the first examples in the
	// run, 0 for none.
	tested(run int, of []uint16)
}

// assigned is a layout that stores for every example and run the fold that
// tests it, 0 if none does. All other examples train.
type assigned struct {
	n, folds int
	fold     []uint16 // of run 1, of run 2, ...
	tests    []int32  // size of each test set, likewise
}

func newAssigned(n, runs, folds int) *assigned {
	return &assigned{
		n: n, folds: folds, fold: make([]uint16, n*runs),
		tests: make([]int32, folds*runs),
	}
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

func (a *assigned) tested(run int, of []uint16) { copy(of, a.run(run)) }

func everyone(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// fill writes consecutive numbers.
func fill(s []int, from int) {
	for i := range s {
		s[i] = from + i
	}
}
