package record

import (
	"fmt"
	"slices"
	"strings"
)

// Mean returns the mean score of a learner in a metric over the protocol's own runs, in the order
// of runs and folds. It is false unless the block has a score in each of them.
func (b *Block) Mean(learner, metric string) (mean float64, ok bool) {
	sc, err := newScores(b, learner, metric, 0, false)
	if err != nil {
		return 0, false
	}
	return sc.mean(), true
}

// SetMeans sets Header.Means, a list of LEARNER/METRIC=MEAN with names escaped as in the names of
// trials. A diff of a committed file then shows how its means changed. The means cover the trials
// present at the call.
func (b *Block) SetMeans() { b.Header.Means = strings.Join(meansOf(b), " ") }

// meansOf returns what Header.Means lists.
func meansOf(b *Block) []string {
	var means []string
	for _, learner := range b.Learners {
		for _, u := range b.Units {
			if mean, ok := b.Mean(learner, u.Name); ok {
				means = append(means, EscapeName(learner)+"/"+EscapeName(u.Name)+"="+string(appendFloat(nil,
					mean)))
			}
		}
	}
	return means
}

// checkMeans returns an error unless Header.Means, if there are any, are the means of the trials.
// Missing trials are for others to find.
func checkMeans(b *Block) error {
	if b.Header.Means == "" {
		return nil
	}
	said, are := strings.Fields(b.Header.Means), meansOf(b)
	for _, m := range are {
		name, mean, _ := strings.Cut(m, "=")
		at := slices.IndexFunc(said, func(s string) bool { return strings.HasPrefix(s, name+"=") })
		if at < 0 {
			return fmt.Errorf("key %s has no %s, whose trials have the mean %s", keyMeans, name, mean)
		}
		if said[at] != m {
			return fmt.Errorf("key %s says %s, and the mean of the trials is %s: one of them was edited",
				keyMeans, said[at], mean)
		}
		said = slices.Delete(said, at, at+1)
	}
	if len(said) > 0 && b.Check() == nil && len(b.table.failed) == 0 {
		return fmt.Errorf("key %s says %s, of which there are no trials", keyMeans, said[0])
	}
	return nil
}

// Verify returns an error that wraps ErrChecksum unless a block, or each that it was put together
// from, was read with a checksum. (One that is wrong is an error of the reader.) Other tools write
// none: what must not be edited unseen has one.
func Verify(b *Block) error {
	if b.verified {
		return nil
	}
	for _, p := range b.parts {
		if err := Verify(p); err != nil {
			return err
		}
	}
	pos := b.Pos()
	return &SyntaxError{
		pos.File, pos.Line,
		"the block has no checksum, so that nothing shows whether its scores were edited", ErrChecksum,
	}
}
