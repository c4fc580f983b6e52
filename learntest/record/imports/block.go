package imports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// results returns the blocks of the collected trials.
func (c *collector) results() (*Results, error) {
	for _, t := range c.Tables {
		if c.index[t.Name()] == nil {
			return nil, fmt.Errorf("%w: no results are of data set %q, of which there is a table: %s has %s",
				ErrOptions, t.Name(), c.sources[0], c.sets.names())
		}
	}
	for name := range c.Examples {
		if name != "" && c.index[name] == nil {
			return nil, fmt.Errorf("%w: no results are of data set %q, of which there is a number of examples: %s has %s", ErrOptions, name, c.sources[0], c.sets.names())
		}
	}
	if err := c.checkExamples(); err != nil {
		return nil, err
	}
	res := &Results{Notes: c.notes}
	for _, s := range c.sets {
		if c.format.raw {
			if err := (numbering{c, s}).renumber(); err != nil {
				return nil, err
			}
		}
		d, err := newDesign(c, s)
		if err != nil {
			return nil, err
		}
		b, err := d.block()
		if err != nil {
			return nil, err
		}
		if c.Predictions {
			p, err := s.predictions(b, c.Probabilities)
			if err != nil {
				return nil, fmt.Errorf("predictions: %w", err)
			}
			res.Predictions = append(res.Predictions, p)
		}
		res.Blocks = append(res.Blocks, b)
		if note := d.finer(); note != "" {
			res.Notes = append(res.Notes, note)
		}
	}
	if names := c.sets.uncounted(); len(names) > 0 {
		res.Notes = append(res.Notes, "the numbers of folds and examples are taken unchanged, and no accuracy or error would show if they were wrong: every interval depends on them: data set "+strings.Join(names, ", "))
	}
	res.Assumed = c.assumed
	return res, nil
}

// uncounted returns the names of the first few data sets with trials whose sizes follow from
// options that no score was held against.
func (all sets) uncounted() []string {
	const most = 3
	var names []string
	more := 0
	for _, s := range all {
		switch {
		case slices.ContainsFunc(s.units, counted) || !slices.ContainsFunc(s.trials,
			func(t trial) bool { return t.even }):
		case len(names) == most:
			more++
		default:
			names = append(names, s.name)
		}
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return names
}

// checkExamples returns an error if a number of examples differs from the rows of a table.
func (c *collector) checkExamples() error {
	others, general := false, c.Examples[""] // data sets without a table, and the number for them
	for _, s := range c.sets {
		others = others || c.table(s.name) == nil
	}
	for _, s := range c.sets {
		n, ok := c.Examples[s.name]
		if !ok && !others {
			n = general
		}
		if t := c.table(s.name); t != nil && n > 0 && n != t.Len() {
			return fmt.Errorf("%w: %s gives %d examples of data set %q, but the data of %s have %d: leave %s out", ErrOptions, optExamples, n, s.name, optTables, t.Len(), optExamples)
		}
	}
	return nil
}

// names returns the names of the first few data sets for a message.
func (all sets) names() string {
	const most = 5
	var names []string
	for _, s := range all[:min(most, len(all))] {
		names = append(names, s.name)
	}
	text := fmt.Sprintf("%q", names)
	if len(all) > most {
		text += " and others"
	}
	return text
}

// writable returns an error if the names are too long for the lines of a result file,
// which hold all learners, or the names of a trial. The block has no trials yet.
func (s *set) writable(b *record.Block) error {
	const most, escape = 50_000, 3 // bytes of a line, and of an escaped byte
	n := escape * len(s.name)
	for _, u := range s.units {
		n += escape*len(u.Name) + 30
	}
	longest := 0
	for _, name := range s.learners {
		longest = max(longest, len(name))
	}
	if n+escape*longest > most {
		return fmt.Errorf("the names of data set %s, its learners and metrics are too long for a result file: %d bytes are allowed in all", excerpt(s.name), most/escape)
	}
	if err := record.Write(io.Discard, b); err != nil {
		return fmt.Errorf("data set %q: %w: leave learners out with Where (-where)", s.name, err)
	}
	return nil
}

// newDesign returns the design of a set.
func newDesign(c *collector, s *set) (*design, error) {
	if s.units == nil {
		return nil, fmt.Errorf("%s: no learner has a result on data set %q, and so the metric is not known: choose columns with %s, or leave the data set out with Where (-where)", c.sources[0], s.name, optMeasures)
	}
	d := &design{c: c, set: s, first: 1, runs: c.Runs, folds: c.Folds, examples: c.examples(s.name)}
	if d.runs == 0 {
		d.runs = s.maxRun
		if c.format.Name == formatWeka {
			d.first, d.runs = s.minRun, s.maxRun-s.minRun+1
		}
	}
	if d.folds == 0 {
		d.folds = s.maxFold
	}
	if s.examples > 0 {
		if d.examples > 0 && d.examples != s.examples {
			return nil, fmt.Errorf("%w: data set %q has %d examples in %s, not the %d of %s or %s",
				ErrOptions, s.name, s.examples, c.sources[0], d.examples, optExamples, optTables)
		}
		d.examples = s.examples
	}
	return d, nil
}

// block returns the block of a set.
func (d *design) block() (*record.Block, error) {
	if err := d.complete(); err != nil {
		return nil, err
	}
	if err := d.size(); err != nil {
		return nil, err
	}
	if err := d.checkCounts(); err != nil {
		return nil, err
	}
	header, err := d.header()
	if err != nil {
		return nil, err
	}
	s := d.set
	b, err := record.NewBlock(header, s.learners, s.units, d.examples)
	if err != nil {
		return nil, fmt.Errorf("data set %q: %w", s.name, err)
	}
	if err := s.writable(b); err != nil {
		return nil, err
	}
	b.Timeless = s.timeless
	n := len(s.units)
	for i, t := range s.trials {
		r := record.Trial{
			Data: s.name, Learner: s.learners[t.learner], Run: int(t.run) - d.first + 1, Fold: int(t.fold),
			TrainN: int(t.trainN), TestN: int(t.testN), Err: s.failures[int32(i)],
		}
		if r.Err == "" {
			r.Values = s.values[t.values : t.values+n]
		}
		if !s.timeless {
			r.FitSeconds, r.PredictSec = t.fit, t.predict
		}
		if err := b.Add(r); err != nil {
			return nil, &record.SyntaxError{File: d.c.sources[t.source], Line: int(t.line), Msg: err.Error()}
		}
	}
	return b, nil
}
