package results

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// ErrOtherData is wrapped by the error about a baseline on data, or by a metric, that have changed.
var ErrOtherData = errors.New("has changed")

// An OtherData is the error about a baseline on data that have changed. It wraps ErrOtherData.
type OtherData struct {
	error
	Stored *record.Block // with the examples until now
}

// Unwrap returns the error.
func (e *OtherData) Unwrap() error { return e.error }

// Before returns the number of examples until now.
func (e *OtherData) Before() int { return examplesOf(e.Stored) }

// ErrNoFile is wrapped by the error about a baseline that nobody has stored.
var ErrNoFile = errors.New("there is no such file")

// A Baseline is the file that has, or is to have, the stored results to compare the first learner
// with.
type Baseline struct {
	*Set
	results *Results
	path    string
}

// Baseline returns the baseline of a set at a path.
func (r *Results) Baseline(s *Set, path string) Baseline { return Baseline{s, r, path} }

// Read returns the results of the first learner that the file has, on the data and under the
// protocol of the set. If this has only the first of some runs, as under -short, these are how many
// the baseline has, of which the first is returned; otherwise they are 0.
func (s Baseline) Read(runs int) (*record.Block, error) {
	f, err := record.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoFile
	}
	if err != nil {
		return nil, err
	}
	return s.resultsIn(f, runs)
}

// resultsIn returns the results that Read has found in the file.
func (s Baseline) resultsIn(f *record.File, runs int) (*record.Block, error) {
	plan := s.Plan
	if runs > 0 {
		var err error
		if plan, err = plan.Protocol().WithRuns(runs).Plan(s.Data.Examples); err != nil {
			return nil, err
		}
	}
	b, err := s.find(f, plan.Protocol())
	if err != nil {
		return nil, err
	}
	if err := record.Verify(b); err != nil {
		return nil, err
	}
	if err := s.comparable(b, plan); err != nil {
		return nil, err
	}
	h, chosen := b.Header, all
	if runs > 0 {
		h, chosen = s.ofFirstRun(h), isFirstRun
	}
	if b, err = excerpt(b, h, s.settings.Learners, s.Data.Examples.N, chosen); err != nil {
		return nil, err
	}
	if failed := record.NewFile(b).Failures(); len(failed) > 0 {
		return nil, fmt.Errorf("trial failed: %v: %s", failed[0].Cell(), failed[0].Err)
	}
	return b, nil
}

// ofFirstRun returns the head for the first run of a stored baseline, made from its head for more
// runs.
func (s Baseline) ofFirstRun(h record.Header) record.Header {
	h.Protocol, h.DistinctRuns = s.Plan.Protocol().String(), ""
	s.describe(&h)
	h.SetDistinct(s.Plan.DistinctRuns())
	return h
}

// find returns the results of the first learner under a protocol that the file has.
func (s Baseline) find(f *record.File, p split.Protocol) (*record.Block, error) {
	if err := storage.Unfinished(s.path); err != nil {
		return nil, err
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	data, name := s.Data.Name, s.settings.Learners[0]
	var found []*record.Block
	var protocols []string
	for _, b := range f.Experiments() {
		switch {
		case b.Header.Data != data || !slices.Contains(b.Learners, name):
		case b.Header.Protocol != p.String():
			protocols = append(protocols, strconv.Quote(b.Header.Protocol))
		default:
			found = append(found, b)
		}
	}
	if len(found) > 1 {
		own := s.Identity()
		own.Protocol = p.String()
		if at := slices.IndexFunc(found,
			func(b *record.Block) bool { return b.Header.Identity() == own }); at >= 0 {
			found = found[at : at+1]
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("several tests have stored %s on data set %s, and none of them is this one: %v and %v", name, data, found[0].Header.Identity(), found[1].Header.Identity())
	case len(protocols) > 0:
		return nil, fmt.Errorf("it has %s on data set %s under %s, not under %q", name, data,
			strings.Join(protocols, ", "), p)
	case !f.HasData(data):
		return nil, fmt.Errorf("it has no results on data set %s; there are: %s", data,
			strings.Join(f.DataSets(), ", "))
	}
	return nil, fmt.Errorf("it has no results of %s on data set %s; there are: %s", name, data,
		strings.Join(f.Learners(data), ", "))
}

// comparable returns an error unless results can be compared with the set's own.
func (s Baseline) comparable(b *record.Block, plan *split.Plan) error {
	data := s.Data
	if b.Header.DataDigest != data.Digest {
		was, is := examplesOf(b), data.Examples.N
		change := fmt.Sprintf("the same number of examples (%d) with other values or in another order",
			is)
		switch {
		case was < is:
			change = fmt.Sprintf("%d examples more (%d, not %d)", is-was, is, was)
		case was > is:
			change = fmt.Sprintf("%d examples fewer (%d, not %d)", was-is, is, was)
		}
		return &OtherData{fmt.Errorf("data set %s %w: %s; its digest is %.12s and was %.12s", data.Name,
			ErrOtherData, change, data.Digest, b.Header.DataDigest), b}
	}
	if digest := plan.Digest(); b.Header.SplitDigest != digest {
		return fmt.Errorf("the partitions of %q on data set %s have changed: their digest is %.12s and was %.12s", b.Header.Protocol, data.Name, digest, b.Header.SplitDigest)
	}
	for _, u := range s.settings.Units {
		at := slices.IndexFunc(b.Units, func(have unit.Unit) bool { return have.Name == u.Name })
		if at < 0 {
			return fmt.Errorf("it has no metric %s", u.Name)
		}
		if b.Units[at] != u {
			return fmt.Errorf("metric %s has another direction or range there", u.Name)
		}
		own := record.Header{Metrics: s.facts.Metrics()}
		if is, was := own.FormulaOf(u.Name), b.Header.FormulaOf(u.Name); is != "" && was != "" &&
			is != was {
			return fmt.Errorf("metric %s %w: it is another formula now; its fingerprint is %s and was %s",
				u.Name, ErrOtherData, is, was)
		}
	}
	return nil
}
