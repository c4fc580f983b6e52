// Package flip compares stored predictions: which examples a learner gets wrong that another one,
// or it before a change, got right.
package flip

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/contingency"
	"github.com/learnbench/learnbench/learntest/stat/flips"
	"github.com/learnbench/learnbench/learntest/stat/reliability"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Side is a file of predictions with its name in outputs.
type Side struct {
	Label  string
	Blocks []*predictions.Block
}

// A Pair is a learner's predictions of a data set before and after a change, or a baseline's and
// another learner's.
type Pair struct {
	Data     string
	Old, New string // learners
	Runs     int

	flips.Tally

	// McNemar is the test of whether they are equally often right; nil if there is none, and
	// Untested says why.
	McNemar  *stat.Result
	Untested string

	// Reliability has the bins of the old and the new learner's probabilities; nil if there are
	// none.
	Reliability [2][]reliability.Bin

	Parts []*Part // the slices, if there are any

	block     *predictions.Block    // with the truth
	predicted [][2]*predictions.Run // by the old and the new learner, as Tally.Runs
}

// bins is the number of bins of probabilities.
const bins = 10

// Class returns the name of the true class of an example.
func (p *Pair) Class(example int) string { return p.block.Classes[p.block.Truth(example)] }

// Compare returns the pairs of learners with the same names in both files. Where the files have a
// learner each on a data set, they are a pair under different names, too. notes name those without
// a counterpart.
func Compare(before, after *Side, want func(data, learner string) bool) (pairs []*Pair,
	notes []string, err error,
) {
	paired := make(map[[2]string]bool)
	for _, b := range after.Blocks {
		if !b.Classification() {
			notes = append(notes, fmt.Sprintf("%s: numbers are predicted there, which do not flip", b.Data))
			continue
		}
		a, err := counterpart(before, b)
		if err != nil {
			return nil, nil, err
		}
		if a == nil {
			notes = append(notes, fmt.Sprintf("%s: there are no predictions of it in %s", b.Data,
				before.Label))
			continue
		}
		if copied(a, b) {
			notes = append(notes, fmt.Sprintf("%s: %s is a copy of %s: nothing can have changed", b.Data,
				b.Pos, a.Pos))
		}
		single := len(a.Learners()) == 1 && len(b.Learners()) == 1
		for _, learner := range b.Learners() {
			old := learner
			if single {
				old = a.Learners()[0]
			}
			if !want(b.Data, learner) {
				continue
			}
			if !slices.Contains(a.Learners(), old) {
				notes = append(notes, fmt.Sprintf("%s/%s: there are no predictions of it in %s", b.Data,
					learner, before.Label))
				continue
			}
			if pairs, err = appendPair(pairs, a, b, old, learner); err != nil {
				return nil, nil, err
			}
			paired[[2]string{a.Data, old}] = true
		}
	}
	for _, a := range before.Blocks {
		for _, learner := range a.Learners() {
			if a.Classification() && want(a.Data, learner) && !paired[[2]string{a.Data, learner}] {
				notes = append(notes, fmt.Sprintf("%s/%s: there are no predictions of it in %s", a.Data,
					learner, after.Label))
			}
		}
	}
	return pairs, notes, nil
}

// Against returns the pairs of a baseline and the other learners of a file.
func Against(baseline string, side *Side, want func(data, learner string) bool) (pairs []*Pair,
	notes []string, err error,
) {
	known := false
	for _, b := range side.Blocks {
		if !slices.Contains(b.Learners(), baseline) {
			notes = append(notes, fmt.Sprintf("%s: there are no predictions of %s", b.Data, baseline))
			continue
		}
		known = true
		if !b.Classification() {
			notes = append(notes, fmt.Sprintf("%s: numbers are predicted there, which do not flip", b.Data))
			continue
		}
		for _, learner := range b.Learners() {
			if learner == baseline || !want(b.Data, learner) {
				continue
			}
			if pairs, err = appendPair(pairs, b, b, baseline, learner); err != nil {
				return nil, nil, err
			}
		}
	}
	if !known {
		var names []string
		for _, b := range side.Blocks {
			names = append(names, b.Learners()...)
		}
		slices.Sort(names)
		return nil, nil, fmt.Errorf("-baseline: %s has no learner %q; there are: %s", side.Label,
			baseline, unit.Quoted(slices.Compact(names)))
	}
	return pairs, notes, nil
}

// copied reports whether the predictions of two files are one text.
func copied(a, b *predictions.Block) bool {
	x, err := a.Checksum()
	y, other := b.Checksum()
	return err == nil && other == nil && x == y
}

