package learntest_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// neighborTest compares two nearest-neighbour learners on vehicle, on 20 seeds.
const neighborTest = `package model

import (
	"testing"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/split"
)

func TestNeighbors(t *testing.T) {
	for seed := range uint64(20) {
		cfg := learntest.Config{NoClaim: true, Depends: []string{}, Protocol: split.TenByTen().WithSeed(seed + 1), Parallel: 1}
		learntest.CompareWith(t, cfg, uci.Vehicle(),
			learntest.FromClassifier(neighbor.New(neighbor.Config{K: 1})), learntest.FromClassifier(neighbor.New(neighbor.Config{K: 3})))
	}
}
`

// BenchmarkEmptyCache measures what an empty cache adds to the processor time of comparisons: pairs
// of processes, one with a cache and one without, take turns to come first. The figure overhead-%
// is of their sums.
func BenchmarkEmptyCache(b *testing.B) {
	h := newHistory(b)
	h.write("model/model_test.go", neighborTest)
	h.commit()
	tests := filepath.Join(b.TempDir(), "model.test")
	h.command("go", "test", "-trimpath", "-c", "-o", tests, "./model")
	run := func(env ...string) time.Duration {
		cmd := h.prepare(b.Context(), tests, "-test.run", "TestNeighbors")
		cmd.Dir, cmd.Env = filepath.Join(h.dir, "model"), append(cmd.Env, env...)
		text, err := cmd.CombinedOutput()
		require.NoError(b, err, string(text))
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	with := func() time.Duration { return run("LEARNTEST_CACHE=" + b.TempDir()) }
	without := func() time.Duration { return run("LEARNTEST_CACHE=") }
	var sumWith, sumWithout time.Duration
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 {
			sumWith += with()
			sumWithout += without()
		} else {
			sumWithout += without()
			sumWith += with()
		}
	}
	b.ReportMetric(100*(float64(sumWith)/float64(sumWithout)-1), "overhead-%")
	b.ReportMetric(sumWithout.Seconds()/float64(b.N), "s/comparisons")
}
