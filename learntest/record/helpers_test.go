package record

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var accuracy = unit.Unit{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}

// A set is what a block is made of: its head and a list of trials, which a test
// may spoil.
type set struct {
	Header   Header
	Learners []string
	Units    []unit.Unit
	Examples int
	Timeless bool
	Trials   []Trial
}

// digest returns a SHA-256 in hexadecimal.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func sampleHeader(data string, runs, folds int) Header {
	return Header{
		Pkg:         "example.com/model",
		Test:        "TestForest",
		Data:        data,
		Commit:      "3f2a9c1",
		CommitTime:  "2026-11-20T16:02:11Z",
		Protocol:    fmt.Sprintf("cv runs=%d folds=%d stratified seed=1 v1", runs, folds),
		DataDigest:  digest(data),
		SplitDigest: digest("split " + data),
		Reproduce:   "go test -run '^TestForest$' ./...",
		Determinism: "c45=yes",
		Toolchain:   "go1.26.8 linux/amd64",
	}
}

// sampleSet is a complete set under cross-validation, with made-up scores that
// differ from cell to cell. There is one example more than ten for each fold.
func sampleSet(data string, runs, folds int, learners ...string) set {
	s := set{
		Header: sampleHeader(data, runs, folds), Learners: learners, Units: []unit.Unit{accuracy},
		Examples: 10*folds + 1,
	}
	for run := 1; run <= runs; run++ {
		s.Trials = append(s.Trials, sampleRun(&s, run, folds)...)
	}
	return s
}

// sampleRun is a complete run of a sample set.
func sampleRun(s *set, run, folds int) []Trial {
	var trials []Trial
	for fold := 1; fold <= folds; fold++ {
		testN := 10
		if fold == 1 {
			testN++
		}
		for i, learner := range s.Learners {
			trials = append(trials, Trial{
				Data: s.Header.Data, Learner: learner, Run: run, Fold: fold,
				TrainN: s.Examples - testN, TestN: testN,
				Values:     []float64{1 / (1 + float64(run) + float64(fold)/7 + float64(i)/100)},
				FitSeconds: 0.0012 * float64(run), PredictSec: 4e-5,
			})
		}
	}
	return trials
}

// tryBlock returns the block of a set, or why there is none.
func (s *set) tryBlock() (*Block, error) {
	b, err := NewBlock(s.Header, s.Learners, s.Units, s.Examples)
	if err != nil {
		return nil, err
	}
	b.Timeless = s.Timeless
	for _, tr := range s.Trials {
		if err := b.Add(tr); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (s set) block(t require.TestingT) *Block {
	b, err := s.tryBlock()
	require.NoError(t, err)
	return b
}

// clone returns a copy that shares no trials and no values.
func (s set) clone() set {
	s.Trials = slices.Clone(s.Trials)
	for i := range s.Trials {
		s.Trials[i].Values = slices.Clone(s.Trials[i].Values)
	}
	s.Learners, s.Units = slices.Clone(s.Learners), slices.Clone(s.Units)
	return s
}

// fail makes a trial one that failed.
func (s *set) fail(i int, cause string) {
	s.Trials[i].Values, s.Trials[i].Err, s.Trials[i].Constancy = nil, cause, Varied
}

func sampleBlock(t require.TestingT, data string, runs, folds int, learners ...string) *Block {
	return sampleSet(data, runs, folds, learners...).block(t)
}

// fileOf returns a file of the blocks of sets.
func fileOf(t require.TestingT, sets ...set) *File { return NewFile(blocksOf(t, sets...)...) }

func blocksOf(t require.TestingT, sets ...set) []*Block {
	var blocks []*Block
	for _, s := range sets {
		blocks = append(blocks, s.block(t))
	}
	return blocks
}

// text returns the text of blocks.
func text(t require.TestingT, blocks ...*Block) string {
	var b bytes.Buffer
	require.NoError(t, Write(&b, blocks...))
	return b.String()
}

// textOf returns the text of sets.
func textOf(t require.TestingT, sets ...set) string { return text(t, blocksOf(t, sets...)...) }

// readText reads a text.
func readText(t require.TestingT, text string) *File {
	f, err := Read(strings.NewReader(text), "f.txt")
	require.NoError(t, err, text)
	return f
}

// contentOf returns all that a block holds but positions.
func contentOf(b *Block) set {
	s := set{Header: b.Header, Learners: b.Learners, Units: b.Columns, Timeless: b.Timeless}
	for t := range b.Trials() {
		t.Pos = Pos{}
		s.Trials = append(s.Trials, t)
	}
	return s
}

// contents returns what blocks hold.
func contents(blocks ...*Block) []set {
	var all []set
	for _, b := range blocks {
		all = append(all, contentOf(b))
	}
	return all
}

// inOrder sorts trials by run, fold and learner.
func inOrder(learners []string, trials []Trial) []Trial {
	return slices.SortedStableFunc(slices.Values(trials), func(a, b Trial) int {
		return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Fold, b.Fold),
			cmp.Compare(slices.Index(learners, a.Learner), slices.Index(learners, b.Learner)))
	})
}

