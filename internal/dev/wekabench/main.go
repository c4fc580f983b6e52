//go:build linux

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

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

// A config holds the flags.
type config struct {
	data, weka  string
	pairs, runs int
	order       string
	sklearn     bool
	python      string
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
	fs.BoolVar(&c.sklearn, "sklearn", false, "")
	fs.StringVar(&c.python, "python", "python3", "")
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
	case c.warm > 0 && c.sklearn:
		return nil, errors.New("-warm measures Weka only: leave out -sklearn")
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
		fmt.Fprintln(stdout, machine(ctx, s.version))
		return s.warm(ctx, c.warm, stdout)
	}
	fmt.Fprintf(stdout, "%d data sets, 3 learners, %d runs of 10 folds: %d trainings\n%s\n",
		len(s.files), c.runs, s.trainings(), machine(ctx, s.version))
	var ours []usage
	theirs := make([][]usage, len(s.rivals))
	for n := range c.pairs {
		our, their, err := s.round(ctx, n)
		if err != nil {
			return err
		}
		ours = append(ours, our)
		for i, u := range their {
			theirs[i] = append(theirs[i], u)
		}
	}
	for i, r := range s.rivals {
		about, err := s.agreement(i, c)
		if err != nil {
			return fmt.Errorf("%s: %w", r.title, err)
		}
		fmt.Fprintf(stdout, "\n%s\n%s\n\n%s", r.title, about, table(r.name, ours, theirs[i]))
	}
	return nil
}

// agreement says how the accuracies of a rival agree with ours. It is an error
// if those differ that must not.
func (s *setup) agreement(rival int, c *config) (string, error) {
	about := ""
	for n := range c.pairs {
		ours, theirs, err := s.counts(rival, n)
		if err != nil {
			return "", err
		}
		if !s.rivals[rival].same {
			return accuracies(ours, theirs), nil
		}
		different, err := compare(ours, theirs)
		if err != nil {
			return "", err
		}
		if n == 0 {
			about = "accuracies that differ from Weka's: " + different.String()
		}
		if c.order == "weka" && len(different) > 0 {
			return "", fmt.Errorf("pair %d: %d of %d accuracies differ:\n%s", n+1, len(different),
				s.trainings(), different.first(10))
		}
	}
	return about, nil
}

// accuracies returns the mean accuracies of each learner on both sides.
func accuracies(ours, theirs map[record.Cell]counts) string {
	our, their := percentCorrect(ours), percentCorrect(theirs)
	var parts []string
	for _, learner := range slices.Sorted(maps.Keys(our)) {
		parts = append(parts, fmt.Sprintf("%s %.1f and %.1f", learner, our[learner], their[learner]))
	}
	return "percent correct, learnbench's and its: " + strings.Join(parts, ", ")
}

// counts returns the results of a pair.
func (s *setup) counts(rival, pair int) (ours, theirs map[record.Cell]counts, err error) {
	f, err := record.Open(s.ourResults(pair))
	if err != nil {
		return nil, nil, err
	}
	if ours, err = ourCounts(f); err != nil {
		return nil, nil, err
	}
	name := s.results(rival, pair)
	r, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	if theirs, err = readCounts(r, name); err != nil {
		return nil, nil, err
	}
	if len(theirs) != s.trainings() {
		return nil, nil, fmt.Errorf("%s: %d results of %d trainings", name, len(theirs), s.trainings())
	}
	return ours, theirs, nil
}
