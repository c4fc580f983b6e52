package split

import "errors"

// Every error of this package wraps one of these.
var (
	// ErrSyntax means that a text is not the text form of a protocol.
	ErrSyntax = errors.New("split: cannot parse protocol")

	// ErrPredefined means that a text form names predefined partitions: it has only their
	// digest, not the partitions.
	ErrPredefined = errors.New("split: predefined partitions cannot be read back from their text form")

	// ErrProtocol means that a protocol fits no examples at all: a count or fraction is out
	// of range, or an option does not apply to this kind of protocol.
	ErrProtocol = errors.New("split: invalid protocol")

	// ErrExamples means that the description of the examples contradicts itself or lacks
	// classes, groups or indices that the protocol needs.
	ErrExamples = errors.New("split: invalid examples")

	// ErrTooFew means that there are too few examples or groups: some training or test set
	// would be empty, or all runs would be identical.
	ErrTooFew = errors.New("split: too few examples")
)
