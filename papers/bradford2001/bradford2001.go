// Package bradford2001 reproduces J. P. Bradford and C. E. Brodley (2001), "The effect of
// instance-space partition on significance".
package bradford2001

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/discretize"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/learnbench/learnbench/papers/internal/shelf"
)

// bbPaper begins the titles of its studies.
const bbPaper = "Bradford & Brodley 2001, "

// bbSets are the data sets of table 1.
func bbSets() []shelf.Set {
	return []shelf.Set{
		{Name: "breast-cancer"},
		{Name: "breast", File: "wisconsin-breast-cancer"},
		{Name: "cleve", File: "cleveland"},
		{Name: "crx", File: "credit-rating"},
		{Name: "diabetes", File: "pima-diabetes"},
		{Name: "german-org", File: "german-credit"},
		{Name: "glass"},
		{Name: "glass2", File: "glass", Derive: shelf.Glass2},
		{Name: "heart", File: "heart-statlog"},
		{Name: "horse-colic"},
		{Name: "hypothyroid"},
		{Name: "ionosphere"},
		{Name: "labor-neg", File: "labor"},
		{Name: "monk1-full", File: "monks1-all"},
		{Name: "monk2", File: "monks2-all"},
		{Name: "monk3-full", File: "monks3-all"},
		{Name: "mushroom"},
		{Name: "soybean-large", File: "soybean"},
		{Name: "tic-tac-toe"},
		{Name: "vehicle"},
		{Name: "vote"},
		{Name: "waveform-21", File: "waveform", Derive: shelf.Waveform21},
		{Name: "zoo", Derive: shelf.Without("animal")},
	}
}

// The partitions of the paper: 55, in 11 parts of 5.
const (
	bbParts       = 11
	bbPartitions  = 55
	bbPrintedSets = 23
)

func bbPartitionings() []shelf.Partitioning {
	const each = bbPartitions / bbParts
	return []shelf.Partitioning{
		{Protocol: split.CV(each, 10).Stratified(false), Parts: bbParts},
		{Protocol: split.CV(each*5, 2).Stratified(false), Parts: bbParts},
	}
}

// A bbSubject is a learner by the name of the paper.
type bbSubject struct {
	name string
	of   func() lab.Subject
}

// bbSubjects are TDDT-1, TDDT-2 and naive Bayes.
var bbSubjects = []bbSubject{
	{"TDDT-1", func() lab.Subject {
		return lab.Classified(func() learner.Classifier { return c45.New(c45.Config{Pruning: c45.CostComplexity}) }, true)
	}},
	{"TDDT-2", lab.Tree},
	{"naive-bayes", bbBayes},
}

func bbBayes() lab.Subject {
	return lab.Classified(func() learner.Classifier { return discretize.New(lab.NewBayes()) }, false)
}

// bbScored are the trained subjects: the compared ones, and at the end naive Bayes with
// missing values as values, which is in table 1 only.
func bbScored() []bbSubject {
	return append(slices.Clone(bbSubjects), bbSubject{
		"naive-bayes" + asValue,
		func() lab.Subject { return withMissing(bbBayes()) },
	})
}

// A bbProcedure is a way to test on one partition, which is so many runs.
type bbProcedure struct {
	name         string
	printed      string // its name in print; empty if the paper does not have it
	partitioning int
	runs         int
	test         string
	df           float64
}

// bbProcedures are the procedures of the paper, and the 5×2cv t test as Dietterich has it. That the
// paper's 5×2 is the t test of the ten differences follows from its figures: the formula that
// it prints could not have led to its findings, and with five degrees of freedom the
// smallest p of its table 2 would be ten times as large.
var bbProcedures = []bbProcedure{
	{"1×10", "1×10", 0, 1, "paired-t", 9},
	{"5×2", "5×2", 1, 5, "paired-t", 9},
	{"5×2cv t", "", 1, 5, "5x2cv-t", 5},
}

// bbLevel is the level of one tail.
const bbLevel = paper.Level / 2

// A verdict of TDDT-1 against another learner.
const (
	otherBetter = iota - 1
	noDifference
	firstBetter
)

var bbVerdicts = map[int]string{otherBetter: "other", noDifference: "none", firstBetter: "TDDT-1"}

// bbLearners says who is compared.
const bbLearners = "TDDT-1 is C4.5 with cost-complexity pruning and TDDT-2 with pessimistic pruning, naive Bayes has discretized attributes; the paper has the learners of MLC++, with a pruning of its own for TDDT-1. Partitions are not stratified."

