package branch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Inside returns the path of a file from the root of the working tree; false if it lies elsewhere.
func (r *Repository) Inside(path string) (string, bool) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(r.root, filepath.Join(dir, filepath.Base(path)))
	return rel, err == nil && filepath.IsLocal(rel)
}

// Path returns the path of a file of the working tree.
func (r *Repository) Path(rel string) string { return filepath.Join(r.root, rel) }

// Commit returns the full digest of a commit that is named by the beginning of it.
func (r *Repository) Commit(ctx context.Context, digest string) (string, error) {
	commit, err := r.resolve(ctx, digest)
	if err == nil && !strings.HasPrefix(commit, digest) {
		err = fmt.Errorf("%s is the name of something else", digest) // such as a branch
	}
	return commit, err
}

// Head returns the digest of HEAD.
func (r *Repository) Head(ctx context.Context) (string, error) { return r.resolve(ctx, "HEAD") }

// Edited returns the files that differ from HEAD, and the files that git does not know and does
// not ignore, by their paths from the root.
func (r *Repository) Edited(ctx context.Context) (tracked, unknown []string, err error) {
	differ, err := r.git(ctx, "diff", "--name-only", "--no-renames", "--ignore-submodules=none", "-z",
		"HEAD")
	if err != nil {
		return nil, nil, err
	}
	others, err := r.git(ctx, "ls-files", "--full-name", "--others", "--exclude-standard", "-z", ":/")
	return paths(differ), paths(others), err
}

func paths(listed string) []string {
	var all []string
	for name := range strings.SplitSeq(listed, "\x00") {
		if name != "" {
			all = append(all, filepath.FromSlash(name))
		}
	}
	return all
}

// Overlay puts a file into a checkout, by its path from the root, or removes the one that is there
// if content is nil. The checkout counts as unchanged nevertheless: its commit is what its code is
// of.
func (c *Checkout) Overlay(ctx context.Context, rel string, content []byte) error {
	if c.worktree == "" {
		return errors.New("the working tree itself is not to be changed")
	}
	path := filepath.Join(c.worktree, rel)
	tracked, err := c.repository.gitIn(ctx, c.worktree, "ls-files", "-z", "--",
		":(top,literal)"+filepath.ToSlash(rel))
	if err != nil {
		return err
	}
	if tracked != "" {
		if _, err := c.repository.gitIn(ctx, c.worktree, "update-index", "--assume-unchanged", "--",
			filepath.ToSlash(rel)); err != nil {
			return err
		}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // it may be a link
		return err
	}
	if content == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o666)
}

// Path returns the path of a file of the checkout.
func (c *Checkout) Path(rel string) string { return filepath.Join(c.worktree, rel) }
