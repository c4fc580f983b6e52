package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/pin"
)

// pinCommand moves a reference and writes the new entry of its ledger to stdout.
func pinCommand(args []string, stdout io.Writer) (int, error) {
	m := pin.Move{Date: time.Now()}
	fs := flag.NewFlagSet("pin", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&m.Reason, "reason", "", "")
	fs.Func("learner", "", func(names string) error {
		for name := range strings.SplitSeq(names, ",") {
			m.Learners = append(m.Learners, strings.TrimSpace(name))
		}
		return nil
	})
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return helpOn(stdout, "pin")
	case err != nil:
		return cli.Unjudged, fmt.Errorf("pin: %w: see learnbench pin -h", err)
	case fs.NArg() != 2:
		return cli.Unjudged, fmt.Errorf("pin: %d files: write learnbench pin -reason TEXT RESULTS REFERENCE, flags first", fs.NArg())
	}
	m.Results, m.Reference = fs.Arg(0), fs.Arg(1)
	entry, err := m.Do()
	if err != nil {
		return cli.Unjudged, fmt.Errorf("pin: %w", err)
	}
	return cli.Clean, cli.Write(stdout, strings.TrimPrefix(entry, "\n"))
}
