package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// marked is a sample with models of "a" that make the same prediction for all test examples.
func marked(runs int, constant ...int) set {
	s := sampleSet("vehicle", runs, 4, "a", "b")
	for _, i := range constant {
		s.Trials[2*i].Constancy = Constant
	}
	return s
}

// Marks of constant models are written, read and merged, and are under the checksum.
func TestConstantModelsAreKept(t *testing.T) {
	t.Parallel()
	s := marked(2, 1, 3, 7)
	s.Units[0].Max = 2
	s.Trials[4].Constancy = Alike
	full := textOf(t, s)
	require.Equal(t, 1, strings.Count(full, " test-n 0 constant-model "))
	require.Equal(t, 3, strings.Count(full, " test-n 1 constant-model "))
	require.Equal(t, contents(s.block(t)), contents(readText(t, full).Blocks()...))
	require.Equal(t, contents(s.block(t)), contents(s.block(t).Clone()))

	_, err := Read(strings.NewReader(strings.Replace(full, " 1 constant-model", "", 1)), "f.txt")
	require.ErrorIs(t, err, ErrChecksum)

	timeless := s.clone()
	timeless.Timeless = true
	for i := range timeless.Trials {
		timeless.Trials[i].FitSeconds, timeless.Trials[i].PredictSec = 0, 0
	}
	require.Equal(t, contents(timeless.block(t)),
		contents(readText(t, textOf(t, timeless)).Blocks()...))

	stream, err := NewStream(s.Header, s.Learners, s.Units, s.Examples)
	require.NoError(t, err)
	journal := stream.AppendHead(nil)
	for _, tr := range s.Trials {
		journal, err = stream.AppendTrial(journal, tr)
		require.NoError(t, err)
	}
	require.Equal(t, contents(s.block(t)), contents(readText(t, string(journal)).Blocks()...))

	one, two := s.clone(), s.clone()
	one.Trials, two.Trials = one.Trials[:5], two.Trials[5:]
	union, err := Union(one.block(t), two.block(t))
	require.NoError(t, err)
	require.Equal(t, contents(s.block(t))[0].Trials, contents(union)[0].Trials)
	rest, err := s.block(t).Minus(one.block(t))
	require.NoError(t, err)
	require.Equal(t, contents(two.block(t))[0].Trials, contents(rest)[0].Trials)
}

// Pairs count the constant models of each learner in the protocol's own runs.
func TestConstantModelsAreCounted(t *testing.T) {
	t.Parallel()
	s := marked(3, 1, 3, 9)
	s.Trials[1].Constancy = Constant // of b
	s.Trials[3].Constancy = Alike
	s.Header.Protocol = strings.Replace(s.Header.Protocol, "runs=3", "runs=2", 1)
	f := fileOf(t, s)
	p, err := Pair(f.Of("vehicle", "a"), f.Of("vehicle", "b"), "accuracy")
	require.NoError(t, err)
	require.Equal(t, 1, p.More)
	require.Equal(t, []int{2, 1}, []int{p.ConstantA, p.ConstantB})
}

// A learner is constant on purpose if all of its models may be: none of them is counted.
func TestLearnersThatAreConstantOnPurpose(t *testing.T) {
	t.Parallel()
	s := marked(2, 0, 1, 2, 3, 4, 5)
	for alike, want := range []int{6, 6, 0} {
		if alike > 0 {
			s.Trials[2*(5+alike)].Constancy = Alike
		}
		f := fileOf(t, s)
		p, err := Pair(f.Of("vehicle", "a"), f.Of("vehicle", "b"), "accuracy")
		require.NoError(t, err)
		require.Equal(t, []int{want, 0}, []int{p.ConstantA, p.ConstantB})
	}
}

// A mark that cannot be is refused.
func TestConstantModelsThatCannotBe(t *testing.T) {
	t.Parallel()
	full := withoutChecksum(textOf(t, marked(1, 1)))
	for value, want := range map[string]string{"2": "constant-model is there in a failed trial, or 2, not 0 or 1", "0.5": "or 0.5, not 0 or 1", "-1": "or -1, not", "x": ""} {
		_, err := Read(strings.NewReader(strings.Replace(full, "1 constant-model",
			value+" constant-model", 1)), "f.txt")
		require.ErrorContains(t, err, want, value)
	}
	_, err := Read(strings.NewReader(strings.Replace(full, "1 constant-model",
		"1 constant-model 1 constant-model", 1)), "f.txt")
	require.ErrorContains(t, err, "there twice")
	failed := marked(1)
	failed.fail(2, "panic")
	_, err = Read(strings.NewReader(strings.Replace(withoutChecksum(textOf(t, failed)), "1 failed",
		"1 failed 1 constant-model", 1)), "f.txt")
	require.ErrorContains(t, err, "constant-model is there in a failed trial")
	failed.Trials[2].Constancy = Alike
	_, err = failed.tryBlock()
	require.ErrorIs(t, err, ErrInvalid)
	s := sampleSet("vehicle", 1, 2, "a")
	s.Units[0].Name = "constant-model"
	_, err = s.tryBlock()
	require.ErrorContains(t, err, "the name is reserved", fmt.Sprint(s.Units))
}

// A trial that is added to a copy marks no model of the original.
func TestConstantModelsOfACopy(t *testing.T) {
	t.Parallel()
	s := marked(2, 0, 2)
	few := s.clone()
	few.Trials = few.Trials[:4]
	b := few.block(t)
	require.NoError(t, b.Clone().Add(s.Trials[4]))
	varied := s.Trials[4]
	varied.Constancy = Varied
	require.NoError(t, b.Add(varied))
	few.Trials = append(few.Trials, varied)
	require.Equal(t, contents(few.block(t)), contents(b))
}
