package record

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"
)

// parseTrials parses the lines of trials in the text of the block, whose head
// is complete.
func (b *block) parseTrials(p *parser, text []byte) error {
	tp := newTrialParser(b)
	b.set.Trials = make([]Trial, 0, b.trials)
	r := benchfmt.NewReader(bytes.NewReader(text), p.filename)
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			return p.errorf(rec.Line+b.line-1, "%s", rec.Msg)
		case *benchfmt.Result:
			_, line := rec.Pos()
			line += b.line - 1
			t, err := tp.parse(rec)
			if err != nil {
				return p.errorf(line, "%v", err)
			}
			t.Pos = Pos{p.filename, line}
			b.set.Trials = append(b.set.Trials, t)
		}
	}
	if err := r.Err(); err != nil {
		return err
	}
	if len(b.set.Trials) != b.trials {
		return p.errorf(b.line, "%d of %d trials were read", len(b.set.Trials), b.trials)
	}
	return nil
}

// A trialParser turns results of benchmarks into trials.
type trialParser struct {
	set      *Set
	data     string            // name of the data set of all trials
	rawData  string            // the same as in the file; "" before the first trial
	learners map[string]string // names as in the file to names
	units    []string          // names as in the file: the metrics, then the others of a trial
	seen     []bool            // units seen in a line
	values   []float64         // values of a line, in the order of units
	slab     []Value           // memory for the values of the trials to come
}

// sizes are the units that every trial has, in the order in which they are
// written behind the metrics. Last comes the mark of a failed trial.
var sizes = [...]string{unitTrain, unitTest, unitFit, unitPredict, unitFailed}

func newTrialParser(b *block) *trialParser {
	tp := &trialParser{set: &b.set, learners: make(map[string]string)}
	for _, name := range b.set.Learners {
		tp.learners[string(appendName(nil, name, "/="))] = name
	}
	for _, u := range b.set.Units {
		tp.units = append(tp.units, string(appendName(nil, u.Name, "")))
	}
	tp.units = append(tp.units, sizes[:]...)
	tp.seen = make([]bool, len(tp.units))
	tp.values = make([]float64, len(tp.units))
	return tp
}

func (tp *trialParser) parse(r *benchfmt.Result) (Trial, error) {
	var t Trial
	if r.Iters != 1 {
		return t, fmt.Errorf("the iteration count is %d, not 1", r.Iters)
	}
	if err := tp.parseName(&t, r.Name.Full()); err != nil {
		return t, err
	}
	if err := tp.takeValues(r.Values); err != nil {
		return t, err
	}
	cause, err := unescapeText(r.GetConfig(keyError))
	if err != nil {
		return t, fmt.Errorf("key %s: %v", keyError, err)
	}
	if len(cause) > maxCause {
		return t, fmt.Errorf("the cause of the failure has %d bytes, %d are allowed", len(cause), maxCause)
	}
	metrics := len(tp.set.Units)
	failed := tp.seen[metrics+4]
	switch {
	case failed && tp.values[metrics+4] != 1:
		return t, fmt.Errorf("%s is %v, not 1", unitFailed, tp.values[metrics+4])
	case failed && cause == "":
		return t, fmt.Errorf("a failed trial without a line %q before it", keyError+": cause")
	case !failed && cause != "":
		return t, fmt.Errorf("a trial with values follows the cause of a failure")
	}
	t.Err = cause
	for i, name := range tp.units[:metrics+4] {
		metric := i < metrics
		switch {
		case metric && failed && tp.seen[i]:
			return t, fmt.Errorf("a failed trial has a value of %s", name)
		case !tp.seen[i] && !(metric && failed):
			return t, fmt.Errorf("the trial has no %s", name)
		}
	}
	if !failed {
		t.Values = tp.newValues()
		for i, u := range tp.set.Units {
			t.Values[i] = Value{u.Name, tp.values[i]}
		}
	}
	var ok bool
	if t.TrainN, ok = toCount(tp.values[metrics]); !ok {
		return t, fmt.Errorf("%s is %v", unitTrain, tp.values[metrics])
	}
	if t.TestN, ok = toCount(tp.values[metrics+1]); !ok {
		return t, fmt.Errorf("%s is %v", unitTest, tp.values[metrics+1])
	}
	t.FitSeconds, t.PredictSec = tp.values[metrics+2], tp.values[metrics+3]
	if err := t.validateCell(&tp.set.Header); err != nil {
		return t, err
	}
	return t, t.validateValues(tp.set.Units)
}

