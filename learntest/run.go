package learntest

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// Run trains and tests each learner on every fold of each data set, and
// returns one record.Set for each data set.
//
// All learners see the same partitions and the same seeds. A trial that fails
// (an error, a panic, a prediction or a metric that is not a number, a deadline)
// is recorded with its cause, and the others go on; record.File.Failures lists
// them. Results are the same, times apart, for any Config.Parallel.
//
// The error says that the trials could not be run at all, or that their
// results could not be written; in the latter case they are returned nevertheless.
func Run[X any, Y comparable](ctx context.Context, data []Data[X, Y], learners []Learner[X, Y], cfg Config) (*record.File, error) {
	s, err := newSession(data, learners, cfg)
	if err != nil {
		return nil, err
	}
	err = s.run(ctx, s.cfg.Repeats)
	return s.file(), err
}

// A session is a set of learners on a set of data sets, of which some runs
// have been run. It can be extended by more.
type session struct {
	cfg      Config
	merge    bool // keep what else is in the result file
	learners []string
	inputs   []input
	runs     int // that have been run
	sets     []record.Set
}

// An input is one data set with the learners bound to it.
type input struct {
	name, digest string
	examples     split.Examples
	plan         *split.Plan // of the protocol's own runs
	trials       []trialFunc
}

func newSession[X any, Y comparable](data []Data[X, Y], learners []Learner[X, Y], cfg Config) (*session, error) {
	if len(data) == 0 || len(learners) == 0 {
		return nil, fmt.Errorf("%w: %d data sets and %d learners", ErrConfig, len(data), len(learners))
	}
	cfg, err := cfg.withDefaults(!isFloat(*new(Y)))
	if err != nil {
		return nil, err
	}
	s := &session{cfg: cfg}
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
		in := input{name: src.name, digest: src.digest, examples: src.examples()}
		for _, l := range learners {
			in.trials = append(in.trials, trial(src, l))
		}
		in.plan, err = cfg.Protocol.Plan(in.examples)
		if err != nil {
			return nil, fmt.Errorf("data set %q: %w", src.name, err)
		}
		s.inputs = append(s.inputs, in)
		s.sets = append(s.sets, record.Set{Header: s.header(in), Learners: s.learners, Units: cfg.units()})
	}
	return s, nil
}

// header returns the header of an input but for what digestPlans and run add.
func (s *session) header(in input) record.Header {
	return record.Header{
		Pkg:        s.cfg.Pkg,
		Commit:     s.cfg.Commit,
		Protocol:   s.cfg.Protocol.String(),
		DataDigest: in.digest,
		Folds:      in.plan.Folds(),
		Reproduce:  s.cfg.Reproduce,
		Toolchain:  strings.Join([]string{runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}, " "),
	}
}

// run runs the runs of the protocol the given number of times, less those that
// have been run.
func (s *session) run(ctx context.Context, repeats int) error {
	to := s.cfg.Protocol.Runs() * repeats
	if to <= s.runs {
		return nil
	}
	batches := make([]*batch, len(s.inputs))
	for i, in := range s.inputs {
		plan, err := in.plan, error(nil)
		if to != plan.Runs() {
			plan, err = s.cfg.Protocol.WithRuns(to).Plan(in.examples)
		}
		if err != nil {
			return fmt.Errorf("data set %q: %w", in.name, err)
		}
		batches[i] = &batch{data: in.name, digest: in.digest, plan: plan, from: s.runs + 1, names: s.learners, learner: in.trials}
		if s.runs == 0 {
			batches[i].probes = make([]probe, len(s.learners))
		}
		s.sets[i].Header.Runs, s.sets[i].Header.Repeats = to, repeats
	}
	// The digests take as long as a few trials and run beside them, unless
	// the result file needs them at its head.
	var digests sync.WaitGroup
	digests.Go(s.digestPlans)
	if s.cfg.Out != "" {
		digests.Wait()
	}
	e := newEngine(batches, s.cfg.Metrics)
	e.seed, e.timeout = s.cfg.Protocol.Seed(), s.cfg.TrialTimeout
	out, err := s.startOutput()
	if err != nil {
		return err
	}
	e.finished = s.finished(out, len(e.tasks))
	e.run(ctx, s.cfg.Parallel)
	digests.Wait()
	for i, b := range batches {
		s.sets[i].Trials = append(s.sets[i].Trials, b.trials...)
		if b.probes != nil {
			recordProbes(&s.sets[i].Header, s.learners, b.probes)
		}
	}
	s.runs = to
	return out.finish(s.file())
}

// digestPlans stores the digests of the plans, which each plan computes once.
func (s *session) digestPlans() {
	for i := range s.sets {
		s.sets[i].Header.SplitDigest = s.inputs[i].plan.Digest()
	}
}

// file returns what has been run so far. It shares the session's memory.
func (s *session) file() *record.File { return &record.File{Sets: s.sets} }
