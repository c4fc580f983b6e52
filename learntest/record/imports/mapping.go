package imports

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

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
	return []string{
		roleData, roleLearner, roleRun, roleFold, roleSplit, roleTrain, roleTest, roleFit,
		rolePredict, roleFailure,
	}
}

// ParseMap parses WHAT=COLUMN,WHAT=COLUMN and so on, where the direction of a metric may stand
// behind a colon, as in gain:higher=COLUMN. Double quotes are as in a line of CSV.
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

func parseMapping(s string) (Mapping, error) {
	what, column, ok := strings.Cut(s, "=")
	if !ok || what == "" || column == "" {
		return Mapping{}, fmt.Errorf("%w: %q in a map is not WHAT=COLUMN, as in fold=cv_fold", ErrOptions,
			s)
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
			return m, fmt.Errorf("%w: %q in a map: a direction is higher or lower, not %q", ErrOptions, s,
				direction)
		}
	}
	return m, nil
}

// isRole reports whether the column is not one of scores.
func (m *Mapping) isRole() bool { return slices.Contains(roles(), m.What) }
