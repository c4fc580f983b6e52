package record

import (
	"fmt"
	"slices"
)

// A Direction says whether greater values of a metric are better or worse.
type Direction int8

// The directions. The zero value is invalid, so that a metric whose direction
// was forgotten is never judged.
const (
	Higher Direction = 1  // greater is better
	Lower  Direction = -1 // smaller is better
)

// String returns "higher" or "lower".
func (d Direction) String() string {
	switch d {
	case Higher:
		return "higher"
	case Lower:
		return "lower"
	}
	return fmt.Sprintf("Direction(%d)", int8(d))
}

// A Unit describes a metric: the unit under which its values are stored.
type Unit struct {
	Name     string    // as in "accuracy"; any text but the empty one and those that the format reserves
	Better   Direction // never 0
	Min, Max float64   // range of possible values, ±Inf where unbounded
}

// A Value is a number with the name of its unit.
type Value struct {
	Unit  string
	Value float64
}

// A Trial is the outcome of training one learner on one fold of one run and
// testing it on the rest. Runs and folds are counted from 1.
type Trial struct {
	Data, Learner string
	Run, Fold     int
	TrainN, TestN int     // numbers of training and test examples
	Values        []Value // one for each metric, in the order of Set.Units
	FitSeconds    float64
	PredictSec    float64 // seconds for all test examples
	Err           string  // why the trial failed, as returned by [Cause]; Values is empty then
	Pos           Pos     // where the trial was read, if it was
}

// Cell returns the place of the trial in its plan.
func (t *Trial) Cell() Cell {
	return Cell{t.Data, t.Learner, t.Run, t.Fold}
}

// A Cell is the place of a trial in a plan.
type Cell struct {
	Data, Learner string
	Run, Fold     int
}

// String returns the cell in words.
func (c Cell) String() string {
	return fmt.Sprintf("data set %s, learner %s, run %d, fold %d", c.Data, c.Learner, c.Run, c.Fold)
}

// A Pos is a position in a file. The zero Pos is none.
type Pos struct {
	File string
	Line int
}

// String returns "file:line", or "" for the zero Pos.
func (p Pos) String() string {
	if p == (Pos{}) {
		return ""
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// A Header holds what all trials of a [Set] have in common.
type Header struct {
	Pkg         string // import path of the code under test
	Commit      string // version control revision of the code under test
	Protocol    string // canonical text form of the split.Protocol
	DataDigest  string // hex SHA-256 of the data set
	SplitDigest string // hex SHA-256 of all partitions of the protocol
	Runs        int    // runs of the plan: those of the protocol times the repeats
	Folds       int    // folds of each run
	Repeats     int    // times that the protocol's runs were repeated; 0 means once
	Reproduce   string // command that reproduces the trials
	Determinism string // outcomes of the determinism probes: see Header.DeterminismOf
	Toolchain   string // Go version, operating system and architecture
}

// A Set holds the trials of one data set under one protocol: all that were
// planned, or those of a shard.
type Set struct {
	Header Header

	// Learners are the names of all learners of the plan, in the order in
	// which results are presented. If nil, they are those of the trials, in
	// the order of their first appearance.
	Learners []string

	Units  []Unit
	Trials []Trial
}

// data returns the name of the set's data set.
func (s *Set) data() string {
	if len(s.Trials) == 0 {
		return ""
	}
	return s.Trials[0].Data
}

// learners returns the learners of the plan.
func (s *Set) learners() []string {
	if s.Learners != nil {
		return s.Learners
	}
	var names []string
	seen := make(map[string]bool)
	for i := range s.Trials {
		if name := s.Trials[i].Learner; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// A File is the content of one or more result files.
type File struct {
	Sets []Set
}

// DataSets returns the names of the data sets, in the order of their first
// appearance.
func (f *File) DataSets() []string {
	var names []string
	for i := range f.Sets {
		if s := &f.Sets[i]; len(s.Trials) > 0 && !slices.Contains(names, s.data()) {
			names = append(names, s.data())
		}
	}
	return names
}

// Learners returns the names of the learners of the plans on a data set, in
// the order of their first appearance.
func (f *File) Learners(data string) []string {
	var names []string
	for i := range f.Sets {
		s := &f.Sets[i]
		if len(s.Trials) == 0 || s.data() != data {
			continue
		}
		for _, name := range s.learners() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Units returns the metrics of all sets, in the order of their first
// appearance.
func (f *File) Units() []Unit {
	var units []Unit
	for i := range f.Sets {
		for _, u := range f.Sets[i].Units {
			if !slices.ContainsFunc(units, func(v Unit) bool { return v.Name == u.Name }) {
				units = append(units, u)
			}
		}
	}
	return units
}

// Failures returns the trials that failed, in the order of the file.
func (f *File) Failures() []Trial {
	var failed []Trial
	for i := range f.Sets {
		for _, t := range f.Sets[i].Trials {
			if t.Err != "" {
				failed = append(failed, t)
			}
		}
	}
	return failed
}
