package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/progress"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/study"
)

// ownExperiments are the studies of data and learners of the user's own.
var ownExperiments = map[string]func(context.Context, study.Config,
	study.Calibration) (*study.Report, error){
	"aa":        study.FalseAlarms,
	"calibrate": study.Calibrate,
}

// gateStudy is the study that measures learners of the user's own, too, on data that it draws.
const gateStudy = "gate"

// takesLearners reports whether learners may stand after the name of a study.
func takesLearners(name string) bool { return ownExperiments[name] != nil || name == gateStudy }

// ownGates returns the study of learners, and a function that ends the programs among them.
func ownGates(ctx context.Context, specs []string, stderr io.Writer) (
	run func(context.Context, study.Config) (*study.Report, error), end func(), err error,
) {
	all, err := parseLearners(specs, false)
	if err != nil {
		return nil, nil, err
	}
	if end, err = startPrograms(all, stderr); err != nil {
		return nil, nil, err
	}
	classes, numbers, err := byPrediction(ctx, all)
	if err != nil {
		end()
		return nil, nil, err
	}
	return func(ctx context.Context, cfg study.Config) (*study.Report, error) {
		return study.Gates(ctx, cfg, classes, numbers)
	}, end, nil
}

// byPrediction returns the learners that predict classes, and the learners that predict numbers. A
// program may be in both lists.
func byPrediction(ctx context.Context, all []chosen) (classes []learntest.Learner[dataset.Row, int],
	numbers []learntest.Learner[dataset.Row, float64], err error,
) {
	var ofClasses, ofNumbers []chosen
	for _, l := range all {
		isClasses, isNumbers := l.classifier != nil, l.regressor != nil
		if l.program != nil {
			if isClasses, isNumbers, err = l.program.Predicts(ctx); err != nil {
				return nil, nil, fmt.Errorf("learner %s cannot run: %w", l.name, err)
			}
		}
		if isClasses {
			ofClasses = append(ofClasses, l)
		}
		if isNumbers {
			ofNumbers = append(ofNumbers, l)
		}
	}
	if classes, err = classifiers(ofClasses); err != nil {
		return nil, nil, err
	}
	numbers, err = regressors(ofNumbers)
	return classes, numbers, err
}

// studyCommand runs a study and writes its report to stdout.
func studyCommand(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	var (
		cfg study.Config
		cal calibration
	)
	fs := flag.NewFlagSet("study", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	list := fs.Bool("list", false, "")
	quiet := fs.Bool("quiet", false, "")
	fs.BoolVar(&cfg.Small, "small", false, "")
	fs.IntVar(&cfg.Sets, "sets", 0, "")
	fs.StringVar(&cfg.Store, "store", "", "")
	fs.Uint64Var(&cfg.Seed, "seed", 1, "")
	fs.IntVar(&cfg.Parallel, "parallel", 0, "")
	cal.flags(fs)
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return helpOn(stdout, "study")
	case err != nil:
		return cli.Unjudged, fmt.Errorf("study: %w: see learnbench study -h", err)
	}
	names := fs.Args()
	switch {
	case *list && (len(names) > 0 || fs.NFlag() > 1):
		return cli.Unjudged, errors.New("study: -list is on its own")
	case *list:
		return cli.Clean, cli.Write(stdout, studies())
	case len(names) == 0 || len(names) > 1 && !takesLearners(names[0]):
		return cli.Unjudged, fmt.Errorf("study: %d studies: name one from learnbench study -list, after the flags", len(names))
	case cfg.Seed == 0:
		return cli.Unjudged, errors.New("study: -seed 0 is not above 0")
	case cfg.Sets < 0:
		return cli.Unjudged, fmt.Errorf("study: -sets %d is less than 1", cfg.Sets)
	case cfg.Parallel < 0:
		return cli.Unjudged, fmt.Errorf("study: -parallel %d is less than 1", cfg.Parallel)
	}
	s, err := study.Lookup(names[0])
	if err != nil {
		return cli.Unjudged, fmt.Errorf("study: %w", err)
	}
	run := s.Run
	own, stray := ownExperiments[s.Name], givenOf(fs, cal.own())
	switch {
	case own != nil:
		spec, end, err := cal.spec(names[1:], stderr)
		defer end()
		if err != nil {
			return cli.Unjudged, fmt.Errorf("study %s: %w", s.Name, err)
		}
		run = func(ctx context.Context, cfg study.Config) (*study.Report, error) {
			return own(ctx, cfg, spec)
		}
	case stray != "":
		return cli.Unjudged, fmt.Errorf("study %s: -%s is for the studies aa and calibrate", s.Name, stray)
	case len(names) > 1: // of the study gate
		var end func()
		if run, end, err = ownGates(ctx, names[1:], stderr); err != nil {
			return cli.Unjudged, fmt.Errorf("study %s: %w", s.Name, err)
		}
		defer end()
	}
	var done func()
	cfg.Progress, done = progress.Bar(stderr, *quiet, "data sets")
	report, err := run(ctx, cfg)
	done()
	if err != nil {
		return cli.Unjudged, fmt.Errorf("study %s: %w", s.Name, err)
	}
	return cli.Clean, cli.Write(stdout, report.String())
}

// givenOf returns the first of the flags that was given.
func givenOf(fs *flag.FlagSet, names []string) (given string) {
	fs.Visit(func(f *flag.Flag) {
		if given == "" && slices.Contains(names, f.Name) {
			given = f.Name
		}
	})
	return given
}

// studies lists the studies with their subjects.
func studies() string {
	var b strings.Builder
	for _, s := range study.All() {
		fmt.Fprintf(&b, "%s\n\t%s\n", s.Name, s.Doc)
	}
	return b.String()
}
