package learntest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/record"
)

// Learners are trained again in some cells when all trials have been run, to show state that builds
// up from one training to the next. The cells are the cell of the first trial, which is run alone,
// and one of twenty cells of the protocol's own runs, drawn by [trial.Drawn]. The module's own
// learners have tests against such mistakes, and are trained again in the first cell only. Cells
// from another process, whose run was interrupted before the repetitions, are compared by their
// scores. Of cells from a cache, whose learner was trained again when it was trained, one of fifty
// is trained again.

// A repetition is the training of a learner in a cell where it has been trained before.
type repetition struct {
	cell   trial.Cell
	was    *trial.Print // its predictions then; nil if another process has trained it
	scores []float64    // its scores there, if so
	first  bool         // the cell is the first one of its learner
	drawn  bool         // the learner is trained again there unless it is the module's own
	cached bool         // the cell is from a cache

	// The outcome.
	again *trial.Print
	trial *record.Trial // without a run if there was no time
}

// agrees reports whether a training predicted the same as the first one in the cell.
func (r *repetition) agrees(again *trial.Print, t *record.Trial) bool {
	return (r.was == nil || r.was.Same(again)) && (r.scores == nil || slices.Equal(r.scores, t.Values))
}

// counts reports whether an uninterrupted run would train there again, too: a header must not
// depend on kills.
func (r *repetition) counts() bool { return r.first || r.drawn && !r.again.Reference }

// A second is the repetitions on the data set of a set.
type second struct {
	*piece
	list []*repetition
}

// again trains the learners again, and returns an error if one of them predicts something else.
func (t *training) again() error {
	if t.cfg.Results.In != nil {
		return nil
	}
	var seconds []second
	var batches []*trial.Batch
	for _, s := range t.sets {
		r, err := t.repetitions(s)
		if err != nil {
			return err
		}
		if len(r.list) > 0 {
			seconds, batches = append(seconds, r), append(batches, r.Batch)
		}
	}
	// At another number of goroutines than the first time, but never at more.
	t.measure(t.repeater((t.cfg.Parallel+1)/2), batches...)
	var errs []error
	for _, s := range seconds {
		for i, r := range s.list {
			at := len(s.list) - 1 - i
			r.again, r.trial = s.Prints[at], &s.Trials[at]
			if r.trial.Run > 0 {
				t.repeated++
			}
		}
		for l, name := range t.experiment.learners {
			errs = append(errs, t.conclude(s, l, name))
		}
	}
	return errors.Join(errs...)
}

// repeater returns the engine of second trainings: nobody hears of their trials.
func (t *training) repeater(parallel int) trial.Engine {
	return trial.Engine{Metrics: t.cfg.Metrics, Parallel: parallel, Timeout: t.cfg.TrialTimeout}
}

// repetitions returns the trials of a set to train again, the last ones first.
func (t *training) repetitions(s *results.Set) (second, error) {
	plan, err := t.plan(s)
	if err != nil {
		return second{}, err
	}
	r := second{piece: &piece{s, &trial.Batch{Data: s.Data, Plan: plan}}}
	here, first := make(map[trial.Cell]bool), firstCells(s)
	for _, p := range t.ran {
		if p.set != s {
			continue
		}
		for _, c := range p.Cells {
			here[c] = true
		}
		for i, was := range p.Prints {
			if c := p.Record(i); was != nil && was.Taken() && (was.Wide() || t.drawn(s, c, new(trial.Draws)) &&
				!was.Reference) {
				r.list = append(r.list, &repetition{
					cell: p.Cells[i], was: was, first: c == first[c.Learner],
					drawn: t.drawn(s, c, new(trial.Draws)),
				})
			}
		}
	}
	cached := make(map[trial.Cell]*repetition)
	for _, c := range s.ToCheck() {
		l := slices.Index(t.experiment.learners, c.Learner)
		again := &repetition{
			cell: trial.Cell{Run: c.Run, Fold: c.Fold, Learner: l}, was: c.Print,
			scores: c.Values, cached: true,
		}
		cached[again.cell] = again
		r.list = append(r.list, again)
	}
	for l, name := range t.experiment.learners {
		if !slices.Contains(t.wanted.learners, name) || !s.Unproven(l) ||
			!trainedElsewhere(s, here, l) {
			continue
		}
		for c := range s.Block().Trials() {
			cell := trial.Cell{Run: c.Run, Fold: c.Fold, Learner: l}
			if c.Learner != name || c.Run > t.runs || c.Err != "" || here[cell] {
				continue
			}
			again, ok := cached[cell]
			if !ok {
				again = &repetition{cell: cell, scores: slices.Clone(c.Values)}
			}
			again.first, again.drawn = c.Cell() == first[name], t.drawn(s, c.Cell(), new(trial.Draws))
			if !ok && (again.first || again.drawn) {
				r.list = append(r.list, again)
			}
		}
	}
	for _, again := range slices.Backward(r.list) {
		p := new(trial.Print)
		if again.was != nil {
			p = again.was.Again()
		}
		r.Cells, r.Prints = append(r.Cells, again.cell), append(r.Prints, p)
	}
	return r, nil
}

