package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/datafile"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A runConfig holds the flags of the run command.
type runConfig struct {
	data, learners []string
	read           dataset.ReadOptions // of files
	cfg            learntest.Config
	claim          verdict.Claim
	gate           cli.Gate
	quiet          bool
}

// list is a flag that may be repeated.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// notes returns what writes notes to stderr.
func notes(stderr io.Writer) func(text string) {
	return func(text string) { cli.Report(stderr, "learnbench", errors.New(text)) }
}

// parseFlags parses arguments and returns the names of the flags that are among them. It returns
// flag.ErrHelp unchanged.
func parseFlags(fs *flag.FlagSet, args []string) (map[string]bool, error) {
	err := fs.Parse(args)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		err = fmt.Errorf("%w: see learnbench %s -h%s", err, fs.Name(), cli.NearestFlag(fs, err))
	}
	set := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { set[f.Name] = true })
	return set, err
}

func parseRun(args []string) (*runConfig, error) {
	r := &runConfig{}
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	var (
		protocol = fs.String("protocol", "", "")
		runs     = fs.Int("runs", 0, "")
		folds    = fs.Int("folds", 0, "")
		seed     = fs.Uint64("seed", 1, "")
		metrics  = fs.String("metric", "", "")
		timeout  = fs.Duration("timeout", 0, "")
		parallel = fs.Int("parallel", 0, "")
		repeats  = fs.Int("repeats", 1, "")
		out      = fs.String("o", "", "")
		alpha    = fs.Float64("alpha", verdict.DefaultAlpha, "")
		test     = fs.String("test", "", "")
		quiet    = fs.Bool("quiet", false, "")
	)
	fs.Var(&r.claim.Margins, "margin", "")
	fs.BoolVar(&r.claim.AllowMajority, "allow-majority", false, "")
	fs.Float64Var(&r.cfg.Settle, "settle", 0, "")
	fs.Float64Var(&r.cfg.Minutes, "minutes", 0, "")
	second := fs.Bool("second-opinion", false, "")
	fs.IntVar(&r.claim.Halvings, "halvings", verdict.DefaultHalvings, "")
	fs.BoolVar(&r.cfg.Results.Resume, "resume", false, "")
	fs.StringVar(&r.cfg.Results.Predictions, "predictions", "", "")
	fs.StringVar(&r.cfg.Results.Probabilities, "probabilities", "", "")
	fs.Func("shard", "", func(text string) (err error) {
		r.cfg.Results.Shard, err = split.ParseShard(text, os.LookupEnv)
		return err
	})
	fs.Var((*list)(&r.cfg.Results.In), "in", "")
	datafile.Flags(fs, &r.read)
	fs.Var((*list)(&r.read.Slices), "slice", "")
	fs.BoolVar(&r.cfg.CopySlice, "slice-copies", false, "")
	fs.Var((*list)(&r.data), "data", "")
	fs.Var(&r.gate, "fail-on", "")
	set, err := parseFlags(fs, args)
	if err != nil {
		return nil, err
	}
	r.learners, r.quiet = fs.Args(), *quiet
	p, err := chooseProtocol(*protocol, *runs, *folds, *seed, set)
	if err != nil {
		return nil, err
	}
	r.claim.Alpha = *alpha
	if !*second {
		r.claim.Halvings = 0
	}
	if set["test"] {
		if r.claim.Test, err = stat.Lookup(*test); err != nil {
			return nil, fmt.Errorf("-test: %w", err)
		}
	}
	if *repeats != 1 {
		r.claim.Repeats = *repeats
	}
	c := &r.cfg
	c.Protocol, c.Repeats, c.Parallel, c.TrialTimeout, c.Results.Out = p, *repeats, *parallel,
		*timeout, *out
	c.Results.Reproduce = "learnbench run " + cli.Quote(withoutPlace(args))
	if set["metric"] { // else it depends on the data
		if r.cfg.Metrics, err = chooseMetrics(*metrics); err != nil {
			return nil, err
		}
	}
	return r, r.check(set)
}

