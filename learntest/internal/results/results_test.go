package results

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// begin returns results of learners a and b on two data sets, in two runs of three folds.
func begin(t *testing.T, known *Registry, s Settings) *Results {
	t.Helper()
	s.Learners, s.Units, s.Runs = []string{"a", "b"}, []unit.Unit{metric.Accuracy().Unit},
		max(s.Runs, 2)
	r := New(known, s)
	for _, name := range []string{"first", "second"} {
		d := &trial.Data{
			Name: name, Digest: strings.Repeat("a", 64), Examples: split.Examples{N: 9},
			Learners: s.Learners,
		}
		for range s.Learners {
			d.Funcs = append(d.Funcs, guess)
		}
		plan, err := split.CV(2, 3).Stratified(false).Plan(d.Examples)
		require.NoError(t, err)
		_, err = r.Add(d, plan, Facts{})
		require.NoError(t, err)
	}
	require.NoError(t, r.Open())
	return r
}

// guess predicts the first of two classes, of which each example in even places is.
func guess(_ context.Context, a *trial.Attempt, _ uint64) error {
	p := &a.Predictions
	p.Classes, p.Truth, p.Predicted = []string{"even", "odd"}, nil, nil
	for _, row := range a.Test {
		p.Truth, p.Predicted = append(p.Truth, row%2), append(p.Predicted, 0)
	}
	return nil
}

// train runs the missing trials of both runs.
func train(t *testing.T, s *Set) {
	t.Helper()
	trainOn(t, s, "")
}

// trainOn is train on a machine.
func trainOn(t *testing.T, s *Set, machine string) {
	t.Helper()
	b := &trial.Batch{Data: s.Data, Plan: s.Plan}
	for c := range s.Missing(2, s.Data.Learners) {
		b.Cells = append(b.Cells, trial.Cell{Run: c.Run, Fold: c.Fold, Learner: map[string]int{
			"a": 0,
			"b": 1,
		}[c.Learner]})
	}
	trial.Engine{Metrics: []metric.Metric{metric.Accuracy()}, Parallel: 1}.Run(t.Context(), b)
	_, err := s.Take(b, machine)
	require.NoError(t, err)
}

func missing(s *Set, runs int) (cells []record.Cell) {
	for c := range s.Missing(runs, s.Data.Learners) {
		cells = append(cells, c)
	}
	return cells
}

// Every cell is dealt to one shard, with the other learner's cell, also in runs beyond the
// configured ones.
func TestShardsHaveEachCellOnce(t *testing.T) {
	t.Parallel()
	const count, runs = 4, 5
	dealt := make(map[record.Cell]int)
	for i := range count {
		r := begin(t, new(Registry), Settings{Shard: split.Shard{Index: i + 1, Count: count}})
		n := 0
		for _, s := range r.Sets() {
			require.True(t, s.Unsaved(), "a shard may have no trials")
			for _, c := range missing(s, runs) {
				_, twice := dealt[c]
				require.False(t, twice, "%v", c)
				dealt[c] = i
				n++
			}
		}
		assert.InDelta(t, float64(2*2*3*runs)/count, n, 4, "shards are of about one size")
	}
	assert.Len(t, dealt, 2*2*3*runs)
	for c, i := range dealt {
		c.Learner = "a"
		assert.Equal(t, dealt[c], i, "%v", c)
	}
}

func TestWhatIsTakenIsNotMissing(t *testing.T) {
	t.Parallel()
	r := begin(t, new(Registry), Settings{})
	s := r.Sets()[0]
	require.Len(t, missing(s, 2), 12)
	before := s.Block()
	train(t, s)
	assert.Empty(t, missing(s, 2))
	assert.Len(t, missing(s, 3), 6)
	assert.Zero(t, before.Len(), "a block that was returned earlier does not change")
	assert.Equal(t, 2, CompleteRuns(s.Block()))
	assert.Equal(t, 12, r.Len())
}

