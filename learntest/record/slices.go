package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// CopiesSlice is the name of the slice of test examples with a copy in the training set of their
// trial, whose members differ from run to run.
const CopiesSlice = "copy in training"

// A Slice is a part of the examples of a data set, such as the patients of one clinic.
type Slice struct {
	Name    string // as in "clinic=A"; without braces
	Members int    // examples of the data set that belong to it, at least 1
	Digest  string // 8 hexadecimal digits that tell these examples from others
}

// NewSlice returns the slice of some examples, given in ascending order. Sets, if not nil, has a
// number for the set of equal examples that each example of the data belongs to, or -1: members are
// then the test examples that equal one of their training examples.
func NewSlice(name string, members, sets []int) Slice {
	text := make([]byte, 0, 6*(len(members)+len(sets)))
	for _, i := range members {
		text = append(strconv.AppendInt(text, int64(i), 10), '\n')
	}
	for _, set := range sets {
		text = append(strconv.AppendInt(text, int64(set), 10), ' ')
	}
	sum := sha256.Sum256(text)
	return Slice{Name: name, Members: len(members), Digest: hex.EncodeToString(sum[:4])}
}

// SliceSum returns the value of a metric of a slice in a cell, given the mean over the n members
// that are tested there, and the number of all members: see [SliceUnits].
func SliceSum(mean float64, n, members int, scale float64) float64 {
	return float64(scale / float64(members) * float64(float64(n)*mean))
}

// sliceCount returns the name of the column with the number of a slice's members in each test set.
func sliceCount(slice string) string { return unit.OfSlice(unitMembers, slice) }

// unitMembers stands for a metric in the name of the column. No metric of that name has slices.
const unitMembers = "n"

// SliceUnits returns the columns of slices, given the metrics that have values on slices: of each
// slice the number of members in each test set, and then for each metric the sum over these, times
// scale over the number of all members. With as many folds for a scale, the mean over the folds
// of a run is the score of the slice.
func SliceUnits(of []Slice, metrics []unit.Unit, scale float64) []unit.Unit {
	if len(metrics) == 0 {
		return nil
	}
	var units []unit.Unit
	for _, s := range of {
		units = append(units, unit.Unit{
			Name: sliceCount(s.Name), Better: unit.Higher, Min: 0,
			Max: math.Inf(1),
		})
		for _, u := range metrics {
			units = append(units, unit.Unit{
				Name: unit.OfSlice(u.Name, s.Name), Better: u.Better, Min: min(0, scale*u.Min),
				Max: max(0, scale*u.Max),
			})
		}
	}
	return units
}

// SetSlices sets Header.Slices, a list of NAME MEMBERS DIGEST with names escaped as the names of
// units.
func (h *Header) SetSlices(of []Slice) {
	var b []byte
	for i, s := range of {
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendName(b, s.Name, "")
		b = strconv.AppendInt(append(b, ' '), int64(s.Members), 10)
		b = append(append(b, ' '), s.Digest...)
	}
	h.Slices = string(b)
}

// SliceList returns the slices of the header.
func (h *Header) SliceList() []Slice {
	of, err := parseSlices(h.Slices)
	if err != nil {
		return nil
	}
	return of
}

// sliceNamed returns one of several slices.
func sliceNamed(of []Slice, name string) (Slice, bool) {
	i := slices.IndexFunc(of, func(s Slice) bool { return s.Name == name })
	if i < 0 {
		return Slice{}, false
	}
	return of[i], true
}

func parseSlices(text string) ([]Slice, error) {
	fields := strings.Fields(text)
	if len(fields)%3 != 0 {
		return nil, fmt.Errorf("%d words are no list of slices with their members and digests",
			len(fields))
	}
	var of []Slice
	for ; len(fields) > 0; fields = fields[3:] {
		s := Slice{Digest: fields[2]}
		var err error
		if s.Name, err = unescapeName(fields[0]); err != nil {
			return nil, err
		}
		var ok bool
		if s.Members, ok = parseCount(fields[1]); !ok {
			return nil, fmt.Errorf("slice %s has %q members", s.Name, fields[1])
		}
		switch {
		case s.Name == "" || unit.HasBraces(s.Name):
			return nil, fmt.Errorf("a slice is called %q", s.Name)
		case len(s.Digest) != 8 || strings.Trim(s.Digest, hexDigits) != "":
			return nil, fmt.Errorf("slice %s has the digest %q", s.Name, s.Digest)
		case slices.ContainsFunc(of, func(have Slice) bool { return have.Name == s.Name }):
			return nil, fmt.Errorf("slice %s is there twice", s.Name)
		}
		of = append(of, s)
	}
	return of, nil
}

func checkSlices(text string) error {
	_, err := parseSlices(text)
	return err
}

// withoutSlices returns the units of metrics, without the units of slices, which come after them.
// It returns an error for units of slices that the header lacks, and for slices without units.
func withoutSlices(units []unit.Unit, of []Slice) (metrics []unit.Unit, err error) {
	n := slices.IndexFunc(units, func(u unit.Unit) bool { return unit.HasBraces(u.Name) })
	if n < 0 {
		n = len(units)
	}
	metrics = units[:n:n]
	counted := make(map[string]bool)
	for _, u := range units[n:] {
		metric, slice := unit.CutSlice(u.Name)
		_, known := sliceNamed(of, slice)
		switch {
		case unit.OfSlice(metric, slice) != u.Name || slice == "":
			return nil, fmt.Errorf("unit %q: braces are for metrics of slices, as in accuracy{clinic=A}, which come after the metrics", u.Name)
		case !known:
			return nil, fmt.Errorf("unit %q is of a slice that the head does not have under the key %s",
				u.Name, keySlices)
		case metric == unitMembers:
			counted[slice] = true
		case !counted[slice]:
			return nil, fmt.Errorf("unit %q stands before the numbers of its members, %s", u.Name,
				sliceCount(slice))
		case !slices.ContainsFunc(metrics, func(u unit.Unit) bool { return u.Name == metric }):
			return nil, fmt.Errorf("unit %q is of a metric that is not there for all examples", u.Name)
		}
	}
	for _, s := range of {
		if !counted[s.Name] {
			return nil, fmt.Errorf("slice %s has no numbers of members: there is no unit %q", s.Name,
				sliceCount(s.Name))
		}
	}
	return metrics, nil
}
