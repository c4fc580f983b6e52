package storage

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// newJournal creates a journal with a head for each of the sets.
func newJournal(t require.TestingT, path string, sets ...set) *Journal {
	j, err := CreateJournal(path)
	require.NoError(t, err)
	for _, s := range sets {
		require.NoError(t, j.Begin(s.Header, s.Learners, s.Units, s.Examples))
	}
	return j
}

// journalContents returns what a journal holds of each experiment.
func journalContents(t require.TestingT, path string) []set {
	f, err := ReadJournal(path)
	require.NoError(t, err)
	var all []set
	for _, b := range f.Experiments() {
		s := contentOf(b)
		require.Equal(t, owner(), s.Header.Owner)
		s.Header.Owner = ""
		all = append(all, s)
	}
	return all
}

func TestJournalKeepsTrialsInAnyOrder(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("vehicle", 3, 4, "c45", "nb"), sampleSet("iris", 2, 5, "c45", "nb")
	a.Trials = append(a.Trials, sampleRun(&a, 4, 4)...)
	b.fail(3, "boom\nat line 3")
	want := contents(blocksOf(t, a, b)...)
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		j := newJournal(t, filepath.Join(dir, "f.txt"), a, b)
		for _, tr := range rapid.Permutation(slices.Concat(a.Trials, b.Trials)).Draw(t, "trials") {
			j.Append(tr)
		}
		require.NoError(t, j.Close())
		require.Equal(t, want, journalContents(t, j.Path()))
		_, err := record.Open(j.Path())
		require.NoError(t, err)
		require.NoError(t, j.Remove())
		require.NoFileExists(t, j.Path())
	})
}

func TestJournalTakesTrialsOfManyGoroutines(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 40, 10, "c45", "nb")
	j := newJournal(t, filepath.Join(t.TempDir(), "f.txt"), s)
	var wg sync.WaitGroup
	for part := range slices.Chunk(s.Trials, 50) {
		wg.Go(func() {
			for _, tr := range part {
				j.Append(tr)
			}
		})
	}
	wg.Wait()
	require.NoError(t, j.Close())
	require.Equal(t, contents(s.block(t)), journalContents(t, j.Path()))
}

// Heads are written at once, before any trial: a process that dies early leaves the plan of its
// run.
func TestJournalWritesHeadsAndTrialsAtOnce(t *testing.T) {
	t.Parallel()
	s, other := sampleSet("vehicle", 2, 3, "c45"), sampleSet("iris", 1, 2, "c45")
	j := newJournal(t, filepath.Join(t.TempDir(), "f.txt"), s, other)
	eventually := func(n int) {
		require.Eventually(t, func() bool {
			f, err := ReadJournal(j.Path())
			return err == nil && len(f.Experiments()) == 2 && f.Experiments()[0].Len() == n
		}, 10*time.Second, time.Millisecond)
	}
	eventually(0)
	for i, tr := range s.Trials {
		j.Append(tr)
		eventually(i + 1)
	}
	require.NoError(t, j.Close())
	require.NoError(t, j.Close())
}

// A journal that was cut off anywhere has all trials that were written to their
// end, in their order, and no part of another.
func TestJournalsThatWereCutOff(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("vehicle", 1, 3, "c45", "nb"), sampleSet("iris", 1, 2, "c45", "nb")
	a.fail(2, "boom")
	b.fail(3, "boom")
	j := newJournal(t, filepath.Join(t.TempDir(), "f.txt"), a, b)
	trials := []record.Trial{
		a.Trials[0], a.Trials[1], b.Trials[0], a.Trials[2], b.Trials[3], b.Trials[1], a.Trials[3],
		a.Trials[4], b.Trials[2], a.Trials[5],
	}
	for i, tr := range trials { // one after another, so that heads lie between them
		j.Append(tr)
		require.Eventually(t, func() bool {
			return strings.Count(fileText(t, j.Path()), "BenchmarkCV") == i+1
		}, 10*time.Second, 100*time.Microsecond)
	}
	require.NoError(t, j.Close())
	full := fileText(t, j.Path())
	require.True(t, strings.HasPrefix(full, "\nlearnbench-format"))
	ends := make([]int, 0, len(trials)) // where each trial is complete
	from := 0
	for _, lines := range trialLines(full) {
		from += strings.Index(full[from:], lines) + len(lines)
		ends = append(ends, from)
	}
	require.Len(t, ends, len(trials))
	last := -1
	for n := len(full); n >= 0; n-- {
		if line := strings.LastIndexByte(full[:n], '\n') + 1; n > line+4 && n+4 < len(full) &&
			full[n] != '\n' && full[n-1] != ' ' && !citest.Has(citest.Slow) {
			continue // within a word or a number: other words show how the line is read then
		}
		f, err := readJournal([]byte(full[:n]), "cut")
		require.NoError(t, err, "%q", full[:n])
		whole, got := 0, 0
		for whole < len(ends) && ends[whole] <= n {
			whole++
		}
		for _, b := range f.Blocks() {
			got += b.Len()
		}
		if got != whole {
			t.Fatalf("%d trials, want %d, in %q", got, whole, full[:n])
		}
		if whole == last {
			continue
		}
		last = whole
		for _, tr := range trials[:whole] {
			require.True(t, slices.ContainsFunc(f.Blocks(), func(b *record.Block) bool {
				return slices.ContainsFunc(contentOf(b).Trials,
					func(o record.Trial) bool { return reflect.DeepEqual(o, tr) })
			}), tr.Cell())
		}
	}
}

