package judge

import (
	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Explain finds what would have been detectable in the comparisons that the gate fails on, of which
// their few words say how many examples they lack. Of very many it finds nothing, since it takes
// longer than the verdicts.
func Explain(l *match.Layout, r *report.Report, o Options) {
	offences := r.Gate.Decisive()
	if o.Full || len(offences) > report.ManyComparisons {
		return
	}
	o.Full = true
	f := referee{Options: &o}
	if o.Gate.onDifferences() {
		f.rowLevel = r.Settings.RowLevel()
	}
	for at := range offences {
		c := r.Comparison(at)
		if !c.Judged() {
			continue
		}
		claim := o.Claim
		table := l.Tables[at.Table]
		claim.Metric = table.MetricOf(table.Rows[at.Row])
		cells := table.Rows[at.Row].Cells
		if j, err := f.compare(cells[at.Column], cells[0], claim); err == nil {
			c.Facts.Detectable = unit.Number(j.asked.Detectable)
		}
	}
}
