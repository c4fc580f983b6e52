package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/branch"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/unit"
)

// shares are the shares of predictions that prove replaces, one after the other. A test that passes
// with the largest, which comes first, need not be tried with less.
var shares = []float64{0.5, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.14, 0.2, 0.28, 0.4}

// degrade is the variable that has tests degrade their candidates.
const degrade = "LEARNTEST_DEGRADE"

// A proof has the findings about one test.
type proof struct {
	pkg, name string
	whole     []gotest.Claim // without any degradation
	steps     []step         // from the smallest share on, up to the one that was caught
	most      step           // with the largest share
}

// A step is a test with a share of its candidates' predictions replaced.
type step struct {
	share  float64
	claims []gotest.Claim
}

// caught returns the claim that the step was caught by, or -1.
func (s *step) caught() int {
	return slices.IndexFunc(s.claims, func(c gotest.Claim) bool { return !c.Holds })
}

// last returns the step that says what came of the proof: the smallest that was caught, or the
// largest that was not.
func (p *proof) last() *step {
	if n := len(p.steps); n > 0 && (p.steps[n-1].caught() >= 0 || p.most.caught() < 0) {
		return &p.steps[n-1]
	}
	return &p.most
}

// done reports whether nothing more is to be tried.
func (p *proof) done() bool {
	return p.most.claims != nil && p.most.caught() < 0 || len(p.steps) > 0 &&
		p.steps[len(p.steps)-1].caught() >= 0
}

// proveCommand runs tests with worse and worse candidates, to see whether they can fail.
func proveCommand(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	fs := flag.NewFlagSet("prove", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return helpOn(stdout, "prove")
	case err != nil:
		return cli.Unjudged, fmt.Errorf("prove: %w: packages come before the flags of go test: see learnbench prove -h", err)
	case fs.NArg() == 0:
		return cli.Unjudged, errors.New("prove: no packages: name them as for go test, as in ./... -run TestForest")
	}
	for _, name := range append(slices.Clone(unusable), degrade) {
		if value := os.Getenv(name); value != "" {
			return cli.Unjudged, fmt.Errorf("prove: environment variable %s is set: unset it", name)
		}
	}
	for _, arg := range fs.Args() {
		if name := strings.TrimLeft(arg, "-"); strings.HasPrefix(arg, "-") &&
			(name == "short" || name == "short=true" || name == "json") {
			return cli.Unjudged, fmt.Errorf("prove: %s is not for a proof: with -short claims are not judged", arg)
		}
	}
	proofs, err := prove(ctx, fs.Args(), stderr)
	if err != nil {
		return cli.Unjudged, fmt.Errorf("prove: %w", err)
	}
	var b strings.Builder
	status := cli.Clean
	for i, p := range proofs {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.String())
		if p.last().caught() < 0 {
			status = cli.Failed
		}
	}
	return status, cli.Write(stdout, b.String())
}

// prove runs the tests unchanged, and then until each of them fails or half of the
// predictions are replaced.
func prove(ctx context.Context, args []string, stderr io.Writer) ([]*proof, error) {
	runs, err := branch.Tests(ctx, ".", nil, args, stderr)
	if err != nil {
		return nil, err
	}
	var proofs []*proof
	byTest := make(map[[2]string]*proof)
	for _, r := range runs {
		if r.Claims == nil {
			continue
		}
		if err := sound(r); err != nil {
			fmt.Fprint(stderr, r.Output)
			return nil, err
		}
		p := &proof{pkg: r.Pkg, name: r.Name, whole: r.Claims}
		proofs = append(proofs, p)
		byTest[[2]string{r.Pkg, r.Name}] = p
	}
	if len(proofs) == 0 {
		return nil, errors.New("no test that was run claims anything about learners: choose those with claims of package assert")
	}
	for _, share := range shares {
		if !slices.ContainsFunc(proofs, func(p *proof) bool { return !p.done() }) {
			break
		}
		fmt.Fprintf(stderr, "learnbench: %s=%v %s\n", degrade, share,
			cli.Quote(slices.Concat([]string{"go", "test", "-count=1"}, args)))
		runs, err := branch.Tests(ctx, ".", []string{fmt.Sprintf("%s=%v", degrade, share)}, args, stderr)
		if err != nil {
			return nil, err
		}
		seen := 0
		for _, r := range runs {
			p := byTest[[2]string{r.Pkg, r.Name}]
			if p == nil || p.done() {
				continue
			}
			seen++
			if err := p.take(share, r); err != nil {
				fmt.Fprint(stderr, r.Output)
				return nil, err
			}
		}
		if seen == 0 {
			return nil, fmt.Errorf("with %s=%v the tests claim nothing any more", degrade, share)
		}
	}
	return proofs, nil
}

