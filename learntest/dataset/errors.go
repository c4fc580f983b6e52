package dataset

import (
	"errors"
	"fmt"
)

// ErrOptions is wrapped by every error about [ReadOptions] that contradict each
// other, name an attribute that the file does not have, or do not apply to the
// format of the file.
var ErrOptions = errors.New("invalid read options")

// A SyntaxError describes the first place of a file that is not what its format
// asks for.
type SyntaxError struct {
	File   string
	Line   int // from 1
	Column int // in bytes from 1, or 0 if only the line is known
	Msg    string
}

// Error returns "file:line: message", or "file:line:column: message" if the
// column is known.
func (e *SyntaxError) Error() string {
	if e.Column > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}
