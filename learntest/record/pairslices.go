package record

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/unit"
)

// pairSlice pairs the scores of two learners in a metric on a slice. Further runs are left out.
func pairSlice(candidate, baseline Selection, name string) (*Pairs, error) {
	metric, slice := unit.CutSlice(name)
	whole, err := Pair(candidate, baseline, metric)
	if err != nil {
		return nil, err
	}
	if whole.Items != nil {
		return pairItemSlice(candidate, baseline, name)
	}
	p := whole.First(whole.Runs)
	p.Planned = whole.Planned
	a, _ := sliceNamed(p.CandidateHeader.SliceList(), slice)
	b, _ := sliceNamed(p.BaselineHeader.SliceList(), slice)
	if err := oneSlice(slice, a, b, candidate, baseline,
		func() string { return namesOfSlices(p.CandidateHeader) }); err != nil {
		return nil, err
	}
	n := len(p.A)
	var sums [2][]float64
	for i, sel := range []Selection{candidate, baseline} {
		sc, err := sel.scores([]string{"candidate", "baseline"}[i], name)
		if err != nil {
			return nil, err
		}
		sums[i] = sc.values[:n:n]
		counts, err := sel.scores([]string{"candidate", "baseline"}[i], sliceCount(slice))
		if err != nil {
			return nil, err
		}
		if i == 0 {
			p.Slice = &PairedSlice{Slice: a, Counts: make([]int32, n)}
		}
		if err := p.Slice.take(p, counts, i > 0); err != nil {
			return nil, err
		}
	}
	p.A, p.B, p.RightA, p.RightB = sums[0], sums[1], nil, nil
	p.Slice.Scale = p.sliceScale()
	p.Unit.Mean = p.Unit.IsMean() // which looks at the name
	p.Unit.Name = name
	return p, nil
}

// pairItemSlice pairs the scores of two learners on a slice of the items.
func pairItemSlice(candidate, baseline Selection, name string) (*Pairs, error) {
	metric, slice := unit.CutSlice(name)
	a, err := candidate.itemSlice("candidate", metric, slice)
	if err != nil {
		return nil, err
	}
	b, err := baseline.itemSlice("baseline", metric, slice)
	if err != nil {
		return nil, err
	}
	names := func() string {
		all, _ := candidate.scores("candidate", metric)
		var names []string
		for _, s := range SlicesOfItems(ItemsOf(all.block)) {
			names = append(names, s.Name)
		}
		return quotedNames(names)
	}
	if err := oneSlice(slice, a, b, candidate, baseline, names); err != nil {
		return nil, err
	}
	x, err := candidate.scores("candidate", name)
	if err != nil {
		return nil, err
	}
	y, err := baseline.scores("baseline", name)
	if err != nil {
		return nil, err
	}
	p, err := pairScores(candidate, baseline, x, y)
	if err != nil {
		return nil, err
	}
	p.Slice = &PairedSlice{Slice: a}
	p.Unit.Mean = p.Unit.IsMean() // which looks at the name
	p.Unit.Name = name
	return p, nil
}

// oneSlice returns an error unless two slices, of which one without a name is missing, have equal
// members.
func oneSlice(name string, a, b Slice, candidate, baseline Selection, names func() string) error {
	switch {
	case a.Name == "" && b.Name == "":
		return fmt.Errorf("%w: slice %s on data set %s; there are: %s", ErrNotFound, name, candidate.Data,
			names())
	case a.Name == "" || b.Name == "":
		without := candidate
		if a.Name != "" {
			without = baseline
		}
		return fmt.Errorf("%w: slice %s on data set %s is on one side only: the results of %s do not have it: run both with the same slices", ErrNotFound, name, candidate.Data, without.title())
	case a != b:
		what := "examples"
		if candidate.ofItems() {
			what = "items"
		}
		return fmt.Errorf("%w: slice %s on data set %s is of other %s on one side, %d members with digest %s and %d with %s: give a slice that has changed another name, or run both anew",
			ErrMismatch, name, candidate.Data, what, a.Members, a.Digest, b.Members, b.Digest)
	}
	return nil
}

// take takes the numbers of members, which must be equal on both sides.
func (s *PairedSlice) take(p *Pairs, of *scores, again bool) error {
	for i := range s.Counts {
		c := int32(of.values[i])
		if float64(c) != of.values[i] || c < 0 || c > p.TestN[i] {
			return fmt.Errorf("%w: %v: %v of %d test examples are members of slice %s", ErrValue, of.cell(i),
				of.values[i], p.TestN[i], s.Name)
		}
		if again && s.Counts[i] != c {
			return fmt.Errorf("%w: %v: %d and %d test examples are members of slice %s", ErrMismatch,
				of.cell(i), s.Counts[i], c, s.Name)
		}
		s.Counts[i] = c
	}
	if p.Folds == 1 {
		return nil
	}
	for run := range p.Runs {
		members := 0
		for _, c := range s.Counts[run*p.Folds : (run+1)*p.Folds] {
			members += int(c)
		}
		if members != s.Members && (s.Name != CopiesSlice || members > s.Members) {
			return fmt.Errorf("%w: the test sets of run %d have %d members of slice %s, which has %d: no estimate is made of slices that runs test in part", ErrValue, run+1, members, s.Name, s.Members)
		}
	}
	return nil
}

// sliceScale returns what sums are multiplied with, beside one over the number of members.
func (p *Pairs) sliceScale() float64 {
	if p.Folds > 1 {
		return float64(p.Folds)
	}
	return float64(int(p.TrainN[0])+int(p.TestN[0])) / float64(p.TestN[0])
}

func namesOfSlices(h *Header) string {
	var names []string
	for _, s := range h.SliceList() {
		names = append(names, s.Name)
	}
	return quotedNames(names)
}
