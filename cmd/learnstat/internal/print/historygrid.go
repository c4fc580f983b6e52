package print

import (
	"strconv"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
)

// historyGrid has a line for each segment.
func historyGrid(r *report.Report) grid {
	g := grid{Fields: []string{"metric", "data", "learner", "row", "from", "to", "from_commit", "to_commit", "files", "mean"}}
	for _, of := range []string{"previous", "reference"} {
		for _, f := range changeFields {
			g.Fields = append(g.Fields, of+"_"+f.name)
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
						t.Metric, k.Data, k.Learner, k.Label, r.Columns[s.From].Label, r.Columns[s.To].Label, s.FromCommit, s.ToCommit,
						strconv.Itoa(filesOf(k, s)), s.Mean.String(),
					}
					for _, w := range []*report.Verdict{s.Previous, s.Reference} {
						for _, f := range changeFields {
							text := ""
							if w != nil {
								text = f.text(w)
							}
							line = append(line, text)
						}
					}
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

// changeFields are the columns of a grid on a difference.
var changeFields = []struct {
	name string
	text func(*report.Verdict) string
}{
	{"outcome", func(w *report.Verdict) string { return w.Outcome }},
	{"difference", func(w *report.Verdict) string { return w.Difference.String() }},
	{"lo", func(w *report.Verdict) string { return w.Lo.String() }},
	{"hi", func(w *report.Verdict) string { return w.Hi.String() }},
	{"p", func(w *report.Verdict) string { return w.P.String() }},
	{"p_adjusted", func(w *report.Verdict) string { return w.AdjustedP.String() }},
	{"reason", func(w *report.Verdict) string { return w.Reason }},
}
