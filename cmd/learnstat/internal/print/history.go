package print

import (
	"math"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A historyView is the table of the histories in one metric.
type historyView struct {
	r       *report.Report
	t       *report.HistoryTable
	unit    unit.Unit
	commits bool // are known
	adjust  bool
}

// historyTable returns a table with a row for each segment.
func historyTable(r *report.Report, i int) sheet {
	v := &historyView{r: r, t: &r.History.Tables[i], adjust: r.Settings.Adjusts()}
	v.unit = v.t.Measure()
	for j := range v.t.Tracks {
		for _, s := range v.t.Tracks[j].Segments {
			v.commits = v.commits || s.FromCommit != "" || s.ToCommit != ""
		}
	}
	table := sheet{Title: v.t.Metric, Groups: v.groups()}
	for _, k := range v.t.Keys {
		table.Keys = append(table.Keys, k.Key+": "+k.Value)
		table.Title += ", " + k.Key + ": " + k.Value
	}
	for j := range v.t.Tracks {
		v.rows(&table, &v.t.Tracks[j])
	}
	table.number()
	return table
}

func (v *historyView) groups() []group {
	segment := []column{{Title: "means", Spare: 1}, {Title: "files"}}
	if v.commits {
		segment = append(segment, column{Title: "commits", Spare: 2})
	}
	segment = append(segment, rightColumn(v.t.Metric))
	interval := intervalColumn(v.r, v.unit)
	change := []column{rightColumn("difference"), interval, rightColumn("p")}
	if v.adjust {
		change = append(change, rightColumn(v.r.Settings.Adjust))
	}
	change = append(change, column{Title: "verdict"})
	reference := "the first"
	if v.r.History.Pinned {
		reference = v.r.Columns[0].Label
	}
	return []group{
		{Columns: []column{{}}},
		{Title: "segment", Columns: segment},
		{Title: "from the segment before", Columns: change},
		{Title: "from " + reference, Columns: change},
	}
}

func (v *historyView) rows(table *sheet, t *report.Track) {
	scale := newScale(v.unit, t)
	for i := range t.Segments {
		s := &t.Segments[i]
		bars := ""
		if i == 0 {
			bars = sparkline(v.history(t))
		}
		cells := []cell{{Text: t.Label}, {Text: bars}, {Text: span(v.r.Columns[s.From].Label, v.r.Columns[s.To].Label)}}
		if v.commits {
			cells = append(cells, cell{Text: span(shortCommit(s.FromCommit), shortCommit(s.ToCommit))})
		}
		cells = append(cells, cell{Text: scale.mean(s.Mean)})
		cells = append(cells, v.change(scale, s.Previous, s.Mean, before(t, i))...)
		reference := unit.NaN()
		if v.r.History.Pinned {
			reference = t.Means[0]
		} else if first := firstMean(t); first >= 0 {
			reference = t.Segments[first].Mean
		}
		cells = append(cells, v.change(scale, s.Reference, s.Mean, reference)...)
		table.Rows = append(table.Rows, line{Cells: cells, Bad: s.Mean.IsNaN()})
	}
}

// history returns the means without the mean of a pinned reference.
func (v *historyView) history(t *report.Track) []unit.Number {
	if v.r.History.Pinned {
		return t.Means[1:]
	}
	return t.Means
}

// before returns the mean of the segment before one.
func before(t *report.Track, segment int) unit.Number {
	for i := segment - 1; i >= 0; i-- {
		if m := t.Segments[i].Mean; !m.IsNaN() {
			return m
		}
	}
	return unit.NaN()
}

func firstMean(t *report.Track) int {
	for i := range t.Segments {
		if !t.Segments[i].Mean.IsNaN() {
			return i
		}
	}
	return -1
}

// change returns the cells on a difference: the difference of the means shown.
func (v *historyView) change(s scale, w *verdict.Facts, mean, from unit.Number) []cell {
	n := 4
	if v.adjust {
		n++
	}
	cells := make([]cell, n)
	last := &cells[n-1]
	switch {
	case w == nil:
		return cells
	case w.Outcome == verdict.Invalid.String():
		*last = cell{Text: w.Outcome, Mood: doubtful}
		return cells
	}
	cells[0] = cell{Text: s.difference(mean, from), Mood: moods[w.Outcome]}
	cells[1] = cell{Text: formatInterval(v.unit, w)}
	cells[2] = cell{Text: unit.FormatP(float64(w.P))}
	if v.adjust {
		cells[3] = cell{Text: unit.FormatP(float64(w.AdjustedP))}
	}
	*last = cell{Text: w.Outcome, Mood: moods[w.Outcome], notes: w.Notes}
	return cells
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

func newScale(u unit.Unit, t *report.Track) scale {
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

// sparkline draws numbers, neighbours as one if there are many.
func sparkline(xs []unit.Number) string {
	const most = 40
	bars := []rune("▁▂▃▄▅▆▇█")
	width := min(len(xs), most)
	var means []float64
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range width {
		sum, n := 0.0, 0
		for _, x := range xs[i*len(xs)/width : (i+1)*len(xs)/width] {
			if !x.IsNaN() {
				sum, n = sum+float64(x), n+1
			}
		}
		m := sum / float64(n)
		means = append(means, m)
		if n > 0 {
			lo, hi = min(lo, m), max(hi, m)
		}
	}
	var b strings.Builder
	for _, m := range means {
		switch {
		case math.IsNaN(m):
			b.WriteRune('·')
		case !(hi > lo):
			b.WriteRune(bars[len(bars)/2])
		default:
			b.WriteRune(bars[int(math.Round((m/2-lo/2)/(hi/2-lo/2)*float64(len(bars)-1)))])
		}
	}
	return b.String()
}

// historyNotes says what the numbers are.
func historyNotes(r *report.Report) []string {
	notes := []string{"a segment is files in a row whose scores are the same; differences are those of the means that are shown, and add up"}
	if r.Settings.Adjusts() {
		notes = append(notes, r.Settings.Adjust+" is p adjusted for the number of differences above and below it")
	}
	return notes
}
