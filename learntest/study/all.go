package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/catalogue"
)

// All returns all studies, by name.
func All() []Study {
	return slices.Concat([]Study{
		aaStudy(), atLeastStudy(), calibrateStudy(), examplesStudy(),
		hierarchicalStudy(), itemsStudy(), ratioStudy(), replicabilityStudy(), settleStudy(),
		slicesStudy(),
	}, gateStudies())
}

// Lookup returns the study of the given name. The error wraps [ErrConfig].
func Lookup(name string) (Study, error) {
	all := All()
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name
	}
	if i := slices.Index(names, name); i >= 0 {
		return all[i], nil
	}
	return Study{}, fmt.Errorf("%w: none is called %q: there are %s%s", ErrConfig, name,
		strings.Join(names, ", "), catalogue.Suggest(name, names))
}
