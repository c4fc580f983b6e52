package logistic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
	"github.com/learnbench/learnbench/learntest/learner/internal/linear"
)

var (
	nan = math.NaN()
	abc = []string{"a", "b", "c"}
)

func fit(t *testing.T, c float64, table *dataset.Table, rows ...int) *Model {
	t.Helper()
	if rows == nil {
		rows = fixture.Rows(table)
	}
	m, err := New(Config{C: c}).Fit(table, rows, 1)
	require.NoError(t, err)
	return m.(*Model)
}

// The gradient of the loss, computed term by term from predictions, is zero; so it is at no other
// point.
func TestGradientIsZeroAtTheSolution(t *testing.T) {
	t.Parallel()
	for _, c := range []float64{0.001, 1, 1000} {
		table, err := fixture.Weighted(uci.Glass())
		require.NoError(t, err)
		m := fit(t, c, table)
		w := m.lent.Space
		dist := make([]float64, table.NumClasses())
		for k, class := range w.classes {
			slopes := make([]float64, w.design.Columns+1)
			for j := range w.design.Columns {
				slopes[j] = w.best[j*w.free+k]
			}
			for i := range table.Len() {
				m.Distribution(table, i, dist)
				p := dist[class]
				if table.Class(i) == int(class) {
					p--
				}
				p *= c * table.Weights()[i]
				w.design.Encode(table, i, "test").AddTo(slopes, p)
				slopes[len(slopes)-1] += p
			}
			for _, s := range slopes {
				assert.InDelta(t, 0, s, 1.1e-10*c*float64(table.Len()))
			}
		}
	}
}

// The loss of two classes agrees with its definition at any point, and finite differences with the
// derivatives.
func TestDerivativesOfTwoClasses(t *testing.T) {
	t.Parallel()
	const c = 0.5
	table, err := fixture.Weighted(uci.PimaDiabetes())
	require.NoError(t, err)
	w := fit(t, c, table).lent.Space
	class := table.Codes(table.ClassIndex())
	n := w.design.Columns + 1
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5 {
		v, u := make([]float64, n), make([]float64, n)
		for j := range v {
			v[j], u[j] = rng.NormFloat64(), rng.NormFloat64()
		}
		want := 0.0
		for _, b := range v[:n-1] {
			want += b * b / 2
		}
		for i := range table.Len() {
			m := v[n-1] + w.design.Row(i).Dot(v)
			if class[i] == 0 {
				m = -m
			}
			want += c * table.Weights()[i] * math.Log1p(math.Exp(-m))
		}
		at := func(h float64, direction []float64) (float64, []float64) {
			there, gradient := make([]float64, n), make([]float64, n)
			for j := range there {
				there[j] = v[j] + h*direction[j]
			}
			return w.evaluate(class, there, gradient), gradient
		}
		more, above := at(1e-5, u)
		less, below := at(-1e-5, u)
		loss, gradient := at(0, u)
		require.InEpsilon(t, want, loss, 1e-12)
		require.InEpsilon(t, linear.Dot(gradient, u), (more-less)/2e-5, 1e-6)
		curvature := make([]float64, n)
		w.curvature(curvature, u)
		for j := range curvature {
			require.InEpsilon(t, curvature[j], (above[j]-below[j])/2e-5, 1e-4)
		}
		w.takeDiagonals(0)
		for j := range n {
			clear(u)
			u[j] = 1
			w.curvature(curvature, u)
			require.InEpsilon(t, curvature[j], w.diagonals[j], 1e-12)
		}
	}
}

