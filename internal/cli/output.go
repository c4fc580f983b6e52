package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Write writes what a command has to say to standard output. A gate whose
// output nobody could read has judged nothing: the error is one of the command.
func Write(stdout io.Writer, text string) error {
	if _, err := io.WriteString(stdout, text); err != nil {
		return fmt.Errorf("writing to standard output: %w: make room for it or send it elsewhere, and run the command again", err)
	}
	return nil
}

// Report writes an error to standard error, one line for each joined error, and the place in a
// query below it.
func Report(stderr io.Writer, command string, err error) {
	for _, e := range Leaves(err) {
		fmt.Fprintf(stderr, "%s: %s\n", command, oneLine(e))
		if q, ok := errors.AsType[*QueryError](e); ok {
			fmt.Fprint(stderr, q.place())
		}
	}
}

// A QueryError is an error at some place of a query.
type QueryError struct {
	Msg   string
	Query string
	At    int // how many characters that show are before the place
}

// Error returns the message.
func (e *QueryError) Error() string { return e.Msg }

// place shows the query, and a caret below the place.
func (e *QueryError) place() string {
	const indent = "    "
	end, shown := len(e.Query), 0
	for i, c := range e.Query {
		if shown == e.At {
			end = i
			break
		}
		if unicode.IsGraphic(c) {
			shown++
		}
	}
	before := unit.Printable(e.Query[:end])
	return indent + unit.Printable(e.Query) + "\n" + indent + strings.Repeat(" ",
		texttab.Width(before)) + "^\n"
}

// oneLine returns the message of an error on one line, with the names of flags in place of
// fields. Errors that were joined somewhere in it are separated by semicolons; any other
// newline is from a name, and shows.
func oneLine(err error) string {
	message := err.Error()
	var walk func(err error)
	walk = func(err error) {
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			if inner := e.Unwrap(); inner != nil {
				walk(inner)
			}
		case interface{ Unwrap() []error }:
			if texts := joined(err); len(texts) > 1 {
				message = strings.ReplaceAll(message, err.Error(), strings.Join(texts, "; "))
			}
			for _, inner := range e.Unwrap() {
				walk(inner)
			}
		}
	}
	walk(err)
	return unit.Printable(forCommands.Replace(message))
}

// Leaves returns the errors that were joined.
func Leaves(err error) []error {
	switch {
	case err == nil:
		return nil
	case joined(err) == nil:
		return []error{err}
	}
	var all []error
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		all = append(all, Leaves(e)...)
	}
	return all
}

// joined returns the messages of errors that errors.Join has joined; none for one
// error, or for a format that wraps several.
func joined(err error) []string {
	j, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	var texts []string
	for _, e := range j.Unwrap() {
		texts = append(texts, e.Error())
	}
	if strings.Join(texts, "\n") != err.Error() {
		return nil
	}
	return texts
}
