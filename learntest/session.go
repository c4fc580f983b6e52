package learntest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/buildinfo"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// A session is a set of learners on a set of data sets, and the cells that have
// been trained. Whatever is trained, be it the protocol's own runs or further
// ones, is what is missing of the runs that are wanted.
type session struct {
	cfg        Config
	learners   []string
	inputs     []*input
	store      *storage.Store // nil if no results are written
	copies     *storage.Store // for the artifacts of a test; nil if they are not wanted
	artifacts  string         // the directory of these
	instance   *instance      // that the results are shared with; never nil
	site       string         // where the trials were asked for; empty if that is not known
	note       func(format string, args ...any)
	resumption string // what the user sets to resume
	reuses     bool   // further runs of an earlier run of the same program
	unsaved    bool   // there is something to be stored that is not trained here
	partly     bool   // only some of the learners are wanted: this is a second opinion

	units int // that are dealt out to shards, of the runs that are run whatever is claimed

	mu sync.Mutex // guards the blocks of the inputs, which are replaced, never changed
}

// An input is one data set with the learners bound to it.
type input struct {
	trial.Data
	examples split.Examples
	majority func() string          // as the header has it; nil if it is not to be known
	target   string                 // as the header has it
	plan     *split.Plan            // of the protocol's own runs
	first    int                    // number of its first unit: see session.unit
	current  func() (string, error) // the digest of the examples as they are now
	opened   []bool                 // by learner: its first trial has been run
	block    *record.Block          // what has been trained
	seconds  map[string]*second     // opinions on that, by their protocols
}

// An InterruptedError says that a context ended before all trials were run, and how
// far they got.
type InterruptedError struct {
	Done, Total int           // trials
	Stuck       []record.Cell // trials whose learners did not return
	Partial     string        // file with the trials that were run; empty if no results are written
	Resume      string        // what makes the next run go on from there
	Cause       error         // of the end of the context
}

// Error says how far the trials got and what to do.
func (e *InterruptedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "interrupted: %v: %d of %d trials were run", e.Cause, e.Done, e.Total)
	if e.Partial != "" {
		fmt.Fprintf(&b, " and are in %s, which goes when the same is run to its end: %s goes on from there", e.Partial, e.Resume)
	}
	for i, c := range e.Stuck {
		fmt.Fprintf(&b, "%s%v", [...]string{"; the learner did not return: ", "; "}[min(i, 1)], c)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *InterruptedError) Unwrap() error { return e.Cause }

func newSession[X any, Y comparable](data []Data[X, Y], learners []Learner[X, Y], cfg Config) (*session, error) {
	if len(data) == 0 || len(learners) == 0 {
		return nil, fmt.Errorf("%w: %d data sets and %d learners", ErrConfig, len(data), len(learners))
	}
	cfg, err := cfg.withDefaults(!isFloat(*new(Y)))
	if err != nil {
		return nil, err
	}
	s := &session{cfg: cfg, instance: new(instance), resumption: "Config.Results.Resume", note: func(string, ...any) {}}
	seen := make(map[string]bool)
	for i, l := range learners {
		if l.Name == "" || l.Fit == nil {
			return nil, fmt.Errorf("%w: learner %d has no name or no Fit", ErrConfig, i)
		}
		if seen[l.Name] {
			return nil, fmt.Errorf("%w: two learners are named %q: give one another name", ErrConfig, l.Name)
		}
		seen[l.Name] = true
		s.learners = append(s.learners, l.Name)
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
		in := &input{
			Data:     trial.Data{Name: src.name, Digest: src.digest, Learners: s.learners},
			examples: src.examples(), current: src.current, opened: make([]bool, len(learners)),
		}
		for _, l := range learners {
			f := bind(src, l)
			if cfg.degrade > 0 && l.Name != cfg.spared {
				f = degraded(src, cfg.degrade, f)
			}
			in.Funcs = append(in.Funcs, f)
		}
		in.plan, err = cfg.Protocol.Plan(in.examples)
		if err != nil {
			return nil, src.planError(err)
		}
		in.target = src.target()
		in.majority = sync.OnceValue(func() string { return src.majority(in.plan, cfg.Metrics) })
		in.block, err = record.NewBlock(s.header(in), s.learners, cfg.units(), in.examples.N)
		if err != nil {
			return nil, fmt.Errorf("data set %q: %w", src.name, err)
		}
		in.first = s.units
		s.units += cfg.runs() * in.block.Folds()
		s.inputs = append(s.inputs, in)
	}
	if cfg.Results.Out != "" {
		if s.store, err = storeAt(cfg.Results.Out); err != nil {
			return nil, fmt.Errorf("result file: %w", err)
		}
	}
	s.unsaved = cfg.Results.Shard.Count > 0 // which may have no trials at all
	return s, nil
}

