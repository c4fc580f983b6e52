package trial

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// invented makes up predictions of classes, or of numbers if there are none, which depend on the
// seed alone.
func invented(classes []string, probabilities bool) Func {
	return func(_ context.Context, a *Attempt, seed uint64) error {
		r := rand.New(rand.NewPCG(seed, 3))
		p := metric.Predictions{Classes: classes}
		for range a.Test {
			if len(classes) == 0 {
				p.TrueValues = append(p.TrueValues, r.NormFloat64())
				p.PredictedValues = append(p.PredictedValues, r.NormFloat64())
				continue
			}
			p.Truth = append(p.Truth, r.IntN(len(classes)))
			p.Predicted = append(p.Predicted, r.IntN(len(classes)+1)-1)
			for range classes {
				if probabilities {
					p.Probabilities = append(p.Probabilities, r.Float64())
				}
			}
		}
		a.Predictions = p
		return nil
	}
}

// someSlices draws slices that overlap, and may have one example or all; the last may be one of
// copies.
func someSlices(t *rapid.T, n int) []Slice {
	of := make([]Slice, rapid.IntRange(1, 5).Draw(t, "slices"))
	for k := range of {
		s := Slice{Name: fmt.Sprint("s", k)}
		share := rapid.SampledFrom([]float64{0, 0.1, 0.5, 1}).Draw(t, "share")
		r := rand.New(rand.NewPCG(uint64(k), uint64(n)))
		first := r.IntN(n)
		for row := range n {
			if row == first || r.Float64() < share {
				s.Rows = append(s.Rows, row)
			}
		}
		of[k] = s
	}
	if rapid.Bool().Draw(t, "copies") {
		s := Slice{Name: record.CopiesSlice}
		for row := range n {
			set := row / 2
			if row%4 > 1 {
				set = -1
			} else {
				s.Rows = append(s.Rows, row)
			}
			s.Alike = append(s.Alike, set)
		}
		of = append(of, s)
	}
	return of
}

// naive returns the values of a slice in a trial by their definition, from predictions made anew.
func naive(t require.TestingT, s *Slice, metrics []metric.Metric, a *Attempt, scale float64) []float64 {
	p := &a.Predictions
	there := make(map[int]bool)
	for _, row := range a.Train {
		if s.Alike != nil && s.Alike[row] >= 0 {
			there[s.Alike[row]] = true
		}
	}
	in := make(map[int]bool)
	for _, row := range s.Rows {
		in[row] = s.Alike == nil || there[s.Alike[row]]
	}
	q, n := metric.Predictions{Classes: p.Classes}, 0
	for i, row := range a.Test {
		if !in[row] {
			continue
		}
		n++
		if !p.Classification() {
			q.TrueValues = append(q.TrueValues, p.TrueValues[i])
			q.PredictedValues = append(q.PredictedValues, p.PredictedValues[i])
			continue
		}
		q.Truth, q.Predicted = append(q.Truth, p.Truth[i]), append(q.Predicted, p.Predicted[i])
		if k := len(p.Classes); p.Probabilities != nil {
			q.Probabilities = append(q.Probabilities, p.Probabilities[i*k:(i+1)*k]...)
		}
	}
	values := []float64{float64(n)}
	for _, m := range metrics {
		sum := 0.0
		if n > 0 {
			mean, err := m.Eval(&q)
			require.NoError(t, err)
			sum = scale / float64(len(s.Rows)) * (float64(n) * mean)
		}
		values = append(values, sum)
	}
	return values
}

// TestSlicesHaveTheSumsOfTheirDefinition compares all values of slices, bit for bit, with sums over
// the members that are picked one by one.
func TestSlicesHaveTheSumsOfTheirDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(10, 60).Draw(t, "examples")
		protocols := []split.Protocol{split.CV(2, 5), split.Subsample(3, 0.7)}
		protocol := rapid.SampledFrom(protocols).Draw(t, "protocol")
		plan, err := protocol.Plan(split.Examples{N: n})
		require.NoError(t, err)
		d := &Data{Name: "d", Digest: "0", Examples: split.Examples{N: n}, Slices: someSlices(t, n)}
		kinds := []string{"numbers", "labels", "probabilities"}
		switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
		case "numbers":
			d.Means = []metric.Metric{metric.MAE()}
			d.Funcs = []Func{invented(nil, false)}
		default:
			d.Means = []metric.Metric{metric.Accuracy(), metric.Error()}
			if kind == "probabilities" {
				d.Means = append(d.Means, metric.LogLoss(), metric.Brier())
				for i := range d.Means {
					d.Means[i].Max = math.Inf(1) // the probabilities do not sum to 1
				}
			}
			d.Funcs = []Func{invented([]string{"a", "b", "c"}, kind == "probabilities")}
		}
		d.Funcs = append(d.Funcs, d.Funcs[0])
		d.Learners = []string{"one", "two"}
		b := &Batch{Data: d, Plan: plan}
		for run := 1; run <= plan.Runs(); run++ {
			for fold := 1; fold <= plan.Folds(); fold++ {
				b.Cells = append(b.Cells, Cell{run, fold, 0}, Cell{run, fold, 1})
			}
		}
		scale := float64(protocol.Folds())
		if protocol.Folds() == 1 {
			train, test := plan.Sizes(1, 1)
			scale = float64(train+test) / float64(test)
		}
		require.Empty(t, Engine{Metrics: d.Means[:1], Parallel: 1}.Run(t.Context(), b))
		for i, tr := range b.Trials {
			require.Empty(t, tr.Err)
			a := new(Attempt)
			a.Train, a.Test = plan.Trial(tr.Run, tr.Fold, nil, nil)
			seed := split.TrialSeed(protocol.Seed(), d.Digest, tr.Run, tr.Fold)
			require.NoError(t, d.Funcs[0](t.Context(), a, seed))
			var want []float64
			for k := range d.Slices {
				want = append(want, naive(t, &d.Slices[k], d.Means, a, scale)...)
			}
			require.Len(t, tr.Values, 1+len(want), i)
			for j, x := range want {
				got := tr.Values[1+j]
				require.Equal(t, math.Float64bits(x), math.Float64bits(got),
					"value %d of %v: %v, not %v", j, tr.Cell(), got, x)
			}
		}
	})
}

// TestSlicesTakeNoMemory checks that trials after the first need no memory for the scores of their
// slices.
func TestSlicesTakeNoMemory(t *testing.T) {
	const n = 40
	plan, err := split.CV(1, 4).Plan(split.Examples{N: n})
	require.NoError(t, err)
	d := &Data{Name: "d", Digest: "0", Examples: split.Examples{N: n}}
	d.Means = []metric.Metric{metric.Accuracy(), metric.LogLoss()}
	for k := range 8 {
		s := Slice{Name: fmt.Sprint("s", k)}
		for row := k; row < n; row += 4 {
			s.Rows = append(s.Rows, row)
		}
		d.Slices = append(d.Slices, s)
	}
	alike := Slice{Name: record.CopiesSlice}
	for row := range n {
		alike.Rows, alike.Alike = append(alike.Rows, row), append(alike.Alike, row/2)
	}
	d.Slices = append(d.Slices, alike)
	s := newSlicing(d, plan)
	a := new(Attempt)
	a.Train, a.Test = plan.Trial(1, 1, nil, nil)
	require.NoError(t, invented([]string{"a", "b"}, true)(t.Context(), a, 1))
	score := func() {
		a.scores = a.scores[:0]
		if err := s.score(a); err != nil {
			t.Fatal(err)
		}
	}
	score()
	require.Zero(t, testing.AllocsPerRun(20, score))
}
