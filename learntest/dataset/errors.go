package dataset

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// ErrOptions means that [ReadOptions] contradict each other, name an attribute that the
// file does not have, or do not apply to the format of the file.
var ErrOptions = errors.New("invalid read options")

// A SyntaxError describes the first place of a file that violates its format.
type SyntaxError struct {
	File   string
	Line   int // from 1
	Column int // in bytes from 1, or 0 if only the line is known
	Msg    string
	Err    error // what the error wraps, or nil
}

// newSyntaxError formats a message, in which it shortens long words of the file.
func newSyntaxError(file string, line, column int, format string, args ...any) *SyntaxError {
	for i, arg := range args {
		switch word := arg.(type) {
		case string:
			args[i] = shorten(word)
		case []byte:
			args[i] = shorten(string(word[:min(len(word), maxWord+1)]))
		}
	}
	return &SyntaxError{File: file, Line: line, Column: column, Msg: fmt.Sprintf(format, args...)}
}

// limitError returns err, which is about a limit, with the place where the
// limit was exceeded.
func limitError(file string, line int, err error) *SyntaxError {
	return &SyntaxError{File: file, Line: line, Msg: err.Error(), Err: err}
}

// maxWord is the number of bytes of a word that messages show.
const maxWord = 200

// shorten cuts a long word, not in the middle of a character.
func shorten(word string) string {
	if len(word) <= maxWord {
		return word
	}
	end := maxWord
	for end > maxWord-utf8.UTFMax && !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end] + "…"
}

// Unwrap returns the wrapped error: [ErrLimit] if the file exceeds a limit.
func (e *SyntaxError) Unwrap() error { return e.Err }

// Error returns "file:line: message", or "file:line:column: message" if the column is
// known.
func (e *SyntaxError) Error() string {
	if e.Column > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// ErrUnusable is wrapped by errors about data that trials cannot run on.
var ErrUnusable = errors.New("unusable data")
