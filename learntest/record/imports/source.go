package imports

import (
	"io"

	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
)

// A Source is a file of another tool.
type Source struct {
	Name    string    // of the file, for messages and positions
	Reader  io.Reader // if nil, the file is opened
	Learner string    // whose results these are, where the format does not say it
}

// Results are imported blocks.
type Results struct {
	Blocks  []*record.Block // one for each data set, in the order of their first appearance
	Notes   []string        // what a reader of the results should know about the files, in sentences
	Assumed []string        // columns, directions, numbers of folds and sizes that were assumed

	Predictions []*predictions.Block // of Blocks, if they are wanted: see Options.Predictions
}
