// Package ledger reads the ledger beside a pinned reference: a text file with an entry for each
// move of the reference, the latest one last.
//
//	2026-01-03 c0ffee after decade: smoother
//	    reference 9b2e0a7c11d4f8e3 after 0c1d2e3f4a5b6c7d
//	    mail/forest  accuracy 75.45%, -5.03 points, 95% interval -5.61 to -4.45 points, p = 1e-7
//
// An entry names the digest of the reference that it wrote, and the digest of the reference before
// it, so that no move can be left out, added or put elsewhere without being seen.
//
// An entry of another kind is about other data, on which the same model was trained again: later
// losses still count. Scores on different data have no difference.
//
//	2026-01-10 c0ffee refreshed: data of January
//	    reference 1d2c3b4a5f6e7d8c after 9b2e0a7c11d4f8e3
//	    mail/forest  accuracy 74.90%, on other data
package ledger

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Path returns the path of the ledger of a reference: its own, with .ledger in place
// of .txt, so that it is no result file of a directory.
func Path(reference string) string { return strings.TrimSuffix(reference, ".txt") + ".ledger" }

// Has reports whether a file has a ledger beside it: then it is a pinned reference.
func Has(path string) (bool, error) {
	switch _, err := os.Stat(Path(path)); {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	return true, nil
}

// Digest identifies the content of a reference.
func Digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16] }

// An Entry says what a move has made of a reference.
type Entry struct {
	Line   int // of its head, from 1
	Date   time.Time
	Digest string // of the reference that was written
	Before string // of the one before; empty for one that was begun anew
	Scores []Score

	commits   string // that the reference is of
	refreshed bool   // of the same commits, on other data
}

// A Score is the mean of a learner in a metric, as the entry shows it.
type Score struct {
	Line         int
	Name         string // of data set, learner and metric
	Text         string // the mean
	Change       string // to the entry before; empty in the first one
	Lo, Hi       string // the interval of the change; empty if there is none
	other        string // what a refresh has made of it: otherData, unchanged or empty
	mean, change float64
}

// Words of a refresh about a score.
const (
	otherData = "on other data"
	unchanged = "as before"
)

var (
	headPattern   = regexp.MustCompile(`^(\d{4}-\d\d-\d\d) (.*?)( after .*?| refreshed)?: .*$`)
	digestPattern = regexp.MustCompile(`^    reference ([0-9a-f]{16})(?: after ([0-9a-f]{16}))?$`)
	scorePattern  = regexp.MustCompile(`^    (.+  \S+) (\S+), (?:the first|(on other data|as before)|([+-]\S+)(?: points)?(?:, \S+% interval (\S+) to (\S+)(?: points)?)?, p = \S+)$`)
)

// Parse reads the entries of a ledger. Errors name the line.
func Parse(text string) ([]Entry, error) {
	var entries []Entry
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if number == 1 || line == "" { // the title
			continue
		}
		fail := func(why string) error { return fmt.Errorf("line %d: %s: %q", number, why, line) }
		if !strings.HasPrefix(line, " ") {
			m := headPattern.FindStringSubmatch(line)
			if m == nil {
				return nil, fail("it begins no entry with a date, a commit and a reason")
			}
			date, err := time.Parse(time.DateOnly, m[1])
			if err != nil {
				return nil, fail("there is no such date")
			}
			entries = append(entries, Entry{
				Line: number, Date: date, commits: m[2],
				refreshed: m[3] == refreshed,
			})
			continue
		}
		if len(entries) == 0 {
			return nil, fail("there is no head of an entry above")
		}
		e := &entries[len(entries)-1]
		if m := digestPattern.FindStringSubmatch(line); m != nil {
			if e.Digest != "" {
				return nil, fail("the entry has two references")
			}
			e.Digest, e.Before = m[1], m[2]
			continue
		}
		m := scorePattern.FindStringSubmatch(line)
		if m == nil {
			return nil, fail("it is no line of an entry")
		}
		s := Score{Line: number, Name: m[1], Text: m[2], other: m[3], Change: m[4], Lo: m[5], Hi: m[6]}
		var err error
		if s.mean, err = parse(s.Text); err == nil && s.Change != "" {
			s.change, err = parse(s.Change)
		}
		if err != nil {
			return nil, fail("it has no number")
		}
		e.Scores = append(e.Scores, s)
	}
	return entries, nil
}

// parse reads a number as entries have it.
func parse(text string) (float64, error) {
	return strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
}

// Verify returns an error unless each entry follows from the one before it.
func Verify(entries []Entry) error {
	if len(entries) == 0 {
		return errors.New("it has no entry")
	}
	for i, e := range entries {
		fail := func(line int, format string, args ...any) error {
			return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
		}
		if e.Digest == "" || len(e.Scores) == 0 {
			return fail(e.Line, "the entry has no reference, or no score")
		}
		if i > 0 && e.Date.Before(entries[i-1].Date) {
			return fail(e.Line, "%s is before %s, the date of the entry above", e.Date.Format(time.DateOnly),
				entries[i-1].Date.Format(time.DateOnly))
		}
		if e.Before == "" {
			for _, s := range e.Scores {
				if s.Change != "" || s.other != "" || e.refreshed {
					return fail(s.Line, "a change, and the entry does not say which reference it moved")
				}
			}
			continue
		}
		if i == 0 {
			return fail(e.Line, "it moved reference %s, and there is no entry above that wrote it", e.Before)
		}
		if was := entries[i-1].Digest; e.Before != was {
			return fail(e.Line, "it moved reference %s, and the entry above wrote %s: a move between them is missing, or there were two of the same reference", e.Before, was)
		}
		if err := e.again(&entries[i-1]); err != nil {
			return fail(e.Line, "%v", err)
		}
		for _, s := range e.Scores {
			if err := s.follows(entries[i-1].Scores); err != nil {
				return fail(s.Line, "%v", err)
			}
		}
	}
	return nil
}

// follows returns an error unless a score is one of those before plus the change.
func (s Score) follows(before []Score) error {
	if s.Change == "" && s.other == "" {
		return fmt.Errorf("%s is not the first: the entry above has it", s.Name)
	}
	for _, b := range before {
		if b.Name != s.Name {
			continue
		}
		switch {
		case s.other == unchanged && s.Text != b.Text:
			return fmt.Errorf("%s was %s and is %s: that is not as before", s.Name, b.Text, s.Text)
		case s.other != "":
			return nil
		}
		rounding := s.half(b.mean) + s.half(s.mean) + s.half(s.change)
		if d := s.mean - b.mean; !(math.Abs(d-s.change) <= rounding+1e-9) {
			return fmt.Errorf("%s was %s and is %s: that is no change by %s", s.Name, b.Text,
				s.Text, s.Change)
		}
		if s.Lo == "" {
			return nil
		}
		lo, errLo := parse(s.Lo)
		hi, errHi := parse(s.Hi)
		if errLo != nil || errHi != nil || !(lo <= s.change+s.half(lo) && s.change-s.half(hi) <= hi) {
			return fmt.Errorf("%s: the change by %s is not between %s and %s", s.Name, s.Change, s.Lo, s.Hi)
		}
		return nil
	}
	return fmt.Errorf("%s has changed, and is not in the entry above", s.Name)
}

// half returns half a unit of the last digit that is shown of a number: two decimals of percent
// and points, else four digits.
func (s Score) half(x float64) float64 {
	switch {
	case strings.HasSuffix(s.Text, "%"):
		return 0.005
	case x == 0:
		return 0
	}
	return 0.5 * math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-3)
}
