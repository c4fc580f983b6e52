package study

import (
	"context"

	"github.com/learnbench/learnbench/internal/lab"
)

func gateStudies() []Study {
	return []Study{
		{
			Name: "gate",
			Doc:  "how often the default test finds a difference where there is none, and where there is one, beside the second opinion and what others do",
			Run:  configured(runGate),
		},
		{
			Name: "gate-shift",
			Doc:  "a search for the data on which the default test, and the second opinion, are wrong most often",
			Run:  configured(runGateShift),
		},
		{
			Name: "gate-claims",
			Doc:  "how often each kind of claim holds where it is just not true, with a second opinion and without",
			Run:  configured(runGateClaims),
		},
		{
			Name: "gate-constant",
			Doc:  "how often verdicts warn of trees that sometimes find nothing to split on, where the default test keeps its level and where it does not",
			Run:  configured(runGateConstant),
		},
		{
			Name: "gate-margin",
			Doc:  "how often a candidate that truly loses the margin passes, and how often a difference is found on few folds where there is none",
			Run:  configured(runGateMargin),
		},
	}
}

// gateSets is the number of data sets of each null in a full study, and gatePowerSets the
// number of data sets on which power is measured, which takes halves of most of them.
const (
	gateSets      = 2000
	gatePowerSets = 1000
)

func runGate(ctx context.Context, cfg lab.Config) (*Report, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	all, err := nulls()
	if err != nil {
		return nil, err
	}
	sets := cfg.SetsOr(3, gateSets)
	rows, err := gateRows(ctx, cfg, all, sets, min(sets, gatePowerSets))
	if err != nil {
		return nil, err
	}
	return &Report{Tables: []Table{gateTable(rows), gatePowerTable(rows), gateBeside(rows)}}, nil
}
