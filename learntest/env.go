package learntest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The environment variables that Compare reads.
const (
	envOut   = "LEARNTEST_OUT"
	envSeed  = "LEARNTEST_SEED"
	envRuns  = "LEARNTEST_RUNS"
	envAlpha = "LEARNTEST_ALPHA"

	envPrefix = "LEARNTEST_"
)

// An environment is what the environment variables say.
type environment struct {
	out   string
	seed  *uint64
	runs  int     // 0 if not set
	alpha float64 // 0 if not set

	settings []string // "NAME=value" of those that influence results, sorted
}

// parseEnvironment reads variables in the form of os.Environ. A variable that
// starts with LEARNTEST_ and is not known is an error: a misspelt gate must not
// be a gate that is always open.
func parseEnvironment(environ []string) (environment, error) {
	var e environment
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, envPrefix) || value == "" {
			continue
		}
		var err error
		switch name {
		case envOut:
			if !filepath.IsAbs(value) {
				err = fmt.Errorf("a relative path would be another file in each package: use an absolute one, as %s=$PWD/%s", envOut, value)
			}
			e.out = value
		case envSeed:
			var seed uint64
			seed, err = strconv.ParseUint(value, 10, 64)
			e.seed = &seed
		case envRuns:
			if e.runs, err = strconv.Atoi(value); err == nil && e.runs < 1 {
				err = fmt.Errorf("it must be at least 1")
			}
		case envAlpha:
			if e.alpha, err = strconv.ParseFloat(value, 64); err == nil && !(e.alpha > 0 && e.alpha < 1) {
				err = fmt.Errorf("it must be between 0 and 1")
			}
		default:
			err = fmt.Errorf("unknown variable: the known ones are %s, %s, %s and %s", envOut, envSeed, envRuns, envAlpha)
		}
		if err != nil {
			return e, fmt.Errorf("%w: environment variable %s=%s: %w", ErrConfig, name, value, err)
		}
		if name != envOut {
			e.settings = append(e.settings, kv)
		}
	}
	slices.Sort(e.settings)
	return e, nil
}

// apply lets the environment override the configuration.
func (e environment) apply(c Config) Config {
	if e.seed != nil {
		c.Protocol = c.Protocol.WithSeed(*e.seed)
	}
	if e.runs > 0 {
		c.Protocol = c.Protocol.WithRuns(e.runs)
	}
	if e.out != "" {
		c.Out = e.out
	}
	return c
}
