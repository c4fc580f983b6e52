package results

import (
	"fmt"
	"slices"
	"strings"
)

// takeAll takes all trials from result files, in which none may be missing.
func (r *Results) takeAll() error {
	e := r.registry.read(r.In)
	if e.err != nil {
		return fmt.Errorf("%w: results to be judged: %w", ErrConfig, e.err)
	}
	for _, text := range e.notes {
		r.Note("%s", text)
	}
	learners := r.Learners
	for _, s := range r.sets {
		s.describe(&s.block.Header)
		id := s.Identity()
		from := e.blocks[id]
		if from == nil {
			return fmt.Errorf("%w: results to be judged: there are none on %v in %s", ErrConfig, id,
				strings.Join(r.In, ", "))
		}
		if r.Commit != from.Header.Commit {
			// A command that judges results takes over their commit. A test judges only
			// results of the program that it tests.
			if err := sameProgram(&from.Header, &s.block.Header); r.Pkg != "" && err != nil {
				return fmt.Errorf("%w: results to be judged are of commit %q, and this is %q: %w", ErrConfig,
					from.Header.Commit, r.Commit, err)
			}
			s.put(ofCommit(s.block, &from.Header))
		}
		if err := from.Fits(s.block); err != nil {
			return fmt.Errorf("%w: results to be judged are not of this run: %w", ErrConfig, err)
		}
		for _, name := range learners {
			if !slices.Contains(from.Learners, name) {
				return fmt.Errorf("%w: results to be judged: there are none of %s on %v in %s", ErrConfig, name,
					id, strings.Join(r.In, ", "))
			}
		}
		own, err := excerpt(from, from.Header, learners, s.Data.Examples.N, all)
		if err != nil {
			return err
		}
		s.put(own)
		s.unsaved = r.store != nil || r.copies != nil
	}
	return nil
}
