package imports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// results returns the blocks of what was collected.
func (c *collector) results() (*Results, error) {
	for _, t := range c.Tables {
		if c.index[t.Name()] == nil {
			return nil, fmt.Errorf("%w: no results are of data set %q, of which there is a table: %s has %s", ErrOptions, t.Name(), c.sources[0], c.dataSets())
		}
	}
	for name := range c.Examples {
		if name != "" && c.index[name] == nil {
			return nil, fmt.Errorf("%w: no results are of data set %q, of which there is a number of examples: %s has %s", ErrOptions, name, c.sources[0], c.dataSets())
		}
	}
	if err := c.checkExamples(); err != nil {
		return nil, err
	}
	res := &Results{Notes: c.notes}
	for _, s := range c.sets {
		b, err := c.block(s)
		if err != nil {
			return nil, err
		}
		res.Blocks = append(res.Blocks, b)
	}
	if names := c.uncounted(); len(names) > 0 {
		res.Notes = append(res.Notes, "the numbers of folds and examples are taken as they are given, and no accuracy or error would show if they were wrong: every interval depends on them: data set "+strings.Join(names, ", "))
	}
	return res, nil
}

// uncounted returns the names of the first few data sets with trials whose sizes follow from options that no
// score was held against.
func (c *collector) uncounted() []string {
	const most = 3
	var names []string
	more := 0
	for _, s := range c.sets {
		switch {
		case slices.ContainsFunc(s.units, counted) || !slices.ContainsFunc(s.trials, func(t trial) bool { return t.even }):
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

// checkExamples returns an error if a number of examples is not that of a table.
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

// dataSets returns the names of the first few data sets for a message.
func (c *collector) dataSets() string {
	const most = 5
	var all []string
	for _, s := range c.sets[:min(most, len(c.sets))] {
		all = append(all, s.name)
	}
	text := fmt.Sprintf("%q", all)
	if len(c.sets) > most {
		text += " and others"
	}
	return text
}

// writable returns an error if the names are too long for the lines of a result file,
// which hold all learners, or those of a trial. The block has no trials yet.
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

// A design is what is known of the partitions of a set.
type design struct {
	first    int // number of the first run in the files
	runs     int
	folds    int
	examples int
}

// block returns that of a set.
func (c *collector) block(s *set) (*record.Block, error) {
	if s.units == nil {
		return nil, fmt.Errorf("%s: no learner has a result on data set %q, and so the metric is not known: choose columns with %s, or leave the data set out with Where (-where)", c.sources[0], s.name, optMeasures)
	}
	d, err := c.design(s)
	if err != nil {
		return nil, err
	}
	if err := c.complete(s, d); err != nil {
		return nil, err
	}
	if err := c.size(s, &d); err != nil {
		return nil, err
	}
	if err := c.checkCounts(s, &d); err != nil {
		return nil, err
	}
	header, err := c.header(s, d)
	if err != nil {
		return nil, err
	}
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
			return nil, &record.SyntaxError{File: c.sources[t.source], Line: int(t.line), Msg: err.Error()}
		}
	}
	return b, nil
}

// design returns the runs and folds of a set.
func (c *collector) design(s *set) (design, error) {
	d := design{first: 1, runs: c.Runs, folds: c.Folds, examples: c.examples(s.name)}
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
			return d, fmt.Errorf("%w: data set %q has %d examples in %s, not the %d of %s or %s", ErrOptions, s.name, s.examples, c.sources[0], d.examples, optExamples, optTables)
		}
		d.examples = s.examples
	}
	return d, nil
}

// complete returns an error unless each learner has a trial in each cell.
func (c *collector) complete(s *set, d design) error {
	want := int64(len(s.learners)) * int64(d.runs) * int64(d.folds)
	if int64(len(s.trials)) == want && want/int64(d.runs)/int64(d.folds) == int64(len(s.learners)) {
		return nil
	}
	missing := &record.CellError{Err: record.ErrIncomplete, Total: want - int64(len(s.trials))}
	for run := d.first; run < d.first+d.runs; run++ {
		for fold := 1; fold <= d.folds; fold++ {
			for l, name := range s.learners {
				if _, ok := s.seen[cell{int32(l), int32(run), int32(fold)}]; ok {
					continue
				}
				missing.Cells = append(missing.Cells, record.Cell{Data: s.name, Learner: name, Run: run, Fold: fold})
				missing.Notes = append(missing.Notes, "")
				if len(missing.Cells) == 3 || int64(len(missing.Cells)) == missing.Total {
					return fmt.Errorf("%s: under %d runs of %d folds: %w", c.sources[0], d.runs, d.folds, missing)
				}
			}
		}
	}
	return fmt.Errorf("%s: under %d runs of %d folds: %w", c.sources[0], d.runs, d.folds, missing)
}

// size gives a training and a test set to each trial that has none, and checks those
// that have.
func (c *collector) size(s *set, d *design) error {
	for i := range s.trials {
		t := &s.trials[i]
		if t.testN == 0 {
			if err := t.divide(s.name, d); err != nil {
				return err
			}
			continue
		}
		n := int(t.trainN) + int(t.testN)
		if d.examples == 0 {
			d.examples = n
		}
		if n != d.examples {
			return &record.SyntaxError{
				File: c.sources[t.source], Line: int(t.line),
				Msg: fmt.Sprintf("%d training and %d test examples are %d, not the %d of data set %q", t.trainN, t.testN, n, d.examples, s.name),
			}
		}
	}
	return nil
}

// divide gives the sizes of even folds to a trial.
func (t *trial) divide(name string, d *design) error {
	n, k := d.examples, d.folds
	switch {
	case n == 0:
		return fmt.Errorf("%w: the sizes of the training and test sets on data set %q are not in the files: give the number of examples with %s %s, or columns n_train and n_test",
			ErrOptions, name, optExamples, orTables)
	case k < 2:
		return fmt.Errorf("%w: the sizes of one fold on data set %q do not follow from %d examples: add columns n_train and n_test", ErrOptions, name, n)
	case n < k:
		return fmt.Errorf("%w: data set %q has %d examples, fewer than %d folds", ErrOptions, name, n, k)
	}
	test := n / k
	if int(t.fold) <= n%k {
		test++
	}
	t.trainN, t.testN, t.even = int32(n-test), int32(test), true
	return nil
}
