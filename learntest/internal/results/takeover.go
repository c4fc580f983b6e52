package results

import (
	"fmt"
	"slices"
)

// TakeOver takes over the trials of earlier runs, if the settings ask for it. If only, a journal
// with other learners is an error.
func (r *Results) TakeOver(only bool) error {
	if r.In != nil {
		return r.takeAll()
	}
	if r.Shard.Count > 0 {
		if err := r.keepsOtherShards(); err != nil {
			return err
		}
	}
	if r.Resume {
		return r.resume(only, r.sets...)
	}
	return nil
}

// KeepsOthers returns an error if the results would replace results of a learner that is not run.
func (r *Results) KeepsOthers() error {
	if r.store == nil {
		return nil
	}
	for _, s := range r.sets {
		id := s.Identity()
		have, err := r.store.Learners(id)
		if err != nil {
			return fmt.Errorf("result file: %w", err)
		}
		for _, name := range have {
			if !slices.Contains(r.Learners, name) {
				return fmt.Errorf("%w: %s has results of %s on %v, which the results of this run would replace: run it as well, or write to another file",
					ErrConfig, r.Out, name, id)
			}
		}
	}
	return nil
}

// keepsOtherShards returns an error if the result file has trials of the same experiment from other
// shards, since this shard's results would replace them.
func (r *Results) keepsOtherShards() error {
	for _, s := range r.sets {
		id := s.Identity()
		before, err := r.store.Before(id)
		if err != nil {
			return fmt.Errorf("result file: %w", err)
		}
		if before == nil {
			continue
		}
		for t := range before.Trials() {
			if !s.hand.has(t.Cell()) {
				return fmt.Errorf("%w: %s has %v of %v, which is not in shard %v: let each shard write a file of its own", ErrConfig, r.Out, t.Cell(), id, r.Shard)
			}
		}
	}
	return nil
}
