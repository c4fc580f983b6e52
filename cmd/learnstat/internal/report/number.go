package report

import "github.com/learnbench/learnbench/learntest/unit"

// A Number is a unit.Number.
type Number = unit.Number

// NaN is the number of what is not known.
func NaN() Number { return unit.NaN() }
