package unit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Margins is a flag that sets amounts by metric: one amount for all metrics, or a list of
// metric=amount. The zero value has none.
type Margins struct {
	// Flag is the name of the flag. If empty, it is "margin".
	Flag string

	items []margin
}

// A margin is an amount for one metric, or for all metrics if the name is empty.
type margin struct {
	metric string
	amount Amount
}

// String returns the list.
func (m *Margins) String() string {
	var items []string
	for _, x := range m.items {
		text := x.amount.String()
		if x.metric != "" {
			text = x.metric + "=" + text
		}
		items = append(items, text)
	}
	return strings.Join(items, ",")
}

func (m *Margins) flag() string { return cmp.Or(m.Flag, "margin") }

// Set adds the margins of a list.
func (m *Margins) Set(text string) error {
	items := slices.Clone(m.items)
	for _, item := range SplitList(text) {
		x, err := m.parse(item)
		if err != nil {
			return err
		}
		switch {
		case !slices.ContainsFunc(items, func(o margin) bool { return o.metric == x.metric }):
		case x.metric == "":
			return fmt.Errorf("two %ss without a metric", m.flag())
		default:
			return fmt.Errorf("two %ss for %s", m.flag(), x.metric)
		}
		items = append(items, x)
	}
	if len(items) > 1 && slices.ContainsFunc(items, func(o margin) bool { return o.metric == "" }) {
		return errors.New("a " + m.flag() + " without a metric beside others")
	}
	m.items = items
	return nil
}

func (m *Margins) parse(item string) (x margin, err error) {
	number := item
	if at := strings.LastIndexByte(item, '='); at >= 0 {
		x.metric, number = item[:at], item[at+1:]
		if x.metric == "" {
			return x, fmt.Errorf("%s %q has no metric before the equals sign", m.flag(), item)
		}
	}
	if x.amount, err = ParseAmount(number); err != nil || !(x.amount.Value > 0) {
		return x, fmt.Errorf("%s %q is not a positive number, with or without the unit pp or %%",
			m.flag(), number)
	}
	if x.amount.IsOfMean() && x.amount.Value >= 100 {
		return x, fmt.Errorf("%s %q is all of the baseline's mean, or more", m.flag(), number)
	}
	return x, nil
}

// Metrics returns the metrics with a margin, in the order given. A margin for all metrics
// appears as an empty name.
func (m *Margins) Metrics() []string {
	var names []string
	for _, x := range m.items {
		names = append(names, x.metric)
	}
	return names
}

// Of returns the amount for a metric, and whether there is one. The metric of a slice has the
// amount of the metric.
func (m *Margins) Of(metric string) (Amount, bool) {
	metric, _ = CutSlice(metric)
	for _, x := range m.items {
		if x.metric == "" || x.metric == metric {
			return x.amount, true
		}
	}
	return Amount{}, false
}

// Check returns an error unless every margin is for a metric of the list and can be
// exceeded by a difference of that metric. A percentage of a mean is not checked before the
// mean is known.
func (m *Margins) Check(units []Unit) error {
	var metrics []string
	for _, u := range units {
		metrics = append(metrics, u.Name)
	}
	if len(metrics) == 0 {
		return nil
	}
	for _, x := range m.items {
		if x.metric == "" && x.amount.In == "" && len(metrics) > 1 {
			return fmt.Errorf("a %[1]s is in the unit of its metric, and there are several: write -%[1]s metric=value, with %[2]s", m.flag(), Quoted(metrics))
		}
		if x.metric != "" && !slices.Contains(metrics, x.metric) {
			return fmt.Errorf("-%s is for %q, which is not compared; there are: %s", m.flag(), x.metric,
				Quoted(metrics))
		}
		if x.amount.IsOfMean() {
			continue
		}
		for _, u := range units {
			if x.metric != "" && x.metric != u.Name {
				continue
			}
			value, err := x.amount.Of(u, 0)
			if err != nil {
				return err
			}
			if err := u.CheckMargin(m.flag(), value); err != nil {
				return err
			}
		}
	}
	return nil
}

// Value returns the margin of a metric against a baseline with the given mean score, or 0
// if it has none.
func (m *Margins) Value(u Unit, mean float64) (float64, error) {
	a, ok := m.Of(u.Name)
	if !ok {
		return 0, nil
	}
	value, err := a.Of(u, mean)
	if err != nil || !a.IsOfMean() {
		return value, err
	}
	if value == 0 {
		return 0, fmt.Errorf("-%s %v of the baseline's mean of 0 is none: give one in the unit of %s",
			m.flag(), a, u.Name)
	}
	return value, u.CheckMargin(m.flag(), value)
}
