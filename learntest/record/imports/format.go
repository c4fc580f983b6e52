package imports

import (
	"errors"
	"io"
)

// A Format is a kind of file that can be read.
type Format struct {
	Name string // as in "weka"
	Doc  string // the tool and its file, in a few words

	read    func(c *collector, r io.Reader, s Source) error
	needs   []string // options without which there is no result
	refuses []string // options that say what the file says itself

	sizeless bool // files have no sizes unless columns were added
	raw      bool // runs and folds have the numbers of the file plus one: see renumber

	archive string // what makes text of an archive of this tool
}

// The names of options, as errors have them.
const (
	optDataset    = "Dataset (-dataset)"
	optLearner    = "Learner (-learner)"
	optFolds      = "Folds (-folds)"
	optRuns       = "Runs (-runs)"
	optExamples   = "Examples (-examples)"
	optPartitions = "Partitions (-partitions)"
	optMeasures   = "Measures (-measure)"
	optTables     = "Tables (-data)"
	orTables      = "or Tables (-data)" // which learnstat has not
)

// ErrOptions is wrapped by every error about [Options] that are missing, contradict each
// other or the file, or do not apply to the format.
var ErrOptions = errors.New("invalid import options")
