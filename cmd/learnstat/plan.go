package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
)

// A pairing is two learners to compare on a data set.
type pairing struct{ data, candidate, baseline string }

// String returns the label of the pairing's rows.
func (p pairing) String() string { return p.data + "/" + p.candidate }

// A plan is what is to be compared.
type plan struct {
	candidate, baseline *side // of one file, the same

	explicit bool // metrics were chosen
	rows     []*row
	notes    []string // what is left out, and no problem
	problems []error  // what ought to be compared and cannot be
}

// newPlan decides what is compared. It returns an error if that is nothing, or
// if the flags do not fit the files.
func newPlan(c *config, sides []*side) (*plan, error) {
	p := &plan{candidate: sides[len(sides)-1], baseline: sides[0], explicit: len(c.metrics) > 0}
	pairings, err := p.pairings(c)
	if err != nil {
		return nil, err
	}
	var metrics []string
	for _, pair := range pairings {
		metrics = merged(metrics, merged(p.metrics(pair)))
	}
	if len(pairings) > 0 {
		if metrics, err = c.metrics.choose("metric", metrics); err != nil {
			return nil, err
		}
	}
	for _, m := range metrics {
		p.addMetric(c, m, pairings)
	}
	if len(p.rows) == 0 {
		for _, note := range p.notes {
			p.problems = append(p.problems, errors.New(note))
		}
		p.problems = append(p.problems, p.nothing())
		return p, nil
	}
	return p, p.setMargins(c)
}

// nothing is the problem that there is nothing to compare.
func (p *plan) nothing() error {
	if p.candidate == p.baseline {
		return fmt.Errorf("%s: there is nothing to compare", p.candidate.path)
	}
	return fmt.Errorf("there is nothing to compare in %s and %s", p.baseline.path, p.candidate.path)
}

// pairings returns the pairings on the data sets and of the learners that were
// chosen.
func (p *plan) pairings(c *config) ([]pairing, error) {
	data, err := c.data.choose("data set", merged(p.baseline.file.DataSets(), p.candidate.file.DataSets()))
	if err != nil {
		return nil, err
	}
	var learners []string
	for _, d := range data {
		learners = merged(learners, merged(p.baseline.file.Learners(d), p.candidate.file.Learners(d)))
	}
	if c.oneFile() {
		return p.withBaseline(c, data, learners)
	}
	if learners, err = c.learners.choose("learner", learners); err != nil {
		return nil, err
	}
	var all []pairing
	for _, d := range data {
		if p.oneSided("data set "+d, func(s *side) bool { return s.file.HasData(d) }, pairing{data: d}) {
			continue
		}
		for _, l := range learners {
			has := func(s *side) bool { return s.file.HasLearner(d, l) }
			if !p.oneSided(fmt.Sprintf("learner %s on data set %s", l, d), has, pairing{data: d, candidate: l}) && has(p.candidate) {
				all = append(all, pairing{d, l, l})
			}
		}
	}
	return all, nil
}

// withBaseline returns the pairings of the learners of one file with one of them.
func (p *plan) withBaseline(c *config, data, learners []string) ([]pairing, error) {
	if !slices.Contains(learners, c.baseline) {
		return nil, fmt.Errorf("%s: no learner is called %q, the baseline; there are: %s", p.baseline.path, c.baseline, quoted(learners))
	}
	learners = slices.DeleteFunc(learners, func(l string) bool { return l == c.baseline })
	learners, err := c.learners.choose("learner beside the baseline", learners)
	if err != nil {
		return nil, err
	}
	var all []pairing
	for _, d := range data {
		if !p.baseline.file.HasLearner(d, c.baseline) {
			p.problems = append(p.problems, fmt.Errorf("%s: data set %s has no learner %s, the baseline: run it there as well, or choose the others with -data", p.baseline.pos(d, ""), d, c.baseline))
			continue
		}
		var lacking []string
		for _, l := range learners {
			if p.baseline.file.HasLearner(d, l) {
				all = append(all, pairing{d, l, c.baseline})
			} else {
				lacking = append(lacking, l)
			}
		}
		if lacking != nil {
			p.leaveOut(c, p.baseline.pos(d, ""), fmt.Sprintf("data set %s lacks learners that other data sets have: %s", d, quoted(lacking)),
				"run them there as well, or choose with -learner or -data")
		}
	}
	return all, nil
}

