package imports

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A collector takes the trials of all sources.
type collector struct {
	Options
	format Format
	given  Limits // as requested
	limits Limits // of the file that is being read

	source  string   // that is being read
	sources []string // so far
	total   int      // trials
	sets    sets
	index   map[string]*set
	notes   []string
	assumed assumptions
	split   bool       // folds are counted through all runs
	amlb    []*amlbRun // that are read fold by fold
}

// sets are the results on several data sets.
type sets []*set

// A set has the trials on one data set.
type set struct {
	name     string
	learners []string
	index    map[string]int32
	units    []unit.Unit
	trials   []trial
	values   []float64
	failures map[int32]string // causes by index of trial
	digits   map[writer]precision
	seen     map[cell]int32 // indices of trials
	timeless bool
	task     string // what identifies the partitions
	examples int    // as the file says; 0 if it does not
	maxRun   int
	minRun   int
	maxFold  int

	kept []kept // the predictions, if they are wanted

	runs []int // the numbers that the file has for run 1, 2 and so on, and for the first fold: see renumber
	base int
}

// A cell is one of a set.
type cell struct{ learner, run, fold int32 }

// A trial is one of a set.
type trial struct {
	cell
	trainN, testN int32 // 0 if the file has none
	even          bool  // the sizes come from even folds
	source, line  int32
	values        int // where they begin in set.values
	fit, predict  float64
}

// A result is a row of a file: a trial with its names.
type result struct {
	data, learner string
	run, fold     int
	trainN, testN int         // 0 if the file has none
	units         []unit.Unit // nil if the trial failed and they are not known
	values        []float64
	texts         []string // of the values, where the file has them
	columns       []string // of the values, too
	err           string   // why there are no values; empty if there are
	timed         bool
	fit, predict  float64
	line          int
	task          string // what identifies the partitions, if the file has it
	again         string // what may explain a second trial in the cell
}

func newCollector(f Format, o Options, sources []Source) (*collector, error) {
	if f.read == nil {
		return nil, fmt.Errorf("%w: no format: take one of Formats", ErrOptions)
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("%w: no files", ErrOptions)
	}
	f = f.mapped(&o)
	o = o.withDefaults(f)
	if err := o.check(f, sources); err != nil {
		return nil, err
	}
	return &collector{
		Options: o, format: f, given: o.Limits, limits: o.Limits.withDefaults(),
		index: make(map[string]*set), split: f.Name == formatSearch || o.mapped(roleSplit),
	}, nil
}

// errorf returns an error about a line of the source that is being read.
func (c *collector) errorf(line int, format string, args ...any) error {
	return &record.SyntaxError{File: c.source, Line: line, Msg: fmt.Sprintf(format, args...)}
}

// wrap returns an error of reading as one about the line.
func (c *collector) wrap(line int, err error) error {
	if errors.Is(err, ErrLimit) {
		return &record.SyntaxError{File: c.source, Line: line, Msg: err.Error(), Err: ErrLimit}
	}
	return fmt.Errorf("%s: %w", c.source, err)
}

// set returns the set of a data set.
func (c *collector) set(name string) *set {
	s := c.index[name]
	if s == nil {
		s = &set{
			name: name, index: make(map[string]int32), seen: make(map[cell]int32),
			failures: make(map[int32]string), digits: make(map[writer]precision),
		}
		c.index[name] = s
		c.sets = append(c.sets, s)
	}
	return s
}

