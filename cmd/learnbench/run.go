package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/datafile"
	"github.com/learnbench/learnbench/internal/progress"
	"github.com/learnbench/learnbench/internal/revision"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// runCommand runs the learners and writes the verdicts to stdout. The error
// says why something could not be judged.
func runCommand(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	r, err := parseRun(args)
	if errors.Is(err, flag.ErrHelp) {
		return helpOn(stdout, "run")
	}
	if err != nil {
		return cli.Unjudged, fmt.Errorf("run: %w", err)
	}
	learners, err := parseLearners(r.learners, len(r.cfg.Results.In) > 0)
	if err != nil {
		return cli.Unjudged, err
	}
	read := datafile.Options{ReadOptions: r.read, Note: notes(stderr), Labeled: true}
	if r.quiet {
		read.Note = nil
	}
	tables, err := datafile.Open(r.data, read)
	if err != nil {
		return cli.Unjudged, err
	}
	numeric, err := numericTargets(tables)
	if err != nil {
		return cli.Unjudged, err
	}
	if err := r.settle(numeric); err != nil {
		return cli.Unjudged, fmt.Errorf("run: %w", err)
	}
	for _, t := range tables {
		note, err := r.rehearse(t.Name(), t.Len())
		if err != nil {
			return cli.Unjudged, fmt.Errorf("run: %w", err)
		}
		if note != "" && !r.quiet {
			cli.Report(stderr, "learnbench", errors.New(note))
		}
	}
	end, err := startPrograms(learners, stderr)
	if err != nil {
		return cli.Unjudged, err
	}
	defer end()
	if len(r.cfg.Results.In) == 0 { // else nothing is trained
		if err := readyPrograms(ctx, learners, tables); err != nil {
			return cli.Unjudged, err
		}
	}
	if numeric {
		ls, err := regressors(learners)
		if err != nil {
			return cli.Unjudged, err
		}
		var data []learntest.Data[dataset.Row, float64]
		for _, t := range tables {
			d, err := t.Regression()
			if err != nil {
				return cli.Unjudged, err
			}
			data = append(data, d)
		}
		return runAndJudge(ctx, r, data, ls, stdout, stderr)
	}
	ls, err := classifiers(learners)
	if err != nil {
		return cli.Unjudged, err
	}
	var data []learntest.Data[dataset.Row, int]
	for _, t := range tables {
		data = append(data, t)
	}
	return runAndJudge(ctx, r, data, ls, stdout, stderr)
}

// runAndJudge runs the learners and writes the verdicts on the first of them.
func runAndJudge[Y comparable](ctx context.Context, r *runConfig, data []learntest.Data[dataset.Row,
	Y], learners []learntest.Learner[dataset.Row, Y], stdout, stderr io.Writer,
) (int, error) {
	r.cfg.Results.Note = func(line string) {
		if !r.quiet {
			cli.Report(stderr, "learnbench", errors.New(line))
		}
	}
	if r.cfg.Results.Out != "" {
		if len(r.cfg.Results.In) == 0 {
			r.cfg.Results.Commit, r.cfg.Results.CommitTime = revision.Here()
		}
		mentionPartials(stderr, r.cfg.Results.Out, r.cfg.Results.Resume)
	}
	var done func()
	r.cfg.Progress, done = progress.Bar(stderr, r.quiet, "trials")
	records, verdicts, err := learntest.RunAndJudge(ctx, data, learners, r.cfg, r.claim)
	done()
	if errors.Is(err, split.ErrTooFew) || errors.Is(err, split.ErrExamples) {
		return cli.Unjudged, fmt.Errorf("%w: choose another -protocol, -folds or -runs", err)
	}
	if err != nil {
		return cli.Unjudged, err
	}
	if err := reportFailures(records, "mend the cause or leave the learner out"); err != nil {
		return cli.Unjudged, err
	}
	if r.cfg.Results.Shard.Count > 0 {
		n := 0
		for _, b := range records.Blocks() {
			n += b.Len()
		}
		return cli.Clean, cli.Write(stdout,
			fmt.Sprintf("shard %v: %d trials are in %s; judge the trials of all shards with -in\n",
				r.cfg.Results.Shard, n, unit.Printable(r.cfg.Results.Out)))
	}
	status, err := r.conclude(verdicts, stdout)
	if err == nil {
		r.mentionTable(stderr, verdicts)
	}
	return status, err
}

