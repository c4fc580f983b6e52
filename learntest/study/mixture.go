package study

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/split"
)

// A mixture is the source of data sets of two classes, in each of which all attributes are
// normal with variance 1, and independent. Their means are 0 in class 0 and shift in class 1.
// All attributes are alike: a learner that sees one half of them has the same expected
// accuracy as the same learner on the other half, for training sets of any size.
type mixture struct {
	attributes int // without the class, an even number
	shift      float64
	positive   float64 // probability of class 1
}

var _ Source = mixture{}

// ID says all there is to know.
func (m mixture) ID() string {
	return fmt.Sprintf("mixture of two normal classes, %d attributes, shift %v, class 1 with probability %v", m.attributes, m.shift, m.positive)
}

// Table draws a data set of n examples, the class last.
func (m mixture) Table(name string, n int, seed uint64) (*dataset.Table, error) {
	rng := rand.New(rand.NewPCG(seed, 0xa0761d6478bd642f))
	cols := make([]dataset.Column, m.attributes+1)
	for j := range m.attributes {
		cols[j] = dataset.Column{Attribute: dataset.Attribute{Name: fmt.Sprintf("x%d", j+1)}, Numbers: make([]float64, n)}
	}
	class := &cols[m.attributes]
	*class = dataset.Column{
		Attribute: dataset.Attribute{Name: "class", Kind: dataset.Nominal, Values: []string{"0", "1"}},
		Codes:     make([]int32, n),
	}
	for i := range n {
		class.Codes[i] = bit(rng.Float64() < m.positive)
		mean := float64(m.shift * float64(class.Codes[i]))
		for j := range m.attributes {
			cols[j].Numbers[i] = mean + rng.NormFloat64()
		}
	}
	return dataset.New(name, cols, m.attributes, nil)
}

// half returns the data set with the first or the second half of its attributes, and the
// class, which is the last one.
func half(t *dataset.Table, second bool) (*dataset.Table, error) {
	k := t.ClassIndex() / 2
	from := k * index(second)
	cols := make([]dataset.Column, 0, k+1)
	for _, j := range append(sequence(from, k), t.ClassIndex()) {
		cols = append(cols, dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j), Codes: t.Codes(j)})
	}
	return dataset.New(t.Name(), cols, k, t.Weights())
}

// sequence returns n numbers from the given one on.
func sequence(from, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = from + i
	}
	return s
}

// onHalves returns two subjects for the accuracy of a classifier that draws no random
// numbers: one sees the first half of the attributes, the other one the second.
func onHalves(classifier func() learner.Classifier) (first, second subject) {
	of := func(which string, second bool) subject {
		whole := classified(classifier, false)
		return subject{whole.name + ", " + which + " half of the attributes", func() scorer { return halfScorer{whole.bind(), second} }}
	}
	return of("first", false), of("second", true)
}

// A halfScorer shows half of the attributes to a learner.
type halfScorer struct {
	of     scorer
	second bool
}

func (h halfScorer) scores(ctx context.Context, t *dataset.Table, plan *split.Plan) ([]float64, error) {
	seen, err := half(t, h.second)
	if err != nil {
		return nil, err
	}
	return h.of.scores(ctx, seen, plan)
}
