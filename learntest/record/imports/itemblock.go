package imports

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// groups sets the cluster and the slices of an answer.
func (c *itemCollector) groups(a *answer, o object, line int) (err error) {
	if c.Cluster != "" {
		if a.cluster, err = c.required(o, c.Cluster, line); err != nil {
			return err
		}
	}
	for _, path := range c.Slices {
		value, err := c.required(o, path, line)
		if err != nil {
			return err
		}
		a.slices = append(a.slices, path+"="+cmp.Or(value, "?"))
	}
	return nil
}

// checkSlices returns an error if a column has too many values for slices.
func (c *itemCollector) checkSlices() error {
	for _, path := range c.Slices {
		values := make(map[string]bool)
		for _, it := range c.items {
			for _, name := range it.Slices {
				if strings.HasPrefix(name, path+"=") {
					values[name] = true
				}
			}
		}
		if len(values) > maxSlices {
			return fmt.Errorf("%w: %q has %d values, too many for slices, which may be %d: name a column of fewer with %s", ErrOptions, path, len(values), maxSlices, optSlices)
		}
	}
	return nil
}

// of sets the suite, unless an option has.
func (c *itemCollector) of(suite string, line int) error {
	switch {
	case c.ItemOptions.Dataset != "" || suite == c.suite:
	case c.suite == "":
		c.suite = suite
	default:
		return c.errorf(line, "this is of the suite %q, and other results are of %q: import one suite at a time", suite, c.suite)
	}
	return nil
}

// add adds an answer.
func (c *itemCollector) add(learner string, a answer, line int) error {
	if learner == "" {
		return fmt.Errorf("%w: %s does not name its learner: give %s", ErrOptions, c.source, optLearner)
	}
	if a.id == "" {
		return c.errorf(line, "the item has no id")
	}
	key := repeatKey{learner, a.id, a.repeat}
	if first, ok := c.lines[key]; ok {
		return &record.SyntaxError{File: c.source, Line: line, Err: record.ErrDouble, Msg: fmt.Sprintf(
			"item %q of %s is there already, in %s: %s", a.id, learner, first, oneOfTwo(&c.kind))}
	}
	c.byID = c.byID || a.content == ""
	it := record.Item{
		ID: a.id, Cluster: a.cluster, Content: digestOf("item", a.content),
		Slices: a.slices,
	}
	have := c.items[a.id]
	if have == nil {
		have = &it
		c.items[a.id] = have
	}
	for _, x := range []struct {
		what   string
		differ bool
	}{
		{"content", have.Content != it.Content},
		{"cluster", have.Cluster != it.Cluster},
		{"slice", !slices.Equal(have.Slices, it.Slices)},
	} {
		if x.differ {
			return c.errorf(line, "item %q has another %s here than in other rows", a.id, x.what)
		}
	}
	if c.repeats[learner] == nil {
		c.repeats[learner] = make(map[string]int)
		c.learners = append(c.learners, learner)
	}
	c.repeats[learner][a.id]++
	c.answers[key], c.lines[key] = a, record.Pos{File: c.source, Line: line}
	c.total++
	return nil
}

// oneOfTwo returns the remedy for two rows of one item: an option of the format that tells them
// apart.
func oneOfTwo(f *ItemFormat) string {
	var remedies []string
	if !slices.Contains(f.refuses, optRepeat) {
		remedies = append(remedies, "name the column of repeats with "+optRepeat)
	}
	if !slices.Contains(f.refuses, optWhere) {
		remedies = append(remedies, "select rows with "+optWhere)
	}
	return strings.Join(append(remedies, "keep one run: some tools append to a file"), ", or ")
}

// complete returns the number of repeats, or an error if an item lacks some, or all, on the side of
// a learner.
func (c *itemCollector) complete() (repeats int, err error) {
	for _, learner := range c.learners {
		for _, n := range c.repeats[learner] {
			repeats = max(repeats, n)
		}
	}
	for _, learner := range c.learners {
		var missing []string
		for _, id := range slices.Sorted(maps.Keys(c.items)) {
			switch n := c.repeats[learner][id]; {
			case n == 0:
				missing = append(missing, id)
			case n < repeats:
				return 0, fmt.Errorf("%w: %d repeats of item %q of %s, and others have %d",
					record.ErrIncomplete, n, id, learner, repeats)
			}
		}
		if len(missing) > 0 {
			const most = 10
			return 0, fmt.Errorf("%w: %s lacks %d of %d items: %s; import learners with other items into files of their own",
				record.ErrIncomplete, learner, len(missing), len(c.items),
				strings.Join(missing[:min(most, len(missing))], ", "))
		}
	}
	return repeats, nil
}

