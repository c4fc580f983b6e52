package record

import (
	"errors"
	"fmt"
)

// Check returns an error unless the results are complete and consistent: every
// cell of the plan of every experiment (see [File.Experiments]) has exactly one
// trial, all blocks of an experiment agree, every data set has one digest in a
// package, and every plan on it one digest of its partitions.
//
// The error joins what is wrong with each experiment: a [*CellError] that wraps
// ErrIncomplete or ErrDouble, or what [File.Merged] returns. A trial that
// failed is there: see [File.Failures].
func (f *File) Check() error {
	if len(f.Sets) == 0 {
		return fmt.Errorf("%w: no results", ErrNotFound)
	}
	errs := []error{f.checkDigests()}
	for _, e := range f.Experiments() {
		s, err := mergeSets(e.Sets)
		if err == nil {
			err = s.checkCells()
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// checkDigests returns an error if one name stands for two data sets, or one
// plan for two series of partitions. Blocks of the same experiment are left to
// mergeSets.
func (f *File) checkDigests() error {
	type dataKey struct{ pkg, data string }
	type planKey struct {
		dataKey
		protocol    string
		runs, folds int
	}
	data := make(map[dataKey]*Set)
	plans := make(map[planKey]*Set)
	for i := range f.Sets {
		s := &f.Sets[i]
		h := &s.Header
		dk := dataKey{h.Pkg, s.data()}
		pk := planKey{dk, h.Protocol, h.Runs, h.Folds}
		if first, ok := data[dk]; !ok {
			data[dk] = s
		} else if first.Header.DataDigest != h.DataDigest && first.experimentKey() != s.experimentKey() {
			return &MismatchError{ErrMismatch, "data-sha256", nil, first.where(), s.where(), first.Header.DataDigest, h.DataDigest}
		}
		if first, ok := plans[pk]; !ok {
			plans[pk] = s
		} else if first.Header.SplitDigest != h.SplitDigest && first.experimentKey() != s.experimentKey() {
			return &MismatchError{ErrMismatch, "split-sha256", nil, first.where(), s.where(), first.Header.SplitDigest, h.SplitDigest}
		}
	}
	return nil
}

// A plan numbers the cells of the experiment of a merged set from 0, in the
// order of its trials.
type plan struct {
	header   *Header
	data     string
	learners []string
	index    map[string]int
}

func newPlan(s *Set, learners []string) plan {
	return plan{&s.Header, s.data(), learners, indexNames(learners)}
}

// size returns the number of cells.
func (p plan) size() int64 {
	return int64(p.header.Runs) * int64(p.header.Folds) * int64(len(p.learners))
}

// place returns the number of the trial's cell, or false if it is not in the
// plan.
func (p plan) place(t *Trial) (int64, bool) {
	i, ok := p.index[t.Learner]
	return (int64(t.Run-1)*int64(p.header.Folds)+int64(t.Fold-1))*int64(len(p.learners)) + int64(i), ok
}

// cell is the inverse of place.
func (p plan) cell(at int64) Cell {
	l, folds := int64(len(p.learners)), int64(p.header.Folds)
	return Cell{p.data, p.learners[at%l], int(at/l/folds) + 1, int(at/l%folds) + 1}
}

// check returns an error that names the cells that have no trial, or several.
// The trials are in canonical order; those of other learners are passed over.
func (p plan) check(trials []Trial) error {
	var missing, double CellError
	gap := func(from, to int64) {
		for at := from; at < to && at-from < maxListed; at++ {
			missing.add(p.cell(at), "")
		}
		missing.Total += max(0, to-from-maxListed)
	}
	next := int64(0)
	var last *Trial
	for i := range trials {
		t := &trials[i]
		at, ok := p.place(t)
		if !ok {
			continue
		}
		if at < next {
			double.add(t.Cell(), positions(last, t))
			continue
		}
		gap(next, at)
		next, last = at+1, t
	}
	gap(next, p.size())
	return errors.Join(missing.errorOrNil(ErrIncomplete), double.errorOrNil(ErrDouble))
}

func positions(a, b *Trial) string {
	if a.Pos == (Pos{}) && b.Pos == (Pos{}) {
		return ""
	}
	return fmt.Sprintf("%v and %v", a.Pos, b.Pos)
}

// checkCells checks all cells of a merged set.
func (s *Set) checkCells() error {
	return newPlan(s, s.Learners).check(s.Trials)
}
