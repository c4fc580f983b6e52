package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A block has the trials added to it, in any order, like a map of cells.
func TestBlockAgainstAMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := genSet(genUnits().Draw(t, "units")).Draw(t, "set")
		b, err := NewBlock(s.Header, s.Learners, s.Units, s.Examples)
		require.NoError(t, err)
		b.Timeless = s.Timeless
		model := make(map[Cell]Trial)
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(s.Trials)-1), 1, 40).Draw(t, "which") {
			tr := s.Trials[i]
			err := b.Add(tr)
			if _, ok := model[tr.Cell()]; ok {
				require.EqualError(t, err, "trials occur more than once: "+tr.Cell().String())
				require.Equal(t, []Cell{tr.Cell()}, requireError[*CellError](t, err).Cells)
				continue
			}
			require.NoError(t, err)
			model[tr.Cell()] = tr
		}
		var want []Trial
		for _, tr := range model {
			want = append(want, tr)
		}
		require.Equal(t, inOrder(s.Learners, want), contentOf(b).Trials)
		require.Equal(t, len(model), b.Len())
		last := 0
		for c := range model {
			last = max(last, c.Run)
		}
		var missing []Cell
		for run := 1; run <= last; run++ {
			for fold := 1; fold <= b.Folds(); fold++ {
				for _, learner := range s.Learners {
					c := Cell{Data: s.Header.Data, Learner: learner, Run: run, Fold: fold}
					if _, ok := model[c]; !ok {
						missing = append(missing, c)
					}
				}
			}
		}
		require.Equal(t, missing, slices.Collect(b.Missing(last)))
	})
}

func TestNewBlockRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		spoil func(s *set)
		msg   string
	}{
		{"no units", func(s *set) { s.Units = nil }, "no metrics"},
		{
			"unit without direction", func(s *set) { s.Units[0].Better = 0 },
			`unit "accuracy": better is neither higher nor lower`,
		},
		{
			"unit with odd direction", func(s *set) { s.Units[0].Better = 2 },
			`unit "accuracy": better is neither higher nor lower`,
		},
		{
			"unit that is rescaled", func(s *set) { s.Units[0].Name = "ns/op" },
			`unit "ns/op": tools for benchmarks would rescale it to sec/op: use that unit`,
		},
		{
			"size as a unit", func(s *set) { s.Units[0].Name = "train-n" },
			`unit "train-n": the name is reserved`,
		},
		{
			"failure as a unit", func(s *set) { s.Units[0].Name = "failed" },
			`unit "failed": the name is reserved`,
		},
		{"unit without name", func(s *set) { s.Units[0].Name = "" }, `unit "": no name`},
		{"empty range", func(s *set) { s.Units[0].Min = 2 }, "invalid range from 2 to 1"},
		{"range of NaN", func(s *set) { s.Units[0].Max = math.NaN() }, "invalid range from 0 to NaN"},
		{"range of infinity alone", func(s *set) {
			s.Units[0].Min, s.Units[0].Max = math.Inf(1),
				math.Inf(1)
		}, "invalid range from +Inf to +Inf"},
		{"range of minus infinity alone", func(s *set) {
			s.Units[0].Min, s.Units[0].Max = math.Inf(-1),
				math.Inf(-1)
		}, "invalid range from -Inf to -Inf"},
		{
			"two units of one name", func(s *set) { s.Units = append(s.Units, s.Units[0]) },
			`unit "accuracy" is declared twice`,
		},
		{"no learners", func(s *set) { s.Learners = nil }, "no learners"},
		{
			"two learners of one name", func(s *set) { s.Learners = []string{"a", "b", "a"} },
			`two learners have the name "a"`,
		},
		{"no protocol", func(s *set) { s.Header.Protocol = "" }, "protocol is empty"},
		{"no data digest", func(s *set) { s.Header.DataDigest = "" }, "data-sha256 is empty"},
		{"no split digest", func(s *set) { s.Header.SplitDigest = "" }, "split-sha256 is empty"},
		{
			"short digest", func(s *set) { s.Header.SplitDigest = strings.Repeat("0", 63) },
			"is not the 64 hexadecimal digits of a SHA-256",
		},
		{
			"digest of other letters", func(s *set) { s.Header.SplitDigest = "g" + strings.Repeat("0", 63) },
			"is not the 64 hexadecimal digits of a SHA-256",
		},
		{
			"odd protocol", func(s *set) { s.Header.Protocol = "dice" },
			`protocol: split: cannot parse protocol "dice": unknown kind of protocol "dice": there are cv, `,
		},
		{
			"odd time", func(s *set) { s.Header.CommitTime = "2026" },
			`Commit-Time: "2026" is not a time as in RFC 3339`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := sampleSet("vehicle", 2, 3, "a", "b").clone()
			c.spoil(&s)
			b, err := NewBlock(s.Header, s.Learners, s.Units, s.Examples)
			require.Nil(t, b)
			require.ErrorIs(t, err, ErrInvalid)
			require.ErrorContains(t, err, c.msg)
		})
	}
	for _, u := range []unit.Unit{
		{Name: "x", Better: unit.Higher, Min: 1, Max: 1},
		{Name: "x", Better: unit.Lower, Min: math.Inf(-1), Max: math.Inf(1)},
		{Name: "a/b=c d", Better: unit.Lower, Min: -1, Max: math.Inf(1)},
	} {
		require.NoError(t, validateUnit(u))
	}
}

