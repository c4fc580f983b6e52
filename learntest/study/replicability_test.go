package study

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the expected reports")

// TestSmallReplicabilityStudy checks that the report depends on the seed alone.
func TestSmallReplicabilityStudy(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	s, err := Lookup("replicability")
	require.NoError(t, err)
	run := func(cfg Config) string {
		t.Helper()
		cfg.Small = true
		r, err := s.Run(t.Context(), cfg)
		require.NoError(t, err)
		return r.String()
	}
	calls := 0
	got := run(Config{Parallel: 1, Progress: func(done, total int) {
		calls++
		assert.Equal(t, calls, done)
		assert.Equal(t, 14, total)
	}})
	assert.Equal(t, 14, calls)
	golden := filepath.Join("testdata", "replicability-small.md")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
	assert.Equal(t, got, run(Config{Parallel: 5, Seed: 1}))
	assert.NotEqual(t, got, run(Config{Seed: 2}))
}

// The full study is as large as was asked of it.
func TestFullReplicabilityStudyIsLargeEnough(t *testing.T) {
	t.Parallel()
	p := planReplicability(false)
	assert.GreaterOrEqual(t, len(p.sets)*p.learners*(p.learners-1)/2, 20)
	assert.GreaterOrEqual(t, p.runs, 400)
	assert.GreaterOrEqual(t, p.simulated, 1000)
}

func TestStudyEndsWithItsContext(t *testing.T) {
	t.Parallel()
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	s, err := Lookup("replicability")
	require.NoError(t, err)
	_, err = s.Run(ctx, Config{Small: true, Progress: func(done, _ int) {
		if done == 1 {
			cancel(cause)
		}
	}})
	require.ErrorIs(t, err, cause)
}

func TestStudyRefusesBadConfigurations(t *testing.T) {
	t.Parallel()
	s, err := Lookup("replicability")
	require.NoError(t, err)
	_, err = s.Run(t.Context(), Config{Parallel: -1})
	require.ErrorIs(t, err, ErrConfig)
	_, err = Lookup("replicable")
	require.ErrorIs(t, err, ErrConfig)
	require.ErrorContains(t, err, `invalid study: none is called "replicable": there are aa, at-least, calibrate, examples, hierarchical, items, ratio, replicability, `)
	require.ErrorContains(t, err, ", gate-margin")
	names := make(map[string]bool)
	for _, s := range All() {
		assert.False(t, names[s.Name], s.Name)
		names[s.Name] = true
		assert.NotEmpty(t, s.Doc)
	}
}

// Each pair of learners but the first has its turn, once in each round.
func TestPairsOfLearnersTakeTurns(t *testing.T) {
	t.Parallel()
	seen := make(map[string]int)
	for i := range 20 {
		seen[strings.Join(pairOf([]string{"majority", "a", "b", "c", "d", "e"}, i), " ")]++
	}
	assert.Len(t, seen, 10)
	for pair, n := range seen {
		assert.Equal(t, 2, n, pair)
		assert.NotContains(t, pair, "majority")
	}
}

func TestTargets(t *testing.T) {
	t.Parallel()
	verdicts := func(rmse20, rmse40, count, cover, worst, errs, low, mid, high float64) []string {
		var l targetList
		l.estimate(estimator{posterior, 10}, 1, 0.93, 0.9)
		l.estimate(estimator{posterior, 20}, rmse20, cover, worst)
		l.estimate(estimator{posterior, 40}, rmse40, 0.93, 0.9)
		l.estimate(estimator{plugIn, 20}, 9, 0, 0) // not asked
		l.estimate(estimator{counted, 100}, count, 0, 0)
		l.agree(0.1)
		l.agree(errs)
		l.rule(0, low)
		l.rule(1, 1)
		l.rule(2, mid)
		l.rule(7, high)
		var vs []string
		for _, r := range l.table().Rows {
			vs = append(vs, r[3])
		}
		return vs
	}
	met := strings.Split(strings.Repeat("met ", 8), " ")[:8]
	require.Equal(t, met, verdicts(0.135, 0.13, 0.13, 0.97, 0.82, -2.5, 0.04, 0.1, 0.9))
	require.Equal(t, met, verdicts(0.135, 0.13, 0.13, 0.9, 0.82, 2.5, 0.04, 0.1, 0.9))
	for i, v := range [][]string{
		verdicts(0.136, 0.13, 0.13, 0.97, 0.82, -2.5, 0.04, 0.1, 0.9),
		verdicts(0.135, 0.131, 0.13, 0.97, 0.82, -2.5, 0.04, 0.1, 0.9),
		verdicts(0.135, 0.13, 0.13, 0.971, 0.82, -2.5, 0.04, 0.1, 0.9),
		verdicts(0.135, 0.13, 0.13, 0.97, 0.819, -2.5, 0.04, 0.1, 0.9),
		verdicts(0.135, 0.13, 0.13, 0.97, 0.82, -2.5, 0.041, 0.1, 0.9),
		verdicts(0.135, 0.13, 0.13, 0.97, 0.82, -2.5, 0.04, 0.101, 0.9),
		verdicts(0.135, 0.13, 0.13, 0.97, 0.82, -2.5, 0.04, 0.1, 0.899),
		verdicts(0.135, 0.13, 0.13, 0.97, 0.82, -2.51, 0.04, 0.1, 0.9),
	} {
		want := append([]string{}, met...)
		want[i] = "missed"
		assert.Equal(t, want, v)
	}
	assert.Equal(t, "missed", verdicts(0.135, 0.13, 0.13, 0.899, 0.82, -2.5, 0.04, 0.1, 0.9)[2])
}
