package record

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Selection names the trials of one learner on one data set.
//
// The learner may occur in several experiments of the file, as a baseline of several
// tests does. Then all experiments with the metric must have equal results of it,
// apart from times.
type Selection struct {
	File    *File
	Data    string // name of the data set
	Learner string // name of the learner
	Title   string // what Pairs call the learner; if empty, its name

	// First, if not zero, selects the first so many of the protocol's own runs, whether or not the
	// others are there.
	First int

	// Stopped takes a learner whose training was stopped with the runs that it has. If false, it is
	// incomplete.
	Stopped bool

	// Common pairs items that both sides have, if the other selection has it, too, and counts the
	// others. If false, items that one side lacks are an error.
	Common bool

	// If Only is not nil, it reports whether the selection includes an experiment with that
	// header, be it a second opinion or not. If nil, the selection includes all.
	Only func(*Header) bool
}

// Of selects the trials of a learner on a data set.
func (f *File) Of(data, learner string) Selection {
	return Selection{File: f, Data: data, Learner: learner}
}

// ofItems reports whether the data set has results of items.
func (sel Selection) ofItems() bool {
	return slices.ContainsFunc(sel.File.Blocks(),
		func(b *Block) bool { return b.Header.Data == sel.Data && b.items != nil })
}

func (sel Selection) title() string { return cmp.Or(sel.Title, sel.Learner) }

// means reports whether an experiment that has the learner is one that is meant, for a metric.
func (sel Selection) means(e *experiment, metric string) bool {
	return (sel.Only == nil || sel.Only(&e.blocks[0].Header)) && e.hasMetric(metric)
}

// scores returns the scores of the selection. The role is for messages.
func (sel Selection) scores(role, metric string) (*scores, error) {
	experiments, err := sel.experiments(role, metric)
	if err != nil {
		return nil, err
	}
	var first *scores
	for _, e := range experiments {
		if e.err != nil {
			return nil, fmt.Errorf("%s %s: %w", role, sel.Learner, e.err)
		}
		sc, err := newScores(e.union, sel.Learner, metric, sel.First, sel.Stopped)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", role, sel.Learner, err)
		}
		sc.where = role + " " + sel.Learner
		if pos := e.union.Pos(); pos != (Pos{}) {
			sc.where += " of " + pos.File
		}
		if len(experiments) > 1 {
			sc.where += e.distinction()
		}
		if first == nil {
			first = sc
			continue
		}
		if err := first.agrees(sc); err != nil {
			return nil, err
		}
		if first.right == nil {
			first.right = sc.right
		}
	}
	return first, nil
}

// experiments returns the experiments that have the learner and the metric.
func (sel Selection) experiments(role, metric string) ([]*experiment, error) {
	if sel.File == nil {
		return nil, fmt.Errorf("%w: no file for the %s %s", ErrNotFound, role, sel.Learner)
	}
	if !sel.File.HasData(sel.Data) {
		return nil, fmt.Errorf("%w: data set %s of the %s %s; there are: %s", ErrNotFound, sel.Data, role,
			sel.Learner, quotedNames(sel.File.DataSets()))
	}
	l := sel.File.learner(sel.Data, sel.Learner)
	if l == nil {
		return nil, fmt.Errorf("%w: %s %s on data set %s; there are: %s", ErrNotFound, role, sel.Learner,
			sel.Data, quotedNames(sel.File.Learners(sel.Data)))
	}
	has := func(e *experiment) bool { return !e.isSecondOpinion() && sel.means(e, metric) }
	if len(l.experiments) == 1 && has(l.experiments[0]) {
		return l.experiments, nil
	}
	var found []*experiment
	for _, e := range l.experiments {
		if has(e) {
			found = append(found, e)
		}
	}
	if found == nil {
		var names []string
		for _, u := range l.units {
			names = append(names, u.Name)
		}
		return nil, fmt.Errorf("%w: metric %s of the %s %s on data set %s; there are: %s",
			ErrNotFound, metric, role, sel.Learner, sel.Data, quotedNames(names))
	}
	return found, nil
}

// quotedNames returns the different names, for a message.
func quotedNames(names []string) string {
	var quoted []string
	for _, name := range names {
		if q := strconv.Quote(name); !slices.Contains(quoted, q) {
			quoted = append(quoted, q)
		}
	}
	if len(quoted) == 0 {
		return "none"
	}
	return strings.Join(quoted, ", ")
}

// itemSlice returns a slice of the items that the selection has; one without a name if it has none.
func (sel Selection) itemSlice(role, metric, slice string) (Slice, error) {
	experiments, err := sel.experiments(role, metric)
	if err != nil {
		return Slice{}, err
	}
	for _, e := range experiments {
		if e.err != nil {
			return Slice{}, fmt.Errorf("%s %s: %w", role, sel.Learner, e.err)
		}
		if s, members := e.union.items.slice(slice); members != nil {
			return s, nil
		}
	}
	return Slice{}, nil
}
