package learntest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/record"
)

// registry is what this process knows of result files and of the tests that are running. It is a
// variable since the comparisons of a test have nothing in common but its TB. Only [Run] and
// [Compare] read it, and pass it on.
var registry results.Registry

// An experiment is a set of learners on a set of data sets. Each training, be it of the protocol's
// own runs, of further ones or of a second opinion, trains the wanted cells that are missing.
type experiment struct {
	cfg      Config
	learners []string
	known    *results.Registry
	there    *results.Results // the cells that are there
	inTest   bool
	cache    *results.Cache // nil if there is none
	notes    []string       // on what may be meant, or not

	files, variables []string // of Config.Depends
}

// newExperiment returns the experiment of learners on data sets, without any cells.
func newExperiment[X any, Y comparable](known *results.Registry, data []Data[X, Y],
	learners []Learner[X, Y], cfg Config,
) (*experiment, error) {
	if len(data) == 0 || len(learners) == 0 {
		return nil, fmt.Errorf("%w: %d data sets and %d learners", ErrConfig, len(data), len(learners))
	}
	cfg, err := grouped(cfg, data)
	if err != nil {
		return nil, err
	}
	cfg, err = cfg.withDefaults(!isFloat(*new(Y)))
	if err != nil {
		return nil, err
	}
	x := &experiment{cfg: cfg, known: known}
	seen := make(map[string]bool)
	for i, l := range learners {
		if l.Name == "" || l.Fit == nil {
			return nil, fmt.Errorf("%w: learner %d has no name or no Fit", ErrConfig, i)
		}
		if seen[l.Name] {
			return nil, fmt.Errorf("%w: two learners are named %q: give one another name", ErrConfig, l.Name)
		}
		seen[l.Name] = true
		x.learners = append(x.learners, l.Name)
	}
	if x.files, x.variables, err = cfg.declared(); err != nil {
		return nil, err
	}
	settings := cfg.settings(x.learners)
	settings.Files, settings.Variables = slices.Clone(x.files), x.variables
	for _, l := range learners {
		settings.Files = append(settings.Files, l.Depends...)
		settings.Unknown = settings.Unknown || l.unnamed
	}
	x.there = results.New(known, settings)
	if note := cfg.Results.Note; note != nil {
		x.there.Note = func(format string, args ...any) { note(fmt.Sprintf(format, args...)) }
	}
	clear(seen)
	for _, d := range data {
		src, err := newSource(d)
		if err != nil {
			return nil, err
		}
		if seen[src.name] {
			return nil, fmt.Errorf("%w: two data sets are named %q", ErrConfig, src.name)
		}
		seen[src.name] = true
		plan, err := cfg.Protocol.Plan(src.examples())
		if err != nil {
			return nil, src.planError(err)
		}
		if !cfg.IgnoreGroups {
			if err := checkGroups(src.name, src.groups, plan); err != nil {
				return nil, err
			}
		}
		scoring := src.scoring(cfg.Metrics)
		notes, err := scoring.check()
		if err != nil {
			return nil, err
		}
		x.notes = append(x.notes, notes...)
		facts := results.Facts{
			Target: src.target(), Metrics: scoring.fingerprints,
			Against:  comparedWith(learners, cfg.against),
			Majority: func() string { return src.majority(plan, cfg.Metrics) },
			Copies:   func() string { return copied(d, plan) },
		}
		bound := bindAll(src, learners, x.learners, cfg)
		if notes, err = withSlices(src, bound, cfg); err != nil {
			return nil, err
		}
		x.notes = append(x.notes, notes...)
		if _, err := x.there.Add(bound, plan, facts); err != nil {
			return nil, fmt.Errorf("data set %q: %w", src.name, err)
		}
	}
	return x, x.there.Open()
}

// comparedWith returns the header's entry on learners that are compared with the results stored at
// a path. An absolute path outside of the directory of the package is left out: its file is none
// of the repository's.
func comparedWith[X any, Y comparable](learners []Learner[X, Y], path string) string {
	if filepath.IsAbs(path) {
		dir, err := os.Getwd()
		if err != nil {
			return ""
		}
		if path, err = filepath.Rel(dir, path); err != nil || !filepath.IsLocal(path) {
			return ""
		}
	}
	if path == "" {
		return ""
	}
	var h record.Header
	for _, l := range learners {
		h.Of(l.Name).AddAgainst(filepath.ToSlash(path))
	}
	return h.Against
}