// A bbOutcome is the result of a procedure for TDDT-1 and another learner on a data set.
type bbOutcome struct {
	set, other, procedure int

	// The t of each partition, positive if TDDT-1 is better and 0 where both scores are equal in
	// all folds, and how many partitions have none, since all differences are equal
	// but not 0: they are no part of the mean.
	ts        []float64
	undefined int
	says      []int // of all partitions

	mean, se float64 // of the t
	p        float64 // one-sided, of the mean
}

// conclusion is the conclusion from the averaged t.
func (o *bbOutcome) conclusion() int { return verdictOf(2*o.p, o.mean) }

func verdictOf(twoSided, t float64) int {
	switch {
	case !(twoSided <= paper.Level):
		return noDifference
	case t < 0:
		return otherBetter
	}
	return firstBetter
}

// counts returns how many partitions find the other learner better, neither, and
// TDDT-1: in the order of table 3.
func (o *bbOutcome) counts() (n [3]int) {
	for _, v := range o.says {
		n[v+1]++
	}
	return n
}

// A bb has the results of the paper's experiments.
type bb struct {
	shelf    shelf.Shelf
	found    []shelf.Scored
	outcomes []*bbOutcome // by data set, other learner and procedure
}

// trainBB runs all experiments.
func trainBB(ctx context.Context, cfg lab.Config) (*bb, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.Sets != 0 {
		return nil, fmt.Errorf("%w: it has no number of data sets to choose", lab.ErrConfig)
	}
	b := &bb{}
	if b.shelf, err = shelf.Open(cfg, bbSets()); err != nil {
		return nil, err
	}
	var subjects []lab.Subject
	for _, s := range bbScored() {
		subjects = append(subjects, s.of())
	}
	if b.found, err = b.shelf.Score(ctx, cfg, bbPartitionings(), subjects); err != nil {
		return nil, err
	}
	for set := range b.shelf.Sets {
		for other := 1; other < len(bbSubjects); other++ {
			for p := range bbProcedures {
				o, err := b.judge(set, other, p)
				if err != nil {
					return nil, fmt.Errorf("data set %s, %s, %s: %w", b.shelf.Sets[set].Name,
						bbSubjects[other].name, bbProcedures[p].name, err)
				}
				b.outcomes = append(b.outcomes, o)
			}
		}
	}
	return b, nil
}

// judge applies a procedure to TDDT-1 and another learner on a data set.
func (b *bb) judge(set, other, procedure int) (*bbOutcome, error) {
	p := bbProcedures[procedure]
	test := stat.MustLookup(p.test)
	o := &bbOutcome{set: set, other: other, procedure: procedure}
	for i := range bbParts {
		d := b.found[set].Differences(p.partitioning, i, 0, other,
			bbPartitionings()[p.partitioning].Protocol.Runs())
		for from := 0; from < d.Runs; from += p.runs {
			r, err := test.Run(lab.Part(d, from, p.runs), stat.TwoSided)
			if err != nil {
				return nil, err
			}
			o.says = append(o.says, verdictOf(r.P, r.Statistic))
			if math.IsInf(r.Statistic, 0) {
				o.undefined++
			} else {
				o.ts = append(o.ts, r.Statistic)
			}
		}
	}
	if len(o.ts) == 0 {
		return nil, fmt.Errorf("all differences of each partition are equal: it has no t")
	}
	r, err := stat.AveragedT(o.ts, p.df, stat.TwoSided)
	if err != nil {
		return nil, err
	}
	o.mean, o.p = r.Statistic, r.P/2
	var of lab.Mean
	for _, t := range o.ts {
		of.Add(t)
	}
	o.se = of.SE()
	return o, nil
}

// Of returns the outcomes of a comparison by a procedure, one for each data set.
func (b *bb) of(other, procedure int) []*bbOutcome {
	var os []*bbOutcome
	for _, o := range b.outcomes {
		if o.other == other && o.procedure == procedure {
			os = append(os, o)
		}
	}
	return os
}

func (b *bb) name(o *bbOutcome) string { return b.shelf.Sets[o.set].Name }

// column is the name of the comparison in the tables of the paper, if it has it.
func (o *bbOutcome) column() (name string, printed bool) {
	p := bbProcedures[o.procedure]
	return bbSubjects[o.other].name + " " + p.printed, p.printed != ""
}

// shares returns the probabilities, one for each partition that has a t, that Student's t is
// below it: near 1 where TDDT-1 is the better one.
func (o *bbOutcome) shares() ([]float64, error) {
	below := make([]float64, len(o.ts))
	for i, t := range o.ts {
		r, err := stat.AveragedT([]float64{t}, bbProcedures[o.procedure].df, stat.Less)
		if err != nil {
			return nil, err
		}
		below[i] = r.P
	}
	return below, nil
}
