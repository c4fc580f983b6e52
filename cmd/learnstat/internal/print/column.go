package print

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// rightColumn is a column of numbers.
func rightColumn(title string) column {
	return column{Title: title, Align: texttab.Right, TitleAlign: texttab.Center}
}

// intervalColumn is the column of intervals of differences.
func intervalColumn(r *report.Report, u unit.Unit) column {
	c := column{
		Title: fmt.Sprintf("%.4g%% interval", 100*r.Settings.IntervalLevel()),
		Align: texttab.Right, TitleAlign: texttab.Center,
	}
	if u.IsFraction() {
		c.Title += ", points"
	}
	return c
}

func formatInterval(u unit.Unit, w *verdict.Facts) string {
	if w.Lo.IsNaN() {
		return ""
	}
	return strings.TrimSuffix(u.FormatInterval(float64(w.Lo), float64(w.Hi)), " points")
}

var moods = map[string]mood{verdict.Improved.String(): good, verdict.Regressed.String(): bad}

func formatMean(u unit.Unit, x unit.Number) string {
	if x.IsNaN() {
		return ""
	}
	return u.FormatScore(float64(x))
}

func formatRegions(r *verdict.Regions) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%.3f %.3f %.3f", float64(r.Worse), float64(r.Rope), float64(r.Better))
}