// mentionTable says what shows many verdicts in a table, if they are stored.
func (r *runConfig) mentionTable(w io.Writer, verdicts []verdict.Verdict) {
	const many = 4
	if len(verdicts) < many || r.cfg.Results.Out == "" || r.quiet {
		return
	}
	cli.Report(w, "learnbench", fmt.Errorf("learnstat %s shows them in a table, with %s as the baseline", cli.Quote([]string{"-col", "/learner", r.cfg.Results.Out}), verdicts[0].Candidate))
}

// conclude writes the verdicts to stdout and returns the status of the gate. The
// error has the reason of each verdict that is invalid.
func (r *runConfig) conclude(verdicts []verdict.Verdict, stdout io.Writer) (int, error) {
	var blocks []string
	var outcomes []verdict.Outcome
	var problems []error
	for _, v := range verdicts {
		block := v.String()
		if err := v.MostlyCopies(); err != nil {
			block = fmt.Sprintf("%s: %v: remove the copies, or name groups that keep them together (-group)\n%s", unit.Printable(v.Data), err, block)
		}
		blocks = append(blocks, block)
		outcomes = append(outcomes, v.Outcome)
		if v.Outcome == verdict.Invalid {
			problems = append(problems, fmt.Errorf("%s: choose a -test, -protocol or -margin that these results allow", v.Summary()))
		}
	}
	if err := cli.Write(stdout, strings.Join(blocks, "\n")); err != nil {
		if r.cfg.Results.Out != "" {
			err = fmt.Errorf("%w; the results are in %s", err, r.cfg.Results.Out)
		}
		problems = append(problems, err)
	}
	return r.gate.Status(outcomes), errors.Join(problems...)
}

// mentionPartials says what interrupted runs have left beside the result file.
func mentionPartials(w io.Writer, out string, resume bool) {
	partials, err := storage.Partials(out)
	if err != nil {
		return // the run will say so
	}
	for _, p := range partials {
		what := "has the trials of a run that was interrupted: it goes when that run is repeated to its end, and -resume goes on from there; else remove it"
		switch {
		case p.Live:
			what = "has the trials of a run that has not ended"
		case resume:
			r, err := storage.ReadJournal(p.Path)
			if err != nil || r.Dropped == "" {
				continue
			}
			what = fmt.Sprintf("ends with %q, which is no whole trial and is left out",
				unit.Printable(r.Dropped))
		}
		cli.Report(w, "learnbench", fmt.Errorf("%s %s", p.Path, what))
	}
}

// numericTargets reports whether the tables have numbers to be predicted rather
// than classes.
func numericTargets(tables []*dataset.Table) (bool, error) {
	of := make(map[bool]string) // the first of each kind
	for _, t := range tables {
		numeric := t.NumClasses() == 0
		if of[numeric] == "" {
			of[numeric] = t.Name()
		}
	}
	if len(of) > 1 {
		return false, fmt.Errorf("data set %s has classes, data set %s numbers to be predicted: run them one by one", of[false], of[true])
	}
	return of[true] != "", nil
}

// reportFailures returns an error for each of the first few causes of failed trials, behind one
// that says what to do.
func reportFailures(f *record.File, remedy string) error {
	const most = 5
	failed := f.Failures()
	if len(failed) == 0 {
		return nil
	}
	var causes []record.Trial // the first trial of each
	count := make(map[[2]string]int)
	for _, t := range failed {
		cause := [2]string{t.Learner, t.Err}
		if count[cause] == 0 {
			causes = append(causes, t)
		}
		count[cause]++
	}
	trials, them := "1 trial", "it"
	if len(failed) > 1 {
		trials, them = fmt.Sprintf("%d trials", len(failed)), "them"
	}
	errs := []error{fmt.Errorf("%s failed, and there is no verdict without %s: %s", trials,
		them, remedy)}
	shown := 0
	for i, t := range causes {
		if i == most {
			errs = append(errs, fmt.Errorf("and %d more of %d other causes", len(failed)-shown,
				len(causes)-most))
			break
		}
		n := count[[2]string{t.Learner, t.Err}]
		shown += n
		text := fmt.Sprintf("%v: %s", t.Cell(), t.Err)
		if n > 1 {
			text += fmt.Sprintf(" (and %d more with the same cause)", n-1)
		}
		errs = append(errs, errors.New(text))
	}
	return errors.Join(errs...)
}
