package record

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/learnbench/learnbench/learntest/unit"
)

// SetRight sets Header.Right: how often each learner is right on each example in the trials of the
// protocol's own runs that the block has. A learner is left out whose counts are nil, or do not
// agree with its scores, as where a trial has failed, or the block has another metric of the name
// accuracy. All are left out under protocols that do not test each example once in each run, and
// with more than 61 runs.
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

// TakeRight sets Header.Right to what another block says of the learners all of whose trials of the
// protocol's own runs the block has taken from there.
func TakeRight(b, from *Block) {
	if b.Header.Right = ""; from.Header.Right == "" {
		return
	}
	SetRight(b, func(learner string) []int {
		l, ok := from.index[learner]
		if !ok || len(ownTrials(from, l)) != len(ownTrials(b, b.index[learner])) {
			return nil
		}
		return from.Header.Of(learner).Right()
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
		return fmt.Errorf("key %s has %d examples of %s, and the data set %d", keyRight, len(counts),
			name, t.examples)
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
			return fmt.Errorf("key %s is about %s, and %s of %v is no share of %v test examples", keyRight,
				name, u.Name, scores[place], n)
		}
		by += int(right)
	}
	said := 0
	for i, n := range counts {
		if n < 0 || n > t.shape.Runs {
			return fmt.Errorf("key %s says that %s is right on example %d in %d of %d runs", keyRight, name,
				i, n, t.shape.Runs)
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
		if err := agreesRight(b, b.index[e.learner], b.Header.Of(e.learner).Right()); err != nil {
			return err
		}
	}
	return nil
}
