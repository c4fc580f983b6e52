package split

import (
	"errors"

	"github.com/learnbench/learnbench/internal/catalogue"
)

// kinds returns all kinds, starting with the kind of the zero Protocol.
func kinds() []*kind {
	return []*kind{cv, subsample, loo, groups, timeseries, predefined, weka, halves, groupHalves}
}

var errUnknownKind = errors.New("unknown kind of protocol")

func lookupKind(name string) (*kind, error) {
	return catalogue.Lookup(errUnknownKind, kinds(), func(k *kind) string { return k.name }, name)
}
