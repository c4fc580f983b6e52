// Package ols is linear regression by ordinary least squares. It is a package
// of its own so that nothing else links gonum's linear algebra.
//
// Nominal attributes become one column for each declared value, numeric ones are
// scaled by their mean and standard deviation in the training rows, and all columns are
// centred, which stands for the intercept. Of all coefficients β that minimise
//
//	Σ w_i (y_i − ȳ − β·(x_i − x̄))²
//
// it takes the coefficients of the least norm, found by the singular value decomposition of
// the weighted rows: the columns of a nominal attribute sum to 1, so that there is no unique
// solution. Singular values below max(rows, columns)·2⁻⁵² of the greatest count as zero. A
// value that training has never seen has the coefficient 0, the mean of the coefficients of
// the values that it has seen.
//
// Golub and Van Loan, Matrix Computations, 4th edition, 2013, section 5.5.
//
// Predictions agree between architectures to within rounding; the predictions of the other
// learners agree to the last bit.
package ols

import (
	"errors"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// Config holds the parameters. The zero value is usable.
type Config struct {
	// Missing says what becomes of missing values. If zero, they are an error;
	// dataset.MissingIndicator adds a column that tells them from others.
	// dataset.MissingNaN is refused.
	Missing dataset.Missing
}

// A Regressor is least squares with its parameters. It must be made by [New].
type Regressor struct{ cfg Config }

var _ learner.Regressor = (*Regressor)(nil)

// New returns linear regression by least squares.
func New(cfg Config) *Regressor { return &Regressor{cfg} }

// Name returns "ols" or "ols(missing=indicator)".
func (r *Regressor) Name() string {
	if r.cfg.Missing == dataset.MissingIndicator {
		return "ols(missing=indicator)"
	}
	return "ols"
}

// Fit trains on the rows whose target is known. The error wraps
// learner.ErrTraining if the table has no numeric target, no training row has a
// known one, or the numbers are too large, and dataset.ErrEncoding if the attributes cannot
// become numbers.
func (r *Regressor) Fit(t *dataset.Table, rows []int, _ uint64) (learner.NumericModel, error) {
	if r.cfg.Missing == dataset.MissingNaN {
		return nil, fmt.Errorf("%w: ols cannot learn from NaN: choose dataset.MissingIndicator, learn with ridge, or leave rows with missing values out", learner.ErrTraining)
	}
	known, err := trainset.Targets([]int(nil), t, rows)
	if err != nil {
		return nil, err
	}
	e, err := dataset.Encoding{OneHot: true, Scale: true, Missing: r.cfg.Missing}.Fit(t, known)
	if err != nil {
		return nil, err
	}
	x, err := e.Matrix(t, known)
	if err != nil {
		return nil, err
	}
	m := &model{encoder: e}
	if err := m.fit(x, t, known); err != nil {
		return nil, fmt.Errorf("%w: table %q: %w", learner.ErrTraining, t.Name(), err)
	}
	return m, nil
}

// A model predicts y + beta·(x − center).
type model struct {
	encoder *dataset.Encoder
	row     []float64 // reused
	center  []float64
	y       float64
	beta    []float64
}

func (m *model) fit(x dataset.Matrix, t *dataset.Table, rows []int) error {
	weights := make([]float64, len(rows)) // as shares of the whole
	total := 0.0
	for k, i := range rows {
		weights[k] = 1
		if w := t.Weights(); w != nil {
			weights[k] = w[i]
		}
		total += weights[k]
	}
	m.center, m.beta = make([]float64, x.Cols), make([]float64, x.Cols)
	for k, i := range rows {
		weights[k] /= total
		m.y += float64(weights[k] * t.Target(i))
		for j, v := range x.Data[k*x.Cols : (k+1)*x.Cols] {
			m.center[j] += float64(weights[k] * v)
		}
	}
	a, b := mat.NewDense(x.Rows, x.Cols, x.Data), mat.NewDense(x.Rows, 1, nil)
	for k, i := range rows {
		root := math.Sqrt(weights[k])
		b.Set(k, 0, root*(t.Target(i)-m.y))
		row := a.RawRowView(k)
		for j, v := range row {
			row[j] = root * (v - m.center[j])
		}
	}
	if !finite(b) || !finite(a) {
		return errors.New("its numbers are too large: divide them first")
	}
	share := float64(max(x.Rows, x.Cols)) * 0x1p-52
	if x.Rows > 4*x.Cols {
		a, b = triangle(a, b)
	}
	return m.solve(a, b, share)
}

// solve sets beta, with singular values below a share of the greatest as zero.
func (m *model) solve(a, b *mat.Dense, share float64) error {
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return errors.New("the singular values did not converge: learn with ridge")
	}
	rank := svd.Rank(share)
	if rank == 0 || svd.Values(nil)[0] < tiny {
		return nil // all rows are alike
	}
	var beta mat.Dense
	svd.SolveTo(&beta, b, rank)
	mat.Col(m.beta, 0, &beta)
	if !finite(&beta) {
		return errors.New("its numbers are too large: divide them first")
	}
	return nil
}

// triangle returns R and Q'b of the QR decomposition of a, which have the same solutions as a and b:
// few rows instead of many. Block after block of rows is reduced together with the triangle of the
// blocks before, while it is in the cache.
func triangle(a, b *mat.Dense) (r, right *mat.Dense) {
	rows, columns := a.Dims()
	const block = 128
	n := columns + 1
	stack := blas64.General{Rows: n + block, Cols: n, Stride: n, Data: make([]float64, (n+block)*n)}
	tau, work := make([]float64, n), make([]float64, 1)
	lapack64.Geqrf(stack, tau, work, -1)
	work = make([]float64, int(work[0]))
	for from := 0; from < rows; from += block {
		k := min(block, rows-from)
		for i := range k {
			row := stack.Data[(n+i)*n : (n+i+1)*n]
			copy(row, a.RawRowView(from+i))
			row[columns] = b.At(from+i, 0)
		}
		stack.Rows = n + k
		lapack64.Geqrf(stack, tau, work, len(work))
		for i := 1; i < n; i++ {
			clear(stack.Data[i*n : i*n+i])
		}
	}
	r, right = mat.NewDense(columns, columns, nil), mat.NewDense(columns, 1, nil)
	for i := range columns {
		r.SetRow(i, stack.Data[i*n:i*n+columns])
		right.Set(i, 0, stack.Data[i*n+columns])
	}
	return r, right
}

// tiny is what the greatest singular value of scaled columns that are not all
// constant exceeds by far.
const tiny = 0x1p-40

func finite(m *mat.Dense) bool {
	rows, _ := m.Dims()
	for i := range rows {
		for _, v := range m.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	return true
}

// Value predicts the target of a row. The error wraps dataset.ErrEncoding.
func (m *model) Value(t *dataset.Table, row int) (float64, error) {
	var err error
	if m.row, err = m.encoder.AppendRow(m.row[:0], dataset.Row{Table: t, Index: row}); err != nil {
		return 0, err
	}
	y := m.y
	for j, v := range m.row {
		y += float64(m.beta[j] * (v - m.center[j]))
	}
	return y, nil
}

// Close does nothing.
func (m *model) Close() error { return nil }
