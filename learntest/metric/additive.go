package metric

import (
	"math"
	"math/rand/v2"
)

// IsMeanOfParts reports whether a score is the mean over the test examples of one value for each,
// as accuracy, log loss and mean absolute error are, and macro-averaged F1 and RMSE are not. Such
// metrics have scores on slices of the examples. It tries this on made-up predictions of the given
// classes, or of numbers if there are none: the score of all examples is then the mean of the
// scores of two parts, weighted by their sizes.
func (m Metric) IsMeanOfParts(classes []string) bool {
	rng := rand.New(rand.NewPCG(19, 94))
	for range specimens {
		p := specimen(rng, classes)
		in := make([]bool, p.Len())
		for i := range in {
			in[i] = rng.IntN(3) == 0
		}
		in[0], in[1] = true, false
		whole, err := m.Eval(p.clone())
		if err != nil {
			return false
		}
		sum := 0.0
		for _, members := range []bool{true, false} {
			var q Predictions
			var rows []int32
			for i := range in {
				if in[i] == members {
					rows = append(rows, int32(i))
				}
			}
			q.TakePart(p, rows)
			x, err := m.Eval(&q)
			if err != nil {
				return false
			}
			sum += float64(float64(len(rows)) * x)
		}
		if mean := sum / float64(p.Len()); !(math.Abs(mean-whole) <= 1e-9*max(math.Abs(whole),
			math.Abs(mean))) {
			return false
		}
	}
	return true
}

// TakePart makes p the predictions of q for the given ones of its test examples, in memory that p
// keeps.
func (p *Predictions) TakePart(q *Predictions, rows []int32) {
	p.Classes = q.Classes
	p.Truth, p.Predicted = p.Truth[:0], p.Predicted[:0]
	p.TrueValues, p.PredictedValues = p.TrueValues[:0], p.PredictedValues[:0]
	n := len(rows)
	if q.Classification() {
		if cap(p.Truth) < n || cap(p.Predicted) < n {
			p.Truth, p.Predicted = make([]int, 0, n), make([]int, 0, n)
		}
		p.Truth, p.Predicted = p.Truth[:n], p.Predicted[:n]
		for i, row := range rows {
			p.Truth[i], p.Predicted[i] = q.Truth[row], q.Predicted[row]
		}
	} else {
		if cap(p.TrueValues) < n || cap(p.PredictedValues) < n {
			p.TrueValues, p.PredictedValues = make([]float64, 0, n), make([]float64, 0, n)
		}
		p.TrueValues, p.PredictedValues = p.TrueValues[:n], p.PredictedValues[:n]
		for i, row := range rows {
			p.TrueValues[i], p.PredictedValues[i] = q.TrueValues[row], q.PredictedValues[row]
		}
	}
	if q.Probabilities == nil {
		p.Probabilities = nil
		return
	}
	k := len(q.Classes)
	if cap(p.Probabilities) < n*k || p.Probabilities == nil {
		p.Probabilities = make([]float64, 0, n*k)
	}
	p.Probabilities = p.Probabilities[:n*k]
	for i, row := range rows {
		to := p.Probabilities[i*k : (i+1)*k]
		// There are few classes for a call of copy.
		for c, x := range q.Probabilities[int(row)*k:][:len(to)] {
			to[c] = x
		}
	}
}
