package judge

import (
	"math"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// History returns the report on what became of results from column to column of a layout, in
// their order. The reference is the first column if that is pinned, which then is none of the
// history, and else what each row begins with.
func History(l *match.Layout, o Options, pinned bool) (*report.Report, []error, error) {
	b, err := newBuilder(l, o)
	if err != nil {
		return nil, nil, err
	}
	b.many = true              // how replicable a change is, is in the formats that have all
	b.header.without("commit") // the segments have them
	h := &report.History{Pinned: pinned, Tables: []report.HistoryTable{}}
	for _, t := range l.Tables {
		table := report.HistoryTable{
			Keys: keysOf(t), Metric: t.Metric,
			Tracks: make([]report.Track, len(t.Rows)),
		}
		for i, r := range t.Rows {
			b.track(&table, &table.Tracks[i], t.Metric, r, pinned)
		}
		for _, of := range []func(*report.Segment) *verdict.Facts{
			func(s *report.Segment) *verdict.Facts { return s.Previous },
			func(s *report.Segment) *verdict.Facts { return s.Reference },
		} {
			if err := b.adjust(changes(&table, of), "the table"); err != nil {
				return nil, nil, err
			}
		}
		h.Tables = append(h.Tables, table)
	}
	b.report.History = h
	b.header.finish(b.report, false)
	b.report.Header = append(b.report.Header, marginLines(&o.Margins, unitsOf(l),
		func(metric string) []*verdict.Facts {
			var of []*verdict.Facts
			for i := range h.Tables {
				if t := &h.Tables[i]; t.Metric == metric {
					of = append(of, changes(t, func(s *report.Segment) *verdict.Facts { return s.Previous })...)
					of = append(of, changes(t, func(s *report.Segment) *verdict.Facts { return s.Reference })...)
				}
			}
			return of
		})...)
	return b.report, b.failures.problems(l.Problems), nil
}

// changes returns some verdicts of all segments.
func changes(t *report.HistoryTable, of func(*report.Segment) *verdict.Facts) []*verdict.Facts {
	var all []*verdict.Facts
	for i := range t.Tracks {
		for j := range t.Tracks[i].Segments {
			if v := of(&t.Tracks[i].Segments[j]); v != nil {
				all = append(all, v)
			}
		}
	}
	return all
}

// A tracker makes a track. Its cells are cells of segments.
type tracker struct {
	*builder
	table     *report.HistoryTable
	track     *report.Track
	row       *match.Row
	metric    string
	reference int // column; -1 if there is none
	last      int // column of the last segment that could be read, and the one that it is; -1 if there is none
	segment   int
}

func (b *builder) track(table *report.HistoryTable, track *report.Track, metric string,
	row *match.Row, pinned bool,
) {
	k := &tracker{
		builder: b, table: table, track: track, row: row, metric: metric, reference: -1,
		last: -1,
	}
	track.Label, track.Segments = row.Label, []report.Segment{}
	track.Means = slices.Repeat([]unit.Number{unit.NaN()}, len(row.Cells))
	for column, c := range row.Cells {
		if c == nil {
			continue
		}
		track.Data, track.Learner = c.Data, c.Learner
		h, err := k.read(column)
		switch {
		case err != nil && pinned && column == 0:
			b.failures.add(c, metric, row.Label, err)
		case err != nil:
			v := b.invalid(c, metric, row.Label, err)
			track.Segments = append(track.Segments, report.Segment{
				From: column, To: column,
				Mean: unit.NaN(), Previous: v,
			})
		case pinned && column == 0:
			k.reference = 0
		default:
			k.add(column, h, pinned)
		}
	}
	k.settle()
}

// read checks the scores of a column and takes their mean.
func (k *tracker) read(column int) (*record.Header, error) {
	c := k.row.Cells[column]
	p, err := record.Pair(c.Selection(), c.Selection(), k.metric)
	if err != nil {
		return nil, err
	}
	mean, _ := p.Means()
	k.track.Means[column] = unit.Number(mean)
	if k.table.Unit == nil {
		k.table.Unit = report.NewUnit(p.Unit)
	}
	k.header.add(c.Data, p.CandidateHeader, column)
	return p.CandidateHeader, nil
}

// add adds a column: to the last segment if nothing has changed, else as a new one.
func (k *tracker) add(column int, h *record.Header, pinned bool) {
	s := report.Segment{From: column, To: column, FromCommit: h.Commit, ToCommit: h.Commit}
	if k.last >= 0 {
		pairs, err := k.pair(column, k.last)
		if last := &k.track.Segments[k.segment]; k.segment == len(k.track.Segments)-1 && err == nil &&
			pairs.Planned == 0 && same(pairs) {
			last.To, last.ToCommit = column, h.Commit
			return
		}
		s.Previous = k.change(column, pairs, err)
	}
	if k.reference >= 0 {
		pairs, err := k.pair(column, k.reference)
		s.Reference = k.change(column, pairs, err)
	} else if !pinned {
		k.reference = column
	}
	k.last, k.segment = column, len(k.track.Segments)
	k.track.Segments = append(k.track.Segments, s)
}

func (k *tracker) pair(column, from int) (*record.Pairs, error) {
	return record.Pair(k.row.Cells[column].Selection(), k.row.Cells[from].Selection(), k.metric)
}

// change returns the verdict on pairs, if there are any.
func (k *tracker) change(column int, pairs *record.Pairs, err error) *verdict.Facts {
	claim := k.Claim
	claim.Metric = k.metric
	j := judgement{pairs: pairs}
	if err == nil {
		err = k.judge(&j, claim)
	}
	if err != nil {
		return k.invalid(k.row.Cells[column], k.metric, k.row.Label, err)
	}
	return k.facts(&j, same(pairs))
}

// settle rounds the means so that their differences are exact, and makes these the differences of
// the verdicts.
func (k *tracker) settle() {
	settle(k.track.Means)
	previous := unit.NaN()
	for i := range k.track.Segments {
		s := &k.track.Segments[i]
		if s.Mean = k.track.Means[s.From]; s.Mean.IsNaN() {
			continue
		}
		if v := s.Previous; v != nil && !v.Difference.IsNaN() {
			v.Difference = s.Mean - previous
		}
		if v := s.Reference; v != nil && !v.Difference.IsNaN() {
			v.Difference = s.Mean - k.track.Means[k.reference]
		}
		previous = s.Mean
	}
}

// settle rounds numbers to multiples of a power of two, 2⁻⁵⁰ of the largest: so little that it is
// less than the rounding of a mean, and enough for all sums of their differences to be exact.
func settle(xs []unit.Number) {
	largest := 0.0
	for _, x := range xs {
		if !x.IsNaN() {
			largest = max(largest, math.Abs(float64(x)))
		}
	}
	_, exp := math.Frexp(largest)
	exp = max(exp-50, -1074)
	for i, x := range xs {
		if !x.IsNaN() {
			xs[i] = unit.Number(math.Ldexp(math.RoundToEven(math.Ldexp(float64(x), -exp)), exp))
		}
	}
}
