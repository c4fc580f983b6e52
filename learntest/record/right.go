package record

import (
	"fmt"
	"math"
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

// hasRight reports whether the predictions of single examples can be counted: each run tests each example once, and examples do
// not come in groups, which depend on each other.
func hasRight(h *Header, s *split.Shape) bool {
	return s.Covers() && s.UsesAll() && !s.Halves() && h.ProtocolKind() != "groups" && s.Runs < len(rightLetters)
}

// countsRight reports whether a score is the share of the examples on which a learner is right, or wrong.
func countsRight(u unit.Unit) bool {
	return u.IsFraction() && (u.Name == "accuracy" && u.Better == unit.Higher || u.Name == "error" && u.Better == unit.Lower)
}

// RightOf returns how often a learner is right on each example in the trials of the protocol's own runs that the block has; nil
// if the header does not say.
func (h *Header) RightOf(learner string) []int {
	all, err := parseRight(h.Right)
	at := slices.IndexFunc(all, func(e rightEntry) bool { return e.learner == learner })
	if err != nil || at < 0 {
		return nil
	}
	counts := make([]int, len(all[at].letters))
	for i := range counts {
		counts[i] = strings.IndexByte(rightLetters, all[at].letters[i])
	}
	return counts
}

// SetRight sets Header.Right: how often each learner is right on each example in the trials of the protocol's own runs that the block
// has. A learner is left out whose counts are nil, or do not agree with its scores, as where a trial has failed, or the block has another
// metric of the name accuracy. All are left out under protocols that do not test each example once in each run, and with more than 61 runs.
func SetRight(b *Block, counts func(learner string) []int) {
	b.Header.Right = ""
	if !hasRight(&b.Header, &b.table.shape) {
		return
	}
	var text []byte
	for l, name := range b.Learners {
		c := counts(name)
		if c == nil || agreesRight(b, l, c) != nil {
			continue
		}
		for from := 0; from < len(c); from += rightChunk {
			text = strconv.AppendInt(append(appendName(text, name, "/="), ' '), int64(from), 10)
			text = append(text, ' ')
			for _, n := range c[from:min(from+rightChunk, len(c))] {
				text = append(text, rightLetters[n])
			}
			text = append(text, '\n')
		}
	}
	b.Header.Right = string(text)
}

// TakeRight sets Header.Right to what another block says of the learners all of whose trials of the protocol's own runs the
// block has taken from there.
func TakeRight(b, from *Block) {
	if b.Header.Right = ""; from.Header.Right == "" {
		return
	}
	SetRight(b, func(learner string) []int {
		l, ok := from.index[learner]
		if !ok || len(ownTrials(from, l)) != len(ownTrials(b, b.index[learner])) {
			return nil
		}
		return from.Header.RightOf(learner)
	})
}

// ownTrials returns the places of the trials of a learner in the protocol's own runs.
func ownTrials(b *Block, learner int) (places []int) {
	t := &b.table
	for s, run := range t.runs {
		from, to := t.span(s)
		for place := from; place < to && run <= t.shape.Runs; place++ {
			if t.has(seat{learner, place}) {
				places = append(places, place)
			}
		}
	}
	return places
}

// agreesRight returns an error unless the counts of a learner agree with its scores.
func agreesRight(b *Block, learner int, counts []int) error {
	column := slices.IndexFunc(b.Units, countsRight)
	if column < 0 {
		return fmt.Errorf("key %s is there, and neither accuracy nor error", keyRight)
	}
	t, u, name := &b.table, b.Units[column], b.Learners[learner]
	places, scores := ownTrials(b, learner), t.column(column, learner)
	if len(places) == 0 {
		return fmt.Errorf("key %s is about %s, which has no trials", keyRight, name)
	}
	if len(counts) != t.examples {
		return fmt.Errorf("key %s has %d examples of %s, and the data set %d", keyRight, len(counts), name, t.examples)
	}
	by := 0
	for _, place := range places {
		n := float64(t.testN[place])
		share := scores[place]
		if u.Better == unit.Lower {
			share = 1 - share
		}
		right := math.Round(share * n)
		if !(math.Abs(share-right/n) <= 1e-12) {
			return fmt.Errorf("key %s is about %s, and %s of %v is no share of %v test examples", keyRight, name, u.Name, scores[place], n)
		}
		by += int(right)
	}
	said := 0
	for i, n := range counts {
		if n < 0 || n > t.shape.Runs {
			return fmt.Errorf("key %s says that %s is right on example %d in %d of %d runs", keyRight, name, i, n, t.shape.Runs)
		}
		said += n
	}
	if said != by {
		return fmt.Errorf("key %s says that %s is right %d times, and by its scores it is %d times: one of them was edited", keyRight, name, said, by)
	}
	return nil
}

// checkRight returns an error unless Header.Right, if there is one, agrees with the scores.
func checkRight(b *Block) error {
	all, err := parseRight(b.Header.Right)
	if err != nil {
		return err
	}
	for _, e := range all {
		if err := agreesRight(b, b.index[e.learner], b.Header.RightOf(e.learner)); err != nil {
			return err
		}
	}
	return nil
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
			return nil, fmt.Errorf("key %s: %q is not a learner, a number of an example and letters", keyRight, excerpt([]byte(line)))
		case letters == "" || strings.Trim(letters, rightLetters) != "":
			return nil, fmt.Errorf("key %s: the letters of %s behind example %s are not from 0 to z", keyRight, escaped, excerpt([]byte(from)))
		}
		last := len(all) - 1
		switch is := slices.IndexFunc(all, func(e rightEntry) bool { return e.learner == name }); {
		case is < 0 && from == "0":
			all = append(all, rightEntry{name, letters})
		case is >= 0 && is == last && from == strconv.Itoa(len(all[last].letters)):
			all[last].letters += letters
		default:
			return nil, fmt.Errorf("key %s: example %s of %s does not follow the example before it", keyRight, excerpt([]byte(from)), escaped)
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
			return fmt.Errorf("key %s: learner %q is not one of those under the key %s", keyRight, e.learner, keyLearners)
		}
	}
	return nil
}

// unionRight sets Header.Right of a union of blocks. A learner is left out if a block with trials of it does not say
// on which examples it was right.
func unionRight(u *Block, parts []*Block) {
	SetRight(u, func(learner string) []int {
		var sum []int
		for _, b := range parts {
			l, ok := b.index[learner]
			if !ok || len(ownTrials(b, l)) == 0 {
				continue
			}
			counts := b.Header.RightOf(learner)
			if sum == nil {
				sum = make([]int, len(counts))
			}
			if len(counts) != len(sum) {
				return nil
			}
			for i, n := range counts {
				sum[i] += n
			}
		}
		return sum
	})
}
