package learnercheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/learner"
)

// check checks a learner on data of its own.
func check[X any, Y comparable](ctx context.Context, data learntest.Data[X, Y],
	l learntest.Learner[X, Y], allowed ...Rule,
) error {
	return Check(ctx, Learner(data, l), allowed...)
}

func TestCheckFindsEachFlawAndNoOther(t *testing.T) {
	t.Parallel()
	tested := make(map[Rule]bool)
	for _, c := range flawed() {
		tested[c.kind] = true
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // in which nobody waits
				err := check(t.Context(), points(), pointLearner{Name: "bad", Fit: c.fit})
				time.Sleep(2 * time.Hour) // whoever was left behind has returned
				require.ErrorIs(t, err, learner.ErrUnusable)
				found := flawsIn(t, err)
				require.Len(t, found, 1, "%v", err)
				f := found[0]
				assert.Equal(t, c.kind, f.Rule, "%v", err)
				assert.Equal(t, []string{"bad", "points"}, []string{f.Learner, f.Data})
				assert.Contains(t, f.Err.Error(), c.says)
				text := strings.Split(f.Error(), "\n\t")
				require.Len(t, text, 3)
				assert.Equal(t, "unusable learner: bad on data set points: "+string(c.kind)+": "+f.Err.Error(),
					text[0])
				assert.Regexp(t, "^harm: .{30}", text[1])
				assert.Regexp(t, "^remedy: .{10}", text[2])
			})
		})
	}
	for _, r := range rules() {
		if r.on&anything != 0 {
			assert.True(t, tested[r.name], r.name)
		}
		assert.Greater(t, len(r.harm), 15, r.name)
		assert.Greater(t, len(r.remedy), 10, r.name)
	}
}

// flawsIn returns the flaws that are joined in an error.
func flawsIn(t *testing.T, err error) []*Flaw {
	t.Helper()
	joined, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok, "%v", err)
	var fs []*Flaw
	for _, e := range joined.Unwrap() {
		f, ok := e.(*Flaw)
		require.True(t, ok, "%v", e)
		fs = append(fs, f)
	}
	return fs
}

func TestCheckAcceptsLearnersThatKeepTheirPromises(t *testing.T) {
	t.Parallel()
	nothing := fitting(func(context.Context, pointSample, uint64) error { return nil })
	patient := fitting(func(ctx context.Context, _ pointSample, _ uint64) error {
		select {
		case <-time.After(time.Minute):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	silent := withProbabilities(func(p []float64) { clear(p) }) // it learns nothing
	for _, l := range []pointLearner{
		{Name: "mean", Fit: nothing},
		{Name: "patient", Fit: patient},
		{Name: "silent", Fit: silent},
		learntest.Func("one by one", func(_ context.Context, train pointSample,
			_ uint64,
		) (func([]float64) string, error) {
			return nearestMean(train).predict, nil
		}),
	} {
		t.Run(l.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var allowed []Rule
				if l.Name == "silent" {
					allowed = []Rule{Learning}
				}
				require.NoError(t, check(t.Context(), points(), l, allowed...))
			})
		})
	}

	// Numbers, for which a sum may depend on the order by rounding.
	line := learntest.Examples("line", []float64{1, 2, 3, 4, 5, 6}, []float64{2, 4, 6, 8, 10, 12})
	double := learntest.Learner[float64, float64]{Name: "double", Fit: func(context.Context,
		learntest.Sample[float64, float64], uint64,
	) (learntest.Model[float64, float64], error) {
		return learntest.LabelModel(func(_ context.Context, xs []float64) ([]float64, error) {
			ys := slices.Clone(xs)
			for i := range ys {
				ys[i] *= 2 * (1 + 1e-15*float64(len(xs)))
			}
			return ys, nil
		}), nil
	}}
	require.NoError(t, check(t.Context(), line, double, Learning))
	// What cannot be digested.
	fs := learntest.Examples("functions", make([]func() int, 9), []bool{
		true, false, true, false, true,
		false, true, false, true,
	}).WithDigest(strings.Repeat("a", 64))
	require.NoError(t, check(t.Context(), fs, learntest.Learner[func() int, bool]{
		Name: "yes",
		Fit: func(context.Context, learntest.Sample[func() int, bool],
			uint64,
		) (learntest.Model[func() int, bool], error) {
			return learntest.LabelModel(func(_ context.Context, xs []func() int) ([]bool,
				error,
			) {
				return make([]bool, len(xs)), nil
			}), nil
		},
	}, Learning))
}

