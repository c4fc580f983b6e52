package report

import (
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Verdict is that on the difference of a cell from the baseline's. Differences are
// candidate − baseline in the unit of the metric, whichever direction is better.
type Verdict struct {
	Outcome     string `json:"outcome"`
	Significant int    `json:"significant"` // 1 if the candidate is significantly better, -1 if worse, else 0
	Identical   bool   `json:"identical"`   // no score differs

	Difference unit.Number `json:"difference"`
	Lo         unit.Number `json:"lo"` // of the interval
	Hi         unit.Number `json:"hi"`
	Level      unit.Number `json:"level"`

	Test      string      `json:"test"`
	Statistic unit.Number `json:"statistic"`
	DF        unit.Number `json:"df"`
	DF2       unit.Number `json:"df2"`
	P         unit.Number `json:"p"`
	AdjustedP unit.Number `json:"adjusted_p"` // over the comparisons of the table
	LeastP    unit.Number `json:"least_p"`    // the smallest p that the test could have, whatever the results
	Runs      int         `json:"runs"`
	Folds     int         `json:"folds"`

	Second     *Second     `json:"second,omitempty"` // where one was asked for
	Margin     *Margin     `json:"margin,omitempty"`
	Rerun      *Rerun      `json:"rerun,omitempty"`
	Bayes      *Regions    `json:"bayes,omitempty"`
	Detectable unit.Number `json:"detectable"`

	Reason string   `json:"reason,omitempty"` // why it is invalid, or what keeps it from another outcome
	Notes  []string `json:"notes,omitempty"`  // footnotes
	Full   *Full    `json:"full,omitempty"`   // where the format shows it
}

// A Second is the second opinion: P of the verdict is the larger of its p and that of the
// first test.
type Second struct {
	P         unit.Number `json:"p"`
	FirstP    unit.Number `json:"first_p"`
	Agrees    bool        `json:"agrees"`
	Protocol  string      `json:"protocol"`
	Trainings int         `json:"trainings"` // of both learners
}

// A Margin says where the difference lies in relation to a margin.
type Margin struct {
	Value       unit.Number `json:"value"` // in the unit of the metric
	P           unit.Number `json:"p"`     // of the tests that the difference is within it
	Lo          unit.Number `json:"lo"`    // of the interval that goes with them
	Hi          unit.Number `json:"hi"`
	Within      bool        `json:"within"`       // shown to be within it
	NonInferior bool        `json:"non_inferior"` // shown not to be worse by it
}

// A Rerun says whether other partitions would lead to the same conclusion.
type Rerun struct {
	R        unit.Number `json:"r"`
	Lo       unit.Number `json:"lo"`
	Hi       unit.Number `json:"hi"`
	Agrees   unit.Number `json:"agrees"` // probability that a rerun agrees with this verdict
	Runs     int         `json:"runs"`
	Repeats  int         `json:"repeats,omitempty"`
	Agreeing int         `json:"agreeing,omitempty"`
}

// Full is what is known beside of a verdict.
type Full struct {
	Protocol       string   `json:"protocol"`
	DataSHA256     string   `json:"data_sha256"`
	SplitSHA256    string   `json:"split_sha256"`
	Commit         string   `json:"commit"`
	BaselineCommit string   `json:"baseline_commit"`
	Reproduce      string   `json:"reproduce,omitempty"`
	Warnings       []string `json:"warnings,omitempty"`
	Text           string   `json:"text"` // the verdict as a test in Go prints it
}
