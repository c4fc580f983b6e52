package results

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
)

// A finding is the trials that an instance has under one identity.
type finding struct {
	id     record.Identity
	parts  []*record.Block          // no two have a cell in common
	latest map[string]*record.Block // the block with most cells of each learner
	sites  map[string]string        // where each learner was first trained
	stored map[*storage.Store]placement
	kept   []*predictions.Block   // of parts
	put    map[string]int         // how many of these a file of predictions has, by its path
	stops  map[string]record.Stop // by the learners whose training settled claims have stopped
}

// A placement says which parts of a finding a result file has.
type placement struct {
	parts   int // the first ones
	receipt storage.Receipt
}

// add takes a block of its identity.
func (f *finding) add(b *record.Block, kept *predictions.Block, site string) error {
	rest := b
	compared := make(map[*record.Block]bool)
	for _, name := range b.Learners {
		have := f.latest[name]
		if have == nil || compared[have] {
			continue
		}
		compared[have] = true
		var err error
		if rest, err = rest.Minus(have); err != nil {
			return f.clash(err, name, site)
		}
	}
	if len(f.parts) > 0 && len(compared) == 0 { // no learner in common
		if _, err := b.Minus(f.parts[0]); err != nil {
			return f.clash(err, f.parts[0].Learners[0], site)
		}
	}
	for _, name := range b.Learners {
		if have := f.latest[name]; have == nil ||
			have.Len()*len(b.Learners) < b.Len()*len(have.Learners) {
			f.latest[name] = b
		}
		if _, ok := f.sites[name]; !ok {
			f.sites[name] = site
		}
	}
	if rest.Len() > 0 || f.parts == nil { // a shard may have no trials
		return f.keep(rest, kept)
	}
	return nil
}

// keep adds a part, with its predictions if there are any.
func (f *finding) keep(part *record.Block, kept *predictions.Block) error {
	if own := partOf(kept, part); own != nil {
		sum, err := own.Checksum()
		if err != nil {
			return err
		}
		part = part.Clone()
		part.Header.Predictions = sum
		f.kept = append(f.kept, own)
	}
	f.parts = append(f.parts, part)
	return nil
}

// clash says that two comparisons of one test do not agree.
func (f *finding) clash(err error, learner, site string) error {
	first := f.sites[learner]
	if first == "" || site == "" {
		return err
	}
	return fmt.Errorf("the comparisons at %s and %s of this test are both of %v, and do not agree: %w (give the learners different names, or use subtests)", first, site, f.id, err)
}

// extend stores the parts that are not stored yet.
func (f *finding) extend(s *storage.Store) error {
	p := f.stored[s]
	for ; p.parts < len(f.parts); p.parts++ {
		receipt, ok, err := s.Extend(p.receipt, f.parts[p.parts])
		if err == nil && !ok {
			receipt, err = s.Put(f.parts...)
			p.parts = len(f.parts) - 1
		}
		if err != nil {
			return err
		}
		p.receipt = receipt
	}
	f.stored[s] = p
	return nil
}

// asBaseline returns the trials of some learners, whose programs are given, without times.
func asBaseline(b *record.Block, programs map[string]string) (*record.Block, error) {
	learners := slices.DeleteFunc(slices.Clone(b.Learners), func(name string) bool {
		_,
			wanted := programs[name]
		return !wanted
	})
	if len(learners) == 0 {
		return new(record.Block), nil
	}
	h := b.Header
	h.Binary = programs[learners[0]]
	if slices.ContainsFunc(learners, func(name string) bool { return programs[name] != h.Binary }) {
		h.Binary = ""
	}
	kept, err := excerpt(b, h, learners, examplesOf(b), all)
	if err != nil {
		return nil, err
	}
	kept.Timeless, kept.Header.Against = true, ""
	kept.SetMeans()
	return kept, nil
}
