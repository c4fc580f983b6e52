package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// sortSlices returns the names of an item's slices in ascending order, or an error if one cannot be
// a name.
func sortSlices(names []string) ([]string, error) {
	names = slices.Sorted(slices.Values(names))
	for i, name := range names {
		switch {
		case name == "" || unit.HasBraces(name):
			return nil, fmt.Errorf("a slice is called %q: it needs a name without braces", name)
		case strings.HasPrefix(name, clusterOf):
			return nil, fmt.Errorf("a slice is called %q, which would be taken for the cluster: give it another name", name)
		case i > 0 && name == names[i-1]:
			return nil, fmt.Errorf("slice %s is there twice", name)
		}
	}
	return names, nil
}

// cutSlices cuts the names of slices off what follows the id of an item.
func cutSlices(rest string) (core, in string) {
	at := strings.IndexByte(rest, ' ')
	if at < 0 {
		return rest, ""
	}
	if strings.HasPrefix(rest[at+1:], clusterOf) {
		next := strings.IndexByte(rest[at+1:], ' ')
		if next < 0 {
			return rest, ""
		}
		at += 1 + next
	}
	return rest[:at], rest[at+1:]
}

// checkSlicesOfItem returns an error unless the names are spelled as SetItems spells them.
func checkSlicesOfItem(in string) error {
	if in == "" {
		return nil
	}
	var names []string
	for text := range strings.SplitSeq(in, " ") {
		name, err := unescapeName(text)
		if err != nil {
			return err
		}
		if string(appendName(nil, name, "")) != text {
			return fmt.Errorf("slice %q is spelled %s", name, appendName(nil, name, ""))
		}
		names = append(names, name)
	}
	sorted, err := sortSlices(names)
	if err == nil && !slices.Equal(sorted, names) {
		err = fmt.Errorf("the slices %s are not in the order of their names", in)
	}
	return err
}

const (
	contentDigits = 8
	clusterOf     = "cluster="
)