// A learner is probed once.
func TestUnprobed(t *testing.T) {
	t.Parallel()
	s := begin(t, new(Registry), Settings{}).Sets()[0]
	c, ok := s.Unprobed(1)
	require.True(t, ok)
	assert.Equal(t, record.Cell{Data: "first", Learner: "b", Run: 1, Fold: 1}, c)
	_, ok = s.Unprobed(1)
	assert.False(t, ok)
	_, ok = s.Unprobed(0)
	assert.True(t, ok)
}

// Copies are counted before a learner can change the examples, whoever describes them and when.
func TestCopiesAreCountedBeforeTrials(t *testing.T) {
	t.Parallel()
	r := begin(t, new(Registry), Settings{})
	share, counted := "0.5", 0
	facts := Facts{Copies: func() string { counted++; return share }}
	s, err := r.Add(&trial.Data{
		Name: "third", Digest: strings.Repeat("a", 64),
		Examples: split.Examples{N: 9},
	}, r.Sets()[0].Plan, facts)
	require.NoError(t, err)
	_, err = r.Record(s)
	require.NoError(t, err)
	share = "changed by a learner"
	s.Described()
	assert.Equal(t, "0.5", s.Block().Header.Copies)
	assert.Equal(t, 1, counted)
}

// A process that replaces the file between two comparisons leaves a test with several parts to
// store: the file then has each of them once.
func TestPartsOfAFileThatIsReplaced(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.txt")
	set := begin(t, new(Registry), Settings{}).Sets()[0]
	train(t, set)
	whole := set.Block()
	upTo := func(cells int) *record.Block {
		b, err := record.NewBlock(whole.Header, whole.Learners, whole.Units, 9)
		require.NoError(t, err)
		for c := range whole.Trials() {
			if b.Len() < cells {
				require.NoError(t, b.Add(c))
			}
		}
		return b
	}
	for _, replaced := range []bool{false, true} {
		store, err := storage.NewStore(out)
		require.NoError(t, err)
		in := new(Instance)
		require.NoError(t, in.add(upTo(4), nil, ""))
		require.NoError(t, in.save(store))
		if replaced {
			other, err := storage.NewStore(out)
			require.NoError(t, err)
			_, err = other.Put(upTo(2))
			require.NoError(t, err)
		}
		for _, cells := range []int{6, 8, 12} {
			require.NoError(t, in.add(upTo(cells), nil, ""))
		}
		require.Len(t, in.findings[0].parts, 4)
		require.NoError(t, in.save(store))
		require.NoError(t, in.save(store), "nothing is left to store")
		f, err := record.Open(out)
		require.NoError(t, err)
		require.Len(t, f.Blocks(), 4)
		union, err := record.Union(f.Blocks()...) // which refuses a cell that is there twice
		require.NoError(t, err)
		assert.Equal(t, 12, union.Len())
	}
}

// Stored trials are there for whoever resumes, in another process, too.
func TestResumeTakesOverWhatIsStored(t *testing.T) {
	t.Parallel()
	known, out := new(Registry), filepath.Join(t.TempDir(), "r.txt")
	r := begin(t, known, Settings{Out: out})
	rec, err := r.Record(r.Sets()...)
	require.NoError(t, err)
	for _, s := range r.Sets() {
		s.Described()
		train(t, s)
	}
	require.NoError(t, rec.Finish())
	assert.NoFileExists(t, rec.Path())

	same := begin(t, known, Settings{Out: out, Resume: true})
	require.NoError(t, same.TakeOver(true))
	assert.Len(t, missing(same.Sets()[0], 2), 12,
		"this process has stored them itself: it is another run of the test")

	known.Forget(out)
	other := begin(t, known, Settings{Out: out, Resume: true})
	var notes []string
	other.Note = func(format string, args ...any) {
		notes = append(notes,
			fmt.Sprintf(format, args...))
	}
	require.NoError(t, other.TakeOver(true))
	assert.Equal(t, []string{out + ": 24 trials taken over, 0 trained"}, notes)
	for _, s := range other.Sets() {
		assert.Empty(t, missing(s, 2))
		assert.True(t, s.Unsaved())
	}
}

