package input

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/record/imports"
)

// Notes returns what should be known of the sides: what was imported, which are the same or were stored in
// another order than they are compared in, and what no commit has.
func Notes(sides []*Side) []string {
	notes := ImportNotes(sides)
	for i, s := range sides {
		for _, o := range sides[:i] {
			if text := cmp.Or(sameFile(o, s), copied(o, s)); text != "" {
				notes = append(notes, text+": nothing can differ")
			} else if sameResults(o, s) {
				notes = append(notes, fmt.Sprintf("%s and %s have the same results of the same commit: one may be a copy of the other", o.Label, s.Label))
			}
		}
		if i > 0 {
			notes = append(notes, orderNotes(sides[0], s)...)
		}
	}
	for _, s := range sides {
		notes = append(notes, dirtyNotes(s)...)
	}
	return notes
}

// Same returns an error for each side that has a file in common with the first, which it is compared with, or a
// copy of one: no gate could fail on that. Equal results in different files are none, such as those of a rerun.
func Same(sides []*Side) []error {
	var errs []error
	for _, s := range sides[1:] {
		if text := cmp.Or(sameFile(sides[0], s), copied(sides[0], s)); text != "" {
			errs = append(errs, fmt.Errorf("%s: nothing can differ, so that the gate cannot fail: compare results of both sides, each in a file of its own", text))
		}
	}
	return errs
}

// orderNotes says that the side which others are compared with is of a later commit.
func orderNotes(first, s *Side) []string {
	a, b := first.committed(), s.committed()
	if a.IsZero() || b.IsZero() || !a.After(b) {
		return nil
	}
	return []string{fmt.Sprintf("%s is of a later commit, of %s, than %s, of %s: what comes first is what others are compared with",
		first.Label, a.Format(time.RFC3339), s.Label, b.Format(time.RFC3339))}
}

// committed returns the time of the latest commit that the results are of; zero if none is known.
func (s *Side) committed() time.Time {
	var latest time.Time
	for _, b := range s.File.Blocks() {
		if t, err := time.Parse(time.RFC3339, b.Header.CommitTime); err == nil && t.After(latest) {
			latest = t
		}
	}
	return latest
}

// dirtyNotes says that nobody can check out what the results are of.
func dirtyNotes(s *Side) []string {
	var commits []string
	for _, b := range s.File.Blocks() {
		c := b.Header.Commit
		if !strings.HasSuffix(c, "-dirty") {
			return nil
		}
		if !slices.Contains(commits, c) {
			commits = append(commits, c)
		}
	}
	if commits == nil {
		return nil
	}
	const many = 3
	if more := len(commits) - many; more > 0 {
		commits = append(commits[:many], fmt.Sprintf("%d more", more))
	}
	return []string{fmt.Sprintf("%s is of %s: of changes that were not committed, and nobody can tell which", s.Label, strings.Join(commits, ", "))}
}

// A file is one that was read, and what tells it from others.
type file struct {
	path string
	info os.FileInfo
}

// files returns the files of a source that are regular. What cannot be found, reading it says.
func (s *Source) files(from Import) []file {
	expand := record.Expand
	if from.Format.Name != "" {
		expand = imports.Expand
	}
	var files []file
	for _, path := range s.Paths {
		if path == Stdin {
			continue
		}
		paths, err := expand([]string{path})
		if err != nil {
			continue
		}
		for _, p := range paths {
			if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
				files = append(files, file{p, info})
			}
		}
	}
	return files
}

// sameFile says that two sides have a file in common, by whatever names and links; nothing if they have none.
func sameFile(a, b *Side) string {
	for _, x := range a.files {
		for _, y := range b.files {
			switch {
			case !os.SameFile(x.info, y.info):
			case len(a.files) == 1 && len(b.files) == 1:
				return fmt.Sprintf("%s and %s are the same file", a.Label, b.Label)
			default:
				return fmt.Sprintf("%s and %s have a file in common, %s", a.Label, b.Label, y.path)
			}
		}
	}
	return ""
}

// sameResults reports whether the blocks of two sides are equal, times apart, and of one
// commit. Only what has a commit is known to be a copy.
func sameResults(a, b *Side) bool {
	x, y := a.File.Blocks(), b.File.Blocks()
	if len(x) != len(y) || len(x) == 0 {
		return false
	}
	for i := range x {
		if x[i].Header != y[i].Header || x[i].Header.Commit == "" || x[i].Len() != y[i].Len() {
			return false
		}
	}
	for i := range x {
		if x[i].Checksum() != y[i].Checksum() {
			return false
		}
	}
	return true
}
