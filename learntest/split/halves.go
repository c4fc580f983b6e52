package split

import "fmt"

var halves = &kind{
	name:       "halves",
	settings:   halvesSettings,
	stratified: true, optional: true, unsaid: true, random: true, halves: true,
	sizes: sizes{cover: true},
	check: checkHalves,
	plan:  planHalves,
}

var groupHalves = &kind{
	name:     "grouphalves",
	settings: halvesSettings,
	optional: true, random: true, groups: true, halves: true,
	sizes: sizes{cover: true},
	check: checkHalves,
	plan:  planGroupHalves,
}

var halvesSettings = []setting{{name: "m", at: atRuns}, {name: "folds", at: atFolds}}

// Halves returns the protocol of the halves test (stat.HalvesTest), a second opinion on
// cross-validation. Each of the m runs cuts the examples at random into two halves, H and
// H′, and cross-validates within each half: folds 1 to k of a run are the folds of H, folds
// k+1 to 2k the folds of H′. A fold trains on the rest of its half. The cut is not
// stratified. The folds within each half are stratified by class unless .Stratified(false)
// is called.
func Halves(m, folds int) Protocol {
	return Protocol{kind: halves, runs: m, folds: folds, stratified: true, seed: 1}
}

// GroupHalves returns the protocol [Halves] for grouped examples. Neither the cut nor the
// folds within each half divide a group; the folds are made as in [Groups].
func GroupHalves(m, folds int) Protocol {
	return Protocol{kind: groupHalves, runs: m, folds: folds, seed: 1}
}

// Halves returns the protocol of a second opinion on results of p, with m halvings and the
// given number of folds in each half: [Halves] for [CV] and [Weka], [GroupHalves] for
// [Groups], with the seed and the stratification of p. For any other protocol the error
// wraps [ErrProtocol], because a second opinion needs runs that test every example.
func (p Protocol) Halves(m, folds int) (Protocol, error) {
	p = p.spell()
	var h Protocol
	switch p.kind {
	case cv, weka:
		h = Halves(m, folds)
	case groups:
		h = GroupHalves(m, folds)
	default:
		return h, fmt.Errorf("%w %q: a second opinion is on cross-validation, with groups or without",
			ErrProtocol, p)
	}
	h = h.WithSeed(p.seed).Stratified(p.stratified)
	return h, h.Validate()
}

func checkHalves(p *Protocol) error {
	if err := p.checkFolds(2); err != nil {
		return err
	}
	if 2*p.folds > maxFolds {
		return fmt.Errorf("folds=%d in each half are more than %d together", p.folds, maxFolds)
	}
	return nil
}

// halved is the layout in which a fold trains on the rest of its half. It is not
// complementary: the test sets alone do not say which folds are in one half.
type halved struct {
	of   *assigned
	half []int32 // size of the first half of run 1, of run 2, ...
}

func newHalved(a *assigned) *halved {
	a.count()
	h := &halved{of: a}
	for first := 0; first < len(a.tests); first += a.folds {
		size := int32(0)
		for _, n := range a.tests[first : first+a.folds/2] {
			size += n
		}
		h.half = append(h.half, size)
	}
	return h
}

func (h *halved) sizes(run, fold int) (trainN, testN int) {
	_, testN = h.of.sizes(run, fold)
	all := int(h.half[run-1])
	if fold > h.of.folds/2 {
		all = h.of.n - all
	}
	return all - testN, testN
}

func (h *halved) trial(run, fold int, train, test []int) {
	k := h.of.folds / 2
	second := fold > k
	for i, f := range h.of.run(run) {
		switch {
		case int(f) == fold:
			test[0], test = i, test[1:]
		case (int(f) > k) == second:
			train[0], train = i, train[1:]
		}
	}
}

func planHalves(p Protocol, ex *members) (layout, error) {
	n := ex.n
	if n/2 < p.folds {
		return nil, fmt.Errorf("%w: a half of them is fewer than folds", ErrTooFew)
	}
	a := newAssigned(n, p.runs, 2*p.folds)
	first := make([]bool, n)
	parts := make([][]int32, 0, len(ex.classes))
	for run := 1; run <= p.runs; run++ {
		r := newRandom(p.kind.name, p.seed, run)
		order := everyone(n)
		shuffle(&r, order)
		clear(first)
		for _, i := range order[:(n+1)/2] {
			first[i] = true
		}
		for half := range 2 {
			parts = parts[:0]
			for _, class := range ex.classes {
				if part := within(class, first, half == 0); len(part) > 0 {
					parts = append(parts, part)
				}
			}
			deal(&r, parts, p.folds, half*p.folds, a.run(run))
		}
	}
	return newHalved(a), nil
}

// within returns the members in the first half, or the others.
func within(class []int32, first []bool, in bool) []int32 {
	var part []int32
	for _, i := range class {
		if first[i] == in {
			part = append(part, i)
		}
	}
	return part
}

func planGroupHalves(p Protocol, ex *members) (layout, error) {
	n, groups := ex.n, ex.groups
	a := newAssigned(n, p.runs, 2*p.folds)
	cut := newBalancer(2, nil, groups)
	first, side := make([]bool, n), make([]uint16, len(groups))
	for run := 1; run <= p.runs; run++ {
		r := newRandom(p.kind.name, p.seed, run)
		cut.deal(&r, func(g int, half uint16) {
			side[g] = half
			for _, i := range groups[g] {
				first[i] = half == 1
			}
		})
		of := a.run(run)
		for half := range 2 {
			var own, classes [][]int32
			for g, s := range side {
				if int(s) == half+1 {
					own = append(own, groups[g])
				}
			}
			if len(own) < p.folds {
				return nil, fmt.Errorf("%w: in run %d one half of the %d groups has %d, fewer than folds",
					ErrTooFew, run, len(groups), len(own))
			}
			for _, class := range ex.classes {
				if part := within(class, first, half == 0); len(part) > 0 {
					classes = append(classes, part)
				}
			}
			newBalancer(p.folds, classes, own).deal(&r, func(g int, fold uint16) {
				for _, i := range own[g] {
					of[i] = uint16(half*p.folds) + fold
				}
			})
		}
	}
	return newHalved(a), nil
}
