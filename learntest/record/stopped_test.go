package record

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stopped returns a set of ten runs of which learners have the first ones only, and say so.
func stopped(stops map[string]int, learners ...string) set {
	s := sampleSet("d", 10, 4, learners...)
	var kept []Trial
	for _, t := range s.Trials {
		if runs, ok := stops[t.Learner]; !ok || t.Run <= runs {
			kept = append(kept, t)
		}
	}
	s.Trials = kept
	for _, name := range learners {
		if runs, ok := stops[name]; ok {
			s.Header.Of(name).SetStop(Stop{runs, 0.01, name + " improves on b=%, in accuracy"})
		}
	}
	return s
}

func TestStoppedTrainingIsCompleteForReadersThatKnowIt(t *testing.T) {
	t.Parallel()
	f := readText(t, textOf(t, stopped(map[string]int{"a": 3, "b": 5}, "a", "b", "c")))
	require.NoError(t, f.CheckStopped())
	err := f.Check()
	require.ErrorIs(t, err, ErrIncomplete)
	assert.ErrorContains(t, err, "the training of a was stopped after 3 of 10 runs, once these had settled that a improves on b=%, in accuracy or not, and here all count: the test that has stored them trains the others under LEARNTEST_RESUME=1 LEARNTEST_SETTLE=off")
	got, ok := f.Blocks()[0].Header.Of("b").Stop()
	assert.Equal(t, Stop{5, 0.01, "b improves on b=%, in accuracy"}, got)
	assert.True(t, ok)
	_, ok = f.Blocks()[0].Header.Of("c").Stop()
	assert.False(t, ok)
	_, ok = f.Blocks()[0].Mean("a", "accuracy")
	assert.False(t, ok, "a mean is of all runs")
	require.NoError(t, readText(t, textOf(t, sampleSet("d", 10, 4, "a"))).CheckStopped())
}

func TestStopsThatAreNone(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"a=2":                    `"2" is not RUNS,ERROR,CLAIM`,
		"a=2,0.01":               `"2,0.01" is not RUNS,ERROR,CLAIM`,
		"a=x,0.01,c":             "is not RUNS,ERROR,CLAIM",
		"a=1,0.01,c":             "cannot be stopped after run 1",
		"a=10,0.01,c":            "cannot be stopped after run 10",
		"a=2,0,c":                `the error "0" is not between 0 and 1`,
		"a=2,NaN,c":              `the error "NaN" is not between 0 and 1`,
		"a=2,1,c":                `the error "1" is not between 0 and 1`,
		"x=2,0.01,c":             `"x" is no learner of the block, or there twice`,
		"a=2,0.01,c a=3,0.01,c":  `"a" is no learner of the block, or there twice`,
		"a=2,0.01,c a%=3,0.01,c": "is no learner of the block",
		"a=2,0.01,%z":            "Stopped: a: ",
	} {
		s := sampleSet("d", 10, 4, "a")
		s.Header.Stopped = value
		_, err := s.tryBlock()
		require.ErrorIs(t, err, ErrInvalid, value)
		assert.ErrorContains(t, err, want, value)
	}
	s := sampleSet("d", 10, 4, "a")
	s.Header.Protocol = "halves runs=10 folds=2 stratified seed=1 v1"
	s.Header.Of("a").SetStop(Stop{2, 0.01, "c"})
	_, err := NewBlock(s.Header, s.Learners, s.Units, s.Examples)
	require.Error(t, err, "a second opinion is whole")
}

// Nobody stops a training by hand: a checksum that is missing, or that is of other text, is an
// error.
func TestStopsThatWereEdited(t *testing.T) {
	t.Parallel()
	whole := textOf(t, stopped(map[string]int{"a": 3}, "a"))
	for what, text := range map[string]string{
		"fewer runs":   strings.Replace(whole, "Stopped: a=3,", "Stopped: a=2,", 1),
		"larger error": strings.Replace(whole, "a=3,0.01,", "a=3,0.05,", 1),
		"no checksum":  withoutChecksum(whole),
		"added": strings.Replace(textOf(t, sampleSet("d", 10, 4, "a")), "\nUnit ",
			"\nStopped: a=2,0.01,c\nUnit ", 1),
	} {
		require.NotEqual(t, whole, text, what)
		_, err := Read(strings.NewReader(text), "f")
		require.ErrorIs(t, err, ErrChecksum, what)
	}
}

