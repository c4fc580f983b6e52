package record

import (
	"fmt"
	"math"
	"strings"
)

// parseUnit parses the name of a unit and the key=value pairs after it.
func parseUnit(fields []string) (Unit, error) {
	u := Unit{Min: math.Inf(-1), Max: math.Inf(1)}
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
			switch value {
			case Higher.String():
				u.Better = Higher
			case Lower.String():
				u.Better = Lower
			default:
				return u, fmt.Errorf("better is %q, neither higher nor lower", value)
			}
		case "min":
			u.Min, ok = parseNumber(value)
		case "max":
			u.Max, ok = parseNumber(value)
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
