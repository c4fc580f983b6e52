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
	p.Classes, p.Truth, p.Predicted, p.Probabilities = q.Classes, p.Truth[:0], p.Predicted[:0],
		p.Probabilities[:0]
	p.TrueValues, p.PredictedValues = p.TrueValues[:0], p.PredictedValues[:0]
	for _, i := range rows {
		if q.Classification() {
			p.Truth, p.Predicted = append(p.Truth, q.Truth[i]), append(p.Predicted, q.Predicted[i])
		} else {
			p.TrueValues, p.PredictedValues = append(p.TrueValues, q.TrueValues[i]),
				append(p.PredictedValues, q.PredictedValues[i])
		}
	}
	if q.Probabilities == nil {
		p.Probabilities = nil
		return
	}
	for k, i := len(q.Classes), 0; i < len(rows); i++ {
		from := int(rows[i]) * k
		p.Probabilities = append(p.Probabilities, q.Probabilities[from:from+k]...)
	}
}
