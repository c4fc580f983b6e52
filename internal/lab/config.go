package lab

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// ErrConfig is wrapped by errors about a configuration that makes no sense.
var ErrConfig = errors.New("invalid study")

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

// WithDefaults returns the configuration with every field set and checked.
func (c Config) WithDefaults() (Config, error) {
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

// WithoutSets refuses what only studies of many data sets from each source have.
func (c Config) WithoutSets() error {
	if c.Sets != 0 || c.Store != "" {
		return fmt.Errorf("%w: it has no number of data sets to choose, and keeps no scores", ErrConfig)
	}
	return nil
}

// SetsOr returns the number of data sets from each source.
func (c Config) SetsOr(small, full int) int {
	switch {
	case c.Sets > 0:
		return c.Sets
	case c.Small:
		return small
	}
	return full
}

// Counter returns the function to call when one of the parts is done, from any
// goroutine.
func (c Config) Counter(total int) func() {
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