// TestJournalsWithATornEnd drops the bytes that a crash of the file system may leave in place of
// the last line.
func TestJournalsWithATornEnd(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 1, 2, "c45")
	whole := withoutChecksum(textOf(t, s))
	path := filepath.Join(t.TempDir(), "j")
	for _, end := range []string{
		"Benchm", "error: bo", "error: boom\n",
		"error: boom\nBenchmarkCV/data=vehicle/learner=c45/run=9/fold=1 1 1 failed\n", "\x00\x00\x00",
		"learnbench-format: 2\npkg: x\n", "garbage\n",
	} {
		require.NoError(t, os.WriteFile(path, []byte(whole+end), 0o600))
		f, err := ReadJournal(path)
		require.NoError(t, err, end)
		require.Equal(t, contents(s.block(t)), contents(f.Blocks()...))
	}
}

func TestReadJournalRejectsWhatIsNotOne(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "j")
	_, err := ReadJournal(path)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoError(t, os.WriteFile(path, []byte("garbage\nBenchmarkCV/x\n"), 0o600))
	_, err = ReadJournal(path)
	require.EqualError(t, err, path+`:1: a block begins with "learnbench-format: 2", not with "garbage"`)
}

func TestJournalBeginErrors(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	j := newJournal(t, filepath.Join(t.TempDir(), "f.txt"), s)
	require.EqualError(t, j.Begin(s.Header, s.Learners, s.Units, s.Examples),
		"invalid record: data set vehicle is announced twice")
	require.ErrorIs(t, j.Begin(record.Header{}, nil, nil, 0), record.ErrInvalid)
	s.Header.Data, s.Header.Commit = "iris", strings.Repeat("x", 60_000)
	err := j.Begin(s.Header, s.Learners, s.Units, s.Examples)
	require.ErrorIs(t, err, record.ErrInvalid)
	require.ErrorContains(t, err, "line of 60008 bytes, 60000 are allowed")
	require.NoError(t, j.Close())
}

func TestJournalLeavesOutWhatWouldNotReadBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(tr *record.Trial)
		kind  error
		msg   string
	}{
		"no plan": {
			func(tr *record.Trial) { tr.Data = "iris" }, record.ErrInvalid,
			"data set iris, learner c45, run 1, fold 3: the data set was not announced",
		},
		"unknown learner": {
			func(tr *record.Trial) { tr.Learner = "nb" }, record.ErrInvalid,
			"the block does not have the learner",
		},
		"run zero": {
			func(tr *record.Trial) { tr.Run = 0 }, record.ErrInvalid,
			"run 0 is not from 1 to 16777216",
		},
		"value is NaN": {
			func(tr *record.Trial) { tr.Values = []float64{math.NaN()} },
			record.ErrInvalid, "accuracy is NaN",
		},
		"no values": {
			func(tr *record.Trial) { tr.Values = nil }, record.ErrInvalid,
			"0 values for 1 metrics",
		},
		"double": {
			func(tr *record.Trial) { tr.Fold, tr.TrainN, tr.TestN = 1, 20, 11 },
			record.ErrDouble, "data set vehicle, learner c45, run 1, fold 1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sampleSet("vehicle", 2, 3, "c45")
			j := newJournal(t, filepath.Join(t.TempDir(), "f.txt"), s)
			bad := s.Trials[2]
			c.spoil(&bad)
			j.Append(s.Trials[0])
			j.Append(bad)
			j.Append(record.Trial{Data: "vehicle", Learner: "later"})
			j.Append(s.Trials[1])
			err := j.Close()
			require.ErrorIs(t, err, c.kind)
			require.ErrorContains(t, err, c.msg)
			s.Trials = s.Trials[:2]
			require.Equal(t, contents(s.block(t)), journalContents(t, j.Path()))
		})
	}
}

func TestJournalAppendAfterClose(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	j := newJournal(t, filepath.Join(t.TempDir(), "f.txt"), s)
	require.NoError(t, j.Close())
	j.Append(s.Trials[0])
	require.EqualError(t, j.Close(),
		"invalid record: data set vehicle, learner c45, run 1, fold 1: the journal is closed")
}

func TestJournalReportsErrorsOfTheDisk(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	j := newJournal(t, filepath.Join(t.TempDir(), "f.txt"))
	require.NoError(t, j.file.Close())
	require.NoError(t, j.Begin(s.Header, s.Learners, s.Units, s.Examples))
	for _, tr := range s.Trials {
		j.Append(tr)
	}
	require.ErrorIs(t, j.Close(), os.ErrClosed)
	require.ErrorIs(t, j.Remove(), os.ErrClosed)
	require.NoFileExists(t, j.Path())
}

