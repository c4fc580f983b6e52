package report

import (
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A History is what became of results from file to file.
type History struct {
	Pinned bool           `json:"pinned"` // the first column is a pinned reference; else that is the first file
	Tables []HistoryTable `json:"tables"`
}

// A HistoryTable has the histories in one metric.
type HistoryTable struct {
	Keys   []Line  `json:"keys,omitempty"` // that distinguish the tables, beside the metric
	Metric string  `json:"metric"`
	Unit   *Unit   `json:"unit,omitempty"` // nil if nothing could be read
	Tracks []Track `json:"tracks"`
}

// A Track is the history of a learner on a data set. Its means are rounded in the last bits, so
// that their differences are exact, and those from segment to segment add up to the one from the
// first.
type Track struct {
	Label    string        `json:"label"`
	Data     string        `json:"data"`
	Learner  string        `json:"learner"`
	Means    []unit.Number `json:"means"` // score of each column; null where there is none
	Segments []Segment     `json:"segments"`
}

// A Segment is files in a row with the same scores, bit for bit.
type Segment struct {
	From       int            `json:"from"` // index of the first column
	To         int            `json:"to"`   // and of the last
	FromCommit string         `json:"from_commit"`
	ToCommit   string         `json:"to_commit"`
	Mean       unit.Number    `json:"mean"`
	Previous   *verdict.Facts `json:"previous,omitempty"`  // on the difference from the segment before
	Reference  *verdict.Facts `json:"reference,omitempty"` // and from the reference
}

// Segments returns the number of segments.
func (h *History) Segments() int {
	n := 0
	for i := range h.Tables {
		for j := range h.Tables[i].Tracks {
			n += len(h.Tables[i].Tracks[j].Segments)
		}
	}
	return n
}

// Measure returns the unit of the metric, one without bounds if nothing could be read.
func (t *HistoryTable) Measure() unit.Unit { return measure(t.Metric, t.Unit) }
