package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
)

// wordsOf returns what a verdict says of the systems that have answered: how their answers vary, which versions they are, and
// whether their responses were recorded before.
func wordsOf(r *itemwise.Result, p *record.Pairs) (words [][2]string) {
	add := func(key, text string) {
		if text != "" {
			words = append(words, [2]string{key, text})
		}
	}
	names := [2]string{p.Candidate, p.Baseline}
	var varying []string
	sides := [2]string{variation(p.Items.A, p.Items.Probes[0]), variation(p.Items.B, p.Items.Probes[1])}
	if noise := noiseOf(r, p.Items); noise != "" && (sides[0] == "" || sides[1] == "") { // else it is all of the items
		varying = append(varying, noise)
	}
	for side, text := range sides {
		switch {
		case text == "" || side == 1 && text == sides[0]:
		case sides[0] == sides[1]:
			varying = append(varying, fmt.Sprintf("%s (%s and %s)", text, names[0], names[1]))
		default:
			varying = append(varying, fmt.Sprintf("%s (%s)", text, names[side]))
		}
	}
	add("noise", strings.Join(varying, "; "))
	add("versions", versions(names, p.Items.Versions))
	add("responses", replays(names, p))
	return words
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

// versions names the versions of both systems, if one is known.
func versions(names, of [2]string) string {
	switch {
	case of[0] == "" && of[1] == "":
		return ""
	case of[0] == of[1]:
		return of[0] + " on both sides"
	}
	var parts []string
	for side, name := range names {
		version := of[side]
		if version == "" {
			version = "none named"
		}
		parts = append(parts, name+": "+version)
	}
	return strings.Join(parts, "; ")
}

// replays says how many answers rest on recorded responses.
func replays(names [2]string, p *record.Pairs) string {
	var parts []string
	for side, r := range p.Items.Replays {
		if r.Answers == 0 {
			continue
		}
		all := len(p.Items.Items) * len([][][]float64{p.Items.A, p.Items.B}[side])
		what := fmt.Sprintf("all %d answers", all)
		switch {
		case p.Slice != nil: // the replay is of the whole suite
			what = fmt.Sprintf("%d answers", r.Answers)
		case r.Answers != all:
			what = fmt.Sprintf("%d of %d answers", r.Answers, all)
		}
		when := r.First
		if r.Last != r.First {
			when += " to " + r.Last
		}
		parts = append(parts, fmt.Sprintf("%s of %s rest on responses recorded %s", what, names[side], when))
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, "; ") + ": they test the program around a model, not the model"
}
