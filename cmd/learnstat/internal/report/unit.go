package report

import (
	"math"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A Unit is a metric.
type Unit struct {
	Name   string `json:"name"`
	Better string `json:"better"` // higher or lower
	Min    Number `json:"min"`
	Max    Number `json:"max"`
}

// NewUnit returns the metric of a unit.
func NewUnit(u unit.Unit) *Unit {
	return &Unit{Name: u.Name, Better: u.Better.String(), Min: Number(u.Min), Max: Number(u.Max)}
}

// Record returns the unit as package record has it.
func (u *Unit) Record() unit.Unit {
	r := unit.Unit{Name: u.Name, Better: unit.Higher, Min: float64(u.Min), Max: float64(u.Max)}
	if u.Better == unit.Lower.String() {
		r.Better = unit.Lower
	}
	return r
}

// Measure returns the unit of the metric, one without bounds if nothing was judged.
func (t *Table) Measure() unit.Unit { return measure(t.Metric, t.Unit) }

// Measure returns the unit of the metric, one without bounds if nothing could be read.
func (t *HistoryTable) Measure() unit.Unit { return measure(t.Metric, t.Unit) }

func measure(metric string, u *Unit) unit.Unit {
	if u == nil {
		return unit.Unit{Name: metric, Better: unit.Higher, Min: math.Inf(-1), Max: math.Inf(1)}
	}
	return u.Record()
}
