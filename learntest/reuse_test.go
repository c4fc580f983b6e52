package learntest

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A rerun is an execution of a test that a process makes of its own.
type rerun struct {
	*Comparison
	logs  string
	calls map[string]int // trainings of each learner
}

const (
	ownTrials   = 4*5 + 2 // of a learner in the protocol's own runs, with the repeated ones
	otherTrials = 16 * 5  // in further runs up to 20
)

// again compares learners of whose difference it takes 20 runs to say nothing, and makes the
// claim.
func again(t *testing.T, cfg Config, maxRuns int, candidate, baseline Learner[int, bool]) rerun {
	t.Helper()
	if cfg.Protocol == (split.Protocol{}) {
		cfg.Protocol = split.CV(4, 5).WithSeed(59)
	}
	count := counter{fits: make(map[string]int)}
	forget(cfg.Results.Out)
	r := newRecorder(t)
	r.name = "TestAgain"
	c := CompareWith(r, cfg, numbers(100), count.wrap(candidate), count.wrap(baseline))
	require.Empty(t, r.fatal)
	require.Empty(t, r.errors)
	if maxRuns > 0 {
		v := c.Judge(verdict.Claim{Kind: verdict.Improves, Replicability: 0.9, MaxRuns: maxRuns})
		require.NotEqual(t, verdict.Invalid, v.Outcome, "%v", v)
	}
	r.end()
	calls := make(map[string]int)
	for fit, n := range count.fits {
		for _, l := range []string{candidate.Name, baseline.Name} {
			if strings.HasPrefix(fit, l) {
				calls[l] += n
			}
		}
	}
	return rerun{c, strings.Join(r.logs, "\n"), calls}
}

var (
	better = knows("better", 0.92)
	worse  = knows("worse.", 0.8)
)

func TestFurtherRunsAreTakenFromTheLastRunOfTheTest(t *testing.T) {
	for name, out := range map[string]string{
		"file":      filepath.Join(t.TempDir(), "r.txt"),
		"directory": t.TempDir(),
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Results: Results{Out: out}}
			first := again(t, cfg, 20, better, worse)
			assert.Equal(t, map[string]int{"better": ownTrials + otherTrials, "worse.": ownTrials +
				otherTrials}, first.calls)
			assert.NotContains(t, first.logs, "are taken from there")
			text := textWithoutTimes(t, out)

			second := again(t, cfg, 20, better, worse)
			assert.Equal(t, map[string]int{"better": ownTrials, "worse.": ownTrials}, second.calls,
				"the protocol's own runs alone")
			assert.Contains(t, second.logs,
				out+": trials of further runs are taken from there, 20 of better and 20 of worse.: it is of the same program, and the other runs have the same scores")
			assert.Equal(t, text, textWithoutTimes(t, out))
			assert.Equal(t, first.Records().Blocks()[0].Checksum(), second.Records().Blocks()[0].Checksum())

			if name == "directory" {
				return
			}
			// Runs beyond the stored ones are trained, and stored runs that nobody asks for go.
			third := again(t, cfg, 24, better, worse)
			assert.Equal(t, ownTrials+4*5, third.calls["better"])
			assert.Equal(t, 24, trained(third.Comparison))
			again(t, cfg, 0, better, worse)
			assert.Equal(t, 4, open(t, out).Experiments()[0].Len()/(2*5))
			assert.Equal(t, ownTrials+otherTrials, again(t, cfg, 20, better, worse).calls["worse."])

			// The runs of Config.MinRuns are trained once as well, and taken from the file then.
			cfg.MinRuns = 24
			assert.Equal(t, ownTrials+4*5, again(t, cfg, 0, better, worse).calls["better"])
			assert.Equal(t, ownTrials, again(t, cfg, 0, better, worse).calls["better"])
		})
	}
}

