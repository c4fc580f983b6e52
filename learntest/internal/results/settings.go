package results

import (
	"errors"
	"strings"

	"github.com/learnbench/learnbench/internal/buildinfo"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// ErrConfig is wrapped by errors about a configuration that makes no sense.
var ErrConfig = errors.New("invalid configuration")

// Settings say what results are of, where they are kept, and which of them may be there.
type Settings struct {
	Learners []string
	Units    []unit.Unit
	Runs     int // that are run before any claim is judged

	// AllowNondeterminism says that learners are run whose predictions their seed does not fix.
	AllowNondeterminism bool

	Out    string // result file, or directory; if empty, nothing is stored
	Resume bool   // takes over what an interrupted run has left
	Shard  split.Shard
	In     []string // patterns of the files that have all results; nil if trials are run

	Predictions   string // file in which predictions are kept; if empty, they are not
	Probabilities string // that are kept with them: as in predictions.Header

	Pkg, Test, Commit, CommitTime, Reproduce string // as in record.Header

	Files     []string // that learners read, directories included
	Variables []string // of the environment that learners read
	Unknown   bool     // a learner is a program in another language that names no file
	binary    string   // as in record.Header
}

// header returns the header of the records on a data set. The digest of the partitions takes longer
// than a few trials: it is computed beside them, and until then it is all zeros.
func (c *Settings) header(data, digest string, plan *split.Plan) record.Header {
	h := record.Header{
		Pkg:         c.Pkg,
		Test:        c.Test,
		Data:        data,
		Commit:      c.Commit,
		CommitTime:  c.CommitTime,
		Protocol:    plan.Protocol().String(),
		DataDigest:  digest,
		SplitDigest: strings.Repeat("0", 64),
		Reproduce:   c.Reproduce,
		Toolchain:   buildinfo.Toolchain(),
	}
	if c.Out != "" || c.In != nil {
		h.Binary = c.binary
	}
	h.SetDistinct(plan.DistinctRuns())
	return h
}
