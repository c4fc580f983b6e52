package storage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
)

// A Store knows which learners a file has, in its first state and with the later changes by the
// Store itself.
func TestLearnersOfAStore(t *testing.T) {
	t.Parallel()
	for _, place := range []string{"f.txt", ""} {
		path := filepath.Join(t.TempDir(), place)
		vehicle, iris := sampleSet("vehicle", 2, 3, "c45", "nb").block(t),
			sampleSet("iris", 2, 3, "tan").block(t)
		more := sampleSet("vehicle", 2, 3, "voting").block(t)
		requireLearners := func(s *Store, b *record.Block, want ...string) {
			t.Helper()
			got, err := s.Learners(b.Header.Identity())
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		fresh := func() *Store {
			s, err := NewStore(path)
			require.NoError(t, err)
			return s
		}
		s := fresh()
		requireLearners(s, vehicle)
		receipt, err := s.Put(vehicle)
		require.NoError(t, err)
		requireLearners(s, vehicle, "c45", "nb")
		requireLearners(s, iris)
		_, err = s.Put(iris)
		require.NoError(t, err)
		requireLearners(s, iris, "tan")
		if place != "" {
			_, ok, err := s.Extend(receipt, more)
			require.NoError(t, err)
			require.True(t, ok)
			requireLearners(s, vehicle, "c45", "nb", "voting")
			requireLearners(fresh(), vehicle, "c45", "nb", "voting")
		}
		_, err = s.Put(more, vehicle)
		require.NoError(t, err)
		requireLearners(s, vehicle, "c45", "nb", "voting")
		requireLearners(fresh(), vehicle, "c45", "nb", "voting")
		_, err = s.Put(more)
		require.NoError(t, err)
		requireLearners(s, vehicle, "voting")
		requireLearners(fresh(), vehicle, "voting")
		requireLearners(fresh(), iris, "tan")

		// What others store later is not seen.
		require.NoError(t, Merge(path, vehicle))
		requireLearners(s, vehicle, "voting")
		requireLearners(fresh(), vehicle, "c45", "nb")
	}
}

func TestLearnersOfADamagedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, os.WriteFile(path, []byte("learnbench-format: 2\nprotocol: none\n"), 0o666))
	for range 2 {
		s, err := NewStore(path)
		require.NoError(t, err)
		_, err = s.Learners(record.Identity{Data: "vehicle"})
		require.ErrorContains(t, err, path)
	}
}
