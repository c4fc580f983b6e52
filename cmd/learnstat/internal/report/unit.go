package report

import (
	"math"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A Unit is a metric.
type Unit struct {
	Name   string      `json:"name"`
	Better string      `json:"better"` // higher or lower
	Min    unit.Number `json:"min"`
	Max    unit.Number `json:"max"`
}

// NewUnit returns the metric of a unit.
func NewUnit(u unit.Unit) *Unit {
	return &Unit{
		Name: u.Name, Better: u.Better.String(), Min: unit.Number(u.Min),
		Max: unit.Number(u.Max),
	}
}

// Record returns the unit as package record has it.
func (u *Unit) Record() unit.Unit {
	r := unit.Unit{Name: u.Name, Better: unit.Higher, Min: float64(u.Min), Max: float64(u.Max)}
	if u.Better == unit.Lower.String() {
		r.Better = unit.Lower
	}
	return r
}

// measure returns the unit of a metric, one without bounds if nothing is known of it.
func measure(metric string, u *Unit) unit.Unit {
	if u == nil {
		return unit.Unit{Name: metric, Better: unit.Higher, Min: math.Inf(-1), Max: math.Inf(1)}
	}
	return u.Record()
}
