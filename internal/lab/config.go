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
	// Seed is the seed of all random numbers. If zero, 1.
	Seed uint64

	// Small makes the study take seconds: it then shows that it works, and its
	// figures are rough.
	Small bool

	// Parallel is the number of goroutines. If zero, GOMAXPROCS. It never changes
	// a result.
	Parallel int

	// Sets is the number of simulated data sets from each source, in studies that draw equally
	// many from each. If zero, the study's own number.
	Sets int

	// Store is the file that keeps the scores of all trials, for such studies and for studies
	// of real data sets. Stored trials are not repeated: an interrupted study resumes, and
	// studies share equal trials. If empty, nothing is stored.
	Store string

	// Data is the directory from which studies of real data sets read ARFF files: NAME.arff or
	// NAME.arff.gz, with the class as the last attribute. Data sets without a file there come
	// from package uci. If empty, all come from uci, which lacks some data sets of the papers.
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
