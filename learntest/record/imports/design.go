package imports

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
)

// A design holds the known facts about the partitions of a set.
type design struct {
	c   *collector
	set *set

	first    int // number of the first run in the files
	runs     int
	folds    int
	examples int
}

// complete returns an error unless each learner has a trial in each cell.
func (d *design) complete() error {
	s, c := d.set, d.c
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
				missing.Cells = append(missing.Cells, record.Cell{
					Data: s.name, Learner: name,
					Run: run, Fold: fold,
				})
				missing.Notes = append(missing.Notes, d.inFile(run, fold))
				if len(missing.Cells) == 3 || int64(len(missing.Cells)) == missing.Total {
					return fmt.Errorf("%s: under %d runs of %d folds: %w", c.sources[0], d.runs, d.folds, missing)
				}
			}
		}
	}
	return fmt.Errorf("%s: under %d runs of %d folds: %w", c.sources[0], d.runs, d.folds, missing)
}

// inFile says which numbers a cell has in the file, if they are others.
func (d *design) inFile(run, fold int) string {
	s, c := d.set, d.c
	switch {
	case !c.format.raw:
		return ""
	case c.split:
		return fmt.Sprintf("split %d in the file", (run-1)*d.folds+fold-1+s.base)
	case !c.mapped(roleRun):
		return fmt.Sprintf("fold %d in the file", fold-1+s.base)
	}
	return fmt.Sprintf("run %d, fold %d in the file", s.runs[run-1], fold-1+s.base)
}

// size gives a training and a test set to each trial that has none, and checks the sizes
// of the others.
func (d *design) size() error {
	s, c := d.set, d.c
	for i := range s.trials {
		t := &s.trials[i]
		if t.testN == 0 {
			if err := t.divide(s.name, d); err != nil {
				return err
			}
			c.assumed.add("test sets are even folds of the %d examples of %s", d.examples, s.name)
			continue
		}
		n := int(t.trainN) + int(t.testN)
		if d.examples == 0 {
			d.examples = n
		}
		if n != d.examples {
			return &record.SyntaxError{
				File: c.sources[t.source], Line: int(t.line),
				Msg: fmt.Sprintf("%d training and %d test examples are %d, not the %d of data set %q", t.trainN,
					t.testN, n, d.examples, s.name),
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
		return fmt.Errorf("%w: the sizes of the training and test sets on data set %q are not in the files: give the number of examples with %s %s, or columns %s",
			ErrOptions, name, optExamples, orTables, d.c.sizeColumns())
	case k < 2:
		return fmt.Errorf("%w: the sizes of one fold on data set %q do not follow from %d examples: add columns %s", ErrOptions, name, n, d.c.sizeColumns())
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