// check checks the values of the flags, of which some are set.
func (r *runConfig) check(set map[string]bool) error {
	alpha := r.claim.Alpha
	switch {
	case len(r.data) == 0:
		return fmt.Errorf("no data set: use -data uci:NAME or -data FILE; built in are %s",
			strings.Join(uci.Names(), ", "))
	case len(r.learners) < 2:
		return fmt.Errorf("%d learners: name a candidate and a baseline of %s", len(r.learners),
			learnerNames())
	case strings.HasPrefix(r.cfg.Protocol.String(), "groups ") && r.read.Group == "":
		return fmt.Errorf("-protocol %q needs the groups of the examples: name their attribute with -group", r.cfg.Protocol)
	case set["group"] && !r.cfg.Protocol.KeepsGroups():
		p := r.cfg.Protocol
		return fmt.Errorf("-protocol %q divides the groups of -group %s, and examples of one group are then in training and in test: use \"groups runs=%d folds=%d\", or -ignore %[2]s in place of -group if groups do not matter",
			p, r.read.Group, p.Runs(), max(2, p.Folds()))
	case !(alpha > 0 && alpha < 1):
		return fmt.Errorf("-alpha %v is not between 0 and 1: 0.05 is usual", alpha)
	case set["fail-on"] && alpha >= verdict.AlphaLimit:
		return fmt.Errorf("-alpha %v is no level for a gate (-fail-on): of equal learners, that many would be shown to differ: it must be below %v, and 0.05 is usual", alpha, verdict.AlphaLimit)
	case r.cfg.Repeats < 1:
		return fmt.Errorf("-repeats %d is less than 1", r.cfg.Repeats)
	case r.cfg.Parallel < 0 || set["parallel"] && r.cfg.Parallel == 0:
		return fmt.Errorf("-parallel %d is less than 1", r.cfg.Parallel)
	case r.cfg.TrialTimeout < 0 || set["timeout"] && r.cfg.TrialTimeout == 0:
		return fmt.Errorf("-timeout %v is not a positive time, as in %v", r.cfg.TrialTimeout,
			30*time.Second)
	case r.cfg.Results.Resume && !set["o"]:
		return errors.New("-resume without -o: name the result file of the interrupted run")
	case set["shard"] && !set["o"]:
		return errors.New("-shard without -o: name a result file for the shard")
	case set["halvings"] && !set["second-opinion"]:
		return errors.New("-halvings is the number of halvings of a -second-opinion: add -second-opinion")
	case set["second-opinion"] && r.claim.Halvings < stat.LeastHalvings:
		return fmt.Errorf("-halvings %d is less than %d: 20 are usual, 40 for a final claim",
			r.claim.Halvings, stat.LeastHalvings)
	case set["second-opinion"] && set["shard"]:
		return errors.New("-second-opinion and -shard exclude each other: whether one is asked for is known when all shards are judged")
	case set["minutes"] && !(r.cfg.Minutes > 0):
		return fmt.Errorf("-minutes %v is no time above 0", r.cfg.Minutes)
	case set["settle"] && !(r.cfg.Settle > 0 && r.cfg.Settle <= stat.MaxCurtailmentError):
		return fmt.Errorf("-settle %v is not above 0 and at most %v: it is the probability that all runs would decide otherwise, such as 0.01", r.cfg.Settle, stat.MaxCurtailmentError)
	case set["settle"] && (set["in"] || set["shard"]):
		return errors.New("-settle excludes -in and -shard: all runs are there, or trained by other shards")
	case set["settle"] && r.cfg.Repeats > 1:
		return errors.New("-settle excludes -repeats, which takes all runs")
	case set["predictions"] && r.cfg.Results.Predictions == "":
		return errors.New("-predictions is empty: name a file for them, as in -predictions new.pred.gz")
	case set["probabilities"] && !set["predictions"]:
		return errors.New("-probabilities without -predictions: name a file for the predictions")
	case set["probabilities"] && r.cfg.Results.Probabilities != predictions.OfTruth &&
		r.cfg.Results.Probabilities != predictions.OfAll:
		return fmt.Errorf("-probabilities %q: keep %s, the probability of the true class, or %s, the probabilities of all classes", r.cfg.Results.Probabilities, predictions.OfTruth, predictions.OfAll)
	case set["predictions"] && set["in"]:
		return errors.New("-in excludes -predictions: it judges results and trains nothing")
	case set["in"] && set["minutes"]:
		return errors.New("-in excludes -minutes: it trains nothing")
	case set["in"] && (set["shard"] || r.cfg.Results.Resume):
		return errors.New("-in excludes -shard and -resume: it judges results and trains nothing")
	case set["o"] && r.cfg.Results.Out == "":
		return errors.New("-o is empty: name a file or a directory")
	}
	return nil
}

