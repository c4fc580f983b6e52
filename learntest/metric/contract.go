package metric

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// ErrContract means that a metric changes its input, which would falsify the scores of
// other metrics, or that its direction is wrong.
var ErrContract = errors.New("metric breaks its contract")

// ErrIndifferent means that a metric gives perfect and shuffled predictions equal scores,
// as rates and costs may do.
var ErrIndifferent = errors.New("metric does not tell perfect predictions from shuffled ones")

// Check tries the metric on two kinds of predictions for the truth of p, perfect and
// shuffled ones; it ignores the other fields of p. The error wraps [ErrContract] if the
// metric changes its input, which other metrics would then score, or if by the metric's
// direction shuffled predictions score better. It wraps [ErrIndifferent] if the two
// predictions differ but their scores do not.
//
// If the metric is undefined on these predictions, as AUC is if all labels are equal, Check
// stops without an error. It returns any other error of the metric unchanged.
func (m Metric) Check(p *Predictions) error {
	perfect, shuffled := p.imagine(func(i int) int { return i }), p.shuffle()
	var scores [2]float64
	for i, q := range []*Predictions{perfect, shuffled} {
		before := q.clone()
		score, err := m.Eval(q)
		if what := before.changed(q); what != "" {
			return fmt.Errorf("%w: %s changes the %s that it is given: the metrics after it would score that", ErrContract, m.Name, what)
		}
		if errors.Is(err, ErrUndefined) {
			return nil
		}
		if err != nil {
			return err
		}
		scores[i] = score
	}
	switch best, other := scores[0], scores[1]; {
	case math.IsNaN(best) || math.IsNaN(other):
		return nil // trials with such scores fail
	case float64(m.Better)*(other-best) > 1e-12*max(math.Abs(best), math.Abs(other)): // beyond rounding
		return fmt.Errorf("%w: %s scores shuffled predictions %v and perfect ones %v, and %v is better: turn its direction round",
			ErrContract, m.Name, other, best, m.Better)
	case best == other && perfect.changed(shuffled) != "":
		return fmt.Errorf("%w: %s scores both %v", ErrIndifferent, m.Name, best)
	}
	return nil
}

// shuffle returns predictions that are the truth of other examples.
func (p *Predictions) shuffle() *Predictions {
	order := rand.New(rand.NewPCG(1, 0)).Perm(p.Len())
	return p.imagine(func(i int) int { return order[i] })
}

// imagine returns certain predictions: for example i the truth of example from(i).
func (p *Predictions) imagine(from func(i int) int) *Predictions {
	q := &Predictions{
		Classes: slices.Clone(p.Classes), Truth: slices.Clone(p.Truth),
		TrueValues: slices.Clone(p.TrueValues),
	}
	if !p.Classification() {
		q.PredictedValues = make([]float64, len(p.TrueValues))
		for i := range q.PredictedValues {
			q.PredictedValues[i] = p.TrueValues[from(i)]
		}
		return q
	}
	k := len(p.Classes)
	q.Predicted, q.Probabilities = make([]int, len(p.Truth)), make([]float64, len(p.Truth)*k)
	for i := range p.Truth {
		class := p.Truth[from(i)]
		q.Predicted[i] = class
		q.Probabilities[i*k+class] = 1
	}
	return q
}

func (p *Predictions) clone() *Predictions {
	return &Predictions{
		Classes: slices.Clone(p.Classes), Truth: slices.Clone(p.Truth),
		Predicted:     slices.Clone(p.Predicted),
		Probabilities: slices.Clone(p.Probabilities), TrueValues: slices.Clone(p.TrueValues),
		PredictedValues: slices.Clone(p.PredictedValues),
	}
}

// changed names the first part in which two predictions differ.
func (p *Predictions) changed(q *Predictions) string {
	switch {
	case !slices.Equal(p.Classes, q.Classes):
		return "classes"
	case !slices.Equal(p.Truth, q.Truth):
		return "true labels"
	case !slices.Equal(p.Predicted, q.Predicted):
		return "predicted labels"
	case !sameBits(p.Probabilities, q.Probabilities):
		return "probabilities"
	case !sameBits(p.TrueValues, q.TrueValues):
		return "true values"
	case !sameBits(p.PredictedValues, q.PredictedValues):
		return "predicted values"
	}
	return ""
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x,
		y float64,
	) bool {
		return math.Float64bits(x) == math.Float64bits(y)
	})
}

const (
	specimens    = 4  // made-up predictions that a fingerprint is of
	specimenSize = 64 // test examples of each, and one for each class
)

// Fingerprint returns a short text that differs between two formulas under one name: a
// digest of the metric's values, rounded to nine digits, on made-up predictions of the
// given classes, or of numbers between 0.1 and 10 if there are none. Predictions without
// probabilities have a fingerprint of their own, because a metric may use probabilities
// where it gets them.
func (m Metric) Fingerprint(classes []string) string {
	rng := rand.New(rand.NewPCG(20, 25))
	var values strings.Builder
	fmt.Fprintf(&values, "%d %v %v\n", m.Better, m.Min, m.Max)
	for i := range 2 * specimens {
		p := specimen(rng, classes)
		if i >= specimens {
			p.Probabilities = nil
		}
		v, err := m.Eval(p)
		if err != nil {
			v = math.NaN()
		}
		fmt.Fprintf(&values, "%.9g\n", v+0) // -0 is 0
	}
	sum := sha256.Sum256([]byte(values.String()))
	return hex.EncodeToString(sum[:6])
}

// specimen makes up predictions that are right about half of the time.
func specimen(rng *rand.Rand, classes []string) *Predictions {
	k, n := len(classes), specimenSize+len(classes)
	p := &Predictions{Classes: slices.Clone(classes)}
	if k == 0 {
		p.TrueValues, p.PredictedValues = make([]float64, 0, n), make([]float64, 0, n)
		for range n {
			y := math.Exp2(float64(rng.IntN(1000))/150 - 3.3)
			p.TrueValues = append(p.TrueValues, y)
			p.PredictedValues = append(p.PredictedValues, y*(0.5+float64(rng.IntN(1000))/1000))
		}
		return p
	}
	p.Truth, p.Predicted = make([]int, 0, n), make([]int, 0, n)
	p.Probabilities = make([]float64, 0, n*k)
	weights := make([]int, k)
	for i := range n {
		truth := i
		if i >= k {
			truth = rng.IntN(k)
		}
		sum := 0
		for c := range weights {
			weights[c] = 1 + rng.IntN(100)
			if c == truth {
				weights[c] += 50
			}
			sum += weights[c]
		}
		best := 0
		for c, w := range weights {
			p.Probabilities = append(p.Probabilities, float64(w)/float64(sum))
			if w > weights[best] {
				best = c
			}
		}
		p.Truth, p.Predicted = append(p.Truth, truth), append(p.Predicted, best)
	}
	return p
}