func TestStoppedTrainingHasExactlyItsRuns(t *testing.T) {
	t.Parallel()
	s := stopped(map[string]int{"a": 3}, "a", "b")
	fewer := s.clone()
	fewer.Trials = fewer.Trials[1:]
	require.ErrorIs(t, checkStopped(fewer.block(t)), ErrIncomplete)
	for _, run := range []int{4, 10, 11} {
		more := s.clone()
		for _, trial := range sampleRun(&more, run, 4) {
			if trial.Learner == "a" && trial.Fold == 2 || run > 10 && trial.Learner == "b" {
				more.Trials = append(more.Trials, trial)
			}
		}
		err := checkStopped(more.block(t))
		require.ErrorIs(t, err, ErrInvalid, "run %d", run)
		assert.ErrorContains(t, err, "Stopped says that the training of a was stopped after 3 runs, and there are trials of run")
	}
	other := s.clone()
	other.Trials = nil
	for _, trial := range s.Trials {
		if trial.Learner == "a" || trial.Run <= 3 {
			other.Trials = append(other.Trials, trial)
		}
	}
	require.ErrorIs(t, checkStopped(other.block(t)), ErrIncomplete,
		"a stop of one learner is none of another")
}

// Files put together agree on where training was stopped, or do not belong together.
func TestUnionOfStoppedBlocks(t *testing.T) {
	t.Parallel()
	a, b := stopped(map[string]int{"a": 3}, "a").block(t),
		stopped(map[string]int{"b": 5}, "b").block(t)
	u, err := Union(a, b)
	require.NoError(t, err)
	require.NoError(t, checkStopped(u))
	for name, runs := range map[string]int{"a": 3, "b": 5} {
		s, ok := u.Header.Of(name).Stop()
		assert.True(t, ok)
		assert.Equal(t, runs, s.Runs)
	}
	rest := sampleSet("d", 10, 4, "a")
	rest.Trials = rest.Trials[12:]
	for _, o := range []*Block{
		rest.block(t), stopped(map[string]int{"a": 2}, "a").block(t),
		sampleBlock(t, "d", 10, 4, "a", "b"),
	} {
		_, err := Union(a, o)
		require.ErrorIs(t, err, ErrMismatch)
		assert.ErrorContains(t, err, "Stopped of a")
	}
	_, err = Union(a, a)
	require.ErrorIs(t, err, ErrDouble)
}

func TestPairsOfStoppedTraining(t *testing.T) {
	t.Parallel()
	of := func(stops map[string]int) *File { return fileOf(t, stopped(stops, "a", "b")) }
	loose := stopped(map[string]int{"a": 3}, "a", "b")
	loose.Header.Stopped = ""
	loose.Header.Of("a").SetStop(Stop{3, 0.05, "c"})
	chosen := func(f *File, learner string, known bool) Selection {
		return Selection{File: f, Data: "d", Learner: learner, Stopped: known}
	}
	for _, c := range []struct {
		candidate, baseline *File
		runs                int
		stop                float64
	}{
		{of(map[string]int{"a": 3}), of(nil), 3, 0.01},
		{of(nil), of(map[string]int{"b": 2}), 2, 0.01},
		{of(map[string]int{"a": 5}), of(map[string]int{"b": 2}), 2, 0.01},
		{of(map[string]int{"a": 2}), of(map[string]int{"b": 5}), 2, 0.01},
		{fileOf(t, loose), of(map[string]int{"b": 5}), 3, 0.01},
		{of(map[string]int{"a": 5}), fileOf(t, loose), 5, 0.01},
		{fileOf(t, loose), of(nil), 3, 0.05},
	} {
		p, err := Pair(chosen(c.candidate, "a", true), chosen(c.baseline, "b", true), "accuracy")
		require.NoError(t, err)
		assert.Equal(t, c.runs, p.Runs)
		assert.Equal(t, 10, p.Planned)
		assert.InDelta(t, c.stop, p.Stop, 0)
		assert.Len(t, p.A, 4*c.runs)
		assert.Len(t, p.TestN, 4*c.runs)
		_, err = Pair(chosen(c.candidate, "a", false), chosen(c.baseline, "b", false), "accuracy")
		require.ErrorIs(t, err, ErrIncomplete)
	}
	p, err := Pair(chosen(of(nil), "a", true), chosen(of(nil), "b", true), "accuracy")
	require.NoError(t, err)
	assert.Zero(t, p.Planned)
	assert.Zero(t, p.Stop)

	// One learner of two tests, which were stopped at different runs.
	other := stopped(map[string]int{"a": 2}, "a", "b")
	other.Header.Test = "TestOther"
	both := fileOf(t, stopped(map[string]int{"a": 3}, "a", "b"), other)
	_, err = Pair(chosen(both, "a", true), chosen(both, "b", true), "accuracy")
	require.ErrorIs(t, err, ErrAmbiguous)
	assert.ErrorContains(t, err, "number of runs")
}
