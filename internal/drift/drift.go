// Package drift simulates histories of commits of which each makes a model a little
// worse, and finds how many of them pass gates unseen. It is why there are budgets
// against a pinned reference.
package drift

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Design describes the simulation: histories of commits, each judged on the same 10×10
// folds.
//
// The score of a fold changes with each commit by -Loss plus normal noise of the
// deviation Noise: what one commit does to the model stays with those after it. The noise
// of two folds has the correlation 1/10 that the corrected test assumes, so that the test
// is exact here: what a gate lets through is not the test's own error.
type Design struct {
	Commits int
	Loss    float64 // of each commit, as a fraction: 0.002 is 0.2 points
	Noise   float64 // of one fold and commit
	Budget  float64
}

// The gates, in the order of [Passed].
var gates = []string{
	"significance test against the previous commit",
	"significance test against the reference", "budget against the reference",
}

// Passed is how many of all histories no commit of which has failed a gate so far, by
// commit, counted from 0, and gate: no significant regression from the previous commit, none
// from the reference before the first commit, and a loss against the reference that is
// shown to be within the budget.
type Passed [][3]int

const (
	runs, folds = 10, 10
	n           = runs * folds
	correlation = 0.1
)

// Simulate simulates histories. The result depends on the seed only.
func (d Design) Simulate(histories int, seed uint64) (Passed, error) {
	lasted := make([][3]int, histories) // commits that each gate has let through
	errs := make([]error, histories)
	var workers sync.WaitGroup
	width := runtime.GOMAXPROCS(0)
	for w := range width {
		workers.Go(func() {
			for i := w; i < histories; i += width {
				lasted[i], errs[i] = d.history(rand.New(rand.NewPCG(seed, uint64(i))))
			}
		})
	}
	workers.Wait()
	passed := make(Passed, d.Commits)
	for i, l := range lasted {
		if errs[i] != nil {
			return nil, errs[i]
		}
		for gate, commits := range l {
			for k := range commits {
				passed[k][gate]++
			}
		}
	}
	return passed, nil
}

// history simulates one, until all gates have failed.
func (d Design) history(r *rand.Rand) (lasted [3]int, err error) {
	var failed [3]bool
	lost, step := differences(), differences() // from the reference, and from the previous commit
	for range d.Commits {
		shared := math.Sqrt(correlation) * r.NormFloat64()
		for i := range step.X {
			noise := shared + float64(math.Sqrt(1-correlation)*r.NormFloat64())
			step.X[i] = float64(d.Noise*noise) - d.Loss
			lost.X[i] += step.X[i]
		}
		for gate := range failed {
			if failed[gate] {
				continue
			}
			switch gate {
			case 0:
				failed[gate], err = regressed(step)
			case 1:
				failed[gate], err = regressed(lost)
			case 2:
				failed[gate], err = overdrawn(lost, d.Budget)
			}
			if err != nil {
				return lasted, err
			}
			if !failed[gate] {
				lasted[gate]++
			}
		}
		if failed == [3]bool{true, true, true} {
			break
		}
	}
	return lasted, nil
}

func differences() stat.Differences {
	return stat.Differences{
		Runs: runs, Folds: folds, X: make([]float64, n), Ratio: 1.0 / (folds - 1),
		Scale: 1,
	}
}

// test is the default test of package verdict, whose verdicts these are without all
// that they say beside.
var test = stat.MustLookup("corrected-cv-t")

// regressed reports whether the candidate is significantly worse.
func regressed(d stat.Differences) (bool, error) {
	r, err := test.Run(d, stat.TwoSided)
	return r.P <= verdict.DefaultAlpha && r.Estimate < 0, err
}

// overdrawn reports whether the loss is not shown to be within the budget.
func overdrawn(d stat.Differences, budget float64) (bool, error) {
	r, err := test.Against(d, -budget, stat.Greater)
	return !(r.P <= verdict.DefaultAlpha), err
}

// Table returns what passes after the given numbers of commits as a table in Markdown,
// with a line for each.
func (p Passed) Table(histories int, commits []int, loss float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| commits | lost in truth | %s |\n|---:|---:|---:|---:|---:|\n",
		strings.Join(gates, " | "))
	for _, k := range commits {
		fmt.Fprintf(&b, "| %d | %.1f points | %s |\n", k, 100*float64(k)*loss, p.row(histories, k))
	}
	return b.String()
}

// row returns what passes after so many commits, in percent.
func (p Passed) row(histories, commits int) string {
	var cells []string
	for _, count := range p[commits-1] {
		cells = append(cells, fmt.Sprintf("%.1f%%", 100*float64(count)/float64(histories)))
	}
	return strings.Join(cells, " | ")
}
