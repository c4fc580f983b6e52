// Package report is what learnstat has found, as plain data: all formats are made from it,
// and only print. Its JSON form, described in the documentation of the command, is a format
// itself, from which all others can be made.
package report

import (
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Schema is the version of the JSON form. A change that would break a reader changes it.
const Schema = "learnstat/1"

// A Report is all that there is to print.
type Report struct {
	Schema   string    `json:"schema"`
	Status   int       `json:"status"` // the exit status
	Settings Settings  `json:"settings"`
	Columns  []Column  `json:"columns"`
	Header   []Line    `json:"header"`
	Data     []DataSet `json:"data"`
	Tables   []Table   `json:"tables"`
	History  *History  `json:"history,omitempty"` // in place of tables
	Notes    []string  `json:"notes"`             // below the tables
	Problems []string  `json:"problems"`          // why something could not be judged; they are on standard error
	Gate     Gate      `json:"gate"`
}

// Settings are the settings of all verdicts.
type Settings struct {
	Alpha    float64 `json:"alpha"`
	Test     string  `json:"test"`     // that was asked for; "" for the one that fits the protocol
	Tail     string  `json:"tail"`     // both, better or worse
	Adjust   string  `json:"adjust"`   // how p is adjusted for the comparisons of the report
	Shares   Shares  `json:"shares"`   // of the level
	Learners bool    `json:"learners"` // of one file are compared
	Verbose  bool    `json:"verbose"`  // the whole verdicts are shown
	Items    bool    `json:"items"`    // the changed items are listed
}

// Shares are the levels at which a gate on differences judges. They add up to the level of all,
// unless p is not adjusted.
type Shares struct {
	Rows float64 `json:"rows"`
	Over float64 `json:"over"` // of the tests over data sets; 0 if they are no part of the gate
}

// A Column is a file, or whatever the columns are.
type Column struct {
	Label string `json:"label"`
	Title string `json:"title"` // the label, with a commit where they differ
}

// A Line is a line above the tables: a value that the results share, or a value of some columns
// only.
type Line struct {
	Key   string   `json:"key"`
	Value string   `json:"value"`
	Of    []string `json:"of,omitempty"` // empty if it is of all
}

// A DataSet is one that was compared.
type DataSet struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	ByName bool   `json:"by_name,omitempty"` // imported, and the digest is of name and size only
	Target string `json:"target,omitempty"`  // the class or target, where a header names it

	Copies unit.Number `json:"copies,omitempty"` // share of test examples with a copy in training, where a header says that
}

// A Table has the comparisons in one metric.
type Table struct {
	Keys   []Line `json:"keys,omitempty"` // that distinguish the tables, beside the metric
	Metric string `json:"metric"`
	Unit   *Unit  `json:"unit,omitempty"`  // nil if nothing was judged
	Asked  string `json:"asked,omitempty"` // the requirement that rerun and detectable of the verdicts are about
	Rows   []Row  `json:"rows"`

	Over        []Over       `json:"over,omitempty"` // data sets
	Consistency *Consistency `json:"consistency,omitempty"`
}

// A Row has a cell for each column. The first one is the baseline.
type Row struct {
	Label string `json:"label"`
	Cells []Cell `json:"cells"`
	Slice *Slice `json:"slice,omitempty"` // of the examples that the row is about; below the row of all
}

// A Slice is a part of the examples of a data set.
type Slice struct {
	Name     string `json:"name"`
	Members  int    `json:"members"`             // examples, or items
	TooSmall bool   `json:"too_small,omitempty"` // the cells have means, and no verdicts

	Afterwards bool `json:"afterwards,omitempty"` // it was chosen when the predictions were there
}

// A Cell is the results of a learner on a data set. One without a learner is empty.
type Cell struct {
	Data       string         `json:"data,omitempty"`
	Learner    string         `json:"learner,omitempty"`
	Mean       unit.Number    `json:"mean"`               // score over all folds; null if it is not known
	Majority   *unit.Number   `json:"majority,omitempty"` // score of always the most frequent class, where it is stored
	CommitTime string         `json:"commit_time,omitempty"`
	Verdict    *verdict.Facts `json:"verdict,omitempty"`
}

// RowLevel is the level of a difference in a row.
func (s *Settings) RowLevel() float64 {
	if s.Shares.Rows == 0 {
		return s.Alpha
	}
	return s.Shares.Rows
}

// IntervalLevel is the level of intervals: of a one-sided test, the one that goes with it.
func (s *Settings) IntervalLevel() float64 {
	if s.Tail != "both" {
		return 1 - 2*s.Alpha
	}
	return 1 - s.Alpha
}

// Adjusts reports whether p is adjusted.
func (s *Settings) Adjusts() bool { return s.Adjust != "none" }

// Measure returns the unit of the metric, one without bounds if nothing was judged.
func (t *Table) Measure() unit.Unit { return measure(t.Metric, t.Unit) }
