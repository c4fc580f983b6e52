package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// rightLetters are the letters of Header.Right, by the number of runs.
const rightLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// rightChunk is how many examples a line of Header.Right has.
const rightChunk = 50_000

// A rightEntry is what Header.Right says of a learner: a letter an example.
type rightEntry struct{ learner, letters string }

// hasRight reports whether the predictions of single examples can be counted: each run tests each
// example once, and examples do not come in groups, which depend on each other.
func hasRight(h *Header, s *split.Shape) bool {
	return s.Covers() && s.UsesAll() && !s.Halves() && split.KindOf(h.Protocol) != "groups" &&
		s.Runs < len(rightLetters)
}

// countsRight reports whether a score is the share of the examples on which a learner is right, or
// wrong.
func countsRight(u unit.Unit) bool {
	return u.IsFraction() && (u.Name == "accuracy" && u.Better == unit.Higher || u.Name == "error" &&
		u.Better == unit.Lower)
}

// Right returns how often the learner is right on each example in the trials of the protocol's own
// runs that the block has; nil if the header does not say.
func (e Entry) Right() []int {
	all, err := parseRight(e.header.Right)
	at := slices.IndexFunc(all, func(r rightEntry) bool { return r.learner == e.learner })
	if err != nil || at < 0 {
		return nil
	}
	counts := make([]int, len(all[at].letters))
	for i := range counts {
		counts[i] = strings.IndexByte(rightLetters, all[at].letters[i])
	}
	return counts
}

// parseRight returns the entries of Header.Right.
func parseRight(text string) ([]rightEntry, error) {
	var all []rightEntry
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		escaped, rest, _ := strings.Cut(line, " ")
		from, letters, ok := strings.Cut(rest, " ")
		name, err := unescapeName(escaped)
		switch {
		case err != nil || !ok || EscapeName(name) != escaped:
			return nil, fmt.Errorf("key %s: %q is not a learner, a number of an example and letters",
				keyRight, excerpt([]byte(line)))
		case letters == "" || strings.Trim(letters, rightLetters) != "":
			return nil, fmt.Errorf("key %s: the letters of %s behind example %s are not from 0 to z",
				keyRight, escaped, excerpt([]byte(from)))
		}
		last := len(all) - 1
		switch is := slices.IndexFunc(all, func(e rightEntry) bool { return e.learner == name }); {
		case is < 0 && from == "0":
			all = append(all, rightEntry{name, letters})
		case is >= 0 && is == last && from == strconv.Itoa(len(all[last].letters)):
			all[last].letters += letters
		default:
			return nil, fmt.Errorf("key %s: example %s of %s does not follow the example before it",
				keyRight, excerpt([]byte(from)), escaped)
		}
	}
	return all, nil
}

// checkRightOf returns an error for a Header.Right that no block with these learners can have.
func checkRightOf(h *Header, learners map[string]int, shape *split.Shape) error {
	if h.Right == "" {
		return nil
	}
	all, err := parseRight(h.Right)
	if err != nil {
		return err
	}
	if !hasRight(h, shape) {
		return fmt.Errorf("key %s does not go with the protocol %q", keyRight, h.Protocol)
	}
	for _, e := range all {
		if _, ok := learners[e.learner]; !ok {
			return fmt.Errorf("key %s: learner %q is not one of those under the key %s", keyRight, e.learner,
				keyLearners)
		}
	}
	return nil
}
