package record

import (
	"fmt"
	"math"

	"golang.org/x/perf/benchunit"
)

// The units of a trial that are not metrics.
const (
	unitFailed  = "failed"
	unitTrain   = "train-n"
	unitTest    = "test-n"
	unitFit     = "fit-sec/op"
	unitPredict = "predict-sec/op"
)

// maxCount bounds every count in a file, so that the number of cells of a plan
// fits into an int64.
const maxCount = 1 << 24

// validate returns an error that wraps ErrInvalid unless the set can be
// written and read back.
func (s *Set) validate() error {
	if err := s.validatePlan(); err != nil {
		return err
	}
	for i := range s.Trials {
		t := &s.Trials[i]
		if err := t.validateValues(s.Units); err != nil {
			return fmt.Errorf("%w: %v: %w", ErrInvalid, t.Cell(), err)
		}
	}
	return nil
}

// validatePlan returns an error that wraps ErrInvalid unless the head of the
// set is valid and all its trials have a place in the plan.
func (s *Set) validatePlan() error {
	if err := s.validateHead(); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if len(s.Trials) == 0 {
		return fmt.Errorf("%w: set without trials (protocol %s)", ErrInvalid, s.Header.Protocol)
	}
	learners := indexNames(s.learners())
	for i := range s.Trials {
		t := &s.Trials[i]
		if t.Data != s.data() {
			return fmt.Errorf("%w: %v: the set is of data set %s", ErrInvalid, t.Cell(), s.data())
		}
		if _, ok := learners[t.Learner]; !ok {
			return fmt.Errorf("%w: %v: the learner is not in the plan", ErrInvalid, t.Cell())
		}
		if err := t.validateCell(&s.Header); err != nil {
			return fmt.Errorf("%w: %v: %w", ErrInvalid, t.Cell(), err)
		}
	}
	return nil
}

// validateHead validates all but the trials.
func (s *Set) validateHead() error {
	if err := s.Header.validate(); err != nil {
		return err
	}
	if err := validateLearners(s.learners()); err != nil {
		return err
	}
	return validateUnits(s.Units)
}

// indexNames maps every name to its index.
func indexNames(names []string) map[string]int {
	m := make(map[string]int, len(names))
	for i, name := range names {
		m[name] = i
	}
	return m
}

func (h *Header) validate() error {
	for _, k := range headerKeys {
		switch v := k.get(h); {
		case k.required && v == "":
			return fmt.Errorf("%s is empty", k.name)
		case k.count && (v != "" || k.required):
			if err := validateCount(v); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
		}
	}
	return nil
}

// validateCount returns an error unless v is the decimal form of a number from
// 1 to maxCount.
func validateCount(v string) error {
	if _, ok := parseCount(v); !ok {
		return fmt.Errorf("%q is not a number from 1 to %d", v, maxCount)
	}
	return nil
}

// parseCount parses a number from 1 to maxCount without sign and leading zeros.
func parseCount(v string) (int, bool) {
	if v == "" || v[0] == '0' || len(v) > 8 {
		return 0, false
	}
	n := 0
	for i := range len(v) {
		if v[i] < '0' || v[i] > '9' {
			return 0, false
		}
		n = n*10 + int(v[i]-'0')
	}
	return n, n <= maxCount
}

func validateLearners(names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("no learners")
	}
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return fmt.Errorf("two learners have the name %q", name)
		}
		seen[name] = true
	}
	return nil
}

func validateUnits(units []Unit) error {
	if len(units) == 0 {
		return fmt.Errorf("no metrics")
	}
	seen := make(map[string]bool, len(units))
	for _, u := range units {
		if err := u.validate(); err != nil {
			return fmt.Errorf("unit %q: %w", u.Name, err)
		}
		if seen[u.Name] {
			return fmt.Errorf("unit %q is declared twice", u.Name)
		}
		seen[u.Name] = true
	}
	return nil
}

func (u Unit) validate() error {
	switch u.Name {
	case "":
		return fmt.Errorf("no name")
	case unitFailed, unitTrain, unitTest, unitFit, unitPredict:
		return fmt.Errorf("the name is reserved")
	}
	name := string(appendName(nil, u.Name, ""))
	if _, tidy := benchunit.Tidy(1, name); tidy != name {
		// A zero is not rescaled with the other values, so that tools would
		// show two units.
		return fmt.Errorf("tools for benchmarks would rescale it to %s: use that unit", tidy)
	}
	if u.Better != Higher && u.Better != Lower {
		return fmt.Errorf("better is neither higher nor lower")
	}
	if !(u.Min <= u.Max) || math.IsInf(u.Min, 1) || math.IsInf(u.Max, -1) {
		return fmt.Errorf("invalid range from %v to %v", u.Min, u.Max)
	}
	return nil
}

// validateCell returns an error if the trial has no place in the plan.
func (t *Trial) validateCell(h *Header) error {
	switch {
	case t.Run < 1 || t.Run > h.Runs:
		return fmt.Errorf("run %d is not one of %d", t.Run, h.Runs)
	case t.Fold < 1 || t.Fold > h.Folds:
		return fmt.Errorf("fold %d is not one of %d", t.Fold, h.Folds)
	case t.TrainN < 0 || t.TrainN > math.MaxInt32:
		return fmt.Errorf("%s is %d", unitTrain, t.TrainN)
	case t.TestN < 1 || t.TestN > math.MaxInt32:
		return fmt.Errorf("%s is %d", unitTest, t.TestN)
	}
	return nil
}

// validateValues returns an error unless the trial has a finite value of each
// unit, or none if it failed.
func (t *Trial) validateValues(units []Unit) error {
	switch {
	case !isSeconds(t.FitSeconds):
		return fmt.Errorf("%s is %v", unitFit, t.FitSeconds)
	case !isSeconds(t.PredictSec):
		return fmt.Errorf("%s is %v", unitPredict, t.PredictSec)
	case t.Err != "" && len(t.Values) != 0:
		return fmt.Errorf("a failed trial has values")
	case t.Err != "":
		return nil
	case len(t.Values) != len(units):
		return fmt.Errorf("%d values for %d metrics", len(t.Values), len(units))
	}
	for i, v := range t.Values {
		if v.Unit != units[i].Name {
			return fmt.Errorf("value %d is of unit %q instead of %q", i, v.Unit, units[i].Name)
		}
		if !isFinite(v.Value) {
			return fmt.Errorf("%s is %v", v.Unit, v.Value)
		}
	}
	return nil
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func isSeconds(x float64) bool { return isFinite(x) && x >= 0 }
