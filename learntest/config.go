package learntest

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// ErrConfig is wrapped by errors about a configuration that makes no sense.
var ErrConfig = results.ErrConfig

// Config says how trials are run. The zero value is usable.
type Config struct {
	// Protocol partitions each data set. If zero, it is ten runs of
	// stratified 10-fold cross-validation with seed 1, or, of data with groups, of
	// split.Groups with ten folds, or half as many as there are groups if these are
	// fewer than 20. Its seed also seeds the learners.
	Protocol split.Protocol

	// IgnoreGroups lets examples of one group be in training and in test. If false, a protocol that
	// divides a group is an error.
	IgnoreGroups bool

	// Repeats is the number of times that the runs of the protocol are run, on further
	// random partitions, so that the replicability of a test can be counted.
	// If zero, 1.
	Repeats int

	// MinRuns is the least number of runs, further ones included, whatever the claims:
	// for results that are to be stored, and claims made about later. If
	// zero, the runs that Repeats asks for.
	MinRuns int

	// Settle stops the training of a test as soon as its claims are settled: as soon as all runs of
	// the protocol would decide them otherwise with at most this probability, such as 0.01 (see
	// [stat.Curtailment]). Compare and Against then train two runs, and each claim trains on as far
	// as it takes; what takes all runs says why. Results that are stored say where they were
	// stopped; a baseline is of all runs. If zero, all runs are trained.
	Settle float64

	// Metrics are computed for each trial; the first is the one that a
	// comparison judges by unless told otherwise. If empty, it is accuracy for classes
	// and RMSE for numbers.
	Metrics []metric.Metric

	// CopySlice adds the slice "copy in training" to the slices of the data: the test examples of a
	// trial that equal one of its training examples, as [FindCopies] finds them.
	CopySlice bool

	// Parallel is the number of trials that run at the same time. If zero, it
	// is GOMAXPROCS. It never changes a result.
	Parallel int

	// TrialTimeout is the time that one trial may take. If zero, only the
	// context limits it.
	TrialTimeout time.Duration

	// Minutes is the time that all trainings of the process may take, such as the tests of a
	// package. When the first training of each learner shows that the others take more, they do not
	// begin: the error says how many shards or runs fit. They end when it is used up. Data sets of
	// more than 20,000 examples are refused before the first training if trials on samples let
	// expect twice as much. If zero, there is no limit.
	Minutes float64

	// AllowNondeterminism lets learners run whose predictions their seed does not
	// fix, or that keep something between trainings. A rerun of a comparison then differs by
	// more than the partition, and verdicts warn of this. If false, such learners are an error:
	// see docs/gates.md.
	AllowNondeterminism bool

	// Depends are what training and predicting depend on besides the program and the data: files,
	// directories with all that is below them, and environment variables as $NAME. When one of them
	// has changed, go test runs the test again, and neither Results.Resume nor LEARNTEST_CACHE
	// takes over earlier trials. If empty but not nil, there is nothing else. If nil, nobody knows,
	// and no trials are kept in LEARNTEST_CACHE or taken from there. Files of one learner may be in
	// [Learner].Depends.
	Depends []string

	// NoClaim lets a test pass that claims nothing of its comparisons and stores nothing of them.
	// If false, such a test fails when it ends.
	NoClaim bool

	// Progress, if set, is called when a trial has finished, from one
	// goroutine at a time, with the number of finished trials of this call, and the
	// number of trials that were missing.
	Progress func(done, total int)

	// Predicted, if set, is called with the predictions of each trial that did not
	// fail, and with the indices of its test examples in the data set: by many
	// goroutines at once, in no fixed order, and once for each cell. Both are
	// valid until it returns and are not to be modified. How long it takes is not in the
	// time of the trial.
	Predicted func(c record.Cell, test []int, p *metric.Predictions)

	// Results says where the results are stored, and which results are there already.
	Results Results

	// degrade is the share of the predictions of all learners but the spared one that is
	// replaced: see LEARNTEST_DEGRADE.
	degrade float64
	spared  string

	against string // path of the stored baseline; empty if the baseline is run, too
}

