package learnercheck

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/learnbench/learnbench/learntest"
)

// points returns rows of two numbers in three classes.
func points() *learntest.ExampleSet[[]float64, string] {
	r := rand.New(rand.NewPCG(1, 2))
	var xs [][]float64
	var ys []string
	for i := range 60 {
		xs = append(xs, []float64{float64(i%3) + r.NormFloat64(), r.NormFloat64()})
		ys = append(ys, []string{"a", "b", "c"}[i%3])
	}
	return learntest.Examples("points", xs, ys)
}

// A pointModel predicts the class of the nearest mean; its hooks break promises.
type pointModel struct {
	means   [][]float64
	classes []string
}

func nearestMean(train learntest.Sample[[]float64, string]) *pointModel {
	m := &pointModel{classes: slices.Clone(train.Classes())}
	n := make([]float64, len(m.classes))
	for range m.classes {
		m.means = append(m.means, make([]float64, 2))
	}
	for i := range train.Len() {
		c, x := train.Class(i), train.Example(i)
		n[c]++
		for j := range x {
			m.means[c][j] += x[j]
		}
	}
	for c := range m.means {
		for j := range m.means[c] {
			m.means[c][j] /= max(n[c], 1)
		}
	}
	return m
}

func (m *pointModel) predict(x []float64) string {
	best, least := 0, math.Inf(1)
	for c, mean := range m.means {
		d := (x[0]-mean[0])*(x[0]-mean[0]) + (x[1]-mean[1])*(x[1]-mean[1])
		if d < least {
			best, least = c, d
		}
	}
	return m.classes[best]
}

func (m *pointModel) labels(xs [][]float64) []string {
	ys := make([]string, len(xs))
	for i, x := range xs {
		ys[i] = m.predict(x)
	}
	return ys
}

type (
	pointSample = learntest.Sample[[]float64, string]
	pointFit    = func(ctx context.Context, train pointSample,
		seed uint64) (learntest.Model[[]float64, string], error)
	pointLearner = learntest.Learner[[]float64, string]
	pointLabels  = func(ctx context.Context, xs [][]float64) ([]string, error)
)

// fitting is a learner that does something before it learns.
func fitting(f func(ctx context.Context, train pointSample, seed uint64) error) pointFit {
	return func(ctx context.Context, train pointSample, seed uint64) (learntest.Model[[]float64,
		string], error,
	) {
		if err := f(ctx, train, seed); err != nil {
			return learntest.Model[[]float64, string]{}, err
		}
		m := nearestMean(train)
		return learntest.LabelModel(func(_ context.Context, xs [][]float64) ([]string,
			error,
		) {
			return m.labels(xs), nil
		}), nil
	}
}

// predicting is a learner that predicts in a way of its own.
func predicting(f func(m *pointModel, seed uint64) pointLabels) pointFit {
	return func(_ context.Context, train pointSample, seed uint64) (learntest.Model[[]float64, string],
		error,
	) {
		return learntest.LabelModel(f(nearestMean(train), seed)), nil
	}
}

// withProbabilities is a learner that writes the probabilities of an example.
func withProbabilities(f func(p []float64)) pointFit {
	return func(context.Context, pointSample, uint64) (learntest.Model[[]float64, string], error) {
		return learntest.ProbabilityModel[[]float64, string](func(_ context.Context, xs [][]float64,
			p []float64,
		) error {
			for i := range xs {
				f(p[3*i : 3*i+3])
			}
			return nil
		}), nil
	}
}

// shared is a learner whose models share one place for the learned means. It looks at the place a
// moment later.
func shared() pointFit {
	var current atomic.Pointer[pointModel]
	return func(_ context.Context, train pointSample, _ uint64) (learntest.Model[[]float64, string],
		error,
	) {
		current.Store(nearestMean(train))
		time.Sleep(time.Millisecond)
		m := current.Load()
		return learntest.LabelModel(func(_ context.Context, xs [][]float64) ([]string,
			error,
		) {
			return m.labels(xs), nil
		}), nil
	}
}

