package learntest

import (
	"context"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/leaks"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
)

// altered is data of which some examples have another value in one place.
type altered[X any, Y comparable] struct {
	Data[X, Y]
	examples map[int]X
}

func (a altered[X, Y]) Example(i int) X {
	if x, ok := a.examples[i]; ok {
		return x
	}
	return a.Data.Example(i)
}

// checkTelltales returns an error if a learner uses a place in the examples that tells the label of
// every example. It trains each learner once, on the first fold, and only if there is such a place.
func checkTelltales[X any, Y comparable](ctx context.Context, data Data[X, Y],
	learners []Learner[X, Y], p split.Protocol,
) error {
	if _, ok := any(*new(X)).(dataset.Row); ok {
		return nil
	}
	s, err := newSource(data)
	if err != nil {
		return nil // which is reported elsewhere
	}
	found := leaks.Find(leaks.Data[X]{
		Len: data.Len(), Example: data.Example,
		Label: func(i int) any { return data.Label(i) }, Values: s.values,
	})
	if len(found) == 0 {
		return nil
	}
	plan, err := p.Plan(s.examples())
	if err != nil {
		return nil
	}
	train, test := plan.Trial(1, 1, nil, nil)
	for _, l := range learners {
		if what := telltaleOf(ctx, s, l, split.TrialSeed(p.Seed(), s.digest, 1, 1), train, test,
			found); what != "" {
			return fmt.Errorf("%w: data set %q: %s tells the label of all %d examples, and %s uses it: with the value of another label, it predicts otherwise: leave it out of the examples",
				dataset.ErrUnusable, s.name, what, data.Len(), l.Name)
		}
	}
	return nil
}

// telltaleOf names the place that a learner uses. The name is empty if there is none, or if the
// learner fails or does not repeat its predictions, as the trials show.
func telltaleOf[X any, Y comparable](ctx context.Context, s *source[X, Y], l Learner[X, Y],
	seed uint64, train, test []int, found []leaks.Telltale[X],
) string {
	told := make(chan string, 1)
	go func() {
		what := ""
		defer func() {
			recover() // the trials say what panics
			told <- what
		}()
		model, err := l.Fit(ctx, Sample[X, Y]{s, train}, seed)
		if err != nil {
			return
		}
		defer model.Close()
		before, err := model.Predict(ctx, Sample[X, Y]{s, test})
		if err != nil {
			return
		}
		if again, err := model.Predict(ctx, Sample[X, Y]{s, test}); err != nil ||
			!samePredictions(before, again) {
			return
		}
		for _, f := range found {
			a := altered[X, Y]{s.data, make(map[int]X, len(test))}
			for _, row := range test {
				a.examples[row] = f.Alter(row)
			}
			if after, err := model.Predict(ctx, Sample[X, Y]{with[X, Y](s, a), test}); err == nil &&
				!samePredictions(before, after) {
				what = f.What
				return
			}
		}
	}()
	select {
	case what := <-told:
		return what
	case <-ctx.Done():
		return ""
	}
}

func samePredictions(a, b *metric.Predictions) bool {
	return slices.Equal(a.Predicted, b.Predicted) && slices.Equal(a.Probabilities, b.Probabilities) &&
		slices.Equal(a.PredictedValues, b.PredictedValues)
}
