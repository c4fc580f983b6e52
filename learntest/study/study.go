package study

import (
	"context"

	"github.com/learnbench/learnbench/internal/lab"
)

// ErrConfig is wrapped by errors about a configuration that makes no sense, or a study
// that there is none of.
var ErrConfig = lab.ErrConfig

// ErrStore is wrapped by errors about a file of stored scores.
var ErrStore = lab.ErrStore

// A Study measures how well the promise of a method holds.
type Study struct {
	Name string // by which [Lookup] finds it
	Doc  string // the measured promise, in a sentence

	// Run runs the study, and returns its tables.
	Run func(ctx context.Context, cfg Config) (*Report, error)
}

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

	// Sets is the number of simulated data sets from each source, of a study that draws
	// as many from each. If zero, the study's own number.
	Sets int

	// Store is the file that keeps the scores of each trial as soon as it has finished, for
	// such studies. Trials in the file are not run again: an interrupted study goes on
	// where it was, and studies share equal trials. If empty, nothing is kept.
	Store string

	// Progress, if set, is called when a part is done, by one goroutine at a
	// time.
	Progress func(done, total int)
}

func (c Config) lab() lab.Config {
	return lab.Config{
		Seed: c.Seed, Small: c.Small, Parallel: c.Parallel, Sets: c.Sets, Store: c.Store,
		Progress: c.Progress,
	}
}

// configured returns the run of a study that takes the configuration of its lab.
func configured(run func(context.Context, lab.Config) (*Report, error)) func(context.Context,
	Config) (*Report, error) {
	return func(ctx context.Context, cfg Config) (*Report, error) { return run(ctx, cfg.lab()) }
}
