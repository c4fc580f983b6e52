package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
)

// systems are what a verdict says of the two systems that have answered, candidate and baseline:
// how their answers vary, which versions they are, and whether their responses were recorded
// before.
type systems struct {
	share    string    // of the repeats in the variance, in words
	varying  [2]string // whether answers vary, in words
	versions [2]string
	replays  [2]record.Replay
	answers  [2]int // number
	some     bool   // answers are to some of the items, and replays are of all
	one      bool   // the answers are of one system, at two times
}

func systemsOf(r *itemwise.Result, p *record.Pairs) systems {
	it := p.Items
	return systems{
		share:    noiseOf(r, it),
		varying:  [2]string{variation(it.A, it.Probes[0]), variation(it.B, it.Probes[1])},
		versions: it.Versions, replays: it.Replays,
		answers: [2]int{len(it.Items) * len(it.A), len(it.Items) * len(it.B)},
		some:    p.Slice != nil || it.LeftOut != (record.LeftOut{}),
		one:     cmp.Or(p.CandidateLearner, p.Candidate) == cmp.Or(p.BaselineLearner, p.Baseline),
	}
}

// variation says whether the answers of a system vary, as far as its repeats, or a probe, show it.
func variation(repeats [][]float64, probe string) string {
	outcome, items, _ := strings.Cut(probe, "/")
	switch {
	case len(repeats) > 1:
		for _, scores := range repeats[1:] {
			if !slices.Equal(scores, repeats[0]) {
				return "" // which the parts of the variance are about
			}
		}
		return fmt.Sprintf("equal scores in all %d repeats, which count as one", len(repeats))
	case outcome == record.NotDeterministic:
		return "other scores when items are asked for again, of which repeats would show the part in the variance"
	case outcome == record.Deterministic && items != "":
		return fmt.Sprintf("equal scores when %s items are asked for again", items)
	}
	return ""
}

// named names the versions of both systems. If none is known of one system, a model behind its name
// may have changed unseen.
func (s *systems) named(names [2]string) string {
	of := s.versions
	switch {
	case of[0] == "" && of[1] == "" && s.one:
		return "none named on either side: nothing shows whether another model answers under this name"
	case of[0] == "" && of[1] == "":
		return ""
	case of[0] == of[1]:
		return of[0] + " on both sides"
	}
	var parts []string
	for side, name := range names {
		parts = append(parts, name+": "+cmp.Or(of[side], "none named"))
	}
	return strings.Join(parts, "; ")
}

// recorded says how many answers rest on recorded responses.
func (s *systems) recorded(names [2]string) string {
	var parts []string
	for side, r := range s.replays {
		if r.Answers == 0 {
			continue
		}
		what := fmt.Sprintf("all %d answers", r.Answers)
		switch {
		case s.some:
			what = fmt.Sprintf("%d answers", r.Answers)
		case r.Answers != s.answers[side]:
			what = fmt.Sprintf("%d of %d answers", r.Answers, s.answers[side])
		}
		parts = append(parts, fmt.Sprintf("%s of %s rest on responses recorded %s", what, names[side],
			r.Days()))
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, "; ") + ": they test the program around a model, not the model"
}

// manyRepeats is the number of repeats whose interval a verdict predicts.
const manyRepeats = 10

// noiseOf says in words how much of the variance comes from the repeats, and how much narrower the
// interval would be with more of them, or with more items. It says nothing if an item was answered
// once, or no difference varies.
func noiseOf(r *itemwise.Result, p *record.ItemPairs) string {
	noise, err := r.Noise(p.ByItem())
	share := noise.Share()
	if err != nil || math.IsNaN(share) || noise.Variance == 0 {
		return ""
	}
	which, most := "the repeats", max(len(p.A), len(p.B))
	if len(p.A) == len(p.B) {
		which = fmt.Sprintf("the %d repeats", len(p.A))
	}
	text := fmt.Sprintf("of the variance %.0f%% is %s, %.0f%% the items", 100*share, which,
		100*(1-share))
	more := manyRepeats
	if most >= more {
		more = 2 * most
	}
	narrower := func(items, repeats int) float64 { return 100 * (1 - noise.SE(items, repeats)/r.SE) }
	text += fmt.Sprintf(": %d repeats would narrow the interval by %.0f%%", more,
		max(0, narrower(r.N, more)))
	return text + fmt.Sprintf(", twice the items by %.0f%%", 100*(1-math.Sqrt(0.5)))
}
