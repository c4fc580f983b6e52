package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/refresh"
)

// refreshCommand takes the baselines of tests over to new data.
func refreshCommand(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	r := refresh.Refresh{Date: time.Now(), Messages: stderr}
	fs := flag.NewFlagSet("refresh", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&r.Reason, "reason", "", "")
	fs.Var((*list)(&r.Data), "data", "")
	err := fs.Parse(args)
	r.Args = fs.Args()
	switch {
	case errors.Is(err, flag.ErrHelp):
		return helpOn(stdout, "refresh")
	case err != nil:
		err = fmt.Errorf("%w: its own flags come first, then packages, then the flags of go test: see learnbench refresh -h", err)
	case len(r.Args) == 0:
		err = errors.New("no packages: name them as for go test, as in ./... -run TestForest")
	default:
		err = checkRefresh(r.Args, os.LookupEnv, os.Environ())
	}
	if err != nil {
		return cli.Unjudged, fmt.Errorf("refresh: %w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return cli.Unjudged, err
	}
	report, holds, err := r.Do(ctx, dir)
	if ctx.Err() != nil { // whichever error came first
		return cli.Unjudged, errors.New("refresh: interrupted")
	}
	if err != nil {
		return cli.Unjudged, fmt.Errorf("refresh: nothing is written: %w", err)
	}
	if err := cli.Write(stdout, report); err != nil {
		return cli.Unjudged, err
	}
	if !holds {
		return cli.Failed, nil
	}
	return cli.Clean, nil
}

// checkRefresh returns an error where baselines are not to be written, or would be of something
// else.
func checkRefresh(args []string, lookup func(string) (string, bool), environ []string) error {
	if name := gotest.CIVariable(lookup); name != "" {
		return fmt.Errorf("%s is set, as in continuous integration: a baseline changes in a commit that somebody reviews", name)
	}
	for _, kv := range environ {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "LEARNTEST_") && value != "" {
			return fmt.Errorf("environment variable %s is set, and the baseline would depend on it: unset it", name)
		}
	}
	for _, arg := range args {
		if name := strings.TrimLeft(arg, "-"); strings.HasPrefix(arg, "-") &&
			(name == "short" || name == "short=true" || name == "json") {
			return fmt.Errorf("%s is not for a refresh: baselines are of all runs", arg)
		}
	}
	return nil
}
