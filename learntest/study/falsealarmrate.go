package study

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/internal/otherlabels"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Alarms says how often a claim of a difference held where there is none.
type Alarms struct {
	Repeats int     // experiments without a difference
	Alarms  int     // of these, those in which the claim held
	Lo, Hi  float64 // the exact 95% interval of Clopper and Pearson for the probability of that
}

// Rate returns the share of the experiments in which the claim held.
func (f Alarms) Rate() float64 { return float64(f.Alarms) / float64(f.Repeats) }

// String returns the figures in percent, as in "12 of 400 (3.0%, 95% interval 1.6% to 5.2%)".
func (f Alarms) String() string {
	return fmt.Sprintf("%d of %d (%.1f%%, 95%% interval %.1f%% to %.1f%%)", f.Alarms, f.Repeats,
		100*f.Rate(), 100*f.Lo, 100*f.Hi)
}

// FalseAlarmRate judges the claim in so many experiments without a difference, and returns in how
// many of them it holds nevertheless. The claim is that two learners differ, as the zero claim is,
// or that the first improves on the second one; it may ask for a second opinion, whose trials are
// then run where it is needed. The partitions of each experiment are its own, and so are the seeds
// of the learners.
//
// One learner is compared with itself on other seeds, on the unchanged data. That makes sense only
// if it draws random numbers, and says how often the claim takes its luck for a difference.
//
// Two learners are compared on the examples with random classes, which nothing can be learned
// about: all learners then expect the same accuracy, which must be the metric, or the error.
// Classes are drawn independently if the protocol does not stratify; if it does, as many of each as
// can be are in random order, for whatever class is more frequent by chance would be so in training
// and in test sets. With classes that can be learned, learners vary more or less: random classes
// find programming mistakes, such as a seed that leaks or a test that does not fit the protocol,
// and do not tell stable learners from unstable ones, nor bound the error rate on such data. Only a
// second opinion does.
//
// The Parallel, TrialTimeout and AllowNondeterminism of the configuration hold for each experiment;
// Progress is called after each, with their number. Nothing is written, and none of the results is
// kept: Out, In, Resume, Shard and Predicted must not be set. The error wraps [learntest.ErrConfig]
// for an experiment that makes no sense, and otherwise is the error of the first one that could not
// be judged.
func FalseAlarmRate[X any, Y comparable](ctx context.Context, data learntest.Data[X, Y],
	learners []learntest.Learner[X, Y], cfg learntest.Config, claim verdict.Claim,
	repeats int,
) (Alarms, error) {
	f := Alarms{Repeats: repeats}
	if err := checkFalseAlarms(cfg, claim, repeats); err != nil {
		return f, err
	}
	draw, err := withoutDifference(data, learners, cfg, claim)
	if err != nil {
		return f, err
	}
	if len(learners) == 1 {
		other := learners[0]
		other.Name, other.Fit = reseeded(other.Name, other.Fit)
		learners = []learntest.Learner[X, Y]{learners[0], other}
	}
	progress, seed, same := cfg.Progress, cfg.Protocol.Seed(), true
	cfg.Progress = nil
	for i := range repeats {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		cfg.Protocol = cfg.Protocol.WithSeed(rng.Uint64())
		drawn, err := draw(rng)
		if err != nil {
			return f, err
		}
		file, verdicts, err := learntest.RunAndJudge(ctx, []learntest.Data[X, Y]{drawn}, learners, cfg,
			claim)
		if err == nil {
			for _, failed := range file.Failures() {
				err = fmt.Errorf("%v: %s", failed.Cell(), failed.Err)
				break
			}
		}
		if err == nil && verdicts[0].Err != nil {
			err = verdicts[0].Err
		}
		if err != nil {
			return f, fmt.Errorf("experiment %d: %w", i+1, err)
		}
		d := verdicts[0].Difference.Result
		same = same && d.Estimate == 0 && d.SE == 0
		if verdicts[0].Holds {
			f.Alarms++
		}
		if progress != nil {
			progress(i+1, repeats)
		}
	}
	if same {
		return f, fmt.Errorf("%w: both learners have equal scores in all experiments, which says nothing: name two learners that differ, or one that draws random numbers", learntest.ErrConfig)
	}
	f.Lo, f.Hi = interval(f.Alarms, f.Repeats)
	return f, nil
}

func checkFalseAlarms(cfg learntest.Config, claim verdict.Claim, repeats int) error {
	switch {
	case repeats < 1:
		return fmt.Errorf("%w: %d experiments", learntest.ErrConfig, repeats)
	case claim.Kind != verdict.Differs && claim.Kind != verdict.Improves:
		return fmt.Errorf("%w: only a claim that two learners differ, or that one improves on the other, has false alarms", learntest.ErrConfig)
	case !cfg.Protocol.IsRandom():
		return fmt.Errorf("%w: protocol %q has no random partitions: each experiment is to have its own",
			learntest.ErrConfig, cfg.Protocol)
	case cfg.Results.Out != "" || cfg.Results.In != nil || cfg.Results.Resume ||
		cfg.Results.Shard.Count > 0 || cfg.Predicted != nil:
		return fmt.Errorf("%w: the results of experiments without a difference are not kept: leave Out, In, Resume, Shard and Predicted unset", learntest.ErrConfig)
	}
	return nil
}

// withoutDifference returns what draws the data of an experiment.
func withoutDifference[X any, Y comparable](data learntest.Data[X, Y],
	learners []learntest.Learner[X, Y], cfg learntest.Config,
	claim verdict.Claim,
) (func(*rand.Rand) (learntest.Data[X, Y], error), error) {
	switch len(learners) {
	case 1:
		return func(*rand.Rand) (learntest.Data[X, Y], error) { return data, nil }, nil
	case 2:
	default:
		return nil, fmt.Errorf("%w: %d learners: want two, or one to be compared with itself",
			learntest.ErrConfig, len(learners))
	}
	all, err := learntest.NewSample(data)
	if err != nil {
		return nil, err
	}
	metric := claim.Metric
	if metric == "" && len(cfg.Metrics) > 0 {
		metric = cfg.Metrics[0].Name
	}
	switch {
	case len(all.Classes()) < 2:
		return nil, fmt.Errorf("%w: data set %q has no two classes, of which random ones could be drawn: name one learner, to be compared with itself", learntest.ErrConfig, data.Name())
	case metric != "" && metric != "accuracy" && metric != "error":
		return nil, fmt.Errorf("%w: two learners need not have the same %s on random classes: judge by accuracy, or name one learner, to be compared with itself", learntest.ErrConfig, metric)
	}
	return func(rng *rand.Rand) (learntest.Data[X, Y], error) {
		codes := randomClasses(rng, all.Len(), len(all.Classes()), cfg.Protocol.IsStratified())
		drawn, ok := otherlabels.Relabel(all, all.Rows(),
			otherlabels.Change{Class: func(i, _, _ int) int { return int(codes[i]) }})
		if !ok {
			return nil, fmt.Errorf("%w: the examples of data set %q are rows, and the classes are in their tables: give the table itself", learntest.ErrConfig, data.Name())
		}
		return drawn, nil
	}, nil
}
