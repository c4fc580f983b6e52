package verdict

import (
	"errors"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// ErrTooSmall is wrapped by the error of a verdict on a slice with fewer than [LeastMembers]
// examples, or items in fewer than five clusters. Such a slice is shown, and not judged.
var ErrTooSmall = errors.New("too small to be judged")

// LeastMembers is the number of examples that a slice must have to be judged. Of fewer, the level
// of the test was not measured, and no difference but a large one would show.
const LeastMembers = 30

// Match returns the slices whose name matches one of the patterns. The error wraps [ErrClaim]: a
// pattern matches no slice, or there are none.
func (s *Slices) Match(of []record.Slice) ([]record.Slice, error) {
	var names []string
	for _, x := range of {
		names = append(names, fmt.Sprintf("%q", x.Name))
	}
	if len(of) == 0 {
		return nil, fmt.Errorf("%w: the data have no slices: name columns, or conditions, whose examples are to be slices", ErrClaim)
	}
	if len(s.Patterns) == 0 {
		return of, nil
	}
	chosen := make([]bool, len(of))
	for _, p := range s.Patterns {
		found := false
		for i, x := range of {
			if matches(p, x.Name) {
				chosen[i], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("%w: no slice matches %q: there are %s", ErrClaim, p,
				strings.Join(names, ", "))
		}
	}
	var matched []record.Slice
	for i, x := range of {
		if chosen[i] {
			matched = append(matched, x)
		}
	}
	return matched, nil
}

// matches reports whether a name matches a pattern.
func matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok || len(parts) == 1 {
		return ok && rest == ""
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return strings.HasSuffix(rest, parts[last])
}

// ChosenAfterwards reports whether a verdict is on a slice whose scores were computed of kept
// predictions, so that its scores may be the reason why it was chosen.
func ChosenAfterwards(v *Verdict) bool {
	rescored := func(h *record.Header) bool { return h != nil && h.RescoredFrom != "" }
	return v.Slice != nil && (rescored(v.CandidateHeader) || rescored(v.BaselineHeader))
}

// checkSlice returns an error for a claim that is not to be made of a slice, or of all examples.
func (c Claim) checkSlice(p *record.Pairs) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrClaim, fmt.Sprintf(format, args...))
	}
	name, _, _ := strings.Cut(c.Test.Name, "/ratio=")
	switch {
	case p.Slice == nil && c.Slices != nil:
		return fail("it is about slices, and these are the scores of all %s", examplesOf(p))
	case p.Slice == nil:
		return nil
	case c.Kind.Absolute() || c.Kind == Unbeaten || c.Kind == Replicable:
		return fail("a claim that a learner %s is not for slices", strings.TrimSpace(c.Kind.String()))
	case c.Replicability > 0 || c.Repeats > 0 || c.Halvings > 0:
		return fail("a claim on slices takes neither a replicability nor a second opinion: make it on all %s", examplesOf(p))
	case p.Items == nil && c.Test.Run != nil && name != defaultCV.Name &&
		name != defaultResampled.Name:
		return fail("slices are judged by %s or %s, not by %s, which does not know how few examples there are", defaultCV.Name, defaultResampled.Name, c.Test.Name)
	}
	return nil
}

// tooSmall returns an error for a slice that is too small to be judged.
func tooSmall(p *record.Pairs) error {
	s := p.Slice
	if s == nil {
		return nil
	}
	if p.Items != nil {
		return tooFewItems(s.Name, p.Items.Items)
	}
	if s.Members < LeastMembers {
		return fmt.Errorf("%w: slice %s has %d examples, fewer than %d", ErrTooSmall, s.Name, s.Members,
			LeastMembers)
	}
	return nil
}

// tooFewItems returns an error for a slice of too few items, or of items in too few clusters.
func tooFewItems(slice string, items []record.Item) error {
	if len(items) < LeastMembers {
		return fmt.Errorf("%w: slice %s has %d items, fewer than %d", ErrTooSmall, slice, len(items),
			LeastMembers)
	}
	if n, _ := record.ClusterNumbers(items); n < LeastClusters {
		return fmt.Errorf("%w: slice %s has %d items in %d clusters, fewer than %d", ErrTooSmall, slice,
			len(items), n, LeastClusters)
	}
	return nil
}

// examplesOf names what slices have for members.
func examplesOf(p *record.Pairs) string {
	if p.Items != nil {
		return "items"
	}
	return "examples"
}
