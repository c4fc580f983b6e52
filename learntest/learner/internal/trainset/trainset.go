// Package trainset prepares a table and its training rows for learners: the rows whose class
// is known, the ranks of numeric values, the columns that a model finds again in other tables,
// and values derived from a table once for all training sets drawn from it.
package trainset

import (
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// Known appends to dst the given rows of t whose class is known, in the order given, and
// returns it. Rows may occur more than once.
//
// The error wraps [learner.ErrTraining]. It names the first row that the
// table does not have, or says that there is no nominal class, no declared
// class value or no row whose class is known.
func Known(dst []int32, t *dataset.Table, rows []int) ([]int32, error) {
	if t == nil {
		return nil, fmt.Errorf("%w: no table", learner.ErrTraining)
	}
	class := t.ClassIndex()
	switch {
	case class < 0:
		return nil, fmt.Errorf("%w on %q: the table has no class", learner.ErrTraining, t.Name())
	case t.Attribute(class).Kind != dataset.Nominal:
		return nil, fmt.Errorf("%w on %q: the class %q is not nominal", learner.ErrTraining, t.Name(),
			t.Attribute(class).Name)
	case t.NumClasses() == 0:
		return nil, fmt.Errorf("%w on %q: the class %q declares no values", learner.ErrTraining, t.Name(),
			t.Attribute(class).Name)
	}
	codes := t.Codes(class)
	dst = slices.Grow(dst, len(rows))
	for i, r := range rows {
		if uint(r) >= uint(len(codes)) {
			return nil, fmt.Errorf("%w on %q: rows[%d] is %d, the table has %d rows", learner.ErrTraining,
				t.Name(), i, r, len(codes))
		}
		if codes[r] >= 0 {
			dst = append(dst, int32(r))
		}
	}
	if len(dst) == 0 {
		return nil, fmt.Errorf("%w on %q: no row with a known class among %d", learner.ErrTraining,
			t.Name(), len(rows))
	}
	return dst, nil
}

// Targets appends to dst the given rows of t whose numeric target is known, in the order given, and
// returns it. Rows may occur more than once.
//
// The error wraps [learner.ErrTraining]. It names the first row that the table does not have, or
// says that there is no numeric target, or no row whose target is known.
func Targets[R int | int32](dst []R, t *dataset.Table, rows []int) ([]R, error) {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: table %q: %w", learner.ErrTraining, t.Name(), fmt.Errorf(format, args...))
	}
	target := t.ClassIndex()
	if target < 0 || t.Attribute(target).Kind != dataset.Numeric {
		return nil, fail("it has no numeric target")
	}
	dst = slices.Grow(dst, len(rows))
	for _, i := range rows {
		if i < 0 || i >= t.Len() {
			return nil, fail("it has %d rows, no row %d", t.Len(), i)
		}
		if !math.IsNaN(t.Target(i)) {
			dst = append(dst, R(i))
		}
	}
	if len(dst) == 0 {
		return nil, fail("the target of all training rows is missing")
	}
	return dst, nil
}
