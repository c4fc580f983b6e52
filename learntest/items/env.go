package items

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// The environment variables that tests of items read, with the meaning that they have in package
// learntest.
const (
	envOut     = "LEARNTEST_OUT"
	envUpdate  = "LEARNTEST_UPDATE"
	envAlpha   = "LEARNTEST_ALPHA"
	envDegrade = "LEARNTEST_DEGRADE"
	envIn      = "LEARNTEST_IN"
	envShard   = "LEARNTEST_SHARD"
	envResume  = "LEARNTEST_RESUME"
	envBudget  = "LEARNTEST_BUDGET"
	envItems   = "LEARNTEST_ITEMS"

	envResponses   = "LEARNTEST_RESPONSES"
	envPredictions = "LEARNTEST_PREDICTIONS"
)

// An environment is the settings of these variables.
type environment struct {
	out    string
	update string // "", "1" or "force"
	alpha  float64
	resume bool
	budget float64 // 0 if not set
	record bool    // responses that are missing
	items  string  // a pattern of the items that are asked for; empty if all are

	degrade float64 // the share of the candidate's items that get the worst scores

	predictions bool // are to be kept, of learners that are trained
}

// readEnvironment looks the variables up, each by its name, since the cache of go test regards no
// others.
func readEnvironment(lookup func(string) (string, bool)) (e environment, err error) {
	fail := func(name, value, format string, args ...any) (environment, error) {
		return e, fmt.Errorf("%w: environment variable %s=%s: %s", ErrConfig, name, value,
			fmt.Sprintf(format, args...))
	}
	if errs := gotest.Misspelt(os.Environ()); errs != nil {
		return e, fmt.Errorf("%w: %w", ErrConfig, errs[0])
	}
	for _, name := range []string{envIn, envShard} {
		if value, _ := lookup(name); value != "" {
			return fail(name, value, "it is for learners that are trained, and a test of items would do without it unseen: unset it, or leave this test out with -skip")
		}
	}
	if e.out, _ = lookup(envOut); e.out != "" {
		if !filepath.IsAbs(e.out) {
			return fail(envOut, e.out, "a relative path would be another file in each package: use an absolute one, as %s=$PWD/%s", envOut, e.out)
		}
		if gotest.MayBeCached() {
			return fail(envOut, e.out, "add -count=1: a cached run writes no file")
		}
	}
	if value, _ := lookup(envAlpha); value != "" {
		e.alpha, err = strconv.ParseFloat(value, 64)
		if err != nil || !(e.alpha > 0 && e.alpha <= verdict.DefaultAlpha) {
			return fail(envAlpha, value, "it must be above 0 and at most %v: what a test claims may be made stricter from outside only", verdict.DefaultAlpha)
		}
	}
	if value, _ := lookup(envResume); value != "" {
		if e.resume = true; value != "1" {
			return fail(envResume, value, "it must be 1 or not set")
		}
		if gotest.MayBeCached() {
			return fail(envResume, value, "add -count=1: the cache does not see which answers are kept")
		}
	}
	value, _ := lookup(envPredictions)
	e.predictions = value != ""
	if value, _ := lookup(envBudget); value != "" {
		e.budget, err = strconv.ParseFloat(value, 64)
		if err != nil || !(e.budget > 0) || math.IsInf(e.budget, 1) {
			return fail(envBudget, value, "it must be a number above 0")
		}
	}
	ci := func() string { return gotest.CIVariable(lookup) }
	if value, _ := lookup(envResponses); value != "" {
		switch name := ci(); {
		case value != "record":
			return fail(envResponses, value, "it must be record or not set")
		case gotest.MayBeCached():
			return fail(envResponses, value, "add -count=1: a cached run writes no file")
		case name != "":
			return fail(envResponses, value,
				"%s is set, as in continuous integration: responses change in a commit that somebody reviews",
				name)
		}
		e.record = true
	}
	e.update, _ = lookup(envUpdate)
	if e.items, _ = lookup(envItems); e.items != "" {
		switch name := ci(); {
		case name != "":
			return fail(envItems, e.items, "%s is set, as in continuous integration: it would judge nothing",
				name)
		case e.out != "" || e.update != "" || e.resume:
			return fail(envItems, e.items, "unset %s, %s and %s: some of the answers are no results", envOut,
				envUpdate, envResume)
		}
	}
	if value, _ := lookup(envDegrade); value != "" {
		e.degrade, err = strconv.ParseFloat(value, 64)
		if err != nil || !(e.degrade > 0 && e.degrade <= maxDegrade) {
			return fail(envDegrade, value, "it must be above 0 and at most %v", maxDegrade)
		}
		if e.out != "" || e.update != "" || e.resume {
			return fail(envDegrade, value,
				"unset %s, %s and %s: answers that were made worse on purpose are no results", envOut,
				envUpdate, envResume)
		}
	}
	if e.update == "" {
		return e, nil
	}
	if e.update != "1" && e.update != "force" {
		return fail(envUpdate, e.update, "it must be 1, force or not set")
	}
	switch name := ci(); {
	case name != "" && e.update == "1":
		return fail(envUpdate, e.update,
			"%s is set, as in continuous integration: a baseline changes in a commit that somebody reviews; %s=force writes it nevertheless", name, envUpdate)
	case gotest.MayBeCached():
		return fail(envUpdate, e.update, "add -count=1: a cached run writes no file")
	}
	return e, nil
}

// apply lets the environment override the configuration.
func (e *environment) apply(c Config) Config {
	if e.budget > 0 {
		c.Budget = e.budget
	}
	return c
}