func TestNewBlockKeepsItsArguments(t *testing.T) {
	t.Parallel()
	learners, units := []string{"a", "b"}, []unit.Unit{accuracy}
	b, err := NewBlock(sampleHeader("vehicle", 2, 3), learners, units, 31)
	require.NoError(t, err)
	learners[0], units[0].Name = "z", "z"
	require.Equal(t, []string{"a", "b"}, b.Learners)
	require.Equal(t, []unit.Unit{accuracy}, b.Units)
	require.Equal(t, 2, b.Runs())
	require.Equal(t, 3, b.Folds())
	require.Zero(t, b.Len())
	require.Zero(t, b.Pos())
}

func TestAddRefuses(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	const cell = "invalid record: data set vehicle, learner a, run 1, fold 2: "
	for _, c := range []struct {
		name  string
		spoil func(tr *Trial)
		msg   string
	}{
		{
			"another data set", func(tr *Trial) { tr.Data = "other" },
			"invalid record: data set other, learner a, run 1, fold 2: the block is of data set vehicle",
		},
		{
			"another learner", func(tr *Trial) { tr.Learner = "z" },
			"invalid record: data set vehicle, learner z, run 1, fold 2: the block does not have the learner",
		},
		{
			"run zero", func(tr *Trial) { tr.Run = 0 },
			"invalid record: data set vehicle, learner a, run 0, fold 2: run 0 is not from 1 to 16777216",
		},
		{
			"run too large", func(tr *Trial) { tr.Run = maxCount + 1 },
			"invalid record: data set vehicle, learner a, run 16777217, fold 2: run 16777217 is not from 1 to 16777216",
		},
		{
			"fold zero", func(tr *Trial) { tr.Fold = 0 },
			"invalid record: data set vehicle, learner a, run 1, fold 0: fold 0 is not one of 3",
		},
		{
			"fold too large", func(tr *Trial) { tr.Fold = 4 },
			"invalid record: data set vehicle, learner a, run 1, fold 4: fold 4 is not one of 3",
		},
		{"negative training size", func(tr *Trial) { tr.TrainN = -1 }, cell + "-1 training examples"},
		{"no test examples", func(tr *Trial) { tr.TestN = 0 }, cell + "0 test examples"},
		{"value is NaN", func(tr *Trial) { tr.Values[0] = math.NaN() }, cell + "accuracy is NaN"},
		{"value is infinite", func(tr *Trial) { tr.Values[0] = -inf }, cell + "accuracy is -Inf"},
		{"value missing", func(tr *Trial) { tr.Values = nil }, cell + "0 values for 1 metrics"},
		{
			"value of another unit", func(tr *Trial) { tr.Values = append(tr.Values, 1) },
			cell + "2 values for 1 metrics",
		},
		{
			"failed trial with values", func(tr *Trial) { tr.Err = "boom" },
			cell + "a failed trial has values",
		},
		{
			"negative time", func(tr *Trial) { tr.FitSeconds = -1 },
			cell + "fit-sec/op is -1 and predict-sec/op is 4e-05",
		},
		{
			"infinite time", func(tr *Trial) { tr.PredictSec = inf },
			cell + "fit-sec/op is 0.0012 and predict-sec/op is +Inf",
		},
		{
			"time is NaN", func(tr *Trial) { tr.PredictSec = math.NaN() },
			cell + "fit-sec/op is 0.0012 and predict-sec/op is NaN",
		},
		{
			"other sizes than another learner", func(tr *Trial) { tr.Fold, tr.TrainN, tr.TestN = 1, 21, 10 },
			"invalid record: data set vehicle, learner a, run 1, fold 1: " +
				"21 training and 10 test examples, but 20 and 11 for another learner in the same fold",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := sampleSet("vehicle", 2, 3, "a", "b").clone()
			bad := s.Trials[2]
			bad.Values = slices.Clone(bad.Values)
			s.Trials = s.Trials[1:2] // of learner b in fold 1
			b := s.block(t)
			before := contentOf(b)
			c.spoil(&bad)
			err := b.Add(bad)
			require.ErrorIs(t, err, ErrInvalid)
			require.EqualError(t, err, c.msg)
			require.Equal(t, before, contentOf(b))
			require.Equal(t, 1, b.Len())
		})
	}
}

