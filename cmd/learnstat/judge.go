package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A row is a comparison in one metric.
type row struct {
	pairing
	metric string
	margin float64

	v     verdict.Verdict
	err   error  // why the verdict is Invalid
	place string // of the error
	same  bool   // no score differs
}

// judged reports whether there is a verdict.
func (r *row) judged() bool { return r.v.Outcome != verdict.Invalid }

// p returns the p-value of the test for a difference, adjusted if it is to be.
func (r *row) p() float64 {
	if r.v.Adjustment != "" {
		return r.v.AdjustedP
	}
	return r.v.Difference.P
}

// significant reports whether there is a difference.
func (r *row) significant() bool {
	return r.judged() && r.v.Significance() != 0 && r.p() <= r.v.Claim.Alpha
}

// judge judges all rows.
func (p *plan) judge(c *config) []*row {
	for _, r := range p.rows {
		claim := c.claim
		claim.Metric, claim.Margin = r.metric, r.margin
		r.judge(record.Selection{File: p.candidate.file, Data: r.data, Learner: r.candidate},
			record.Selection{File: p.baseline.file, Data: r.data, Learner: r.baseline}, claim)
		if r.err != nil {
			r.place = p.place(r)
		}
	}
	return p.rows
}

// judge is verdict.OfSelections, but keeps the error.
func (r *row) judge(candidate, baseline record.Selection, claim verdict.Claim) {
	pairs, err := record.Pair(candidate, baseline, claim.Metric)
	if err != nil {
		r.v, r.err = verdict.Fail(claim, err), err
		r.v.Data, r.v.Candidate, r.v.Baseline = candidate.Data, candidate.Learner, baseline.Learner
		return
	}
	own := pairs.Runs * pairs.Folds
	r.same = slices.Equal(pairs.A[:own], pairs.B[:own])
	if r.v = verdict.Judge(pairs, claim); !r.judged() {
		r.err = errors.New(r.v.Reason)
	}
}

// place returns the position of the results that the error of a row is about, or
// of those of the candidate.
func (p *plan) place(r *row) string {
	if cell, ok := errors.AsType[*record.CellError](r.err); ok {
		if pos, _, ok := strings.Cut(cell.Notes[0], ": "); ok {
			return pos
		}
	}
	return p.candidate.pos(r.data, r.candidate)
}