func TestCheckOfNumbersFindsFlaws(t *testing.T) {
	t.Parallel()
	line := learntest.Examples("line", []float64{1, 2, 3, 4, 5, 6}, []float32{2, 4, 6, 8, 10, 12})
	type sample = learntest.Sample[float64, float32]
	predictor := func(f func(xs []float64, ys []float32)) learntest.Learner[float64, float32] {
		return learntest.Learner[float64, float32]{Name: "bad", Fit: func(context.Context, sample,
			uint64,
		) (learntest.Model[float64, float32], error) {
			return learntest.LabelModel(func(_ context.Context, xs []float64) ([]float32, error) {
				ys := make([]float32, len(xs))
				f(xs, ys)
				return ys, nil
			}), nil
		}}
	}
	var n atomic.Int64
	for _, c := range []struct {
		kind Rule
		l    learntest.Learner[float64, float32]
		says string
	}{
		{Predictions, predictor(func(_ []float64, ys []float32) { ys[0] = float32(math.NaN()) }), "NaN"},
		{
			Predictions, predictor(func(_ []float64, ys []float32) { ys[0] = float32(math.Inf(-1)) }),
			"-Inf",
		},
		{
			Determinism, predictor(func(_ []float64, ys []float32) { ys[0] = float32(n.Add(1)) }),
			"it predicted 3 and then 4 for example ",
		},
		{
			Order, predictor(func(xs []float64, ys []float32) { ys[0] = 1 }),
			"being predicted in the reverse order, it predicted 0 and then 1 for example ",
		},
		{
			Inputs, predictor(func(xs []float64, _ []float32) { xs[0] = 0 }),
			"it changes the slice of examples",
		},
		{Labels, learntest.Learner[float64, float32]{Name: "bad", Fit: func(_ context.Context,
			train sample, _ uint64,
		) (learntest.Model[float64, float32], error) {
			return learntest.LabelModel(func(_ context.Context, xs []float64) ([]float32, error) {
				ys := make([]float32, len(xs))
				for i, x := range xs {
					ys[i] = train.Data().Label(int(x) - 1)
				}
				return ys, nil
			}), nil
		}}, "with other labels"},
	} {
		found := flawsIn(t, check(t.Context(), line, c.l, Learning))
		require.Len(t, found, 1)
		assert.Equal(t, c.kind, found[0].Rule)
		assert.Contains(t, found[0].Err.Error(), c.says)
	}
}

// The labels of tables are in the tables.
func TestCheckFindsLearnersThatReadTheLabelsOfTables(t *testing.T) {
	t.Parallel()
	peeking := learntest.Pretrained("peeking",
		func(r dataset.Row) int { return r.Table.Class(r.Index) })
	found := flawsIn(t, check(t.Context(), uci.Iris(), peeking))
	require.Len(t, found, 1)
	assert.Equal(t, Labels, found[0].Rule)

	table, err := dataset.ReadCSV(strings.NewReader("x,y\n1,2\n2,3\n3,4\n4,5\n5,6\n6,9\n"), "n.csv",
		dataset.ReadOptions{Target: "y"})
	require.NoError(t, err)
	numbers, err := table.Regression()
	require.NoError(t, err)
	found = flawsIn(t, check(t.Context(), numbers, learntest.Pretrained("peeking",
		func(r dataset.Row) float64 { return r.Table.Target(r.Index) })))
	require.Len(t, found, 1)
	assert.Equal(t, Labels, found[0].Rule)

	// Of a selection of rows the labels cannot be changed: there is nothing to be seen.
	require.NoError(t, check(t.Context(), learntest.Examples("some", rows(uci.Iris(), 30),
		classesOf(uci.Iris(), 30)), peeking))
}

func rows(t *dataset.Table, n int) []dataset.Row {
	var xs []dataset.Row
	for i := range n {
		xs = append(xs, t.Example(i*t.Len()/n))
	}
	return xs
}

func classesOf(t *dataset.Table, n int) []int {
	var ys []int
	for _, r := range rows(t, n) {
		ys = append(ys, t.Class(r.Index))
	}
	return ys
}

func TestCheckAllows(t *testing.T) {
	t.Parallel()
	random := pointLearner{Name: "random", Fit: predicting(func(m *pointModel, _ uint64) pointLabels {
		return func(_ context.Context, xs [][]float64) ([]string, error) {
			ys := m.labels(xs)
			for i := range ys {
				ys[i] = m.classes[rand.IntN(3)]
			}
			return ys, nil
		}
	})}
	require.NoError(t, check(t.Context(), points(), random, Determinism))
	require.Error(t, check(t.Context(), points(), random, Order))
	for _, k := range []Rule{Inputs, "", "colour"} {
		err := check(t.Context(), points(), random, Order, k)
		require.ErrorIs(t, err, learntest.ErrConfig)
		require.EqualError(t, err, `invalid configuration: rule "`+string(k)+`" cannot be allowed to be broken: the rules that can are determinism, learning, order`)
	}
	require.Equal(t, "unknown unknown", (&Flaw{}).Harm()+" "+(&Flaw{}).Remedy())
}

