package record

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/unit"
)

// scores are the scores of a learner in a metric: the scores of the protocol's own
// runs, and of further ones up to the first that is not complete.
type scores struct {
	where         string // whose they are, in words
	data, learner string
	block         *Block
	header        *Header
	unit          unit.Unit
	planned       int // of the protocol; runs may be the first of these
	runs, folds   int
	stop          float64 // error with which training was stopped; 0 if it was not
	more          int
	moreErr       error
	values        []float64
	trainN, testN []int32
	constant      constancies // in the protocol's own runs; nil if there are none
	common        bool        // they are restricted to items that another side has, too
	right         []int       // how often the learner is right on each example; nil if that is not known
	members       []int       // numbers of the items that the scores are of, which are the folds then; nil if all
}

// newScores takes the scores of one learner from a block: of the first so many of the protocol's
// own runs, or, if first is 0, of all of them and of further ones. If stopped, all of them may be
// the runs after which the learner's training was stopped.
func newScores(b *Block, learner, metric string, first int, stopped bool) (*scores, error) {
	l, ok := b.index[learner]
	slice := ""
	if b.items != nil {
		metric, slice = unit.CutSlice(metric)
	}
	at := slices.IndexFunc(b.Columns, func(u unit.Unit) bool { return u.Name == metric })
	if !ok || at < 0 {
		return nil, fmt.Errorf("%w: learner %s or metric %s in %s", ErrNotFound, learner,
			metric, b.where())
	}
	runs := b.Runs()
	if first > 0 && first < runs {
		runs = first
	}
	stop, isStopped := b.Header.Of(learner).Stop()
	check := (*Block).Check
	if stopped {
		check = checkStopped
	}
	if isStopped && stopped && (first == 0 || first > stop.Runs) {
		first, runs = stop.Runs, stop.Runs
	}
	if err := check(b); errors.Is(err, ErrInvalid) {
		return nil, err
	} else if err != nil { // another learner may be the cause
		missing := census{block: b}
		if isStopped && runs > stop.Runs {
			return nil, err
		}
		missing.own(l, runs)
		if err := missing.errorOrNil(ErrIncomplete); err != nil {
			return nil, err
		}
	}
	sc := &scores{
		data: b.Header.Data, learner: learner, block: b, header: &b.Header, unit: b.Columns[at],
		planned: b.Runs(), runs: runs, folds: b.Folds(),
	}
	if isStopped {
		sc.stop = stop.Error
	}
	t, column := &b.table, b.table.column(at, l)
	if len(t.constant) > 0 {
		for place, c := range t.constant[l] {
			if run, _ := t.cellAt(place); c != Varied && run <= sc.runs {
				sc.constant = sc.constant.add(run, sc.runs, c)
			}
		}
	}
	if err := sc.check(b, l, column, 1, sc.runs); err != nil {
		return nil, err
	}
	for run := sc.runs + 1; first == 0; run++ {
		s, ok := t.slotOf(run)
		if !ok || t.count(l, s) < t.folds {
			break
		}
		if sc.moreErr = sc.check(b, l, column, run, run); sc.moreErr != nil {
			break
		}
		sc.more++
	}
	if sc.runs == sc.planned && countsRight(sc.unit) {
		if sc.right = b.Header.Of(learner).Right(); sc.right != nil {
			if err := agreesRight(b, l, sc.right); err != nil {
				return nil, fmt.Errorf("%w: %s: %w", ErrInvalid, b.where(), err)
			}
		}
	}
	all := sc.runs + sc.more
	sc.values, sc.trainN, sc.testN = ofRuns(t, column, all), ofRuns(t, t.trainN, all),
		ofRuns(t, t.testN, all)
	if slice != "" {
		_, members := b.items.slice(slice)
		sc.onItems(members)
	}
	return sc, nil
}

// ofRuns returns the values of a column of runs 1 to runs, which are there, in their order.
func ofRuns[T any](t *table, column []T, runs int) []T {
	if t.slots == nil {
		return column[:runs*t.folds]
	}
	var values []T
	for run := 1; run <= runs; run++ {
		s, _ := t.slotOf(run)
		from, to := t.span(s)
		values = append(values, column[from:to]...)
	}
	return values
}

// first returns the scores of the first so many runs, if there are more.
func (s *scores) first(runs int) *scores {
	if s.runs == runs {
		return s
	}
	f, n := *s, runs*s.folds
	f.runs, f.more, f.moreErr, f.right = runs, 0, nil, nil
	f.values, f.trainN, f.testN = s.values[:n:n], s.trainN[:n:n], s.testN[:n:n]
	return &f
}

// leastStop returns the smaller one of two errors with which training was stopped; one of 0 is
// none.
func leastStop(a, b float64) float64 {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

// check returns an error for trials of complete runs that failed, or whose
// score is not in the range of its unit.
func (s *scores) check(b *Block, learner int, column []float64, from, to int) error {
	outside := func(x float64) bool { return !(x >= s.unit.Min && x <= s.unit.Max) }
	for run := from; run <= to; run++ {
		slot, _ := b.table.slotOf(run)
		start, end := b.table.span(slot)
		if slices.ContainsFunc(column[start:end], outside) {
			return s.outside(b, learner, column, from, to)
		}
	}
	return nil
}

// outside returns the errors of check where there are any, which is seldom.
func (s *scores) outside(b *Block, learner int, column []float64, from, to int) error {
	u, t := &s.unit, &b.table
	var failed, invalid CellError
	for run := from; run <= to; run++ {
		slot, _ := t.slotOf(run)
		start, end := t.span(slot)
		for place := start; place < end; place++ {
			x := column[place]
			if x >= u.Min && x <= u.Max {
				continue
			}
			at := seat{learner, place}
			if cause, ok := t.failed[at]; ok {
				failed.add(b.cell(at), func() string {
					return b.pos(at).note(string(appendText(nil,
						excerpt([]byte(cause)))))
				})
			} else {
				invalid.add(b.cell(at), func() string {
					return b.pos(at).note(fmt.Sprintf("%s is %v",
						u.Name, x))
				})
			}
		}
	}
	return errors.Join(failed.errorOrNil(ErrFailedTrial), invalid.errorOrNil(ErrValue))
}

// cell returns the cell of the i-th score.
func (s *scores) cell(i int) *Cell {
	fold := i % s.folds
	if s.members != nil {
		fold = s.members[fold]
	}
	c := cellOf(s.block, s.block.index[s.learner], i/s.folds+1, fold+1)
	return &c
}

// mean returns the mean over the protocol's own runs, in the order of runs and folds. Of items it
// follows Header.Weight.
func (s *scores) mean() float64 {
	values := s.values[:s.runs*s.folds]
	if s.header.Weight == ByCluster {
		return weightedMean(values, weightsOf(s.items()))
	}
	return meanOf(values)
}

// onItems restricts the scores to some items, given by their numbers.
func (s *scores) onItems(members []int) {
	pick := func(from []float64) (to []float64) {
		for first := 0; first < len(from); first += s.folds {
			for _, i := range members {
				to = append(to, from[first+i])
			}
		}
		return to
	}
	s.values = pick(s.values)
	s.trainN, s.testN = s.trainN[:s.runs*len(members)], s.testN[:s.runs*len(members)] // of items, all alike
	s.members, s.folds = members, len(members)
}

// items returns the items of the scores.
func (s *scores) items() []Item {
	if s.members == nil {
		return ItemsOf(s.block)
	}
	items := make([]Item, len(s.members))
	for k, i := range s.members {
		items[k] = s.block.items.at(i)
	}
	return items
}
