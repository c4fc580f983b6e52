package learntest

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest/internal/trial"
)

// maxDegrade is the largest share of predictions that may be replaced. A gate that lets a
// candidate pass half of whose predictions are guesses guards nothing.
const maxDegrade = 0.5

// checkDegrade returns an error if predictions that were degraded on purpose would be stored, or
// judged as real ones.
func (c Config) checkDegrade(artifacts bool, update string) error {
	if c.degrade == 0 {
		return nil
	}
	for _, x := range []struct {
		is   bool
		what string
	}{
		{c.Results.Out != "", "results that are stored (" + envOut + ", Config.Results.Out)"},
		{c.Results.Predictions != "", "predictions that are kept (" + envPredictions +
			", Config.Results.Predictions)"},
		{c.Results.In != nil, "results of other runs (" + envIn + ", Config.Results.In)"},
		{update != "", "a baseline that is written (" + envUpdate + ")"},
		{artifacts, "artifacts (go test -artifacts)"},
	} {
		if x.is {
			return fmt.Errorf("%w: %s and %s exclude each other: predictions that were made worse on purpose are no results", ErrConfig, envDegrade, x.what)
		}
	}
	return nil
}

// degraded returns a trial in which a share of the predictions is replaced.
func degraded[X any, Y comparable](s *source[X, Y], share float64, f trial.Func) trial.Func {
	return func(ctx context.Context, a *trial.Attempt, seed uint64) error {
		err := f(ctx, a, seed)
		if err == nil {
			s.degrade(a, share, rand.New(rand.NewPCG(seed, 0x2545f4914f6cdd1d)))
		}
		return err
	}
}

// degrade replaces each prediction with probability share by the label of a training example
// that is drawn at random: for classes a draw from the class prior, for numbers one from the
// training targets. Class probabilities that go with it are the class prior, with one example
// more of each class, so that none is impossible. A larger share replaces each prediction that a
// smaller one replaces, by the same label.
func (s *source[X, Y]) degrade(a *trial.Attempt, share float64, r *rand.Rand) {
	p := &a.Predictions
	var prior []float64
	if k := len(p.Classes); p.Probabilities != nil {
		prior = make([]float64, k)
		for c := range prior {
			prior[c] = 1 / float64(len(a.Train)+k)
		}
		for _, row := range a.Train {
			prior[s.truth[row]] += 1 / float64(len(a.Train)+k)
		}
	}
	for i := range p.Len() {
		u, row := r.Float64(), a.Train[r.IntN(len(a.Train))]
		if u >= share {
			continue
		}
		if !p.Classification() {
			p.PredictedValues[i] = s.values[row]
			continue
		}
		p.Predicted[i] = s.truth[row]
		copy(p.Probabilities[min(len(p.Probabilities), i*len(prior)):], prior)
	}
}
