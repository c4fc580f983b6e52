package imports

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Mapping says what a column of a table holds.
type Mapping struct {
	// A role (data, learner, run, fold, split, train-n, test-n, fit-sec, predict-sec or failure)
	// or a metric.
	What string

	// Better is the direction of a metric that package metric does not have.
	Better unit.Direction

	// Column is the name of the column. A number in the names of several columns is written as
	// {run}, {fold} or {split}, as in split{split}_test_score.
	Column string
}

// Roles of columns.
const (
	roleData    = "data"
	roleLearner = "learner"
	roleRun     = "run"
	roleFold    = "fold"
	roleSplit   = "split"
	roleTrain   = "train-n"
	roleTest    = "test-n"
	roleFit     = "fit-sec"
	rolePredict = "predict-sec"
	roleFailure = "failure"
)

func roles() []string {
	return []string{roleData, roleLearner, roleRun, roleFold, roleSplit, roleTrain, roleTest, roleFit, rolePredict, roleFailure}
}

// ParseMap parses WHAT=COLUMN,WHAT=COLUMN and so on, where the direction of a metric may stand behind a
// colon, as in gain:higher=COLUMN. Double quotes are as in a line of CSV.
func ParseMap(s string) ([]Mapping, error) {
	r := csv.NewReader(strings.NewReader(s))
	fields, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%w: %q is no list of WHAT=COLUMN: %w", ErrOptions, s, err)
	}
	var all []Mapping
	for _, field := range fields {
		m, err := parseMapping(strings.TrimSpace(field))
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// AddMap adds the columns of a text as [ParseMap] takes it.
func (o *Options) AddMap(s string) error {
	m, err := ParseMap(s)
	o.Map = append(o.Map, m...)
	return err
}

func parseMapping(s string) (Mapping, error) {
	what, column, ok := strings.Cut(s, "=")
	if !ok || what == "" || column == "" {
		return Mapping{}, fmt.Errorf("%w: %q in a map is not WHAT=COLUMN, as in fold=cv_fold", ErrOptions, s)
	}
	m := Mapping{What: what, Column: column}
	name, direction, directed := strings.Cut(what, ":")
	if directed {
		m.What = name
		switch direction {
		case unit.Higher.String():
			m.Better = unit.Higher
		case unit.Lower.String():
			m.Better = unit.Lower
		default:
			return m, fmt.Errorf("%w: %q in a map: a direction is higher or lower, not %q", ErrOptions, s, direction)
		}
	}
	return m, nil
}

// isRole reports whether the column is not one of scores.
func (m *Mapping) isRole() bool { return slices.Contains(roles(), m.What) }

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

// column returns the name of the column that has the role, or "".
func (o *Options) column(role string) string {
	for _, m := range o.Map {
		if m.What == role {
			return m.Column
		}
	}
	return ""
}

// mapped reports whether a role has a column, or a number in the names of columns.
func (o *Options) mapped(role string) bool {
	return o.column(role) != "" || slices.ContainsFunc(o.Map, func(m Mapping) bool { return strings.Contains(m.Column, "{"+role+"}") })
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
		if o.column(role) != "" && slices.ContainsFunc(o.Map, func(m Mapping) bool { return strings.Contains(m.Column, "{"+role+"}") }) {
			return fmt.Errorf("%w: Map (-map) has a column for %s and {%s} in the name of another: leave one out", ErrOptions, role, role)
		}
	}
	return nil
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
	for _, r := range []struct{ role, option string }{{roleData, optDataset}, {roleLearner, optLearner}} {
		if o.mapped(r.role) {
			f.refuses = append(slices.Clone(f.refuses), r.option)
		} else {
			f.needs = append(slices.Clone(f.needs), r.option)
		}
	}
	return f
}
