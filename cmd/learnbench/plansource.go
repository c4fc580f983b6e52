package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/plan"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// openOne takes the variance from the results of two learners in one file.
func (p *planConfig) openOne(path, data, candidate, baseline, name string) error {
	f, err := openResults(path)
	if err != nil {
		return err
	}
	if data, err = onlyOne(data, "data set", "-data", path, f.DataSets()); err != nil {
		return err
	}
	p.title = fmt.Sprintf("%s vs %s", candidate, baseline)
	return p.open(f.Of(data, candidate), f.Of(data, baseline), name)
}

// openTwo takes the variance from the results of one learner in two files.
func (p *planConfig) openTwo(before, after, data, learner, name string) error {
	o, err := openResults(before)
	if err != nil {
		return err
	}
	n, err := openResults(after)
	if err != nil {
		return err
	}
	both := before + " and " + after
	if data, err = onlyOne(data, "data set", "-data", both,
		shared(o.DataSets(), n.DataSets())); err != nil {
		return err
	}
	if learner, err = onlyOne(learner, "learner on "+data, "-learner", both,
		shared(o.Learners(data), n.Learners(data))); err != nil {
		return err
	}
	p.title = fmt.Sprintf("%s in %s vs %s", learner, after, before)
	return p.open(n.Of(data, learner), o.Of(data, learner), name)
}

// openResults opens a file whose experiments are complete.
func openResults(path string) (*record.File, error) {
	f, err := record.Open(path)
	if err != nil {
		return nil, err
	}
	return f, f.Check()
}

// shared returns the names that are in both lists.
func shared(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a),
		func(name string) bool { return !slices.Contains(b, name) })
}

// onlyOne returns the name that was chosen, or else the single name in names.
func onlyOne(chosen, what, flag, where string, names []string) (string, error) {
	switch {
	case chosen != "":
		return chosen, nil
	case len(names) == 0:
		return "", fmt.Errorf("no %s is in %s", what, where)
	case len(names) > 1:
		return "", fmt.Errorf("%s: more than one %s: choose with %s of %s", where, what, flag,
			strings.Join(names, ", "))
	}
	return names[0], nil
}

// open takes the variance from stored results. The title says of what.
func (p *planConfig) open(candidate, baseline record.Selection, name string) (err error) {
	if units := candidate.File.Metrics(candidate.Data, candidate.Learner); name == "" &&
		len(units) > 0 {
		name = units[0].Name
	}
	if p.pairs, err = record.Pair(candidate, baseline, name); err != nil {
		return err
	}
	q := p.pairs
	if q.Items != nil {
		return p.openItems(candidate.Data)
	}
	if kind := split.KindOf(q.CandidateHeader.Protocol); kind != "cv" && kind != "weka" &&
		kind != "groups" && !(kind == "predefined" && dividesExamples(q)) {
		return fmt.Errorf("%q is not cross-validation, which plans are for, beside items",
			q.CandidateHeader.Protocol)
	}
	p.unit, p.experiment.Examples = q.Unit, int(q.TrainN[0]+q.TestN[0])
	n := q.Runs * q.Folds
	p.own = stat.Differences{Runs: q.Runs, Folds: q.Folds, X: make([]float64, n)}
	for i := range n {
		p.own.X[i] = float64(q.Unit.Better) * (q.A[i] - q.B[i])
		p.own.Scale = max(p.own.Scale, math.Abs(q.A[i]), math.Abs(q.B[i]))
	}
	if p.experiment.SD, err = plan.SDOf(p.own, p.experiment.Examples); err != nil {
		return err
	}
	p.seconds = secondsOf(candidate, baseline)
	p.title = fmt.Sprintf("plan for %s on %s, %s, %d examples, from %d×%d stored folds", p.title,
		candidate.Data, q.Unit.Name, p.experiment.Examples, q.Runs, q.Folds)
	return nil
}

