package results

import (
	"fmt"
	"path/filepath"
	"sync"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// Results are the sets of cells of one run, and where they are kept.
type Results struct {
	Settings
	Test // that they are of; alone if they are of none

	registry *Registry
	store    *storage.Store // nil if nothing is stored
	copies   *storage.Store // for the artifacts of a test; nil if they are not wanted
	sets     []*Set         // one a data set
	deal     deal
	opening  sync.Mutex // of second opinions
}

// A Test is a running test that results are of.
type Test struct {
	Instance   *Instance // that the results are shared with
	Site       string    // where the trials were asked for; empty if that is not known
	Resumption string    // what the user sets to resume
	Note       func(format string, args ...any)
	Artifacts  string // the directory of the test's artifacts; empty if they are not wanted
}

// New returns results without sets.
func New(registry *Registry, settings Settings) *Results {
	return &Results{
		Settings: settings,
		Test: Test{
			Instance: new(Instance), Resumption: "Config.Results.Resume",
			Note: func(string, ...any) {},
		},
		registry: registry,
		deal:     deal{shard: settings.Shard, runs: settings.Runs},
	}
}

// Program returns what headers say of the learners that are run here: see record.Header.Binary.
func (r *Results) Program() (string, error) { return r.describeProgram(r.registry) }

// Add adds the set of a data set.
func (r *Results) Add(data *trial.Data, plan *split.Plan, facts Facts) (*Set, error) {
	if len(r.sets) == 0 && (r.Out != "" || r.In != nil) {
		var err error
		if r.binary, err = r.Program(); err != nil {
			return nil, err
		}
	}
	s, err := newSet(&r.Settings, &r.deal, r.deal.units, data, plan, facts)
	if err != nil {
		return nil, err
	}
	s.unsaved = r.Shard.Count > 0 // which may have no trials at all
	if r.Predictions != "" {
		if s.kept, err = newKeeping(s); err != nil {
			return nil, fmt.Errorf("%w: predictions: %w", ErrConfig, err)
		}
	}
	r.deal.units += r.Runs * plan.Folds()
	r.sets = append(r.sets, s)
	return s, nil
}

// Open opens the result file, if there is to be one, and checks that predictions can be kept, if
// they are to be.
func (r *Results) Open() (err error) {
	if r.Predictions != "" {
		if err := predictions.CheckDestination(r.Predictions); err != nil {
			return fmt.Errorf("%w: predictions: %w", ErrConfig, err)
		}
	}
	if r.Out == "" {
		return nil
	}
	if r.store, err = r.registry.storeAt(r.Out); err != nil {
		return fmt.Errorf("result file: %w", err)
	}
	return nil
}

// artifact is the name of the results among the artifacts of a test.
const artifact = "learntest.txt"

// Within says which test the results are of.
func (r *Results) Within(t Test) (err error) {
	r.Test = t
	if t.Artifacts != "" {
		r.copies, err = storage.NewStore(r.Artifact())
	}
	return err
}

// Artifact returns the path of the results among the artifacts of the test; empty if they are not
// wanted.
func (r *Results) Artifact() string {
	if r.Artifacts == "" {
		return ""
	}
	return filepath.Join(r.Artifacts, artifact)
}

// Sets returns the sets, in the order of the data sets, second opinions apart.
func (r *Results) Sets() []*Set { return r.sets }

// Len returns the number of trials, without second opinions.
func (r *Results) Len() int {
	n := 0
	for _, s := range r.sets {
		n += s.Block().Len()
	}
	return n
}

// File returns the cells that are there, second opinions included.
func (r *Results) File() *record.File {
	blocks := make([]*record.Block, len(r.sets))
	for i, s := range r.sets {
		blocks[i] = s.Block()
	}
	for _, s := range r.sets {
		for _, o := range s.known() {
			if b, err := o.whole(); err == nil && b != nil {
				blocks = append(blocks, b)
			}
		}
	}
	return record.NewFile(blocks...)
}
