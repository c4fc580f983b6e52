package learntest

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// An environment is the settings of the environment variables.
type environment struct {
	out                        string
	predictions, probabilities string
	in                         string
	seed                       *uint64
	runs                       int     // 0 if not set
	runsMax                    int     // 0 if not set
	runsMin                    int     // 0 if not set
	alpha                      float64 // 0 if not set
	settle                     float64 // 0 if not set
	minutes                    float64 // 0 if not set
	allRuns                    bool    // whatever the configuration settles
	resume                     bool
	shard                      split.Shard
	degrade                    float64 // the share of the candidates' predictions that is replaced
	update                     string  // "", "1" or "force"
	cache                      string  // directory; empty if there is none
	cacheMB                    int     // its size; 0 if not set
	noRatio                    bool    // claims about times are not judged
	ci                         string  // the variable that says that this is continuous integration; looked up for an update only

	settings []string // "NAME=value" of the variables that influence results, sorted
}

// parseEnvironment reads the variables. The cache of go test regards only variables that a test
// has looked up by name, so every test looks up all of them. The list environ shows unknown
// variables: one that starts with LEARNTEST_ is an error, since a misspelt gate must not be a
// gate that is always open.
func parseEnvironment(lookup func(name string) (string, bool), environ []string) (environment,
	error,
) {
	var e environment
	var errs []error
	for _, name := range known {
		value, _ := lookup(name)
		if value == "" {
			continue
		}
		if err := e.set(name, value, lookup); err != nil {
			errs = append(errs, fmt.Errorf("%w: environment variable %s=%s: %w", ErrConfig, name, value,
				err))
		}
	}
	for _, err := range gotest.Misspelt(environ) {
		errs = append(errs, fmt.Errorf("%w: %w", ErrConfig, err))
	}
	if e.runsMax > 0 && e.runsMin > e.runsMax {
		errs = append(errs, fmt.Errorf("%w: environment variables %s=%d and %s=%d: more runs are asked for than the budget has", ErrConfig, envRunsMin, e.runsMin, envRunsMax, e.runsMax))
	}
	return e, errors.Join(errs...)
}

