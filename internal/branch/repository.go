package branch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Repository is the git repository of a directory.
type Repository struct {
	root   string // of the working tree
	prefix string // of the directory below it
	dir    string
}

// A Side is a commit, or the working tree, with the name of its revision.
type Side struct {
	Name   string // as the user calls it
	Commit string // its full hash; of the working tree, the hash of HEAD
	Tree   bool   // the working tree rather than the commit
}

// String returns the name and the first digits of the commit.
func (s Side) String() string {
	if s.Tree {
		return s.Name
	}
	return fmt.Sprintf("%s (%.12s)", s.Name, s.Commit)
}

// Open finds the repository that a directory belongs to.
func Open(ctx context.Context, dir string) (*Repository, error) {
	r := &Repository{dir: dir}
	out, err := r.git(ctx, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return nil, fmt.Errorf("%w: run the command in a git repository", err)
	}
	root, prefix, _ := strings.Cut(out, "\n")
	r.root, r.prefix = filepath.FromSlash(root), filepath.FromSlash(strings.TrimSpace(prefix))
	return r, nil
}

// Sides finds out what the revisions stand for.
func (r *Repository) Sides(ctx context.Context, of Range) (before, after Side, err error) {
	before.Name, after.Name = of.Old, of.New
	if of.Tree {
		after = Side{Name: "working tree", Tree: true}
		after.Commit, err = r.resolve(ctx, "HEAD")
	} else {
		after.Commit, err = r.resolve(ctx, of.New)
	}
	var errOld error
	before.Commit, errOld = r.resolve(ctx, of.Old)
	if err = errors.Join(errOld, err); err != nil || !of.Base {
		return before, after, err
	}
	base, err := r.git(ctx, "merge-base", before.Commit, after.Commit)
	if err != nil {
		return before, after, fmt.Errorf("%s and %s have no common ancestor: write %s..%s to compare the two themselves", of.Old, of.New, of.Old, of.New)
	}
	return Side{Name: fmt.Sprintf("%s...%s", of.Old, of.New), Commit: base}, after, nil
}

// resolve returns the commit of a revision.
func (r *Repository) resolve(ctx context.Context, revision string) (string, error) {
	commit, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options",
		revision+"^{commit}")
	if err == nil {
		return commit, nil
	}
	if ctx.Err() != nil {
		return "", err
	}
	remedy := "git branch -a lists branches"
	if shallow, err := r.git(ctx, "rev-parse", "--is-shallow-repository"); err == nil &&
		shallow == "true" {
		remedy = "this clone is shallow: git fetch --unshallow, or fetch-depth: 0 in CI, gets the rest"
	}
	return "", fmt.Errorf("no revision is called %q: %s", revision, remedy)
}

// Changed reports whether the working tree differs from HEAD.
func (r *Repository) Changed(ctx context.Context) (bool, error) {
	out, err := r.git(ctx, "status", "--porcelain", "--untracked-files=normal",
		"--ignore-submodules=none")
	return out != "", err
}

// Equal reports whether both sides have the same files, as far as git keeps them.
func (r *Repository) Equal(ctx context.Context, before, after Side) (bool, error) {
	if after.Tree {
		if changed, err := r.Changed(ctx); changed || err != nil {
			return false, err
		}
	}
	a, errA := r.git(ctx, "rev-parse", before.Commit+"^{tree}")
	b, errB := r.git(ctx, "rev-parse", after.Commit+"^{tree}")
	return a == b, errors.Join(errA, errB)
}

// A Checkout is a directory with the files of a side.
type Checkout struct {
	Side Side

	// Dir is the place in this checkout of the directory that the repository was opened
	// with.
	Dir string

	repository *Repository
	worktree   string // empty for the working tree itself
}

// Checkout checks a side out in a worktree that it creates at the path; the working
// tree stays where it is. Remove removes it. Hooks do not run, since they are about the
// user's own working tree.
func (r *Repository) Checkout(ctx context.Context, side Side, path string) (*Checkout, error) {
	c := &Checkout{Side: side, Dir: r.dir, repository: r}
	if side.Tree {
		return c, nil
	}
	c.worktree, c.Dir = path, filepath.Join(path, r.prefix)
	if _, err := r.git(ctx, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--quiet",
		"--detach", path, side.Commit); err != nil {
		return nil, errors.Join(fmt.Errorf("it cannot be checked out: %w", err), c.Remove(ctx))
	}
	if _, err := os.Stat(c.Dir); err != nil {
		return nil, errors.Join(fmt.Errorf("there is no directory %s: run the command where both revisions have one", filepath.ToSlash(r.prefix)), c.Remove(ctx))
	}
	return c, nil
}

// removing is how long the removal of a worktree may take, interrupted or not.
const removing = time.Minute

// Remove removes the worktree, whether or not the context has ended. Worktrees of
// others are not touched, be they gone, as those on a disk that is away.
func (c *Checkout) Remove(ctx context.Context) error {
	if c.worktree == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removing)
	defer cancel()
	// Twice: one that git has not finished is locked.
	_, err := c.repository.git(ctx, "worktree", "remove", "--force", "--force", c.worktree)
	if err != nil { // files that tests have made read-only, or it was never added
		if err := removeAll(c.worktree); err != nil {
			return fmt.Errorf("worktree: %w: remove it with git worktree remove --force", err)
		}
		_, err = c.repository.git(ctx, "worktree", "remove", "--force", "--force", c.worktree)
	}
	left, errList := c.repository.worktrees(ctx)
	if errList != nil {
		return errList
	}
	if slices.Contains(left, c.worktree) {
		return fmt.Errorf("worktree: %w", err)
	}
	return nil
}

// git runs git in the directory of the repository and returns its output.
func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	return r.gitIn(ctx, r.dir, args...)
}

func (r *Repository) gitIn(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := newCommand(ctx, dir, nil, "git", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.run()
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(err, exec.ErrNotFound):
		return "", errNoGit
	case err != nil:
		text := strings.TrimSpace(stderr.String())
		if text == "" {
			text = err.Error()
		}
		return "", fmt.Errorf("git %s: %s", args[0], text)
	}
	return strings.TrimSpace(stdout.String()), nil
}
