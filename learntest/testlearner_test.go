package learntest

import (
	"context"
	"errors"
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

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/internal/trial"
)

func TestTestLearnerFindsEachFlawAndNoOther(t *testing.T) {
	t.Parallel()
	tested := make(map[FlawKind]bool)
	for _, c := range flawed() {
		tested[c.kind] = true
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // in which nobody waits
				err := TestLearner(t.Context(), points(), pointLearner{"bad", c.fit})
				time.Sleep(2 * time.Hour) // whoever was left behind has returned
				require.ErrorIs(t, err, ErrLearner)
				found := flawsIn(t, err)
				require.Len(t, found, 1, "%v", err)
				f := found[0]
				assert.Equal(t, c.kind, f.Kind, "%v", err)
				assert.Equal(t, []string{"bad", "points"}, []string{f.Learner, f.Data})
				assert.Contains(t, f.Err.Error(), c.says)
				text := strings.Split(f.Error(), "\n\t")
				require.Len(t, text, 3)
				assert.Equal(t, "unusable learner: bad on data set points: "+string(c.kind)+": "+f.Err.Error(), text[0])
				assert.Regexp(t, "^harm: .{30}", text[1])
				assert.Regexp(t, "^remedy: .{10}", text[2])
			})
		})
	}
	for _, f := range flaws {
		assert.True(t, tested[f.kind], f.kind)
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

func TestTestLearnerAcceptsLearnersThatKeepTheirPromises(t *testing.T) {
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
		{"mean", nothing},
		{"patient", patient},
		{"silent", silent},
		Func("one by one", func(_ context.Context, train pointSample, _ uint64) (func([]float64) string, error) {
			return nearestMean(train).predict, nil
		}),
	} {
		t.Run(l.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var allowed []FlawKind
				if l.Name == "silent" {
					allowed = []FlawKind{FlawLearning}
				}
				require.NoError(t, TestLearner(t.Context(), points(), l, allowed...))
			})
		})
	}

	// Numbers, for which a sum may depend on the order by rounding.
	line := Examples("line", []float64{1, 2, 3, 4, 5, 6}, []float64{2, 4, 6, 8, 10, 12})
	double := Learner[float64, float64]{"double", func(context.Context, Sample[float64, float64], uint64) (Model[float64, float64], error) {
		return Labels(func(_ context.Context, xs []float64) ([]float64, error) {
			ys := slices.Clone(xs)
			for i := range ys {
				ys[i] *= 2 * (1 + 1e-15*float64(len(xs)))
			}
			return ys, nil
		}), nil
	}}
	require.NoError(t, TestLearner(t.Context(), line, double, FlawLearning))
	// What cannot be digested.
	fs := Examples("functions", make([]func() int, 9), []bool{true, false, true, false, true, false, true, false, true}).WithDigest(strings.Repeat("a", 64))
	require.NoError(t, TestLearner(t.Context(), fs, Learner[func() int, bool]{"yes", func(context.Context, Sample[func() int, bool], uint64) (Model[func() int, bool], error) {
		return Labels(func(_ context.Context, xs []func() int) ([]bool, error) { return make([]bool, len(xs)), nil }), nil
	}}, FlawLearning))
}

