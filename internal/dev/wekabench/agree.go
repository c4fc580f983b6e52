//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// learners maps the schemes of Weka and the classes of scikit-learn to our
// learners.
var learners = map[string]string{
	"weka.classifiers.bayes.NaiveBayes": "nb",
	"weka.classifiers.trees.J48":        "c45",
	"weka.classifiers.lazy.IBk":         "nn",
	"GaussianNB":                        "nb",
	"DecisionTreeClassifier":            "c45",
	"KNeighborsClassifier":              "nn",
}

// counts are the counts of one fold.
type counts struct{ train, test, correct int }

// readCounts reads what Weka's CSVResultListener has written, or another rival,
// which has fewer columns.
func readCounts(r io.Reader, name string) (map[record.Cell]counts, error) {
	results := make(map[record.Cell]counts)
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	var columns map[string]int
	for n := 1; in.Scan(); n++ {
		fields, err := splitCSV(in.Text())
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if columns == nil {
			columns = make(map[string]int)
			for i, f := range fields {
				columns[f] = i
			}
			continue
		}
		row := row{columns: columns, fields: fields}
		cell := record.Cell{
			Data: row.text("Key_Dataset"), Run: row.count("Key_Run"),
			Fold: row.count("Key_Fold"),
		}
		scheme := row.text("Key_Scheme")
		c := counts{
			row.count("Number_of_training_instances"), row.count("Number_of_testing_instances"),
			row.count("Number_correct"),
		}
		if cell.Learner = learners[scheme]; cell.Learner == "" {
			row.fail(fmt.Errorf("unexpected scheme %q", scheme))
		}
		if _, double := results[cell]; double {
			row.fail(fmt.Errorf("%v is there twice", cell))
		}
		if row.err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, row.err)
		}
		results[cell] = c
	}
	return results, in.Err()
}

// A row is a line whose fields are looked up by the names of their columns.
type row struct {
	columns map[string]int
	fields  []string
	err     error // the first one
}

func (r *row) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *row) text(column string) string {
	i, ok := r.columns[column]
	if !ok || i >= len(r.fields) {
		r.fail(fmt.Errorf("no column %s", column))
		return ""
	}
	return r.fields[i]
}

// count returns a whole number, which Weka may write as 9.0.
func (r *row) count(column string) int {
	x, err := strconv.ParseFloat(r.text(column), 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1e9 {
		r.fail(fmt.Errorf("column %s is not a whole number", column))
		return 0
	}
	return int(x)
}

var errQuote = errors.New("no closing quote")

// splitCSV splits a line as Weka writes it: fields with special characters are
// in single quotes, and a backslash stands before each quote and backslash in them.
func splitCSV(line string) ([]string, error) {
	var fields []string
	var field strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\' && i+1 < len(line):
			i++
			field.WriteByte(line[i])
		case c == ',' && !quoted:
			fields = append(fields, field.String())
			field.Reset()
		default:
			field.WriteByte(c)
		}
	}
	if quoted {
		return nil, errQuote
	}
	return append(fields, field.String()), nil
}

// A difference is a fold on which the two do not agree.
type difference struct {
	cell      record.Cell
	got, want counts
}

type differences []difference

// String returns their number for each learner.
func (d differences) String() string {
	if len(d) == 0 {
		return "none"
	}
	byLearner := make(map[string]int)
	for _, x := range d {
		byLearner[x.cell.Learner]++
	}
	var parts []string
	for _, l := range slices.Sorted(maps.Keys(byLearner)) {
		parts = append(parts, fmt.Sprintf("%d of %s", byLearner[l], l))
	}
	return strings.Join(parts, ", ")
}

// first lists the first n differences.
func (d differences) first(n int) string {
	var lines []string
	for i, x := range d {
		if i == n {
			lines = append(lines, fmt.Sprintf("and %d more", len(d)-n))
			break
		}
		lines = append(lines, fmt.Sprintf("%v: %d of %d test examples correct after %d for training, Weka %d of %d after %d",
			x.cell, x.got.correct, x.got.test, x.got.train, x.want.correct, x.want.test, x.want.train))
	}
	return strings.Join(lines, "\n")
}

// ourCounts returns the counts of all trials.
func ourCounts(f *record.File) (map[record.Cell]counts, error) {
	ours := make(map[record.Cell]counts)
	for _, b := range f.Experiments() {
		for t := range b.Trials() {
			if t.Err != "" || b.Units[0].Name != "accuracy" {
				return nil, fmt.Errorf("no accuracy for %v: %s", t.Cell(), t.Err)
			}
			ours[t.Cell()] = counts{t.TrainN, t.TestN, int(math.Round(t.Values[0] * float64(t.TestN)))}
		}
	}
	return ours, nil
}

// compare returns the folds in which the accuracy or the sizes differ. It is
// an error if one has folds that the other has not.
func compare(ours, weka map[record.Cell]counts) (differences, error) {
	var d differences
	for cell, got := range ours {
		want, ok := weka[cell]
		if !ok {
			return nil, fmt.Errorf("no result of Weka for %v", cell)
		}
		if got != want {
			d = append(d, difference{cell, got, want})
		}
	}
	if len(ours) != len(weka) {
		return nil, fmt.Errorf("%d results, Weka has %d", len(ours), len(weka))
	}
	slices.SortFunc(d, func(a, b difference) int {
		return strings.Compare(a.cell.String(),
			b.cell.String())
	})
	return d, nil
}

// percentCorrect returns how many percent of all tests of each learner were
// correct.
func percentCorrect(results map[record.Cell]counts) map[string]float64 {
	sums := make(map[string]counts)
	for cell, c := range results {
		sum := sums[cell.Learner]
		sum.test += c.test
		sum.correct += c.correct
		sums[cell.Learner] = sum
	}
	percent := make(map[string]float64)
	for learner, sum := range sums {
		percent[learner] = 100 * float64(sum.correct) / float64(sum.test)
	}
	return percent
}
