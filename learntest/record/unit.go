package record

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
	"golang.org/x/perf/benchunit"
)

// The units of a trial that are not metrics.
const (
	unitFailed   = "failed"
	unitConstant = "constant-model"
	unitTrain    = "train-n"
	unitTest     = "test-n"
	unitFit      = "fit-sec/op"
	unitPredict  = "predict-sec/op"
	unitCall     = "call-sec/op" // of items
)

// parseUnit parses the name of a unit and the key=value pairs after it.
func parseUnit(fields []string) (unit.Unit, error) {
	u := unit.Unit{Min: math.Inf(-1), Max: math.Inf(1)}
	name, err := unescapeName(fields[0])
	if err != nil {
		return u, err
	}
	u.Name = name
	seen := make(map[string]bool)
	for _, field := range fields[1:] {
		key, value, ok := strings.Cut(field, "=")
		if !ok {
			return u, fmt.Errorf("%q is not key=value", field)
		}
		if seen[key] {
			return u, fmt.Errorf("%s is there twice", key)
		}
		seen[key] = true
		switch key {
		case "better":
			if u.Better, ok = unit.ParseDirection(value); !ok {
				return u, fmt.Errorf("better is %q, neither higher nor lower", value)
			}
		case "min":
			u.Min, ok = parseNumber(value)
		case "max":
			u.Max, ok = parseNumber(value)
		case "mean":
			if u.Mean = value == "examples"; !u.Mean {
				return u, fmt.Errorf("mean is %q, not examples", value)
			}
		case "of":
			if u.OfModel = value == "model"; !u.OfModel {
				return u, fmt.Errorf("of is %q, not model", value)
			}
		default:
			return u, fmt.Errorf("unknown key %q", key)
		}
		if !ok {
			return u, fmt.Errorf("%s is %q, not a finite number", key, value)
		}
	}
	if u.Better == 0 {
		return u, fmt.Errorf("better=higher or better=lower is missing")
	}
	return u, nil
}

func validateUnits(units []unit.Unit) error {
	if len(units) == 0 {
		return fmt.Errorf("no metrics")
	}
	seen := make(map[string]bool, len(units))
	for _, u := range units {
		if err := validateUnit(u); err != nil {
			return fmt.Errorf("unit %q: %w", u.Name, err)
		}
		if seen[u.Name] {
			return fmt.Errorf("unit %q is declared twice", u.Name)
		}
		seen[u.Name] = true
	}
	return nil
}

func validateUnit(u unit.Unit) error {
	switch u.Name {
	case "":
		return fmt.Errorf("no name")
	case unitFailed, unitTrain, unitTest, unitFit, unitPredict, unitConstant:
		return fmt.Errorf("the name is reserved")
	}
	name := string(appendName(nil, u.Name, ""))
	if _, tidy := benchunit.Tidy(1, name); tidy != name {
		// A zero is not rescaled with the other values, so that tools would
		// show two units.
		return fmt.Errorf("tools for benchmarks would rescale it to %s: use that unit", tidy)
	}
	if u.Better != unit.Higher && u.Better != unit.Lower {
		return fmt.Errorf("better is neither higher nor lower")
	}
	if !(u.Min <= u.Max) || math.IsInf(u.Min, 1) || math.IsInf(u.Max, -1) {
		return fmt.Errorf("invalid range from %v to %v", u.Min, u.Max)
	}
	if u.Mean && (math.IsInf(u.Min, 0) || math.IsInf(u.Max, 0)) {
		return fmt.Errorf("a mean over examples of values without a range: give min and max")
	}
	return nil
}

// appendUnit appends the declaration of a unit. Equal units have equal texts: a bound
// of −0 is written as 0.
func appendUnit(b []byte, u unit.Unit) []byte {
	b = appendName(b, u.Name, "")
	b = append(append(b, " better="...), u.Better.String()...)
	if !math.IsInf(u.Min, -1) {
		b = appendFloat(append(b, " min="...), u.Min+0)
	}
	if !math.IsInf(u.Max, 1) {
		b = appendFloat(append(b, " max="...), u.Max+0)
	}
	if u.Mean {
		b = append(b, " mean=examples"...)
	}
	if u.OfModel {
		b = append(b, " of=model"...)
	}
	return b
}

func unitText(u unit.Unit) string { return strconv.Quote(string(appendUnit(nil, u))) }

// unitsText returns all units in one line.
func unitsText(units []unit.Unit) string {
	var b []byte
	for i, u := range units {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendUnit(b, u)
	}
	return string(b)
}

// appendFloat appends the shortest decimal number that reads back as x.
func appendFloat(b []byte, x float64) []byte { return strconv.AppendFloat(b, x, 'g', -1, 64) }

// parseNumber parses a number as strconv does, but neither NaN nor an
// infinity.
func parseNumber(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && isFinite(x)
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