// Without the mean over the classes, the preconditioner is the inverse of the blocks of the Hessian
// that have one class each; with it, it is symmetric, and positive for vectors whose mean is 0.
func TestPreconditioner(t *testing.T) {
	t.Parallel()
	const c, total = 2.0, 3.0
	table, err := fixture.Weighted(uci.Glass())
	require.NoError(t, err)
	for _, table := range []*dataset.Table{table, uci.Zoo()} {
		w := fit(t, c, table).lent.Space
		n, free := w.design.Columns+1, w.free
		require.Greater(t, free, 2)
		rng := rand.New(rand.NewPCG(1, 2))
		draw := func() []float64 {
			v := make([]float64, n*free)
			for j := range v {
				v[j] = rng.NormFloat64()
			}
			return v
		}
		u, v, mu, mv := draw(), draw(), draw(), draw()
		near := w.preconditioner(total)
		if w.design.HasFewNumbers() {
			w.blockwise(mv, v)
			for k := range free {
				want := make([]float64, n)
				for j := range n {
					if want[j] = mv[j*free+k]; j == n-1 {
						want[j] *= 1e-12 * total
					}
				}
				for i := range table.Len() {
					at := mv[(n-1)*free+k]
					x := make([]float64, n)
					w.design.Row(i).AddTo(x, 1)
					x[n-1] = 1
					for j := range n - 1 {
						at += x[j] * mv[j*free+k]
					}
					p := w.probs[i*free+k]
					for j := range n {
						want[j] += w.weights[i] * p * (1 - p) * at * x[j]
					}
				}
				for j := range n {
					require.InDelta(t, v[j*free+k], want[j], 1e-6)
				}
			}
		}
		for j := range n {
			for _, v := range [][]float64{u, v} {
				v[(j+1)*free-1] = 0
				for _, x := range v[j*free:][:free-1] {
					v[(j+1)*free-1] -= x
				}
			}
		}
		near(mu, u)
		near(mv, v)
		require.InEpsilon(t, linear.Dot(mu, v), linear.Dot(mv, u), 1e-9)
		require.Positive(t, linear.Dot(mu, u))
		for j := range n {
			sum := 0.0
			for _, x := range mu[j*free:][:free] {
				sum += x
			}
			require.InDelta(t, 0, sum, 1e-9*(1+linear.Largest(mu)))
		}
	}
}

// A penalty keeps the coefficients finite.
func TestSeparableClasses(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Numeric("x", 1, 2, 3, 11, 12, 13),
		fixture.Nominal("class", abc, 0, 0, 0, 2, 2, 2))
	last := 0.0
	for _, c := range []float64{1e-9, 1e-3, 1, 1e3, 1e6, 1e9, 1e12} {
		d := fixture.Distributions(fit(t, c, table), table)
		assert.Less(t, last, d[0], "C = %v", c)
		assert.LessOrEqual(t, 0.5, d[0])
		assert.Zero(t, d[1], "no row of b")
		last = d[0]
	}
	assert.Greater(t, last, 1-1e-9)
}

func TestOneClassIsCertain(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Numeric("x", 1, 2), fixture.Nominal("class", abc, 1, 1))
	assert.Equal(t, []float64{0, 1, 0, 0, 1, 0}, fixture.Distributions(fit(t, 1, table), table))
}

func TestConstantColumnsGiveTheFrequencies(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Numeric("x", 7, 7, 7, 7), fixture.Numeric("gone", nan,
		nan, nan, nan),
		fixture.Nominal("v", abc, 1, 1, 1, 1), fixture.Nominal("class", abc, 2, 0, 2, 2))
	assert.InDeltaSlice(t, []float64{0.25, 0, 0.75}, fixture.Distributions(fit(t, 1, table),
		table)[:3], 1e-9)
	table = fixture.Table(t, nil, fixture.Nominal("class", abc, 2, 0, 1, 2))
	assert.InDeltaSlice(t, []float64{0.25, 0.25, 0.5}, fixture.Distributions(fit(t, 1, table),
		table)[:3], 1e-9)
}

