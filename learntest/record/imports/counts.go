package imports

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// slack is how far a share of counts may be from one at least: the round-off of sums in single
// precision.
const slack = 1e-6

// A precision is how many digits the scores of one writer have at most.
type precision struct{ decimals, significant int }

// A writer is who has written scores: a tool, in one file, of one learner.
type writer struct{ source, learner, unit int32 }

// of takes the digits of a number in decimal.
func (p *precision) of(text string) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimLeft(strings.TrimSpace(text), "+-")), "e")
	shift, err := strconv.Atoi(exponent)
	if err != nil {
		shift = 0 // there is none
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	p.decimals = max(p.decimals, len(fraction)-shift)
	p.significant = max(p.significant, len(strings.TrimLeft(whole+fraction, "0")))
}

// tolerance returns how far a number may be from the one that it was before it was rounded
// or cut off: a unit in its last digit, whether the writer counts decimals or
// significant digits.
func (p precision) tolerance(x float64) float64 {
	unit := math.Pow10(-p.decimals)
	if x != 0 {
		unit = max(unit, math.Pow10(int(math.Floor(math.Log10(math.Abs(x))))+1-p.significant))
	}
	return max(unit, slack)
}

// counted reports whether a metric is the share of the test examples that are right or
// wrong, so that its scores are multiples of one by their number.
func counted(u unit.Unit) bool { return u.Name == "accuracy" || u.Name == "error" }

// countable reports whether x is a share of n examples, within a tolerance.
func countable(x float64, n int, tolerance float64) bool {
	return math.Abs(x-math.Round(x*float64(n))/float64(n)) <= tolerance
}

// fits reports whether a score can be one of even folds.
func fits(x float64, examples, folds int, tolerance float64) bool {
	n := examples / folds
	return countable(x, n, tolerance) || examples%folds > 0 && countable(x, n+1, tolerance)
}

// checkCounts returns an error if a score cannot be that of the test sets that the
// numbers of folds and examples give, since it is no share of so many examples.
func (c *collector) checkCounts(s *set, d *design) error {
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
				return c.countError(s, d, t, unit)
			}
		}
	}
	return nil
}

// tolerance returns that of the score of a trial.
func (s *set) tolerance(t *trial, unit int) float64 {
	return s.digits[writer{t.source, t.learner, int32(unit)}].tolerance(s.values[t.values+unit])
}

// countError returns the error about the score of a trial that is no share.
func (c *collector) countError(s *set, d *design, t *trial, unit int) error {
	n := d.examples / d.folds
	sizes, of := fmt.Sprintf("1/%d", n), "the test size"
	if d.examples%d.folds > 0 {
		sizes, of = fmt.Sprintf("1/%d or 1/%d", n, n+1), "the test sizes"
	}
	msg := fmt.Sprintf("%s %.6g is not a multiple of %s, %s of %d folds of %d examples: ", s.units[unit].Name, s.values[t.values+unit], sizes, of, d.folds, d.examples)
	if folds := s.otherFolds(d, unit); len(folds) > 0 {
		msg += fmt.Sprintf("all scores are with %s folds (%s)", strings.Join(folds, " or "), optFolds)
	} else {
		msg += fmt.Sprintf("give their right numbers (%s, %s)", optFolds, optExamples)
	}
	msg += "; folds that are not even, or scores that are weighted, need columns n_train and n_test"
	return &record.SyntaxError{File: c.sources[t.source], Line: int(t.line), Msg: msg, Err: ErrOptions}
}

// otherFolds returns the first few numbers of folds with which all scores would be
// shares.
func (s *set) otherFolds(d *design, unit int) []string {
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
			if s.failures[int32(i)] == "" && !fits(s.values[t.values+unit], d.examples, k, s.tolerance(t, unit)) {
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
