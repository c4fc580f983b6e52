package learntest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
)

// A source is a data set made ready for trials: labels as numbers.
type source[X any, Y comparable] struct {
	data   Data[X, Y]
	name   string
	digest string
	tables *tables  // that the examples are rows of; nil if they are something else
	table  *tabular // that is made of the examples

	// Of classification; classes is nil in regression.
	classes    []Y
	classNames []string
	classIndex map[Y]int
	truth      []int

	values []float64 // of regression

	groups []int
}

func newSource[X any, Y comparable](d Data[X, Y]) (*source[X, Y], error) {
	s := &source[X, Y]{data: d, name: d.Name(), table: new(tabular)}
	if err := s.read(); err != nil {
		return nil, fmt.Errorf("%w: data set %q: %w", dataset.ErrUnusable, s.name, err)
	}
	return s, nil
}

func (s *source[X, Y]) read() error {
	if s.name == "" {
		return errors.New("it has no name")
	}
	if c, ok := s.data.(interface{ check() error }); ok {
		if err := c.check(); err != nil {
			return err
		}
	}
	if s.data.Len() == 0 {
		return errors.New("no examples")
	}
	var err error
	if s.tables, err = readTables(s.data); err != nil {
		return err
	}
	switch class, ok := s.tables.declared(); {
	case isFloat(*new(Y)):
		err = s.readValues()
	case ok:
		err = s.readDeclared(class.Values)
	default:
		err = s.readClasses()
	}
	if err != nil {
		return err
	}
	if g, ok := s.data.(interface{ Groups() []string }); ok {
		s.groups = codes(g.Groups())
	}
	s.digest, err = s.data.Digest()
	if err == nil && (len(s.digest) != 64 || strings.Trim(s.digest, "0123456789abcdef") != "") {
		err = fmt.Errorf("its digest is %q, not a SHA-256 in hexadecimal: dataset.DigestOf makes one of any values, such as the version of the data", s.digest)
	}
	if err != nil {
		return err
	}
	return s.varied()
}

// readDeclared takes labels that are indices of declared classes.
func (s *source[X, Y]) readDeclared(names []string) error {
	s.classNames = names
	s.classes = make([]Y, len(names))
	for c := range s.classes {
		s.classes[c] = any(c).(Y)
	}
	s.indexClasses()
	s.truth = make([]int, s.data.Len())
	for i := range s.truth {
		if s.truth[i] = any(s.data.Label(i)).(int); s.truth[i] < 0 {
			return fmt.Errorf("row %d has no class: leave it out", i)
		}
	}
	return nil
}

func (s *source[X, Y]) readValues() error {
	s.values = make([]float64, s.data.Len())
	for i := range s.values {
		s.values[i] = toFloat(s.data.Label(i))
		if math.IsNaN(s.values[i]) || math.IsInf(s.values[i], 0) {
			return fmt.Errorf("label of example %d is %v; convert labels to strings if they are classes",
				i, s.values[i])
		}
	}
	return nil
}

func (s *source[X, Y]) readClasses() error {
	seen := make(map[Y]bool)
	for i := range s.data.Len() {
		if y := s.data.Label(i); !seen[y] {
			if y != y {
				return fmt.Errorf("label of example %d does not equal itself", i)
			}
			seen[y] = true
			s.classes = append(s.classes, y)
		}
	}
	if err := checkClasses(s.classes, s.data.Len()); err != nil {
		return err
	}
	sortLabels(s.classes)
	s.classNames = make([]string, len(s.classes))
	for c, y := range s.classes {
		s.classNames[c] = fmt.Sprint(y)
	}
	s.indexClasses()
	s.truth = make([]int, s.data.Len())
	for i := range s.truth {
		s.truth[i] = s.classIndex[s.data.Label(i)]
	}
	return nil
}

// varied returns an error if all labels are equal: every learner would be right, and no comparison
// could show a difference.
func (s *source[X, Y]) varied() error {
	same, label := true, ""
	if s.classification() {
		label = s.classNames[s.truth[0]]
		for _, c := range s.truth {
			same = same && c == s.truth[0]
		}
	} else {
		label = fmt.Sprint(s.values[0])
		for _, y := range s.values {
			same = same && y == s.values[0]
		}
	}
	if !same {
		return nil
	}
	return fmt.Errorf("the label of all %d examples is %s, so that there is nothing to learn: are the labels read from the right place?", s.data.Len(), label)
}

// checkClasses returns an error for labels that look like numbers to be predicted.
func checkClasses[Y comparable](classes []Y, n int) error {
	const many = 20
	k := reflect.TypeFor[Y]().Kind()
	if k < reflect.Int || k > reflect.Uint64 || len(classes) <= many || len(classes)*10 <= n {
		return nil
	}
	return fmt.Errorf("%d different labels of type %v on %d examples: convert them to float64 if they are numbers to be predicted, to strings if they are classes",
		len(classes), reflect.TypeFor[Y](), n)
}

// current returns the present digest of the examples.
func (s *source[X, Y]) current() (string, error) {
	for _, ts := range []*tables{s.tables, s.table.made()} {
		if now := ts.changed(); now != "" {
			return now, nil
		}
	}
	return s.data.Digest()
}

func (s *source[X, Y]) indexClasses() {
	s.classIndex = make(map[Y]int, len(s.classes))
	for c, y := range s.classes {
		s.classIndex[y] = c
	}
}

// class returns the index of a label, or -1 if it is none of the classes.
func (s *source[X, Y]) class(y Y) int {
	if len(s.classes) <= 8 { // faster than hashing
		return slices.Index(s.classes, y)
	}
	if c, ok := s.classIndex[y]; ok {
		return c
	}
	return -1
}

func (s *source[X, Y]) classification() bool { return s.classes != nil }

func (s *source[X, Y]) examples() split.Examples {
	return split.Examples{N: s.data.Len(), Class: s.truth, Group: s.groups}
}

// planError says what to do about data that a protocol does not fit.
func (s *source[X, Y]) planError(err error) error {
	if errors.Is(err, split.ErrExamples) && s.groups == nil {
		return fmt.Errorf("data set %q: %w: ReadOptions.Group reads groups from a file, Table.WithGroups and ExampleSet.WithGroups add them", s.name, err)
	}
	return fmt.Errorf("data set %q: %w", s.name, err)
}
