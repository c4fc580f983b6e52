package perceptron

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/javarand"
)

// A workspace is the memory of a model and of its training. Later trainings
// use it again.
type workspace struct {
	cfg    Config
	inputs []input
	runs   []run
	dx, dc int // numbers of inputs of the two sorts

	rows    []int32   // training rows with a known class, shuffled
	numbers []float64 // dx numbers of each
	codes   []int32   // dc codes of each
	counts  []float64

	alterations []alteration
	votes       []int // of each perceptron; one more than there are alterations
	query       example
	table       *dataset.Table // the table that inputs are bound to
}

// An alteration adds a training example to the perceptron.
type alteration struct {
	example int32
	add     bool // for class 1; for class 0 it is subtracted
}

// train sets the model from w.rows.
func (w *workspace) train(t *dataset.Table, cfg Config) {
	w.cfg = cfg
	w.takeInputs(t)
	w.bind(t)
	javarand.New(cfg.Shuffle).Shuffle(len(w.rows), func(i, j int) {
		w.rows[i], w.rows[j] = w.rows[j], w.rows[i]
	})
	w.numbers = resize(w.numbers, len(w.rows)*w.dx)
	w.codes = resize(w.codes, len(w.rows)*w.dc)
	for i, r := range w.rows {
		w.take(w.example(i), int(r))
	}
	w.query = example{resize(w.query.numbers, w.dx), resize(w.query.codes, w.dc)}
	w.learn(t.Codes(t.ClassIndex()))
}

// learn passes over the training examples.
func (w *workspace) learn(class []int32) {
	w.alterations = w.alterations[:0]
	w.votes = append(w.votes[:0], 0)
	for range w.cfg.Epochs {
		for i, r := range w.rows {
			if right := w.sum(w.example(i)) < 0 == (class[r] == 0); right {
				w.votes[len(w.votes)-1]++
				continue
			}
			w.alterations = append(w.alterations, alteration{int32(i), class[r] == 1})
			w.votes = append(w.votes, 1)
			if len(w.alterations) == w.cfg.MaxAlterations {
				return
			}
		}
	}
}

// sum returns the value of the last perceptron at e. It is positive for class 1.
func (w *workspace) sum(e example) float64 {
	sum := 0.0
	for _, a := range w.alterations {
		k := w.kernel(w.example(int(a.example)), e)
		if a.add {
			sum += k
		} else {
			sum -= k
		}
	}
	return sum
}

// margin returns by how much the votes for class 1 exceed those for class 0.
func (w *workspace) margin(e example) int {
	margin, sum := 0, 0.0
	for i, votes := range w.votes {
		if sum < 0 {
			margin -= votes
		} else {
			margin += votes
		}
		if i == len(w.alterations) {
			break
		}
		a := w.alterations[i]
		k := w.kernel(w.example(int(a.example)), e)
		if a.add {
			sum += k
		} else {
			sum -= k
		}
	}
	return margin
}