func TestTestLearnerOfNumbersFindsFlaws(t *testing.T) {
	t.Parallel()
	line := Examples("line", []float64{1, 2, 3, 4, 5, 6}, []float32{2, 4, 6, 8, 10, 12})
	type sample = Sample[float64, float32]
	predictor := func(f func(xs []float64, ys []float32)) Learner[float64, float32] {
		return Learner[float64, float32]{"bad", func(context.Context, sample, uint64) (Model[float64, float32], error) {
			return Labels(func(_ context.Context, xs []float64) ([]float32, error) {
				ys := make([]float32, len(xs))
				f(xs, ys)
				return ys, nil
			}), nil
		}}
	}
	var n atomic.Int64
	for _, c := range []struct {
		kind FlawKind
		l    Learner[float64, float32]
		says string
	}{
		{FlawPredictions, predictor(func(_ []float64, ys []float32) { ys[0] = float32(math.NaN()) }), "NaN"},
		{FlawPredictions, predictor(func(_ []float64, ys []float32) { ys[0] = float32(math.Inf(-1)) }), "-Inf"},
		{FlawDeterminism, predictor(func(_ []float64, ys []float32) { ys[0] = float32(n.Add(1)) }), "it predicted 3 and then 4 for example "},
		{FlawOrder, predictor(func(xs []float64, ys []float32) { ys[0] = 1 }), "being predicted in the reverse order, it predicted 0 and then 1 for example "},
		{FlawInputs, predictor(func(xs []float64, _ []float32) { xs[0] = 0 }), "it changes the slice of examples"},
		{FlawLabels, Learner[float64, float32]{"bad", func(_ context.Context, train sample, _ uint64) (Model[float64, float32], error) {
			return Labels(func(_ context.Context, xs []float64) ([]float32, error) {
				ys := make([]float32, len(xs))
				for i, x := range xs {
					ys[i] = train.Data().Label(int(x) - 1)
				}
				return ys, nil
			}), nil
		}}, "with other labels"},
	} {
		found := flawsIn(t, TestLearner(t.Context(), line, c.l, FlawLearning))
		require.Len(t, found, 1)
		assert.Equal(t, c.kind, found[0].Kind)
		assert.Contains(t, found[0].Err.Error(), c.says)
	}
}

// The labels of tables are in the tables.
func TestTestLearnerFindsLearnersThatReadTheLabelsOfTables(t *testing.T) {
	t.Parallel()
	peeking := Pretrained("peeking", func(r dataset.Row) int { return r.Table.Class(r.Index) })
	found := flawsIn(t, TestLearner(t.Context(), uci.Iris(), peeking))
	require.Len(t, found, 1)
	assert.Equal(t, FlawLabels, found[0].Kind)

	table, err := dataset.ReadCSV(strings.NewReader("x,y\n1,2\n2,3\n3,4\n4,5\n5,6\n6,9\n"), "n.csv", dataset.ReadOptions{Target: "y"})
	require.NoError(t, err)
	numbers, err := table.Regression()
	require.NoError(t, err)
	found = flawsIn(t, TestLearner(t.Context(), numbers, Pretrained("peeking", func(r dataset.Row) float64 { return r.Table.Target(r.Index) })))
	require.Len(t, found, 1)
	assert.Equal(t, FlawLabels, found[0].Kind)

	// Of a selection of rows the labels cannot be changed: there is nothing to be seen.
	require.NoError(t, TestLearner(t.Context(), Examples("some", rows(uci.Iris(), 30), classesOf(uci.Iris(), 30)), peeking))
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

func TestTestLearnerAllows(t *testing.T) {
	t.Parallel()
	random := pointLearner{"random", predicting(func(m *pointModel, _ uint64) pointLabels {
		return func(_ context.Context, xs [][]float64) ([]string, error) {
			ys := m.labels(xs)
			for i := range ys {
				ys[i] = m.classes[rand.IntN(3)]
			}
			return ys, nil
		}
	})}
	require.NoError(t, TestLearner(t.Context(), points(), random, FlawDeterminism))
	require.Error(t, TestLearner(t.Context(), points(), random, FlawOrder))
	for _, k := range []FlawKind{FlawInputs, "", "colour"} {
		err := TestLearner(t.Context(), points(), random, FlawOrder, k)
		require.ErrorIs(t, err, ErrConfig)
		require.EqualError(t, err, `invalid configuration: flaw "`+string(k)+`" cannot be allowed: those that can are determinism, learning, order`)
	}
	require.Equal(t, "unknown unknown", (&Flaw{}).Harm()+" "+(&Flaw{}).Remedy())
}

func TestTestLearnerRefuses(t *testing.T) {
	t.Parallel()
	mean := fitting(func(context.Context, pointSample, uint64) error { return nil })
	err := TestLearner(t.Context(), points(), pointLearner{"", mean})
	require.ErrorIs(t, err, ErrConfig)
	err = TestLearner(t.Context(), points(), pointLearner{"x", nil})
	require.ErrorContains(t, err, `learner "x" has no name or no Fit`)
	err = TestLearner(t.Context(), Examples("few", [][]float64{{1, 1}}, []string{"a"}), pointLearner{"x", mean})
	require.ErrorContains(t, err, `data set "few"`)
	err = TestLearner(t.Context(), Examples("none", [][]float64{{1, 1}}, []string{}), pointLearner{"x", mean})
	require.ErrorIs(t, err, ErrData)
}

// A learner that hangs does not hang the test of it.
func TestTestLearnerEndsWithItsContext(t *testing.T) {
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
			err := TestLearner(ctx, points(), pointLearner{"hang", hang})
			require.ErrorContains(t, err, "hang on data set points: interrupted in the test of ")
			require.ErrorContains(t, err, ": time is up")
			_, flaw := errors.AsType[*Flaw](err)
			assert.False(t, flaw, "%v", err)
			assert.LessOrEqual(t, time.Since(start), time.Second+trial.Grace)
			time.Sleep(2 * time.Hour) // who was left behind has returned
		})
	}
}

