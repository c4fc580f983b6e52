package input

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/record/imports"
)

// Notes returns the notes on the sides: on imported results, on sides that are equal or were stored
// in another order than they are compared in, and on results without a commit.
func Notes(sides []*Side) []string {
	notes := ImportNotes(sides)
	seen, results := make(index), make(resultIndex)
	for i, s := range sides {
		files := entries(s)
		if text := seen.twin(files); text != "" {
			notes = append(notes, text+": nothing can differ")
		} else if o := results.twin(s); o != nil {
			notes = append(notes, fmt.Sprintf("%s and %s have the same results of the same commit: one may be a copy of the other", o.Label, s.Label))
		}
		seen.add(files)
		if i > 0 {
			notes = append(notes, orderNotes(sides[0], s)...)
		}
	}
	for _, s := range sides {
		notes = append(notes, dirtyNotes(s)...)
		notes = append(notes, stopNotes(s)...)
		notes = append(notes, scoreNotes(sides, s)...)
	}
	return notes
}

// scoreNotes says that scores were computed of kept predictions, without training, and that another
// side has the same predictions.
func scoreNotes(sides []*Side, s *Side) []string {
	from := make(map[string]bool)
	for _, b := range s.File.Blocks() {
		for _, sum := range strings.Fields(b.Header.RescoredFrom) {
			from[sum] = true
		}
	}
	if len(from) == 0 {
		return nil
	}
	note := s.Label + " has scores of kept predictions, computed without training"
	if slices.ContainsFunc(s.File.Blocks(),
		func(b *record.Block) bool { return b.Header.Slices != "" }) {
		note += ", and slices that were chosen afterwards: try their findings on other data"
	}
	for _, o := range sides {
		if o != s && slices.ContainsFunc(o.File.Blocks(), func(b *record.Block) bool {
			sums := append(b.Header.PredictionSums(), strings.Fields(b.Header.RescoredFrom)...)
			return slices.ContainsFunc(sums, func(sum string) bool { return from[sum] })
		}) {
			note += ", and " + o.Label + " is of the same predictions: nothing can differ there"
		}
	}
	return []string{note}
}

// Same returns an error for each side that has a file in common with the first, which it is
// compared with, or a copy of one: no gate could fail on that. Equal results in different files are
// no error, such as the results of a rerun.
func Same(sides []*Side) []error {
	var errs []error
	first := make(index)
	first.add(entries(sides[0]))
	for _, s := range sides[1:] {
		if text := first.twin(entries(s)); text != "" {
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

// stopNotes says that training was stopped, once a claim was settled.
func stopNotes(s *Side) []string {
	first, more := "", 0
	for _, b := range s.File.Experiments() {
		for _, name := range b.Learners {
			stop, ok := b.Header.Of(name).Stop()
			switch {
			case ok && first == "":
				first = fmt.Sprintf("%s: the training of %s on %s was stopped after %d of %d runs, which settled whether %s", s.Label, name, b.Header.Data, stop.Runs, b.Runs(), stop.Claim)
			case ok:
				more++
			}
		}
	}
	switch {
	case first == "":
		return nil
	case more > 0:
		first += fmt.Sprintf("; and so %d others", more)
	}
	return []string{first}
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

// A resultIndex finds results again, but for the times that trials took: by the header of their
// first block and, where two sides share that, by headers and checksums of all.
type resultIndex map[record.Header]*sameHeader

type sameHeader struct {
	first *Side            // until there is a second one
	sums  map[string]*Side // by headers and checksums
}

// twin returns the first side before that has the same results, and adds the side. Only results of
// a commit are known to be a copy.
func (x resultIndex) twin(s *Side) *Side {
	blocks := s.File.Blocks()
	if len(blocks) == 0 || slices.ContainsFunc(blocks,
		func(b *record.Block) bool { return b.Header.Commit == "" }) {
		return nil
	}
	g := x[blocks[0].Header]
	if g == nil {
		x[blocks[0].Header] = &sameHeader{first: s}
		return nil
	}
	if g.sums == nil {
		g.sums = map[string]*Side{checksums(g.first): g.first}
	}
	sums := checksums(s)
	if o := g.sums[sums]; o != nil {
		return o
	}
	g.sums[sums] = s
	return nil
}

func checksums(s *Side) string {
	var b strings.Builder
	for _, block := range s.File.Blocks() {
		fmt.Fprintf(&b, "%q %s\n", block.Header, block.Checksum())
	}
	return b.String()
}
