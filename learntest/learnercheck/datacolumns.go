package learnercheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Groups have so many values at least, of so many rows on average; a label has so many groups.
const (
	leastGroups   = 8
	leastRepeated = 2
)

func checkColumns(_ context.Context, b *bench) error {
	var flaws []error
	for _, c := range b.set.columns {
		switch {
		case c.isConstant():
			flaws = append(flaws, fmt.Errorf("column %s has one value in all %d rows, so that it says nothing", c.name, len(c.rank)))
		case c.ordersLabels(b.set.labels):
			flaws = append(flaws, fmt.Errorf("column %s numbers the rows, and the rows of each label are together: it tells the label by the place in the file", c.name))
		}
	}
	return joined(flaws)
}

// joined returns one error of one line.
func joined(flaws []error) error {
	if len(flaws) == 0 {
		return nil
	}
	texts := make([]string, len(flaws))
	for i, err := range flaws {
		texts[i] = err.Error()
	}
	return errors.New(strings.Join(texts, "; "))
}

func (c *column) isConstant() bool {
	missing := slices.Contains(c.rank, -1)
	return !c.unset && (c.distinct == 0 || c.distinct == 1 && !missing)
}

// ordersLabels reports whether the values, which are all different, number the rows, by whole
// numbers without gaps or from one row to the next, and have the rows of each label together.
func (c *column) ordersLabels(labels []int) bool {
	n := len(c.rank)
	if labels == nil || n < 3 || c.distinct < n || !c.counts && !c.ascends() && !c.descends() {
		return false
	}
	byValue := make([]int, n)
	for i, at := range c.rank {
		byValue[at] = labels[i]
	}
	changes := 0
	for k := 1; k < n; k++ {
		if byValue[k] != byValue[k-1] {
			changes++
		}
	}
	return changes > 0 && changes == slices.Max(labels)
}

// ascends reports whether no value is less than the one before it, and none is missing.
func (c *column) ascends() bool { return !slices.Contains(c.rank, -1) && slices.IsSorted(c.rank) }

// descends reports whether no value is greater than the one before it, and none is missing.
func (c *column) descends() bool {
	return !slices.Contains(c.rank, -1) && slices.IsSortedFunc(c.rank,
		func(a, b int) int { return b - a })
}

func checkGroups(_ context.Context, b *bench) error {
	var flaws []error
	for _, c := range b.set.columns {
		how := c.groups(b.set.labels)
		if how == "" {
			continue
		}
		if share := b.set.copies.Plan.Divided(c.sets()); share > 0 {
			flaws = append(flaws, fmt.Errorf("column %s has %d values in %d rows, and %s: for %.3g%% of test examples, others of the same value are in training", c.name, c.distinct, len(c.rank), how, 100*share))
		}
	}
	return joined(flaws)
}

// groups says what makes the values look like groups; "" if nothing does.
func (c *column) groups(labels []int) string {
	sets := c.sets()
	if !c.whole || c.distinct < leastGroups || len(c.rank) < leastRepeated*c.distinct ||
		slices.Contains(c.rank, -1) {
		return ""
	}
	changes := 0
	for i := 1; i < len(c.rank); i++ {
		if c.rank[i] != c.rank[i-1] {
			changes++
		}
	}
	if changes == c.distinct-1 {
		return "the rows of each value are next to one another"
	}
	if labels == nil {
		return ""
	}
	values := make([]int, slices.Max(labels)+1) // of each label
	for _, set := range sets {
		for _, i := range set {
			if labels[i] != labels[set[0]] {
				return ""
			}
		}
		values[labels[set[0]]]++
	}
	if slices.Min(values) < leastRepeated {
		return ""
	}
	return "each value has one label"
}

// sets returns the examples of each value.
func (c *column) sets() [][]int {
	sets := make([][]int, c.distinct)
	for i, at := range c.rank {
		if at >= 0 {
			sets[at] = append(sets[at], i)
		}
	}
	return sets
}

func checkTimes(_ context.Context, b *bench) error {
	if !b.set.trainsOnLaterRows() {
		return nil
	}
	var flaws []error
	for _, c := range b.set.columns {
		if c.timely() && !c.ordersLabels(b.set.labels) { // which another rule reports
			flaws = append(flaws, fmt.Errorf("column %s has the rows in the order of time, and %q tests models of later rows", c.name, b.set.copies.Plan.Protocol()))
		}
	}
	return joined(flaws)
}

// timely reports whether the rows are in the order of times, or of numbers that do not only number
// the rows, most of which are different.
func (c *column) timely() bool {
	n := len(c.rank)
	return n > leastGroups && 2*c.distinct >= n && !c.texts && (c.times || !c.counts) &&
		(c.ascends() || c.descends())
}

// trainsOnLaterRows reports whether a trial of the first run tests a row by a model of a later one.
func (s *dataSet) trainsOnLaterRows() bool {
	for fold := 1; fold <= s.copies.Plan.Folds(); fold++ {
		if train, test := s.copies.Plan.Trial(1, fold, nil, nil); slices.Max(train) > slices.Min(test) {
			return true
		}
	}
	return false
}