// A refused trial leaves its cell free.
func TestAddAfterARefusal(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "a", "b").clone()
	b, err := NewBlock(s.Header, s.Learners, s.Units, 0)
	require.NoError(t, err)
	for _, tr := range s.Trials {
		bad := tr
		bad.Values = []float64{math.NaN()}
		require.ErrorIs(t, b.Add(bad), ErrInvalid)
		require.NoError(t, b.Add(tr))
		require.ErrorIs(t, b.Add(tr), ErrDouble)
	}
	require.Equal(t, s.Trials, contentOf(b).Trials)
}

func TestAddCutsTheCause(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 1, 1, "a")
	s.fail(0, strings.Repeat("x", 2*maxCause))
	got := contentOf(s.block(t)).Trials[0].Err
	require.Equal(t, Cause(s.Trials[0].Err), got)
	require.Len(t, got, maxCause)
}

func TestCloneIsIndependent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := genSet(genUnits().Draw(t, "units")).Draw(t, "set")
		n := rapid.IntRange(0, len(s.Trials)).Draw(t, "before")
		first := s
		first.Trials = s.Trials[:n]
		b := first.block(t)
		if n > 0 && rapid.Bool().Draw(t, "stored") {
			b = readText(t, text(t, b)).Blocks()[0]
		}
		before := contentOf(b)
		c := b.Clone()
		require.Equal(t, before, contentOf(c))
		for _, tr := range s.Trials[n:] {
			require.NoError(t, c.Add(tr))
		}
		require.Equal(t, before, contentOf(b))
		require.Equal(t, n, b.Len())
		require.Equal(t, contentOf(s.block(t)), contentOf(c))
		for _, tr := range s.Trials[n:] {
			require.NoError(t, b.Add(tr))
		}
		require.Equal(t, contentOf(c), contentOf(b))
	})
}

