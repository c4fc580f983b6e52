package imports

import "errors"

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

// The names of formats that options depend on.
const (
	formatTable  = "table"
	formatSearch = "sklearn-search"
	formatOpenML = "openml"
)
