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
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A runConfig is what the flags of the run command say.
type runConfig struct {
	data, learners []string
	class          string
	cfg            learntest.Config
	claim          verdict.Claim
	gate           cli.Gate
	quiet          bool
}

// list is a flag that may be repeated.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func parseRun(args []string) (*runConfig, error) {
	r := &runConfig{}
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	var (
		protocol = fs.String("protocol", "", "")
		runs     = fs.Int("runs", 0, "")
		folds    = fs.Int("folds", 0, "")
		seed     = fs.Uint64("seed", 1, "")
		metrics  = fs.String("metric", "accuracy", "")
		timeout  = fs.Duration("timeout", 0, "")
		parallel = fs.Int("parallel", 0, "")
		repeats  = fs.Int("repeats", 1, "")
		out      = fs.String("o", "", "")
		alpha    = fs.Float64("alpha", verdict.DefaultAlpha, "")
		margin   = fs.Float64("margin", 0, "")
		test     = fs.String("test", "", "")
		class    = fs.String("class", "", "")
		quiet    = fs.Bool("quiet", false, "")
		set      = make(map[string]bool)
		invalid  = func(err error) (*runConfig, error) { return nil, fmt.Errorf("run: %w", err) }
	)
	fs.Var((*list)(&r.data), "data", "")
	fs.Var(&r.gate, "fail-on", "")
	if err := fs.Parse(args); err != nil {
		return invalid(err)
	}
	fs.Visit(func(f *flag.Flag) { set[f.Name] = true })
	r.learners, r.class, r.quiet = fs.Args(), *class, *quiet
	p, err := chooseProtocol(*protocol, *runs, *folds, *seed, set)
	if err != nil {
		return invalid(err)
	}
	r.claim = verdict.Claim{Alpha: *alpha, Margin: *margin}
	if *test != "" {
		if r.claim.Test, err = stat.Lookup(*test); err != nil {
			return invalid(fmt.Errorf("-test: %w", err))
		}
	}
	if *repeats != 1 {
		r.claim.Repeats = *repeats
	}
	r.cfg = learntest.Config{
		Protocol: p, Repeats: *repeats, Parallel: *parallel, TrialTimeout: *timeout, Out: *out,
		Reproduce: "learnbench run " + quoteArgs(args),
	}
	for name := range strings.SplitSeq(*metrics, ",") {
		m, err := metric.Lookup(strings.TrimSpace(name))
		if err != nil {
			return invalid(err)
		}
		r.cfg.Metrics = append(r.cfg.Metrics, m)
	}
	switch {
	case len(r.data) == 0:
		return invalid(fmt.Errorf("no data set: use -data uci:NAME or -data FILE; built in are %s", strings.Join(uci.Names(), ", ")))
	case len(r.learners) < 2:
		return invalid(fmt.Errorf("%d learners: name a candidate and a baseline of %s", len(r.learners), learnerNames()))
	case *alpha <= 0 || *alpha >= 1:
		return invalid(fmt.Errorf("-alpha %v is not between 0 and 1", *alpha))
	}
	return r, nil
}

// chooseProtocol returns the protocol that the flags in set describe.
func chooseProtocol(text string, runs, folds int, seed uint64, set map[string]bool) (split.Protocol, error) {
	p := split.TenByTen()
	if set["protocol"] {
		var err error
		if p, err = split.Parse(text); err != nil {
			return p, err
		}
		if set["folds"] {
			return p, errors.New("-folds and -protocol exclude each other")
		}
	}
	if set["folds"] {
		p = split.CV(p.Runs(), folds)
	}
	if set["runs"] {
		p = p.WithRuns(runs)
	}
	if set["seed"] {
		p = p.WithSeed(seed)
	}
	return p, p.Validate()
}

func runCommand(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	r, err := parseRun(args)
	if errors.Is(err, flag.ErrHelp) {
		return cli.Clean, cli.Help(stdout, doc)
	}
	if err != nil {
		return cli.Unjudged, err
	}
	learners, err := parseLearners(r.learners)
	if err != nil {
		return cli.Unjudged, err
	}
	data, err := openData(r.data, r.class)
	if err != nil {
		return cli.Unjudged, err
	}
	if r.cfg.Out != "" {
		mentionPartials(stderr, r.cfg.Out)
	}
	var done func()
	r.cfg.Progress, done = progress(stderr, r.quiet)
	records, err := learntest.Run(ctx, data, learners, r.cfg)
	done()
	if err != nil {
		return cli.Unjudged, err
	}
	if err := reportFailures(records); err != nil {
		return cli.Unjudged, err
	}
	var outcomes []verdict.Outcome
	for _, d := range data {
		for _, baseline := range learners[1:] {
			v := verdict.OfFile(records, d.Name(), learners[0].Name, baseline.Name, r.claim)
			if len(outcomes) > 0 {
				fmt.Fprintln(stdout)
			}
			fmt.Fprint(stdout, v)
			outcomes = append(outcomes, v.Outcome)
		}
	}
	return r.gate.Status(outcomes), nil
}

// mentionPartials says what interrupted runs have left beside the result file.
func mentionPartials(w io.Writer, out string) {
	partials, err := record.Partials(out)
	if err != nil {
		return // the run will say so
	}
	for _, p := range partials {
		what := "of a run that was interrupted: it goes when the same is run to its end; else remove it"
		if p.Live {
			what = "of a run that has not ended"
		}
		fmt.Fprintf(w, "learnbench: %s has the trials %s\n", p.Path, what)
	}
}

func openData(names []string, class string) ([]learntest.Data[dataset.Row, int], error) {
	var data []learntest.Data[dataset.Row, int]
	files := 0
	for _, name := range names {
		var t *dataset.Table
		var err error
		if builtIn, ok := strings.CutPrefix(name, "uci:"); ok {
			t, err = uci.Load(builtIn)
		} else {
			files++
			t, err = dataset.Open(name, dataset.ReadOptions{Class: class})
		}
		if err != nil {
			return nil, err
		}
		data = append(data, t)
	}
	if class != "" && files == 0 {
		return nil, errors.New("-class is for files; built-in data sets have theirs")
	}
	return data, nil
}

// reportFailures returns an error that names the first few failed trials.
func reportFailures(f *record.File) error {
	const most = 5
	failed := f.Failures()
	if len(failed) == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("%d trials failed", len(failed))}
	for i, t := range failed {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(failed)-most))
			break
		}
		lines = append(lines, fmt.Sprintf("%v: %s", t.Cell(), t.Err))
	}
	return errors.New(strings.Join(lines, "\n\t"))
}

// progress returns a progress function and one to call when all is done. There
// is no progress unless w is a terminal.
func progress(w io.Writer, quiet bool) (report func(done, total int), finish func()) {
	f, ok := w.(*os.File)
	if quiet || !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription("trials"),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	return func(done, total int) {
			bar.ChangeMax(total)
			bar.Set(done) // a progress bar that cannot be drawn is no reason to stop
		}, func() {
			bar.Finish()
		}
}

// quoteArgs returns the arguments as they are typed in a shell.
func quoteArgs(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = a
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
			quoted[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
