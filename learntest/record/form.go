package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/unit"
	"golang.org/x/perf/benchfmt"
)

// A benchLine has a reader of the Go benchmark format read one line after
// another. That reader is the authority on what a line says.
type benchLine struct {
	reader  *benchfmt.Reader
	pending []byte
}

// Read implements io.Reader.
func (l *benchLine) Read(b []byte) (int, error) {
	if len(l.pending) == 0 {
		return 0, io.EOF
	}
	n := copy(b, l.pending)
	l.pending = l.pending[n:]
	return n, nil
}

// parse returns what a line that begins with "Benchmark" says.
func (l *benchLine) parse(text []byte) (*benchfmt.Result, error) {
	l.pending = append(append(l.pending[:0], text...), '\n')
	if l.reader == nil {
		l.reader = benchfmt.NewReader(l, "")
	}
	if !l.reader.Scan() {
		l.reader = nil // it has met the end of its input
		return nil, fmt.Errorf("not the line of a benchmark: %q", excerpt(text))
	}
	switch rec := l.reader.Result().(type) {
	case *benchfmt.Result:
		return rec, nil
	case *benchfmt.SyntaxError:
		return nil, errors.New(rec.Msg)
	}
	return nil, fmt.Errorf("not the line of a benchmark: %q", excerpt(text))
}

// others are the units of a trial that are not metrics, in the order in which they
// are written.
var others = [...]string{unitTrain, unitTest, unitFit, unitPredict, unitFailed, unitConstant}

// othersOfItems are the other units of answers to items, at the same places; "" is none.
var othersOfItems = [len(others)]string{atPredict: unitCall, atFailed: unitFailed}

// Places of the other units behind the metrics.
const (
	atTrain = iota
	atTest
	atFit
	atPredict
	atFailed
	atConstant
)

// A trialForm turns results of benchmarks into entries of a block.
type trialForm struct {
	b        *Block
	data     string         // the data set as in the file; "" before the first trial
	learners map[string]int // by name as in the file
	units    []string       // names as in the file: the metrics, then the others
	seen     []bool         // units seen in a line
	values   []float64      // of a line, in the order of units
	failed   bool
}

func newTrialForm(b *Block) *trialForm {
	f := &trialForm{b: b, learners: make(map[string]int, len(b.Learners))}
	for i, name := range b.Learners {
		f.learners[string(appendName(nil, name, "/="))] = i
	}
	for _, u := range b.Columns {
		f.units = append(f.units, string(appendName(nil, u.Name, "")))
	}
	if b.items == nil {
		f.units = append(f.units, others[:]...)
	} else {
		f.units = append(f.units, othersOfItems[:]...)
	}
	f.seen, f.values = make([]bool, len(f.units)), make([]float64, len(f.units))
	return f
}

// parse takes the cell and the numbers of a line.
func (f *trialForm) parse(r *benchfmt.Result, e *entry) error {
	if r.Iters != 1 {
		return fmt.Errorf("the iteration count is %d, not 1", r.Iters)
	}
	if err := f.parseName(r.Name.Full(), e); err != nil {
		return err
	}
	if err := f.takeValues(r.Values); err != nil {
		return err
	}
	n := len(f.b.Columns)
	f.failed = f.seen[n+atFailed]
	if f.failed && f.values[n+atFailed] != 1 {
		return fmt.Errorf("%s is %v, not 1", unitFailed, f.values[n+atFailed])
	}
	e.constant = Varied
	if f.seen[n+atConstant] {
		mark := f.values[n+atConstant]
		if f.failed || mark != 0 && mark != 1 {
			return fmt.Errorf("%s is there in a failed trial, or %v, not 0 or 1", unitConstant, mark)
		}
		e.constant = Alike + Constancy(mark)
	}
	e.values = f.values[:n]
	if f.failed {
		e.values = nil
	}
	e.fit, e.predict = f.values[n+atFit], f.values[n+atPredict]
	if f.b.items != nil {
		e.trainN, e.testN = 0, 1
		return nil
	}
	var ok bool
	if e.trainN, ok = toCount(f.values[n+atTrain]); !ok {
		return fmt.Errorf("%s is %v", unitTrain, f.values[n+atTrain])
	}
	if e.testN, ok = toCount(f.values[n+atTest]); !ok {
		return fmt.Errorf("%s is %v", unitTest, f.values[n+atTest])
	}
	return nil
}