// dividesExamples reports whether the test sets of each run are as many examples as there are in
// all, as in cross-validation.
func dividesExamples(q *record.Pairs) bool {
	if q.Folds < 2 {
		return false
	}
	examples := int(q.TrainN[0] + q.TestN[0])
	for run := range q.Runs {
		tested := 0
		for i := run * q.Folds; i < (run+1)*q.Folds; i++ {
			if int(q.TrainN[i]+q.TestN[i]) != examples {
				return false
			}
			tested += int(q.TestN[i])
		}
		if tested != examples {
			return false
		}
	}
	return true
}

// secondsOf returns the mean time of a trial in the selections, 0 if it is not known.
func secondsOf(selections ...record.Selection) float64 {
	sum, n := 0.0, 0
	for _, s := range selections {
		for _, b := range s.File.Blocks() {
			if b.Header.Data != s.Data || b.Timeless || b.Header.IsSecondOpinion() {
				continue
			}
			for t := range b.Trials() {
				if t.Learner == s.Learner {
					sum += t.FitSeconds + t.PredictSec
					n++
				}
			}
		}
	}
	return sum / float64(max(1, n))
}

// replicability says what the stored runs let expect of others.
func (p *planConfig) replicability(b *strings.Builder) error {
	test := stat.MustLookup("corrected-cv-t")
	for _, runs := range []int{1, 2, 5, 10, 20, 50} {
		if runs > p.own.Runs || p.own.Runs < 2 {
			break
		}
		r, err := replicate.Retest{Test: test, Runs: runs, Alpha: p.experiment.Alpha}.Predict(p.own)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "%d×%d: replicability %.3f, 90%% interval %.3f to %.3f\n", runs, p.own.Folds,
			r.R, r.Lo, r.Hi)
	}
	ts := make([]float64, 0, p.own.Runs)
	for j := range p.own.Runs {
		run := stat.Differences{
			Runs: 1, Folds: p.own.Folds,
			X: p.own.X[j*p.own.Folds : (j+1)*p.own.Folds], Scale: p.own.Scale,
		}
		r, err := stat.PairedTTest(run, stat.TwoSided)
		if err != nil {
			return err
		}
		if r.SE == 0 {
			return nil // a t of a partition is undefined
		}
		ts = append(ts, r.Statistic)
	}
	if len(ts) < 2 {
		return nil
	}
	n, err := plan.Partitions(ts, float64(p.own.Folds-1), p.experiment.Alpha/2, p.experiment.Alpha)
	switch {
	case err != nil:
		return err
	case n == 0:
		fmt.Fprintf(b, "no number of partitions would satisfy the sufficiency test of Bradford and Brodley: the mean t is at its critical value\n")
	default:
		fmt.Fprintf(b, "the sufficiency test of Bradford and Brodley asks for %d partitions of %d folds\n", n, p.own.Folds)
	}
	return nil
}

// settled says how many of the stored runs would have settled a claim, at the usual γ.
func (p *planConfig) settled(b *strings.Builder) {
	const gamma = 0.01
	for _, x := range []struct {
		what  string
		claim verdict.Claim
	}{{"a difference", verdict.Claim{Alpha: p.experiment.Alpha}}, {
		"a margin of " + p.amount(p.margin),
		p.claim(p.margin),
	}} {
		if x.claim.Kind == verdict.NoRegression && p.margin == 0 {
			continue
		}
		x.claim.Settle = gamma
		v := verdict.Judge(p.pairs, x.claim, verdict.Bare)
		if v.Outcome == verdict.Invalid || v.Settled.Why != "" {
			continue // a claim of no sense, or two runs
		}
		fmt.Fprintf(b, "%s is settled by the first %d of these %d runs (run -settle %v): %s trainings of %d\n", x.what, v.Settled.After, v.Settled.Runs, gamma,
			p.cost(2*v.Folds*v.Settled.After), 2*v.Folds*v.Settled.Runs)
	}
}
