package record

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// newJournal creates a journal with a plan for each of the sets.
func newJournal(t require.TestingT, path string, sets ...Set) *Journal {
	j, err := CreateJournal(path)
	require.NoError(t, err)
	for i := range sets {
		require.NoError(t, j.Begin(sets[i].data(), sets[i]))
	}
	return j
}

// mergedJournal reads a journal and merges its blocks.
func mergedJournal(t require.TestingT, path string) []Set {
	f, err := ReadJournal(path)
	require.NoError(t, err)
	m, err := f.Merged()
	require.NoError(t, err)
	return withoutPos(m)
}

func TestJournalKeepsTrialsInAnyOrder(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("vehicle", 3, 4, "c45", "nb"), sampleSet("iris", 2, 5, "c45", "nb")
	b.Trials[3].Values, b.Trials[3].Err = nil, "boom\nat line 3"
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		j := newJournal(t, path, a, b)
		for _, tr := range rapid.Permutation(slices.Concat(a.Trials, b.Trials)).Draw(t, "trials") {
			j.Append(tr)
		}
		require.NoError(t, j.Close())
		got := mergedJournal(t, path)
		if got[0].data() == "iris" {
			slices.Reverse(got)
		}
		require.Equal(t, []Set{a, b}, got)
		_, err := Open(path)
		require.NoError(t, err)
	})
}

func TestJournalTakesTrialsOfManyGoroutines(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 40, 10, "c45", "nb")
	path := filepath.Join(t.TempDir(), "j")
	j := newJournal(t, path, s)
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
	require.Equal(t, []Set{s}, mergedJournal(t, path))
}

func TestJournalIsWrittenBeforeItIsClosed(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	path := filepath.Join(t.TempDir(), "j")
	j := newJournal(t, path, s)
	for i, tr := range s.Trials {
		j.Append(tr)
		require.Eventually(t, func() bool {
			f, err := ReadJournal(path)
			return err == nil && len(f.Sets) == 1 && len(f.Sets[0].Trials) == i+1
		}, 10*time.Second, time.Millisecond)
	}
	require.NoError(t, j.Close())
	require.NoError(t, j.Close())
}

func TestReadJournalDropsWhatIsCut(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("vehicle", 1, 3, "c45", "nb"), sampleSet("iris", 1, 2, "c45", "nb")
	a.Trials[2].Values, a.Trials[2].Err = nil, "boom"
	b.Trials[3].Values, b.Trials[3].Err = nil, "boom"
	full := text(t, fileOf(a, b))
	trials := slices.Concat(a.Trials, b.Trials)
	path := filepath.Join(t.TempDir(), "j")
	last := -1
	for n := range len(full) + 1 {
		require.NoError(t, os.WriteFile(path, []byte(full[:n]), 0o600))
		f, err := ReadJournal(path)
		require.NoError(t, err, "%q", full[:n])
		var got []Trial
		for _, s := range withoutPos(f) {
			got = append(got, s.Trials...)
		}
		require.GreaterOrEqual(t, len(got), last)
		require.Equal(t, trials[:len(got)], append([]Trial{}, got...))
		last = len(got)
	}
	require.Equal(t, len(trials), last)
}

func TestReadJournalRejectsWhatIsNotOne(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "j")
	_, err := ReadJournal(path)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoError(t, os.WriteFile(path, []byte("garbage\nBenchmarkCV/x\n"), 0o600))
	_, err = ReadJournal(path)
	requireError[*SyntaxError](t, err)
}

func TestCreateJournalKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "j")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	_, err := CreateJournal(path)
	require.ErrorIs(t, err, fs.ErrExist)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old", string(got))
}

func TestJournalBeginErrors(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	j := newJournal(t, filepath.Join(t.TempDir(), "j"), s)
	require.ErrorIs(t, j.Begin("vehicle", s), ErrInvalid)
	require.ErrorIs(t, j.Begin("iris", Set{}), ErrInvalid)
	s.Header.Commit = strings.Repeat("x", maxLine)
	require.ErrorIs(t, j.Begin("iris", s), ErrInvalid)
	require.NoError(t, j.Close())
}

func TestJournalLeavesOutWhatWouldNotReadBack(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(tr *Trial){
		"no plan":         func(tr *Trial) { tr.Data = "iris" },
		"unknown learner": func(tr *Trial) { tr.Learner = "nb" },
		"unknown run":     func(tr *Trial) { tr.Run = 3 },
		"value is NaN":    func(tr *Trial) { tr.Values = []Value{{"accuracy", math.NaN()}} },
		"no values":       func(tr *Trial) { tr.Values = nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sampleSet("vehicle", 2, 3, "c45")
			path := filepath.Join(t.TempDir(), "j")
			j := newJournal(t, path, s)
			bad := s.Trials[2]
			spoil(&bad)
			j.Append(s.Trials[0])
			j.Append(bad)
			j.Append(s.Trials[1])
			require.ErrorIs(t, j.Close(), ErrInvalid)
			s.Trials = s.Trials[:2]
			require.Equal(t, []Set{s}, mergedJournal(t, path))
		})
	}
}

func TestJournalAppendAfterClose(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	j := newJournal(t, filepath.Join(t.TempDir(), "j"), s)
	require.NoError(t, j.Close())
	j.Append(s.Trials[0])
	require.ErrorIs(t, j.Close(), ErrInvalid)
}

func TestJournalReportsErrorsOfTheDisk(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	j := newJournal(t, filepath.Join(t.TempDir(), "j"), s)
	require.NoError(t, j.file.Close())
	j.Append(s.Trials[0])
	require.ErrorIs(t, j.Close(), os.ErrClosed)
}

func BenchmarkJournalAppend(b *testing.B) {
	s := sampleSet("vehicle", 10, 10, "c45", "nb")
	path := filepath.Join(b.TempDir(), "j")
	j, err := CreateJournal(path)
	require.NoError(b, err)
	require.NoError(b, j.Begin("vehicle", s))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		j.Append(s.Trials[i%len(s.Trials)])
		i++
	}
	require.NoError(b, j.Close())
}
