package record

import (
	"math"
	"strconv"
	"strings"
)

// comparable returns an error of the given kind unless the scores are of the
// same partitions of the same data, and in the same unit.
func (s *scores) comparable(o *scores, kind error) error {
	mismatch := &MismatchError{Err: kind, WhereA: s.where, WhereB: o.where}
	differ := func(what, a, b string) bool {
		mismatch.What, mismatch.A, mismatch.B = what, a, b
		return a != b
	}
	if differ("data set", s.data, o.data) {
		return mismatch
	}
	for _, name := range [...]string{"data-sha256", "protocol", "runs", "folds", "split-sha256"} {
		if k, ok := findKey(name); ok && differ(name, k.get(&s.header), k.get(&o.header)) {
			return mismatch
		}
	}
	if differ("unit", string(appendUnit(nil, s.unit)), string(appendUnit(nil, o.unit))) {
		return mismatch
	}
	for i := range s.values {
		if differ(unitTrain, strconv.Itoa(s.trainN[i]), strconv.Itoa(o.trainN[i])) ||
			differ(unitTest, strconv.Itoa(s.testN[i]), strconv.Itoa(o.testN[i])) {
			mismatch.Cell = s.cell(i)
			return mismatch
		}
	}
	return nil
}

// equal returns an error unless the comparable scores of one learner in two
// experiments are the same.
func (s *scores) equal(o *scores) error {
	for i, x := range s.values {
		if math.Float64bits(x) != math.Float64bits(o.values[i]) {
			return &MismatchError{
				Err: ErrAmbiguous, What: s.unit.Name, Cell: s.cell(i),
				WhereA: s.where, WhereB: o.where,
				A: string(appendFloat(nil, x)), B: string(appendFloat(nil, o.values[i])),
			}
		}
	}
	return nil
}

// cell returns the cell of the i-th score.
func (s *scores) cell(i int) *Cell {
	return &Cell{s.data, s.learner, i/s.header.Folds + 1, i%s.header.Folds + 1}
}

// others names the learners that a learner is in an experiment with.
func others(e *File, learner string) string {
	var names []string
	for _, name := range e.Sets[0].learners() {
		if name != learner {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "no other"
	}
	return strings.Join(names, ", ")
}
