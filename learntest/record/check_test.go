package record

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCheckAcceptsCompleteResults(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	failed := sampleSet("iris", 1, 2, "c45", "nb")
	failed.fail(2, "boom")
	f := fileOf(t, s, failed)
	require.NoError(t, f.Check())
	require.NoError(t, readText(t, textOf(t, s, failed)).Check())
	require.Equal(t, []Trial{failed.Trials[2]}, f.Failures())
	require.Empty(t, fileOf(t, s).Failures())
}

func TestCheckAcceptsFurtherRuns(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	s.Trials = append(s.Trials, sampleRun(&s, 3, 3)...)
	require.NoError(t, s.block(t).Check())
	// A learner that has not begun a further run need not have it.
	only := sampleSet("vehicle", 2, 3, "c45", "nb")
	only.Trials = append(only.Trials, slices.DeleteFunc(sampleRun(&only, 3, 3),
		func(tr Trial) bool { return tr.Learner == "nb" })...)
	require.NoError(t, only.block(t).Check())
	slices.Reverse(only.Trials)
	require.NoError(t, only.block(t).Check())
	only.Trials = only.Trials[1:]
	require.EqualError(t, only.block(t).Check(),
		"trials are missing: data set vehicle, learner c45, run 3, fold 3")
}

func TestCheckAcceptsShards(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 4, 5, "c45", "nb")
	rapid.Check(t, func(t *rapid.T) {
		require.NoError(t, readText(t, textOf(t, shard(t, s, 3)...)).Check())
	})
}

func TestCheckNamesMissingCells(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 10, 10, "c45", "nb")
	s.Trials = slices.Delete(s.Trials, 137, 138)
	err := fileOf(t, s).Check()
	require.ErrorIs(t, err, ErrIncomplete)
	require.EqualError(t, err, "trials are missing: data set vehicle, learner nb, run 7, fold 9")
	require.Equal(t, []Cell{{Data: "vehicle", Learner: "nb", Run: 7, Fold: 9}},
		requireError[*CellError](t, err).Cells)

	s.Trials = s.Trials[:len(s.Trials)-20]
	require.EqualError(t, s.block(t).Check(),
		"trials are missing: data set vehicle, learner c45, run 10, fold 1; "+
			"data set vehicle, learner c45, run 10, fold 2; data set vehicle, learner c45, run 10, fold 3; and 18 more")
}

func TestCheckMissesLearnersWithoutAnyTrial(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	s.Learners = []string{"c45", "nb"}
	e := requireError[*CellError](t, fileOf(t, s).Check())
	require.Equal(t, ErrIncomplete, e.Err)
	require.Equal(t, int64(6), e.Total)
	s.Trials = nil
	require.Equal(t, int64(12), requireError[*CellError](t, fileOf(t, s).Check()).Total)
}

// A head may promise more cells than fit into memory: they are not visited.
func TestCheckOfHugeHeads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ runs, folds int }{
		{maxCount, 1},
		{1, maxCount},
		{maxCount, maxCount},
		{maxCount, 3},
	} {
		h := sampleHeader("vehicle", c.runs, c.folds)
		learners := make([]string, 1000)
		for i := range learners {
			learners[i] = fmt.Sprintf("A%03d", i)
		}
		b, err := NewBlock(h, learners, []unit.Unit{accuracy}, maxCount)
		require.NoError(t, err)
		begun := time.Now()
		e := requireError[*CellError](t, b.Check())
		require.Equal(t, int64(c.runs)*int64(c.folds)*1000, e.Total)
		require.Equal(t, Cell{Data: "vehicle", Learner: "A000", Run: 1, Fold: 1}, e.Cells[0])
		f := NewFile(b)
		_, err = Pair(f.Of("vehicle", "A000"), f.Of("vehicle", "A001"), "accuracy")
		require.ErrorIs(t, err, ErrIncomplete)
		require.ErrorIs(t, f.Check(), ErrIncomplete)
		// Visiting 1,000 × 16 million cells three times takes longer on any machine.
		require.Less(t, time.Since(begun), 12*time.Second)
	}
}

func TestCheckOfAHugeHeadWithTrials(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	s.Header.Protocol = "cv runs=16777216 folds=3 stratified seed=1 v1"
	tail := sampleRun(&s, maxCount, 3)
	s.Trials = append(s.Trials, tail[:5]...)
	e := requireError[*CellError](t, s.block(t).Check())
	require.Equal(t, int64(6*maxCount-17), e.Total)
	require.Equal(t, []Cell{
		{Data: "vehicle", Learner: "c45", Run: 3, Fold: 1},
		{Data: "vehicle", Learner: "c45", Run: 3, Fold: 2},
		{
			Data: "vehicle", Learner: "c45", Run: 3,
			Fold: 3,
		},
	}, e.Cells)
}

