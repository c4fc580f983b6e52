package results

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// A keeping is the predictions of the cells of a set.
type keeping struct {
	plan     *split.Plan // further runs included, as far as is known
	digest   func() string
	examples split.Examples

	mu    sync.Mutex
	block *predictions.Block
	err   error // why predictions could not be kept
}

// newKeeping returns a keeping without predictions. The digest of the partitions takes long: take
// sets it.
func newKeeping(s *Set) (*keeping, error) {
	id := s.Identity()
	b, err := predictions.NewBlock(predictions.Header{
		Pkg: id.Pkg, Test: id.Test, Protocol: id.Protocol, DataDigest: s.Data.Digest,
		SplitDigest: s.block.Header.SplitDigest,
		Data:        id.Data, Examples: s.Data.Examples.N, Classes: s.Data.Classes,
		Probabilities: s.settings.Probabilities,
	}, s.Data.Examples.Class, s.Data.Targets)
	if err != nil {
		return nil, err
	}
	k := &keeping{plan: s.Plan, digest: s.Plan.Digest, examples: s.Data.Examples, block: b}
	for run := 1; run <= s.Plan.Runs(); run++ {
		if err := k.setFolds(run); err != nil {
			return nil, err
		}
	}
	if strings.HasPrefix(id.Protocol, "predefined ") { // which may be any partitions
		b.SplitDigest = s.Plan.Digest()
		if _, err := b.Partition(); err != nil {
			return nil, fmt.Errorf("they are kept of partitions that train each fold on all other examples, in ascending order: %w", err)
		}
	}
	return k, nil
}

// setFolds sets the folds of a run.
func (k *keeping) setFolds(run int) error {
	of := make([]uint16, k.plan.N())
	for fold := 1; fold <= k.plan.Folds(); fold++ {
		_, test := k.plan.Trial(run, fold, nil, nil)
		for _, i := range test {
			if of[i] != 0 {
				return fmt.Errorf("data set %s: example %d is tested in folds %d and %d of run %d: predictions are kept where there is one for each example and run", k.block.Data, i, of[i], fold, run)
			}
			of[i] = uint16(fold)
		}
	}
	return k.block.SetFolds(run, of)
}

// add keeps the predictions of a trial. An error is the matter of take.
func (k *keeping) add(c record.Cell, test []int, p *metric.Predictions) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err == nil {
		k.err = k.put(c, test, p)
	}
}

func (k *keeping) put(c record.Cell, test []int, p *metric.Predictions) error {
	if err := k.know(c.Run); err != nil {
		return err
	}
	return k.block.Add(c, test, p)
}

// know sets the folds of a run unless they are known.
func (k *keeping) know(run int) (err error) {
	if k.block.HasFolds(run) {
		return nil
	}
	if run > k.plan.Runs() {
		if k.plan, err = k.plan.Protocol().WithRuns(run + 9).Plan(k.examples); err != nil {
			return err
		}
	}
	return k.setFolds(run)
}

// take returns the predictions of a set, and nil if they are not kept.
func (k *keeping) take() (*predictions.Block, error) {
	if k == nil {
		return nil, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil {
		return nil, fmt.Errorf("predictions: %w", k.err)
	}
	k.block.SplitDigest = k.digest()
	return k.block, nil
}

// partOf returns a copy of the predictions of the trials of a block, and nil if there are none.
func partOf(kept *predictions.Block, b *record.Block) *predictions.Block {
	if kept == nil {
		return nil
	}
	cells := make(map[record.Cell]bool)
	for t := range b.Trials() {
		cells[t.Cell()] = true
	}
	part := kept.Part(func(c record.Cell) bool { return cells[c] })
	if len(part.Learners()) == 0 {
		return nil
	}
	return part
}

// A source has the predictions of trials that may be taken over, and nil of all others.
type source func(c record.Cell) *metric.Predictions

// adopt keeps the predictions of trials that are taken over.
func (k *keeping) adopt(cells []record.Cell, from source) error {
	for _, c := range cells {
		if err := k.know(c.Run); err != nil {
			return err
		}
		_, test := k.plan.Trial(c.Run, c.Fold, nil, nil)
		k.add(c, test, from(c))
	}
	return k.err
}

// stored returns the predictions of a result that a file has, and why it has none.
func (k *keeping) stored(path string, result *record.Block) (source, error) {
	all, err := predictions.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		all, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	b, _, err := predictions.Of(result, all)
	if err != nil {
		return nil, err
	}
	if b.Probabilities != k.block.Probabilities {
		return nil, fmt.Errorf("they have the probabilities %q, and %q are wanted", b.Probabilities,
			k.block.Probabilities)
	}
	p, err := b.Partition()
	if err != nil {
		return nil, err
	}
	return func(c record.Cell) *metric.Predictions {
		to := new(metric.Predictions)
		if !p.Trial(c.Learner, c.Run, c.Fold, to) {
			return nil
		}
		return to
	}, nil
}

// journaled returns the predictions that the notes of a journal have.
func (k *keeping) journaled(notes []storage.Note) source {
	text := make(map[record.Cell]string)
	for _, n := range notes {
		if part, ok := strings.CutPrefix(n.Text, predictedNote); ok {
			text[n.Cell] += part
		}
	}
	return func(c record.Cell) *metric.Predictions {
		if c.Run < 1 || c.Fold < 1 || c.Fold > k.plan.Folds() || k.know(c.Run) != nil {
			return nil
		}
		_, test := k.plan.Sizes(c.Run, c.Fold)
		p, err := predictions.Unpack(text[c], test, k.block.Classes, k.block.Probabilities != "")
		if err != nil { // nothing was kept of the trial: it is trained again
			return nil
		}
		return p
	}
}
