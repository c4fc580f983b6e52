package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/plan"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
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
	return p.open(record.Selection{File: f, Data: data, Learner: candidate}, record.Selection{File: f, Data: data, Learner: baseline}, name)
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
	if data, err = onlyOne(data, "data set", "-data", both, shared(o.DataSets(), n.DataSets())); err != nil {
		return err
	}
	if learner, err = onlyOne(learner, "learner on "+data, "-learner", both, shared(o.Learners(data), n.Learners(data))); err != nil {
		return err
	}
	p.title = fmt.Sprintf("%s in %s vs %s", learner, after, before)
	return p.open(record.Selection{File: n, Data: data, Learner: learner}, record.Selection{File: o, Data: data, Learner: learner}, name)
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
	return slices.DeleteFunc(slices.Clone(a), func(name string) bool { return !slices.Contains(b, name) })
}

// onlyOne returns the name that was chosen, or else the single name in names.
func onlyOne(chosen, what, flag, where string, names []string) (string, error) {
	switch {
	case chosen != "":
		return chosen, nil
	case len(names) == 0:
		return "", fmt.Errorf("no %s is in %s", what, where)
	case len(names) > 1:
		return "", fmt.Errorf("%s: more than one %s: choose with %s of %s", where, what, flag, strings.Join(names, ", "))
	}
	return names[0], nil
}

// open takes the variance from stored results. The title says of what.
func (p *planConfig) open(candidate, baseline record.Selection, name string) (err error) {
	if units := candidate.File.Metrics(candidate.Data, candidate.Learner); name == "" && len(units) > 0 {
		name = units[0].Name
	}
	if p.pairs, err = record.Pair(candidate, baseline, name); err != nil {
		return err
	}
	q := p.pairs
	if kind := q.CandidateHeader.ProtocolKind(); kind != "cv" && kind != "weka" && kind != "groups" && !(kind == "predefined" && dividesExamples(q)) {
		return fmt.Errorf("%q is not cross-validation, which plans are for", q.CandidateHeader.Protocol)
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
	p.title = fmt.Sprintf("plan for %s on %s, %s, %d examples, from %d×%d stored folds", p.title, candidate.Data, q.Unit.Name, p.experiment.Examples, q.Runs, q.Folds)
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
