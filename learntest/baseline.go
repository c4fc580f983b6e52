package learntest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/ledger"
	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// checkBaseline returns an error if a baseline cannot be read, or written, here.
func (g *group) checkBaseline(env environment, path string) error {
	pinned, err := ledger.Has(path)
	if err != nil {
		return fmt.Errorf("%w: the ledger of %s: %w", ErrConfig, path, err)
	}
	switch {
	case env.update != "" && pinned:
		return fmt.Errorf("%w: %s=%s: %s is a pinned reference, with a ledger, %s: %s", ErrConfig,
			envUpdate, env.update, path, ledger.Path(path), g.howToPin(path, false))
	case env.update != "" && gotest.MayBeCached():
		return fmt.Errorf("%w: %s is to be written: %w", ErrConfig, path, errCached)
	case env.update == "1" && env.ci != "":
		return fmt.Errorf("%w: %s=1 where %s is set, as in continuous integration: a baseline changes in a commit that somebody reviews; %[2]s=%[4]s writes it nevertheless", ErrConfig, envUpdate, env.ci, forced)
	case env.update != "" && g.cfg.Results.Shard.Count > 0:
		return fmt.Errorf("%w: %s and %s exclude each other: write the baseline from the results of all shards, with %s", ErrConfig, envUpdate, envShard, envIn)
	case env.update == "" && gotest.MayBeCached() && !gotest.InModule(path):
		return fmt.Errorf("%w: the baseline %s lies outside of the module: add -count=1: the cache does not look at it", ErrConfig, path)
	}
	if env.update != "" {
		if err := g.there.Baseline(g.set(), path).Mendable(); err != nil {
			if errors.Is(err, record.ErrConflict) {
				err = fmt.Errorf("%w; %s", err, g.remedy(path, err))
			}
			return fmt.Errorf("%w: the baseline is not written: %w", ErrConfig, err)
		}
	}
	return nil
}

// howToUpdate says how a baseline is written.
func (g *group) howToUpdate() string {
	return fmt.Sprintf("%s=1 %s writes it anew", envUpdate, g.cfg.Results.Reproduce)
}

// remedy says what to do about a baseline that cannot be compared with: to write it anew removes
// what guards the learner, where there is something to guard it by.
func (g *group) remedy(path string, err error) string {
	switch pinned, _ := ledger.Has(path); {
	case errors.Is(err, record.ErrConflict) && pinned:
		return fmt.Sprintf("take the same side of its ledger, %s; then %s", ledger.Path(path),
			g.howToPin(path, false))
	case errors.Is(err, record.ErrConflict):
		return "run the test again then: if the merged change is accepted, " + g.howToUpdate()
	case errors.Is(err, record.ErrChecksum):
		restore := fmt.Sprintf("it was edited, or merged by hand: git checkout HEAD -- %s brings back the committed file", path)
		if pinned {
			return restore
		}
		return restore + "; if the commit has the edit, too, then with the learner of that commit " +
			g.howToUpdate()
	case pinned:
		return "it is a pinned reference: " + g.howToPin(path, false)
	case errors.Is(err, results.ErrOtherData):
		return "with the learner before any change to it, " + g.howToUpdate() +
			": results of a changed learner are compared with nothing"
	}
	return g.howToUpdate()
}

// howToRefresh says how a baseline, or a reference, is taken over to other data.
func (g *group) howToRefresh() string {
	r := &g.cfg.Results
	return fmt.Sprintf("learnbench refresh -reason TEXT %s -run %s trains the learner of its commit on these data, and writes it anew", r.Pkg, shellQuote(gotest.Pattern(r.Test)))
}

// howToPin says how a reference is moved, or made. The results may be on their way already.
func (g *group) howToPin(path string, first bool) string {
	out, run := g.cfg.Results.Out, ""
	if out == "" {
		out = "$PWD/new.txt"
		run = fmt.Sprintf("%s=%s %s stores results, and then ", envOut, out, g.cfg.Results.Reproduce)
	}
	words := "learnbench pin -reason TEXT "
	if first {
		words += "-learner " + shellWord(g.learners[0]) + " "
	}
	what := "moves it"
	if first {
		what = "makes it"
	}
	return fmt.Sprintf("%s%s%s %s %s", run, words, out, path, what)
}

// baseline returns the results of the candidate in a file, under -short only those from the first
// run.
func (g *group) baseline(path string) (*record.Block, error) {
	b, err := g.there.Baseline(g.set(), path).Read(g.short)
	if errors.As(err, new(*results.OtherData)) {
		return nil, fmt.Errorf("%w: baseline %s: %w", ErrConfig, path, err) // tellStale has the remedy
	}
	if err != nil {
		return nil, fmt.Errorf("%w: baseline %s: %w; %s", ErrConfig, path, err, g.remedy(path, err))
	}
	return b, nil
}

// describe says where a baseline comes from.
func describe(b *record.Block) string {
	h := &b.Header
	words := []string{b.Learners[0] + version(h)}
	if h.CommitTime != "" {
		words = append(words, h.CommitTime)
	}
	words = append(words, unit.FormatRuns(results.CompleteRuns(b)))
	if h.Test != "" {
		words = append(words, h.Test)
	}
	if h.Pkg != "" {
		words = append(words, h.Pkg)
	}
	return strings.Join(append(words, h.Toolchain), ", ")
}

// version returns the words that tell a stored learner from today's.
func version(h *record.Header) string {
	if h.Commit == "" {
		return ", stored"
	}
	return " at " + h.Commit
}