// withoutChecksum returns the text of a file without its checksums, as another
// tool may write it.
func withoutChecksum(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, keyChecksum+":") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// requireError checks the type of an error and returns it.
func requireError[E error](t require.TestingT, err error) E {
	var e E
	require.ErrorAs(t, err, &e)
	return e
}

// lineOf returns the number of the first line that has the text in it.
func lineOf(t *testing.T, full, part string) int {
	t.Helper()
	before, _, ok := strings.Cut(full, part)
	require.True(t, ok, part)
	return strings.Count(before, "\n") + 1
}

// anyText generates text of every kind: words, all of Unicode, and bytes.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[a-z0-9.()=-]{1,8}`),
		rapid.SampledFrom([]string{
			"", " ", "%", "%%", "%2", "a/b=c", "nb-8", "a b", "ns", "größe",
			"x\u00a0y", "\t", "\\", "\\n", "-", "=", "\r\n",
		}),
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
}

func finite() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Float64(),
		rapid.Float64Range(0, 1),
		rapid.SampledFrom([]float64{
			0, math.Copysign(0, -1), 1, 5e-324, math.MaxFloat64, 0.1, 1.0 / 3,
			1e21, 123456789012345678,
		}),
	)
}

func seconds() *rapid.Generator[float64] {
	return rapid.Map(finite(), math.Abs)
}

func genUnit() *rapid.Generator[unit.Unit] {
	return rapid.Custom(func(t *rapid.T) unit.Unit {
		u := unit.Unit{
			Name:   anyText().Draw(t, "unit"),
			Better: rapid.SampledFrom([]unit.Direction{unit.Higher, unit.Lower}).Draw(t, "better"),
			Min:    math.Inf(-1),
			Max:    math.Inf(1),
		}
		if rapid.Bool().Draw(t, "bounded below") {
			u.Min = finite().Draw(t, "min")
		}
		if rapid.Bool().Draw(t, "bounded above") {
			u.Max = finite().Draw(t, "max")
		}
		if u.Min > u.Max {
			u.Min, u.Max = u.Max, u.Min
		}
		return u
	}).Filter(func(u unit.Unit) bool { return validateUnit(u) == nil && !unit.HasBraces(u.Name) })
}

func genUnits() *rapid.Generator[[]unit.Unit] {
	return rapid.SliceOfNDistinct(genUnit(), 1, 3, func(u unit.Unit) string { return u.Name })
}

// A layout is a protocol with sizes that it can have.
type layout struct {
	protocol    string
	runs, folds int
	examples    int
	size        func(t *rapid.T, fold int) (trainN, testN int)
}

func genLayout() *rapid.Generator[layout] {
	return rapid.Custom(func(t *rapid.T) layout {
		l := layout{runs: rapid.IntRange(1, 4).Draw(t, "runs"), folds: rapid.IntRange(1, 4).Draw(t,
			"folds")}
		l.examples = rapid.IntRange(l.folds, 300).Draw(t, "examples")
		seed := rapid.Uint64().Draw(t, "seed")
		kind := rapid.SampledFrom([]string{
			"cv", "weka", "groups", "subsample", "loo", "timeseries",
			"predefined",
		}).Draw(t, "kind")
		settings := fmt.Sprintf("runs=%d folds=%d", l.runs, l.folds)
		free := func(t *rapid.T, _ int) (int, int) {
			return rapid.IntRange(0, math.MaxInt32).Draw(t, "train-n"),
				rapid.IntRange(1, math.MaxInt32).Draw(t, "test-n")
		}
		split := func(t *rapid.T, _ int) (int, int) {
			n := rapid.IntRange(1, l.examples).Draw(t, "test-n")
			return l.examples - n, n
		}
		even := func(_ *rapid.T, fold int) (int, int) {
			n := l.examples / l.folds
			if fold <= l.examples%l.folds {
				n++
			}
			return l.examples - n, n
		}
		switch kind {
		case "cv", "weka":
			l.size = even
		case "groups":
			l.size = split
		case "subsample":
			settings, l.folds, l.size = fmt.Sprintf("runs=%d train=0.9 unstratified", l.runs), 1, split
		case "loo":
			l.examples = rapid.IntRange(1, 6).Draw(t, "few examples")
			settings, l.runs, l.folds, l.size = "", 1, l.examples, even
		case "timeseries":
			settings, l.runs, l.size = fmt.Sprintf("folds=%d test=2 gap=1", l.folds), 1, free
		case "predefined":
			l.size = free
		}
		l.protocol = strings.ReplaceAll(fmt.Sprintf("%s %s seed=%d v1", kind, settings, seed), "  ", " ")
		return l
	})
}

