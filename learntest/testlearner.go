package learntest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/split"
)

// TestLearner tests whether a learner keeps the contract of [Fit] and [Model], so that
// what is measured with it can be trusted. It returns a [*Flaw] for each kind of promise that is
// broken, joined, or nil. It does not judge how well the learner learns.
//
// The learner is trained on parts of the data, about thirty times: take data as it will
// see them, few enough for that, and the largest that is bearable to see whether it stops when its
// context ends, which a Fit of less than half a second need not.
//
// Kinds in allowed are left out: [FlawDeterminism] for a learner that cannot be seeded,
// [FlawLearning] for a model that was trained elsewhere, [FlawOrder] for one that is meant to go on
// learning while it predicts. Others are an error. Without determinism, what labels, order and
// parallel trials do to the predictions cannot be seen.
//
// Errors that are no *Flaw are about the data, or wrap the cause why ctx has ended. A learner that
// makes the process end, such as by writing to a map in parallel, ends that of TestLearner,
// too.
//
//	err := learntest.TestLearner(ctx, mails, forest)
//	if flaw, ok := errors.AsType[*learntest.Flaw](err); ok { ... }
func TestLearner[X any, Y comparable](ctx context.Context, data Data[X, Y], l Learner[X, Y], allowed ...FlawKind) error {
	s, err := newSubject(data, l, allowed)
	if err != nil {
		return err
	}
	var errs []error
	for _, c := range s.checks() {
		f, err := s.check(ctx, c)
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		if f != nil {
			errs = append(errs, f)
		}
	}
	return errors.Join(errs...)
}

// Subtests is the part of *testing.T that RunLearnerTests needs, where T is
// *testing.T itself.
type Subtests[T any] interface {
	TB
	Run(name string, f func(t T)) bool
	Skipf(format string, args ...any)
}

// RunLearnerTests is [TestLearner] as subtests of a test, one for each kind of flaw. A
// kind that is allowed, and one that cannot be tested for because of another flaw, is skipped.
//
//	func TestForest(t *testing.T) {
//		learntest.RunLearnerTests(t, mails, forest)
//	}
func RunLearnerTests[T Subtests[T], X any, Y comparable](t T, data Data[X, Y], l Learner[X, Y], allowed ...FlawKind) {
	t.Helper()
	s, err := newSubject(data, l, allowed)
	if err != nil {
		t.Fatalf("learntest.RunLearnerTests: %v", err)
		return
	}
	interrupted := false
	for _, c := range s.checks() {
		if interrupted {
			return
		}
		t.Run(string(c.kind), func(t T) {
			t.Helper()
			f, err := s.check(beforeDeadline(t), c)
			switch {
			case err != nil:
				interrupted = true
				t.Fatalf("learntest.RunLearnerTests: %v", err)
			case f != nil:
				t.Errorf("%v", f)
			case s.skipped != "":
				t.Skipf("%s", s.skipped)
			}
		})
	}
}

// A check tests for one kind of flaw. needs are those without which it shows nothing.
type check struct {
	kind  FlawKind
	run   func(ctx context.Context) error
	needs []FlawKind
}

// checks returns all, in the order of flaws.
func (s *subject[X, Y]) checks() []check {
	whole := []FlawKind{FlawTrial, FlawPredictions, FlawProbabilities, FlawInputs}
	same := append(whole, FlawDeterminism)
	return []check{
		{FlawTrial, s.checkTrial, nil},
		{FlawPredictions, s.checkPredictions, whole[:1]},
		{FlawProbabilities, s.checkProbabilities, whole[:2]},
		{FlawInputs, s.checkInputs, nil},
		{FlawDeterminism, s.checkDeterminism, whole},
		{FlawLabels, s.checkLabels, same},
		{FlawLearning, s.checkLearning, same},
		{FlawOrder, s.checkOrder, same},
		{FlawParallel, s.checkParallel, same},
		{FlawContext, s.checkContext, whole},
	}
}

// check returns the flaw that a check finds, if any. Its error is that the context has
// ended.
func (s *subject[X, Y]) check(ctx context.Context, c check) (*Flaw, error) {
	s.skipped = ""
	for _, k := range c.needs {
		if s.found[k] {
			s.skipped = fmt.Sprintf("not tested: the learner has the flaw %q", k)
			return nil, nil
		}
	}
	err := c.run(ctx)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s on data set %s: interrupted in the test of %s: %w", s.learner.Name, s.source.name, c.kind, context.Cause(ctx))
	}
	kind := c.kind
	if kind.index() > FlawInputs.index() {
		if changed := s.checkInputs(ctx); changed != nil { // and so it was seen on other data
			kind, err = FlawInputs, changed
		}
	}
	if err == nil {
		return nil, nil
	}
	s.found[kind] = true
	if slices.Contains(s.allowed, kind) {
		s.skipped = fmt.Sprintf("allowed: %v", err)
		return nil, nil
	}
	return &Flaw{Kind: kind, Learner: s.learner.Name, Data: s.source.name, Err: err}, nil
}

// conformanceFolds is how many parts the data are split into: each is predicted by a
// model of the others.
const conformanceFolds = 3

func newSubject[X any, Y comparable](data Data[X, Y], l Learner[X, Y], allowed []FlawKind) (*subject[X, Y], error) {
	if err := checkAllowed(allowed); err != nil {
		return nil, err
	}
	if l.Name == "" || l.Fit == nil {
		return nil, fmt.Errorf("%w: learner %q has no name or no Fit", ErrConfig, l.Name)
	}
	src, err := newSource(data)
	if err != nil {
		return nil, err
	}
	plan, err := split.CV(1, conformanceFolds).Plan(src.examples())
	if err != nil {
		return nil, src.planError(err)
	}
	s := &subject[X, Y]{source: src, learner: l, allowed: allowed, classes: slices.Clone(src.classes), found: make(map[FlawKind]bool)}
	for i := range s.folds {
		s.folds[i].train, s.folds[i].test = plan.Trial(1, i+1, nil, nil)
		s.folds[i].seed = TrialSeed(plan.Protocol().Seed(), src.digest, 1, i+1)
	}
	return s, nil
}