func TestRegistryKnowsEachTestOnce(t *testing.T) {
	t.Parallel()
	known := new(Registry)
	one, isNew := known.Instance("TestOne")
	require.True(t, isNew)
	again, isNew := known.Instance("TestOne")
	assert.False(t, isNew)
	assert.Same(t, one, again)
	two, _ := known.Instance("TestTwo")
	assert.NotSame(t, one, two)
	assert.Equal(t, []int{1, 2, 1}, []int{one.Next(), one.Next(), two.Next()})
	require.NoError(t, known.End("TestOne"))
	require.NoError(t, known.End("TestOne"))
	_, isNew = known.Instance("TestOne")
	assert.True(t, isNew, "the same test again is another instance")
}

// Another process that writes the same experiment while a test runs does not take away, or double,
// what the test has stored: it is stored again with all that has been trained since.
func TestResultsThatAnotherProcessReplacesAreStoredWhole(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.txt")
	store, err := new(Registry).storeAt(path)
	require.NoError(t, err)
	of := func(learner string, score float64) *record.Block {
		h := record.Header{
			Data: "numbers", Protocol: "cv runs=1 folds=2 seed=1 v1",
			DataDigest: strings.Repeat("d", 64), SplitDigest: strings.Repeat("e", 64),
		}
		b, err := record.NewBlock(h, []string{learner}, []unit.Unit{metric.Accuracy().Unit}, 4)
		require.NoError(t, err)
		for fold := 1; fold <= 2; fold++ {
			require.NoError(t, b.Add(record.Trial{
				Data: h.Data, Learner: learner, Run: 1, Fold: fold,
				TrainN: 2, TestN: 2, Values: []float64{score},
			}))
		}
		return b
	}
	in := new(Instance)
	save := func(learners ...string) {
		for _, l := range learners {
			require.NoError(t, in.add(of(l, 0.5), nil, ""))
		}
		require.NoError(t, in.save(store))
		require.NoError(t, in.save(store), "there is nothing new")
	}
	has := func(learners ...string) {
		t.Helper()
		f, err := record.Open(path)
		require.NoError(t, err)
		require.NoError(t, f.Check())
		require.ElementsMatch(t, learners, f.Learners("numbers"))
		n := 0
		for _, b := range f.Blocks() {
			n += b.Len()
			for trial := range b.Trials() {
				require.Equal(t, []float64{0.5}, trial.Values)
			}
		}
		require.Equal(t, 2*len(learners), n)
	}
	save("a")
	save("b")
	has("a", "b")
	require.NoError(t, storage.Merge(path, of("a", 1)))
	save("c", "d", "e")
	has("a", "b", "c", "d", "e")
	require.NoError(t, storage.Merge(path, of("z", 1)))
	save("f")
	has("a", "b", "c", "d", "e", "f")
}

// Two runs of the same program that were interrupted and have different scores of one cell: nobody
// knows which is right.
func TestInterruptedRunsThatContradictEachOtherAreRefused(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.txt")
	var paths []string
	for _, score := range []float64{0.5, 1} {
		r := begin(t, new(Registry), Settings{Out: out})
		rec, err := r.Record(r.Sets()...)
		require.NoError(t, err)
		rec.Finished(&record.Trial{
			Data: "first", Learner: "a", Run: 1, Fold: 1, TrainN: 6, TestN: 3,
			Values: []float64{score},
		})
		require.NoError(t, rec.Abandon())
		paths = append(paths, rec.Path())
		resumed := begin(t, new(Registry), Settings{Out: out, Resume: true})
		err = resumed.TakeOver(true)
		if score == 0.5 {
			require.NoError(t, err)
			require.Equal(t, 1, resumed.Len())
			continue
		}
		require.ErrorIs(t, err, ErrConfig)
		require.ErrorContains(t, err, paths[1]+" cannot be resumed: ")
	}
}
