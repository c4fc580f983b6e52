package gotest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/catalogue"
)

// Variables are the environment variables that tests of the module read.
var Variables = []string{
	"LEARNTEST_ALPHA", "LEARNTEST_BUDGET", "LEARNTEST_CACHE", "LEARNTEST_CACHE_MB",
	"LEARNTEST_DEGRADE", "LEARNTEST_IN", "LEARNTEST_ITEMS", "LEARNTEST_MINUTES", "LEARNTEST_OUT",
	"LEARNTEST_PREDICTIONS", "LEARNTEST_PROBABILITIES", "LEARNTEST_RATIO", "LEARNTEST_RESPONSES",
	"LEARNTEST_RESUME", "LEARNTEST_RUNS", "LEARNTEST_RUNS_MAX", "LEARNTEST_RUNS_MIN", "LEARNTEST_SEED",
	"LEARNTEST_SETTLE",
	"LEARNTEST_SHARD", "LEARNTEST_UPDATE",
}

// Misspelt returns an error for each variable of an environment, a list of NAME=VALUE, that begins
// like these and is none of them: a misspelt gate must not be a gate that is always open.
func Misspelt(environ []string) (errs []error) {
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "LEARNTEST_") && value != "" && !slices.Contains(Variables, name) {
			errs = append(errs, fmt.Errorf("environment variable %s: unknown variable: the known ones are %s%s",
				kv, strings.Join(Variables, ", "), catalogue.Suggest(name, Variables)))
		}
	}
	return errs
}
