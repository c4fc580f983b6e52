package learntest

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Against compares the candidate with what is stored of it, or of an earlier version of
// it, in the result file at path, such as testdata/baseline.txt, which is committed. Only the
// candidate is trained. The texts tell the two apart as in "forest, now" and "forest at
// 3f2a9c1", the commit that the file names.
//
// LEARNTEST_UPDATE=1 writes the file instead of reading it, which is the only way in which
// it changes: the candidate's results take the place of those of the same test, without
// times, so that a commit of the file shows what has changed. Claims are not judged then. Where
// CI is set, as continuous integration does, it is refused unless it is LEARNTEST_UPDATE=force; so is
// a candidate that is no better than always predicting the most frequent class, in none of the metrics, with
// which what comes after it would be compared. Old and new mean of each metric are logged, or printed without -v
// (which go test shows where it is given no packages), and the file has the new ones in its head.
// LEARNTEST_RUNS_MIN is the number of runs to be stored; those beyond the protocol's own are the
// budget of a required replicability.
//
// The baseline is that of the data set, the protocol and the name of the candidate, whichever
// test has stored it, as tests get other names; if several have, it is that of this test. It is
// an error, before anything is trained, if there is none, or none that is complete, or if the
// data set, its partitions or a metric have changed since.
//
// A test that claims nothing of the comparison, and judges nothing by [Comparison.Judge], fails when it ends:
// it would pass whatever the candidate scores. (One that uses [Compare] may be there to store results.)
//
// Variables are those of [Compare].
func Against[X any, Y comparable](t TB, data Data[X, Y], candidate Learner[X, Y], path string) *Comparison {
	t.Helper()
	return against(t, Config{}, data, candidate, path)
}

// AgainstWith is Against under a configuration. One that makes no sense ends the test.
func AgainstWith[X any, Y comparable](t TB, cfg Config, data Data[X, Y], candidate Learner[X, Y], path string) *Comparison {
	t.Helper()
	return against(t, cfg, data, candidate, path)
}

func against[X any, Y comparable](t TB, cfg Config, data Data[X, Y], candidate Learner[X, Y], path string) *Comparison {
	t.Helper()
	c := &Comparison{candidate: candidate.Name, baseline: candidate.Name}
	g, env, err := newGroup(t, cfg, data, candidate.Name+" against "+path, "", []Learner[X, Y]{candidate})
	c.group, c.env = g, env
	if err == nil {
		err = g.session.checkBaseline(env, path)
	}
	if err == nil && env.update == "" {
		c.stored, err = g.session.baseline(path, g.short)
	}
	if err != nil {
		c.err = err
		t.Fatalf("learntest.Against: %v", err)
		return c
	}
	if c.stored != nil {
		t.Logf("baseline %s: %s", path, describe(c.stored))
	}
	g.ctx = gotest.BeforeDeadline(t)
	if c.err = g.session.run(g.ctx, g.session.cfg.runs()); c.err != nil {
		t.Errorf("learntest.Against: %v", c.err)
	} else if env.update != "" {
		var changes []string
		changes, c.err = g.session.update(path, env.update)
		tell(t, changes)
		if !errors.Is(c.err, verdict.ErrNotJudged) {
			t.Errorf("learntest.Against: %v", c.err)
		}
	} else if g.session.cfg.Results.Shard.Count > 0 {
		c.err = g.session.sharded()
	}
	c.report(t, true)
	c.logDrawing(t, path)
	if c.err == nil {
		t.Cleanup(func() { c.missClaim(t, path) })
	}
	return c
}

// missClaim makes a test fail that has compared a learner with its baseline and asks nothing of it.
func (c *Comparison) missClaim(t TB, path string) {
	t.Helper()
	if s, ok := t.(interface{ Skipped() bool }); c.asked.Load() || ok && s.Skipped() {
		return
	}
	t.Errorf("learntest.Against: nothing is claimed of %s against %s: the test passes whatever it scores: claim something, as in assert.NoRegression(t, c, assert.Margin(0.02)), or look at c.Judge(verdict.Claim{})", c.candidate, path)
}

// checkBaseline returns an error if a baseline cannot be read, or written, here.
func (s *session) checkBaseline(env environment, path string) error {
	switch {
	case env.update != "" && gotest.MayBeCached():
		return fmt.Errorf("%w: %s is to be written: %w", ErrConfig, path, errCached)
	case env.update == "1" && env.ci:
		return fmt.Errorf("%w: %s=1 where CI is set: a baseline changes in a commit that somebody reviews; %[2]s=%s writes it nevertheless", ErrConfig, envUpdate, forced)
	case env.update != "" && s.cfg.Results.Shard.Count > 0:
		return fmt.Errorf("%w: %s and %s exclude each other: write the baseline from the results of all shards, with %s", ErrConfig, envUpdate, envShard, envIn)
	case env.update == "" && gotest.MayBeCached() && !gotest.InModule(path):
		return fmt.Errorf("%w: the baseline %s lies outside of the module: add -count=1: the cache does not look at it", ErrConfig, path)
	}
	return nil
}

// howToUpdate says how a baseline is written.
func (s *session) howToUpdate() string {
	return fmt.Sprintf("%s=1 %s writes it anew", envUpdate, s.cfg.Results.Reproduce)
}

// errOtherData is wrapped by the error about a baseline on data that have changed.
var errOtherData = errors.New("is not what it was")

