package input

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
)

// SystemNotes says of the systems that have answered items, and that are compared, which other
// version they are on another side than on the first, and which of their answers rest on responses
// that were recorded before.
func SystemNotes(sides []*Side, compared func(learner string) bool) []string {
	var notes []string
	before := make(map[onData]string)
	for i, s := range sides {
		for _, b := range s.File.Experiments() {
			for _, learner := range b.Learners {
				if !b.Header.HasItems() || !compared(learner) {
					continue
				}
				of, version := onData{b.Header.Data, learner}, b.Header.Of(learner).Version()
				was, ok := before[of]
				switch {
				case i == 0:
					before[of] = version
				case ok && was != version:
					notes = append(notes, fmt.Sprintf("system %s on %s: %s in %s, %s in %s", learner, of.data,
						named(was), sides[0].Label, named(version), s.Label))
				}
				notes = append(notes, recordedNotes(s, b, learner)...)
			}
		}
	}
	return notes
}

func named(version string) string {
	if version == "" {
		return "no named version"
	}
	return "version " + version
}

// recordedNotes says how many answers of a system rest on recorded responses.
func recordedNotes(s *Side, b *record.Block, learner string) []string {
	r := b.Header.Of(learner).Replay()
	if r.Answers == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d answers of %s on %s in %s rest on responses recorded %s: they test the program around a model, not the model",
		r.Answers, b.Runs()*len(record.ItemsOf(b)), learner, b.Header.Data, s.Label, r.Days())}
}
