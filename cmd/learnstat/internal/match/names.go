package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Names is a flag that selects by name. It may be repeated.
type Names []string

// String returns the lists.
func (n *Names) String() string { return strings.Join(*n, ",") }

// Set adds a list.
func (n *Names) Set(list string) error {
	*n = append(*n, list)
	return nil
}

// Choose returns the selected names in the order of have; all if none was selected. The kind is for
// messages.
func (n Names) Choose(kind string, have []string) ([]string, error) {
	if len(n) == 0 {
		return have, nil
	}
	wanted := make(map[string]bool)
	for _, list := range n {
		if slices.Contains(have, list) {
			wanted[list] = true
			continue
		}
		for _, name := range unit.SplitList(list) {
			if !slices.Contains(have, name) {
				return nil, fmt.Errorf("no %s is called %q; there are: %s%s", kind, name, unit.Quoted(have),
					catalogue.Suggest(name, have))
			}
			wanted[name] = true
		}
	}
	var chosen []string
	for _, name := range have {
		if wanted[name] {
			chosen = append(chosen, name)
		}
	}
	return chosen, nil
}

// A list is different strings in the order in which they were added.
type list struct {
	all  []string
	seen map[string]bool
}

func (l *list) add(names ...string) {
	if l.seen == nil {
		l.seen = make(map[string]bool)
	}
	for _, n := range names {
		if !l.seen[n] {
			l.seen[n] = true
			l.all = append(l.all, n)
		}
	}
}