// trainedElsewhere reports whether a learner has trials in cells where this process has not trained
// it.
func trainedElsewhere(s *results.Set, here map[trial.Cell]bool, learner int) bool {
	name := s.Data.Learners[learner]
	for c := range record.CellsOf(s.Block()) {
		if c.Learner == name && !here[trial.Cell{Run: c.Run, Fold: c.Fold, Learner: learner}] {
			return true
		}
	}
	return false
}

// firstCells returns the first cell of each learner.
func firstCells(s *results.Set) map[string]record.Cell {
	first := make(map[string]record.Cell)
	for c := range record.CellsOf(s.Block()) {
		if _, ok := first[c.Learner]; !ok {
			first[c.Learner] = c
		}
	}
	return first
}

// drawn reports whether the learner of a cell, which has the draws d, is trained again there.
func (w wanted) drawn(s *results.Set, c record.Cell, d *trial.Draws) bool {
	return c.Run <= s.Runs() && d.Drawn(trial.OneInTrained, s.Plan.Protocol().Seed(),
		s.Data.Digest, c.Learner, c.Run, c.Fold, s.Plan.Folds())
}

// conclude records the outcome of training a learner again, and returns an error if it predicted
// something else.
func (t *training) conclude(s second, l int, name string) error {
	same, skipped := 0, 0
	var differs, failed *repetition
	for _, r := range s.list {
		switch {
		case r.cell.Learner != l:
		case r.cached && (r.trial.Run == 0 || r.trial.Err != "" || !r.agrees(r.again, r.trial)):
			return t.distrust(s, name, r)
		case r.trial.Run == 0:
			skipped++
		case r.trial.Err != "":
			failed = cmpOr(failed, r)
		case !r.agrees(r.again, r.trial):
			differs = cmpOr(differs, r)
		case r.counts():
			same++
		}
	}
	if skipped > 0 {
		t.there.Note("%s on data set %s was not trained again in %d of %d cells, since there was no time left: it may keep something between trainings, or its seed may not fix it", name, s.Data.Name, skipped, skipped+same)
	}
	if same+skipped == 0 && differs == nil && failed == nil {
		return nil
	}
	outcome := s.set.Proven(name, same, differs != nil)
	t.rec.Probed(s.Data.Name, name, outcome)
	switch {
	case failed != nil:
		return fmt.Errorf("%w: %s failed when it was trained again on %v, where it had not failed: %s; let Fit make anew all that it changes, and draw its random numbers from the seed that it gets",
			learner.ErrUnusable, name, failed.trial.Cell(), failed.trial.Err)
	case differs != nil && !t.cfg.AllowNondeterminism:
		return t.diagnose(s, differs)
	}
	return nil
}

// cmpOr returns the first of two repetitions that is there.
func cmpOr(a, b *repetition) *repetition {
	if a != nil {
		return a
	}
	return b
}

// diagnose returns why a learner predicted differently when it was trained again, which it finds
// out by training it there twice more.
func (t *training) diagnose(s second, r *repetition) error {
	c, cell := r.trial.Cell(), r.cell
	b := &trial.Batch{
		Data: s.Data, Plan: s.Plan, Cells: []trial.Cell{cell, cell},
		Prints: []*trial.Print{trial.NewPrint(), trial.NewPrint()},
	}
	t.measure(t.repeater(1), b)
	third, fourth := b.Prints[0], b.Prints[1]
	const remedy = ", or set Config.AllowNondeterminism and bear with reruns that differ"
	switch both := third.Taken() && fourth.Taken(); {
	case both && !third.Same(fourth):
		return fmt.Errorf("%w: its seed does not fix %s: trained again on %v, it predicted differently each time; draw its random numbers from the seed that Fit gets%s",
			learner.ErrUnusable, c.Learner, c, remedy)
	case both && !r.agrees(third, &b.Trials[0]):
		return fmt.Errorf("%w: %s keeps something between trainings: trained again on %v after its other trials, its predictions differed from the first ones, and not from each other since; let Fit make anew all that it changes%s",
			learner.ErrUnusable, c.Learner, c, remedy)
	}
	return fmt.Errorf("%w: %s predicted otherwise when it was trained again on %v: its seed does not fix it, or it keeps something between trainings, and two more trainings cannot tell which; draw its random numbers from the seed that Fit gets, let Fit make anew all that it changes, and let nothing depend on the order of goroutines or of a map%s",
		learner.ErrUnusable, c.Learner, c, remedy)
}

// distrust returns the error about a trial from the cache that another training did not repeat. It
// removes all trials of the learner from the cache.
func (t *training) distrust(s second, name string, r *repetition) error {
	c := record.Cell{Data: s.Data.Name, Learner: name, Run: r.cell.Run, Fold: r.cell.Fold}
	if r.trial.Run == 0 {
		return fmt.Errorf("%v is from %s, and there was no time left to train it again: %w", c, envCache,
			context.Cause(t.ctx))
	}
	what := "trained again, it predicted something else"
	if r.trial.Err != "" {
		what = "trained again, it failed: " + r.trial.Err
	}
	return errors.Join(fmt.Errorf("%w: %v is from %s: %s; all trials of %s were removed from there: name in Config.Depends what its training depends on, be it a file, a variable or the machine, or run without %s",
		learner.ErrUnusable, c, envCache, what, name, envCache), t.cache.Distrust(name))
}
