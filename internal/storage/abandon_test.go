package storage

import (
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// A journal that this process leaves behind does not hide the journals of earlier processes.
func TestAbandonBeforeStale(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "f.txt")
		old, own := journalOf(t, path), journalOf(t, path)
		s := newStore(t, path)
		s.Abandon(own)
		stale, err := s.Stale()
		require.NoError(t, err)
		require.ElementsMatch(t, []string{old, own}, stale)
	})
}