// block returns the block of all answers.
func (c *itemCollector) block() (*record.Block, error) {
	if c.suite == "" {
		return nil, fmt.Errorf("%w: the files do not name their suite: give %s", ErrOptions, optDataset)
	}
	repeats, err := c.complete()
	if err != nil {
		return nil, err
	}
	if err := c.checkSlices(); err != nil {
		return nil, err
	}
	units, err := c.units()
	if err != nil {
		return nil, err
	}
	if len(units) == 0 {
		return nil, fmt.Errorf("%s: no answer has a score", c.sources[0])
	}
	by := "content"
	if c.byID {
		by = "id"
	}
	h := record.Header{
		Test: c.kind.Name, Data: c.suite, Protocol: record.ItemsProtocol(repeats),
		Toolchain: fmt.Sprintf("imported from %s: items identified by %s", c.kind.Name, by),
	}
	var items []record.Item
	for _, id := range slices.Sorted(maps.Keys(c.items)) {
		items = append(items, *c.items[id])
	}
	if err := h.SetItems(items); err != nil {
		return nil, err
	}
	b, err := record.NewBlock(h, c.learners, units, 0)
	if err != nil {
		return nil, err
	}
	b.Timeless = true
	numbers := c.numbers()
	for _, learner := range c.learners {
		for i, it := range items {
			for run, number := range numbers {
				t := record.Trial{Data: c.suite, Learner: learner, Run: run + 1, Fold: i + 1, TestN: 1}
				a, ok := c.answers[repeatKey{learner, it.ID, number}]
				if !ok {
					return nil, fmt.Errorf("%w: repeat %d of item %q of %s", record.ErrIncomplete, number,
						it.ID, learner)
				}
				for _, u := range units {
					x, ok := a.values[u.Name]
					if !ok {
						a.cause = cmp.Or(a.cause, "no score "+u.Name)
					}
					t.Values = append(t.Values, x)
				}
				if a.cause != "" {
					t.Values, t.Err = nil, record.Cause(a.cause)
				}
				if err := b.Add(t); err != nil {
					return nil, err
				}
			}
		}
	}
	return b, nil
}

// numbers returns the numbers of the repeats, ascending.
func (c *itemCollector) numbers() []int {
	all := make(map[int]bool)
	for key := range c.answers {
		all[key.repeat] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// units returns the units of all scores, by the order of the measures and then of their names.
func (c *itemCollector) units() ([]unit.Unit, error) {
	least, most := make(map[string]float64), make(map[string]float64)
	for _, a := range c.answers {
		for name, x := range a.values {
			if _, ok := least[name]; !ok {
				least[name], most[name] = x, x
			}
			least[name], most[name] = min(least[name], x), max(most[name], x)
		}
	}
	var units []unit.Unit
	names := slices.Sorted(maps.Keys(least))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(c.place(a), c.place(b)) })
	for _, name := range names {
		u := unit.Unit{Name: name, Better: c.named[name].Better, Min: math.Inf(-1), Max: math.Inf(1)}
		if m, err := metric.Lookup(name); err == nil && (u.Better == 0 || u.Better == m.Unit.Better) {
			for _, x := range []float64{least[name], most[name]} {
				if x < m.Unit.Min || x > m.Unit.Max {
					return nil, fmt.Errorf("%s: %s is %v, which is not from %v to %v: give the metric another name with %s", c.sources[0], name, x, m.Unit.Min, m.Unit.Max, optMeasures)
				}
			}
			units = append(units, m.Unit)
			continue
		}
		if u.Better == 0 {
			u.Better = unit.Higher
			c.assumed.add("higher %s is better", name)
		}
		switch {
		case least[name] < 0:
		case u.Better == unit.Lower:
			u.Min = 0
		case most[name] <= 1:
			u.Min, u.Max, u.Mean = 0, 1, true
			if !c.kind.shares {
				c.assumed.add("%s is from 0 to 1", name)
			}
		default:
			u.Min = 0
		}
		units = append(units, u)
	}
	return units, nil
}

// place returns the number of a metric among the measures.
func (c *itemCollector) place(name string) int {
	return slices.IndexFunc(c.ItemOptions.Measures, func(m Measure) bool { return m.name() == name })
}
