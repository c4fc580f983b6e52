package learntest

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A second is the second opinion on the results on one data set: cells of a protocol of
// their own, of those learners only that it was asked for about.
type second struct {
	*session        // whose only input has the halves
	of       *input // the results that it is on
}

// secondOn returns the second opinion from so many halvings on the results on a data set: the
// same one each time.
func (s *session) secondOn(in *input, halvings int) (*second, error) {
	text, err := verdict.SecondProtocol(s.cfg.Protocol.String(), halvings)
	if err != nil {
		return nil, err
	}
	if o := in.seconds[text]; o != nil {
		return o, nil
	}
	o := &second{of: in, session: &session{
		cfg: s.cfg, learners: s.learners, store: s.store, copies: s.copies, instance: s.instance,
		site: s.site, note: s.note, resumption: s.resumption, partly: true,
	}}
	c := &o.cfg
	c.Repeats, c.MinRuns, c.Predicted = 0, 0, nil
	if c.Protocol, err = split.Parse(text); err != nil {
		return nil, err
	}
	half := &input{
		Data: in.Data, examples: in.examples, current: in.current,
		opened: slices.Repeat([]bool{true}, len(s.learners)), // the results show what they are like
	}
	o.inputs = []*input{half}
	if half.plan, err = c.Protocol.Plan(in.examples); err != nil {
		return nil, fmt.Errorf("second opinion on data set %q: %w", in.Name, err)
	}
	if half.block, err = record.NewBlock(o.header(half), s.learners, c.units(), in.examples.N); err != nil {
		return nil, err
	}
	if c.Results.Resume {
		if err := o.resume(false); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.seconds == nil {
		in.seconds = make(map[string]*second)
	}
	in.seconds[text] = o
	return o, nil
}

// provide trains what is missing of the learners, or takes it from where the results come
// from.
func (o *second) provide(ctx context.Context, learners ...string) error {
	if o.cfg.Results.In != nil {
		return o.takeOver(learners)
	}
	o.replace(o.inputs[0], func(b *record.Block) {
		for _, name := range learners {
			if b.Header.OpinionOf(name) == "" {
				b.Header.AddOpinionOn(name, o.of.block.Fingerprint(name))
				if was := o.of.block.Header.DeterminismOf(name); was != record.NotProbed {
					b.Header.AddDeterminism(name, was)
				}
			}
		}
	})
	return o.train(ctx, o.cfg.Protocol.Runs(), learners)
}

// takeOver takes the trials from result files. What these have is for a verdict to find out.
func (o *second) takeOver(learners []string) error {
	half := o.inputs[0]
	half.describe(&half.block.Header)
	id := half.block.Header.Identity()
	from := resultsOf(o.cfg.Results.In).blocks[id]
	if from == nil {
		return fmt.Errorf("%w: results to be judged: there is no second opinion on %v: shards train none; run the test without them", ErrConfig, o.of.block.Header.Identity())
	}
	if err := from.Fits(half.block); err != nil {
		return fmt.Errorf("%w: the second opinion is not of this run: %w", ErrConfig, err)
	}
	for _, name := range learners {
		if !slices.Contains(from.Learners, name) {
			return fmt.Errorf("%w: results to be judged: there is no second opinion on %s: run the test again without shards", ErrConfig, name)
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	half.block = from
	return nil
}

// results returns what there is of a session to be stored: all, or of a second opinion what
// is complete.
func (s *session) results() ([]*record.Block, error) {
	blocks := s.blocks()
	if !s.partly {
		return blocks, nil
	}
	b := blocks[0]
	complete := slices.DeleteFunc(slices.Clone(b.Learners), func(name string) bool { return b.Fingerprint(name) == "" })
	if len(complete) == 0 {
		return nil, nil
	}
	part, err := excerpt(b, b.Header, complete, s.inputs[0].examples.N, all)
	return []*record.Block{part}, err
}

// opinions returns the second opinions on the session's results.
func (s *session) opinions() []*record.Block {
	s.mu.Lock()
	var seconds []*second
	for _, in := range s.inputs {
		for _, text := range slices.Sorted(maps.Keys(in.seconds)) {
			seconds = append(seconds, in.seconds[text])
		}
	}
	s.mu.Unlock()
	var blocks []*record.Block
	for _, o := range seconds {
		if b, err := o.results(); err == nil {
			blocks = append(blocks, b...)
		}
	}
	return blocks
}
