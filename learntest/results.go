package learntest

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/split"
)

// Results says where the results of a run are stored, which of them are there already, and which
// particulars are stored with them. The zero value keeps no results.
type Results struct {
	// Out names the result file, or a directory with one result file for each
	// experiment. When the run ends, its results replace earlier results of the same package,
	// test, data set and protocol there; others stay. Until then the finished trials are in a
	// file beside it, with the name of the result file and ".partial-" and a number appended.
	// That file stays if the run is interrupted. If Out is empty, no file is written.
	Out string

	// Resume takes over the trials that an interrupted run of the same experiment has left beside
	// Out, and the same program's trials in Out itself, and trains the missing ones. Trials that
	// failed are run again. An interrupted run of another build of the program, on other data or
	// under another configuration, is refused.
	Resume bool

	// Shard is the part of the trials that is run. The results are then not complete,
	// and nothing can be judged: see In.
	Shard split.Shard

	// In names result files, by patterns as in filepath.Match, such as the files of all
	// shards. If not empty, nothing is trained: all trials are taken from these files, which
	// must be complete and of the same experiment, the commit included.
	In []string

	// Predictions names a file in which the predictions for all test examples are kept, compressed
	// if its name ends with .gz: see package predictions. They replace earlier ones of the same
	// package, test, data set and protocol there. Results in Out name their checksum. All trials
	// are trained then: none is taken from a cache, and Settle stops nothing. Predictions give the
	// labels of the data away. If empty, none are kept.
	Predictions string

	// Probabilities says which class probabilities are kept with the predictions: "truth" keeps the
	// probability of the true class, from which the log loss can be computed again, "full" the
	// probabilities of all classes. If empty, none are kept.
	Probabilities string

	// Note is called with each line about trials that are taken over or left out. If nil, the
	// lines are dropped; a test logs them in any case.
	Note func(line string)

	// Pkg, Test, Commit, CommitTime and Reproduce are stored with the results:
	// the import path of the code under test, the name of the test, the version
	// control revision and when it was committed, as in RFC 3339, and the command that
	// runs the trials again.
	Pkg, Test, Commit, CommitTime, Reproduce string
}

// check returns an error if the fields make no sense together.
func (r Results) check() error {
	if err := r.Shard.Validate(); err != nil {
		return fmt.Errorf("%w: %w", results.ErrConfig, err)
	}
	if r.Shard.Count > 0 && r.Out == "" {
		return fmt.Errorf("%w: a shard without a result file: name one in %s or Config.Results.Out",
			results.ErrConfig, envOut)
	}
	if r.In != nil && (r.Shard.Count > 0 || r.Resume) {
		return fmt.Errorf("%w: results to be judged (%s, Config.Results.In) and trials to be run (Shard, Resume) exclude each other", results.ErrConfig, envIn)
	}
	if r.In != nil && r.Predictions != "" {
		return fmt.Errorf("%w: results to be judged (%s, Config.Results.In) and predictions to be kept (%s, Config.Results.Predictions) exclude each other: nothing is trained", results.ErrConfig, envIn, envPredictions)
	}
	if p := r.Probabilities; p != "" && p != predictions.OfTruth && p != predictions.OfAll {
		return fmt.Errorf("%w: probabilities %q to be kept: they are %s or %s", results.ErrConfig, p,
			predictions.OfTruth, predictions.OfAll)
	}
	if r.Probabilities != "" && r.Predictions == "" {
		return fmt.Errorf("%w: probabilities to be kept without predictions: name a file for them in %s or Config.Results.Predictions", results.ErrConfig, envPredictions)
	}
	if r.Resume && r.Out == "" {
		return fmt.Errorf("%w: Resume without a result file: name the file of the interrupted run in %s or Config.Results.Out", results.ErrConfig, envOut)
	}
	return nil
}
