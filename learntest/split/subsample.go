package split

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

var subsample = &kind{
	name: "subsample",
	settings: []setting{
		{name: "runs", at: atRuns},
		{name: "train", at: func(p *Protocol) any { return &p.train }},
	},
	optional: true, random: true, folds: 1,
	sizes: sizes{all: true},
	check: func(p *Protocol) error {
		if !(p.train > 0 && p.train < 1) {
			return fmt.Errorf("train=%v is not between 0 and 1", p.train)
		}
		return nil
	},
	plan: planSubsample,
}

// Subsample returns repeated random subsampling, also called repeated holdout [Nadeau &
// Bengio 2003]: every run draws a training set without replacement and tests on the rest.
// Each run has one fold. trainFraction is the share of examples in the training set, more
// than 0 and less than 1.
//
// The draw is not stratified. With .Stratified(true) each class contributes its share,
// rounded down or up.
func Subsample(runs int, trainFraction float64) Protocol {
	return Protocol{kind: subsample, runs: runs, folds: 1, train: trainFraction, seed: 1}
}

func planSubsample(p Protocol, ex *members) (layout, error) {
	n, classes := ex.n, ex.classes
	trainN := int(math.Floor(float64(p.train*float64(n)) + 0.5))
	if trainN == 0 || trainN >= n {
		return nil, fmt.Errorf("%w: train=%v leaves a training set of %d and a test set of %d", ErrTooFew,
			p.train, trainN, n-trainN)
	}
	quota, rest, left := shares(trainN, n, classes)
	a := newAssigned(n, p.runs, 1)
	var members []int32
	for run := 1; run <= p.runs; run++ {
		r := newRandom(p.kind.name, p.seed, run)
		order := make([]int, len(classes))
		for c := range order {
			order[c] = c
		}
		shuffle(&r, order)
		slices.SortStableFunc(order, func(b, c int) int { return cmp.Compare(rest[c], rest[b]) })
		extra := make([]int, len(classes))
		for _, c := range order[:left] {
			extra[c] = 1
		}
		of := a.run(run)
		for c, class := range classes {
			members = append(members[:0], class...)
			shuffle(&r, members)
			for _, i := range members[quota[c]+extra[c]:] {
				of[i] = 1
			}
		}
	}
	a.count()
	return a, nil
}

// shares divides trainN places among the classes in proportion to their sizes.
// It returns the whole part of each class's share, the numerator of the rest of
// it over n, and the number of places that the whole parts leave.
func shares(trainN, n int, classes [][]int32) (quota []int, rest []int64, left int) {
	quota = make([]int, len(classes))
	rest = make([]int64, len(classes))
	left = trainN
	for c, class := range classes {
		share := int64(trainN) * int64(len(class))
		quota[c] = int(share / int64(n))
		rest[c] = share % int64(n)
		left -= quota[c]
	}
	return quota, rest, left
}
