package learnercheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/learnbench/learnbench/learntest/internal/otherlabels"
	"github.com/learnbench/learnbench/learntest/learner"
)

// ofProbabilities reports whether the error of a trial is about class probabilities.
func ofProbabilities(o *outcome, err error) bool {
	return errors.Is(err, learner.ErrPrediction) && o.p != nil && o.p.Probabilities != nil
}

func checkTrial(ctx context.Context, b *bench) error {
	return b.first(ctx, func(_ *outcome, err error) bool {
		return !errors.Is(err,
			learner.ErrPrediction)
	})
}

func checkPredictions(ctx context.Context, b *bench) error {
	return b.first(ctx, func(o *outcome, err error) bool {
		return errors.Is(err, learner.ErrPrediction) && !ofProbabilities(o, err)
	})
}

// checkProbabilities is stricter than a trial where the bench is.
func checkProbabilities(ctx context.Context, b *bench) error {
	if err := b.first(ctx, ofProbabilities); err != nil {
		return err
	}
	for _, o := range b.alone {
		if err := b.checkSums(o.p.Probabilities, len(o.p.Classes)); err != nil {
			return err
		}
	}
	return nil
}

// checkSums returns an error unless the probabilities of k classes are distributions.
func (b *bench) checkSums(all []float64, k int) error {
	for i := 0; i < len(all); i += k {
		sum := 0.0
		for _, p := range all[i : i+k] {
			if !(p >= 0) {
				return fmt.Errorf("%v is no probability", p)
			}
			sum += p
		}
		if math.Abs(sum-1) > b.slack && (sum != 0 || !b.mute) {
			return fmt.Errorf("class probabilities sum to %v, not 1", sum)
		}
	}
	return nil
}

// checkInputs looks for changes that trials have made to the data.
func checkInputs(ctx context.Context, b *bench) error {
	b.start(ctx)
	if b.table != nil {
		f := b.folds[0]
		f.train = slices.Clone(f.train)
		slices.Reverse(f.train) // so that sorting shows
		_, _ = b.again(ctx, f)  // other rules report its errors
	}
	return b.changed()
}

