package learntest

import (
	"github.com/learnbench/learnbench/internal/gotest"
)

// isShort reports whether the flag -short of go test is set.
var isShort = gotest.Short

// shortened returns the configuration under -short, which runs the first of several random
// runs, and whether it is another one.
func shortened(c Config) (Config, bool) {
	p := c.Protocol
	if !p.IsRandom() || p.Runs() == 1 || c.Results.In != nil || c.Results.Shard.Count > 0 {
		return c, false
	}
	c.Protocol, c.Repeats, c.MinRuns = p.WithRuns(1), 1, 0
	return c, true
}