// After a change of any kind, no further run is taken.
func TestFurtherRunsOfSomethingElseAreNotTaken(t *testing.T) {
	all := map[string]int{"better": ownTrials + otherTrials, "worse.": ownTrials + otherTrials}
	edit := func(old, new string) func(t *testing.T, out string) {
		return func(t *testing.T, out string) {
			text, err := os.ReadFile(out)
			require.NoError(t, err)
			require.Contains(t, string(text), old)
			var kept []string
			for line := range strings.Lines(strings.ReplaceAll(string(text), old, new)) {
				if !strings.HasPrefix(line, "Checksum: ") { // it would tell
					kept = append(kept, line)
				}
			}
			require.NoError(t, os.WriteFile(out, []byte(strings.Join(kept, "")), 0o666))
		}
	}
	unstable := Func("worse.", func(context.Context, Sample[int, bool], uint64) (func(int) bool,
		error,
	) {
		return func(int) bool { return rand.IntN(3) > 0 }, nil
	})
	var turn atomic.Int32
	roving := Learner[int, bool]{Name: "worse.", Fit: func(context.Context, Sample[int, bool],
		uint64,
	) (Model[int, bool], error) {
		return LabelModel(func(_ context.Context, xs []int) ([]bool, error) {
			ys, wrong := make([]bool, len(xs)), int(turn.Add(1))%len(xs)
			for i, x := range xs {
				ys[i] = (x%2 == 1) == (i != wrong)
			}
			return ys, nil
		}), nil
	}}
	var first []byte // what the first run with the learner worse leaves
	for name, c := range map[string]struct {
		change    func(t *testing.T, out string)
		first     Config
		cfg       Config
		candidate Learner[int, bool] // in the second run
		baseline  Learner[int, bool] // in both
		want      map[string]int
		note      string
	}{
		"a learner has changed": {
			candidate: knows("better", 0.9),
			want:      map[string]int{"better": ownTrials + otherTrials, "worse.": ownTrials},
		},
		"another program": {change: edit("Binary: ", "Binary: 0"), want: all},
		"another Go":      {change: edit("Toolchain: ", "Toolchain: gccgo "), want: all},
		"another commit":  {cfg: Config{Results: Results{Commit: "c0ffee"}}, want: all},
		"another seed":    {cfg: Config{Protocol: split.CV(4, 5).WithSeed(10)}, want: all},
		"another metric": {cfg: Config{Metrics: []metric.Metric{
			metric.Accuracy(),
			metric.Kappa(),
		}}, want: all},
		"predictions are asked for": {
			cfg: Config{Predicted: func(record.Cell, []int, *metric.Predictions) {}}, want: all,
		},
		"the seed does not fix a learner": {
			first: Config{AllowNondeterminism: true}, cfg: Config{AllowNondeterminism: true},
			baseline: unstable,
			want:     map[string]int{"better": ownTrials, "worse.": ownTrials + otherTrials},
		},
		"a trial of its own runs is not there": {
			change: edit("worse./run=4/fold=5 1 ", "worse./run=41/fold=1 1 "),
			want:   map[string]int{"better": ownTrials, "worse.": ownTrials + otherTrials},
		},
		// It is right in all folds but for one example, which is another each time.
		"the scores do not tell that the seed does not fix a learner": {
			first: Config{AllowNondeterminism: true}, cfg: Config{AllowNondeterminism: true},
			baseline: roving,
			change:   edit("worse.=no", "worse.=yes"), want: map[string]int{
				"better": ownTrials,
				"worse.": ownTrials + otherTrials,
			},
		},
		"the seed did not fix a learner": {
			change: edit("worse.=yes", "worse.=no"),
			want:   map[string]int{"better": ownTrials, "worse.": ownTrials + otherTrials},
		},
		"a score is another": {change: edit("worse./run=3/fold=2 1 0.",
			"worse./run=3/fold=2 1 0.0"), want: map[string]int{"better": ownTrials, "worse.": ownTrials +
			otherTrials}},
		"damaged": {
			change: func(t *testing.T, out string) {
				text, err := os.ReadFile(out)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(out, []byte(strings.Replace(string(text), "run=3/fold=2 1 0.",
					"run=3/fold=2 1 0.0", 1)), 0o666))
			},
			want: all, note: ": nothing of it is used again: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "r.txt")
			plain := c.baseline.Name == "" // as most first runs are
			if plain {
				c.baseline = worse
			}
			if c.candidate.Name == "" {
				c.candidate = better
			}
			// Counted repetitions take all runs, whatever the scores are.
			c.first.Results.Out, c.cfg.Results.Out, c.first.Repeats, c.cfg.Repeats = out, out, 5, 5
			if plain && first != nil {
				require.NoError(t, os.WriteFile(out, first, 0o666))
			} else {
				again(t, c.first, 0, better, c.baseline)
			}
			if plain && first == nil {
				var err error
				first, err = os.ReadFile(out)
				require.NoError(t, err)
			}
			if c.change != nil {
				c.change(t, out)
			}
			second := again(t, c.cfg, 0, c.candidate, c.baseline)
			assert.Equal(t, c.want, second.calls)
			if c.note != "" {
				assert.Contains(t, second.logs, out+c.note)
			}
			require.NoError(t, open(t, out).Check())
		})
	}
}

// A trial that failed is run again, and runs that were begun are completed.
func TestFurtherRunsThatFailedAreRunAgain(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	trials := 0
	fails := better
	fails.Fit = func(ctx context.Context, train Sample[int, bool], seed uint64) (Model[int, bool],
		error,
	) {
		if trials++; trials > ownTrials+7 {
			return Model[int, bool]{}, os.ErrInvalid
		}
		return better.Fit(ctx, train, seed)
	}
	cfg := Config{
		Results: Results{Out: out}, Protocol: split.CV(4, 5).WithSeed(59), Repeats: 2,
		Parallel: 1,
	}
	r := newRecorder(t)
	r.name = "TestAgain"
	CompareWith(r, cfg, numbers(100), fails, worse)
	assert.NotEmpty(t, r.errors)
	r.end()
	second := again(t, cfg, 0, better, worse)
	assert.Equal(t, map[string]int{"better": ownTrials + 4*5 - 7, "worse.": ownTrials}, second.calls)
}
