package study

import (
	"context"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A falseClaim is a claim that is just not true: the true difference is where it begins.
type falseClaim struct {
	name  string
	claim func(margin float64) verdict.Claim
	at    []float64 // true differences, in margins
}

// gained is the gain that is claimed, and the rope of an improvement, in margins.
const gained = 0.1

// falseClaims returns the claims that tests make. A budget is the claim of no regression.
func falseClaims() []falseClaim {
	bayes := func(k verdict.Kind, rope float64) func(float64) verdict.Claim {
		return func(m float64) verdict.Claim {
			return verdict.Claim{Kind: k, Rope: rope * m, Probability: 1 - gateLevel}
		}
	}
	return []falseClaim{
		{"differs", func(float64) verdict.Claim { return verdict.Claim{} }, []float64{0}},
		{"improves, one-sided", func(float64) verdict.Claim {
			return verdict.Claim{
				Kind:     verdict.Improves,
				OneSided: true,
			}
		}, []float64{0}},
		{"gain, one-sided", func(m float64) verdict.Claim {
			return verdict.Claim{Kind: verdict.Improves, OneSided: true, Gain: gained * m}
		}, []float64{gained}},
		{"no regression, budget", func(m float64) verdict.Claim { return verdict.Claim{Kind: verdict.NoRegression, Margin: m} }, []float64{-1}},
		{"equivalent", func(m float64) verdict.Claim {
			return verdict.Claim{
				Kind:   verdict.Equivalent,
				Margin: m,
			}
		}, []float64{-1, 1}},
		{"Bayes, improves", bayes(verdict.Improves, gained), []float64{gained}},
		{"Bayes, no regression", bayes(verdict.NoRegression, 1), []float64{-1}},
		{"Bayes, equivalent", bayes(verdict.Equivalent, 1), []float64{-1, 1}},
	}
}

// A claimNull is a null with the unit of its scores and a margin, several standard errors wide.
type claimNull struct {
	null
	unit   unit.Unit
	margin float64
}

// claimNulls returns the nulls of claims, of which each learner has one that is hard on it.
func claimNulls() ([]claimNull, error) {
	all, err := nulls()
	if err != nil {
		return nil, err
	}
	accuracy := metric.Accuracy().Unit
	var chosen []claimNull
	for _, c := range []struct {
		name   string
		unit   unit.Unit
		margin float64
	}{
		{"1-NN, n = 300", accuracy, 0.1},
		{"1-NN, n = 100", accuracy, 0.15},
		{"5-NN, n = 100", accuracy, 0.15},
		{"naive Bayes, n = 300", accuracy, 0.1},
		{"naive Bayes, log loss, n = 300", metric.LogLoss().Unit, 0.2},
		{"C4.5, n = 300", accuracy, 0.1},
		{"C4.5, 4 attributes, shift 0.5, balanced, n = 50", accuracy, 0.3},
		{"C4.5, 4 attributes, shift 0.5, balanced, n = 100", accuracy, 0.2},
		{"C4.5, 4 attributes, shift 0.3, balanced, n = 300", accuracy, 0.15},
		{"least squares, RMSE, n = 300", metric.RMSE().Unit, 0.5},
		{"1-NN, groups, n = 300", accuracy, 0.1},
	} {
		for i := range all {
			if all[i].String() == c.name {
				chosen = append(chosen, claimNull{all[i], c.unit, c.margin})
			}
		}
	}
	return chosen, nil
}

// pairs returns the scores of both learners if the candidate were better by shift in each trial,
// which divides so many examples.
func (u *claimNull) pairs(a, b []float64, shift float64, p split.Protocol,
	examples int,
) *record.Pairs {
	h := &record.Header{Protocol: p.String()}
	x := &record.Pairs{
		Data: u.source.ID(), Candidate: u.candidate.Name, Baseline: u.baseline.Name, Unit: u.unit,
		CandidateHeader: h, BaselineHeader: h, Runs: p.Runs(), Folds: len(a) / p.Runs(),
		A: shifted(a, float64(u.unit.Better)*shift), B: b,
		TrainN: make([]int32, len(a)), TestN: make([]int32, len(a)),
	}
	tested := u.n / x.Folds
	for i := range a {
		x.TrainN[i], x.TestN[i] = int32(examples-tested), int32(tested)
	}
	return x
}

// A claimSet has the findings on a data set: which claims hold, by the first test and by both, at
// each of their differences.
type claimSet struct {
	alone, both [][]bool
	mean        float64 // in the direction in which the metric is better
	rejects     bool    // the default test, at no difference
	confirmed   bool    // the second opinion agrees then
	fresher     bool    // the model of the learner that the default test prefers is better on fresh examples
}

// judge judges all claims on a data set.
func (u *claimNull) judge(ctx context.Context, s *lab.Drawn) (found claimSet, err error) {
	p := u.planned()
	_, a, err := s.Scores(ctx, p, u.candidate)
	if err != nil {
		return found, err
	}
	_, b, err := s.Scores(ctx, p, u.baseline)
	if err != nil {
		return found, err
	}
	for i := range a {
		found.mean += float64(u.unit.Better) * (a[i] - b[i]) / float64(len(a))
	}
	for _, c := range falseClaims() {
		alone, both := make([]bool, len(c.at)), make([]bool, len(c.at))
		for i, at := range c.at {
			if alone[i], both[i], err = u.holds(ctx, s, a, b, c.claim(u.margin), at*u.margin); err != nil {
				return found, fmt.Errorf("%v, %s: %w", u, c.name, err)
			}
		}
		found.alone, found.both = append(found.alone, alone), append(found.both, both)
	}
	found.rejects, found.confirmed = found.alone[0][0], found.both[0][0]
	if found.rejects {
		found.fresher, err = u.better(ctx, s, found.mean > 0)
	}
	return found, err
}

// holds reports whether a claim holds at a true difference by the first test, and with a second
// opinion.
func (u *claimNull) holds(ctx context.Context, s *lab.Drawn, a, b []float64, c verdict.Claim,
	at float64,
) (alone, both bool, err error) {
	p := u.planned()
	x := u.pairs(a, b, at, p, u.n)
	v := verdict.Judge(x, c, verdict.Bare)
	if v.Err != nil || !v.Holds {
		return false, false, v.Err
	}
	c.Halvings = halvings[bothShort]
	halves, err := p.Halves(c.Halvings, halfFolds)
	if err != nil {
		return false, false, err
	}
	_, ha, err := s.Scores(ctx, halves, u.candidate)
	if err != nil {
		return false, false, err
	}
	_, hb, err := s.Scores(ctx, halves, u.baseline)
	if err != nil {
		return false, false, err
	}
	x.Second = u.pairs(ha, hb, at, halves, u.n/2)
	v = verdict.Judge(x, c, verdict.Bare)
	return true, v.Holds, v.Err
}

// freshExamples is the number of fresh examples that models of all examples are tested on.
const freshExamples = 4000

// better reports whether the model that the candidate, or the baseline, learns from all examples is
// better on fresh ones.
func (u *claimNull) better(ctx context.Context, s *lab.Drawn, candidate bool) (bool, error) {
	t, err := s.Data()
	if err != nil {
		return false, err
	}
	fresh, err := u.source.Table(t.Name(), freshExamples, lab.Derive(uint64(s.Index), u.n, 1))
	if err != nil {
		return false, err
	}
	whole, err := stacked(t, fresh)
	if err != nil {
		return false, err
	}
	plan, err := split.Predefined([]split.Fold{{
		Train: sequence(0, u.n),
		Test:  sequence(u.n, freshExamples),
	}}).Plan(split.Examples{N: whole.Len()})
	if err != nil {
		return false, err
	}
	a, err := u.candidate.Bind().Scores(ctx, whole, plan)
	if err != nil {
		return false, err
	}
	b, err := u.baseline.Bind().Scores(ctx, whole, plan)
	if err != nil {
		return false, err
	}
	lead := float64(u.unit.Better) * (a[0] - b[0])
	return candidate && lead > 0 || !candidate && lead < 0, nil
}

// A claimRow has the findings on all data sets of a null.
type claimRow struct {
	of          *claimNull
	alone, both []lab.Proportion // of the true difference at which more claims hold
	sd          float64
	fresh       lab.Proportion // of the data sets on which the default test rejects
	freshBoth   lab.Proportion // of those on which both do
	turned      lab.Proportion // of the data sets on which the default test finds a detectable difference
}

func newClaimRow(u *claimNull, sets []claimSet) claimRow {
	row := claimRow{of: u}
	larger := func(of func(*claimSet) [][]bool) (p []lab.Proportion) {
		for c := range of(&sets[0]) {
			most := 0
			for at := range of(&sets[0])[c] {
				k := 0
				for i := range sets {
					k += lab.Indicator(of(&sets[i])[c][at])
				}
				most = max(most, k)
			}
			p = append(p, lab.Proportion{K: most, N: len(sets)})
		}
		return p
	}
	row.alone = larger(func(s *claimSet) [][]bool { return s.alone })
	row.both = larger(func(s *claimSet) [][]bool { return s.both })
	squares := 0.0
	for _, s := range sets {
		squares += float64(s.mean * s.mean)
		if s.rejects {
			row.fresh.N++
			row.fresh.K += lab.Indicator(s.fresher)
		}
		if s.confirmed {
			row.freshBoth.N++
			row.freshBoth.K += lab.Indicator(s.fresher)
		}
	}
	row.sd = math.Sqrt(squares / float64(len(sets)))
	return row
}

// turns reports whether the default test finds a difference of shift in each trial, in its
// direction, and whether two sets of halvings then disagree.
func (u *claimNull) turns(ctx context.Context, s *lab.Drawn, shift float64) (finds, turned bool,
	err error,
) {
	d, err := s.Differences(ctx, u.planned(), u.candidate, u.baseline)
	if err != nil {
		return false, false, err
	}
	null := -shift * float64(u.unit.Better)
	d = d.From(null)
	r, err := defaultGate.test().Run(d, stat.TwoSided)
	if finds = r.P <= gateLevel && r.Mean*null < 0; err != nil || !finds {
		return finds, false, err
	}
	halves, err := u.planned().Halves(halvings[bothLong], halfFolds)
	if err != nil {
		return finds, false, err
	}
	h, err := s.Differences(ctx, halves, u.candidate, u.baseline)
	if err != nil {
		return finds, false, err
	}
	h = h.From(null)
	m := halvings[bothShort]
	first, err := agree(d, lab.Part(h, 0, m), gateLevel)
	if err != nil {
		return finds, false, err
	}
	second, err := agree(d, lab.Part(h, m, m), gateLevel)
	return finds, first != second, err
}
