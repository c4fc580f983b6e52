package learntest

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/require"
)

// The results of a run do not depend on interruptions, whenever they come: neither do the scores,
// nor does the header's number of repeated cells of a learner, also of the module's own learners
// with one such cell.
func TestResultsDoNotDependOnInterruptions(t *testing.T) {
	data := []Data[dataset.Row, int]{uci.Iris()}
	own := Func("own", func(_ context.Context, train Sample[dataset.Row, int],
		seed uint64,
	) (func(dataset.Row) int, error) {
		return func(r dataset.Row) int { return (r.Index + int(seed%3)) % 3 }, nil
	})
	learners := []Learner[dataset.Row, int]{FromClassifier(naivebayes.New(naivebayes.Config{})), own}
	run := func(cfg Config, ends ...int) string {
		t.Helper()
		cfg.Results.Out = filepath.Join(t.TempDir(), "r.txt")
		for _, end := range append(ends, 0) {
			ctx, cancel := context.WithCancel(t.Context())
			once := cfg
			once.Progress = func(done, _ int) {
				if done == end {
					cancel()
				}
			}
			_, err := Run(ctx, data, learners, once)
			cancel()
			if end > 0 {
				_, ok := errors.AsType[*interruptedError](err)
				require.True(t, ok, "%d: %v", end, err)
			} else {
				require.NoError(t, err)
			}
			forget(cfg.Results.Out)
			cfg.Results.Resume = true
		}
		return textWithoutTimes(t, cfg.Results.Out)
	}
	cfg := Config{Protocol: split.CV(5, 10), Parallel: 1}
	want := run(cfg)
	require.True(t, strings.Contains(want, "\nDeterminism: naivebayes=yes own=yes/4\n"), want[:800])
	step := 12
	if citest.Has(citest.Slow) {
		step = 3
	}
	for end := 1; end < 100; end += step {
		require.Equal(t, want, run(cfg, end), end)
	}
	require.Equal(t, want, run(cfg, 7, 20, 30, 11))
}
