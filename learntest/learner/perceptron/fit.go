package perceptron

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/javarand"
	"github.com/learnbench/learnbench/learntest/learner/internal/lanes"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
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
	linear      linear
	supports    supports
	packed      []uint64 // codes of query
	votes       []int    // of each perceptron; one more than there are alterations
	query       example
	table       *dataset.Table // the table that inputs are bound to
}

// An alteration adds a training example to the perceptron.
type alteration struct {
	example int32
	sign    float64 // 1 for class 1, -1 for class 0
}

// train sets the model from w.rows.
func (w *workspace) train(t *dataset.Table, cfg Config) {
	w.cfg = cfg
	w.takeInputs(t)
	w.table = nil
	trainset.Bind(&w.table, t, "perceptron", w.inputs)
	javarand.New(cfg.Shuffle).Shuffle(len(w.rows), func(i, j int) {
		w.rows[i], w.rows[j] = w.rows[j], w.rows[i]
	})
	w.numbers = scratch.Resize(w.numbers, len(w.rows)*w.dx)
	w.codes = scratch.Resize(w.codes, len(w.rows)*w.dc)
	for i, r := range w.rows {
		w.take(w.example(i), int(r))
	}
	w.query = example{scratch.Resize(w.query.numbers, w.dx), scratch.Resize(w.query.codes, w.dc)}
	w.packed = scratch.Resize(w.packed, lanes.Words(w.dc))
	w.learn(t.Codes(t.ClassIndex()))
	w.takeSupports()
}

// learn passes over the training examples.
func (w *workspace) learn(class []int32) {
	w.alterations = w.alterations[:0]
	w.votes = append(w.votes[:0], 0)
	w.linear.reset(w.inputs, w.dx)
	for range w.cfg.Epochs {
		for i, r := range w.rows {
			e := w.example(i)
			if w.negative(e) == (class[r] == 0) {
				w.votes[len(w.votes)-1]++
				continue
			}
			a := alteration{int32(i), -1}
			if class[r] == 1 {
				a.sign = 1
			}
			w.linear.add(e, a.sign)
			w.alterations = append(w.alterations, a)
			w.votes = append(w.votes, 1)
			if len(w.alterations) == w.cfg.MaxAlterations {
				return
			}
		}
	}
}

// negative reports whether the current perceptron decides for class 0.
func (w *workspace) negative(e example) bool {
	if w.cfg.Exponent == 1 {
		if negative, sure := w.linear.negative(e); sure {
			return negative
		}
	}
	sum := 0.0
	for _, a := range w.alterations {
		sum += float64(a.sign * w.power(w.product(w.example(int(a.example)), e)))
	}
	return sum < 0
}
