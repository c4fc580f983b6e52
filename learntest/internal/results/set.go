package results

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// A Set is the cells of a protocol on a data set, and of further runs of it. A block of records has
// the cells that are there.
type Set struct {
	Data *trial.Data
	Plan *split.Plan // of the protocol's own runs

	facts    Facts
	settings *Settings
	hand     hand
	of       *Set   // that this is a second opinion on; nil if it is none
	probed   []bool // by learner: its first trial has been run, or need not be
	proven   []bool // by learner: it has been trained again, or need not be
	unsaved  bool   // see Unsaved
	cached   []Cached
	kept     *keeping // nil if predictions are not kept

	held                     // the cells that are there
	opinions map[string]*Set // second opinions on these, by their protocols; guarded by mu
}

// Facts are what a header says of a data set. The zero value says nothing.
type Facts struct {
	Target   string
	Against  string
	Metrics  func() string // called once, since it takes long; nil if it is not to be known
	Majority func() string // as Metrics
	Copies   func() string // called once, before any trial; nil as Metrics
}

// once returns a function that calls f when it is first called, and no f says nothing.
func once(f func() string) func() string {
	if f == nil {
		return func() string { return "" }
	}
	return sync.OnceValue(f)
}

// newSet returns a set without cells.
func newSet(c *Settings, dealt *deal, first int, data *trial.Data, plan *split.Plan,
	facts Facts,
) (*Set, error) {
	facts.Metrics, facts.Majority = once(facts.Metrics), once(facts.Majority)
	facts.Copies = once(facts.Copies)
	h := c.header(data.Name, data.Digest, plan)
	sliced, units := data.Sliced(plan)
	h.SetSlices(sliced)
	block, err := record.NewBlock(h, c.Learners, slices.Concat(c.Units, units), data.Examples.N)
	if err != nil {
		return nil, err
	}
	return &Set{
		Data: data, Plan: plan, facts: facts, settings: c,
		hand: hand{dealt, first, plan.Folds()}, probed: make([]bool, len(c.Learners)),
		proven: make([]bool, len(c.Learners)), held: held{block: block},
	}, nil
}

// Identity returns the identity of the results.
func (s *Set) Identity() record.Identity { return s.block.Header.Identity() }

// Runs returns the number of the protocol's own runs.
func (s *Set) Runs() int { return s.Plan.Runs() }

// Unsaved reports whether there is something to be stored that is not trained here.
func (s *Set) Unsaved() bool { return s.unsaved }

// Missing yields the cells of runs 1 to runs of the learners that are to be trained here and
// are not there.
func (s *Set) Missing(runs int, learners []string) iter.Seq[record.Cell] {
	return func(yield func(record.Cell) bool) {
		for c := range s.block.Missing(runs) {
			if !slices.Contains(learners, c.Learner) || !s.hand.has(c) {
				continue
			}
			if !yield(c) {
				return
			}
		}
	}
}

// Unprobed returns the first cell of a learner that is missing of the protocol's own runs, if
// nobody knows yet whether the learner's seed fixes it. It is asked for once.
func (s *Set) Unprobed(learner int) (record.Cell, bool) {
	if s.probed[learner] {
		return record.Cell{}, false
	}
	for c := range s.Missing(s.Runs(), s.settings.Learners[learner:learner+1]) {
		s.probed[learner] = true
		return c, true
	}
	return record.Cell{}, false
}

// Unproven reports whether nobody knows yet whether a learner repeats its predictions when it is
// trained again.
func (s *Set) Unproven(learner int) bool { return s.of == nil && !s.proven[learner] }

// Proven records the outcome of training a learner again: the number of cells in which it repeated
// its predictions, and whether it differed in others. Proven returns the outcome as a header has
// it.
func (s *Set) Proven(learner string, same int, differed bool) string {
	was := &s.block.Header
	outcome := record.NotProbed
	if n := same + was.Of(learner).TrainedAgain(); n > 0 {
		outcome = record.DeterministicIn(n)
	}
	if differed || was.Of(learner).Determinism() == record.NotDeterministic {
		outcome = record.NotDeterministic
	}
	s.change(func(b *record.Block) {
		h := b.Header
		h.Of(learner).SetProbe(outcome)
		b.Header.Determinism = ""
		for _, name := range s.settings.Learners { // whichever was known first
			if o := h.Of(name).Probe(); o != "" {
				b.Header.Of(name).SetProbe(o)
			}
		}
	})
	s.proven[slices.Index(s.settings.Learners, learner)] = true
	return outcome
}

// Take adds the trials of a batch that were run on a machine, and returns how many there are.
func (s *Set) Take(b *trial.Batch, machine string) (ran int, err error) {
	block := s.block.Clone()
	measuredOn(block, machine)
	for j := range b.Trials {
		if t := &b.Trials[j]; t.Run > 0 {
			if err := block.Add(*t); err != nil {
				return ran, err
			}
			ran++
		}
	}
	s.put(block)
	return ran, nil
}

// Describe computes the header's description of the partitions and of the data. It does so once,
// and may be called beside anything else, also beside trials after [Results.Record].
func (s *Set) Describe() { s.describe(new(record.Header)) }

// describe sets a header's description of the partitions and of the data.
func (s *Set) describe(h *record.Header) {
	h.SplitDigest = s.Plan.Digest()
	h.Target, h.Metrics, h.Against = s.facts.Target, s.facts.Metrics(), s.facts.Against
	h.Majority, h.Copies = s.facts.Majority(), s.facts.Copies()
}

// Described sets the description of the partitions and of the data in the header of the block.
func (s *Set) Described() {
	s.change(func(b *record.Block) { s.describe(&b.Header) })
}

// whole returns the block to store: all of the set, or of a second opinion the learners that are
// complete. It is nil if there are none.
func (s *Set) whole() (*record.Block, error) {
	b := s.Block()
	if s.of == nil {
		return b, nil
	}
	complete := slices.DeleteFunc(slices.Clone(b.Learners),
		func(name string) bool { return b.Fingerprint(name) == "" })
	if len(complete) == 0 {
		return nil, nil
	}
	return excerpt(b, b.Header, complete, s.Data.Examples.N, all)
}

// opinion returns the second opinion under a protocol, which is the same one each time.
func (s *Set) opinion(p split.Protocol) (o *Set, isNew bool, err error) {
	text := p.String()
	if o := s.opinions[text]; o != nil {
		return o, false, nil
	}
	plan, err := p.Plan(s.Data.Examples)
	if err != nil {
		return nil, false, fmt.Errorf("second opinion on data set %q: %w", s.Data.Name, err)
	}
	facts := Facts{Target: s.facts.Target, Metrics: s.facts.Metrics} // nobody asks it for the majority
	if o, err = newSet(s.settings, s.hand.deal, s.hand.first, s.Data, plan, facts); err != nil {
		return nil, false, err
	}
	o.of = s
	for l := range o.probed {
		o.probed[l] = true // the trials of the protocol itself show a flaw of the learner
	}
	return o, true, nil
}

// know keeps a second opinion.
func (s *Set) know(o *Set) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opinions == nil {
		s.opinions = make(map[string]*Set)
	}
	s.opinions[o.Plan.Protocol().String()] = o
}

// known returns the second opinions.
func (s *Set) known() []*Set {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sets []*Set
	for _, text := range slices.Sorted(maps.Keys(s.opinions)) {
		sets = append(sets, s.opinions[text])
	}
	return sets
}