// takeValues stores the values of a line by their units.
func (tp *trialParser) takeValues(values []benchfmt.Value) error {
	clear(tp.seen)
	for i, v := range values {
		x, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			x, unit = v.OrigValue, v.OrigUnit
		}
		if i >= len(tp.units) || tp.units[i] != unit { // not as written: look for it
			if i = tp.find(unit); i < 0 {
				return fmt.Errorf("unit %s is not declared", unit)
			}
		}
		if tp.seen[i] {
			return fmt.Errorf("%s is there twice", unit)
		}
		if !isFinite(x) {
			return fmt.Errorf("%s is %v", unit, x)
		}
		tp.seen[i], tp.values[i] = true, x
	}
	return nil
}

// find returns the index of a unit, or -1.
func (tp *trialParser) find(unit string) int {
	if i := slices.Index(tp.units, unit); i >= 0 {
		return i
	}
	name, err := unescapeName(unit)
	if err != nil {
		return -1
	}
	return slices.IndexFunc(tp.set.Units, func(u Unit) bool { return u.Name == name })
}

// newValues returns memory for the values of a trial.
func (tp *trialParser) newValues() []Value {
	n := len(tp.set.Units)
	if len(tp.slab) < n {
		const chunk = 4096
		tp.slab = make([]Value, max(n, chunk-chunk%n))
	}
	values := tp.slab[:n:n]
	tp.slab = tp.slab[n:]
	return values
}

// toCount returns x as an int if it is one that is not negative.
func toCount(x float64) (int, bool) {
	if !(x >= 0 && x <= math.MaxInt32) || x != math.Trunc(x) {
		return 0, false
	}
	return int(x), true
}

// parseName takes the cell of the trial from the name of the benchmark.
func (tp *trialParser) parseName(t *Trial, name []byte) error {
	rest, ok := bytes.CutPrefix(name, []byte("CV/"))
	var fields [4][]byte
	for i, prefix := range [...]string{"data=", "learner=", "run=", "fold="} {
		field, after, more := bytes.Cut(rest, []byte("/"))
		value, found := bytes.CutPrefix(field, []byte(prefix))
		ok = ok && found && more == (i < 3)
		fields[i], rest = value, after
	}
	if !ok {
		return fmt.Errorf("the name %q is not of the form CV/data=D/learner=L/run=R/fold=F", excerpt(name))
	}
	if err := tp.takeData(fields[0]); err != nil {
		return err
	}
	t.Data = tp.data
	learner, known := tp.learners[string(fields[1])]
	if !known {
		var err error
		if learner, err = unescapeName(string(fields[1])); err != nil {
			return fmt.Errorf("learner: %v", err)
		}
		if !slices.Contains(tp.set.Learners, learner) {
			return fmt.Errorf("learner %q is not one of those under the key %s", learner, keyLearners)
		}
		tp.learners[string(fields[1])] = learner
	}
	t.Learner = learner
	if t.Run, ok = parseCount(string(fields[2])); !ok {
		return fmt.Errorf("invalid run %q", fields[2])
	}
	if t.Fold, ok = parseCount(string(fields[3])); !ok {
		return fmt.Errorf("invalid fold %q", fields[3])
	}
	return nil
}

// takeData checks that the trial is of the data set of those before it.
func (tp *trialParser) takeData(raw []byte) error {
	if tp.rawData != "" && string(raw) == tp.rawData {
		return nil
	}
	data, err := unescapeName(string(raw))
	if err != nil {
		return fmt.Errorf("data set: %v", err)
	}
	if tp.rawData != "" && data != tp.data {
		return fmt.Errorf("data set %q in a block of data set %q", data, tp.data)
	}
	tp.data, tp.rawData = data, string(raw)
	return nil
}
