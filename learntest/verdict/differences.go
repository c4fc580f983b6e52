package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// checkPairs returns an error unless there is a finite score of both learners
// for each fold of each run.
func checkPairs(p *record.Pairs) error {
	n := (p.Runs + p.More) * p.Folds
	if p.Runs < 1 || p.More < 0 || n == 0 || len(p.A) != n || len(p.B) != n || len(p.TrainN) != n ||
		len(p.TestN) != n {
		return fmt.Errorf("%d candidate and %d baseline scores, %d and %d sizes for %d runs of %d folds",
			len(p.A), len(p.B), len(p.TrainN), len(p.TestN), p.Runs, p.Folds)
	}
	for i := range n {
		for _, s := range []struct {
			learner string
			score   float64
		}{{p.Candidate, p.A[i]}, {p.Baseline, p.B[i]}} {
			if math.IsNaN(s.score) || math.IsInf(s.score, 0) {
				return fmt.Errorf("%s of %s, run %d, fold %d, is %v", p.Unit.Name, s.learner, i/p.Folds+1,
					i%p.Folds+1, s.score)
			}
		}
	}
	return nil
}

// ownDifferences returns the differences in the protocol's own runs.
func ownDifferences(p *record.Pairs) (stat.Differences, error) {
	if p.Slice == nil || p.Items != nil {
		return differences(p, 0, p.Runs), nil
	}
	n := p.Runs * p.Folds
	d, err := linearised(p, n)
	if err != nil {
		return d, err
	}
	train, tested := 0, 0
	for i := range n {
		train, tested = train+int(p.TrainN[i]), tested+int(p.TestN[i])
	}
	d.Ratio = float64(tested) / float64(train)
	if !d.Zero() {
		d.LeastVariance = sliceFloor(p)
	}
	return d, nil
}

// differences returns the differences in runs from..from+runs-1, counted from 0, in the
// direction in which the metric is better.
func differences(p *record.Pairs, from, runs int) stat.Differences {
	lo, hi := from*p.Folds, (from+runs)*p.Folds
	d := stat.Differences{Runs: runs, Folds: p.Folds, X: make([]float64, hi-lo)}
	train, tested := 0, 0
	for i := range d.X {
		a, b := p.A[lo+i], p.B[lo+i]
		d.X[i] = float64(p.Unit.Better) * (a - b)
		for _, x := range [...]float64{math.Abs(a), math.Abs(b)} {
			if x > d.Scale {
				d.Scale = x
			}
		}
		train += int(p.TrainN[lo+i])
		tested += int(p.TestN[lo+i])
	}
	d.Ratio = float64(tested) / float64(train)
	if !d.Zero() {
		d.LeastVariance = leastVariance(p, lo, hi)
	}
	return d
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// leastVariance returns what the variance of the differences in a metric is at least taken for:
// scores that are means over few examples are counts, whose differences may be equal by chance. It
// is the variance of rounding to the next count, averaged over the cells.
func leastVariance(p *record.Pairs, from, to int) float64 {
	if !p.Unit.IsMean() {
		return 0
	}
	sum := 0.0
	for _, n := range p.TestN[from:to] {
		step := p.Unit.Span() / float64(n)
		sum += float64(step*step) / 12
	}
	if math.IsInf(sum, 1) { // a cell that tests nothing
		return 0
	}
	return sum / float64(to-from)
}

// linearised returns the differences on a slice in the protocol's own runs, in the direction in
// which the metric is better.
func linearised(p *record.Pairs, n int) (stat.Differences, error) {
	s := p.Slice
	sums := make([]float64, n)
	perMember := float64(s.Members) / s.Scale
	for i := range sums {
		sums[i] = float64(p.Unit.Better) * (p.A[i] - p.B[i]) * perMember
	}
	return stat.Slice{Members: s.Members, Counts: s.Counts[:n]}.Linearise(sums, n/p.Folds, p.Folds)
}

// scoreOf returns the score of a slice: the sum over its members over their number, as a mean over
// the runs that cover the examples, or over all cells.
func scoreOf(s *record.PairedSlice, values []float64, folds int) float64 {
	span := folds
	if folds == 1 {
		span = len(values)
	}
	total := 0.0
	for from := 0; from < len(values); from += span {
		sum, members := 0.0, 0.0
		for i := from; i < from+span; i++ {
			sum, members = sum+values[i], members+float64(s.Counts[i])
		}
		total += sum * float64(s.Members) / s.Scale / members
	}
	return total * float64(span) / float64(len(values))
}

// sliceFloor returns what the variance of differences on a slice is at least taken for: the
// variance of rounding to the next count of the members of a cell.
func sliceFloor(p *record.Pairs) float64 {
	if !p.Unit.IsMean() {
		return 0
	}
	step := p.Unit.Span() * p.Slice.Scale / float64(p.Slice.Members)
	return math.Min(float64(step*step)/12, math.MaxFloat64)
}
