package matrix_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/matrix"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// A leastSquares model is one on gonum matrices.
type leastSquares struct{ beta mat.VecDense }

func (l *leastSquares) Fit(x mat.Matrix, y []float64) error {
	return l.beta.SolveVec(x, mat.NewVecDense(len(y), y))
}

func (l *leastSquares) Predict(x mat.Matrix) ([]float64, error) {
	var y mat.VecDense
	y.MulVec(x, &l.beta)
	return y.RawVector().Data, nil
}

// A regression learner, judged by the root mean squared error.
func ExampleLearner() {
	r := rand.New(rand.NewPCG(2, 2))
	var xs [][]float64
	var ys []float64
	for range 100 {
		x := r.Float64()
		xs, ys = append(xs, []float64{1, x}), append(ys, 3+2*x+r.NormFloat64())
	}
	linear := matrix.Learner("linear", func(uint64) matrix.Model[float64] { return &leastSquares{} })
	mean := learntest.Func("mean", func(_ context.Context, train learntest.Sample[[]float64, float64],
		_ uint64,
	) (func([]float64) float64, error) {
		sum := 0.0
		for _, y := range train.All() {
			sum += y
		}
		return func([]float64) float64 { return sum / float64(train.Len()) }, nil
	})
	line := learntest.Examples("line", xs, ys)
	records, err := learntest.Run(context.Background(), []learntest.Data[[]float64, float64]{line},
		[]learntest.Learner[[]float64, float64]{linear, mean}, learntest.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	v := verdict.Of(records.Of("line", "linear"), records.Of("line", "mean"), verdict.Claim{})
	fmt.Printf("linear %.3f, mean %.3f: %v\n", v.CandidateMean, v.BaselineMean, v.Outcome)
	// Output: linear 1.024, mean 1.219: improved
}

// frequencies is a model that predicts how frequent each class was. It knows
// only the classes that it has seen, in the order in which it has seen them.
type frequencies struct {
	classes []string
	counts  map[string]float64
	n       float64

	// Mistakes of the model:
	extra   []string // classes that it says it has
	columns int      // more than it has classes
	rows    int      // more than it is asked for
	fit     error
}

func (f *frequencies) Fit(x mat.Matrix, y []string) error {
	if rows, _ := x.Dims(); rows != len(y) {
		return fmt.Errorf("%d rows with %d labels", rows, len(y))
	}
	f.counts = make(map[string]float64)
	for _, c := range y {
		if f.counts[c] == 0 {
			f.classes = append(f.classes, c)
		}
		f.counts[c]++
		f.n++
	}
	return f.fit
}

func (f *frequencies) Classes() []string { return append(f.classes, f.extra...) }

func (f *frequencies) Probabilities(x mat.Matrix) (mat.Matrix, error) {
	n, cols := x.Dims()
	if cols == 3 {
		return nil, errors.New("three columns")
	}
	p := mat.NewDense(n+f.rows, len(f.classes)+f.columns, nil)
	for i := range n {
		for j, c := range f.classes {
			p.Set(i, j, f.counts[c]/f.n)
		}
	}
	return p, nil
}

// words is a data set with three classes, the last of which is in the last
// fold of a TimeSeries only.
func words() *learntest.ExampleSet[[]float64, string] {
	var xs [][]float64
	var ys []string
	for i := range 12 {
		xs, ys = append(xs, []float64{float64(i), 1}), append(ys, []string{"b", "c", "b"}[i%3])
	}
	ys[11] = "a"
	return learntest.Examples("words", xs, ys)
}

func failures(t *testing.T, data *learntest.ExampleSet[[]float64, string],
	f frequencies,
) (failed []string, logloss float64) {
	t.Helper()
	l := matrix.ProbLearner("frequencies", func(uint64) matrix.ProbModel[string] { g := f; return &g })
	records, err := learntest.Run(t.Context(), []learntest.Data[[]float64, string]{data},
		[]learntest.Learner[[]float64, string]{l},
		learntest.Config{
			Protocol: split.TimeSeries(2, split.Window{}),
			Metrics:  []metric.Metric{metric.Brier()},
		})
	require.NoError(t, err)
	for _, trial := range records.Failures() {
		failed = append(failed, trial.Err)
	}
	for trial := range records.Blocks()[0].Trials() {
		if trial.Err == "" {
			logloss = trial.Values[0]
			break
		}
	}
	return failed, logloss
}

func TestProbabilitiesComeInTheOrderOfTheClasses(t *testing.T) {
	t.Parallel()
	failed, brier := failures(t, words(), frequencies{})
	assert.Empty(t, failed)
	// Trained on b c b b, tested on c b b c: 3/4 for b and 1/4 for c.
	assert.InDelta(t, (2*(0.5625+0.5625)+2*(0.0625+0.0625))/4, brier, 1e-12)
}

func TestProbLearnerRefusesWhatIsNoPrediction(t *testing.T) {
	t.Parallel()
	for text, f := range map[string]frequencies{
		"fit: invalid prediction: class 2 of the model is d, which is none of the data's: [a b c]": {extra: []string{"d"}},
		"fit: invalid prediction: class 2 of the model is b, which it has twice":                   {extra: []string{"b"}},
		"predict: invalid prediction: 3 probabilities of a model with 2 classes":                   {columns: 1},
		"predict: invalid prediction: 5 rows of probabilities for 4 test examples":                 {rows: 1},
		"fit: no convergence": {fit: errors.New("no convergence")},
	} {
		failed, _ := failures(t, words(), f)
		require.Len(t, failed, 2)
		assert.Equal(t, text, failed[0])
	}
	three := learntest.Examples("three", [][]float64{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
		[]string{"a", "b", "a"})
	failed, _ := failures(t, three, frequencies{})
	assert.Equal(t, []string{"predict: three columns", "predict: three columns"}, failed)
}

func TestRaggedRowsAreRefused(t *testing.T) {
	t.Parallel()
	for text, xs := range map[string][][]float64{
		"unusable data: row 1 has 1 columns, row 0 has 2": {{1, 2}, {1}, {1, 2}},
		"unusable data: no rows or no columns":            {{}, {}, {}},
	} {
		failed, _ := failures(t, learntest.Examples("ragged", xs, []string{"a", "b", "a"}), frequencies{})
		require.NotEmpty(t, failed)
		assert.Contains(t, failed[len(failed)-1], text)
	}
	last := learntest.Examples("last", [][]float64{{1, 2}, {1, 2}, {1}}, []float64{1, 2, 3})
	l := matrix.Learner("linear", func(uint64) matrix.Model[float64] { return &leastSquares{} })
	records, err := learntest.Run(t.Context(), []learntest.Data[[]float64, float64]{last},
		[]learntest.Learner[[]float64, float64]{l},
		learntest.Config{Protocol: split.TimeSeries(1, split.Window{TestSize: 2})})
	require.NoError(t, err)
	require.Len(t, records.Failures(), 1)
	assert.Equal(t, "predict: unusable data: row 1 has 1 columns, row 0 has 2",
		records.Failures()[0].Err)
}