// remedy says what to do about a baseline that cannot be compared with: to write it anew removes
// what guards the learner, where there is something to guard it by.
func (s *session) remedy(path string, err error) string {
	switch {
	case errors.Is(err, record.ErrChecksum):
		return fmt.Sprintf("it was edited, or merged by hand: git checkout HEAD -- %s brings back what was committed", path)
	case errors.Is(err, errOtherData):
		return "with the learner as it was before any change to it, " + s.howToUpdate() + ": what a changed learner writes is compared with nothing"
	}
	return s.howToUpdate()
}

// baseline returns the results of the only learner of the session that a file has. Under
// -short these are the first of the given number of runs, which are 0 otherwise.
func (s *session) baseline(path string, short int) (*record.Block, error) {
	p, plan := s.cfg.Protocol, s.inputs[0].plan
	var err error
	if short > 0 {
		p = p.WithRuns(short)
		if plan, err = p.Plan(s.inputs[0].examples); err != nil {
			return nil, err
		}
	}
	b, err := s.findBaseline(path, p)
	if err == nil {
		err = s.fitsBaseline(b, plan)
	}
	if err == nil {
		h, chosen := b.Header, all
		if short > 0 {
			h, chosen = s.ofFirstRun(h), isFirstRun
		}
		b, err = excerpt(b, h, s.learners, s.inputs[0].examples.N, chosen)
	}
	if err == nil {
		if failed := record.NewFile(b).Failures(); len(failed) > 0 {
			err = fmt.Errorf("trial failed: %v: %s", failed[0].Cell(), failed[0].Err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: baseline %s: %w; %s", ErrConfig, path, err, s.remedy(path, err))
	}
	return b, nil
}

func (s *session) findBaseline(path string, p split.Protocol) (*record.Block, error) {
	f, err := record.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("there is no such file")
	}
	if err != nil {
		return nil, err
	}
	if err := storage.Unfinished(path); err != nil {
		return nil, err
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	in, name := s.inputs[0], s.learners[0]
	var found []*record.Block
	var protocols []string
	for _, b := range f.Experiments() {
		switch {
		case b.Header.Data != in.Name || !slices.Contains(b.Learners, name):
		case b.Header.Protocol != p.String():
			protocols = append(protocols, strconv.Quote(b.Header.Protocol))
		default:
			found = append(found, b)
		}
	}
	if len(found) > 1 {
		own := in.block.Header.Identity()
		own.Protocol = p.String()
		if at := slices.IndexFunc(found, func(b *record.Block) bool { return b.Header.Identity() == own }); at >= 0 {
			found = found[at : at+1]
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("several tests have stored %s on data set %s, and none of them is this one: %v and %v", name, in.Name, found[0].Header.Identity(), found[1].Header.Identity())
	case len(protocols) > 0:
		return nil, fmt.Errorf("it has %s on data set %s under %s, not under %q", name, in.Name, strings.Join(protocols, ", "), p)
	case !f.HasData(in.Name):
		return nil, fmt.Errorf("it has no results on data set %s; there are: %s", in.Name, strings.Join(f.DataSets(), ", "))
	}
	return nil, fmt.Errorf("it has no results of %s on data set %s; there are: %s", name, in.Name, strings.Join(f.Learners(in.Name), ", "))
}

// fitsBaseline returns an error unless the results can be compared with those of the session.
func (s *session) fitsBaseline(b *record.Block, plan *split.Plan) error {
	in := s.inputs[0]
	if b.Header.DataDigest != in.Digest {
		was, is := examplesOf(b), in.examples.N
		change := fmt.Sprintf("the same number of examples (%d) with other values or in another order", is)
		switch {
		case was < is:
			change = fmt.Sprintf("%d examples more (%d, not %d)", is-was, is, was)
		case was > is:
			change = fmt.Sprintf("%d examples fewer (%d, not %d)", was-is, is, was)
		}
		return fmt.Errorf("data set %s %w: %s; its digest is %.12s and was %.12s", in.Name, errOtherData, change, in.Digest, b.Header.DataDigest)
	}
	if digest := plan.Digest(); b.Header.SplitDigest != digest {
		return fmt.Errorf("the partitions of %q on data set %s are not what they were: their digest is %.12s and was %.12s", b.Header.Protocol, in.Name, digest, b.Header.SplitDigest)
	}
	for _, u := range s.cfg.units() {
		at := slices.IndexFunc(b.Units, func(have unit.Unit) bool { return have.Name == u.Name })
		if at < 0 {
			return fmt.Errorf("it has no metric %s", u.Name)
		}
		if b.Units[at] != u {
			return fmt.Errorf("metric %s has another direction or range there", u.Name)
		}
	}
	return nil
}

// examplesOf returns the number of examples that a block is on.
func examplesOf(b *record.Block) int {
	for t := range b.Trials() {
		return t.TrainN + t.TestN
	}
	return 0
}

// describe says where a baseline comes from.
func describe(b *record.Block) string {
	h := &b.Header
	words := []string{b.Learners[0] + version(h)}
	if h.CommitTime != "" {
		words = append(words, h.CommitTime)
	}
	words = append(words, unit.FormatRuns(completeRuns(b)))
	if h.Test != "" {
		words = append(words, h.Test)
	}
	if h.Pkg != "" {
		words = append(words, h.Pkg)
	}
	return strings.Join(append(words, h.Toolchain), ", ")
}

// version is what tells a stored learner from that of today.
func version(h *record.Header) string {
	if h.Commit == "" {
		return ", stored"
	}
	return " at " + h.Commit
}

// completeRuns returns the number of the first runs of a block that are complete.
func completeRuns(b *record.Block) int {
	cells := make(map[int]int)
	for t := range b.Trials() {
		cells[t.Run]++
	}
	runs := 0
	for cells[runs+1] == b.Folds()*len(b.Learners) {
		runs++
	}
	return runs
}
