package report

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A Gate says what the report is held against, and what came of it.
type Gate struct {
	FailOn   []string  `json:"fail_on"`
	Require  []string  `json:"require"`
	State    string    `json:"state"`    // in words; "" without a gate, or if not everything could be judged
	Adjusted bool      `json:"adjusted"` // improved and regressed use the adjusted p
	Offences []Offence `json:"offences"`
	Spared   int       `json:"spared"`    // comparisons that only the adjustment keeps from being an offence
	SparedAt []Offence `json:"spared_at"` // which

	// Over are the tests over data sets that are part of the gate.
	Over []OverTest `json:"over"`

	// Undecided are the comparisons that a gate on regressions lets pass although they may be a
	// loss.
	Undecided []Undecided `json:"undecided"`

	// Ratios are the times of comparisons where -require has a limit of them.
	Ratios []Ratio `json:"ratios,omitempty"`
}

// A Ratio is the times or costs of a comparison, held against a limit.
type Ratio struct {
	Row      string      `json:"row"`
	Time     string      `json:"time"` // fit-sec, predict-sec, or the name of a cost of items or models
	Limit    unit.Number `json:"limit"`
	Median   unit.Number `json:"median"`  // the median of the trials' ratios, or the ratio of mean costs or of totals
	AtMost   unit.Number `json:"at_most"` // its one-sided upper bound; the ratio itself if nothing is estimated
	P        unit.Number `json:"p"`
	Within   bool        `json:"within"`
	Sentence string      `json:"sentence"` // what came of it
}

// An OverTest is a test over data sets that is part of a gate on differences, wherever its rows
// are.
type OverTest struct {
	Metric   string `json:"metric"`
	Learner  string `json:"learner"` // the candidate
	Column   int    `json:"column"`  // index
	DataSets int    `json:"data_sets"`
	Test     string `json:"test"`
	OverColumn
	AdjustedP unit.Number `json:"adjusted_p"` // over all such tests
	Why       string      `json:"why"`        // the gate fails on it; "" if it does not
	Waived    string      `json:"waived,omitempty"`
}

// Label names the test as the label of a row does.
func (o *OverTest) Label() string {
	return fmt.Sprintf("%s over %d data sets", o.Learner,
		o.DataSets)
}

// Not stands before the name of a requirement in the reason of an offence.
const Not = "not "

// NonInferior is the name of the requirement that a candidate is not worse by the margin.
const NonInferior = "non-inferior"

// At says where a comparison is.
type At struct {
	Table  int `json:"table"` // index
	Row    int `json:"row"`
	Column int `json:"column"`
}

// An Undecided is a comparison that is no offence, since nothing was shown of it.
type Undecided struct {
	At
	Loss unit.Number `json:"loss"` // at the worse end of the interval, in the unit of the metric; NaN if there is none
}

// An Offence is a comparison that the gate fails on.
type Offence struct {
	At
	Why    string `json:"why"`              // the outcome that the gate fails on, or Not and the requirement
	Waived string `json:"waived,omitempty"` // why it may pass nevertheless
}

// Strict reports whether there is a gate at all.
func (g *Gate) Strict() bool { return len(g.FailOn)+len(g.Require)+len(g.Ratios) > 0 }

// RatioFails returns the number of ratios that are not shown to be within their limits.
func (g *Gate) RatioFails() int {
	n := 0
	for _, r := range g.Ratios {
		if !r.Within {
			n++
		}
	}
	return n
}

// OverFails returns the number of tests over data sets that the gate fails on and that are not
// waived.
func (g *Gate) OverFails() int {
	n := 0
	for i := range g.Over {
		if g.Over[i].Why != "" && g.Over[i].Waived == "" {
			n++
		}
	}
	return n
}

// Fails returns the number of comparisons with offences that were not waived.
func (g *Gate) Fails() int {
	n := 0
	for _, o := range g.Decisive() {
		if o.Waived == "" {
			n++
		}
	}
	return n
}

// Decisive returns the offence that counts of each comparison that has any: one that is waived only
// if all are.
func (g *Gate) Decisive() map[At]Offence {
	decisive := make(map[At]Offence)
	for _, o := range g.Offences {
		if have, ok := decisive[o.At]; !ok || have.Waived != "" {
			decisive[o.At] = o
		}
	}
	return decisive
}
