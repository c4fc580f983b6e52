package record

import (
	"math"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestUnionJoinsShards(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 5, "c45", "nb")
	s.Trials = append(s.Trials, sampleRun(&s, 3, 5)...)
	want := contentOf(s.block(t))
	rapid.Check(t, func(t *rapid.T) {
		shards := blocksOf(t, shard(t, s, 3)...)
		before := contents(shards...)
		u, err := Union(shards...)
		require.NoError(t, err)
		require.Equal(t, want, contentOf(u))
		require.Equal(t, len(s.Trials), u.Len())
		require.NoError(t, u.Check())
		require.Equal(t, before, contents(shards...))
	})
}

func TestUnionJoinsLearners(t *testing.T) {
	t.Parallel()
	all := sampleSet("vehicle", 2, 2, "a", "b", "c")
	all.Header.Determinism = "a=yes"
	only := func(name string) *Block {
		s := all
		s.Learners = []string{name}
		s.Trials = slices.DeleteFunc(slices.Clone(all.Trials),
			func(tr Trial) bool { return tr.Learner != name })
		return s.block(t)
	}
	u, err := Union(only("b"), only("a"), only("c"))
	require.NoError(t, err)
	require.Equal(t, []string{"b", "a", "c"}, u.Learners)
	all.Learners = u.Learners
	require.Equal(t, contentOf(all.block(t)), contentOf(u))
}

func TestUnionOfOneBlockOrNone(t *testing.T) {
	t.Parallel()
	b := sampleBlock(t, "vehicle", 1, 2, "a")
	u, err := Union(b)
	require.NoError(t, err)
	require.Same(t, b, u)
	_, err = Union()
	require.ErrorIs(t, err, ErrInvalid)
}

func TestUnionJoinsRemarks(t *testing.T) {
	t.Parallel()
	a, b, c := sampleSet("vehicle", 3, 1, "c45"), sampleSet("vehicle", 3, 1, "c45"),
		sampleSet("vehicle", 3, 1, "c45")
	a.Trials, b.Trials, c.Trials = a.Trials[:1], b.Trials[1:2], c.Trials[2:]
	a.Header.Toolchain = ""
	b.Header.Toolchain = "go1.26.8 darwin/arm64"
	c.Header.Determinism = "c45=no"
	a.Header.Owner, c.Header.Owner = "process 1", "process 2"
	u, err := Union(blocksOf(t, a, b, c)...)
	require.NoError(t, err)
	want := a.Header
	want.Toolchain, want.Determinism, want.Owner = "go1.26.8 darwin/arm64; go1.26.8 linux/amd64",
		"c45=no", "process 1; process 2"
	require.Equal(t, want, u.Header)
}

func TestUnionRefuses(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(s *set){
		"data set": func(s *set) {
			s.Header.Data = "iris"
			for i := range s.Trials {
				s.Trials[i].Data = "iris"
			}
		},
		"pkg":           func(s *set) { s.Header.Pkg = "" },
		"test":          func(s *set) { s.Header.Test = "TestOther" },
		"commit":        func(s *set) { s.Header.Commit = "other" },
		"protocol":      func(s *set) { s.Header.Protocol = "cv runs=2 folds=3 stratified seed=2 v1" },
		"data-sha256":   func(s *set) { s.Header.DataDigest = digest("other") },
		"split-sha256":  func(s *set) { s.Header.SplitDigest = digest("other") },
		"Commit-Time":   func(s *set) { s.Header.CommitTime = "" },
		"list of units": func(s *set) { s.Units[0].Max = 2 },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			a, b := sampleSet("vehicle", 2, 3, "c45"), sampleSet("vehicle", 2, 3, "c45").clone()
			a.Trials, b.Trials = a.Trials[:3], b.Trials[3:]
			change(&b)
			_, err := Union(a.block(t), b.block(t))
			require.ErrorIs(t, err, ErrMismatch)
			e := requireError[*MismatchError](t, err)
			require.Equal(t, what, e.What)
			require.Equal(t, "the trials on vehicle", e.WhereA)
			require.NotEqual(t, e.A, e.B)
			require.Nil(t, e.Cell)
			_, err = a.block(t).Minus(b.block(t))
			swapped := requireError[*MismatchError](t, err)
			require.Equal(t, []string{what, e.A, e.B}, []string{swapped.What, swapped.B, swapped.A})
		})
	}
}

