package judge

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/record/imports"
)

// failures are the comparisons that could not be judged, grouped by cause.
type failures struct {
	causes []*failure
	index  map[string]*failure
}

// A failure is why comparisons could not be judged.
type failure struct {
	err   error
	place string
	what  string // the first
	rows  int
}

// add takes the error of a comparison.
func (f *failures) add(c *match.Cell, metric, label string, err error) {
	if f.index == nil {
		f.index = make(map[string]*failure)
	}
	key := err.Error()
	if m, ok := errors.AsType[*record.MismatchError](err); ok && m.Cell == nil {
		key = fmt.Sprintf("%q", []string{c.Data, m.What, m.A, m.B})
	}
	if f.index[key] == nil {
		f.index[key] = &failure{err: err, place: place(c, err), what: metric + " of " + label}
		f.causes = append(f.causes, f.index[key])
	}
	f.index[key].rows++
}

// explained adds to a mismatch which imported data or partitions are known by name only.
func explained(err error, cells ...*match.Cell) error {
	m, ok := errors.AsType[*record.MismatchError](err)
	if !ok {
		return err
	}
	var data, partitions []string // the sides where they are known by name
	for _, c := range cells {
		for _, b := range c.Side.File.Blocks() {
			if own := c.Side.Label; b.Header.Data == c.Data {
				d, p := imports.ByName(&b.Header)
				data, partitions = addIf(data, own, d), addIf(partitions, own, p)
			}
		}
	}
	switch {
	case len(data) == 1 && m.What == "data-sha256":
		return fmt.Errorf("%w: the data of %s, which was imported, are known by name and size only: import it with -data", err, data[0])
	case len(partitions) == 1 && m.What == "protocol":
		return fmt.Errorf("%w: the partitions of %s, which was imported, are known by name only, and so only imported results pair with it", err, partitions[0])
	case len(partitions) > 1 && m.What == "split-sha256":
		return fmt.Errorf("%w: both were imported, with different names of the partitions (-partitions)",
			err)
	}
	return err
}

// addIf adds a text to a list where it is not yet, if it is to be there.
func addIf(list []string, text string, is bool) []string {
	if !is || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// place returns the position of the results that an error is about, or of the results of the
// candidate.
func place(c *match.Cell, err error) string {
	if cell, ok := errors.AsType[*record.CellError](err); ok {
		if pos, _, ok := strings.Cut(cell.Notes[0], ": "); ok && hasLine(pos) {
			return pos
		}
	}
	return c.Pos()
}

// hasLine reports whether a text is a position in a file; imported results have none.
func hasLine(pos string) bool {
	_, err := strconv.Atoi(pos[strings.LastIndexByte(pos, ':')+1:])
	return err == nil
}

// problems returns an error for each cause that is not known already.
func (f *failures) problems(known []error) []error {
	var problems []error
	for _, c := range f.causes {
		if reported(c.err, known) {
			continue
		}
		more := ""
		switch n := c.rows - 1; {
		case n == 1:
			more = "; and so for another comparison"
		case n > 1:
			more = fmt.Sprintf("; and so for %d other comparisons", n)
		}
		problems = append(problems, fmt.Errorf("%s: %s: %w%s", c.place, c.what, c.err, more))
	}
	return problems
}

// reported reports whether the check of a file has found the error.
func reported(err error, known []error) bool {
	// The check names the first cells of the file, not the cells of each row.
	if errors.Is(err, record.ErrIncomplete) || errors.Is(err, record.ErrDouble) {
		return true
	}
	m, ok := errors.AsType[*record.MismatchError](err)
	return ok && slices.ContainsFunc(known, func(k error) bool {
		found, ok := errors.AsType[*record.MismatchError](k)
		return ok && found.Error() == m.Error()
	})
}