func TestWeightsAreRepetitions(t *testing.T) {
	t.Parallel()
	weighted := fixture.Table(t, []float64{1, 2, 3, 1}, fixture.Nominal("x", abc, 0, 1, 1, 2),
		fixture.Nominal("class", abc, 0, 1, 0, 2))
	repeated := fit(t, 1, weighted, 0, 1, 2, 3)
	plain := fixture.Table(t, nil, fixture.Nominal("x", abc, 0, 1, 1, 2),
		fixture.Nominal("class", abc, 0, 1, 0, 2))
	want := fixture.Distributions(repeated, weighted)
	assert.InDeltaSlice(t, want, fixture.Distributions(fit(t, 1, plain, 0, 1, 1, 2, 2, 2, 3), plain),
		1e-9)
	assert.NotEqual(t, want, fixture.Distributions(fit(t, 1, plain), plain))
}

// A missing value is a value of its own if training has seen one, else nothing; a row far
// from all others gets probabilities, too.
func TestMissingAndForeignValues(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Numeric("x", 1, 2, 3, nan, nan, nan, 1e308),
		fixture.Nominal("v", abc, 0, 0, 1, 1, 0, -1, 2),
		fixture.Nominal("class", abc[:2], 0, 0, 0, 1, 1, 1, 0))
	d := fixture.Distributions(fit(t, 10, table, 0, 1, 2, 3, 4), table)
	assert.Greater(t, d[2*3+1], 0.8)
	assert.Greater(t, d[2*5+1], 0.8)
	for _, p := range d {
		assert.True(t, p >= 0 && p <= 1)
	}
	// Without any missing value in training, it is the mean.
	m := fit(t, 10, table, 0, 1, 2)
	assert.Equal(t, []float64{1, 0}, fixture.Distributions(m, table)[10:12])
}

func TestWhatCannotBeTrained(t *testing.T) {
	t.Parallel()
	numbers := fixture.Table(t, nil, fixture.Numeric("x", 1e308, -1e308, 0),
		fixture.Nominal("class", abc, 0, 1, 0))
	for text, c := range map[string]struct {
		c     float64
		table *dataset.Table
		rows  []int
		err   error
	}{
		"C = -1, want a positive number": {-1, uci.Iris(), []int{0}, ErrConfig},
		"C = NaN, want":                  {nan, uci.Iris(), []int{0}, ErrConfig},
		"C = +Inf, want": {
			math.Inf(1), uci.Iris(),
			[]int{0},
			ErrConfig,
		},
		`attribute "x": its numbers are too large`: {
			1, numbers,
			[]int{0, 1, 2},
			learner.ErrTraining,
		},
		"rows[1] is 3, the table has 3 rows": {
			1, numbers,
			[]int{0, 3},
			learner.ErrTraining,
		},
		"no row with a known class among 0": {1, numbers, nil, learner.ErrTraining},
		"logistic regression does not converge: try a smal": {
			1e199, uci.Glass(),
			fixture.Rows(uci.Glass()), learner.ErrTraining,
		},
		"does not converge: try a smaller C": {
			1e308, uci.Glass(),
			fixture.Rows(uci.Glass()), learner.ErrTraining,
		},
	} {
		l := New(Config{C: c.c})
		_, err := l.Fit(c.table, c.rows, 1)
		require.ErrorIs(t, err, c.err, text)
		require.ErrorContains(t, err, text)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "logistic", New(Config{}).Name())
	assert.Equal(t, "logistic", New(Config{C: 1}).Name())
	assert.Equal(t, "logistic(c=0.25)", New(Config{C: 0.25}).Name())
}

func TestMisuseOfModels(t *testing.T) {
	t.Parallel()
	m := fit(t, 1, uci.Iris())
	assert.PanicsWithValue(t, "logistic: 2 probabilities for 3 classes",
		func() { m.Distribution(uci.Iris(), 0, make([]float64, 2)) })
	require.NoError(t, m.Close())
	assert.PanicsWithValue(t, "logistic: Distribution after Close",
		func() { m.Distribution(uci.Iris(), 0, make([]float64, 3)) })
}