// The learners of a fold share its training examples and its test examples.
func TestSizesOfAFoldAreThoseOfAllLearners(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 1, 2, "c45", "nb")
	s.Header.Protocol, s.Examples = "timeseries folds=2 seed=1 v1", 0
	b := s.block(t)
	for _, sizes := range [][2]int{{1, 0}, {0, 1}, {1, -1}} {
		tr := s.Trials[0]
		tr.Run, tr.Fold = 2, 1
		require.NoError(t, b.Add(tr))
		tr.Learner, tr.TrainN, tr.TestN = "nb", tr.TrainN+sizes[0], tr.TestN+sizes[1]
		require.ErrorContains(t, b.Add(tr), "for another learner in the same fold")
		b = s.block(t)
	}
}

// A copy has its own sizes, also in runs that neither has yet.
func TestClonesGrowApart(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 1, 1, "c45")
	s.Header.Protocol, s.Examples = "groups runs=2 folds=1 unstratified seed=1 v1", 11
	b := s.block(t)
	c := b.Clone()
	add := func(to *Block, testN int) {
		tr := s.Trials[0]
		tr.Run, tr.TrainN, tr.TestN = 2, s.Examples-testN, testN
		require.NoError(t, to.Add(tr))
	}
	add(b, 4)
	add(c, 5)
	require.Equal(t, 4, contentOf(b).Trials[1].TestN)
	require.Equal(t, 7, contentOf(b).Trials[1].TrainN)
	require.Equal(t, 5, contentOf(c).Trials[1].TestN)
}

func TestTimelessBlocks(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "a", "b")
	timed := s.block(t)
	s.Timeless = true
	b := s.block(t)
	got := contentOf(b)
	for i, tr := range s.Trials {
		tr.FitSeconds, tr.PredictSec = 0, 0
		require.Equal(t, tr, got.Trials[i])
	}
	require.NotContains(t, text(t, b), "sec/op")
	timed.Timeless = true
	require.Equal(t, text(t, b), text(t, timed))
	back := readText(t, text(t, b)).Blocks()[0]
	require.True(t, back.Timeless)
	require.Equal(t, got, contentOf(back))
}

func TestTrialsAndMissingStopWhenTold(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "a", "b")
	s.Trials = s.Trials[:6]
	b := s.block(t)
	n := 0
	for range b.Trials() {
		if n++; n == 2 {
			break
		}
	}
	for range b.Missing(2) {
		if n++; n == 4 {
			break
		}
	}
	require.Equal(t, 4, n)
}

// Leave-one-out has a fold for each example, whose number the first trial tells.
func TestFoldsOfLeaveOneOut(t *testing.T) {
	t.Parallel()
	h := sampleHeader("vehicle", 1, 1)
	h.Protocol = "loo seed=1 v1"
	b, err := NewBlock(h, []string{"a"}, []unit.Unit{accuracy}, 0)
	require.NoError(t, err)
	require.Equal(t, []int{1, 0}, []int{b.Runs(), b.Folds()})
	require.Empty(t, slices.Collect(b.Missing(1)))
	require.EqualError(t, b.Check(), "trials are missing: data set vehicle, learner a, run 1, fold 1")
	require.NoError(t, b.Add(Trial{
		Data: "vehicle", Learner: "a", Run: 1, Fold: 3, TrainN: 2, TestN: 1,
		Values: []float64{1},
	}))
	require.Equal(t, 3, b.Folds())
	require.Len(t, slices.Collect(b.Missing(1)), 2)
	b, err = NewBlock(h, []string{"a"}, []unit.Unit{accuracy}, 4)
	require.NoError(t, err)
	require.Equal(t, 4, b.Folds())
	require.ErrorIs(t, b.Add(Trial{
		Data: "vehicle", Learner: "a", Run: 1, Fold: 3, TrainN: 2, TestN: 1,
		Values: []float64{1},
	}), ErrInvalid)
}