// header returns that of the records on a data set. The digest of the partitions
// takes longer than a few trials: it is found beside them, and until then it is all zeros.
func (s *session) header(in *input) record.Header {
	h := record.Header{
		Pkg:         s.cfg.Results.Pkg,
		Test:        s.cfg.Results.Test,
		Data:        in.Name,
		Commit:      s.cfg.Results.Commit,
		CommitTime:  s.cfg.Results.CommitTime,
		Protocol:    s.cfg.Protocol.String(),
		DataDigest:  in.Digest,
		SplitDigest: strings.Repeat("0", 64),
		Reproduce:   s.cfg.Results.Reproduce,
		Toolchain:   buildinfo.Toolchain(),
	}
	if s.cfg.Results.Out != "" {
		h.Binary = program()
	}
	h.SetDistinct(in.plan.DistinctRuns())
	return h
}

// run provides runs 1 to runs of the given learners, or of all if none are given, and
// stores them: further ones from the result file if they can be taken from there, all
// others by training.
func (s *session) run(ctx context.Context, runs int, learners ...string) error {
	if len(learners) == 0 {
		learners = s.learners
	}
	if !s.reuses || s.store == nil || s.cfg.Predicted != nil || s.cfg.Results.In != nil {
		return s.train(ctx, runs, learners)
	}
	s.remember()
	if own := s.cfg.Protocol.Runs(); runs > own {
		if err := s.train(ctx, own, learners); err != nil {
			return err
		}
		if err := s.reuse(runs, learners); err != nil {
			return fmt.Errorf("result file: %w", err)
		}
	}
	return s.train(ctx, runs, learners)
}

// train trains what is missing of runs 1 to runs of the learners, and stores it. A
// context that ends meanwhile is an [*InterruptedError]; what was trained until then is kept,
// but not stored as if it were complete.
func (s *session) train(ctx context.Context, runs int, learners []string) error {
	total := 0
	for _, in := range s.inputs {
		for range s.wanted(in, runs, learners) {
			total++
		}
	}
	if total == 0 && !s.unsaved {
		return nil
	}
	if s.cfg.Results.In != nil && total > 0 {
		return fmt.Errorf("%w: %d trials of runs 1 to %d are not in %s", ErrConfig, total, runs, strings.Join(s.cfg.Results.In, ", "))
	}
	// What describes the partitions is found beside the trials, unless the result file
	// needs it at its head.
	var describing sync.WaitGroup
	describing.Go(func() {
		for _, in := range s.inputs {
			in.describe(new(record.Header))
		}
	})
	if s.store != nil {
		describing.Wait()
	}
	journal, err := s.begin()
	if err != nil {
		return err
	}
	t := &training{session: s, ctx: ctx, total: total, probed: s.probed(journal), finished: s.finished(journal, total), started: s.started(journal)}
	err = t.open()
	if err == nil {
		err = t.rest(runs, learners)
	}
	describing.Wait()
	for _, in := range s.inputs {
		s.replace(in, func(b *record.Block) { in.describe(&b.Header) })
	}
	if err == nil && t.done < total {
		err = &InterruptedError{Done: t.done, Total: total, Stuck: t.stuck, Partial: journal.path(), Resume: s.resumption, Cause: context.Cause(ctx)}
	}
	if err != nil {
		return errors.Join(err, s.abandon(journal))
	}
	s.unsaved = false
	return s.finish(journal)
}

// describe sets what a header says of the partitions. It is found out once.
func (in *input) describe(h *record.Header) {
	h.SplitDigest = in.plan.Digest()
	h.Target = in.target
	if in.majority != nil {
		h.Majority = in.majority()
	}
}

// replace puts a changed copy of the input's block in its place.
func (s *session) replace(in *input, change func(*record.Block)) {
	b := *in.block
	change(&b)
	s.mu.Lock()
	in.block = &b
	s.mu.Unlock()
}

// blocks returns what has been trained. The blocks do not change any more.
func (s *session) blocks() []*record.Block {
	s.mu.Lock()
	defer s.mu.Unlock()
	blocks := make([]*record.Block, len(s.inputs))
	for i, in := range s.inputs {
		blocks[i] = in.block
	}
	return blocks
}

// file returns what has been trained, second opinions included.
func (s *session) file() *record.File {
	return record.NewFile(slices.Concat(s.blocks(), s.opinions())...)
}
