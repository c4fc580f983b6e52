package branch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"
)

// A Place is a temporary directory for the worktrees and results of one process. While the
// process lives, it holds a lock in it: who gets the lock finds a place whose process was
// killed.
type Place struct {
	Dir  string
	lock *flock.Flock
}

const (
	placePrefix = "learnbench-compare-"
	lockName    = "lock" // has the repository
)

// NewPlace makes a place.
func (r *Repository) NewPlace() (*Place, error) {
	dir, err := os.MkdirTemp("", placePrefix)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil { // as git writes it
		return nil, err
	}
	p := &Place{Dir: dir, lock: flock.New(filepath.Join(dir, lockName))}
	locked, err := p.lock.TryLock()
	if err == nil && !locked {
		err = errors.New("somebody else has locked it")
	}
	if err == nil {
		err = os.WriteFile(p.lock.Path(), []byte(r.root+"\n"), 0o600)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, err), p.Remove())
	}
	return p, nil
}

// Remove removes the place, from which no worktree is checked out any more.
func (p *Place) Remove() error {
	return errors.Join(p.lock.Close(), removeAll(p.Dir))
}

// removeAll removes a directory, also if tests have made parts of it read-only.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// Sweep removes the places of this repository whose processes were killed, with the worktrees
// that they had checked out, and returns their directories. The places of living processes stay,
// and so does a directory not named like a place.
func (r *Repository) Sweep(ctx context.Context) (removed []string, err error) {
	worktrees, err := r.worktrees(ctx)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, w := range worktrees {
		if dir := filepath.Dir(w); strings.HasPrefix(filepath.Base(dir), placePrefix) &&
			!slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	temporary, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return nil, err
	}
	found, err := filepath.Glob(filepath.Join(temporary, placePrefix+"*"))
	if err != nil {
		return nil, err
	}
	for _, dir := range found { // those without a worktree
		if owner, err := os.ReadFile(filepath.Join(dir, lockName)); err == nil &&
			string(owner) == r.root+"\n" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	var errs []error
	for _, dir := range dirs {
		dead, err := r.sweep(ctx, dir, worktrees)
		if err != nil {
			errs = append(errs, fmt.Errorf("what a comparison that was killed has left in %s: %w", dir, err))
		} else if dead {
			removed = append(removed, dir)
		}
	}
	return removed, errors.Join(errs...)
}

// sweep removes a place unless its process lives.
func (r *Repository) sweep(ctx context.Context, dir string, worktrees []string) (dead bool,
	err error,
) {
	if _, err := os.Stat(filepath.Dir(dir)); err != nil {
		return false, nil // its disk is away
	}
	l := flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_RDWR)) // not to be created
	if _, err := os.Stat(dir); err == nil {
		locked, err := l.TryLock()
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil // of a version that did not lock, which may be running
		}
		if err != nil || !locked {
			return false, err
		}
	}
	defer l.Close()
	for _, w := range worktrees {
		if filepath.Dir(w) == dir {
			c := &Checkout{repository: r, worktree: w}
			if err := c.Remove(ctx); err != nil {
				return false, err
			}
		}
	}
	return true, errors.Join(l.Close(), removeAll(dir))
}

// worktrees returns the paths of all worktrees of the repository.
func (r *Repository) worktrees(ctx context.Context) ([]string, error) {
	listed, err := r.git(ctx, "worktree", "list", "--porcelain")
	if err != nil {
		return nil, err
	}
	var paths []string
	for line := range strings.SplitSeq(listed, "\n") {
		if path, ok := strings.CutPrefix(line, "worktree "); ok {
			paths = append(paths, filepath.FromSlash(path))
		}
	}
	return paths, nil
}
