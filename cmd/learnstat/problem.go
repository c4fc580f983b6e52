package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
)

// rowProblems returns the errors of the rows that could not be judged, those
// that have the same cause as one, and without those that are known already.
func rowProblems(rows []*row, known []error) []error {
	type cause struct {
		first *row
		rows  int
	}
	var causes []*cause
	index := make(map[string]*cause)
	for _, r := range rows {
		if r.err == nil || reported(r.err, known) {
			continue
		}
		key := r.causeKey()
		if index[key] == nil {
			index[key] = &cause{first: r}
			causes = append(causes, index[key])
		}
		index[key].rows++
	}
	var problems []error
	for _, c := range causes {
		more := ""
		switch n := c.rows - 1; {
		case n == 1:
			more = "; and so for another comparison"
		case n > 1:
			more = fmt.Sprintf("; and so for %d other comparisons", n)
		}
		r := c.first
		problems = append(problems, fmt.Errorf("%s: %s of %v: %w%s", r.place, r.metric, r, r.err, more))
	}
	return problems
}

// causeKey returns a text that rows share if their errors have the same cause.
func (r *row) causeKey() string {
	if m, ok := errors.AsType[*record.MismatchError](r.err); ok && m.Cell == nil {
		return fmt.Sprintf("%q", []string{r.data, m.What, m.A, m.B})
	}
	return r.err.Error()
}

// reported reports whether the check of a file has found the error.
func reported(err error, known []error) bool {
	// The check names the first cells of the file, not those of each row.
	if errors.Is(err, record.ErrIncomplete) || errors.Is(err, record.ErrDouble) {
		return true
	}
	m, ok := errors.AsType[*record.MismatchError](err)
	return ok && slices.ContainsFunc(known, func(k error) bool {
		found, ok := errors.AsType[*record.MismatchError](k)
		return ok && found.Error() == m.Error()
	})
}
