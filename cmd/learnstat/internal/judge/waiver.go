package judge

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Waiver lets a loss pass that was looked at: up to a ceiling and a date.
type Waiver struct {
	place       string // file:line
	row, metric string
	ceiling     unit.Amount // the worst difference that passes
	number      string      // the ceiling as written
	expires     time.Time
	why         string
}

// dateLayout is the layout of the last day of a waiver.
const dateLayout = "2006-01-02"

// ReadWaivers reads a file of waivers, one a line:
//
//	vehicle/nn accuracy ceiling=-1.2pp expires=2027-02-28 why="new splitting rule, see the design"
//	"nn over 12 data sets" accuracy ceiling=-0.3pp expires=2027-02-28 why="the same"
//
// Names with spaces are quoted as in Go. Blank lines and lines that begin with # are skipped.
func ReadWaivers(in io.Reader, name string) ([]Waiver, error) {
	var waivers []Waiver
	scanner := bufio.NewScanner(in)
	for n := 1; scanner.Scan(); n++ {
		text := strings.TrimSpace(scanner.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		place := fmt.Sprintf("%s:%d", name, n)
		w, err := parseWaiver(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
		w.place = place
		for _, o := range waivers {
			if o.row == w.row && o.metric == w.metric {
				return nil, fmt.Errorf("%s: %s of %s has a waiver already, at %s", place, w.metric,
					w.row, o.place)
			}
		}
		waivers = append(waivers, w)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return waivers, nil
}

func parseWaiver(text string) (Waiver, error) {
	var w Waiver
	fields, err := cutFields(text)
	if err != nil {
		return w, err
	}
	const form = `a waiver has the form DATA/LEARNER METRIC ceiling=DIFFERENCE expires=YYYY-MM-DD why="REASON"`
	if len(fields) != 5 {
		return w, fmt.Errorf("%d fields: %s", len(fields), form)
	}
	w.row, w.metric = fields[0].text, fields[1].text
	seen := make(map[string]bool)
	for _, f := range fields[2:] {
		if seen[f.key] {
			return w, fmt.Errorf("%s is there twice: %s", f.key, form)
		}
		seen[f.key] = true
		switch f.key {
		case "ceiling":
			w.number = f.text
			if w.ceiling, err = unit.ParseAmount(f.text); err != nil || w.ceiling.Value == 0 {
				return w, fmt.Errorf("ceiling %q is not a difference, such as -1.2pp, -3%% or 0.03", f.text)
			}
		case "expires":
			if w.expires, err = time.Parse(dateLayout, f.text); err != nil {
				return w, fmt.Errorf("expires %q is not a date such as 2027-02-28", f.text)
			}
		case "why":
			if w.why = f.text; strings.TrimSpace(w.why) == "" {
				return w, fmt.Errorf("a waiver must say why")
			}
		default:
			return w, fmt.Errorf("%q: %s", f.key, form)
		}
	}
	return w, nil
}

// A field is a word or key=word; a word may be a Go string.
type field struct{ key, text string }

func cutFields(text string) ([]field, error) {
	var fields []field
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		var f field
		end := strings.IndexAny(text, " \t\"")
		if end > 0 && text[end] == '"' {
			key, ok := strings.CutSuffix(text[:end], "=")
			if !ok {
				return nil, fmt.Errorf("a quote within %q", text[:end])
			}
			f.key, text = key, text[end:]
		}
		if strings.HasPrefix(text, `"`) {
			quoted, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, fmt.Errorf("%.40q is not a quoted text", text)
			}
			if f.text, err = strconv.Unquote(quoted); err != nil {
				return nil, err
			}
			fields, text = append(fields, f), text[len(quoted):]
			continue
		}
		word := text
		if end := strings.IndexAny(text, " \t"); end >= 0 {
			word = text[:end]
		}
		text = text[len(word):]
		f.text = word
		if key, value, ok := strings.Cut(word, "="); ok && len(fields) >= 2 {
			f.key, f.text = key, value
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// isLoss reports whether an offence is a loss, or that one was not ruled out: what a waiver is for.
// That scores are too far apart is one only where the candidate's are worse.
func isLoss(o *report.Offence, c *report.Comparison) bool {
	switch o.Why {
	case regressed, report.Not + nonInferior, report.Not + improved:
		return true
	case report.Not + equivalent:
		return (c.Difference < 0) == (c.Table.Measure().Better != unit.Lower)
	}
	return false
}

// A loss of a row, or of a learner over data sets, may pass by a waiver.
type loss struct {
	row, metric      string
	unit             unit.Unit
	base, difference float64
	majority         unit.Number // score of always the most frequent class; NaN if it is not known
	committed        string      // time of the commit
}

// waive marks the losses that waivers let pass. Waivers that are expired, unused or not
// needed are errors: each is either a mistake or history.
func (g *Rules) waive(r *report.Report) []error {
	var problems []error
	used := make([]bool, len(g.Waivers))
	let := func(l *loss) (note string) {
		at := slices.IndexFunc(g.Waivers, func(w Waiver) bool { return w.row == l.row && w.metric == l.metric }) // at most one
		if at < 0 {
			return ""
		}
		used[at] = true
		w := &g.Waivers[at]
		note, err := w.covers(l, g.AllowMajority)
		if err != nil {
			err = fmt.Errorf("%s: %w", w.place, err)
			if !slices.ContainsFunc(problems, func(p error) bool { return p.Error() == err.Error() }) { // of another offence
				problems = append(problems, err)
			}
		}
		return note
	}
	for i := range r.Gate.Offences {
		o := &r.Gate.Offences[i]
		if c := r.Comparison(o.At); isLoss(o, &c) {
			o.Waived = let(&loss{
				c.Row.Label, c.Table.Metric, c.Table.Measure(), float64(c.Base.Mean),
				float64(c.Difference), majorityOf(c.Cell), c.Cell.CommitTime,
			})
		}
	}
	for i := range r.Gate.Over {
		o := &r.Gate.Over[i]
		if o.Why == regressed {
			majority, last := ofAll(r, o)
			o.Waived = let(&loss{
				o.Label(), o.Metric, r.Measure(o.Metric), float64(o.Mean - o.Difference),
				float64(o.Difference), majority, last,
			})
		}
	}
	for j, w := range g.Waivers {
		if used[j] {
			continue
		}
		if has(r, &w) {
			problems = append(problems, fmt.Errorf("%s: the waiver is not needed: %s of %s is no regression that the gate fails on: remove it", w.place, w.metric, w.row))
		} else {
			problems = append(problems, fmt.Errorf("%s: the waiver is unused: there is no comparison of %s in %s: correct or remove it", w.place, w.row, w.metric))
		}
	}
	return problems
}

// majorityOf returns what always predicting the most frequent class scores on the data of a cell.
func majorityOf(c *report.Cell) unit.Number {
	if c.Majority == nil {
		return unit.NaN()
	}
	return *c.Majority
}

// ofAll returns of the results of a learner over data sets what always predicting the most frequent
// class scores in the mean, and the latest time of their commits; "" if one of these times is not
// known.
func ofAll(r *report.Report, o *report.OverTest) (majority unit.Number, last string) {
	var latest time.Time
	n := 0
	for c := range r.All() {
		if c.Table.Metric != o.Metric || c.At.Column != o.Column || c.Cell.Learner != o.Learner ||
			!c.Judged() {
			continue
		}
		majority += majorityOf(c.Cell)
		n++
		at, err := time.Parse(time.RFC3339, c.Cell.CommitTime)
		if err != nil {
			return unit.NaN(), c.Cell.CommitTime // which is an error of the waiver
		}
		if last == "" || at.After(latest) {
			last, latest = c.Cell.CommitTime, at
		}
	}
	return majority / unit.Number(n), last
}

// has reports whether the waiver's comparison is there.
func has(r *report.Report, w *Waiver) bool {
	return slices.ContainsFunc(r.Gate.Over,
		func(o report.OverTest) bool { return o.Metric == w.metric && o.Label() == w.row }) ||
		slices.ContainsFunc(r.Tables, func(t report.Table) bool {
			return t.Metric == w.metric && slices.ContainsFunc(t.Rows,
				func(row report.Row) bool { return row.Label == w.row })
		})
}

// covers returns why a loss passes, or "" if it is beyond the ceiling. The date is held
// against the time of the commit: the same files give the same answer on every day.
func (w *Waiver) covers(l *loss, allowMajority bool) (string, error) {
	if w.ceiling.In == "" && l.unit.IsFraction() {
		return "", fmt.Errorf("ceiling %s of %s has no unit: %spp are points, and %s%% is in percent of the baseline's mean", w.number, l.metric, w.number, w.number)
	}
	ceiling, err := w.ceiling.Of(l.unit, l.base)
	if err != nil {
		return "", err
	}
	worse := -1.0
	if l.unit.Better == unit.Lower {
		worse = 1
	}
	if ceiling*worse <= 0 {
		return "", fmt.Errorf("ceiling %s is no regression in %s, of which %s is better", w.number,
			l.metric, l.unit.Better)
	}
	const passes = "ceiling %s of %s would let a model pass that %s, which scores %s"
	switch loses := func(score float64) float64 { return worse * (score - l.base) }; {
	case loses(l.unit.Worst()) <= ceiling*worse:
		return "", fmt.Errorf(passes, w.number, l.metric, "is wrong everywhere",
			l.unit.FormatScore(l.unit.Worst()))
	case !allowMajority && loses(float64(l.majority)) <= ceiling*worse:
		return "", fmt.Errorf(passes+" (-allow-majority, if that is meant)", w.number, l.metric,
			"always predicts the most frequent class", l.unit.FormatScore(float64(l.majority)))
	}
	if l.committed == "" {
		return "", fmt.Errorf("the waiver expires on %s, and the results of %s do not have the time of their commit: run them in a repository", w.expires.Format(dateLayout), l.row)
	}
	at, err := time.Parse(time.RFC3339, l.committed)
	if err != nil {
		return "", fmt.Errorf("the time %q of the commit of %s is none: %w", l.committed, l.row, err)
	}
	if !at.Before(w.expires.AddDate(0, 0, 1)) {
		return "", fmt.Errorf("the waiver of %s of %s has expired: it was good up to %s, the commit is of %s", l.metric, l.row, w.expires.Format(dateLayout), l.committed)
	}
	if l.difference*worse > ceiling*worse {
		return "", nil
	}
	return fmt.Sprintf("%s up to %s until %s", w.why, l.unit.FormatDifference(ceiling),
		w.expires.Format(dateLayout)), nil
}
