// Package paper has what the papers have in common: parts that are run by name.
package paper

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/study"
)

// A Part is a part of a paper that is reproduced.
type Part struct {
	Name string // by which [Find] finds it
	Doc  string // its tables or figures, in a sentence

	// Data says that it is of real data sets, and reads the directory of the configuration.
	Data bool

	// Run runs it, and returns its report.
	Run func(ctx context.Context, cfg lab.Config) (*study.Report, error)
}

// checked returns the part with a Run that refuses a directory that it does not read.
func (e Part) checked() Part {
	run := e.Run
	e.Run = func(ctx context.Context, cfg lab.Config) (*study.Report, error) {
		if cfg.Data != "" && !e.Data {
			return nil, fmt.Errorf("%w: %s reads no directory of data sets", lab.ErrConfig, e.Name)
		}
		return run(ctx, cfg)
	}
	return e
}

// Find returns the part of the given name. The error wraps [ErrConfig].
func Find(all []Part, name string) (Part, error) {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.Name
	}
	if i := slices.Index(names, name); i >= 0 {
		return all[i].checked(), nil
	}
	return Part{}, fmt.Errorf("%w: none is called %q: there are %s", lab.ErrConfig, name,
		strings.Join(names, ", "))
}

// Level is the significance level of all tests of the papers, unless they say otherwise.
const Level = 0.05
