// Package layout arranges results in tables, rows and columns, with the filters and
// projections of benchstat (golang.org/x/perf/benchproc). A cell is the results of one
// learner on one data set: the runs and folds of a protocol are never taken apart.
package match

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/input"
	"github.com/learnbench/learnbench/learntest/record"
)

// The defaults of a query.
const (
	DefaultRow = "/data,/learner"
	DefaultCol = ".file"
)

// RowsBeside returns the rows of a query that names none: DefaultRow without the keys that the
// columns or the tables have, as .fullname is without them in benchstat; .name, which all share, if
// these have both.
func RowsBeside(projections ...string) string {
	var keys []string
	for key := range strings.SplitSeq(DefaultRow, ",") {
		used := regexp.MustCompile(`(^|[,\s])` + key + `($|[,@\s])`)
		if !slices.ContainsFunc(projections, used.MatchString) {
			keys = append(keys, key)
		}
	}
	if keys == nil {
		return ".name"
	}
	return strings.Join(keys, ",")
}

// A Query selects the compared results, and arranges them.
type Query struct {
	Filter                  string // of benchproc
	Table, Row, Col, Ignore string // projections of benchproc

	Data, Learners, Metrics Names  // select by name
	Baseline                string // compare the learners of one file with this one
	HasBaseline             bool

	// Strict makes results that are not compared a problem rather than a note: no result under a
	// gate may vanish in silence. Lenient makes missing rows a note.
	Strict, Lenient bool

	// History keeps rows that are in any column, whichever is compared with which.
	History bool

	// Common compares the items that both sides have.
	Common bool

	// Slices adds a row for each slice of the examples below the row of all examples.
	Slices bool
}

// A Layout is the compared results, arranged in tables.
type Layout struct {
	Columns  []Column
	Tables   []*Table
	Notes    []string // on results left out, without a problem
	Problems []error  // results that cannot be compared, and errors in files
}

// Comparisons returns the number of cells that are compared with the first of their row.
func (l *Layout) Comparisons() int {
	n := 0
	for _, t := range l.Tables {
		for _, r := range t.Rows {
			for _, c := range r.Cells[1:] {
				if c != nil {
					n++
				}
			}
		}
	}
	return n
}

// Compares reports whether a learner is in a cell that is compared with another.
func (l *Layout) Compares(learner string) bool {
	for _, t := range l.Tables {
		for _, r := range t.Rows {
			if slices.ContainsFunc(r.Cells, func(c *Cell) bool { return c != nil && c.Learner == learner }) {
				return true
			}
		}
	}
	return false
}

// A Column is a column of all tables. Side is nil if it is not of one file.
type Column struct {
	Label string
	Side  *input.Side
}

// A Table has the rows of a metric.
type Table struct {
	Keys   []KeyValue // of -table
	Metric string
	Rows   []*Row
}

// A KeyValue is a key with its value.
type KeyValue struct{ Key, Value string }

// A Row has a cell for each column; the first is the baseline. Cells are nil where there is
// nothing.
type Row struct {
	Label string
	Cells []*Cell

	Slice, Metric string // of the rows of slices; empty of all others
}

// A Cell is the results of a learner on a data set.
type Cell struct {
	Side          *input.Side
	File          *record.File // of the side, or the part of it that is meant
	Data, Learner string

	protocol string
	common   bool       // leaves out items that another cell lacks
	tests    []testName // that are meant; nil if all
}

// A testName says which experiment it is of those with the same data and protocol.
type testName struct{ pkg, test string }

// Selection returns the results for package record.
func (c *Cell) Selection() record.Selection {
	return record.Selection{
		File: c.File, Data: c.Data, Learner: c.Learner, Only: c.only,
		Stopped: true, Common: c.common,
	}
}

func (c *Cell) only(h *record.Header) bool {
	if c.protocol != "" && h.Protocol != c.protocol && !h.IsSecondOpinion() {
		return false
	}
	if c.tests == nil {
		return true
	}
	for _, t := range c.tests {
		if t == (testName{h.Pkg, h.Test}) {
			return true
		}
	}
	return false
}

// has reports whether the results have the metric.
func (c *Cell) has(metric string) bool {
	for _, u := range c.File.Metrics(c.Data, c.Learner) {
		if u.Name == metric {
			return true
		}
	}
	return false
}

// Pos returns where the results begin.
func (c *Cell) Pos() string { return c.Side.Pos(c.Data, c.Learner) }

// String returns the data set and the learner.
func (c *Cell) String() string { return fmt.Sprintf("%s/%s", c.Data, c.Learner) }
