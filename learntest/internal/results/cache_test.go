package results

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/filecache"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
)

// A learner whose files cannot be read has no trials in a cache, and says why.
func TestCachesOfFilesThatCannotBeRead(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("weights.json", []byte("[1]"), 0o666))
	open := func(files ...string) *Cache {
		c := &Cache{Learners: map[string]Keyed{"a": {Files: files}, "b": {}}}
		c.Open(&Results{})
		return c
	}
	c := open("weights.json")
	require.Empty(t, c.Learners["a"].Unknown)
	require.Len(t, c.files, 2)
	require.NotEqual(t, c.files["a"], c.files["b"])
	require.NotEqual(t, c.owner("a"), c.owner("b"))
	c.results.Pkg = "example.com/other"
	require.NotEqual(t, open().owner("a"), c.owner("a"))

	c = open("nowhere.json")
	for name, l := range c.Learners {
		require.Contains(t, l.Unknown, "nowhere.json", name)
		require.Contains(t, c.unkept(name, kept{}, 0), "nowhere.json")
	}

	if runtime.GOOS == "windows" {
		t.Skip("a directory that is in use cannot be removed")
	}
	gone := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(gone, 0o777))
	t.Chdir(gone)
	require.NoError(t, os.Remove(gone))
	c = open()
	require.Equal(t, "the files in the test's directory are too many, or cannot be read",
		c.Learners["a"].Unknown)
}

// The trials of one learner that have come to their end are kept, and all of their time counts.
func TestTrialsThatMayBeKept(t *testing.T) {
	h := record.Header{}
	h.Of("a").SetProbe(record.Deterministic)
	s := &Set{held: held{block: &record.Block{Header: h}}}
	of := func(learner string, run int, failure string) record.Trial {
		return record.Trial{
			Learner: learner, Run: run, Fold: 1, Values: []float64{1}, Err: failure,
			FitSeconds: 0.25, PredictSec: 0.5,
		}
	}
	batch := &trial.Batch{
		Trials: []record.Trial{
			of("a", 1, ""), of("b", 1, ""), of("a", 0, ""), of("a", 3, "status 500"),
			of("a", 2, ""),
		},
		Prints: []*trial.Print{trial.NewPrint(), nil},
	}
	k, took := trained(s, "a", []*trial.Batch{batch, batch})
	require.Equal(t, 3*time.Second, took)
	require.Len(t, k.Trials, 4)
	require.Equal(t, []int{1, 2, 1, 2}, []int{
		k.Trials[0].Run, k.Trials[1].Run, k.Trials[2].Run,
		k.Trials[3].Run,
	})
	require.Nil(t, k.Trials[0].Print, "nothing was predicted")

	clean := true
	c := &Cache{
		Learners: map[string]Keyed{"a": {}}, Least: 3 * time.Second,
		Clean: func() bool { return clean },
	}
	require.Empty(t, c.unkept("a", k, took))
	require.Contains(t, c.unkept("a", k, took-1), "trainings of less than 3s")
	clean = false
	require.Contains(t, c.unkept("a", k, took), "not committed")
	k.Probe = record.NotDeterministic
	require.Contains(t, c.unkept("a", k, took), "a was not seen to repeat its predictions")
}

// Where several processes have kept a trial, its predictions are known if one of them knew them;
// other scores are refused.
func TestTrialsThatWereKeptTwice(t *testing.T) {
	c := &Cache{
		Dir: filecache.New(t.TempDir(), 1<<20), Learners: map[string]Keyed{"a": {}},
		results: &Results{},
	}
	put := func(score float64, known func(run int) bool) {
		t.Helper()
		k := kept{Probe: record.Deterministic}
		for run := 1; run <= 2; run++ {
			x := cachedTrial{Run: run, Fold: 1, TrainN: 8, TestN: 2, Values: []float64{score}}
			if known(run) {
				x.Print = new(trial.Print)
				require.NoError(t, x.Print.UnmarshalText([]byte("0123456789abcdef")))
			}
			k.Trials = append(k.Trials, x)
		}
		text, err := json.Marshal(k)
		require.NoError(t, err)
		require.NoError(t, c.Dir.Put(c.owner("a"), "key", text))
	}
	put(0.5, func(run int) bool { return run == 1 })
	put(0.5, func(run int) bool { return run == 2 })
	there, probe, err := c.read("a", "key")
	require.NoError(t, err)
	require.Equal(t, record.Deterministic, probe)
	for run := 1; run <= 2; run++ {
		require.NotNil(t, there[place{run, 1}].Print, "run %d", run)
	}
	put(0.25, func(int) bool { return false })
	_, _, err = c.read("a", "key")
	require.ErrorContains(t, err, "it has two results of run 1, fold 1")
}

// A trial is checked once.
func TestTrialsAreCheckedOnce(t *testing.T) {
	s := &Set{cached: []Cached{{Values: []float64{1}}}}
	require.Len(t, s.ToCheck(), 1)
	require.Empty(t, s.ToCheck())
}
