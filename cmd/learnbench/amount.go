package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// points says whether an amount was given in percentage points.
type points bool

// flag returns what takes the value of a flag: a number in the unit of the metric, or in percentage
// points, as in 2pp.
func (p *points) flag(x *float64) func(text string) error {
	return func(text string) error {
		number, inPoints := strings.CutSuffix(text, "pp")
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return errors.New("want a number in the unit of the metric, as 0.02, or points of one that is a fraction, as 2pp")
		}
		if *x = v; inPoints {
			*x, *p = v/100, true
		}
		return nil
	}
}

// check returns an error if the metric has no percentage points, and an amount was given in them.
func (p points) check(u record.Unit) error {
	if bool(p) && !verdict.IsFraction(u) {
		return fmt.Errorf("pp are percentage points, and %s is no fraction: give the amount in its unit", u.Name)
	}
	return nil
}
