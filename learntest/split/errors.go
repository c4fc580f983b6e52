package split

import "errors"

// The errors of this package wrap one of these.
var (
	// ErrSyntax means that a text is not the text form of a protocol.
	ErrSyntax = errors.New("split: cannot parse protocol")

	// ErrPredefined means that a text form names predefined partitions,
	// which it identifies by a digest but does not contain.
	ErrPredefined = errors.New("split: predefined partitions cannot be read back from their text form")

	// ErrProtocol means that a protocol cannot be carried out on any
	// examples: a count or fraction is out of range, or an option does not
	// apply to its kind.
	ErrProtocol = errors.New("split: invalid protocol")

	// ErrExamples means that the description of the examples contradicts
	// itself or lacks what the protocol needs.
	ErrExamples = errors.New("split: invalid examples")

	// ErrTooFew means that there are too few examples or groups: some
	// training or test set would be empty, or all runs would be alike.
	ErrTooFew = errors.New("split: too few examples")
)
