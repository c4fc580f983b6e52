package perceptron

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A Model is a trained voted perceptron. One goroutine may use it at a time.
type Model struct{ lent scratch.Loan[workspace] }

// Distribution writes the probabilities of the two classes into dist. Without
// any mistake in training, both are 1/2. It panics if dist has another length,
// if the table's attributes are not those trained on, or after Close.
func (m *Model) Distribution(t *dataset.Table, row int, dist []float64) {
	w := m.lent.Use("perceptron: Distribution")
	if len(dist) != 2 {
		panic(fmt.Sprintf("perceptron: %d probabilities for 2 classes", len(dist)))
	}
	trainset.Bind(&w.table, t, "perceptron", w.inputs)
	margin := 0
	if len(w.alterations) > 0 {
		w.take(w.query, row)
		margin = w.margin(w.query)
	}
	dist[1] = 1 / (1 + detmath.Exp(float64(-margin)))
	dist[0] = 1 - dist[1]
}

// Alterations returns the number of mistakes made in training, which is one
// less than the number of perceptrons that vote.
func (m *Model) Alterations() int { return len(m.lent.Space.alterations) }

// A Vote is one perceptron of the sequence. It ends when a training row is
// added to it with a sign, 1 if the row is of class 1 and -1 if it is of class
// 0. The row of the last perceptron is -1, its sign 0.
type Vote struct {
	Votes int // rows that it classified rightly, and one more unless it is the first
	Row   int
	Sign  int
}

// Votes returns the perceptrons in the order of training.
func (m *Model) Votes() []Vote {
	w := m.lent.Space
	votes := make([]Vote, len(w.votes))
	for i, n := range w.votes {
		votes[i] = Vote{Votes: n, Row: -1}
		if i < len(w.alterations) {
			a := w.alterations[i]
			votes[i].Row, votes[i].Sign = int(w.rows[a.example]), int(a.sign)
		}
	}
	return votes
}

// String says how many perceptrons vote.
func (m *Model) String() string {
	return fmt.Sprintf("voted perceptron: %d perceptrons of %d inputs", len(m.lent.Space.votes),
		len(m.lent.Space.inputs))
}

// Close gives the model's memory back to the classifier. Closing twice does
// nothing.
func (m *Model) Close() error { return m.lent.Close((*workspace).release) }

// release forgets the table, so that the pool does not keep it alive.
func (w *workspace) release() {
	w.table = nil
	clear(w.inputs)
}