func TestUnionNamesDoubleCells(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("vehicle", 2, 3, "c45"), sampleSet("vehicle", 2, 3, "c45").clone()
	a.Trials, b.Trials = a.Trials[:4], b.Trials[2:]
	b.Trials[0].Values[0] = 0.25
	u, err := Union(a.block(t), b.block(t))
	require.EqualError(t, err, "trials occur more than once: data set vehicle, learner c45, run 1, fold 3; data set vehicle, learner c45, run 2, fold 1")
	require.ErrorIs(t, err, ErrDouble)
	require.Equal(t, 6, u.Len())
	require.Equal(t, a.Trials, contentOf(u).Trials[:4], "the first one counts")
	f := readText(t, textOf(t, a, b))
	require.EqualError(t, f.Check(),
		"trials occur more than once: data set vehicle, learner c45, run 1, fold 3 (f.txt:18 and f.txt:36); "+
			"data set vehicle, learner c45, run 2, fold 1 (f.txt:19 and f.txt:37)")
}

// Of a file that is given twice each cell is double: Union describes only the cells that the
// error lists. A cell that is taken over costs one allocation.
func TestUnionDescribesTheDoubleCellsItLists(t *testing.T) {
	allocations := func(runs int) float64 {
		blocks := readText(t, textOf(t, sampleSet("vehicle", runs, 10, "a", "b"))).Blocks()
		return testing.AllocsPerRun(1, func() {
			_, err := Union(blocks[0], blocks[0])
			require.ErrorIs(t, err, ErrDouble)
		})
	}
	const cells = 90 * 10 * 2
	require.Less(t, allocations(100)-allocations(10), 1.5*cells)
}

func TestUnionNamesSizesThatDiffer(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("vehicle", 2, 3, "c45"), sampleSet("vehicle", 2, 3, "nb")
	b.Trials[1].TrainN, b.Trials[1].TestN = 20, 11
	_, err := Union(a.block(t), b.block(t))
	const msg = "20 training and 11 test examples, but 21 and 10 for another learner in the same fold"
	require.EqualError(t, err, "results do not belong together: data set vehicle, learner nb, run 1, fold 2: "+msg)
	require.ErrorIs(t, err, ErrMismatch)
	require.EqualError(t, readText(t, textOf(t, a, b)).Check(),
		"results do not belong together: f.txt:39: data set vehicle, learner nb, run 1, fold 2: "+msg)
	// Data sets of different sizes under one digest.
	c := sampleSet("vehicle", 2, 3, "nb")
	c.Examples++
	for i := range c.Trials {
		c.Trials[i].TrainN++
	}
	c.Trials = slices.DeleteFunc(c.Trials, func(tr Trial) bool { return tr.TestN != 11 })
	_, err = Union(a.block(t), c.block(t))
	require.ErrorIs(t, err, ErrMismatch)
}

func TestMinusThenUnionGivesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := genSet(genUnits().Draw(t, "units")).Draw(t, "set")
		s.Header.Determinism = ""
		for _, name := range s.Learners {
			s.Header.Of(name).SetProbe(Deterministic)
		}
		part := s
		part.Trials = slices.DeleteFunc(slices.Clone(s.Trials),
			func(Trial) bool { return rapid.Bool().Draw(t, "not stored") })
		whole, stored := s.block(t), part.block(t)
		rest, err := whole.Minus(stored)
		require.NoError(t, err)
		require.Equal(t, len(s.Trials)-len(part.Trials), rest.Len())
		for tr := range rest.Trials() {
			require.False(t, slices.ContainsFunc(part.Trials,
				func(o Trial) bool { return o.Cell() == tr.Cell() }))
		}
		for _, name := range rest.Learners { // only learners that add something
			require.True(t, rest.Len() == 0 || slices.ContainsFunc(contentOf(rest).Trials,
				func(tr Trial) bool { return tr.Learner == name }))
			require.Equal(t, Deterministic, rest.Header.Of(name).Determinism())
		}
		back, err := Union(stored, rest)
		require.NoError(t, err)
		require.Equal(t, contentOf(whole), contentOf(back))
		none, err := stored.Minus(whole)
		require.NoError(t, err)
		require.Zero(t, none.Len())
		require.Equal(t, stored.Learners, none.Learners)
	})
}

func TestMinusKeepsNewLearners(t *testing.T) {
	t.Parallel()
	both, one := sampleBlock(t, "vehicle", 2, 3, "c45", "nb"), sampleBlock(t, "vehicle", 2, 3, "c45")
	both.Header.Determinism = "c45=yes nb=no"
	rest, err := both.Minus(one)
	require.NoError(t, err)
	require.Equal(t, []string{"nb"}, rest.Learners)
	require.Equal(t, "nb=no", rest.Header.Determinism)
	require.Equal(t, 6, rest.Len())
	require.NoError(t, rest.Check())
}