func TestCheckRefuses(t *testing.T) {
	t.Parallel()
	mean := fitting(func(context.Context, pointSample, uint64) error { return nil })
	err := check(t.Context(), points(), pointLearner{Name: "", Fit: mean})
	require.ErrorIs(t, err, learntest.ErrConfig)
	err = check(t.Context(), points(), pointLearner{Name: "x", Fit: nil})
	require.ErrorContains(t, err, `learner "x" has no name or no Fit`)
	err = check(t.Context(), learntest.Examples("few", [][]float64{{1, 1}}, []string{"a"}),
		pointLearner{Name: "x", Fit: mean})
	require.ErrorContains(t, err, `data set "few"`)
	err = check(t.Context(), learntest.Examples("none", [][]float64{{1, 1}}, []string{}),
		pointLearner{Name: "x", Fit: mean})
	require.ErrorIs(t, err, dataset.ErrUnusable)
}

// A learner that hangs does not hang the test of it.
func TestCheckEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for _, from := range []int64{1, 5, 15} {
		synctest.Test(t, func(t *testing.T) {
			var n atomic.Int64
			hang := fitting(func(context.Context, pointSample, uint64) error {
				if n.Add(1) >= from {
					time.Sleep(time.Hour)
				}
				return nil
			})
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("time is up"))
			defer cancel()
			start := time.Now()
			err := check(ctx, points(), pointLearner{Name: "hang", Fit: hang})
			require.ErrorContains(t, err, "hang on data set points: interrupted in the test of ")
			require.ErrorContains(t, err, ": time is up")
			_, flaw := errors.AsType[*Flaw](err)
			assert.False(t, flaw, "%v", err)
			assert.LessOrEqual(t, time.Since(start), time.Second+trial.Grace)
			time.Sleep(2 * time.Hour) // who was left behind has returned
		})
	}
}

// A recorder is a T that writes down what happens to it.
type recorder struct {
	*testing.T
	errors, skips []string
	fatal         string
	deadline      time.Time
	cleanups      []func()
	names         []string
	children      []*recorder
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatalf(format string, args ...any) { r.fatal = fmt.Sprintf(format, args...) }
func (r *recorder) Skipf(format string, args ...any) {
	r.skips = append(r.skips, fmt.Sprintf(format, args...))
}
func (r *recorder) Deadline() (time.Time, bool) { return r.deadline, !r.deadline.IsZero() }
func (r *recorder) Cleanup(f func())            { r.cleanups = append(r.cleanups, f) }

// end ends the test that the recorder stands for.
func (r *recorder) end() {
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
}

func (r *recorder) Run(name string, f func(t *recorder)) bool {
	child := &recorder{T: r.T, deadline: r.deadline}
	r.names, r.children = append(r.names, name), append(r.children, child)
	f(child)
	return len(child.errors) == 0 && child.fatal == ""
}

func TestRun(t *testing.T) {
	t.Parallel()
	Run(t, Learner(points(), pointLearner{
		Name: "mean",
		Fit:  fitting(func(context.Context, pointSample, uint64) error { return nil }),
	}))

	s := &recorder{T: t}
	Run(s, Learner(points(), pointLearner{
		Name: "random",
		Fit: predicting(func(m *pointModel, _ uint64) pointLabels {
			return func(_ context.Context, xs [][]float64) ([]string, error) {
				ys := m.labels(xs)
				for i := range ys {
					ys[i] = m.classes[rand.IntN(3)]
				}
				return ys, nil
			}
		}),
	}))
	assert.Equal(t, []string{
		"trial", "predictions", "probabilities", "inputs", "determinism",
		"independence", "labels", "learning", "order", "parallel", "context",
	}, s.names)
	for i, c := range s.children {
		switch s.names[i] {
		case "determinism":
			require.Len(t, c.errors, 1)
			assert.Contains(t, c.errors[0],
				"unusable learner: random on data set points: determinism: trained twice in a row under one seed, it predicted ")
		case "independence", "labels", "learning", "order", "parallel":
			assert.Len(t, c.skips, 1)
			assert.Empty(t, c.errors)
		default:
			assert.Empty(t, c.skips)
			assert.Empty(t, c.errors)
		}
	}

	s = &recorder{T: t}
	Run(s, Learner(points(), pointLearner{}))
	assert.Contains(t, s.fatal, "learnercheck.Run: invalid configuration")
	assert.Empty(t, s.names)

	// What the deadline ends, ends all.
	synctest.Test(t, func(t *testing.T) {
		s := &recorder{T: t}
		s.deadline = time.Now().Add(time.Minute)
		hang := fitting(func(context.Context, pointSample,
			uint64,
		) error {
			time.Sleep(time.Hour)
			return nil
		})
		Run(s, Learner(points(), pointLearner{Name: "hang", Fit: hang}))
		require.Equal(t, []string{"trial"}, s.names)
		assert.Equal(t, "learnercheck.Run: hang on data set points: interrupted in the test of trial: the test's deadline is near", s.children[0].fatal)
		time.Sleep(2 * time.Hour)
		s.children[0].end()
	})
}