func TestCheckAgainstEnumeration(t *testing.T) {
	t.Parallel()
	const runs, folds = 3, 4
	full := sampleSet("vehicle", runs+2, folds, "c45", "nb", "knn")
	full.Header.Protocol = "cv runs=3 folds=4 stratified seed=1 v1"
	rapid.Check(t, func(t *rapid.T) {
		s := full
		s.Trials = rapid.Permutation(full.Trials).Draw(t, "order")
		s.Trials = s.Trials[rapid.IntRange(0, rapid.SampledFrom([]int{3, len(s.Trials)}).Draw(t,
			"most")).Draw(t, "from"):]
		there, begun := make(map[Cell]bool), make(map[Cell]bool)
		for _, tr := range s.Trials {
			there[tr.Cell()] = true
			begun[Cell{Learner: tr.Learner, Run: tr.Run}] = true
		}
		var missing []Cell
		for _, learner := range s.Learners {
			for run := 1; run <= runs+2; run++ {
				for fold := 1; fold <= folds; fold++ {
					c := Cell{Data: "vehicle", Learner: learner, Run: run, Fold: fold}
					if !there[c] && (run <= runs || begun[Cell{Learner: learner, Run: run}]) {
						missing = append(missing, c)
					}
				}
			}
		}
		err := s.block(t).Check()
		if missing == nil {
			require.NoError(t, err)
			return
		}
		e := requireError[*CellError](t, err)
		require.Equal(t, ErrIncomplete, e.Err)
		require.Equal(t, int64(len(missing)), e.Total)
		require.Equal(t, missing[:min(len(missing), maxListed)], e.Cells)
	})
}

// The test sets of a run of cross-validation add up to the data set.
func TestCheckOfTestSetsThatDoNotAddUp(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	const msg = "invalid record: the trials on vehicle: the test sets of run 2 have 32 examples, the data set has 31"
	spoil := func(trials []Trial) {
		for i := range trials {
			if trials[i].Run == 2 && trials[i].Fold == 3 {
				trials[i].TrainN, trials[i].TestN = 20, 11
			}
		}
	}
	spoil(s.Trials)
	b := s.block(t)
	require.EqualError(t, b.Check(), msg)
	require.ErrorIs(t, b.Check(), ErrInvalid)
	require.ErrorIs(t, fileOf(t, s).Check(), ErrInvalid)
	f := fileOf(t, s)
	_, err := Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "nb"), "accuracy")
	require.EqualError(t, err, "candidate c45: "+msg)
	// A run that is not complete has too few, which Check says otherwise.
	s.Trials = s.Trials[:10]
	require.ErrorIs(t, s.block(t).Check(), ErrIncomplete)
	// Subsamples do not cover the data set.
	sub := sampleSet("vehicle", 3, 1, "c45")
	sub.Header.Protocol = "subsample runs=3 train=0.9 unstratified seed=1 v1"
	for i := range sub.Trials {
		sub.Trials[i].TrainN, sub.Trials[i].TestN = 9, 2
	}
	require.NoError(t, sub.block(t).Check())
}

func TestCheckNamesWhatDiffersBetweenBlocks(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(s *set){
		"commit":       func(s *set) { s.Header.Commit = "other" },
		"data-sha256":  func(s *set) { s.Header.DataDigest = digest("other") },
		"split-sha256": func(s *set) { s.Header.SplitDigest = digest("other") },
		"Commit-Time":  func(s *set) { s.Header.CommitTime = "" },
		"list of units": func(s *set) {
			s.Units = append(s.Units, unit.Unit{Name: "kappa", Better: unit.Higher, Min: -1, Max: 1})
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			a, b := sampleSet("vehicle", 2, 3, "c45"), sampleSet("vehicle", 2, 3, "c45").clone()
			a.Trials, b.Trials = a.Trials[:3], b.Trials[3:]
			require.NoError(t, fileOf(t, a, b).Check())
			change(&b)
			for i := range b.Trials {
				b.Trials[i].Values = slices.Repeat(b.Trials[i].Values, len(b.Units))
			}
			f := fileOf(t, a, b)
			err := f.Check()
			require.ErrorIs(t, err, ErrMismatch)
			require.Equal(t, what, requireError[*MismatchError](t, err).What)
			require.Empty(t, f.Experiments())
			_, err = Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "c45"), "accuracy")
			require.ErrorIs(t, err, ErrMismatch)
			require.ErrorContains(t, err, "candidate c45: ")
		})
	}
}

func TestCheckOfDigestsBetweenExperiments(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("vehicle", 2, 3, "c45", "nb"), sampleSet("vehicle", 2, 3, "knn", "nb")
	b.Header.Test = "TestOther"
	require.NoError(t, fileOf(t, a, b).Check())
	b.Header.DataDigest = digest("other")
	full := textOf(t, a, b)
	require.EqualError(t, readText(t, full).Check(),
		`results do not belong together: the data differ: data-sha256 is `+digest("vehicle")[:12]+` for `+
			`the trials on vehicle from f.txt:1 but `+digest("other")[:12]+` for the trials on vehicle from f.txt:29`)
	b.Header.DataDigest, b.Header.SplitDigest = a.Header.DataDigest, digest("other")
	require.ErrorIs(t, fileOf(t, a, b).Check(), ErrMismatch)
	b.Header.Protocol = "cv runs=2 folds=3 stratified seed=2 v1"
	require.NoError(t, fileOf(t, a, b).Check())
	b.Header.Protocol, b.Header.Pkg = a.Header.Protocol, "example.com/other"
	require.NoError(t, fileOf(t, a, b).Check())
}

// Check says everything that is wrong.
func TestCheckJoinsErrors(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, NewFile().Check(), ErrNotFound)
	a, b, c := sampleSet("a", 2, 3, "x"), sampleSet("b", 2, 3, "x"), sampleSet("b", 2, 3, "x")
	a.Trials = a.Trials[1:]
	c.Header.Test, c.Header.DataDigest = "TestOther", digest("other")
	err := fileOf(t, a, b, b, c).Check()
	for _, kind := range []error{ErrIncomplete, ErrDouble, ErrMismatch} {
		require.ErrorIs(t, err, kind)
	}
	require.ErrorContains(t, err, "trials occur more than once: data set b, learner x, run 1, fold 1; data set b, learner x, run 1, fold 2; data set b, learner x, run 1, fold 3; and 3 more")
}
