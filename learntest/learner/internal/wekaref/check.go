package wekaref

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// maxReports limits the differences that Check spells out.
const maxReports = 5

// Check trains c on each training set of the reference, in Weka's order, and
// classifies the test rows in Weka's order. name is the learner's name in the
// reference. It returns an error that counts the predictions that differ and
// the distributions that differ by more than tol in a class, and spells out
// the first few; tol < 0 leaves the distributions out.
func (s *Set) Check(name string, c learner.Classifier, t *dataset.Table, tol float64) error {
	var reports []error
	labels, labelsOff, dists, distsOff := 0, 0, 0, 0
	report := func(format string, args ...any) {
		if len(reports) < maxReports {
			reports = append(reports, fmt.Errorf(format, args...))
		}
	}
	dist := make([]float64, t.NumClasses())
	for i := range s.Folds {
		f := &s.Folds[i]
		want, ok := f.Predicted[name]
		if !ok {
			return fmt.Errorf("%s: no predictions of %q in the reference", s.Name, name)
		}
		m, err := c.Fit(t, f.Train, 1)
		if err != nil {
			return fmt.Errorf("%s: run %d fold %d: %w", s.Name, f.Run, f.Fold, err)
		}
		for k, row := range f.Test {
			if got := t.Class(row); got != f.Actual[k] {
				return errors.Join(fmt.Errorf("%s: row %d has class %d, Weka read %d", s.Name, row, got, f.Actual[k]), m.Close())
			}
			m.Distribution(t, row, dist)
			labels++
			if got := learner.Best(dist); got != want[k] {
				labelsOff++
				report("%s: run %d fold %d row %d: predicted %d, Weka %d; distribution %v", s.Name, f.Run, f.Fold, row, got, want[k], dist)
			}
			if tol < 0 || f.Distributions[name] == nil {
				continue
			}
			dists++
			if err := floatcmp.Slices(dist, f.Distributions[name][k], tol, 0); err != nil {
				distsOff++
				report("%s: run %d fold %d row %d: distribution: %w", s.Name, f.Run, f.Fold, row, err)
			}
		}
		if err := m.Close(); err != nil {
			return err
		}
	}
	if labels == 0 || tol >= 0 && dists == 0 {
		return fmt.Errorf("%s: nothing to compare (%d predictions, %d distributions)", s.Name, labels, dists)
	}
	if labelsOff+distsOff > 0 {
		return fmt.Errorf("%s: %s differs from Weka in %d of %d predictions and %d of %d distributions:\n%w",
			s.Name, c.Name(), labelsOff, labels, distsOff, dists, errors.Join(reports...))
	}
	return nil
}
