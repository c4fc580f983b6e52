package verdict

import (
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// ItemFacts are the facts about answers to items.
type ItemFacts struct {
	Items    int         `json:"items"`              // number
	Clusters int         `json:"clusters"`           // number, of items where each is its own
	Largest  unit.Number `json:"largest"`            // share of the items in the largest cluster
	ICC      unit.Number `json:"icc"`                // correlation of the differences within clusters
	Weight   string      `json:"weight,omitempty"`   // "cluster" where clusters weigh equally, and not items
	Better   int         `json:"better"`             // items on which the candidate is better
	Worse    int         `json:"worse"`              // items on which it is worse
	LeftOut  int         `json:"left_out,omitempty"` // items that just one side has, where -common compares the others
	Flips    []FlipFacts `json:"flips"`              // changed items, the greatest loss first; at most 20, with the greatest changes

	OldVersion  string         `json:"old_version,omitempty"`  // of the baseline's system, where one is named
	NewVersion  string         `json:"new_version,omitempty"`  // of the candidate's
	OldRecorded *RecordedFacts `json:"old_recorded,omitempty"` // where answers of the baseline rest on recorded responses
	NewRecorded *RecordedFacts `json:"new_recorded,omitempty"` // where answers of the candidate do
}

// RecordedFacts say that answers rest on responses that were recorded before: they test the program
// around a model.
type RecordedFacts struct {
	Answers int    `json:"answers"` // number, of the whole suite
	First   string `json:"first"`   // day of the earliest, as in "2026-10-02"
	Last    string `json:"last"`    // day of the latest
}

// FlipFacts are the facts about an item whose score has changed.
type FlipFacts struct {
	ID      string      `json:"id"`                // of the item
	Cluster string      `json:"cluster,omitempty"` // if it has one
	Old     string      `json:"old"`               // score in words, such as "3/3"
	New     string      `json:"new"`               // likewise
	Gain    unit.Number `json:"gain"`              // of the mean score, positive where the candidate is better
}

// mostFlips is how many changed items are listed.
const mostFlips = 20

// facts returns the items as plain data.
func (it *Items) facts() *ItemFacts {
	f := &ItemFacts{
		Items: it.N, Clusters: it.Clusters, Largest: unit.Number(it.Largest), ICC: unit.Number(it.ICC),
		Better: it.Better, Worse: it.Worse, LeftOut: it.LeftOut.Candidate + it.LeftOut.Baseline,
		Flips: []FlipFacts{},
	}
	if it.ByCluster {
		f.Weight = record.ByCluster
	}
	for _, x := range it.extreme(mostFlips) {
		f.Flips = append(f.Flips, FlipFacts{x.ID, x.Cluster, x.Old, x.New, unit.Number(x.Gain)})
	}
	it.of.facts(f)
	return f
}

// extreme returns the flips with the greatest losses and with the greatest gains, at most so many,
// by ascending gain.
func (it *Items) extreme(most int) []Flip {
	if len(it.Flips) <= most {
		return it.Flips
	}
	worst := min(it.Worse, max(most/2, most-it.Better))
	best := len(it.Flips) - (most - worst)
	return append(it.Flips[:worst:worst], it.Flips[best:]...)
}

// facts adds the versions and the recorded responses.
func (s *systems) facts(f *ItemFacts) {
	f.NewVersion, f.OldVersion = s.versions[0], s.versions[1]
	f.NewRecorded, f.OldRecorded = recordedFacts(s.replays[0]), recordedFacts(s.replays[1])
}

func recordedFacts(r record.Replay) *RecordedFacts {
	if r.Answers == 0 {
		return nil
	}
	return &RecordedFacts{r.Answers, r.First, r.Last}
}
