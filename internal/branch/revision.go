package branch

import (
	"errors"
	"fmt"
	"strings"
)

// A Range is two revisions to compare.
type Range struct {
	Old, New string

	// Base says that the old side is not Old itself but the merge base of the two, from
	// which New has branched off.
	Base bool

	// Tree says that the new side is the working tree, with its uncommitted changes;
	// New is then empty.
	Tree bool
}

// ParseRange takes revisions as git diff does:
//
//	A..B    the two revisions; one that is left out is HEAD
//	A...B   what B has changed since it branched off from A
//	A       A, and the working tree with its uncommitted changes
func ParseRange(text string) (Range, error) {
	if text == "" || strings.Trim(text, ".") == "" {
		return Range{}, fmt.Errorf("%q names no revision: write OLD..NEW, as in main..HEAD, or OLD alone to compare it with the working tree", text)
	}
	from, to, found := strings.Cut(text, "..")
	if !found {
		return Range{Old: text, Tree: true}, nil
	}
	to, base := strings.CutPrefix(to, ".")
	if strings.Contains(to, "..") || strings.HasPrefix(to, ".") {
		return Range{}, fmt.Errorf("%q has more than one range in it: write OLD..NEW, as in main..HEAD",
			text)
	}
	r := Range{Old: from, New: to, Base: base}
	if r.Old == "" {
		r.Old = "HEAD"
	}
	if r.New == "" {
		r.New = "HEAD"
	}
	return r, nil
}

// errNoGit says that git is needed.
var errNoGit = errors.New("git is not to be found: install it, or put it on PATH")
