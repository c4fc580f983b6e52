package refresh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/atomicfile"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// historyName is the name of the file beside baselines that says how they were refreshed.
const historyName = "refresh.txt"

const historyTitle = "How baselines were taken over to new data, by learnbench refresh: the latest line is the last.\n"

// histories returns the histories of the directories with baselines, with a line more for each.
func (r *Refresh) histories() (map[string][]byte, error) {
	all := make(map[string][]byte)
	for _, b := range r.baselines {
		rel := historyOf(b)
		if all[rel] == nil {
			text, err := readHistory(r.repository.Path(rel))
			if err != nil {
				return nil, err
			}
			all[rel] = text
		}
		all[rel] = append(all[rel], b.line(r.Date, r.Reason)...)
	}
	return all, nil
}

// historyOf returns the path of the history that a baseline is in, from the root.
func historyOf(b *baseline) string { return filepath.Join(filepath.Dir(b.rel), historyName) }

// readHistory reads the history at a path, or begins one.
func readHistory(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		return []byte(historyTitle), nil
	}
	if err != nil {
		return nil, err
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if number == 1 && line+"\n" != historyTitle {
			return nil, fmt.Errorf("%s:1: it is no history of learnbench refresh: give it another name",
				path)
		}
		if number == 1 || line == "" {
			continue
		}
		date, _, _ := strings.Cut(line, " ")
		if _, err := time.Parse(time.DateOnly, date); err != nil {
			return nil, fmt.Errorf("%s:%d: it begins with no date: take both sides of a merge conflict, and restore edited lines: %.80q", path, number, line)
		}
	}
	if !strings.HasSuffix(string(text), "\n") {
		text = append(text, '\n')
	}
	return text, nil
}

// line returns what the history says of a baseline.
func (b *baseline) line(date time.Time, reason string) string {
	var scores []string
	for _, u := range b.after.Units {
		was, _ := b.before.Mean(b.Learner, u.Name)
		is, _ := b.after.Mean(b.Learner, u.Name)
		now, _ := b.now.Mean(b.Learner, u.Name)
		scores = append(scores, fmt.Sprintf("%s %s -> %s, now %s (%s)", u.Name, u.FormatScore(was),
			u.FormatScore(is), u.FormatScore(now), u.FormatDifference(now-is)))
	}
	return unit.Printable(fmt.Sprintf("%s %s: %s at %s on %s, %s, sha256 %.12s -> %.12s; %s: %s",
		date.UTC().Format(time.DateOnly), filepath.Base(b.rel),
		b.Learner, b.Commit, b.Data, b.growth(), b.Was, b.Is, strings.Join(scores, "; "), reason)) + "\n"
}

// growth says how the examples have changed.
func (b *baseline) growth() string {
	switch {
	case b.Kept:
		return fmt.Sprintf("%d -> %d examples, the first %[1]d as before", b.Before, b.Examples)
	case b.Before == b.Examples:
		return fmt.Sprintf("%d examples, not as before", b.Examples)
	}
	return fmt.Sprintf("%d -> %d examples", b.Before, b.Examples)
}

// write writes all files. The histories come first: if the process is killed between two files, the
// tests still refuse the old baselines.
func (r *Refresh) write(ctx context.Context, histories map[string][]byte) error {
	for rel, was := range r.was {
		text, err := os.ReadFile(r.repository.Path(rel))
		if err != nil {
			return err
		}
		if string(text) != string(was) {
			return fmt.Errorf("%s was changed by somebody else meanwhile: nothing is written", rel)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, files := range []map[string][]byte{histories, r.is} {
		for rel, text := range files {
			if err := atomicfile.Write(r.repository.Path(rel), bytes.NewReader(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// report describes the new baselines, and reports whether all claims about the present learners
// hold.
func (r *Refresh) report(histories []string) (string, bool) {
	var b strings.Builder
	holds := true
	var files []string
	for i, of := range r.baselines {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s at %s, %s of %s\n", unit.Printable(filepath.ToSlash(of.rel)),
			unit.Printable(of.Learner), of.Commit, of.Test, of.Pkg)
		fmt.Fprintf(&b, "  data       %s, %s, sha256 %.12s -> %.12s\n", unit.Printable(of.Data),
			of.growth(), of.Was, of.Is)
		for _, u := range of.after.Units {
			was, _ := of.before.Mean(of.Learner, u.Name)
			is, _ := of.after.Mean(of.Learner, u.Name)
			fmt.Fprintf(&b, "  %-10s %s on the old data, %s on the new\n", unit.Printable(u.Name),
				u.FormatScore(was), u.FormatScore(is))
			fmt.Fprintf(&b, "    now      %s\n", of.difference(u))
		}
		for _, text := range of.failed {
			holds = false
			fmt.Fprintf(&b, "  claim      does not hold: %s\n", unit.Printable(text))
		}
		for _, rel := range []string{of.rel, of.ledger} {
			if rel != "" && !slices.Contains(files, rel) {
				files = append(files, rel)
			}
		}
	}
	for _, text := range r.dropped {
		fmt.Fprintf(&b, "\ndropped: %s\n", unit.Printable(text))
	}
	fmt.Fprintf(&b, "\nwritten: %s; commit them with the data\n",
		strings.Join(append(files, histories...), ", "))
	return b.String(), holds
}

// difference says how the present learner differs from the baseline's on the present data.
func (b *baseline) difference(u unit.Unit) string {
	side := func(block *record.Block) record.Selection {
		return record.NewFile(block).Of(b.Data, b.Learner)
	}
	v := verdict.Of(side(b.now), side(b.after), verdict.Claim{Metric: u.Name})
	if v.Outcome == verdict.Invalid {
		return "not comparable: " + v.Reason
	}
	text := u.FormatScore(v.CandidateMean)
	f := &v.Difference
	if f.Result.SE == 0 && f.Result.Estimate == 0 {
		return text + ", the same scores"
	}
	text += fmt.Sprintf(" on the new: %s", u.FormatDifference(v.Estimate))
	if f.Lo <= f.Hi { // not NaN
		text += fmt.Sprintf(", %.4g%% interval %s", 100*f.Level, u.FormatInterval(f.Lo, f.Hi))
	}
	return text + ", p = " + unit.FormatP(f.P)
}
