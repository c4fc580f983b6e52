package storage

import (
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
)

// Before has the results that were there at the first call; later stores do not change them.
func TestBefore(t *testing.T) {
	t.Parallel()
	a, other := sampleSet("vehicle", 2, 3, "c45", "nb"), sampleSet("iris", 1, 2, "c45")
	id := a.Header.Identity()
	for name, path := range map[string]string{
		"file":      filepath.Join(t.TempDir(), "f.txt"),
		"directory": t.TempDir(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t, path)
			before, err := s.Before(id)
			require.NoError(t, err)
			require.Nil(t, before)
			put(t, s, a.block(t), other.block(t))
			before, err = s.Before(id)
			require.NoError(t, err)
			require.Nil(t, before, "it is of this store")
			before, err = s.Before(other.Header.Identity())
			require.NoError(t, err)
			require.Nil(t, before, "it is of this store, too")

			s = newStore(t, path)
			before, err = s.Before(id)
			require.NoError(t, err)
			require.Equal(t, contentOf(a.block(t)), contentOf(before))
			changed := sampleSet("vehicle", 2, 3, "c45")
			put(t, s, changed.block(t))
			again, err := s.Before(id)
			require.NoError(t, err)
			require.Same(t, before, again)
			again, err = newStore(t, path).Before(id)
			require.NoError(t, err)
			require.Equal(t, contentOf(changed.block(t)), contentOf(again))
		})
	}

	// Blocks that are parts of one experiment are joined.
	path := filepath.Join(t.TempDir(), "f.txt")
	whole := a.block(t)
	var parts []*record.Block
	for _, learner := range whole.Learners {
		p, err := record.NewBlock(whole.Header, []string{learner}, whole.Units, 0)
		require.NoError(t, err)
		for trial := range whole.Trials() {
			if trial.Learner == learner {
				require.NoError(t, p.Add(trial))
			}
		}
		parts = append(parts, p)
	}
	put(t, newStore(t, path), parts...)
	before, err := newStore(t, path).Before(id)
	require.NoError(t, err)
	require.Equal(t, whole.Len(), before.Len())
}
