package print

import (
	"slices"
	"strconv"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// historyGrid has a line for each segment.
func historyGrid(r *report.Report) grid {
	g := grid{Fields: []string{
		"metric", "data", "learner", "row", "from", "to", "from_commit",
		"to_commit", "files", "mean",
	}}
	for _, of := range []string{"previous", "reference"} {
		for _, f := range changeFields {
			g.Fields = append(g.Fields, of+"_"+f)
		}
	}
	g.Lines = func(yield func([]string) bool) {
		for i := range r.History.Tables {
			t := &r.History.Tables[i]
			for j := range t.Tracks {
				k := &t.Tracks[j]
				for n := range k.Segments {
					s := &k.Segments[n]
					line := []string{
						t.Metric, k.Data, k.Learner, k.Label, r.Columns[s.From].Label, r.Columns[s.To].Label,
						s.FromCommit, s.ToCommit,
						strconv.Itoa(filesOf(k, s)), s.Mean.String(),
					}
					line = slices.Concat(line, changeTexts(s.Previous), changeTexts(s.Reference))
					if !yield(line) {
						return
					}
				}
			}
		}
	}
	return g
}

// filesOf returns how many files a segment has results of.
func filesOf(t *report.Track, s *report.Segment) int {
	n := 0
	for _, m := range t.Means[s.From : s.To+1] {
		if !m.IsNaN() {
			n++
		}
	}
	return n
}

// changeFields are the columns of a verdict on a difference.
var changeFields = []string{"outcome", "difference", "lo", "hi", "p", "p_adjusted", "reason"}

// changeTexts returns the texts of these columns; nothing if there is no verdict.
func changeTexts(w *verdict.Facts) []string {
	var texts []string
	if w == nil {
		return make([]string, len(changeFields))
	}
	for _, c := range w.Columns(verdict.Subject{}) {
		if slices.Contains(changeFields, c.Name) {
			texts = append(texts, c.Value)
		}
	}
	return texts
}