// changed returns an error if the learner has changed the data or a lent slice.
func (b *bench) changed() error {
	if now, err := b.material.digest(); err != nil || now != b.digest {
		return errors.Join(err, fmt.Errorf("it changes the examples or labels: their digest was %.12s and is %.12s", b.digest, now))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.borrowed
}

// checkDeterminism trains twice on each fold, the second time after other folds, too.
func checkDeterminism(ctx context.Context, b *bench) error {
	for _, i := range []int{2, 0, 1} { // fold 2 was the last
		o, err := b.again(ctx, b.folds[i])
		if err != nil {
			return fmt.Errorf("trained twice under one seed, it fails the second time: %w", err)
		}
		if d := difference(b.alone[i], o, 0); d != nil {
			how := "trained twice in a row under one seed"
			if i != 2 {
				how = "trained twice under one seed, and on other examples in between"
			}
			return fmt.Errorf("%s, it %w", how, d)
		}
	}
	return nil
}

// checkIndependence has a model predict after another one was trained, has predicted and was
// closed. Other labels make the other model as different as it can be.
func checkIndependence(ctx context.Context, b *bench) error {
	f, other := b.folds[0], b.folds[1]
	m := b.material
	if changed := m.relabelled(f.train, m.changes(f.train)[1]); changed != nil {
		m, other = changed, f
	}
	return within(ctx, func() error {
		one, err := b.material.fit(ctx, slices.Clone(f.train), f.seed)
		if err != nil {
			return fmt.Errorf("fit: %w", err)
		}
		err = b.trial(ctx, m, slices.Clone(other.train), other.seed, &outcome{asked: other.asked})
		if err != nil && m != b.material { // it may refuse such labels
			other = b.folds[1]
			err = b.trial(ctx, b.material, slices.Clone(other.train), other.seed,
				&outcome{asked: other.asked})
		}
		if err != nil {
			return fmt.Errorf("with one model there, another one fails: %w", errors.Join(err, one.Close()))
		}
		p, err := one.predict(ctx, f.asked)
		if err == nil {
			err = difference(b.alone[0], &outcome{asked: f.asked, p: p}, 0)
		}
		if err != nil {
			err = fmt.Errorf("another model being trained, used and closed between Fit and the prediction, it %w", err)
		}
		return errors.Join(err, one.Close())
	})
}

// notRelabelled is why labels were not tested.
const notRelabelled = "not tested: no other labels can be given to these data"

// checkLabels changes the labels of the test examples, and what tells them in the examples
// themselves.
func checkLabels(ctx context.Context, b *bench) error {
	if err := checkLeaks(ctx, b); err != nil {
		return err
	}
	f := b.folds[0]
	m := b.material.relabelled(f.test, otherlabels.All())
	if m == nil {
		b.skipped = notRelabelled
		return nil
	}
	o, err := b.run(ctx, m, f)
	if err != nil {
		return fmt.Errorf("with other labels of the examples to be predicted, it fails: %w", err)
	}
	if d := difference(b.alone[0], o, 0); d != nil {
		return fmt.Errorf("with other labels of the examples to be predicted, it %w", d)
	}
	return nil
}

// checkLearning changes the labels of the training examples, which must change a prediction
// of any example, or make the learner fail.
func checkLearning(ctx context.Context, b *bench) error {
	f := b.folds[0]
	f.asked = slices.Concat(f.train, f.test)
	own, err := b.again(ctx, f)
	if err != nil { // it cannot predict its own training examples
		f, own = b.folds[0], b.alone[0]
	}
	tried := 0
	for _, c := range b.material.changes(f.train) {
		m := b.material.relabelled(f.train, c)
		if m == nil {
			continue
		}
		if o, err := b.run(ctx, m, f); err != nil || difference(own, o, 0) != nil {
			return nil
		}
		tried++
	}
	if tried == 0 {
		b.skipped = notRelabelled
		return nil
	}
	return otherlabels.Unlearned(len(f.train), tried, len(f.asked))
}

// checkOrder predicts the test examples in other orders, several times, and some of them without
// the others.
func checkOrder(ctx context.Context, b *bench) error {
	asked := b.folds[0].asked
	reversed := slices.Clone(asked)
	slices.Reverse(reversed)
	half := len(asked) / 2
	for _, c := range []struct {
		how   string
		asked []int
	}{
		{"the test examples being predicted in the reverse order", reversed},
		{"the second half of the test examples being predicted first", slices.Concat(asked[half:],
			asked[:half])},
		{"the first half of the test examples being predicted without the second", asked[:half]},
		{"the second half of the test examples being predicted without the first", asked[half:]},
		{"one test example being predicted without the others", asked[len(asked)-1:]},
		{"the test examples being predicted twice", slices.Concat(asked, asked)},
	} {
		f := b.folds[0]
		f.asked = c.asked
		o, err := b.again(ctx, f)
		if err != nil {
			return fmt.Errorf("%s, it fails: %w", c.how, err)
		}
		if d := difference(b.alone[0], o, rounding); d != nil {
			return fmt.Errorf("%s, it %w", c.how, d)
		}
	}
	return nil
}

// checkParallel trains on all folds at the same time, and does so several times.
func checkParallel(ctx context.Context, b *bench) error {
	const rounds = 2
	errs := make([]error, folds*b.parallel)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for g := range errs {
		wg.Go(func() {
			<-start
			for range rounds {
				if errs[g] = b.alongside(ctx, g%folds); errs[g] != nil {
					errs[g] = fmt.Errorf("%d trials running at the same time, %w", len(errs), errs[g])
					return
				}
			}
		})
	}
	close(start)
	wg.Wait()
	return cmp.Or(errs...)
}

// alongside repeats the trial of a fold while others run.
func (b *bench) alongside(ctx context.Context, fold int) error {
	o, err := b.again(ctx, b.folds[fold])
	if err != nil {
		return fmt.Errorf("one fails: %w", err)
	}
	if d := difference(b.alone[fold], o, 0); d != nil {
		return fmt.Errorf("it %w", d)
	}
	return nil
}
