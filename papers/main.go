package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/internal/progress"
	"github.com/learnbench/learnbench/papers/benavoli2016"
	"github.com/learnbench/learnbench/papers/bouckaert2003"
	"github.com/learnbench/learnbench/papers/bouckaert2004"
	"github.com/learnbench/learnbench/papers/bradford2001"
	"github.com/learnbench/learnbench/papers/internal/paper"
)

//go:embed doc.go
var doc string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM,
		syscall.SIGHUP)
	status := cli.Clean
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		cli.Report(os.Stderr, "papers", err)
		status = cli.Unjudged
	}
	stop()
	os.Exit(status)
}

// parts returns all that is reproduced, by paper.
func parts() []paper.Part {
	return slices.Concat(bouckaert2003.Parts(), bradford2001.Parts(), benavoli2016.Parts(),
		bouckaert2004.Parts())
}

// run reproduces what the arguments name and writes it to stdout.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var cfg lab.Config
	fs := flag.NewFlagSet("papers", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	list := fs.Bool("list", false, "")
	quiet := fs.Bool("quiet", false, "")
	fs.BoolVar(&cfg.Small, "small", false, "")
	fs.IntVar(&cfg.Sets, "sets", 0, "")
	fs.StringVar(&cfg.Store, "store", "", "")
	fs.StringVar(&cfg.Data, "data", "", "")
	fs.Uint64Var(&cfg.Seed, "seed", 1, "")
	fs.IntVar(&cfg.Parallel, "parallel", 0, "")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return help(stdout)
	case err != nil:
		return fmt.Errorf("%w: see -h", err)
	}
	switch names := fs.Args(); {
	case *list && (len(names) > 0 || fs.NFlag() > 1):
		return errors.New("-list is on its own")
	case *list:
		return cli.Write(stdout, listed())
	case len(names) != 1:
		return fmt.Errorf("%d names: give one of the names that -list shows, after the flags", len(names))
	case cfg.Seed == 0:
		return errors.New("-seed 0 is not above 0")
	case cfg.Sets < 0:
		return fmt.Errorf("-sets %d is less than 1", cfg.Sets)
	case cfg.Parallel < 0:
		return fmt.Errorf("-parallel %d is less than 1", cfg.Parallel)
	}
	p, err := paper.Find(parts(), fs.Arg(0))
	if err != nil {
		return err
	}
	what := "data sets"
	if p.Data {
		what = "parts"
	}
	var done func()
	cfg.Progress, done = progress.Bar(stderr, *quiet, what)
	report, err := p.Run(ctx, cfg)
	done()
	if err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	return cli.Write(stdout, report.String())
}

// help writes the documentation of the command.
func help(stdout io.Writer) error {
	var b strings.Builder
	if err := cli.Help(&b, doc); err != nil {
		return err
	}
	return cli.Write(stdout, b.String())
}

// listed returns the names of all parts, with the tables and figures that they reproduce.
func listed() string {
	var b strings.Builder
	for _, p := range parts() {
		fmt.Fprintf(&b, "%s\n\t%s\n", p.Name, p.Doc)
	}
	return b.String()
}
