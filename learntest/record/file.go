package record

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A File is the content of one or more result files. It keeps an index of its
// experiments: trials of one identity, whichever blocks and files they are in.
type File struct {
	blocks      []*Block
	experiments []*experiment
	data        []string
	byData      map[string]*dataIndex
	units       []unit.Unit
}

// An experiment is all that a file has under one identity.
type experiment struct {
	blocks []*Block
	union  *Block // nil if the blocks do not belong together
	err    error  // why they do not, or cells that are there twice
}

// isSecondOpinion reports whether the trials belong to a second opinion.
func (e *experiment) isSecondOpinion() bool { return e.blocks[0].table.shape.Halves() }

// hasMetric reports whether the first block has the metric, as the others must. A metric on a slice
// of items is there if the slice is.
func (e *experiment) hasMetric(metric string) bool {
	if items := e.blocks[0].items; items != nil {
		of, slice := unit.CutSlice(metric)
		if _, members := items.slice(slice); slice != "" && members == nil {
			return false
		}
		metric = of
	}
	return slices.ContainsFunc(e.blocks[0].Columns, func(u unit.Unit) bool { return u.Name == metric })
}

// distinction says in words which of several experiments one is.
func (e *experiment) distinction() string {
	h := &e.union.Header
	s := " under " + strconv.Quote(h.Protocol)
	if h.Test != "" {
		s += ", test " + h.Test
	}
	if h.Pkg != "" {
		s += " of " + h.Pkg
	}
	return s
}

// A dataIndex has the learners of a file on one data set. Where one block has all of these
// learners, as most often, the first two fields are the block's.
type dataIndex struct {
	learners []string
	numbers  map[string]int // of the learners
	entries  []learnerIndex // in the order of the learners
	of       *Block         // that shares the two; nil if none does
}

// newDataIndex returns the index of the learners of a block.
func newDataIndex(b *Block) *dataIndex {
	return &dataIndex{slices.Clip(b.Learners), b.index, make([]learnerIndex, len(b.Learners)), b}
}

// entry returns the entry of a learner, which it makes if there is none.
func (d *dataIndex) entry(learner string) *learnerIndex {
	i, ok := d.numbers[learner]
	if !ok {
		if d.of != nil {
			d.learners, d.numbers, d.of = slices.Clone(d.learners), maps.Clone(d.numbers), nil
		}
		i = len(d.learners)
		d.learners, d.numbers[learner] = append(d.learners, learner), i
		d.entries = append(d.entries, learnerIndex{})
	}
	return &d.entries[i]
}

// A learnerIndex has the experiments of a file with one learner on one data set.
type learnerIndex struct {
	experiments []*experiment
	units       []unit.Unit
}

// NewFile returns a file with the given blocks.
func NewFile(blocks ...*Block) *File {
	f := &File{blocks: blocks, byData: make(map[string]*dataIndex)}
	index := make(map[Identity]*experiment)
	units := make(map[string]bool)
	for _, b := range blocks {
		id := b.Header.Identity()
		e := index[id]
		if e == nil {
			e = new(experiment)
			index[id] = e
			f.experiments = append(f.experiments, e)
		}
		e.blocks = append(e.blocks, b)
		f.add(e, b)
		for _, u := range b.Units {
			if !units[u.Name] {
				units[u.Name] = true
				f.units = append(f.units, u)
			}
		}
	}
	for _, e := range f.experiments {
		e.union, e.err = Union(e.blocks...)
	}
	return f
}

// add enters a block of an experiment into the index.
func (f *File) add(e *experiment, b *Block) {
	d := f.byData[b.Header.Data]
	if d == nil {
		d = newDataIndex(b)
		f.byData[b.Header.Data] = d
		f.data = append(f.data, b.Header.Data)
	}
	only := []*experiment{e}
	for _, name := range b.Learners {
		l := d.entry(name)
		switch {
		case l.experiments == nil:
			l.experiments = only[:1:1]
		case !slices.Contains(l.experiments, e):
			l.experiments = append(l.experiments, e)
		}
		l.units = mergeUnits(l.units, b.Units)
	}
}

// mergeUnits returns the units of both lists, which are short.
func mergeUnits(a, b []unit.Unit) []unit.Unit {
	if a == nil {
		return b[:len(b):len(b)]
	}
next:
	for _, u := range b {
		for _, have := range a {
			if have.Name == u.Name {
				continue next
			}
		}
		a = append(a, u)
	}
	return a
}

// Blocks returns the blocks in the order in which they were given or read.
func (f *File) Blocks() []*Block { return f.blocks }