// set takes the value of a variable.
func (e *environment) set(name, value string, lookup func(name string) (string, bool)) (err error) {
	switch name {
	case envOut:
		if !filepath.IsAbs(value) {
			return fmt.Errorf("a relative path would be another file in each package: use an absolute one, as %s=$PWD/%s", envOut, value)
		}
		e.out = value
		return nil
	case envPredictions:
		if !filepath.IsAbs(value) {
			return fmt.Errorf("a relative path would be another file in each package: use an absolute one, as %s=$PWD/%s", envPredictions, value)
		}
		e.predictions = value
		return nil
	case envProbabilities:
		if e.probabilities = value; value != predictions.OfTruth && value != predictions.OfAll {
			return fmt.Errorf("it must be %s, %s or not set", predictions.OfTruth, predictions.OfAll)
		}
		return nil
	case envIn:
		if !filepath.IsAbs(value) {
			return fmt.Errorf("a relative path would be another file in each package: use an absolute one, as %s=\"$PWD/%s\"", envIn, value)
		}
		e.in = value
		return nil
	case envCache:
		if !filepath.IsAbs(value) {
			return fmt.Errorf("a relative path would be another directory in each package: use an absolute one, as %s=$HOME/.cache/learntest", envCache)
		}
		if gotest.InModule(value) {
			return errors.New("it lies inside of the module, where go test and git take its files for files of the code: name a directory elsewhere")
		}
		e.cache = value
		return nil
	case envCacheMB:
		if e.cacheMB, err = strconv.Atoi(value); err == nil && e.cacheMB < 1 {
			err = errors.New("it must be at least 1")
		}
		return err
	case envBudget, envItems, envResponses:
		return nil
	case envRatio:
		e.noRatio = true
		if ci := gotest.CIVariable(lookup); value != "off" {
			return errors.New("it must be off or not set")
		} else if ci != "" {
			return fmt.Errorf("claims about times are not skipped where %s is set: a gate that a variable opens is none", ci)
		}
		return nil
	case envShard:
		e.shard, err = split.ParseShard(value, lookup)
		return err
	case envUpdate:
		if e.update = value; value != "1" && value != "force" {
			return errors.New("it must be 1, force or not set")
		}
		e.ci = gotest.CIVariable(lookup)
		return nil
	case envResume:
		e.resume = true
		return mustBeOne(value)
	case envSettle: // how many runs are trained is no setting of the results
		if value == settleOff {
			e.allRuns = true
			return nil
		}
		if e.settle, err = strconv.ParseFloat(value, 64); err == nil &&
			!(e.settle > 0 && e.settle <= stat.MaxCurtailmentError) {
			err = fmt.Errorf("it must be above 0 and at most %v: the probability that all runs would decide a claim otherwise", stat.MaxCurtailmentError)
		}
		return err
	case envMinutes: // nor is how long that may take
		if e.minutes, err = strconv.ParseFloat(value, 64); err == nil &&
			!(e.minutes > 0 && e.minutes <= maxMinutes) {
			err = fmt.Errorf("it must be above 0 and at most %v", maxMinutes)
		}
		return err
	case envDegrade:
		if e.degrade, err = strconv.ParseFloat(value, 64); err == nil &&
			!(e.degrade > 0 && e.degrade <= maxDegrade) {
			err = fmt.Errorf("it must be above 0 and at most %v", maxDegrade)
		}
	case envSeed:
		var seed uint64
		seed, err = strconv.ParseUint(value, 10, 64)
		e.seed = &seed
	case envRuns:
		e.runs, err = parseRuns(value)
	case envRunsMax:
		e.runsMax, err = parseRuns(value)
	case envRunsMin:
		e.runsMin, err = parseRuns(value)
	case envAlpha:
		if e.alpha, err = strconv.ParseFloat(value, 64); err == nil && !(e.alpha > 0 && e.alpha < 1) {
			err = errors.New("it must be between 0 and 1")
		} else if err == nil && e.alpha > verdict.DefaultAlpha {
			err = fmt.Errorf("it is looser than the %v of claims that give no level: what a test claims may be made stricter from outside only", verdict.DefaultAlpha)
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

// parseRuns returns a number of runs.
func parseRuns(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err == nil && n < 1 {
		err = errors.New("it must be at least 1")
	}
	return n, err
}

// apply lets the environment override the configuration. A protocol without anything random keeps
// its number of runs: all of them would be alike.
func (e environment) apply(c Config) (Config, error) {
	if e.seed != nil {
		c.Protocol = c.Protocol.WithSeed(*e.seed)
	}
	if e.out != "" {
		c.Results.Out = e.out
	}
	if e.predictions != "" {
		c.Results.Predictions = e.predictions
	}
	if e.probabilities != "" {
		c.Results.Probabilities = e.probabilities
	}
	c.Results.Resume = c.Results.Resume || e.resume
	if e.settle > 0 {
		c.Settle = e.settle
	}
	if e.minutes > 0 {
		c.Minutes = e.minutes
	}
	if e.allRuns {
		c.Settle = 0
	}
	if e.shard.Count > 0 {
		c.Results.Shard = e.shard
	}
	if e.in != "" {
		c.Results.In = []string{e.in}
	}
	if !c.Protocol.IsRandom() {
		return c, nil
	}
	if e.runs > 0 {
		c.Protocol = c.Protocol.WithRuns(e.runs)
	}
	if e.runsMin > 0 {
		c.MinRuns = e.runsMin
	}
	return c, e.checkBudget(c)
}

// checkBudget returns an error if the configuration alone, without any claim, takes more runs than
// the budget.
func (e environment) checkBudget(c Config) error {
	if own := c.Protocol.Runs(); e.runsMax > 0 && e.runsMax < own {
		return fmt.Errorf("%w: environment variable %s=%d: a budget is no less than the %d runs that %q has of its own: set %[2]s=%[4]d or more, or %[6]s",
			ErrConfig, envRunsMax, e.runsMax, own, c.Protocol, envRuns)
	}
	if need := c.runs(); e.runsMax > 0 && e.runsMax < need {
		return fmt.Errorf("%w: environment variable %s=%d: the configuration asks for %d runs for any claim (Repeats %d, MinRuns %d)", ErrConfig, envRunsMax, e.runsMax, need, c.Repeats, c.MinRuns)
	}
	return nil
}