// withDefaults returns the configuration with every field set and checked.
func (c Config) withDefaults(classification bool) (Config, error) {
	if err := c.Protocol.Validate(); err != nil {
		return c, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	for _, n := range []struct {
		name     string
		negative bool
	}{
		{"Repeats", c.Repeats < 0},
		{"MinRuns", c.MinRuns < 0},
		{"Parallel", c.Parallel < 0},
		{"TrialTimeout", c.TrialTimeout < 0},
	} {
		if n.negative {
			return c, fmt.Errorf("%w: %s is negative", ErrConfig, n.name)
		}
	}
	if !(c.Minutes >= 0 && c.Minutes <= maxMinutes) {
		return c, fmt.Errorf("%w: %v minutes are not a time from 0 to %v", ErrConfig, c.Minutes,
			maxMinutes)
	}
	if c.Settle != 0 {
		if err := (stat.Curtailment{Runs: c.Protocol.Runs(), Error: c.Settle}).Check(); err != nil {
			return c, fmt.Errorf("%w: Settle: %w", ErrConfig, err)
		}
	}
	if err := c.Results.check(); err != nil {
		return c, err
	}
	if c.Parallel == 0 {
		c.Parallel = runtime.GOMAXPROCS(0)
	}
	if len(c.Metrics) == 0 {
		c.Metrics = []metric.Metric{metric.RMSE()}
		if classification {
			c.Metrics = []metric.Metric{metric.Accuracy()}
		}
	}
	return c, checkMetrics(c.Metrics)
}

// observed reports whether somebody wants the predictions of all trials.
func (c Config) observed() bool { return c.Predicted != nil || c.Results.Predictions != "" }

// runs returns the number of runs that are run before any claim is judged.
func (c Config) runs() int { return max(c.Protocol.Runs()*max(c.Repeats, 1), c.MinRuns) }

func checkMetrics(ms []metric.Metric) error {
	seen := make(map[string]bool)
	for i, m := range ms {
		switch {
		case m.Name == "" || m.Eval == nil:
			return fmt.Errorf("%w: metric %d has no name or no function", ErrConfig, i)
		case m.Better != unit.Higher && m.Better != unit.Lower:
			return fmt.Errorf("%w: metric %s has no direction: set Better", ErrConfig, m.Name)
		case !(m.Min < m.Max):
			return fmt.Errorf("%w: metric %s has the range %v to %v: set Min and Max, infinite if it is unbounded", ErrConfig, m.Name, m.Min, m.Max)
		case unit.HasBraces(m.Name):
			return fmt.Errorf("%w: metric %s has braces in its name, which stand for slices: give it another one", ErrConfig, m.Name)
		case seen[m.Name]:
			return fmt.Errorf("%w: metric %s is there twice", ErrConfig, m.Name)
		}
		seen[m.Name] = true
	}
	return nil
}

func (c Config) units() []unit.Unit {
	us := make([]unit.Unit, len(c.Metrics))
	for i, m := range c.Metrics {
		us[i] = m.Unit
	}
	return us
}

// settings returns the configuration as package results has it.
func (c Config) settings(learners []string) results.Settings {
	r := c.Results
	return results.Settings{
		Learners: learners, Units: c.units(), Runs: c.runs(), AllowNondeterminism: c.AllowNondeterminism,
		Predictions: r.Predictions, Probabilities: r.Probabilities,
		Out: r.Out, Resume: r.Resume, Shard: r.Shard, In: r.In,
		Pkg: r.Pkg, Test: r.Test, Commit: r.Commit, CommitTime: r.CommitTime, Reproduce: r.Reproduce,
	}
}

// maxMinutes is a year: what budgets are below.
const maxMinutes = 365 * 24 * 60

// declared returns the files and the variables that Config.Depends names. Each variable is looked
// up, and each file opened, so that go test learns of them.
func (c Config) declared() (files, variables []string, err error) {
	for _, what := range c.Depends {
		if name, ok := strings.CutPrefix(what, "$"); ok {
			if name == "" || strings.ContainsAny(name, "=\x00") {
				return nil, nil, fmt.Errorf("%w: Config.Depends: %q is no variable", ErrConfig, what)
			}
			os.LookupEnv(name)
			variables = append(variables, name)
			continue
		}
		if err := gotest.OpenAll(what); err != nil {
			return nil, nil, fmt.Errorf("%w: Config.Depends: %w", ErrConfig, err)
		}
		if gotest.MayBeCached() && !gotest.InModule(what) {
			return nil, nil, fmt.Errorf("%w: Config.Depends: %s lies outside of the module, where go test does not look: add -count=1", ErrConfig, what)
		}
		files = append(files, what)
	}
	return files, variables, nil
}
