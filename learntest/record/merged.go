package record

import (
	"fmt"
	"slices"
	"strings"
)

// An experimentKey identifies an experiment: what was to be found out by a
// plan, whoever ran which part of it.
type experimentKey struct {
	pkg, data, protocol string
	learners            string // escaped names, sorted
}

func (s *Set) experimentKey() experimentKey {
	var names []string
	for _, name := range s.learners() {
		names = append(names, string(appendName(nil, name, "")))
	}
	slices.Sort(names)
	return experimentKey{s.Header.Pkg, s.data(), s.Header.Protocol, strings.Join(names, " ")}
}

// Experiments splits f into one File for each experiment, in the order of
// their first appearance. Sets belong to the same experiment if they share
// package, data set, protocol and learners, as the shards of one plan do. The
// files share the trials of f.
func (f *File) Experiments() []*File {
	var files []*File
	index := make(map[experimentKey]int)
	for i := range f.Sets {
		key := f.Sets[i].experimentKey()
		at, ok := index[key]
		if !ok {
			at = len(files)
			index[key] = at
			files = append(files, new(File))
		}
		files[at].Sets = append(files[at].Sets, f.Sets[i])
	}
	return files
}

// Merged returns a File that has one Set for each experiment of f, with the
// trials of all its sets, ordered by run, fold and learner. Texts that may
// differ between shards, such as the toolchain, are joined by "; ", and a
// learner that one of the shards has found not to be deterministic is not.
//
// It returns an error that wraps ErrInvalid for a set that [Write] would refuse
// for another reason than its values, and one that wraps ErrMismatch for sets
// of one experiment that differ in commit, digests, runs, folds, repeats or
// units. It does not check that the sets are complete.
func (f *File) Merged() (*File, error) {
	merged := new(File)
	for _, e := range f.Experiments() {
		s, err := mergeSets(e.Sets)
		if err != nil {
			return nil, err
		}
		merged.Sets = append(merged.Sets, s)
	}
	return merged, nil
}

// mergeSets merges the sets of one experiment.
func mergeSets(sets []Set) (Set, error) {
	all := Set{Header: sets[0].Header, Learners: slices.Clone(sets[0].learners()), Units: slices.Clone(sets[0].Units)}
	n := 0
	for i := range sets {
		if err := sets[i].validatePlan(); err != nil {
			return Set{}, err
		}
		if err := sameExperiment(&sets[0], &sets[i]); err != nil {
			return Set{}, err
		}
		n += len(sets[i].Trials)
	}
	for i := range headerKeys {
		if k := &headerKeys[i]; k.remark {
			k.set(&all.Header, joinRemarks(sets, k))
		}
	}
	if all.Header.Determinism != sets[0].Header.Determinism {
		all.Header.Determinism = mergeDeterminism(sets, all.Learners)
	}
	trials := make([]Trial, 0, n)
	for i := range sets {
		trials = append(trials, sets[i].Trials...)
	}
	all.Trials = trials
	order := all.canonicalOrder()
	all.Trials = make([]Trial, n)
	for i, at := range order {
		all.Trials[i] = trials[at]
	}
	return all, nil
}

// sameExperiment returns an error if the heads of two sets of one experiment
// disagree.
func sameExperiment(a, b *Set) error {
	mismatch := &MismatchError{Err: ErrMismatch, WhereA: a.where(), WhereB: b.where()}
	for i := range headerKeys {
		k := &headerKeys[i]
		mismatch.What, mismatch.A, mismatch.B = k.name, k.get(&a.Header), k.get(&b.Header)
		if !k.remark && mismatch.A != mismatch.B {
			return mismatch
		}
	}
	mismatch.What, mismatch.A, mismatch.B = "list of units", unitsText(a.Units), unitsText(b.Units)
	if mismatch.A != mismatch.B {
		return mismatch
	}
	return nil
}

func unitsText(units []Unit) string {
	var b []byte
	for i, u := range units {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendUnit(b, u)
	}
	return string(b)
}

// where says in words which set it is.
func (s *Set) where() string {
	pos := ""
	if len(s.Trials) > 0 && s.Trials[0].Pos != (Pos{}) {
		pos = fmt.Sprintf(" from %v", s.Trials[0].Pos)
	}
	return fmt.Sprintf("the trials on %s%s", s.data(), pos)
}

// joinRemarks returns the different values of a key.
func joinRemarks(sets []Set, k *headerKey) string {
	var values []string
	for i := range sets {
		if v := k.get(&sets[i].Header); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return strings.Join(values, "; ")
}
