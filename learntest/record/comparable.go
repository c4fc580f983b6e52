package record

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/split"
)

// comparable returns an error of the given kind unless the first n scores are of
// the same partitions of the same data, and in the same unit.
func (s *scores) comparable(o *scores, n int, kind error) error {
	mismatch := &MismatchError{Err: kind, WhereA: s.where, WhereB: o.where}
	differ := func(what, a, b string) bool {
		mismatch.What, mismatch.A, mismatch.B = what, a, b
		return a != b
	}
	if s.block.items != nil && o.block.items != nil {
		if differ("data set", s.data, o.data) {
			return mismatch
		}
		if !s.common || !o.common {
			if err := itemsDiffer(s, o, kind); err != nil {
				return err
			}
		}
		n = 0 // repeats may differ in number
	} else if differ("data set", s.data, o.data) ||
		differ(dataDigest, s.header.DataDigest, o.header.DataDigest) ||
		differ("protocol", s.header.Protocol, o.header.Protocol) &&
			!predefinedAlike(s.header, o.header) ||
		differ(splitDigest, s.header.SplitDigest, o.header.SplitDigest) ||
		differ("number of folds", strconv.Itoa(s.folds), strconv.Itoa(o.folds)) {
		return mismatch
	}
	if s.unit != o.unit && differ("unit", string(appendUnit(nil, s.unit)),
		string(appendUnit(nil, o.unit))) {
		return mismatch
	}
	if name := s.unit.Name; otherFormula(s.header, o.header, name) {
		differ(formulaOf+name, s.header.FormulaOf(name), o.header.FormulaOf(name))
		return mismatch
	}
	for i := range n {
		if s.trainN[i] == o.trainN[i] && s.testN[i] == o.testN[i] {
			continue
		}
		mismatch.Cell = s.cell(i)
		if !differ(unitTrain, strconv.Itoa(int(s.trainN[i])), strconv.Itoa(int(o.trainN[i]))) {
			differ(unitTest, strconv.Itoa(int(s.testN[i])), strconv.Itoa(int(o.testN[i])))
		}
		return mismatch
	}
	return nil
}

// predefinedAlike reports whether two protocols are of predefined partitions, and differ in nothing
// but which these are.
func predefinedAlike(a, b *Header) bool {
	const digest = "sha256"
	x, y := split.SettingOf(a.Protocol, digest), split.SettingOf(b.Protocol, digest)
	return split.KindOf(a.Protocol) == "predefined" && x != "" && y != "" &&
		a.SplitDigest != b.SplitDigest &&
		strings.Replace(a.Protocol, x, y, 1) == b.Protocol
}

// agrees returns an error unless the scores of one learner in two experiments
// are equal, as far as both have them.
func (s *scores) agrees(o *scores) error {
	if s.runs != o.runs {
		return &MismatchError{
			ErrAmbiguous, "number of runs", nil, s.where, o.where, strconv.Itoa(s.runs),
			strconv.Itoa(o.runs),
		}
	}
	if err := s.comparable(o, s.runs*s.folds, ErrAmbiguous); err != nil {
		return err
	}
	if !slices.Equal(s.members, o.members) {
		return fmt.Errorf("%w: %s and %s: a slice of one name is of other items", ErrAmbiguous,
			s.where, o.where)
	}
	for i := range min(len(s.values), len(o.values)) {
		if x := s.values[i]; math.Float64bits(x) != math.Float64bits(o.values[i]) {
			return &MismatchError{
				Err: ErrAmbiguous, What: s.unit.Name, Cell: s.cell(i),
				WhereA: s.where, WhereB: o.where,
				A: scoreText(x), B: scoreText(o.values[i]),
			}
		}
	}
	for i := range min(len(s.right), len(o.right)) {
		if x, y := s.right[i], o.right[i]; x != y {
			return &MismatchError{
				ErrAmbiguous, fmt.Sprintf("%s of example %d", keyRight, i), nil, s.where,
				o.where, strconv.Itoa(x), strconv.Itoa(y),
			}
		}
	}
	return nil
}
