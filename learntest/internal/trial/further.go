package trial

import (
	"context"
	"time"
)

// mostFurther is the largest number of further examples: a lazy learner predicts as many in a few
// folds of a data set of a thousand. The module's own learners, which have tests of their own,
// predict less.
const (
	mostFurther          = 300
	mostFurtherReference = 100
)

// IsProbed reports whether the model is to predict more than the test examples: see
// [Attempt.PredictFurther].
func (a *Attempt) IsProbed() bool { return a.further.rows > 0 }

// PredictFurther has the model of an attempt predict examples from all over the n of the data,
// after the trial's own, as many as are wanted and there is time for. A model that cannot does not
// fail the trial: it may not be made for these examples.
func (a *Attempt) PredictFurther(ctx context.Context, n int, predict func(ctx context.Context,
	a *Attempt) error,
) {
	start := time.Now()
	rows := min(a.further.rows, n)
	if a.Reference {
		rows = min(rows, mostFurtherReference)
	}
	if end, ok := ctx.Deadline(); ok && a.Predict > 0 {
		rows = int(min(float64(rows), float64(len(a.Test))*float64(time.Until(end))/2/float64(a.Predict)))
	}
	a.further = further{rows: max(0, rows)}
	if rows <= 0 {
		return
	}
	all := &Attempt{Test: make([]int, rows)}
	for i := range all.Test {
		all.Test[i] = i * n / rows
	}
	err := Protect(ctx, func(ctx context.Context, all *Attempt, _ uint64) error {
		return predict(ctx,
			all)
	}, all, 0)
	if err == nil {
		sum := all.Fingerprint()
		a.further.sum = &sum
	}
	a.further.took = time.Since(start)
}
