package imports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/metric"
)

// check returns an error for options that no file could make right.
func (o *Options) check(f Format, sources []Source) error {
	if err := o.Limits.check(); err != nil {
		return err
	}
	if err := o.checkMap(f); err != nil {
		return err
	}
	learner := ""
	if len(sources) > 0 {
		learner = sources[0].Learner
		for i, s := range sources {
			if (s.Learner == "") != (learner == "") {
				return fmt.Errorf("%w: source %s has no learner, others have: name one for each (-learner)",
					ErrOptions, sources[i].Name)
			}
		}
	}
	if o.Predictions && f.Name != formatOpenML && f.Name != formatAMLBPredictions {
		return fmt.Errorf("%w: Predictions (-predictions) are in files of formats %s and %s, and not of format %s", ErrOptions, formatOpenML, formatAMLBPredictions, f.Name)
	}
	given := []struct {
		name string
		set  bool
	}{
		{optDataset, o.Dataset != ""},
		{optLearner, learner != ""},
		{optFolds, o.Folds != 0},
		{optRuns, o.Runs != 0},
		{optExamples, len(o.Examples) > 0},
		{optPartitions, o.Partitions != ""},
	}
	var missing []string
	for _, g := range given {
		if !g.set && slices.Contains(f.needs, g.name) {
			missing = append(missing, g.name)
		}
		if g.name == optExamples && f.sizeless && !g.set && len(o.Tables) == 0 && len(missing) > 0 {
			missing = append(missing, g.name+" "+orTables) // columns n_train and n_test may say it, but something is missing anyway
		}
		if g.set && slices.Contains(f.refuses, g.name) {
			return fmt.Errorf("%w: %s does not apply to format %s, whose files say it", ErrOptions,
				g.name, f.Name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%w: format %s needs %s, which its files do not say", ErrOptions, f.Name,
			strings.Join(missing, ", "))
	}
	if o.Runs < 0 || o.Runs > maxCount {
		return fmt.Errorf("%w: %d runs: give a number from 1 to %d", ErrOptions, o.Runs, maxCount)
	}
	if o.Folds < 0 || o.Folds > maxCount {
		return fmt.Errorf("%w: %d folds: give a number from 1 to %d", ErrOptions, o.Folds, maxCount)
	}
	seen := make(map[string]bool)
	for _, t := range o.Tables {
		if seen[t.Name()] {
			return fmt.Errorf("%w: there are two tables of data set %q", ErrOptions, t.Name())
		}
		seen[t.Name()] = true
	}
	clear(seen)
	for _, m := range o.Measures {
		if seen[m.Column] {
			return fmt.Errorf("%w: measure %q is there twice", ErrOptions, m.Column)
		}
		seen[m.Column] = true
	}
	return nil
}

// checkMap returns an error for columns that contradict each other.
func (o *Options) checkMap(f Format) error {
	if len(o.Map) == 0 {
		return nil
	}
	if f.Name != formatTable {
		return fmt.Errorf("%w: Map (-map) is for format %s, and does not apply to format %s, whose columns are known", ErrOptions, formatTable, f.Name)
	}
	seen := make(map[string]bool)
	scores := 0
	for _, m := range o.Map {
		if err := m.check(); err != nil {
			return err
		}
		if seen[m.What] {
			return fmt.Errorf("%w: %s is there twice in Map (-map)", ErrOptions, m.What)
		}
		seen[m.What] = true
		if !m.isRole() {
			scores++
		}
	}
	switch {
	case len(o.Measures) > 0:
		return fmt.Errorf("%w: %s does not apply to format %s: Map (-map) names the scores, as in accuracy=COLUMN", ErrOptions, optMeasures, formatTable)
	case scores == 0:
		return fmt.Errorf("%w: Map (-map) names no score: add one, as in accuracy=COLUMN or gain:higher=COLUMN", ErrOptions)
	case o.mapped(roleSplit) && (o.mapped(roleFold) || o.mapped(roleRun)):
		return fmt.Errorf("%w: Map (-map) has a split, which counts the folds of all runs, beside a run or a fold: leave one out", ErrOptions)
	case !o.mapped(roleSplit) && !o.mapped(roleFold) && o.Folds > 1:
		return fmt.Errorf("%w: Map (-map) names neither fold nor split, and so the rows of %d folds look alike: add fold=COLUMN, or split=COLUMN that counts through all runs", ErrOptions, o.Folds)
	case (o.column(roleTrain) == "") != (o.column(roleTest) == ""):
		return fmt.Errorf("%w: Map (-map) has only one of %s and %s", ErrOptions, roleTrain, roleTest)
	}
	for _, role := range []string{roleRun, roleFold} {
		if o.column(role) != "" && slices.ContainsFunc(o.Map,
			func(m Mapping) bool { return strings.Contains(m.Column, "{"+role+"}") }) {
			return fmt.Errorf("%w: Map (-map) has a column for %s and {%s} in the name of another: leave one out", ErrOptions, role, role)
		}
	}
	return nil
}

// mapped reports whether a role has a column, or a number in the names of columns.
func (o *Options) mapped(role string) bool {
	return o.column(role) != "" || slices.ContainsFunc(o.Map,
		func(m Mapping) bool { return strings.Contains(m.Column, "{"+role+"}") })
}

// mapped returns the format with the options that it needs beside a map.
func (f Format) mapped(o *Options) Format {
	if f.Name != formatTable {
		return f
	}
	if len(o.Map) == 0 { // the error about that shows a guess
		f.needs = nil
		return f
	}
	for _, r := range []struct{ role, option string }{
		{roleData, optDataset},
		{roleLearner, optLearner},
	} {
		if o.mapped(r.role) {
			f.refuses = append(slices.Clone(f.refuses), r.option)
		} else {
			f.needs = append(slices.Clone(f.needs), r.option)
		}
	}
	return f
}

// check returns an error for a mapping that means nothing.
func (m *Mapping) check() error {
	if m.isRole() {
		if m.Better != 0 {
			return fmt.Errorf("%w: %s in Map (-map) is no metric, and has no direction", ErrOptions, m.What)
		}
		return nil
	}
	if _, err := metric.Lookup(m.What); err != nil && m.Better == 0 {
		return fmt.Errorf("%w: %q in Map (-map) is neither a role (%s) nor a known metric (%s): another metric needs its direction, as in %s:higher=%s",
			ErrOptions, m.What, strings.Join(roles(), ", "), metricNames(), m.What, m.Column)
	}
	return nil
}

// withDefaults returns the options with what others say.
func (o Options) withDefaults(f Format) Options {
	if o.Dataset == "" && len(o.Tables) == 1 && slices.Contains(f.needs, optDataset) {
		o.Dataset = o.Tables[0].Name()
	}
	return o
}
