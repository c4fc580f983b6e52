package learntest

import (
	"fmt"
	"slices"
	"sync"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
)

// An instance is one execution of a test, and what its comparisons have found
// out. Its comparisons may share learners; each cell is stored once. The same test
// again is another instance, whose results replace those of the one before.
type instance struct {
	mu       sync.Mutex
	findings []*finding

	// The first results of a test that is run again take the place of all that it
	// had. Until it ends there may be more to come: so the last journal stays, and says
	// that the test was interrupted if it was.
	open bool
	last *journal

	baselines map[*storage.Store]map[string]bool // the learners that each of them has

	comparisons int // that have been reported
}

// A finding is what an instance has found out under one identity.
type finding struct {
	id     record.Identity
	parts  []*record.Block          // no two have a cell in common
	latest map[string]*record.Block // the block with most cells of each learner
	sites  map[string]string        // where each learner was first trained
	stored map[*storage.Store]placement
}

// A placement says which parts of a finding a result file has.
type placement struct {
	parts   int // the first ones
	receipt storage.Receipt
}

// instances are those of the tests that are running.
var instances struct {
	sync.Mutex
	byTest map[TB]*instance
}

// instanceOf returns the instance of a running test.
func instanceOf(t TB) *instance {
	instances.Lock()
	defer instances.Unlock()
	in := instances.byTest[t]
	if in == nil {
		in = &instance{open: true}
		if instances.byTest == nil {
			instances.byTest = make(map[TB]*instance)
		}
		instances.byTest[t] = in
		t.Cleanup(func() {
			instances.Lock()
			delete(instances.byTest, t)
			instances.Unlock()
			if err := in.close(); err != nil {
				t.Errorf("learntest.Compare: %v", err)
			}
		})
	}
	return in
}

// stored takes note that all trials of a journal are stored.
func (in *instance) stored(j *journal) error {
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
func (in *instance) close() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.open = false
	if in.last == nil {
		return nil
	}
	return in.last.Remove()
}

// next returns the number of a comparison in its test, from 1.
func (in *instance) next() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.comparisons++
	return in.comparisons
}

// add takes a block, which may have more cells than one that was added before. It
// returns an error if a learner has other results than it had at another place.
func (in *instance) add(b *record.Block, site string) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	id := b.Header.Identity()
	at := slices.IndexFunc(in.findings, func(f *finding) bool { return f.id == id })
	if at < 0 {
		at = len(in.findings)
		in.findings = append(in.findings, &finding{
			id: id, latest: make(map[string]*record.Block), sites: make(map[string]string), stored: make(map[*storage.Store]placement),
		})
	}
	f := in.findings[at]
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
		if have := f.latest[name]; have == nil || have.Len()*len(b.Learners) < b.Len()*len(have.Learners) {
			f.latest[name] = b
		}
		if _, ok := f.sites[name]; !ok {
			f.sites[name] = site
		}
	}
	if rest.Len() > 0 || f.parts == nil { // a shard may have no trials
		f.parts = append(f.parts, rest)
	}
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

// save stores what is not stored yet. If somebody else has replaced what is, all
// of it is stored again.
func (in *instance) save(s *storage.Store) error {
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

// saveBaseline stores the results of a learner, beside those of others that were stored in
// this test, in a file that is committed: without what differs between runs of the same.
func (in *instance) saveBaseline(s *storage.Store, learner string) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.baselines[s] == nil {
		if in.baselines == nil {
			in.baselines = make(map[*storage.Store]map[string]bool)
		}
		in.baselines[s] = make(map[string]bool)
	}
	in.baselines[s][learner] = true
	var blocks []*record.Block
	for _, f := range in.findings {
		b, err := record.Union(f.parts...)
		if err != nil {
			return err
		}
		if b, err = asBaseline(b, in.baselines[s]); err != nil {
			return err
		}
		if b.Len() > 0 {
			blocks = append(blocks, b)
		}
	}
	_, err := s.Put(blocks...)
	return err
}

// asBaseline returns the trials of some learners, without times.
func asBaseline(b *record.Block, wanted map[string]bool) (*record.Block, error) {
	learners := slices.DeleteFunc(slices.Clone(b.Learners), func(name string) bool { return !wanted[name] })
	if len(learners) == 0 {
		return new(record.Block), nil
	}
	h := b.Header
	h.Binary = ""
	kept, err := excerpt(b, h, learners, examplesOf(b), all)
	if err != nil {
		return nil, err
	}
	kept.Timeless = true
	kept.SetMeans()
	return kept, nil
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
