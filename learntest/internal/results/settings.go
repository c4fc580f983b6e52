package results

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"strings"
	"sync"

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
	Runs     int // that are run whatever is claimed

	// AllowNondeterminism says that learners are run whose predictions their seed does not fix.
	AllowNondeterminism bool

	Out    string // result file, or directory; if empty, nothing is stored
	Resume bool   // takes over what an interrupted run has left
	Shard  Shard
	In     []string // patterns of the files that have all results; nil if trials are run

	Pkg, Test, Commit, CommitTime, Reproduce string // as in record.Header
}

// header returns that of the records on a data set. The digest of the partitions
// takes longer than a few trials: it is found beside them, and until then it is all zeros.
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
	if c.Out != "" {
		h.Binary = program()
	}
	h.SetDistinct(plan.DistinctRuns())
	return h
}

// program returns the digest of the running program, which says whether trials were run
// by the same code; "" if the program cannot be read.
var program = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})
