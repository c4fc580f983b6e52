package results

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// Opinion returns the second opinion on a set under a protocol, with the trials of the given
// learners that are there: the same set each time. The missing trials are to be trained, unless
// all results are taken from files.
func (r *Results) Opinion(of *Set, p split.Protocol, learners ...string) (*Set, error) {
	r.opening.Lock()
	defer r.opening.Unlock()
	o, isNew, err := of.opinion(p)
	if err != nil {
		return nil, err
	}
	if isNew && r.Resume {
		if err := r.resume(false, o); err != nil {
			return nil, err
		}
	}
	of.know(o)
	if r.In != nil {
		return o, r.takeOpinion(o, learners)
	}
	o.change(func(b *record.Block) {
		for _, name := range learners {
			if b.Header.Of(name).OpinionOn() == "" {
				b.Header.Of(name).SetOpinionOn(of.block.Fingerprint(name))
				if of.block.Header.Of(name).Determinism() != record.NotProbed {
					b.Header.Of(name).SetProbe(of.block.Header.Of(name).Probe())
				}
			}
		}
	})
	return o, nil
}

// takeOpinion takes the trials from result files. What these have is for a verdict to find out.
func (r *Results) takeOpinion(o *Set, learners []string) error {
	o.describe(&o.block.Header)
	from := r.registry.read(r.In).blocks[o.Identity()]
	if from == nil {
		return fmt.Errorf("%w: results to be judged: there is no second opinion on %v: shards train none; run the test without them", ErrConfig, o.of.Identity())
	}
	if err := from.Fits(o.block); err != nil {
		return fmt.Errorf("%w: the second opinion is not of this run: %w", ErrConfig, err)
	}
	for _, name := range learners {
		if !slices.Contains(from.Learners, name) {
			return fmt.Errorf("%w: results to be judged: there is no second opinion on %s: run the test again without shards", ErrConfig, name)
		}
	}
	o.put(from)
	return nil
}
