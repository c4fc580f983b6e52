package imports

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// checkCounts returns an error if a score does not fit the test sets that follow from the
// numbers of folds and examples, since it is no share of so many examples.
func (d *design) checkCounts() error {
	s := d.set
	for unit, u := range s.units {
		if !counted(u) {
			continue
		}
		for i := range s.trials {
			t := &s.trials[i]
			if !t.even || s.failures[int32(i)] != "" {
				continue
			}
			if x := s.values[t.values+unit]; !fits(x, d.examples, d.folds, s.tolerance(t, unit)) {
				return d.countError(t, unit)
			}
		}
	}
	return nil
}

// tolerance returns the tolerance of the score of a trial.
func (s *set) tolerance(t *trial, unit int) float64 {
	return s.digits[writer{t.source, t.learner, int32(unit)}].tolerance(s.values[t.values+unit])
}

// countError returns the error about the score of a trial that is no share.
func (d *design) countError(t *trial, unit int) error {
	s, c := d.set, d.c
	n := d.examples / d.folds
	sizes, of := fmt.Sprintf("1/%d", n), "the test size"
	if d.examples%d.folds > 0 {
		sizes, of = fmt.Sprintf("1/%d or 1/%d", n, n+1), "the test sizes"
	}
	msg := fmt.Sprintf("%s %.6g is not a multiple of %s, %s of %d folds of %d examples: ",
		s.units[unit].Name, s.values[t.values+unit], sizes, of, d.folds, d.examples)
	if folds := d.otherFolds(unit); len(folds) > 0 {
		msg += fmt.Sprintf("all scores are with %s folds (%s)", strings.Join(folds, " or "), optFolds)
	} else {
		msg += fmt.Sprintf("give their right numbers (%s, %s)", optFolds, optExamples)
	}
	msg += "; folds that are not even, or scores that are weighted, need columns " + c.sizeColumns()
	return &record.SyntaxError{File: c.sources[t.source], Line: int(t.line), Msg: msg, Err: ErrOptions}
}

// otherFolds returns the first few numbers of folds with which all scores would be
// shares.
func (d *design) otherFolds(unit int) []string {
	s := d.set
	const most = 2
	var found []string
	cells := d.runs * d.folds
	for k := 2; k <= min(cells, d.examples) && len(found) < most; k++ {
		if k == d.folds || cells%k > 0 {
			continue
		}
		all := true
		for i := range s.trials {
			t := &s.trials[i]
			if s.failures[int32(i)] == "" && !fits(s.values[t.values+unit], d.examples, k,
				s.tolerance(t, unit)) {
				all = false
				break
			}
		}
		if all {
			found = append(found, strconv.Itoa(k))
		}
	}
	return found
}

// telling is how many scores it takes for a coincidence of all to be none: one in two of the shares
// of a test set are shares of one that has half the size.
const telling = 12

// finer returns a note if all scores of a metric are shares of the smaller test sets of more folds,
// too, as where runs of ten folds were taken for twice as many runs of five. It is empty if they
// are not, or too few to tell.
func (d *design) finer() string {
	s := d.set
	for unit, u := range s.units {
		if !counted(u) {
			continue
		}
		inner := 0 // scores that are neither 0 nor 1, and precise enough
		for i := range s.trials {
			t := &s.trials[i]
			if !t.even || s.failures[int32(i)] != "" {
				continue
			}
			x := s.values[t.values+unit]
			if x > 0 && x < 1 && s.tolerance(t, unit)*float64(d.examples/d.folds) < 0.1 {
				inner++
			}
		}
		if inner < telling {
			continue
		}
		for _, text := range d.otherFolds(unit) {
			if k, err := strconv.Atoi(text); err == nil && k > d.folds && d.examples%k == 0 {
				return fmt.Sprintf("data set %s: all scores in %s are shares of the smaller test sets of %d folds, too: check the number of folds (%s), on which every interval depends", s.name, u.Name, k, optFolds)
			}
		}
	}
	return ""
}