// settle sets the metrics that the data have unless others were asked for, and
// checks the claim about the first.
func (r *runConfig) settle(numeric bool) error {
	if r.cfg.Metrics == nil {
		r.cfg.Metrics = []metric.Metric{metric.Accuracy()}
		if numeric {
			r.cfg.Metrics = []metric.Metric{metric.RMSE()}
		}
	}
	if err := checkMetrics(r.cfg.Metrics, numeric); err != nil {
		return err
	}
	judged := r.cfg.Metrics[0].Unit
	if err := r.claim.Margins.Check([]unit.Unit{judged}); err != nil {
		return err
	}
	if h := r.claim.Halvings; h > 0 {
		if _, err := verdict.SecondProtocol(r.cfg.Protocol.String(), h); err != nil {
			return fmt.Errorf("-second-opinion: %w", err)
		}
	}
	if _, err := r.claim.WithDefaults(judged); err != nil {
		return fmt.Errorf("%w: choose another -alpha or -margin", err)
	}
	return nil
}

// chooseProtocol returns the protocol that the flags in set describe.
func chooseProtocol(text string, runs, folds int, seed uint64, set map[string]bool) (split.Protocol,
	error,
) {
	p := split.TenByTen()
	if set["group"] {
		p = split.Groups(10, 10)
	}
	if set["protocol"] {
		var err error
		if p, err = split.Parse(text); err != nil {
			return p, fmt.Errorf("-protocol: %w: write it as in %q", err, split.FiveByTwo())
		}
		if set["folds"] {
			return p, errors.New("-folds and -protocol exclude each other: give the folds in the protocol")
		}
	}
	if set["folds"] {
		p = split.CV(p.Runs(), folds)
		if set["group"] {
			p = split.Groups(p.Runs(), folds)
		}
	}
	if set["runs"] {
		p = p.WithRuns(runs)
	}
	if set["seed"] {
		p = p.WithSeed(seed)
	}
	return p, p.Validate()
}

// chooseMetrics returns the metrics of a list.
func chooseMetrics(list string) ([]metric.Metric, error) {
	var chosen []metric.Metric
	for name := range strings.SplitSeq(list, ",") {
		m, err := metric.Lookup(strings.TrimSpace(name))
		if err != nil {
			return nil, fmt.Errorf("-metric: %w", err)
		}
		if slices.ContainsFunc(chosen, func(c metric.Metric) bool { return c.Name == m.Name }) {
			return nil, fmt.Errorf("-metric: %s is there twice: name it once", m.Name)
		}
		chosen = append(chosen, m)
	}
	return chosen, nil
}

// checkMetrics returns an error unless the metrics apply to the predictions: to numbers, or to
// classes with their probabilities.
func checkMetrics(chosen []metric.Metric, numeric bool) error {
	p := metric.Predictions{
		Classes: []string{"no", "yes"}, Truth: []int{0, 1}, Predicted: []int{0, 1},
		Probabilities: []float64{1, 0, 0, 1},
	}
	if numeric {
		p = metric.Predictions{TrueValues: []float64{0, 1}, PredictedValues: []float64{0, 1}}
	}
	for _, m := range chosen {
		if _, err := m.Eval(&p); err != nil {
			var names []string
			for _, m := range metric.Metrics() {
				if _, err := m.Eval(&p); err == nil {
					names = append(names, m.Name)
				}
			}
			return fmt.Errorf("-metric: %w: choose of %s", err, strings.Join(names, ", "))
		}
	}
	return nil
}

// withoutPlace returns the arguments without the flags for the part of the trials to run and the
// place of their results, which do not change the trials.
func withoutPlace(args []string) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		isFlag := strings.HasPrefix(args[i], "-")
		switch {
		case isFlag && name == "resume":
		case isFlag && slices.Contains([]string{"shard", "in", "o", "predictions", "probabilities"},
			name):
			if !joined {
				i++ // its value
			}
		default:
			kept = append(kept, args[i])
		}
	}
	return kept
}
