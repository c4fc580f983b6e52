package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
)

// benchstatFlags are flags of benchstat, of this version and of earlier ones, each with learnstat's
// flag for it.
var benchstatFlags = map[string]string{
	"confidence": "-alpha 0.05 is a confidence of 0.95",
	"delta-test": "-test names the significance test",
	"geomean":    "scores are compared over data sets by a test, see -across",
	"csv":        "-format csv",
	"sort":       "rows that matter most come first; -row '/learner@(a b)' chooses an order",
	"split":      "-table names the keys of tables",
	"norange":    "-format csv has all numbers",
	"unit":       "-metric chooses metrics",
}

// hinted adds to the error on an unknown flag which flag is meant, where that is known.
func hinted(fs *flag.FlagSet, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if hint := benchstatFlags[name]; unknown && hint != "" {
		return fmt.Errorf("%w: %s", err, hint)
	}
	if near := cli.NearestFlag(fs, err); near != "" {
		return fmt.Errorf("%w%s", err, near)
	}
	return err
}