// genSet generates a valid set with the given units, in any order; it may have
// cells without trial, and further runs.
func genSet(units []unit.Unit) *rapid.Generator[set] {
	return rapid.Custom(func(t *rapid.T) set {
		l := genLayout().Draw(t, "layout")
		s := set{
			Header: Header{
				Pkg:    anyText().Draw(t, "pkg"),
				Test:   anyText().Draw(t, "test"),
				Data:   anyText().Draw(t, "data"),
				Commit: anyText().Draw(t, "commit"),
				CommitTime: rapid.SampledFrom([]string{
					"", "2026-11-20T16:02:11Z",
					"2026-11-20T16:02:11+01:00",
				}).Draw(t, "time"),
				Protocol:    l.protocol,
				DataDigest:  digest(anyText().Draw(t, "data digest")),
				SplitDigest: digest(anyText().Draw(t, "split digest")),
				Reproduce:   anyText().Draw(t, "reproduce"),
				Determinism: anyText().Draw(t, "determinism"),
				Toolchain:   anyText().Draw(t, "toolchain"),
				Owner:       anyText().Draw(t, "owner"),
			},
			Learners: rapid.SliceOfNDistinct(anyText(), 1, 4, rapid.ID[string]).Draw(t, "learners"),
			Units:    units,
			Timeless: rapid.Bool().Draw(t, "timeless"),
		}
		if !s.Timeless && rapid.Bool().Draw(t, "machine known") {
			s.Header.Machine = Machine{rapid.IntRange(1, 99).Draw(t, "procs"), rapid.IntRange(1, 99).Draw(t,
				"parallel"), anyText().Draw(t, "cpu")}.String()
		}
		if rapid.Bool().Draw(t, "examples known") && !strings.HasPrefix(l.protocol, "timeseries") &&
			!strings.HasPrefix(l.protocol, "predefined") {
			s.Examples = l.examples
		}
		for i, name := range rapid.SliceOfNDistinct(anyText().Filter(isSliceName), 0, 2,
			rapid.ID[string]).Draw(t, "slices") {
			if units[0].Name == unitMembers {
				break
			}
			of := append(s.Header.SliceList(), Slice{name, i + 1, digest(name)[:8]})
			s.Header.SetSlices(of)
			s.Units = slices.Concat(units, SliceUnits(of, units[:1], 10))
		}
		sizes := make(map[[2]int][2]int)
		var trials []Trial
		for run := 1; run <= l.runs+2; run++ {
			for fold := 1; fold <= l.folds; fold++ {
				for _, learner := range s.Learners {
					trials = append(trials, Trial{Data: s.Header.Data, Learner: learner, Run: run, Fold: fold})
				}
			}
		}
		trials = rapid.Permutation(trials).Draw(t, "cells")
		for _, tr := range trials[:rapid.IntRange(1, min(len(trials), 12)).Draw(t, "trials")] {
			at := [2]int{tr.Run, tr.Fold}
			if _, ok := sizes[at]; !ok {
				trainN, testN := l.size(t, tr.Fold)
				sizes[at] = [2]int{trainN, testN}
			}
			tr.TrainN, tr.TestN = sizes[at][0], sizes[at][1]
			if !s.Timeless {
				tr.FitSeconds, tr.PredictSec = seconds().Draw(t, "fit"), seconds().Draw(t, "predict")
			}
			if rapid.IntRange(0, 3).Draw(t, "fails") == 0 {
				tr.Err = Cause(anyText().Draw(t, "cause"))
			} else {
				tr.Constancy = rapid.SampledFrom([]Constancy{Varied, Alike, Constant}).Draw(t, "constancy")
				for range s.Units {
					tr.Values = append(tr.Values, finite().Draw(t, "value"))
				}
			}
			s.Trials = append(s.Trials, tr)
		}
		return s
	})
}

// isSliceName reports whether a slice may have the name.
func isSliceName(name string) bool { return name != "" && !unit.HasBraces(name) }

func genSets() *rapid.Generator[[]set] {
	return rapid.Custom(func(t *rapid.T) []set {
		units := genUnits().Draw(t, "units")
		return rapid.SliceOfN(genSet(units), 1, 3).Draw(t, "sets")
	})
}

// shard deals out the trials of a set to up to n sets.
func shard(t *rapid.T, s set, n int) []set {
	shards := make([]set, n)
	for i := range shards {
		shards[i] = s
		shards[i].Trials = nil
	}
	for _, tr := range rapid.Permutation(s.Trials).Draw(t, "trials") {
		to := &shards[rapid.IntRange(0, n-1).Draw(t, "shard")]
		to.Trials = append(to.Trials, tr)
	}
	return slices.DeleteFunc(shards, func(s set) bool { return len(s.Trials) == 0 })
}
