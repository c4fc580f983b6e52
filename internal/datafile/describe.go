package datafile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A frequency is how often a value occurs.
type frequency struct {
	value string
	n     int
}

// counted returns how often the values of a nominal attribute occur that do, in their order.
func counted(t *dataset.Table, at int) []frequency {
	a := t.Attribute(at)
	if a.Kind != dataset.Nominal {
		return nil
	}
	counts := make([]frequency, len(a.Values))
	for _, code := range t.Codes(at) {
		if code >= 0 {
			counts[code].value = a.Values[code]
			counts[code].n++
		}
	}
	return slices.DeleteFunc(counts, func(c frequency) bool { return c.n == 0 })
}

// described says in a line what a table is.
func described(t *dataset.Table, opts dataset.ReadOptions) string {
	const mostClasses = 5
	at := t.ClassIndex()
	kind := "the class"
	if t.Attribute(at).Kind == dataset.Numeric {
		kind = "the target"
	}
	target := fmt.Sprintf("%s is %q", kind, t.Attribute(at).Name)
	if cmp.Or(opts.Class, opts.Target) == "" {
		target += ", the last column"
	}
	if counts := counted(t, at); len(counts) > mostClasses {
		target += fmt.Sprintf(" (%d values)", len(counts))
	} else if len(counts) > 0 {
		var each []string
		for _, c := range counts {
			each = append(each, fmt.Sprintf("%s %d", c.value, c.n))
		}
		target += " (" + strings.Join(each, ", ") + ")"
	}
	var numbers, nominal []string
	for i := range t.NumAttributes() {
		if i == at {
			continue
		}
		notes := ""
		if a := t.Attribute(i); a.Kind == dataset.Nominal {
			notes = fmt.Sprintf("%d values", len(a.Values))
		}
		missing := 0
		for row := range t.Len() {
			if t.Missing(row, i) {
				missing++
			}
		}
		if missing > 0 {
			notes = strings.TrimPrefix(notes+fmt.Sprintf(", %d missing", missing), ", ")
		}
		name := t.Attribute(i).Name
		if notes != "" {
			name += " (" + notes + ")"
		}
		if t.Attribute(i).Kind == dataset.Numeric {
			numbers = append(numbers, name)
		} else {
			nominal = append(nominal, name)
		}
	}
	parts := []string{fmt.Sprintf("%d examples", t.Len()), target}
	for _, list := range []struct {
		name  string
		names []string
	}{{"numbers", numbers}, {"nominal", nominal}} {
		if len(list.names) > 0 {
			parts = append(parts, list.name+": "+shortList(list.names))
		}
	}
	return strings.Join(parts, "; ")
}

// shortList returns the first of some names, and how many more there are.
func shortList(names []string) string {
	const most = 12
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
