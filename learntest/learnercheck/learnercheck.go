// Package learnercheck tests whether a learner keeps the promises that make results with it
// worth something: its seed fixes it, it does not look at the labels that it is to predict, it
// changes nothing that it only borrows. It does not judge how well the learner learns.
//
// A [Subject] is a learner or a data set to be checked. There are three shapes of learners:
//
//   - [Learner]: a learner on data of any type, on data of its own
//   - [Classifier]: a classifier on tables, such as the reference learners, on tables of many kinds
//   - [Program]: a learner that is another program, which is to speak a protocol, too
//
// [Data] is a data set, which has rules of its own: copies, contradictions, columns that tell too
// much.
//
// A rule is one promise. Most hold for all shapes, some for one. [Check] returns the rules that
// a subject breaks, [Run] tests each in a subtest, and [Inspect] returns what each came to.
//
//	func TestForest(t *testing.T) {
//		learnercheck.Run(t, learnercheck.Learner(mails, forest))
//	}
//
// Run it under the race detector, too.
package learnercheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest"
)

// A Subject is a learner to be checked, with the data that it is checked on.
type Subject struct {
	shape   shape
	limit   time.Duration // of one rule; 0 if it has none
	allowed []Rule        // to be broken

	// open returns the learner on each data set, and what ends it.
	open func() (benches []*bench, end func() error, err error)
}

// Check returns a [*Flaw] for each rule that the subject breaks, joined, or nil.
//
// Rules in allowed may be broken: [Determinism] by a learner that cannot be seeded, [Learning] by a
// model that was trained elsewhere, [Order] by one that is meant to go on learning while it
// predicts; [Columns], [Groups] and [Times] by data in which they are harmless. Other rules are an
// error. Without determinism, Check cannot see the effects of labels, order and parallel trials on
// the predictions.
//
// Errors that are no *Flaw are about the data, or wrap the cause why ctx has ended. A learner that
// ends the process, such as by writing to a map in parallel, ends Check, too.
//
//	err := learnercheck.Check(ctx, learnercheck.Learner(mails, forest))
//	if flaw, ok := errors.AsType[*learnercheck.Flaw](err); ok { ... }
func Check(ctx context.Context, s Subject, allowed ...Rule) error {
	findings, err := Inspect(ctx, s, allowed...)
	var errs []error
	for _, f := range findings {
		if f.Outcome == Failed {
			errs = append(errs, f.Flaw)
		}
	}
	return errors.Join(append(errs, err)...)
}

// Inspect checks all rules and returns what each came to on each data set. The error says why
// there are no more findings; a broken rule is no error.
func Inspect(ctx context.Context, s Subject, allowed ...Rule) ([]Finding, error) {
	in, err := begin(s, allowed)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, r := range in.rules() {
		fs, err := in.check(ctx, r)
		findings = append(findings, fs...)
		if err != nil {
			return findings, errors.Join(err, in.end())
		}
	}
	return findings, in.end()
}

// T is the part of *testing.T that Run needs, where S is *testing.T itself.
type T[S any] interface {
	learntest.TB
	Run(name string, f func(t S)) bool
	Skipf(format string, args ...any)
}

// Run is [Check] as subtests of a test, one for each rule. A rule that may be broken, and one that
// cannot be checked because another is broken, is skipped.
func Run[S T[S]](t S, s Subject, allowed ...Rule) {
	t.Helper()
	in, err := begin(s, allowed)
	if err != nil {
		t.Fatalf("learnercheck.Run: %v", err)
		return
	}
	t.Cleanup(func() {
		if err := in.end(); err != nil {
			t.Errorf("learnercheck.Run: %v", err)
		}
	})
	interrupted := false
	for _, r := range in.rules() {
		if interrupted {
			return
		}
		t.Run(string(r.name), func(t S) {
			t.Helper()
			findings, err := in.check(gotest.BeforeDeadline(t), r)
			skipped := ""
			for _, f := range findings {
				switch f.Outcome {
				case Failed:
					t.Errorf("%v", f.Flaw)
				case Skipped, Allowed:
					skipped = string(f.Outcome) + ": " + f.Detail
				}
			}
			switch {
			case err != nil:
				interrupted = true
				t.Fatalf("learnercheck.Run: %v", err)
			case skipped != "" && len(findings) == 1:
				t.Skipf("%s", skipped)
			}
		})
	}
}

// An inspection is a subject whose rules are being checked.
type inspection struct {
	subject Subject
	benches []*bench
	end     func() error
	allowed []Rule
}

func begin(s Subject, allowed []Rule) (*inspection, error) {
	if err := checkAllowed(allowed, s.shape); err != nil {
		return nil, err
	}
	benches, end, err := s.open()
	if err != nil {
		return nil, err
	}
	if end == nil {
		end = func() error { return nil }
	}
	return &inspection{s, benches, end, slices.Concat(s.allowed, allowed)}, nil
}

// rules returns those for the shape of the subject.
func (in *inspection) rules() []rule {
	return slices.DeleteFunc(rules(), func(r rule) bool { return r.on&in.subject.shape == 0 })
}

// check checks a rule on each data set. Its error is that the context has ended.
func (in *inspection) check(ctx context.Context, r rule) ([]Finding, error) {
	var findings []Finding
	for _, b := range in.benches {
		f, err := in.checkOn(ctx, r, b)
		if err != nil {
			return findings, err
		}
		findings = append(findings, f)
	}
	return findings, nil
}

// checkOn checks a rule on one data set.
func (in *inspection) checkOn(ctx context.Context, r rule, b *bench) (Finding, error) {
	f := Finding{Rule: r.name, Data: b.data, Outcome: Skipped}
	for _, k := range r.needs {
		if b.found[k] {
			f.Detail = fmt.Sprintf("not tested: the learner has the flaw %q", k)
			return f, nil
		}
	}
	if r.can != nil && !r.can(b.program.can) || b.program != nil && b.program.onlyAnswers() &&
		!r.answers {
		f.Detail = "it is not for this program"
		return f, nil
	}
	b.skipped, b.said = "", ""
	within, cancel := ctx, context.CancelFunc(func() {})
	if in.subject.limit > 0 {
		within, cancel = context.WithTimeoutCause(ctx, in.subject.limit, fmt.Errorf("no end within %v",
			in.subject.limit))
	}
	defer cancel()
	err := guarded(func() error { return r.check(within, b) })
	if ctx.Err() != nil {
		return f, fmt.Errorf("%s on data set %s: interrupted in the test of %s: %w", b.learner, b.data,
			r.name, context.Cause(ctx))
	}
	if in.subject.shape&(programs|dataSets) == 0 && r.name.index() > Inputs.index() {
		if changed := b.changed(); changed != nil { // and so it was seen on other data
			f.Rule, err = Inputs, changed
		}
	}
	switch {
	case err == nil && b.skipped != "":
		f.Detail = b.skipped
		return f, nil
	case err == nil:
		f.Outcome, f.Detail = Passed, b.said
		return f, nil
	}
	f.Detail = err.Error()
	if r.may && refused(err) {
		f.Outcome = Refused
		return f, nil
	}
	b.found[f.Rule] = true
	f.Outcome, f.Flaw = Failed, &Flaw{Rule: f.Rule, Learner: b.learner, Data: b.data, Err: err}
	if slices.Contains(in.allowed, f.Rule) {
		f.Outcome = Allowed
	}
	return f, nil
}
