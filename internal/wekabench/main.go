//go:build linux

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	_ "embed"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
)

//go:embed doc.go
var doc string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "wekabench: %v\n", err)
		os.Exit(1)
	}
}

// A config is what the flags say.
type config struct {
	data, weka  string
	pairs, runs int
	order       string
	warm        float64 // seconds
}

func parse(args []string) (*config, error) {
	c := &config{}
	fs := flag.NewFlagSet("wekabench", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	shared := os.Getenv("LEARNBENCH_SHARED")
	if shared != "" {
		shared = filepath.Join(shared, "data")
	}
	fs.StringVar(&c.data, "data", shared, "")
	fs.StringVar(&c.weka, "weka", "/usr/share/java/weka.jar:/usr/share/java/cup.jar", "")
	fs.IntVar(&c.pairs, "pairs", 5, "")
	fs.IntVar(&c.runs, "runs", 10, "")
	fs.StringVar(&c.order, "order", "weka", "")
	fs.Float64Var(&c.warm, "warm", 0, "")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case fs.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	case c.pairs < 1 || c.runs < 1:
		return nil, fmt.Errorf("%d pairs of %d runs: want at least one", c.pairs, c.runs)
	case !(c.warm >= 0):
		return nil, fmt.Errorf("%v seconds: want a positive number", c.warm)
	case c.order != "weka" && c.order != "free":
		return nil, fmt.Errorf("order %q: want weka or free", c.order)
	}
	return c, nil
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	c, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return cli.Help(stdout, doc)
	}
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "wekabench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := prepare(ctx, c, dir)
	if err != nil {
		return err
	}
	if c.warm > 0 {
		fmt.Fprintln(stdout, machine(ctx))
		return s.warm(ctx, c.warm, stdout)
	}
	fmt.Fprintf(stdout, "%d data sets, 3 learners, %d runs of 10 folds: %d trainings\n%s\n", len(s.files), c.runs, s.trainings(), machine(ctx))
	var ours, wekas []usage
	for n := range c.pairs {
		our, weka, err := s.pair(ctx, n)
		if err != nil {
			return err
		}
		ours, wekas = append(ours, our), append(wekas, weka)
	}
	for n := range c.pairs {
		different, err := s.compare(n)
		if err != nil {
			return err
		}
		if n == 0 {
			fmt.Fprintf(stdout, "accuracies that differ from Weka's: %s\n\n%s", different, table(ours, wekas))
		}
		if c.order == "weka" && len(different) > 0 {
			return fmt.Errorf("pair %d: %d of %d accuracies differ from Weka's:\n%s", n+1, len(different), s.trainings(), different.first(10))
		}
	}
	return nil
}

// compare compares the results of a pair on all folds.
func (s *setup) compare(pair int) (differences, error) {
	f, err := record.Open(s.ourResults(pair))
	if err != nil {
		return nil, err
	}
	name := s.wekaResults(pair)
	w, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	weka, err := readWeka(w, name)
	if err != nil {
		return nil, err
	}
	if len(weka) != s.trainings() {
		return nil, fmt.Errorf("%s: %d results of %d trainings", name, len(weka), s.trainings())
	}
	return compare(f, weka)
}
