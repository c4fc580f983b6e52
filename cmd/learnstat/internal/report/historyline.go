package report

import (
	"math"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A HistoryLine is a segment in words. Differences of printed means add up.
type HistoryLine struct {
	Files, Commits, Mean string
	Previous, Reference  Change
}

// A Change is a difference in words, with its verdict: nil where nothing was compared.
type Change struct {
	*verdict.Facts
	Difference string
}

// Judged reports whether there is a verdict that is not invalid.
func (c Change) Judged() bool { return c.Facts != nil && c.Outcome != verdict.Invalid.String() }

// Lines returns the segments of a track of the table in words.
func (t *HistoryTable) Lines(r *Report, track *Track) []HistoryLine {
	scale := newScale(t.Measure(), track)
	var lines []HistoryLine
	for i := range track.Segments {
		s := &track.Segments[i]
		reference := unit.NaN()
		if r.History.Pinned {
			reference = track.Means[0]
		} else if first := firstMean(track); first >= 0 {
			reference = track.Segments[first].Mean
		}
		lines = append(lines, HistoryLine{
			Files:     span(r.Columns[s.From].Label, r.Columns[s.To].Label),
			Commits:   span(shortCommit(s.FromCommit), shortCommit(s.ToCommit)),
			Mean:      scale.mean(s.Mean),
			Previous:  scale.change(s.Previous, s.Mean, before(track, i)),
			Reference: scale.change(s.Reference, s.Mean, reference),
		})
	}
	return lines
}

// HasCommits reports whether the commit of any segment is known.
func (t *HistoryTable) HasCommits() bool {
	for i := range t.Tracks {
		for _, s := range t.Tracks[i].Segments {
			if s.FromCommit != "" || s.ToCommit != "" {
				return true
			}
		}
	}
	return false
}

// HistoryReference names what a history is held against.
func HistoryReference(r *Report) string {
	if r.History.Pinned {
		return r.Columns[0].Label
	}
	return "the first"
}

// HistoryNotes says what the numbers of a history are.
func HistoryNotes(r *Report) []string {
	notes := []string{"a segment is files in a row with equal scores; printed differences add up"}
	if r.Settings.Adjusts() {
		notes = append(notes, "p adjusted by "+r.Settings.Adjust+" is for the number of differences above and below it")
	}
	return notes
}

// before returns the mean of the segment before one.
func before(t *Track, segment int) unit.Number {
	for i := segment - 1; i >= 0; i-- {
		if m := t.Segments[i].Mean; !m.IsNaN() {
			return m
		}
	}
	return unit.NaN()
}

func firstMean(t *Track) int {
	for i := range t.Segments {
		if !t.Segments[i].Mean.IsNaN() {
			return i
		}
	}
	return -1
}

// span returns two names, or one if they are equal.
func span(from, to string) string {
	if from == to {
		return from
	}
	return from + " – " + to
}

// shortCommit returns enough digits of a commit to find it.
func shortCommit(c string) string {
	const enough = 12
	if len(c) > enough && strings.Trim(c, "0123456789abcdef") == "" {
		return c[:enough]
	}
	return c
}

// A scale rounds the means of a track to the same number of decimals, and takes differences of the
// rounded means: the printed differences add up.
type scale struct {
	unit     unit.Unit
	factor   float64 // of a mean in the decimals that are shown
	decimals int
}

func newScale(u unit.Unit, t *Track) scale {
	if u.IsFraction() {
		return scale{u, 100, 2}
	}
	largest := 0.0
	for _, m := range t.Means {
		if !m.IsNaN() {
			largest = max(largest, math.Abs(float64(m)))
		}
	}
	digits := 1
	if largest > 0 {
		digits = int(math.Floor(math.Log10(largest))) + 1
	}
	const significant = 5
	return scale{u, 1, min(max(significant-digits, 0), 30)}
}

// steps returns a mean in units of the last decimal.
func (s scale) steps(x unit.Number) float64 {
	return math.Round(float64(x) * s.factor * math.Pow10(s.decimals))
}

func (s scale) format(steps float64) string {
	return strconv.FormatFloat(steps/math.Pow10(s.decimals)+0, 'f', s.decimals, 64)
}

func (s scale) mean(x unit.Number) string {
	switch {
	case x.IsNaN():
		return ""
	case s.factor == 100:
		return s.format(s.steps(x)) + "%"
	}
	return s.format(s.steps(x))
}

func (s scale) difference(x, from unit.Number) string {
	d := s.format(s.steps(x) - s.steps(from))
	if !strings.HasPrefix(d, "-") {
		d = "+" + d
	}
	if s.factor == 100 {
		d += " points"
	}
	return d
}

// change returns the difference of two means that are shown, with its verdict.
func (s scale) change(w *verdict.Facts, mean, from unit.Number) Change {
	c := Change{Facts: w}
	if c.Judged() {
		c.Difference = s.difference(mean, from)
	}
	return c
}