// Experiments returns one block for each identity, in the order of their first
// appearance: the [Union] of the blocks that have it. Blocks that do not belong
// together are left out; [File.Check] returns why.
func (f *File) Experiments() []*Block {
	var all []*Block
	for _, e := range f.experiments {
		if e.union != nil {
			all = append(all, e.union)
		}
	}
	return all
}

// DataSets returns the names of the data sets, in the order of their first
// appearance.
func (f *File) DataSets() []string { return f.data }

// HasData reports whether there is a block on a data set.
func (f *File) HasData(data string) bool { return f.byData[data] != nil }

// Learners returns the names of the learners of the blocks on a data set, in
// the order of their first appearance.
func (f *File) Learners(data string) []string {
	if d := f.byData[data]; d != nil {
		return d.learners
	}
	return nil
}

// HasLearner reports whether a block on a data set has a learner.
func (f *File) HasLearner(data, learner string) bool { return f.learner(data, learner) != nil }

// Metrics returns the metrics of a learner on a data set, in the order of their
// first appearance.
func (f *File) Metrics(data, learner string) []unit.Unit {
	if l := f.learner(data, learner); l != nil {
		return l.units
	}
	return nil
}

func (f *File) learner(data, learner string) *learnerIndex {
	if d := f.byData[data]; d != nil {
		if i, ok := d.numbers[learner]; ok {
			return &d.entries[i]
		}
	}
	return nil
}

// Units returns the metrics of all blocks, in the order of their first
// appearance.
func (f *File) Units() []unit.Unit { return f.units }

// Pos returns where the results of a learner on a data set begin: the head of
// their first block. It is the zero Pos if there are none, or they were not read.
func (f *File) Pos(data, learner string) Pos {
	if l := f.learner(data, learner); l != nil {
		for _, b := range l.experiments[0].blocks {
			if _, ok := b.index[learner]; ok {
				return b.Pos()
			}
		}
	}
	return Pos{}
}

// Failures returns the trials that failed, in the order of the experiments.
func (f *File) Failures() []Trial {
	var failed []Trial
	for _, b := range f.Experiments() {
		if len(b.table.failed) == 0 {
			continue
		}
		for at := range b.table.seats {
			if _, ok := b.table.failed[at]; ok {
				failed = append(failed, b.trial(at))
			}
		}
	}
	return failed
}

// Check returns an error unless the results are complete and consistent: every
// learner of every experiment has exactly one trial in each cell of the
// protocol's own runs, and in each cell of every further run that it has begun;
// all blocks of an experiment agree; every data set has one digest in a package, and
// every protocol on it one digest of its partitions.
//
// The error joins the errors that [Union] and [Block.Check] return for each experiment. A trial
// that failed counts as a trial: see [File.Failures].
func (f *File) Check() error { return f.check((*Block).Check) }

// CheckStopped is Check for readers that know a [Stop]: a learner whose training was stopped is
// complete with exactly the runs after which it was.
func (f *File) CheckStopped() error { return f.check(checkStopped) }

func (f *File) check(each func(*Block) error) error {
	if len(f.blocks) == 0 {
		return fmt.Errorf("%w: no results", ErrNotFound)
	}
	errs := []error{f.checkDigests()}
	for _, e := range f.experiments {
		errs = append(errs, e.err)
		if e.union != nil {
			errs = append(errs, each(e.union))
		}
	}
	return errors.Join(errs...)
}

// checkDigests returns an error if one name stands for two data sets, or one
// protocol for two series of partitions. Blocks of one experiment are left to Union.
func (f *File) checkDigests() error {
	type key struct{ pkg, data, protocol string }
	data, splits := make(map[key]*Block), make(map[key]*Block)
	for _, e := range f.experiments {
		b := e.blocks[0]
		h := &b.Header
		for _, d := range [...]struct {
			name  string
			seen  map[key]*Block
			key   key
			field func(*Header) string
		}{
			{dataDigest, data, key{h.Pkg, h.Data, ""}, func(h *Header) string { return h.DataDigest }},
			{
				splitDigest, splits,
				key{h.Pkg, h.Data, h.Protocol},
				func(h *Header) string { return h.SplitDigest },
			},
		} {
			first, ok := d.seen[d.key]
			if !ok {
				d.seen[d.key] = b
			} else if x, y := d.field(&first.Header), d.field(h); x != y {
				return &MismatchError{ErrMismatch, d.name, nil, first.where(), b.where(), x, y}
			}
		}
	}
	return nil
}
