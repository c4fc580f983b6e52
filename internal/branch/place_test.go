package branch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSweep leaves places as processes do that were killed, and others.
func TestSweep(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	r := newRepository(t)
	ctx := t.Context()
	side, _, err := r.Sides(ctx, Range{Old: "main", New: "HEAD"})
	require.NoError(t, err)
	place := func() *Place {
		p, err := r.NewPlace()
		require.NoError(t, err)
		return p
	}
	checkout := func(p *Place, name string) string {
		path := filepath.Join(p.Dir, name)
		_, err := r.Checkout(ctx, side, path)
		require.NoError(t, err)
		return path
	}
	die := func(p *Place) { require.NoError(t, p.lock.Close()) } // as the kernel does it

	removed, err := r.Sweep(ctx)
	require.NoError(t, err)
	require.Empty(t, removed)

	living := place()
	kept := []string{checkout(living, "old")}
	dead := place()
	gone := []string{checkout(dead, "old"), checkout(dead, "new")}
	require.NoError(t, os.MkdirAll(filepath.Join(gone[0], "locked", "in"), 0o777))
	require.NoError(t, os.Chmod(filepath.Join(gone[0], "locked"), 0o555))
	die(dead)
	early := place() // before any worktree
	die(early)
	cleaned := place() // by somebody who cleans up temporary files
	gone = append(gone, checkout(cleaned, "old"))
	die(cleaned)
	require.NoError(t, os.RemoveAll(cleaned.Dir))
	older := filepath.Join(os.TempDir(), placePrefix+"older") // of a version without locks
	require.NoError(t, os.Mkdir(older, 0o777))
	kept = append(kept, checkout(&Place{Dir: older}, "old"))
	own := filepath.Join(t.TempDir(), "own") // the user's
	git(t, r.dir, "worktree", "add", "--quiet", "--detach", own, "HEAD")
	kept = append(kept, own)
	away := filepath.Join(t.TempDir(), "away")
	require.NoError(t, os.Mkdir(away, 0o777))
	moved := place() // on a disk that is away now
	require.NoError(t, moved.Remove())
	moved.Dir = filepath.Join(away, placePrefix+"1")
	require.NoError(t, os.Mkdir(moved.Dir, 0o777))
	kept = append(kept, checkout(moved, "old"))
	require.NoError(t, os.Rename(away, away+".gone"))
	foreign, err := newRepository(t).NewPlace()
	require.NoError(t, err)
	die(foreign)

	removed, err = r.Sweep(ctx)
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{dead.Dir, cleaned.Dir, early.Dir}, removed)
	left, err := r.worktrees(ctx)
	require.NoError(t, err)
	assert.ElementsMatch(t, append(kept, r.root), left)
	for _, path := range append(gone, dead.Dir, early.Dir) {
		assert.NoDirExists(t, path)
	}
	for _, path := range []string{living.Dir, older, own, foreign.Dir} {
		assert.DirExists(t, path)
	}

	removed, err = r.Sweep(ctx)
	require.NoError(t, err)
	assert.Empty(t, removed)
	require.NoError(t, (&Checkout{repository: r, worktree: kept[0]}).Remove(ctx))
	require.NoError(t, living.Remove())
	assert.NoDirExists(t, living.Dir)
}