// counterpart returns the block of the same data set, protocol and test, which must be of the same
// examples; nil if there is none.
func counterpart(side *Side, b *predictions.Block) (*predictions.Block, error) {
	var found []*predictions.Block
	for _, a := range side.Blocks {
		if a.Data == b.Data && a.Protocol == b.Protocol {
			found = append(found, a)
		}
	}
	if len(found) > 1 { // several tests have the data set
		found = slices.DeleteFunc(found,
			func(a *predictions.Block) bool { return a.Identity() != b.Identity() })
	}
	if len(found) == 0 {
		return nil, nil
	}
	a := found[0]
	differ := func(what, remedy string) error {
		return fmt.Errorf("%s: the predictions of %s and %s do not pair: %s: %s", b.Data, a.Pos,
			b.Pos, what, remedy)
	}
	switch {
	case a.DataDigest != b.DataDigest:
		return nil, differ("their data differ",
			"an example of one is no example of the other; run both on the same data")
	case a.SplitDigest != b.SplitDigest:
		return nil, differ("their partitions differ", "run both with the same protocol and version")
	case !slices.Equal(a.Classes, b.Classes):
		return nil, differ("their classes differ", "run both on the same data")
	}
	return a, nil
}

// appendPair adds a pair of learners on the same examples.
func appendPair(pairs []*Pair, a, b *predictions.Block, before, after string) ([]*Pair, error) {
	p := &Pair{Data: b.Data, Old: before, New: after, block: b}
	fail := func(err error) error { return fmt.Errorf("%s/%s: %w", b.Data, after, err) }
	truth, missing := make([]int, b.Examples), []string(nil)
	for i := range truth {
		if truth[i] = b.Truth(i); truth[i] != a.Truth(i) {
			return nil, fail(fmt.Errorf("example %d is of class %s in %s, and %s in %s", i,
				a.Classes[a.Truth(i)], a.Pos, b.Classes[truth[i]], b.Pos))
		}
	}
	shape, err := split.ParseShape(b.Protocol)
	if err != nil {
		return nil, fail(err)
	}
	var sure [2]chances
	for run := 1; run <= shape.Runs; run++ {
		x, y := a.Run(before, run), b.Run(after, run)
		if x == nil || y == nil {
			if x != y {
				missing = append(missing, fmt.Sprint(run))
			}
			continue
		}
		if err := p.Add(truth, classes(x, b.Examples), classes(y, b.Examples)); err != nil {
			return nil, fail(fmt.Errorf("run %d: %w", run, err))
		}
		p.predicted = append(p.predicted, [2]*predictions.Run{x, y})
		sure[0].add(a, x)
		sure[1].add(b, y)
	}
	switch {
	case len(missing) > 0:
		return nil, fail(fmt.Errorf("run %s was predicted on one side only: complete it, as with LEARNTEST_RESUME=1", strings.Join(missing, ", ")))
	case len(p.Tally.Runs) == 0:
		return nil, fail(errors.New("no run was predicted"))
	}
	p.Runs = len(p.Tally.Runs)
	for side := range sure {
		if sure[side].lost || len(sure[side].p) == 0 {
			continue
		}
		if p.Reliability[side], err = reliability.Bins(sure[side].p, sure[side].right, bins); err != nil {
			return nil, fail(err)
		}
	}
	if err := p.test(shape); err != nil {
		return nil, fail(err)
	}
	return append(pairs, p), nil
}

// classes returns the predicted classes of all examples.
func classes(r *predictions.Run, n int) []int {
	all := make([]int, n)
	for i := range all {
		if all[i] = r.Class(i); all[i] == predictions.Missing {
			all[i] = flips.Missing
		}
	}
	return all
}

// test runs McNemar's test where one model of each learner has predicted each example.
func (p *Pair) test(shape split.Shape) error {
	if shape.Runs != 1 || shape.Folds != 1 {
		p.Untested = "McNemar's test is for examples that one model of each learner has predicted, such as a fixed test set: the models of folds share training data, and the verdict on the result files takes that into account"
		return nil
	}
	r, err := contingency.McNemarTest(p.Sum().Pairs(), contingency.Exact, stat.TwoSided)
	p.McNemar = &r
	return err
}

// chances are the probabilities of predicted classes.
type chances struct {
	p     []float64
	right []bool
	lost  bool // they are not known for all
}

// add adds the probabilities of a run. Round-off may have led a little out of their range.
func (c *chances) add(b *predictions.Block, r *predictions.Run) {
	for i := range b.Examples {
		of, class := r.Probabilities(i), r.Class(i)
		if of == nil || class < 0 {
			continue
		}
		right := class == b.Truth(i)
		var p float64
		switch {
		case b.Probabilities == predictions.OfAll:
			p = of[class]
		case right:
			p = of[0]
		case len(b.Classes) == 2:
			p = 1 - of[0]
		default:
			c.lost = true
			return
		}
		if p > -1e-9 && p < 1+1e-9 {
			p = min(max(p, 0), 1)
		}
		c.p, c.right = append(c.p, p), append(c.right, right)
	}
}
