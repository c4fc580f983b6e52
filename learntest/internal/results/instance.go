package results

import (
	"fmt"
	"slices"
	"sync"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
)

// An Instance is one execution of a test, with the findings of its comparisons. The comparisons
// may share learners; each cell is stored once. The same test again is another instance, and its
// results replace the results of the instance before.
type Instance struct {
	mu       sync.Mutex
	findings []*finding

	// The first results of a test that is run again take the place of all that it
	// had. Until it ends there may be more to come: so the last journal stays, and says
	// that the test was interrupted if it was.
	open bool
	last *storage.Journal

	baselines map[*storage.Store]*updated

	comparisons int // that have been reported
}

// stored records that all trials of a journal are stored.
func (in *Instance) stored(j *storage.Journal) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.open {
		return j.Remove()
	}
	before := in.last
	in.last = j
	if before == nil {
		return nil
	}
	return before.Remove()
}

// close says that the test has ended.
func (in *Instance) close() error {
	if err := in.StoreStops(); err != nil { // the last journal stays
		return err
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.open = false
	if in.last == nil {
		return nil
	}
	return in.last.Remove()
}

// Next returns the number of a comparison in its test, from 1.
func (in *Instance) Next() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.comparisons++
	return in.comparisons
}

// add takes a block, which may have more cells than one that was added before, and the predictions
// that are kept of it. It returns an error if a learner has other results than it had at another
// place.
func (in *Instance) add(b *record.Block, kept *predictions.Block, site string) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	id := b.Header.Identity()
	at := slices.IndexFunc(in.findings, func(f *finding) bool { return f.id == id })
	if at < 0 {
		at = len(in.findings)
		in.findings = append(in.findings, &finding{
			id: id, latest: make(map[string]*record.Block), sites: make(map[string]string),
			stored: make(map[*storage.Store]placement), put: make(map[string]int),
		})
	}
	return in.findings[at].add(b, kept, site)
}

// save stores the findings that are not stored yet. If somebody else has replaced stored ones, save
// stores all of them again.
func (in *Instance) save(s *storage.Store) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	var fresh []*finding
	var blocks []*record.Block
	for _, f := range in.findings {
		switch stored := f.stored[s].parts; {
		case stored == len(f.parts):
		case stored == 0:
			fresh = append(fresh, f)
			blocks = append(blocks, f.parts...)
		default:
			if err := f.extend(s); err != nil {
				return err
			}
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	receipt, err := s.Put(blocks...)
	if err != nil {
		return err
	}
	for _, f := range fresh {
		f.stored[s] = placement{len(f.parts), receipt}
	}
	return nil
}

// savePredictions stores the predictions of the findings that are not stored yet in a file, and all
// others of these findings again: they take the place of all that the file has of them.
func (in *Instance) savePredictions(path string) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	var fresh []*finding
	var blocks []*predictions.Block
	for _, f := range in.findings {
		if len(f.kept) > f.put[path] {
			fresh, blocks = append(fresh, f), append(blocks, f.kept...)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if err := predictions.Put(path, blocks...); err != nil {
		return fmt.Errorf("predictions: %w", err)
	}
	for _, f := range fresh {
		f.put[path] = len(f.kept)
	}
	return nil
}

// An updated is a baseline that is being updated by one learner after the other.
type updated struct {
	file     *record.File      // before the update; nil if it could not be read
	err      error             // why not
	learners map[string]string // and their program
}

// baselineAt returns the content of a file before this test has updated it, with the learners that
// are updated now and before. The first call of a test decides: it has the file now, or why it
// cannot be read.
func (in *Instance) baselineAt(s *storage.Store, now *record.File, err error, learner,
	program string,
) *updated {
	in.mu.Lock()
	defer in.mu.Unlock()
	u, _, _ := entry(&in.baselines, s, func() (*updated, error) {
		return &updated{now, err, make(map[string]string)}, nil
	})
	u.learners[learner] = program
	return u
}

// saveBaseline stores the results of the learners that were updated in this test
// in a file that is committed: without anything that differs between runs of one program.
func (in *Instance) saveBaseline(s *storage.Store) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	var blocks []*record.Block
	for _, f := range in.findings {
		b, err := record.Union(f.parts...)
		if err != nil {
			return err
		}
		if b, err = asBaseline(b, in.baselines[s].learners); err != nil {
			return err
		}
		if b.Len() > 0 {
			blocks = append(blocks, b)
		}
	}
	_, err := s.Put(blocks...)
	return err
}
