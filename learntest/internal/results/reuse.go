package results

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// Further runs are taken from the result file if it has them of an earlier run of the
// test, so that a required replicability is not paid for again and again. The protocol's own
// runs, on which the verdict rests, are trained each time, and show whether that is
// allowed. The further runs of a learner are taken only if
//
//   - they are of the same program, commit, Go version and system, test, data set and
//     protocol with its seed, of the same data, partitions and metrics;
//   - the seed fixes the learner;
//   - each trial of its own runs is there, none failed, and each score of each of them equals
//     the present one, bit for bit.
//
// The first rules out changes of the code. Changes that a program cannot see in itself, such as
// of a learner in another language or of a file that a learner reads, are left to the last: it
// misses a change of that kind that shows in no score of any own run.

// Remember reads the results in the result file, before they are replaced. Unreadable results are
// not taken.
func (r *Results) Remember() {
	for _, s := range r.sets {
		if _, err := r.store.Before(s.Identity()); err != nil {
			r.Note("%s: nothing of it is used again: %v", r.Out, err)
		}
	}
}

// Reuse takes the learners' further runs up to the given one, as far as it can, from the results
// that Remember has read.
func (r *Results) Reuse(runs int, learners []string) error {
	for _, s := range r.sets {
		before, err := r.store.Before(s.Identity())
		if err != nil || before == nil || before.Fits(s.block) != nil ||
			before.Header.Toolchain != s.block.Header.Toolchain ||
			before.Header.Binary != s.block.Header.Binary || before.Header.Binary == record.UnknownProgram ||
			before.Header.Binary == "" {
			continue
		}
		block := s.block.Clone()
		var from []string
		for _, name := range learners {
			trials := furtherTrials(s.block, before, name, runs)
			if len(trials) > 0 {
				measuredOn(block, before.Header.Machine)
				block.Timeless = block.Timeless || before.Timeless
			}
			for _, t := range trials {
				if err := block.Add(t); err != nil {
					return fmt.Errorf("result file: %w", err)
				}
			}
			if len(trials) > 0 {
				from = append(from, fmt.Sprintf("%d of %s", len(trials), name))
			}
		}
		if from == nil {
			continue
		}
		r.Note("%s: trials of further runs are taken from there, %s: it is of the same program, and the other runs have the same scores", r.Out, strings.Join(from, " and "))
		s.put(block)
		s.unsaved = true
	}
	return nil
}

// furtherTrials returns the trials of a learner in further runs, up to the given one, that b
// lacks and before has; none unless both have equal scores in all of the protocol's own runs.
func furtherTrials(b, before *record.Block, learner string, runs int) []record.Trial {
	if b.Header.Of(learner).Determinism() != record.Deterministic ||
		before.Header.Of(learner).Determinism() != record.Deterministic {
		return nil
	}
	type place struct{ run, fold int }
	now := make(map[place][]float64)
	for t := range b.Trials() {
		if t.Learner == learner && t.Err == "" {
			now[place{t.Run, t.Fold}] = t.Values
		}
	}
	var further []record.Trial
	same := 0
	for t := range before.Trials() {
		values, ok := now[place{t.Run, t.Fold}]
		switch {
		case t.Learner != learner:
		case t.Run > b.Runs():
			if !ok && t.Err == "" && t.Run <= runs {
				further = append(further, t)
			}
		case !ok || t.Err != "" || !slices.Equal(values, t.Values):
			return nil
		default:
			same++
		}
	}
	if same != b.Runs()*b.Folds() {
		return nil
	}
	return further
}
