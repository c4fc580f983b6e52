package imports

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A place has the run, fold or split of a trial in the names of columns: numbers as in the file, or
// -1.
type place struct{ run, fold, split int }

var nowhere = place{-1, -1, -1}

// A group is the columns of the trials of one place. A table with a row for each trial has one
// group, a table with columns for each fold has a group for each fold.
type group struct {
	place
	scores  []column
	sizes   sizes
	times   times
	failure int
}

// A wanted column is a column of each group.
type wanted struct {
	name string // with {run}, {fold} or {split}
	set  func(g *group, at int)
}

// placeholder is a number in the names of columns.
var placeholder = regexp.MustCompile(`\{(run|fold|split)\}`)

// find returns the columns that have the name, by their places.
func (w *wanted) find(t *table) (map[place]int, error) {
	found := make(map[place]int)
	parts := placeholder.FindAllStringSubmatch(w.name, -1)
	if parts == nil {
		if at := t.find(w.name); at >= 0 {
			found[nowhere] = at
		}
		return found, nil
	}
	text := "^"
	last := 0
	for _, at := range placeholder.FindAllStringIndex(w.name, -1) {
		text += regexp.QuoteMeta(w.name[last:at[0]]) + `(\d{1,9})`
		last = at[1]
	}
	pattern, err := regexp.Compile(text + regexp.QuoteMeta(w.name[last:]) + "$")
	if err != nil {
		return nil, err
	}
	for i, name := range t.header() {
		numbers := pattern.FindStringSubmatch(name)
		if numbers == nil {
			continue
		}
		p := nowhere
		for k, part := range parts {
			n, err := strconv.Atoi(numbers[k+1])
			if err != nil {
				return nil, err
			}
			switch part[1] {
			case roleRun:
				p.run = n
			case roleFold:
				p.fold = n
			case roleSplit:
				p.split = n
			}
		}
		if other, ok := found[p]; ok {
			return nil, t.c.errorf(1, "columns %q and %q are the same fold of %q", t.header()[other], name,
				w.name)
		}
		found[p] = i
	}
	return found, nil
}

// groups returns the groups that have the wanted columns, in the order of their places.
func (t *table) groups(all []wanted) ([]group, error) {
	byPlace := make(map[place]*group)
	var places []place
	type fixed struct {
		w  wanted
		at int
	}
	var everywhere []fixed
	var first *wanted // that has numbers
	for _, w := range all {
		found, err := w.find(t)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, t.c.errorf(1, "there is no column %q: the columns are %s", w.name, t.list())
		}
		if at, ok := found[nowhere]; ok {
			everywhere = append(everywhere, fixed{w, at})
			continue
		}
		if first == nil {
			first = &w
			for p := range found {
				byPlace[p] = &group{place: p, times: times{-1, -1}, sizes: sizes{-1, -1}, failure: -1}
				places = append(places, p)
			}
		}
		for p := range found {
			if byPlace[p] == nil {
				return nil, t.c.errorf(1, "there is a column %q, but none of %q for the same fold",
					w.at(p), first.name)
			}
		}
		for _, p := range places {
			at, ok := found[p]
			if !ok {
				return nil, t.c.errorf(1, "there is no column %q, but there is one of %q for the same fold",
					w.at(p), first.name)
			}
			w.set(byPlace[p], at)
		}
	}
	if first == nil {
		places = []place{nowhere}
		byPlace[nowhere] = &group{place: nowhere, times: times{-1, -1}, sizes: sizes{-1, -1}, failure: -1}
	}
	slices.SortFunc(places, func(a, b place) int {
		return slices.Compare([]int{a.run, a.split, a.fold}, []int{b.run, b.split, b.fold})
	})
	var list []group
	for _, p := range places {
		g := byPlace[p]
		for _, f := range everywhere {
			f.w.set(g, f.at)
		}
		list = append(list, *g)
	}
	return list, nil
}

// at returns the name of the column of a place.
func (w *wanted) at(p place) string {
	return strings.NewReplacer("{run}", fmt.Sprint(p.run), "{fold}", fmt.Sprint(p.fold), "{split}",
		fmt.Sprint(p.split)).Replace(w.name)
}
