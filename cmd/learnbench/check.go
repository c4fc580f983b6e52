package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/learner/process"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/unit"
)

// checkCommand checks that a program speaks the protocol of learners, and writes the findings to
// stdout. The exit status works as in a gate: a finding fails it.
func checkCommand(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	exec := fs.Bool("exec", false, "")
	pretrained := fs.Bool("pretrained", false, "")
	limit := fs.Duration("timeout", time.Minute, "")
	var data dataCheck
	data.flags(fs)
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return helpOn(stdout, "check")
	case err != nil:
		return cli.Unjudged, fmt.Errorf("check: %w: see learnbench check -h", err)
	case data.set != "":
		if *exec || *pretrained || fs.NArg() > 0 {
			return cli.Unjudged, fmt.Errorf("check: -data checks data, and -exec a program: name one, without other arguments (%q)", fs.Args())
		}
		return data.check(ctx, stdout, stderr)
	case data.maxCopies != 0, data.allowed != nil:
		return cli.Unjudged, errors.New("check: -max-copies and -allow are about data: name a file or a built-in set with -data")
	case !*exec || fs.NArg() == 0:
		return cli.Unjudged, errors.New("check: no program: name it and its arguments behind -exec, as in -exec python3 shim.py")
	case *limit <= 0:
		return cli.Unjudged, fmt.Errorf("check: -timeout %v is not a positive time, as in %v",
			*limit, time.Minute)
	}
	var allowed []learnercheck.Rule
	if *pretrained {
		allowed = []learnercheck.Rule{learnercheck.Learning}
	}
	program := process.Config{Args: fs.Args(), Name: fs.Arg(0), StartTimeout: *limit, Stderr: stderr}
	findings, err := learnercheck.Inspect(ctx, learnercheck.Program(program, *limit), allowed...)
	if err != nil {
		return cli.Unjudged, fmt.Errorf("check: %w", err)
	}
	return writeFindings(stdout, findings, "docs/process.md says what a program must do")
}

// writeFindings writes what rules came to, and where to read on if some are broken.
func writeFindings(stdout io.Writer, findings []learnercheck.Finding, read string) (int, error) {
	var text strings.Builder
	checked, failed := 0, 0
	for _, f := range findings {
		if f.Outcome == learnercheck.Skipped { // there was nothing to be seen
			continue
		}
		checked++
		fmt.Fprintf(&text, "%-8s %s", f.Outcome, f.Rule)
		if f.Detail != "" {
			fmt.Fprintf(&text, ": %s", unit.Printable(f.Detail))
		}
		text.WriteByte('\n')
		if f.Outcome == learnercheck.Failed {
			failed++
			fmt.Fprintf(&text, "         %s\n", f.Flaw.Harm())
			if f.Rule == learnercheck.Learning {
				fmt.Fprintf(&text, "         -pretrained allows it for a model that is trained elsewhere\n")
			}
		}
	}
	status := cli.Clean
	if failed > 0 {
		fmt.Fprintf(&text, "%d of %d checks failed: %s\n", failed, checked, read)
		status = cli.Failed
	}
	return status, cli.Write(stdout, text.String())
}