// leaveOut adds what is not compared: under a gate as a problem, since nothing that
// it was to guard may vanish in silence; without one as a note.
func (p *plan) leaveOut(c *config, place, what, remedy string) {
	if len(c.gate) > 0 {
		p.problems = append(p.problems, fmt.Errorf("%s: %s: %s", place, what, remedy))
		return
	}
	p.notes = append(p.notes, what)
}

// oneSided reports whether just one of the sides has something, and adds the
// problem that the other one does not.
func (p *plan) oneSided(what string, has func(*side) bool, of pairing) bool {
	in, out := p.candidate, p.baseline
	if has(in) == has(out) {
		return false
	}
	if !has(in) {
		in, out = out, in
	}
	p.problems = append(p.problems, fmt.Errorf("%s: %s is not in %s", in.pos(of.data, of.candidate), what, out.path))
	return true
}

// metrics returns the metrics of both learners of a pairing.
func (p *plan) metrics(pair pairing) (baseline, candidate []string) {
	return unitNames(p.baseline.file.Metrics(pair.data, pair.baseline)), unitNames(p.candidate.file.Metrics(pair.data, pair.candidate))
}

func unitNames(units []record.Unit) []string {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.Name
	}
	return names
}

// addMetric adds the rows of a metric. Where just one of the learners has it,
// that is a problem if the metric was asked for or if there is a gate.
func (p *plan) addMetric(c *config, metric string, pairings []pairing) {
	alone := make(map[*side][]pairing)
	for _, pair := range pairings {
		of, with := p.metrics(pair)
		inBaseline, inCandidate := slices.Contains(of, metric), slices.Contains(with, metric)
		switch {
		case inBaseline && inCandidate || (inBaseline || inCandidate) && p.explicit:
			p.rows = append(p.rows, &row{pairing: pair, metric: metric})
		case inBaseline:
			alone[p.baseline] = append(alone[p.baseline], pair)
		case inCandidate:
			alone[p.candidate] = append(alone[p.candidate], pair)
		}
	}
	for _, s := range merged(nil, []*side{p.baseline, p.candidate}) {
		pairs := alone[s]
		if len(pairs) == 0 {
			continue
		}
		what := pairs[0].String()
		if n := len(pairs) - 1; n > 0 {
			what += fmt.Sprintf(" and %d more", n)
		}
		why := "it is in " + s.label + " only"
		if p.candidate == p.baseline {
			why = "just one of the learners has it"
		}
		p.leaveOut(c, s.pos(pairs[0].data, pairs[0].candidate), fmt.Sprintf("%s is not compared for %s: %s", metric, what, why),
			"store it for both, or choose the metrics with -metric")
	}
}

// setMargins gives every row its margin.
func (p *plan) setMargins(c *config) error {
	var metrics []string
	for _, r := range p.rows {
		metrics = merged(metrics, []string{r.metric})
	}
	values, err := c.margins.of(metrics)
	if err != nil {
		return err
	}
	for _, r := range p.rows {
		x, ok := values[r.metric]
		if !ok {
			continue
		}
		for _, u := range p.candidate.file.Metrics(r.data, r.candidate) {
			if u.Name != r.metric {
				continue
			}
			if err := cli.CheckMargin(u, x); err != nil {
				return err
			}
		}
		r.margin = x
	}
	return nil
}

// merged returns the elements of a and those of b that are not in a.
func merged[E comparable](a, b []E) []E {
	all := slices.Clone(a)
	var seen map[E]bool // made only when there are many
	for _, e := range b {
		if len(all) < 16 {
			if !slices.Contains(all, e) {
				all = append(all, e)
			}
			continue
		}
		if seen == nil {
			seen = make(map[E]bool, len(a)+len(b))
			for _, have := range all {
				seen[have] = true
			}
		}
		if !seen[e] {
			seen[e] = true
			all = append(all, e)
		}
	}
	return all
}
