package storage

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/learnbench/learnbench/internal/blockfile"
	"github.com/stretchr/testify/require"
)

// journalOf leaves a journal of a run that did not end, as after a kill.
func journalOf(t *testing.T, path string, sets ...set) string {
	t.Helper()
	j := newJournal(t, path, sets...)
	for _, s := range sets {
		for _, tr := range s.Trials {
			j.Append(tr)
		}
	}
	require.NoError(t, j.Close())
	return j.Path()
}

func TestStaleJournals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "f.txt")
		a, b := sampleSet("a", 1, 2, "x"), sampleSet("b", 1, 2, "x")
		both, onlyA, headOnly := journalOf(t, path, a, b), journalOf(t, path, a),
			journalOf(t, path, set{Header: b.Header, Learners: b.Learners, Units: b.Units})
		empty, damaged := journalOf(t, path), path+".partial-9"
		require.NoError(t, os.WriteFile(damaged, []byte("garbage\nBenchmarkCV/x 1\n"), 0o600))
		live := newJournal(t, path, a)
		s := newStore(t, path)
		all := []string{both, onlyA, headOnly, empty, damaged}
		stale, err := s.Stale()
		require.NoError(t, err)
		require.ElementsMatch(t, all, stale)
		// Later journals are of other processes, or of this one, which calls Abandon.
		later := journalOf(t, path, b)
		stale, err = s.Stale()
		require.NoError(t, err)
		require.Len(t, stale, 5)
		s.Abandon(later)
		stale, err = s.Stale()
		require.NoError(t, err)
		require.Len(t, stale, 6)

		require.NoError(t, s.Completed(a.block(t)))
		require.NoFileExists(t, onlyA)
		require.NoFileExists(t, empty, "nothing had been begun")
		require.FileExists(t, both)
		require.NoError(t, os.Remove(later))
		other := b
		other.Header.Protocol = "cv runs=1 folds=2 stratified seed=2 v1"
		require.NoError(t, s.Completed(a.block(t), other.block(t)))
		stale, err = s.Stale()
		require.NoError(t, err)
		require.ElementsMatch(t, []string{both, headOnly, damaged}, stale)
		require.NoError(t, s.Completed(a.block(t), b.block(t)))
		stale, err = s.Stale()
		require.NoError(t, err)
		require.ElementsMatch(t, []string{damaged}, stale)
		require.FileExists(t, damaged)
		require.FileExists(t, live.Path())
		require.NoError(t, live.Remove())
		none := newStore(t, filepath.Join(t.TempDir(), "f.txt"))
		require.NoError(t, none.Completed(a.block(t)))
		gone := newStore(t, filepath.Join(t.TempDir(), "none", "f.txt"))
		require.ErrorIs(t, gone.Completed(a.block(t)), fs.ErrNotExist)
		_, err = gone.Stale()
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
}

// A name that another process has taken again belongs to the journal of that process.
func TestCompletedLeavesAJournalThatIsWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	a := sampleSet("a", 1, 2, "x")
	stale := journalOf(t, path, a)
	s := newStore(t, path)
	_, err := s.Stale()
	require.NoError(t, err)
	require.NoError(t, os.Remove(stale))
	live := newJournal(t, path, a)
	require.Equal(t, stale, live.Path())
	live.Append(a.Trials[0])
	require.NoError(t, s.Completed(a.block(t)))
	require.FileExists(t, live.Path())
	require.NoError(t, live.Remove())
}

// A journal has no lock yet when it is created: it is not taken for dead before it could
// have one.
func TestJournalThatIsAboutToBeLocked(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n"} {
		path := filepath.Join(t.TempDir(), "f.txt")
		require.NoError(t, os.WriteFile(path+partialMark+"1", []byte(text), 0o600))
		type lock struct {
			unlock func() error
			ok     bool
			err    error
		}
		locked := make(chan lock, 1)
		time.AfterFunc(20*time.Millisecond, func() {
			var l lock
			for !l.ok && l.err == nil { // Partials tries as well
				l.unlock, l.ok, l.err = blockfile.TryLock(path + partialMark + "1")
			}
			locked <- l
		})
		found, err := Partials(path)
		require.NoError(t, err)
		require.Equal(t, []Partial{{path + partialMark + "1", true}}, found)
		l := <-locked
		require.NoError(t, l.err)
		require.NoError(t, l.unlock())
	}
}
