package study

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// ErrConfig is wrapped by errors about a configuration that makes no sense, or a study
// that there is none of.
var ErrConfig = errors.New("invalid study")

// A Study measures how well a method keeps its word.
type Study struct {
	Name string // by which [Lookup] finds it
	Doc  string // what it measures, in a sentence

	// Data says that it is of real data sets, and reads [Config.Data].
	Data bool

	// Run runs it, and returns what it has found.
	Run func(ctx context.Context, cfg Config) (*Report, error)
}

// checked returns the study with a Run that refuses a directory that it does not read.
func (s Study) checked() Study {
	run := s.Run
	s.Run = func(ctx context.Context, cfg Config) (*Report, error) {
		if cfg.Data != "" && !s.Data {
			return nil, fmt.Errorf("%w: %s reads no directory of data sets", ErrConfig, s.Name)
		}
		return run(ctx, cfg)
	}
	return s
}

// All returns all studies, by name.
func All() []Study {
	all := slices.Concat(b03Studies(), []Study{b03Fig2Study(), b03Fig4Study()}, bbStudies(), bcmStudies(), bfStudies(),
		[]Study{bf5Study(), aaStudy(), calibrateStudy(), replicabilityStudy()}, gateStudies())
	for i := range all {
		all[i] = all[i].checked()
	}
	return all
}

// Lookup returns the study of the given name. The error wraps [ErrConfig].
func Lookup(name string) (Study, error) {
	all := All()
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name
	}
	if i := slices.Index(names, name); i >= 0 {
		return all[i], nil
	}
	return Study{}, fmt.Errorf("%w: none is called %q: there are %s", ErrConfig, name, strings.Join(names, ", "))
}

// A Config says how a study is run. The zero value is usable.
type Config struct {
	// Seed is that of all random numbers. If zero, 1.
	Seed uint64

	// Small makes the study take seconds: it then shows that it works, and its
	// figures are rough.
	Small bool

	// Parallel is the number of goroutines. If zero, GOMAXPROCS. It never changes
	// a result.
	Parallel int

	// Sets is the number of simulated data sets from each source, of a study that draws
	// as many from each. If zero, that of the study.
	Sets int

	// Store is the file that the scores of all trials are kept in as they are found, for
	// such studies and those of real data sets. What is there already is not trained
	// again: an interrupted study goes on where it was, and studies share what they train
	// alike. If empty, nothing is kept.
	Store string

	// Data is the directory that studies of real data sets read ARFF files from: as
	// NAME.arff or NAME.arff.gz, with the class as the last attribute. What has no file there
	// is taken from package uci. If empty, all are, which has not all that the
	// papers use.
	Data string

	// Progress, if set, is called when a part is done, by one goroutine at a
	// time.
	Progress func(done, total int)
}

// withDefaults returns the configuration with every field set and checked.
func (c Config) withDefaults() (Config, error) {
	if c.Parallel < 0 {
		return c, fmt.Errorf("%w: Parallel is negative", ErrConfig)
	}
	if c.Sets < 0 {
		return c, fmt.Errorf("%w: Sets is negative", ErrConfig)
	}
	if c.Parallel == 0 {
		c.Parallel = runtime.GOMAXPROCS(0)
	}
	if c.Seed == 0 {
		c.Seed = 1
	}
	return c, nil
}

// withoutSets refuses what only studies of many data sets from each source have.
func (c Config) withoutSets() error {
	if c.Sets != 0 || c.Store != "" {
		return fmt.Errorf("%w: it has no number of data sets to choose, and keeps no scores", ErrConfig)
	}
	return nil
}

// sets returns the number of data sets from each source.
func (c Config) sets(small, full int) int {
	switch {
	case c.Sets > 0:
		return c.Sets
	case c.Small:
		return small
	}
	return full
}

// progress returns the function to call when one of the parts is done, from any
// goroutine.
func (c Config) progress(total int) func() {
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		if c.Progress != nil {
			c.Progress(done, total)
		}
	}
}
