package imports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// A numbering gives the trials of a set the numbers of the protocol.
type numbering struct {
	c *collector
	s *set
}

// renumber gives the numbers of the protocol to the runs and folds of a table, which has numbers of
// its own: folds, splits and runs are counted from 0 if there is a 0, and else from 1. Runs with
// other numbers, such as seeds, are runs in the order of their numbers if Options.Runs says how
// many there are.
func (n numbering) renumber() error {
	c, s := n.c, n.s
	runs, err := n.runs()
	if err != nil {
		return err
	}
	what := roleFold
	if c.split {
		what = roleSplit
	}
	least := slices.MinFunc(s.trials, func(a, b trial) int { return int(a.fold - b.fold) })
	base := int(min(least.fold-1, 1))
	s.base = base
	for _, run := range runs {
		s.runs = append(s.runs, int(run)-1)
	}
	if c.mapped(what) || c.split {
		c.assumed.add("%s counts from %d (%s)", what, base, n.whence(what))
	} else {
		c.assumed.add("each run is a split of its own")
	}
	s.minRun, s.maxRun, s.maxFold = 1, 0, 0
	clear(s.seen)
	for i := range s.trials {
		t := &s.trials[i]
		at := int(t.fold) - 1 - base // from 0
		if c.split {
			t.run, t.fold = int32(at/c.Folds+1), int32(at%c.Folds+1)
		} else {
			if at >= c.Folds {
				return n.errorAt(t, "%s %d (%s) is not one of %d to %d: %s counts from %d, as in line %d: mend the numbers, or the number of folds with %s, or say split in Map (-map) if they count through all runs",
					what, t.fold-1, n.whence(what), base, base+c.Folds-1, what, base, least.line, optFolds)
			}
			t.run, t.fold = int32(slices.Index(runs, t.run)+1), int32(at+1)
		}
		if c.Runs > 0 && int(t.run) > c.Runs {
			return n.errorAt(t, "run %d is not one of %d: give the number of runs with %s", t.run,
				c.Runs, optRuns)
		}
		s.seen[t.cell] = int32(i)
		s.maxRun, s.maxFold = max(s.maxRun, int(t.run)), max(s.maxFold, int(t.fold))
	}
	return nil
}

// runs returns the numbers of the runs of a set, as its trials have them, in their order.
func (n numbering) runs() ([]int32, error) {
	c, s := n.c, n.s
	seen := make(map[int32]bool)
	var runs []int32
	for i := range s.trials {
		if run := s.trials[i].run; !seen[run] {
			seen[run] = true
			runs = append(runs, run)
		}
	}
	slices.Sort(runs)
	count := len(runs)
	if c.split || !c.mapped(roleRun) {
		return runs, nil
	}
	var texts []string
	for _, run := range runs[:min(count, 5)] {
		texts = append(texts, fmt.Sprint(run-1))
	}
	if count > 5 {
		texts = append(texts, fmt.Sprintf("… %d", runs[count-1]-1))
	}
	list := strings.Join(texts, ", ")
	switch first := runs[0] - 1; {
	case c.Runs > 0 && count != c.Runs:
		return nil, fmt.Errorf("%w: data set %q has %d runs in %s (%s), not the %d of %s", ErrOptions,
			s.name, count, n.whence(roleRun), list, c.Runs, optRuns)
	case c.Runs == 0 && (first > 1 || int(runs[count-1]-runs[0]) != count-1):
		return nil, fmt.Errorf("%w: the runs of data set %q in %s are %s, which do not count from 0 or 1: if none is missing, as where they are seeds, say how many there are with %s",
			ErrOptions, s.name, n.whence(roleRun), list, optRuns)
	}
	c.assumed.add("runs %s are 1 to %d (%s)", list, count, n.whence(roleRun))
	return runs, nil
}

// whence says where the numbers of a role are.
func (n numbering) whence(role string) string {
	if name := n.c.column(role); name != "" {
		return fmt.Sprintf("column %q", name)
	}
	return "names of columns"
}

// errorAt returns an error about the line of a trial.
func (n numbering) errorAt(t *trial, format string, args ...any) error {
	return &record.SyntaxError{
		File: n.c.sources[t.source], Line: int(t.line),
		Msg: fmt.Sprintf(format, args...),
	}
}
