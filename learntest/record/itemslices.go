package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// SlicesOfItems returns the slices that items are in, by ascending name. Their digests are of the ids of the members.
func SlicesOfItems(items []Item) []Slice {
	members := make(map[string][]string)
	for _, it := range items {
		for _, name := range it.Slices {
			members[name] = append(members[name], it.ID)
		}
	}
	var of []Slice
	for _, name := range slices.Sorted(maps.Keys(members)) {
		ids := members[name]
		slices.Sort(ids)
		var b []byte
		for _, id := range ids {
			b = append(appendName(b, id, "/="), '\n')
		}
		of = append(of, Slice{Name: name, Members: len(ids), Digest: digestOfItems(string(b), false)[:8]})
	}
	return of
}

// slice returns the slice of a name, and the numbers of its items.
func (l *itemList) slice(name string) (s Slice, members []int) {
	escaped := string(appendName(nil, name, ""))
	var items []Item
	for i, in := range l.in {
		if slices.Contains(strings.Fields(in), escaped) {
			items = append(items, Item{ID: l.at(i).ID, Slices: []string{name}})
			members = append(members, i)
		}
	}
	if members == nil {
		return Slice{}, nil
	}
	return SlicesOfItems(items)[0], members
}

// sortSlices returns the names of an item's slices in ascending order, or an error if one cannot be a name.
func sortSlices(names []string) ([]string, error) {
	names = slices.Sorted(slices.Values(names))
	for i, name := range names {
		switch {
		case name == "" || unit.HasBraces(name):
			return nil, fmt.Errorf("a slice is called %q: it needs a name without braces", name)
		case strings.HasPrefix(name, clusterOf):
			return nil, fmt.Errorf("a slice is called %q, which would be taken for the cluster: give it another name", name)
		case i > 0 && name == names[i-1]:
			return nil, fmt.Errorf("slice %s is there twice", name)
		}
	}
	return names, nil
}

// cutSlices cuts the names of slices off what follows the id of an item.
func cutSlices(rest string) (core, in string) {
	at := strings.IndexByte(rest, ' ')
	if at < 0 {
		return rest, ""
	}
	if strings.HasPrefix(rest[at+1:], clusterOf) {
		next := strings.IndexByte(rest[at+1:], ' ')
		if next < 0 {
			return rest, ""
		}
		at += 1 + next
	}
	return rest[:at], rest[at+1:]
}

// checkSlicesOfItem returns an error unless the names are spelled as SetItems spells them.
func checkSlicesOfItem(in string) error {
	if in == "" {
		return nil
	}
	var names []string
	for text := range strings.SplitSeq(in, " ") {
		name, err := unescapeName(text)
		if err != nil {
			return err
		}
		if string(appendName(nil, name, "")) != text {
			return fmt.Errorf("slice %q is spelled %s", name, appendName(nil, name, ""))
		}
		names = append(names, name)
	}
	sorted, err := sortSlices(names)
	if err == nil && !slices.Equal(sorted, names) {
		err = fmt.Errorf("the slices %s are not in the order of their names", in)
	}
	return err
}

// slicesDiffer returns an error that names the first items that two blocks with equal items have in different slices.
func slicesDiffer(a, b *Block) error {
	var differ idList
	for i := range a.items.ids {
		if !slices.Equal(a.items.at(i).Slices, b.items.at(i).Slices) {
			differ.add(a.items, i)
		}
	}
	return fmt.Errorf("%w: %s and %s have other slices of items: %s", ErrMismatch, a.where(), b.where(), &differ)
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

// itemSlice returns a slice of the items that the selection has; one without a name if it has none.
func (sel Selection) itemSlice(role, metric, slice string) (Slice, error) {
	experiments, err := sel.experiments(role, metric)
	if err != nil {
		return Slice{}, err
	}
	for _, e := range experiments {
		if e.err != nil {
			return Slice{}, fmt.Errorf("%s %s: %w", role, sel.Learner, e.err)
		}
		if s, members := e.union.items.slice(slice); members != nil {
			return s, nil
		}
	}
	return Slice{}, nil
}

// oneSlice returns an error unless two slices, of which one without a name is missing, have equal members.
func oneSlice(name string, a, b Slice, candidate, baseline Selection, names func() string) error {
	switch {
	case a.Name == "" && b.Name == "":
		return fmt.Errorf("%w: slice %s on data set %s; there are: %s", ErrNotFound, name, candidate.Data, names())
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

// onItems restricts the scores to some items, given by their numbers.
func (s *scores) onItems(members []int) {
	pick := func(from []float64) (to []float64) {
		for first := 0; first < len(from); first += s.folds {
			for _, i := range members {
				to = append(to, from[first+i])
			}
		}
		return to
	}
	s.values = pick(s.values)
	s.trainN, s.testN = s.trainN[:s.runs*len(members)], s.testN[:s.runs*len(members)] // of items, all alike
	s.members, s.folds = members, len(members)
}

// items returns the items of the scores.
func (s *scores) items() []Item {
	if s.members == nil {
		return ItemsOf(s.block)
	}
	items := make([]Item, len(s.members))
	for k, i := range s.members {
		items[k] = s.block.items.at(i)
	}
	return items
}