// After a write that has failed, nothing more is written: it would not be read back.
func TestJournalStopsAfterAnError(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	j := newJournal(t, filepath.Join(t.TempDir(), "f.txt"))
	broken, err := os.Open(j.Path()) // which cannot be written to
	require.NoError(t, err)
	good := j.file
	j.file = broken
	require.NoError(t, j.Begin(s.Header, s.Learners, s.Units, s.Examples))
	require.Eventually(t, func() bool {
		j.mu.Lock()
		defer j.mu.Unlock()
		return j.err != nil
	}, 10*time.Second, time.Millisecond)
	j.mu.Lock()
	j.file = good
	j.mu.Unlock()
	j.Append(s.Trials[0])
	require.ErrorContains(t, j.Close(), "write ")
	require.NoError(t, broken.Close())
	require.Equal(t, "\n", fileText(t, j.Path()))
}

func TestCreateJournalNumbersThem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "f.txt")
		require.NoError(t, os.WriteFile(path+".partial-2", []byte("old"), 0o600))
		const n = 20
		journals, errs := make([]*Journal, n), make([]error, n)
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { journals[i], errs[i] = CreateJournal(path) })
		}
		wg.Wait()
		names := make(map[string]bool)
		for i, j := range journals {
			require.NoError(t, errs[i])
			names[j.Path()] = true
		}
		require.Len(t, names, n)
		for i := 1; i <= n+1; i++ {
			require.Equal(t, i != 2, names[fmt.Sprintf("%s.partial-%d", path, i)], i)
		}
		require.Equal(t, "old", fileText(t, path+".partial-2"))
		found, err := Partials(path)
		require.NoError(t, err)
		require.Len(t, found, n+1)
		for i, p := range found { // 9 before 10
			require.Equal(t, Partial{fmt.Sprintf("%s.partial-%d", path, i+1), i+1 != 2}, p)
		}
		for _, j := range journals {
			require.NoError(t, j.Close())
		}
		found, err = Partials(path)
		require.NoError(t, err)
		require.False(t, slices.ContainsFunc(found, func(p Partial) bool { return p.Live }))
		_, err = CreateJournal(filepath.Join(dir, "none", "f.txt"))
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
}

func TestPartialsAreThoseOfThePath(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	dir := t.TempDir()
	for _, name := range []string{
		"f.txt.partial-1", "g.txt.partial-1", "f.txt.partial-x",
		"f.txt.partial-01", "f.txt", "f.txt.partial-", "f.partial-1.partial-2", "f.txt.partial-10",
		"f.txt.partial-9", ".partial-4",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "f.txt.partial-3"), 0o700))
	names := func(path string) string {
		found, err := Partials(path)
		require.NoError(t, err)
		var names []string
		for _, p := range found {
			require.False(t, p.Live)
			names = append(names, filepath.Base(p.Path))
		}
		return strings.Join(names, " ")
	}
	require.Equal(t, "f.txt.partial-1 f.txt.partial-9 f.txt.partial-10",
		names(filepath.Join(dir, "f.txt")))
	require.Equal(t, "f.partial-1.partial-2", names(filepath.Join(dir, "f.partial-1")))
	require.Empty(t, names(filepath.Join(dir, "f")))
	require.Equal(t, ".partial-4 f.txt.partial-1 f.txt.partial-9 g.txt.partial-1 f.txt.partial-10 f.partial-1.partial-2", names(dir))
	_, err := Partials(filepath.Join(dir, "none", "f.txt"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	j, err := CreateJournal(dir) // in the directory
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "results.partial-1"), j.Path())
	require.NoError(t, j.Remove())
}

func TestUnfinishedNamesTheRunsOfEachFile(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow) // a journal without text is waited for
	dir, other := t.TempDir(), t.TempDir()
	f, g, h, i := filepath.Join(dir, "f.txt"), filepath.Join(dir, "g.txt"),
		filepath.Join(dir, "h.txt"), filepath.Join(other, "i.txt")
	require.NoError(t, os.WriteFile(f+".partial-1", nil, 0o600))
	require.NoError(t, os.WriteFile(i+".partial-2", nil, 0o600))
	j, err := CreateJournal(g)
	require.NoError(t, err)
	defer j.Close()
	none := filepath.Join(dir, "none", "k.txt")
	require.NoError(t, Unfinished(h, none, h))
	require.NoError(t, Unfinished())
	interrupted := func(journal, path string) string {
		return fmt.Sprintf("%s: a run that writes to %s was interrupted, and the results there may be from the run before: run it again, or remove this file to do without it", journal, path)
	}
	live := j.Path() + ": a run that writes to " + g + " has not ended: wait for it"
	require.EqualError(t, Unfinished(h, f, none, g, i),
		strings.Join([]string{interrupted(f+".partial-1", f), live, interrupted(i+".partial-2", i)},
			"\n"))
	require.EqualError(t, Unfinished(other, f), interrupted(i+".partial-2",
		other)+"\n"+interrupted(f+".partial-1", f))
}