// check returns an error unless the line has the values that it must have, and
// no others. The first line of a block says whether its trials have times.
func (f *trialForm) check(b *Block, e *entry) error {
	n := len(b.Columns)
	switch {
	case f.failed && e.err == "":
		return fmt.Errorf("a failed trial without a line %q before it", keyError+": cause")
	case !f.failed && e.err != "":
		return fmt.Errorf("a trial with values follows the cause of a failure")
	case len(e.err) > maxCause:
		return fmt.Errorf("the cause of the failure has %d bytes, %d are allowed", len(e.err), maxCause)
	}
	timed := f.seen[n+atFit] || f.seen[n+atPredict]
	if b.table.trials == 0 {
		b.Timeless = !timed
	}
	for i, name := range f.units[:n+atFailed] {
		metric, time := i < n, i >= n+atFit
		switch {
		case name == "": // items have none
		case metric && f.failed && f.seen[i]:
			return fmt.Errorf("a failed trial has a value of %s", name)
		case time && b.Timeless && f.seen[i]:
			return fmt.Errorf("the trial has %s, which the first one of the block does not have", name)
		case !f.seen[i] && !(metric && f.failed) && !(time && b.Timeless):
			return fmt.Errorf("the trial has no %s", name)
		}
	}
	return nil
}

// takeValues stores the values of a line by their units.
func (f *trialForm) takeValues(values []benchfmt.Value) error {
	clear(f.seen)
	clear(f.values)
	for i, v := range values {
		x, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			x, unit = v.OrigValue, v.OrigUnit
		}
		if i >= len(f.units) || f.units[i] != unit { // not as written: look for it
			if i = f.find(unit); i < 0 {
				return fmt.Errorf("unit %s is not declared", unit)
			}
		}
		if f.seen[i] {
			return fmt.Errorf("%s is there twice", unit)
		}
		if !isFinite(x) {
			return fmt.Errorf("%s is %v", unit, x)
		}
		f.seen[i], f.values[i] = true, x
	}
	return nil
}

// find returns the index of a unit, or -1.
func (f *trialForm) find(text string) int {
	if i := slices.Index(f.units, text); i >= 0 {
		return i
	}
	name, err := unescapeName(text)
	if err != nil {
		return -1
	}
	return slices.IndexFunc(f.b.Columns, func(u unit.Unit) bool { return u.Name == name })
}

// toCount returns x as an int if it is one that is not negative.
func toCount(x float64) (int, bool) {
	if !(x >= 0 && x <= math.MaxInt32) || x != math.Trunc(x) {
		return 0, false
	}
	return int(x), true
}

// dataOf returns the name of the data set in the name of a benchmark.
func dataOf(name []byte) (string, error) {
	cut := cutName
	if bytes.HasPrefix(name, []byte("Item/")) {
		cut = cutItem
	}
	fields, err := cut(name)
	if err != nil {
		return "", err
	}
	return unescapeName(string(fields[0]))
}

// parseName takes the cell from the name of the benchmark.
func (f *trialForm) parseName(name []byte, e *entry) error {
	cut := cutName
	if f.b.items != nil {
		cut = cutItem
	}
	fields, err := cut(name)
	if err != nil {
		return err
	}
	if f.data == "" || string(fields[0]) != f.data {
		data, err := unescapeName(string(fields[0]))
		if err != nil {
			return fmt.Errorf("data set: %v", err)
		}
		if data != f.b.Header.Data {
			return fmt.Errorf("data set %q in a block of data set %q", data, f.b.Header.Data)
		}
		f.data = string(fields[0])
	}
	learner, known := f.learners[string(fields[1])]
	if !known {
		name, err := unescapeName(string(fields[1]))
		if err != nil {
			return fmt.Errorf("learner: %v", err)
		}
		if learner, known = f.b.index[name]; !known {
			return fmt.Errorf("learner %q is not one of those under the key %s", name, keyLearners)
		}
		f.learners[string(fields[1])] = learner
	}
	e.learner = learner
	var ok bool
	if items := f.b.items; items != nil {
		if e.fold, ok = items.find(string(fields[2])); !ok {
			return fmt.Errorf("item %q is not one of those under the key %s", fields[2], keyItem)
		}
		e.fold++
		if e.run, ok = parseCount(string(fields[3])); !ok {
			return fmt.Errorf("invalid repeat %q", fields[3])
		}
		return nil
	}
	if e.run, ok = parseCount(string(fields[2])); !ok {
		return fmt.Errorf("invalid run %q", fields[2])
	}
	if e.fold, ok = parseCount(string(fields[3])); !ok {
		return fmt.Errorf("invalid fold %q", fields[3])
	}
	return nil
}
