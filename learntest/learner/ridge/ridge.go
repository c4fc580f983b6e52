// Package ridge is linear regression by least squares with an L2 penalty.
//
// Numeric attributes are scaled by their mean and standard deviation in the training rows; a
// nominal attribute becomes one column of zeros and ones for each value that occurs there, and a
// missing value a column of its own, in which case a number is the mean. With x_i the columns of
// row i, y_i its target and w_i its weight, training minimises
//
//	Σ w_i (y_i − b − β·x_i)² + α |β|²
//
// The intercept b has no penalty. This is what scikit-learn's Ridge minimises behind a
// StandardScaler and a OneHotEncoder. The solution is unique, however many columns there are. The
// method of conjugate gradients finds it, so that no matrix of all pairs of columns is needed. A
// value that training has never seen has the coefficient 0.
//
// Hoerl and Kennard, Ridge Regression: Biased Estimation for Nonorthogonal Problems, Technometrics
// 12, 1970.
package ridge

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/linear"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// ErrConfig is wrapped by the error of a Fit whose regressor has impossible
// parameters.
var ErrConfig = errors.New("impossible parameters")

// Config holds the parameters. The zero value has scikit-learn's defaults.
type Config struct {
	// Alpha is the strength of the penalty. If zero, 1; without a penalty, see package ols.
	Alpha float64
}

// A Regressor is ridge regression with its parameters. It must be made by [New].
type Regressor struct{ alpha float64 }

var _ learner.Regressor = (*Regressor)(nil)

// New returns ridge regression. Impossible parameters are an error of Fit.
func New(cfg Config) *Regressor {
	if cfg.Alpha == 0 {
		cfg.Alpha = 1
	}
	return &Regressor{cfg.Alpha}
}

// Name returns "ridge", or as in "ridge(alpha=0.1)".
func (r *Regressor) Name() string {
	if r.alpha == 1 {
		return "ridge"
	}
	return "ridge(alpha=" + strconv.FormatFloat(r.alpha, 'g', -1, 64) + ")"
}

// Fit trains on the rows whose target is known. It draws no random numbers.
//
// The error wraps [ErrConfig] if alpha is not a positive number. It wraps
// [learner.ErrTraining] if the table has no numeric target, a row is out of range, no training
// row has a known target, numbers are too large, or the method does not converge, as it may for an
// alpha near zero.
func (r *Regressor) Fit(t *dataset.Table, rows []int, _ uint64) (learner.NumericModel, error) {
	if !(r.alpha > 0 && r.alpha <= math.MaxFloat64) {
		return nil, fmt.Errorf("%w: alpha = %v, want a positive number", ErrConfig, r.alpha)
	}
	known, err := trainset.Targets([]int32(nil), t, rows)
	if err != nil {
		return nil, err
	}
	m := &model{}
	if err := m.fit(t, known, r.alpha); err != nil {
		return nil, fmt.Errorf("%w on %q: %w", learner.ErrTraining, t.Name(), err)
	}
	return m, nil
}

// A model predicts mean + span·β·(x − center).
type model struct {
	design     linear.Design
	mean, span float64
	beta       []float64
	shift      float64 // β·center
}

// exact is the size of the residual at the end, as a share of the residual of β = 0.
const exact = 1e-13

var (
	errLarge    = errors.New("its numbers are too large: divide them first")
	errDiverges = errors.New("ridge regression does not converge: choose a greater alpha, or ols")
)

func (m *model) fit(t *dataset.Table, rows []int32, alpha float64) error {
	if err := m.design.Train(t, rows, "ridge"); err != nil {
		return err
	}
	weights, total := make([]float64, len(rows)), 0.0
	for i, r := range rows {
		weights[i] = 1
		if w := t.Weights(); w != nil {
			weights[i] = w[r]
		}
		total += weights[i]
	}
	ys := m.takeTargets(t, rows, weights, total)
	if !(m.span <= math.MaxFloat64) {
		return errLarge
	}
	m.beta = make([]float64, m.design.Columns)
	if m.span == 0 || len(m.beta) == 0 {
		return nil
	}
	e := newEquations(&m.design, weights, total, alpha, ys)
	if !e.solve(m.beta) {
		return errDiverges
	}
	m.shift = linear.Dot(m.beta, e.center)
	return nil
}

// takeTargets sets the mean of the targets and the greatest distance from it, and returns the
// targets relative to both.
func (m *model) takeTargets(t *dataset.Table, rows []int32, weights []float64,
	total float64,
) []float64 {
	for i, r := range rows {
		m.mean += float64(weights[i] / total * t.Target(int(r)))
	}
	for _, r := range rows {
		m.span = max(m.span, math.Abs(t.Target(int(r))-m.mean))
	}
	ys := make([]float64, len(rows))
	if m.span > 0 {
		for i, r := range rows {
			ys[i] = (t.Target(int(r)) - m.mean) / m.span
		}
	}
	return ys
}

// Value predicts the target of a row. It panics if the table's attributes are not those trained on.
func (m *model) Value(t *dataset.Table, row int) (float64, error) {
	x := m.design.Encode(t, row, "ridge")
	y := m.mean + float64(m.span*(x.Dot(m.beta)-m.shift))
	if math.IsInf(y, 0) || math.IsNaN(y) {
		return 0, fmt.Errorf("%w: table %q: row %d is too far from the training rows",
			dataset.ErrEncoding, t.Name(), row)
	}
	return y, nil
}

// Close does nothing.
func (m *model) Close() error { return nil }
