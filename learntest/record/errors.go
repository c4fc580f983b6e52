package record

import (
	"errors"
	"fmt"
	"strings"
)

// Errors that say why results cannot be used. All but ErrInvalid,
// ErrNotFound and ErrTimes come with a [*CellError] or a [*MismatchError] that names the
// place.
var (
	ErrInvalid     = errors.New("invalid record")                 // a block that cannot be written
	ErrNotFound    = errors.New("not found")                      // no such data set, learner or metric
	ErrIncomplete  = errors.New("trials are missing")             // a cell of the protocol has no trial
	ErrDouble      = errors.New("trials occur more than once")    // a cell has two trials
	ErrFailedTrial = errors.New("trials failed")                  // a trial has a cause of failure instead of values
	ErrValue       = errors.New("values are out of range")        // a value is not finite or outside of its unit's range
	ErrMismatch    = errors.New("results do not belong together") // digests, protocols, sizes or metrics differ
	ErrAmbiguous   = errors.New("selection is ambiguous")         // a learner occurs in experiments that differ
	ErrChecksum    = errors.New("the checksum is wrong")          // a block was changed after it was written, or has no checksum to show that it was not
	ErrLimit       = errors.New("limit exceeded")                 // a file is larger than its reader allows
	ErrConflict    = errors.New("a merge conflict is left")       // a file has lines that git has written where two sides differ
	ErrTimes       = errors.New("times are no evidence")          // measured elsewhere, in parallel, or nobody knows
	ErrUnfinished  = errors.New("writing was interrupted")        // a block was not written to its end, or not yet
)

// A SyntaxError is a fault in a line of a result file, with its position.
type SyntaxError struct {
	File string
	Line int
	Msg  string
	Err  error // ErrDouble, ErrChecksum, ErrConflict, ErrLimit, ErrUnfinished, or nil
}

// Unwrap returns e.Err.
func (e *SyntaxError) Unwrap() error { return e.Err }

// Error returns "file:line: message".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// maxListed is how many cells an error lists.
const maxListed = 3

// A CellError names cells that keep results from being used.
type CellError struct {
	Err   error    // ErrIncomplete, ErrDouble, ErrFailedTrial or ErrValue
	Cells []Cell   // the first few of them, in canonical order
	Notes []string // the known facts about each: positions, cause, value
	Total int64    // how many cells there are
}

// Error names the kind of error and the first few cells.
func (e *CellError) Error() string {
	var b strings.Builder
	b.WriteString(e.Err.Error())
	for i, c := range e.Cells {
		b.WriteString([]string{": ", "; "}[min(i, 1)])
		b.WriteString(c.String())
		if e.Notes[i] != "" {
			fmt.Fprintf(&b, " (%s)", e.Notes[i])
		}
	}
	if more := e.Total - int64(len(e.Cells)); more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	return b.String()
}

// Unwrap returns e.Err.
func (e *CellError) Unwrap() error { return e.Err }

// add counts a cell, and lists it with what note returns if there are few so far:
// of a million cells only those few are described. Note may be nil.
func (e *CellError) add(c Cell, note func() string) {
	if !e.full() {
		text := ""
		if note != nil {
			text = note()
		}
		e.Cells = append(e.Cells, c)
		e.Notes = append(e.Notes, text)
	}
	e.Total++
}

// full reports whether no further cell would be listed.
func (e *CellError) full() bool { return len(e.Cells) == maxListed }

// errorOrNil returns e as an error of the given kind if it names any cells.
func (e *CellError) errorOrNil(kind error) error {
	if e.Total == 0 {
		return nil
	}
	e.Err = kind
	return e
}
