package split

import "fmt"

// javaRandom is the linear congruential generator of java.util.Random. Its
// value is its state.
type javaRandom uint64

const javaMask = 1<<48 - 1

func newJavaRandom(seed uint64) javaRandom {
	return javaRandom((seed ^ 0x5DEECE66D) & javaMask)
}

// bits31 returns the next 31 random bits.
func (r *javaRandom) bits31() uint32 {
	*r = (*r*0x5DEECE66D + 0xB) & javaMask
	return uint32(*r >> 17)
}

// below is nextInt with a bound. m is positive.
func (r *javaRandom) below(m int) int {
	n := uint32(m)
	if n&(n-1) == 0 {
		return int(uint64(n) * uint64(r.bits31()) >> 31)
	}
	for {
		b := r.bits31()
		v := b % n
		if b-v+(n-1) < 1<<31 {
			return int(v)
		}
	}
}

// randomize is the shuffle of Weka's Instances.
func randomize[T any](r *javaRandom, a []T) {
	for j := len(a) - 1; j > 0; j-- {
		i := r.below(j + 1)
		a[j], a[i] = a[i], a[j]
	}
}

// weka is the layout that stores each run's order of examples after
// randomisation and stratification, of which folds are contiguous parts, and
// the state of the generator before each fold, which shuffles the training set.
type weka struct {
	n, folds int
	order    []int32      // of run 1, of run 2, ...
	states   []javaRandom // likewise
}

func planWeka(p Protocol, n int, class []int) (layout, error) {
	if n < p.folds {
		return nil, fmt.Errorf("%w: fewer than folds", ErrTooFew)
	}
	w := &weka{
		n: n, folds: p.folds,
		order:  make([]int32, 0, n*p.runs),
		states: make([]javaRandom, 0, p.folds*p.runs),
	}
	scratch := make([]struct{}, n)
	for run := 1; run <= p.runs; run++ {
		r := newJavaRandom(p.seed + uint64(run-1))
		order := everyone(n)
		randomize(&r, order)
		if class != nil {
			order = stratify(order, class, p.folds)
		}
		w.order = append(w.order, order...)
		for fold := 1; fold <= p.folds; fold++ {
			w.states = append(w.states, r)
			trainN, _ := w.sizes(run, fold)
			randomize(&r, scratch[:trainN])
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
func (w *weka) bounds(fold int) (from, to int) {
	size, surplus := w.n/w.folds, w.n%w.folds
	from = (fold-1)*size + min(fold-1, surplus)
	to = from + size
	if fold <= surplus {
		to++
	}
	return from, to
}

func (w *weka) sizes(_, fold int) (trainN, testN int) {
	from, to := w.bounds(fold)
	return w.n - (to - from), to - from
}

func (w *weka) trial(run, fold int, train, test []int) {
	order := w.order[(run-1)*w.n : run*w.n]
	from, to := w.bounds(fold)
	widen(train[:from], order[:from])
	widen(test, order[from:to])
	widen(train[from:], order[to:])
	r := w.states[(run-1)*w.folds+fold-1]
	randomize(&r, train)
}

func widen(dst []int, src []int32) {
	for i, x := range src {
		dst[i] = int(x)
	}
}