// subtests records what subtests do.
type subtests struct {
	*recorder
	names    []string
	children []*subtests
	skips    []string
}

func (s *subtests) Run(name string, f func(t *subtests)) bool {
	child := &subtests{recorder: newRecorder(s.T)}
	child.deadline = s.deadline
	s.names, s.children = append(s.names, name), append(s.children, child)
	f(child)
	return len(child.errors) == 0 && child.fatal == ""
}

func (s *subtests) Skipf(format string, args ...any) { s.skips = append(s.skips, format) }

func TestRunLearnerTests(t *testing.T) {
	t.Parallel()
	RunLearnerTests(t, points(), pointLearner{"mean", fitting(func(context.Context, pointSample, uint64) error { return nil })})

	s := &subtests{recorder: newRecorder(t)}
	RunLearnerTests(s, points(), pointLearner{"random", predicting(func(m *pointModel, _ uint64) pointLabels {
		return func(_ context.Context, xs [][]float64) ([]string, error) {
			ys := m.labels(xs)
			for i := range ys {
				ys[i] = m.classes[rand.IntN(3)]
			}
			return ys, nil
		}
	})})
	assert.Equal(t, []string{"trial", "predictions", "probabilities", "inputs", "determinism", "labels", "learning", "order", "parallel", "context"}, s.names)
	for i, c := range s.children {
		switch s.names[i] {
		case "determinism":
			require.Len(t, c.errors, 1)
			assert.Contains(t, c.errors[0], "unusable learner: random on data set points: determinism: trained twice in a row under one seed, it predicted ")
		case "labels", "learning", "order", "parallel":
			assert.Len(t, c.skips, 1)
			assert.Empty(t, c.errors)
		default:
			assert.Empty(t, c.skips)
			assert.Empty(t, c.errors)
		}
	}

	s = &subtests{recorder: newRecorder(t)}
	RunLearnerTests(s, points(), pointLearner{})
	assert.Contains(t, s.fatal, "learntest.RunLearnerTests: invalid configuration")
	assert.Empty(t, s.names)

	// What the deadline ends, ends all.
	synctest.Test(t, func(t *testing.T) {
		s := &subtests{recorder: newRecorder(t)}
		s.deadline = time.Now().Add(time.Minute)
		hang := fitting(func(context.Context, pointSample, uint64) error { time.Sleep(time.Hour); return nil })
		RunLearnerTests(s, points(), pointLearner{"hang", hang})
		require.Equal(t, []string{"trial"}, s.names)
		assert.Equal(t, "learntest.RunLearnerTests: hang on data set points: interrupted in the test of trial: the test's deadline is near", s.children[0].fatal)
		time.Sleep(2 * time.Hour)
		s.children[0].end()
	})
}
