package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Ranked comparison has the offence that counts, if there is one, and what makes it worth looking
// at.
type Ranked struct {
	Offence
	rank rank
	p    float64
}

// A rank says how much a comparison matters; the first ranks matter most.
type rank uint8

const (
	offends rank = iota
	unjudged
	waived
	regressed
	inconclusive
	rest
)

// Bad reports whether the gate fails on the comparison, or it could not be judged.
func (x *Ranked) Bad() bool { return x.rank <= unjudged }

// Worst returns all comparisons, the ones that the gate fails on first, then comparisons that could
// not be judged, regressions, inconclusive ones, and the rest; of equals the one with the smaller p
// first.
func (r *Report) Worst() []Ranked {
	offences := r.Gate.Decisive()
	all := make([]Ranked, 0, r.Comparisons())
	for c := range r.All() {
		x := Ranked{Offence{At: c.At}, rankOf(c.Outcome), float64(c.P)}
		if o, ok := offences[c.At]; ok {
			x.Offence, x.rank = o, offends
			if o.Waived != "" {
				x.rank = waived
			}
		}
		if math.IsNaN(x.p) {
			x.p = 2
		}
		all = append(all, x)
	}
	slices.SortStableFunc(all, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank),
			cmp.Compare(a.p, b.p))
	})
	return all
}

func rankOf(outcome string) rank {
	switch outcome {
	case verdict.Invalid.String():
		return unjudged
	case verdict.Regressed.String():
		return regressed
	case verdict.Inconclusive.String():
		return inconclusive
	}
	return rest
}

// Annotations returns the messages to read first: errors for comparisons that the gate fails on or
// that could not be judged, warnings for undecided ones, regressions and waived ones, the worst
// first.
func (r *Report) Annotations() (errors, warnings []string) {
	errors = slices.Clone(r.Problems)
	if s := r.Undecided(); s != "" {
		warnings = append(warnings, s)
	}
	for i := range r.Gate.Over {
		switch o := &r.Gate.Over[i]; {
		case o.Waived != "":
			warnings = append(warnings, r.SentenceOver(o))
		case o.Why != "":
			errors = append(errors, r.SentenceOver(o))
		}
	}
	for _, x := range r.Worst() {
		switch x.rank {
		case offends:
			errors = append(errors, r.Sentence(x.Offence))
		case waived, regressed:
			warnings = append(warnings, r.Sentence(x.Offence))
		}
	}
	return errors, warnings
}
