package record

import (
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/unit"
)

// IsTime reports whether a time of trials has the name, and no metric.
func IsTime(name string) bool { return name == FitTime || name == PredictTime }

// The names of times in claims.
const (
	FitTime     = "fit-sec"
	PredictTime = "predict-sec"
)

// times returns the times of the selection as scores.
func (sel Selection) times(role, name string) (*scores, error) {
	var metrics []unit.Unit
	if sel.File != nil {
		metrics = sel.File.Metrics(sel.Data, sel.Learner)
	}
	if slices.ContainsFunc(metrics, func(u unit.Unit) bool { return u.Name == name }) {
		return nil, fmt.Errorf("%w: %s is also the name of a metric of the %s %s: give that another name",
			ErrTimes, name, role, sel.Learner)
	}
	if len(metrics) == 0 {
		return sel.scores(role, name) // which says that nothing is there
	}
	experiments, err := sel.experiments(role, metrics[0].Name)
	if err != nil {
		return nil, err
	}
	if len(experiments) > 1 {
		return nil, fmt.Errorf("%w: the %s %s on %s was measured by %d tests: choose one", ErrTimes, role,
			sel.Learner, sel.Data, len(experiments))
	}
	if err := experiments[0].err; err != nil {
		return nil, fmt.Errorf("%s %s: %w", role, sel.Learner, err)
	}
	sc, err := sel.scores(role, metrics[0].Name) // checks the cells
	if err != nil {
		return nil, err
	}
	b := experiments[0].union
	if err := measured(b); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrTimes, sc.where, err)
	}
	columns := b.table.fit
	if name == PredictTime {
		columns = b.table.predict
	}
	sc.unit = unit.Unit{Name: name, Better: unit.Lower, Max: math.Inf(1)}
	sc.values, sc.more, sc.moreErr = ofRuns(&b.table, columns[b.index[sel.Learner]], sc.runs), 0, nil
	n := sc.runs * sc.folds
	sc.trainN, sc.testN = sc.trainN[:n], sc.testN[:n]
	return sc, nil
}

// PairTimes pairs the seconds that two learners took in each cell of the protocol's own runs: for
// training (FitTime), or for the predictions of all test examples (PredictTime). It returns the
// errors of [Pair], and [ErrTimes], which says why, unless all times of both sides were measured
// serially on one known machine.
func PairTimes(candidate, baseline Selection, name string) (*Pairs, error) {
	if !IsTime(name) {
		return nil, fmt.Errorf("%w: %s is no time: there are %s and %s", ErrNotFound, name,
			FitTime, PredictTime)
	}
	var sides [2]*scores
	for i, sel := range []Selection{candidate, baseline} {
		role := [...]string{"candidate", "baseline"}[i]
		sc, err := sel.times(role, name)
		if err != nil {
			return nil, err
		}
		sides[i] = sc
	}
	a, b := sides[0], sides[1]
	p, err := pairScores(candidate, baseline, a, b)
	if err != nil {
		return nil, err
	}
	if a.header != b.header {
		x, y := a.header.Machine, b.header.Machine
		if m, _ := parseMachine(x); x == y && m.CPU == "" {
			return nil, fmt.Errorf("%w: %s and %s do not name the model of their processor, so that nothing shows that it is one machine: measure both learners in one run", ErrTimes, a.where, b.where)
		}
		if x != y {
			return nil, fmt.Errorf("%w: %s was measured on %q and %s on %q: measure both on one machine",
				ErrTimes, a.where, x, b.where, y)
		}
	}
	return p, nil
}