// A block with more cells than it reserves memory for holds them all.
func TestBlocksOfAnySize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ runs, folds int }{{1, 70_000}, {70_000, 1}, {300, 100}, {2, 8}} {
		for _, timeless := range []bool{false, true} {
			s := sampleSet("vehicle", c.runs, c.folds)
			s.Learners, s.Timeless = []string{"a", "b"}, timeless
			for _, run := range []int{1, 2, c.runs} {
				for _, tr := range sampleRun(&s, run, 1) {
					if !slices.ContainsFunc(s.Trials, func(o Trial) bool { return o.Cell() == tr.Cell() }) {
						if timeless {
							tr.FitSeconds, tr.PredictSec = 0, 0
						}
						s.Trials = append(s.Trials, tr)
					}
				}
			}
			b := s.block(t)
			require.Equal(t, s.Trials, contentOf(b).Trials)
			b.table.clip()
			require.Equal(t, s.Trials, contentOf(b).Trials)
			require.Equal(t, s.Trials, contentOf(b.Clone()).Trials)
		}
	}
}

// Memory that was taken for runs that did not come is given back, but not for little.
func TestReadersGiveBackMemory(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 10, 10, "a", "b")
	whole := readText(t, textOf(t, s)).Blocks()[0]
	require.Equal(t, 100, cap(whole.table.scores[0]))
	s.Trials = s.Trials[:2*90]
	nearly := readText(t, textOf(t, s)).Blocks()[0]
	require.Equal(t, 100, cap(nearly.table.scores[0]))
	s.Trials = s.Trials[:2*20]
	few := readText(t, textOf(t, s)).Blocks()[0]
	require.Less(t, cap(few.table.scores[0]), 40)
	require.Less(t, cap(few.table.fit[0]), 40)
	require.Less(t, cap(few.table.trainN), 40)
	require.Equal(t, s.Trials, contentOf(few).Trials)
}

func TestStrings(t *testing.T) {
	t.Parallel()
	require.Equal(t, "higher lower Direction(0)", fmt.Sprint(unit.Higher, unit.Lower,
		unit.Direction(0)))
	require.Equal(t, "f.txt:3", Pos{"f.txt", 3}.String())
	require.Empty(t, Pos{}.String())
	h := Header{Data: "vehicle", Protocol: "loo v1"}
	require.Equal(t, `data set vehicle under "loo v1"`, h.Identity().String())
	h.Test, h.Pkg = "TestA", "example.com/a"
	require.Equal(t, `data set vehicle under "loo v1", test TestA of example.com/a`,
		h.Identity().String())
	require.Equal(t, Cell{Data: "vehicle", Learner: "a", Run: 2, Fold: 3},
		(&Trial{Data: "vehicle", Learner: "a", Run: 2, Fold: 3}).Cell())
	require.True(t, errors.Is(&SyntaxError{Err: ErrDouble}, ErrDouble))
}

// The line of the failed trial of run 6 is, by chance, the one that it would have
// after a whole run 4.
func TestTrialsThatAreAddedToABlockWithGapsKeepLines(t *testing.T) {
	t.Parallel()
	s := sampleSet("a", 4, 3, "x")
	failed := func(run int) Trial {
		return Trial{
			Data: "a", Learner: "x", Run: run, Fold: 1, TrainN: 2, TestN: 1,
			Err: "unknown cause",
		}
	}
	added := s.Trials[1]
	added.Run, added.Fold, added.TrainN, added.TestN = 4, 2, 2, 1
	s.Header.Protocol, s.Examples, s.Timeless = "cv runs=4 folds=3 seed=0 v1", 0, true
	s.Trials = []Trial{failed(4), failed(6)}
	b := readText(t, text(t, s.block(t))).Blocks()[0]
	before := slices.Collect(b.Trials())
	require.NoError(t, b.Add(added))
	after := slices.Collect(b.Trials())
	require.Len(t, after, 3)
	require.Equal(t, before[0].Pos, after[0].Pos)
	require.Equal(t, Pos{}, after[1].Pos)
	require.Equal(t, before[1].Pos, after[2].Pos)
	require.NotZero(t, after[2].Pos.Line)
}
