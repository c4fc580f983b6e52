package study

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

func aaStudy() Study {
	return Study{
		Name: "aa",
		Doc:  "how often the default test, alone and with a second opinion, finds a difference where there is none, for a protocol, data and learners of one's own",
		Run: func(ctx context.Context, cfg Config) (*Report, error) {
			return FalseAlarms(ctx, cfg, Calibration{})
		},
	}
}

// FalseAlarms applies the test that is the default for the protocol to an experiment in
// which there is no difference, over and over, and reports how often it finds one, in either
// direction, with the exact 95% interval of Clopper and Pearson for the probability. Where
// the protocol has a second opinion ([split.Protocol.Halves], 20 halvings of 5 folds), it
// also reports how often both find one; halves are trained only where the test has rejected.
//
// The error wraps [ErrConfig] for an experiment that makes no sense, such as one learner that
// draws no random numbers and is compared with itself, and otherwise is the error of the first
// trial that failed.
func FalseAlarms(ctx context.Context, cfg Config, c Calibration) (_ *Report, err error) {
	e, l, sets, err := c.open(cfg.lab(), 400)
	if err != nil {
		return nil, err
	}
	defer l.Close(&err)
	found := make([]alarm, sets)
	err = l.Each(ctx, e.source, e.n, sets, func(ctx context.Context, s *lab.Drawn) (err error) {
		found[s.Index], err = e.alarm(ctx, s)
		return err
	})
	if err != nil {
		return nil, err
	}
	var first, both alarms
	different := false
	for _, a := range found {
		first.add(a.first, a.leads)
		both.add(a.both, a.leads)
		different = different || a.different
	}
	if !different {
		return nil, fmt.Errorf("%w: %s are equally good in all trials: that says nothing about the test: name two learners that differ, or one that draws random numbers", ErrConfig, e.learners)
	}
	return &Report{Tables: []Table{e.alarmTable(first, both)}}, nil
}

// An alarm is the outcome of both tests on a data set without any difference.
type alarm struct {
	first, both bool // the test rejects, and so does the second opinion
	leads       bool // the candidate is ahead
	different   bool // in any trial
}

// defaultTest is the one that claims are judged by.
func (e *experiment) defaultTest() stat.Test {
	if e.protocol.Folds() == 1 {
		return stat.MustLookup("corrected-resampled-t")
	}
	return stat.MustLookup("corrected-cv-t")
}

// secondOpinion returns the protocol of the halves, and whether there is one.
func (e *experiment) secondOpinion() (split.Protocol, bool) {
	h, err := e.protocol.Halves(halvings[bothShort], halfFolds)
	return h, err == nil
}

func (e *experiment) alarm(ctx context.Context, s *lab.Drawn) (a alarm, err error) {
	d, err := s.Differences(ctx, e.protocol, e.candidate, e.baseline)
	if err != nil {
		return a, err
	}
	for _, x := range d.X {
		a.different = a.different || x != 0
	}
	r, err := e.defaultTest().Run(d, stat.TwoSided)
	if err != nil {
		return a, err
	}
	a.first, a.leads = r.P <= e.alpha, r.Mean > 0
	halves, ok := e.secondOpinion()
	if !a.first || !ok {
		return a, nil
	}
	h, err := s.Differences(ctx, halves, e.candidate, e.baseline)
	if err != nil {
		return a, err
	}
	a.both, err = agree(d, h, e.alpha)
	return a, err
}

// alarms counts them.
type alarms struct {
	lab.Proportion
	leads int // alarms that find the candidate better
}

func (a *alarms) add(rejected, leads bool) {
	a.N++
	a.K += lab.Indicator(rejected)
	a.leads += lab.Indicator(rejected && leads)
}

func (e *experiment) alarmTable(first, both alarms) Table {
	t := Table{
		Title: "False alarms",
		Notes: []string{
			fmt.Sprintf("Of %s on %d data sets of %d examples from the source %s, by %s: on how many a test finds a difference at the level %v, in either direction, although there is none, in percent with the exact 95%% interval, and how many of these find the first learner better.",
				e.learners, first.N, e.n, e.source.ID(), protocolWithoutSeed(e.protocol), e.alpha),
		},
		Columns: []string{"test", "false alarms", "data sets", "%", "95% interval", "first better"},
	}
	if _, ok := e.source.(*relabelled); ok {
		t.Notes = append(t.Notes, "With classes that can be learned, learners vary more or less than with random ones: this does not tell stable learners from unstable ones, and is no bound on the error rate on such data. Only a second opinion is.")
	}
	row := func(name string, a alarms) {
		lo, hi := interval(a.K, a.N)
		t.Add(name, fmt.Sprint(a.K), fmt.Sprint(a.N), lab.Percent(a.Share()),
			lab.Percent(lo)+" to "+lab.Percent(hi), fmt.Sprint(a.leads))
	}
	row(e.defaultTest().Name, first)
	if h, ok := e.secondOpinion(); ok {
		row(fmt.Sprintf("and halves m=%d", h.Runs()), both)
	}
	return t
}