// Minus returns the one trial that is not stored, whichever it is.
func TestMinusOfAllButOneTrial(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	whole := s.block(t)
	for i, tr := range s.Trials {
		part := s
		part.Trials = slices.Delete(slices.Clone(s.Trials), i, i+1)
		rest, err := whole.Minus(part.block(t))
		require.NoError(t, err)
		require.Equal(t, []string{tr.Learner}, rest.Learners)
		require.Equal(t, []Trial{tr}, contentOf(rest).Trials)
	}
}

// A learner is kept for a trial in a later run, also without trials in the first.
func TestMinusOfSparseBlocks(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 2, "nb", "c45")
	part := s
	s.Trials = []Trial{s.Trials[0], s.Trials[1], s.Trials[7]} // both in run 1, c45 in fold 2 of run 2
	part.Trials = s.Trials[1:2]
	rest, err := s.block(t).Minus(part.block(t))
	require.NoError(t, err)
	require.Equal(t, []string{"nb", "c45"}, rest.Learners)
	require.Equal(t, []Trial{s.Trials[0], s.Trials[2]}, contentOf(rest).Trials)
}

// Every score is compared, whatever the order of the learners on either side.
func TestMinusComparesEveryScore(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 2, "c45", "nb", "knn").clone()
	s.Units = append(s.Units, unit.Unit{Name: "kappa", Better: unit.Higher, Min: -1, Max: 1})
	for i := range s.Trials {
		s.Trials[i].Values = append(s.Trials[i].Values, float64(i)/100)
	}
	o := s.clone()
	o.Learners = []string{"knn", "c45", "nb"}
	rest, err := s.block(t).Minus(o.block(t))
	require.NoError(t, err)
	require.Zero(t, rest.Len())
	for i := range s.Trials {
		for u, unit := range s.Units {
			odd := o.clone()
			odd.Trials[i].Values[u] = 0.999
			_, err := s.block(t).Minus(odd.block(t))
			e := requireError[*MismatchError](t, err)
			require.Equal(t, unit.Name, e.What)
			require.Equal(t, s.Trials[i].Cell(), *e.Cell)
			require.Equal(t, "0.999", e.A)
		}
	}
}

func TestMinusNamesWhatDiffers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change func(s *set)
		msg    string
	}{
		{
			func(s *set) { s.Trials[3].Values[0] = 0.25 },
			`accuracy of data set vehicle, learner c45, run 2, fold 1 is "0.25" for the trials on vehicle but "0.3181818181818182" for the trials on vehicle`,
		},
		{
			func(s *set) { s.Trials[3].Values[0] = math.Copysign(0, -1) },
			`accuracy of data set vehicle, learner c45, run 2, fold 1 is "-0"`,
		},
		{
			func(s *set) { s.fail(3, "boom") },
			`accuracy of data set vehicle, learner c45, run 2, fold 1 is "failed" for the trials on vehicle but "0.3181818181818182"`,
		},
		{
			func(s *set) { s.Trials[3].TrainN, s.Trials[3].TestN = 21, 10 },
			`train-n of data set vehicle, learner c45, run 2, fold 1 is "21" for the trials on vehicle but "20"`,
		},
	} {
		old := sampleSet("vehicle", 2, 3, "c45").clone()
		c.change(&old)
		_, err := sampleBlock(t, "vehicle", 2, 3, "c45").Minus(old.block(t))
		require.ErrorIs(t, err, ErrMismatch)
		require.ErrorContains(t, err, "results do not belong together: "+c.msg)
	}
	x, y := sampleSet("vehicle", 2, 3, "c45").clone(), sampleSet("vehicle", 2, 3, "c45").clone()
	x.fail(1, "boom")
	y.fail(1, "bang")
	_, err := x.block(t).Minus(y.block(t))
	require.EqualError(t, err, `results do not belong together: cause of failure of data set vehicle, learner c45, run 1, fold 2 is "bang" for the trials on vehicle but "boom" for the trials on vehicle`)
	y = x.clone()
	for _, s := range []*set{&x, &y} {
		s.Header.Protocol = "predefined runs=2 folds=3 sha256=5f seed=1 v1"
	}
	y.Trials[2].TestN++
	_, err = x.block(t).Minus(y.block(t))
	require.ErrorContains(t, err, `test-n of data set vehicle, learner c45, run 1, fold 3 is "11" for the trials on vehicle but "10" for`)
	y = x.clone()
	y.Trials[2].FitSeconds++
	rest, err := x.block(t).Minus(y.block(t))
	require.NoError(t, err, "times may differ")
	require.Zero(t, rest.Len())
}
