package learntest

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The environment variables that Compare reads.
const (
	envOut    = "LEARNTEST_OUT"
	envSeed   = "LEARNTEST_SEED"
	envRuns   = "LEARNTEST_RUNS"
	envAlpha  = "LEARNTEST_ALPHA"
	envResume = "LEARNTEST_RESUME"

	envPrefix = "LEARNTEST_"
)

// known are the variables that Compare reads.
var known = []string{envAlpha, envOut, envResume, envRuns, envSeed}

// An environment is what the environment variables say.
type environment struct {
	out    string
	seed   *uint64
	runs   int     // 0 if not set
	alpha  float64 // 0 if not set
	resume bool

	settings []string // "NAME=value" of those that influence results, sorted
}

// parseEnvironment reads the variables. The cache of go test looks at those that a
// test has looked up, each by its name, and at no others: so all are looked up in every
// test. The environment is for those that nobody knows: one that starts with LEARNTEST_
// is an error, since a misspelt gate must not be a gate that is always open.
func parseEnvironment(lookup func(name string) (string, bool), environ []string) (environment, error) {
	var e environment
	var errs []error
	for _, name := range known {
		value, _ := lookup(name)
		if value == "" {
			continue
		}
		if err := e.set(name, value); err != nil {
			errs = append(errs, fmt.Errorf("%w: environment variable %s=%s: %w", ErrConfig, name, value, err))
		}
	}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, envPrefix) && value != "" && !slices.Contains(known, name) {
			errs = append(errs, fmt.Errorf("%w: environment variable %s: unknown variable: the known ones are %s", ErrConfig, kv, strings.Join(known, ", ")))
		}
	}
	return e, errors.Join(errs...)
}

// set takes the value of a variable.
func (e *environment) set(name, value string) (err error) {
	switch name {
	case envOut:
		if !filepath.IsAbs(value) {
			return fmt.Errorf("a relative path would be another file in each package: use an absolute one, as %s=$PWD/%s", envOut, value)
		}
		e.out = value
		return nil
	case envResume:
		e.resume = true
		return mustBeOne(value)
	case envSeed:
		var seed uint64
		seed, err = strconv.ParseUint(value, 10, 64)
		e.seed = &seed
	case envRuns:
		if e.runs, err = strconv.Atoi(value); err == nil && e.runs < 1 {
			err = errors.New("it must be at least 1")
		}
	case envAlpha:
		if e.alpha, err = strconv.ParseFloat(value, 64); err == nil && !(e.alpha > 0 && e.alpha < 1) {
			err = errors.New("it must be between 0 and 1")
		}
	}
	e.settings = append(e.settings, name+"="+value)
	return err
}

// mustBeOne returns an error unless a variable that is a switch is on.
func mustBeOne(value string) error {
	if value != "1" {
		return errors.New("it must be 1 or not set")
	}
	return nil
}

// errCached says why a result file cannot be written.
var errCached = errors.New("add -count=1: a cached run writes no file")

// mayBeCached reports whether go test may show the outcome of this run again
// instead of running the tests: just then it has them log what they look at.
func mayBeCached() bool {
	f := flag.Lookup("test.testlogfile")
	return f != nil && f.Value.String() != ""
}

// apply lets the environment override the configuration.
func (e environment) apply(c Config) Config {
	if e.seed != nil {
		c.Protocol = c.Protocol.WithSeed(*e.seed)
	}
	if e.runs > 0 && c.Protocol.IsRandom() {
		c.Protocol = c.Protocol.WithRuns(e.runs)
	}
	if e.out != "" {
		c.Out = e.out
	}
	c.Resume = c.Resume || e.resume
	return c
}