// flawed are learners that break one promise each.
func flawed() []struct {
	name string
	kind Rule
	fit  pointFit
	says string
} {
	var fits atomic.Int64
	var busy atomic.Int64
	labels := func(f func(m *pointModel, xs [][]float64) ([]string, error)) pointFit {
		return predicting(func(m *pointModel, _ uint64) pointLabels {
			return func(_ context.Context, xs [][]float64) ([]string, error) { return f(m, xs) }
		})
	}
	return []struct {
		name string
		kind Rule
		fit  pointFit
		says string
	}{
		{"fails in Fit", Trial, fitting(func(context.Context, pointSample,
			uint64,
		) error {
			return errors.New("too hard")
		}), "trained on 40 examples: fit: too hard"},
		{"fails on a part", Trial, fitting(func(_ context.Context, train pointSample, _ uint64) error {
			if train.Rows()[0] != 0 {
				return errors.New("the first one is missing")
			}
			return nil
		}), "fit: the first one is missing"},
		{
			"panics", Trial, labels(func(*pointModel, [][]float64) ([]string, error) { panic("oh") }),
			"panic: oh (flawed_test.go:",
		},
		{"ends its goroutine", Trial, fitting(func(context.Context, pointSample,
			uint64,
		) error {
			runtime.Goexit()
			return nil
		}), "did it call t.FailNow?"},
		{"has no model", Trial, func(context.Context, pointSample, uint64) (learntest.Model[[]float64,
			string], error,
		) {
			return learntest.Model[[]float64, string]{}, nil
		}, "the model has no function that predicts"},
		{"cannot close", Trial, func(_ context.Context, train pointSample,
			_ uint64,
		) (learntest.Model[[]float64, string], error) {
			return learntest.LabelModel(func(_ context.Context, xs [][]float64) ([]string,
				error,
			) {
				return nearestMean(train).labels(xs), nil
			}).
				WithClose(func() error { return errors.New("disk full") }), nil
		}, "close: disk full"},
		{"predicts too few", Predictions, labels(func(m *pointModel, xs [][]float64) ([]string,
			error,
		) {
			return m.labels(xs)[1:], nil
		}), "19 predictions for 20 test examples"},
		{
			"predicts an unknown class", Predictions,
			labels(func(m *pointModel, xs [][]float64) ([]string, error) {
				return append(m.labels(xs)[1:], "d"), nil
			}), `the label "d" is no class`,
		},
		{
			"probabilities do not sum to 1", Probabilities,
			withProbabilities(func(p []float64) { p[0], p[1], p[2] = 0.5, 0.4, 0.2 }), "sum to 1.1",
		},
		{
			"infinite probability", Probabilities,
			withProbabilities(func(p []float64) { p[0], p[1], p[2] = math.Inf(1), 0, 0 }),
			"class 0: +Inf is not a probability",
		},
		{
			"class left out", Probabilities, withProbabilities(func(p []float64) { p[0], p[1] = 0.5, 0.5 }),
			"class 2: NaN is not a probability",
		},
		{"scales in place", Inputs, fitting(func(_ context.Context, train pointSample, _ uint64) error {
			for x := range train.All() {
				x[0] /= 2
			}
			return nil
		}), "it changes the examples or labels: their digest was "},
		{
			"scales in place while predicting", Inputs,
			labels(func(m *pointModel, xs [][]float64) ([]string, error) {
				defer func() { xs[0][0]++ }()
				return m.labels(xs), nil
			}), "it changes the examples or labels",
		},
		{"scales in place at the tenth time", Inputs, fitting(func(_ context.Context, train pointSample,
			_ uint64,
		) error {
			if fits.Add(1) == 10 {
				train.Example(0)[0]++
			}
			return nil
		}), "it changes the examples or labels"},
		{"shuffles the rows", Inputs, fitting(func(_ context.Context, train pointSample, _ uint64) error {
			slices.Reverse(train.Rows())
			return nil
		}), "it changes the slice of indices"},
		{"sorts the classes", Inputs, fitting(func(_ context.Context, train pointSample, _ uint64) error {
			slices.Reverse(train.Classes())
			return nil
		}), "it changes the slice of classes"},
		{"sorts the test examples", Inputs, labels(func(m *pointModel, xs [][]float64) ([]string, error) {
			ys := m.labels(xs)
			slices.Reverse(xs)
			return ys, nil
		}), "it changes the slice of examples that it is to predict"},
		{
			"random numbers of its own", Determinism,
			labels(func(m *pointModel, xs [][]float64) ([]string, error) {
				ys := m.labels(xs)
				for i := range ys {
					ys[i] = m.classes[rand.IntN(3)]
				}
				return ys, nil
			}), "trained twice in a row under one seed, it predicted ",
		},
		{"starts where it was", Determinism, func() pointFit {
			var last *pointModel
			return func(_ context.Context, train pointSample, _ uint64) (learntest.Model[[]float64, string],
				error,
			) {
				m := nearestMean(train)
				if last != nil {
					m.means[0] = last.means[1]
				}
				if last == nil || !slices.Equal(last.means[2], m.means[2]) { // another fold
					last = m
				}
				return learntest.LabelModel(func(_ context.Context, xs [][]float64) ([]string,
					error,
				) {
					return m.labels(xs), nil
				}), nil
			}
		}(), "it predicted "},
		{"fails at random", Determinism, func() pointFit {
			var n atomic.Int64
			return fitting(func(context.Context, pointSample, uint64) error {
				if n.Add(1) == 4 {
					return errors.New("no memory")
				}
				return nil
			})
		}(), "trained twice under one seed, it fails the second time: fit: no memory"},
		{"uses the model trained last", Independence, func() pointFit {
			var current atomic.Pointer[pointModel]
			return func(_ context.Context, train learntest.Sample[[]float64, string],
				_ uint64,
			) (learntest.Model[[]float64, string], error) {
				current.Store(nearestMean(train))
				return learntest.LabelModel(func(_ context.Context, xs [][]float64) ([]string,
					error,
				) {
					return current.Load().labels(xs), nil
				}), nil
			}
		}(), "another model being trained, used and closed between Fit and the prediction, it predicted "},
		{"looks at the labels", Labels, func(_ context.Context, train pointSample,
			_ uint64,
		) (learntest.Model[[]float64, string], error) {
			m := nearestMean(train)
			label := make(map[*float64]string)
			for i := range train.Data().Len() {
				label[&train.Data().Example(i)[0]] = train.Data().Label(i)
			}
			return learntest.LabelModel(func(_ context.Context, xs [][]float64) ([]string, error) {
				ys := m.labels(xs)
				for i, x := range xs {
					if x[0] > 1.5 { // where it is hard
						ys[i] = label[&x[0]]
					}
				}
				return ys, nil
			}), nil
		}, "with other labels of the examples to be predicted, it predicted "},
		{
			"predicts one label for all", Learning,
			labels(func(m *pointModel, xs [][]float64) ([]string, error) {
				return slices.Repeat([]string{"b"}, len(xs)), nil
			}), "trained on the same 40 examples with other labels, in 4 ways, it predicts the very same for all 60",
		},
		{"has learned long ago", Learning, labels(func(_ *pointModel, xs [][]float64) ([]string, error) {
			return (&pointModel{means: [][]float64{{0, 0}, {1, 0}, {2, 0}}, classes: []string{
				"a", "b",
				"c",
			}}).labels(xs), nil
		}), "it predicts the very same"},
		{
			"spoils the learned means", Learning,
			labels(func(m *pointModel, xs [][]float64) ([]string, error) {
				for _, mean := range m.means {
					mean[0] *= math.Log(-1)
				}
				return m.labels(xs), nil
			}), "it predicts the very same",
		},
		{"refuses training examples", Learning, func(_ context.Context, train pointSample,
			_ uint64,
		) (learntest.Model[[]float64, string], error) {
			seen := make(map[*float64]bool)
			for x := range train.All() {
				seen[&x[0]] = true
			}
			return learntest.LabelModel(func(_ context.Context, xs [][]float64) ([]string, error) {
				if slices.ContainsFunc(xs, func(x []float64) bool { return seen[&x[0]] }) {
					return nil, errors.New("I know it")
				}
				return slices.Repeat([]string{"b"}, len(xs)), nil
			}), nil
		}, "it predicts the very same for all 20"},
		{"draws while predicting", Order, predicting(func(m *pointModel, seed uint64) pointLabels {
			r := rand.New(rand.NewPCG(seed, 1))
			return func(_ context.Context, xs [][]float64) ([]string, error) {
				ys := m.labels(xs)
				for i := range ys {
					if r.IntN(2) == 0 {
						ys[i] = m.classes[r.IntN(3)]
					}
				}
				return ys, nil
			}
		}), "being predicted in the reverse order, it predicted "},
		{
			"scales by the test examples", Order,
			labels(func(m *pointModel, xs [][]float64) ([]string, error) {
				mean := 0.0
				for _, x := range xs {
					mean += x[0] / float64(len(xs))
				}
				var scaled [][]float64
				for _, x := range xs {
					scaled = append(scaled, []float64{x[0] - mean + 1, x[1]})
				}
				return m.labels(scaled), nil
			}), "without the ",
		},
		{"needs the last example", Order, func(_ context.Context, train pointSample,
			_ uint64,
		) (learntest.Model[[]float64, string], error) {
			m := nearestMean(train)
			last := train.Data().Len() - 1
			for slices.Contains(train.Rows(), last) {
				last--
			}
			return learntest.LabelModel(func(_ context.Context, xs [][]float64) ([]string, error) {
				ys := m.labels(xs)
				if !slices.ContainsFunc(xs, func(x []float64) bool { return &x[0] == &train.Data().Example(last)[0] }) {
					for i := range ys {
						ys[i] = "a"
					}
				}
				return ys, nil
			}), nil
		}, "the first half of the test examples being predicted without the second, it predicted "},
		{"cannot predict one", Order, labels(func(m *pointModel, xs [][]float64) ([]string, error) {
			if len(xs) == 1 {
				return nil, errors.New("no variance")
			}
			return m.labels(xs), nil
		}), "one test example being predicted without the others, it fails: predict: no variance"},
		{"shares its model", Parallel, shared(), "6 trials running at the same time, it predicted "},
		{"one at a time", Parallel, fitting(func(context.Context, pointSample, uint64) error {
			defer busy.Add(-1)
			if busy.Add(1) > 1 {
				return errors.New("I am busy")
			}
			time.Sleep(time.Millisecond)
			return nil
		}), "6 trials running at the same time, one fails: fit: I am busy"},
		{"learns to the end", Context, fitting(func(context.Context, pointSample, uint64) error {
			time.Sleep(2 * time.Second)
			return nil
		}), "Fit took 2s to return after its context had ended"},
		{
			"looks at the context once", Context,
			fitting(func(ctx context.Context, _ pointSample, _ uint64) error {
				if ctx.Err() == nil {
					time.Sleep(2 * time.Second)
				}
				return ctx.Err()
			}), "Fit took 1.5s to return after its context had ended",
		},
		{"predicts to the end", Context, labels(func(m *pointModel, xs [][]float64) ([]string, error) {
			time.Sleep(2 * time.Second)
			return m.labels(xs), nil
		}), "the prediction took 2s to return after its context had ended"},
		{
			"waits for something else", Context,
			fitting(func(ctx context.Context, _ pointSample, _ uint64) error {
				if ctx.Err() != nil {
					time.Sleep(time.Hour)
				}
				return nil
			}), "Fit had not returned 500ms after its context had ended",
		},
	}
}