// sound returns an error for a test that cannot be proven, since it fails even with unchanged
// predictions.
func sound(r *branch.TestRun) error {
	for _, c := range r.Claims {
		switch {
		case !c.Judged:
			return fmt.Errorf("%s of %s is not judged: %s", r.Name, r.Pkg, unit.Printable(c.Text))
		case !c.Holds:
			return fmt.Errorf("%s of %s fails without any degradation: %s does not hold", r.Name, r.Pkg,
				unit.Printable(c.Text))
		}
	}
	if r.Outcome != "pass" {
		return fmt.Errorf("%s of %s does not pass without any degradation, although its claims hold",
			r.Name, r.Pkg)
	}
	return nil
}

// take takes what a test did with a degraded candidate.
func (p *proof) take(share float64, r *branch.TestRun) error {
	s := step{share, r.Claims}
	at := s.caught()
	switch {
	case len(r.Claims) > len(p.whole) || at < 0 && len(r.Claims) < len(p.whole):
		return fmt.Errorf("%s of %s makes %d claims unchanged and %d with %s=%v", p.name, p.pkg,
			len(p.whole), len(r.Claims), degrade, share)
	case at >= 0 && !r.Claims[at].Judged:
		return fmt.Errorf("%s of %s could not be judged with %s=%v: %s", p.name, p.pkg, degrade, share,
			unit.Printable(r.Claims[at].Text))
	case at < 0 && r.Outcome != "pass":
		return fmt.Errorf("%s of %s does not pass with %s=%v although its claims hold", p.name, p.pkg,
			degrade, share)
	case at >= 0 && r.Outcome == "pass":
		return fmt.Errorf("%s of %s passes although a claim of it does not hold: %s", p.name, p.pkg,
			unit.Printable(r.Claims[at].Text))
	}
	if share == shares[0] {
		p.most = s
	} else {
		p.steps = append(p.steps, s)
	}
	return nil
}

// String says which share was caught, beside what the verdicts have computed.
func (p *proof) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s\n", p.name, p.pkg)
	for _, c := range p.whole {
		fmt.Fprintf(&b, "  %s: holds", unit.Printable(c.Text))
		if c.Loss != nil {
			fmt.Fprintf(&b, ", and would not in %.4g%% of cases after a loss of %s", 100*c.Power,
				amount(c, *c.Loss))
		}
		b.WriteByte('\n')
		if c.Warning != "" {
			fmt.Fprintf(&b, "    warning: %s: hardly any loss from there shows\n", unit.Printable(c.Warning))
		}
	}
	last := p.last()
	at := last.caught()
	shown := max(0, at)
	steps := p.steps
	if last == &p.most {
		steps = append(slices.Clone(steps), p.most)
	}
	for _, s := range steps {
		what := "passes"
		if s.caught() >= 0 {
			what = "fails"
		}
		fmt.Fprintf(&b, "  %-5v of the %s, a loss of %s: %s\n", s.share, p.damage(),
			amount(p.whole[shown], p.lost(shown, s)), what)
	}
	if at < 0 {
		of, more := "predictions are draws from the labels", "test on more examples"
		if p.whole[0].Items {
			of, more = "answers are wrong", "add items"
		}
		fmt.Fprintf(&b, "  NOT CAUGHT: the test passes although %v of its candidate's %s: narrow its margin, lower its alpha, or %s\n", last.share, of, more)
		return b.String()
	}
	fmt.Fprintf(&b, "  caught at %v by %q", last.share, unit.Printable(p.whole[at].Text))
	if loss := p.whole[at].Loss; loss != nil && *loss > 0 {
		fmt.Fprintf(&b, ": %.2g times the loss that was computed", p.lost(at, *last)/math.Abs(*loss))
	}
	b.WriteByte('\n')
	return b.String()
}

// damage says what a share of the candidate's output is made to be.
func (p *proof) damage() string {
	if p.whole[0].Items {
		return "answers wrong"
	}
	return "predictions replaced"
}

// lost returns how much less a claim's difference is.
func (p *proof) lost(claim int, s step) float64 {
	if claim >= len(s.claims) {
		return math.NaN()
	}
	return p.whole[claim].Estimate - s.claims[claim].Estimate
}

// amount formats an amount in the unit of a claim.
func amount(c gotest.Claim, x float64) string {
	u := unit.Unit{Min: math.Inf(-1), Max: math.Inf(1)}
	if c.Fraction {
		u.Min, u.Max = 0, 1
	}
	return u.FormatMargin(x)
}
