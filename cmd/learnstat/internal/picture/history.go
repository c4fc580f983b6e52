package picture

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/plot"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// histories adds a picture for each track of a history.
func (s *Source) histories(add func(string, *plot.Picture)) {
	h := s.Report.History
	if h == nil {
		return
	}
	for t := range h.Tables {
		for i := range h.Tables[t].Tracks {
			k := &h.Tables[t].Tracks[i]
			name := fmt.Sprintf("%s-history-%03d-%s", slug(h.Tables[t].Metric), i+1, slug(k.Label))
			if len(h.Tables[t].Keys) > 0 {
				name = fmt.Sprintf("table%d-%s", t+1, name)
			}
			add(name, s.history(&h.Tables[t], k))
		}
	}
}

// history returns the picture of a track; nil if it could not be read.
func (s *Source) history(t *report.HistoryTable, k *report.Track) *plot.Picture {
	if t.Unit == nil {
		return nil
	}
	u := t.Unit.Record()
	by := unit.Number(factor(u))
	axis, _ := axes(u)
	first := 0
	if !s.Report.History.Pinned && len(k.Segments) > 0 {
		first = k.Segments[0].From
	}
	h := &plot.History{
		Title: unit.Printable(fmt.Sprintf("%s of %s, file by file", t.Metric, k.Label)),
		Axis:  axis, LowerBetter: u.Better == unit.Lower,
		Reference: unit.Printable(s.Report.Columns[first].Title),
	}
	how := ""
	for _, segment := range k.Segments {
		from := len(h.Points)
		shown := plot.Point{Outcome: verdict.Same.String()} // the reference equals itself
		v := segment.Reference
		if v == nil && segment.From != first {
			v = segment.Previous // why it could not be read
		}
		if v != nil {
			shown.Outcome = v.Outcome
			shown.Difference, shown.Lo, shown.Hi = float64(by*v.Difference), float64(by*v.Lo),
				float64(by*v.Hi)
			shown.Detail = unit.Printable(v.Reason)
			if v.Outcome == verdict.Invalid.String() {
				shown.Difference, shown.Lo, shown.Hi = math.NaN(), math.NaN(), math.NaN()
			} else {
				how = fmt.Sprintf("n = %s, %s, %.4g%% intervals", v.Size(), v.Test, 100*float64(v.Level))
			}
			if v.Margin != nil {
				h.Budget = max(h.Budget, float64(by*v.Margin.Value))
			}
		}
		for c := segment.From; c <= segment.To; c++ {
			if k.Means[c].IsNaN() && shown.Outcome != verdict.Invalid.String() {
				continue // there are no results
			}
			p := shown
			p.Label = unit.Printable(s.Report.Columns[c].Title)
			h.Points = append(h.Points, p)
		}
		if !math.IsNaN(shown.Difference) && len(h.Points) > from {
			h.Segments = append(h.Segments, plot.Segment{
				From: from, To: len(h.Points) - 1,
				Mean: shown.Difference,
			})
		}
	}
	if len(h.Points) == 0 {
		return nil
	}
	h.Lines = []string{fmt.Sprintf("against %s with a mean of %s", h.Reference,
		score(u, k.Means[first]))}
	if how != "" {
		h.Lines = append(h.Lines, how)
	}
	for _, l := range s.Report.Header {
		if l.Key == "protocol" {
			h.Lines = append(h.Lines, unit.Printable(l.Key+": "+l.Value))
		}
	}
	return h.Picture()
}

func score(u unit.Unit, x unit.Number) string {
	if x.IsNaN() {
		return "?"
	}
	return u.FormatScore(float64(x))
}