// put takes a trial.
func (c *collector) put(r *result) error {
	switch {
	case r.run < 1 || r.run > maxCount:
		return c.errorf(r.line, "run %d is not from 1 to %d", r.run, maxCount)
	case r.fold < 1 || r.fold > maxCount:
		return c.errorf(r.line, "fold %d is not from 1 to %d", r.fold, maxCount)
	case c.format.raw: // renumber checks the numbers
	case c.Folds > 0 && r.fold > c.Folds:
		return c.errorf(r.line, "fold %d is not one of %d: give the number of folds with %s", r.fold,
			c.Folds, optFolds)
	case c.Runs > 0 && r.run > c.Runs:
		return c.errorf(r.line, "run %d is not one of %d: give the number of runs with %s", r.run,
			c.Runs, optRuns)
	}
	s := c.set(r.data)
	if len(s.trials) == 0 {
		s.timeless, s.task, s.minRun = !r.timed, r.task, r.run
	}
	if s.units == nil {
		s.units = slices.Clone(r.units)
	}
	switch {
	case r.units != nil && !slices.Equal(s.units, r.units):
		return c.errorf(r.line, "the scores on data set %q are of %s here, but of %s before: choose with %s", r.data, names(r.units), names(s.units), optMeasures)
	case s.task != r.task:
		return c.errorf(r.line, "the partitions of data set %q are %q here, but %q before: choose with Where (-where)", r.data, r.task, s.task)
	}
	for i, u := range r.units {
		if r.err == "" && !(r.values[i] >= u.Min && r.values[i] <= u.Max) {
			of, remedy := "", ""
			if i < len(r.columns) {
				of = fmt.Sprintf("column %q: ", r.columns[i])
				if u.Max == 1 && r.values[i] > 1 && r.values[i] <= 100 {
					remedy = ": divide percentages by 100"
				}
			}
			return c.errorf(r.line, "%s%s is %v, which is not from %v to %v%s", of, u.Name, r.values[i],
				u.Min, u.Max, remedy)
		}
	}
	learner, ok := s.index[r.learner]
	if !ok {
		learner = int32(len(s.learners))
		s.learners = append(s.learners, r.learner)
		s.index[r.learner] = learner
	}
	t := trial{
		cell:   cell{learner, int32(r.run), int32(r.fold)},
		trainN: int32(r.trainN), testN: int32(r.testN),
		source: int32(len(c.sources) - 1), line: int32(r.line),
		values: len(s.values), fit: r.fit, predict: r.predict,
	}
	if first, ok := s.seen[t.cell]; ok {
		return c.double(r, s.trials[first])
	}
	at := int32(len(s.trials))
	s.seen[t.cell] = at
	s.trials = append(s.trials, t)
	if r.err == "" {
		s.values = append(s.values, r.values...)
		for i, text := range r.texts {
			if counted(r.units[i]) {
				w := writer{t.source, t.learner, int32(i)}
				p := s.digits[w]
				p.of(text)
				s.digits[w] = p
			}
		}
	} else {
		s.failures[at] = r.err
	}
	s.timeless = s.timeless || !r.timed
	s.minRun, s.maxRun, s.maxFold = min(s.minRun, r.run), max(s.maxRun, r.run), max(s.maxFold, r.fold)
	c.total++
	return nil
}

// double returns the error about a second trial in a cell.
func (c *collector) double(r *result, first trial) error {
	at := record.Cell{Data: r.data, Learner: r.learner, Run: r.run, Fold: r.fold}.String()
	if c.format.raw {
		at = fmt.Sprintf("data set %s, learner %s, ", r.data, r.learner)
		if c.mapped(roleRun) {
			at += fmt.Sprintf("run %d, ", r.run-1)
		}
		at += fmt.Sprintf("%s %d", map[bool]string{true: roleSplit, false: roleFold}[c.split], r.fold-1)
	}
	msg := fmt.Sprintf("%s is there already, in line %d", at, first.line)
	if name := c.sources[first.source]; name != c.source {
		msg += " of " + name
	}
	if r.again != "" {
		msg += ": " + r.again
	}
	return &record.SyntaxError{File: c.source, Line: r.line, Msg: msg, Err: record.ErrDouble}
}

// names returns the names of units for a message.
func names(units []unit.Unit) string {
	var all []string
	for _, u := range units {
		all = append(all, u.Name)
	}
	return fmt.Sprintf("%q", all)
}
