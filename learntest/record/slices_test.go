package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/unit"
)

// clinics are the slices of sliced.
var clinics = []Slice{{"clinic=A", 30, "0123abcd"}, {"clinic=B", 12, "4567abcd"}}

// sliced returns two learners in 2×3 cross-validation of 60 examples, of which a third of each
// slice is in each test set.
func sliced() set {
	s := sampleSet("visits", 2, 3, "new", "old")
	s.Examples = 60
	s.Header.SetSlices(clinics)
	s.Units = append([]unit.Unit{accuracy}, SliceUnits(clinics, []unit.Unit{accuracy}, 3)...)
	for i := range s.Trials {
		tr := &s.Trials[i]
		tr.TrainN, tr.TestN = 40, 20
		hits := float64(5 + i%4)
		tr.Values = []float64{0.5, 10, 3 * hits / 30, 4, 3 * 2. / 12}
	}
	return s
}

func selections(t *testing.T, a, b set) (candidate, baseline Selection) {
	return Selection{File: fileOf(t, a), Data: "visits", Learner: "new"}, Selection{
		File: fileOf(t, b),
		Data: "visits", Learner: "old",
	}
}

func TestSlicesOfFiles(t *testing.T) {
	t.Parallel()
	s := sliced()
	file := textOf(t, s)
	assert.Contains(t, file, "\nSlices: clinic=A 30 0123abcd clinic=B 12 4567abcd\n")
	assert.Contains(t, file, "\nUnit n{clinic=A} better=higher min=0\nUnit accuracy{clinic=A} better=higher min=0 max=3\n")
	assert.Contains(t, file, "/run=1/fold=1 1 0.5 accuracy 10 n{clinic=A} 0.5 accuracy{clinic=A} 4 n{clinic=B} 0.5 accuracy{clinic=B} 40 train-n 20 test-n")
	b := readText(t, file).Blocks()[0]
	assert.Equal(t, []unit.Unit{accuracy}, b.Units, "slices are no metrics of their own")
	assert.Equal(t, s.Units, b.Columns)
	assert.Equal(t, clinics, b.Header.SliceList())
	c, d := selections(t, s, s)
	p, err := Pair(c, d, "accuracy{clinic=A}")
	require.NoError(t, err)
	assert.Equal(t, &PairedSlice{Slice: clinics[0], Scale: 3, Counts: []int32{10, 10, 10, 10, 10, 10}},
		p.Slice)
	assert.Equal(t, unit.Unit{Name: "accuracy{clinic=A}", Better: unit.Higher, Max: 1, Mean: true},
		p.Unit)
	whole, err := Pair(c, d, "accuracy")
	require.NoError(t, err)
	assert.Nil(t, whole.Slice)
	assert.Equal(t, sampleSet("visits", 1, 2, "a").Header.Slices, "")
	assert.NotContains(t, textOf(t, sampleSet("visits", 1, 2, "a")), "Slices",
		"files without slices are as before")
}

// TestSlicesThatDoNotPair edits results on one side.
func TestSlicesThatDoNotPair(t *testing.T) {
	t.Parallel()
	value := func(trial, at int, x float64) func(s *set) {
		return func(s *set) { s.Trials[trial].Values[at] = x }
	}
	header := func(of ...Slice) func(s *set) { return func(s *set) { s.Header.SetSlices(of) } }
	for name, c := range map[string]struct {
		edit func(s *set)
		want error
		says string
	}{
		"another number of members": {
			value(0, 1, 9), ErrValue,
			"the test sets of run 1 have 29 members of slice clinic=A, which has 30",
		},
		"members moved": {
			func(s *set) { value(0, 1, 9)(s); value(2, 1, 11)(s) },
			ErrMismatch, "test examples are members of slice clinic=A",
		},
		"half a member":              {value(0, 1, 9.5), ErrValue, "9.5 of 20 test examples"},
		"more members than examples": {value(0, 1, 21), ErrValue, "21 of 20 test examples"},
		"less than none":             {value(0, 1, -1), ErrValue, "n{clinic=A} is -1"},
		"a score out of range":       {value(0, 2, 3.5), ErrValue, "accuracy{clinic=A} is 3.5"},
		"another size": {
			header(Slice{"clinic=A", 31, "0123abcd"}, clinics[1]), ErrMismatch,
			"slice clinic=A on data set visits is of other examples on one side",
		},
		"other members": {
			header(Slice{"clinic=A", 30, "0123abce"}, clinics[1]), ErrMismatch,
			"slice clinic=A on data set visits is of other examples on one side",
		},
		"a failed trial": {func(s *set) { s.fail(0, "panic") }, ErrFailedTrial, "panic"},
		"gone": {func(s *set) {
			s.Header.SetSlices(nil)
			s.Units = s.Units[:1]
			for i := range s.Trials {
				s.Trials[i].Values = s.Trials[i].Values[:1]
			}
		}, ErrNotFound, "slice clinic=A on data set visits is on one side only: the results of new do not have it"},
		"renamed": {func(s *set) {
			renamed := []Slice{{"clinic=Z", 30, "0123abcd"}, clinics[1]}
			s.Header.SetSlices(renamed)
			s.Units = append([]unit.Unit{accuracy}, SliceUnits(renamed, []unit.Unit{accuracy}, 3)...)
		}, ErrNotFound, "is on one side only"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := sliced().clone()
			c.edit(&changed)
			a, b := selections(t, changed, sliced())
			_, err := Pair(a, b, "accuracy{clinic=A}")
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, c.says)
		})
	}
	a, b := selections(t, sliced(), sliced())
	_, err := Pair(a, b, "accuracy{clinic=D}")
	require.ErrorIs(t, err, ErrNotFound)
	require.ErrorContains(t, err, `slice clinic=D on data set visits; there are: "clinic=A", "clinic=B"`)
	_, err = Pair(a, b, "kappa{clinic=A}")
	require.ErrorIs(t, err, ErrNotFound)
}

func TestHeadsOfSlicesThatCannotBe(t *testing.T) {
	t.Parallel()
	file := textOf(t, sliced())
	for _, c := range []struct{ from, to, says string }{
		{"Slices: clinic=A 30 0123abcd", "Slices: clinic=A 30", "5 words are no list of slices"},
		{"clinic=A 30 0123abcd", "clinic=A 0 0123abcd", `slice clinic=A has "0" members`},
		{"clinic=A 30 0123abcd", "clinic=A 30 0123abc", `slice clinic=A has the digest "0123abc"`},
		{"clinic=A 30 0123abcd", "clinic=B 30 0123abcd", "slice clinic=B is there twice"},
		{"clinic=A 30 0123abcd", "clinic{A 30 0123abcd", `a slice is called "clinic{A"`},
		{
			"Slices: clinic=A 30 0123abcd clinic=B 12 4567abcd\n", "",
			"is of a slice that the head does not have under the key Slices",
		},
		{
			"Slices: clinic=A 30 0123abcd", "Slices: clinic=Q 30 0123abcd clinic=A 30 0123abcd",
			`slice clinic=Q has no numbers of members: there is no unit "n{clinic=Q}"`,
		},
		{"Unit n{clinic=A} better=higher min=0\n", "", "stands before the numbers of its members"},
		{
			"Unit accuracy{clinic=A} better=higher", "Unit kappa{clinic=A} better=higher",
			"is of a metric that is not there for all examples",
		},
		{
			"Unit accuracy{clinic=A} better=higher", "Unit accuracy{clinic=A better=higher",
			"braces are for metrics of slices",
		},
		{
			"Unit accuracy better=higher min=0 max=1\n", "",
			"is of a metric that is not there for all examples",
		},
	} {
		require.Contains(t, file, c.from)
		_, err := Read(strings.NewReader(strings.Replace(file, c.from, c.to, 1)), "f.txt")
		require.Error(t, err, c.to)
		require.ErrorContains(t, err, c.says)
	}
	_, err := NewBlock(sampleHeader("visits", 1, 2), []string{"a"},
		[]unit.Unit{{Name: "accuracy{all}", Better: unit.Higher}}, 0)
	require.ErrorIs(t, err, ErrInvalid)
}

// TestScoresOfSlicesAreCovered edits a score of a slice, and its number of members, in a file.
func TestScoresOfSlicesAreCovered(t *testing.T) {
	t.Parallel()
	file := textOf(t, sliced())
	for _, from := range []string{
		" 0.5 accuracy{clinic=A}", " 10 n{clinic=A}",
		"clinic=A 30 0123abcd",
	} {
		digits := strings.NewReplacer(" 0.5 ", " 0.6 ", " 10 ", " 11 ", "0123abcd", "0123abce")
		_, err := Read(strings.NewReader(strings.Replace(file, from, digits.Replace(from), 1)), "f.txt")
		require.ErrorIs(t, err, ErrChecksum, from)
	}
}

// TestSlicesInUnions merges shards, which must have equal slices.
func TestSlicesInUnions(t *testing.T) {
	t.Parallel()
	a, b := sliced().clone(), sliced().clone()
	a.Trials, b.Trials = a.Trials[:4], b.Trials[4:]
	u, err := Union(blocksOf(t, a, b)...)
	require.NoError(t, err)
	assert.Equal(t, clinics, u.Header.SliceList())
	assert.Equal(t, contentOf(sliced().block(t)).Trials, contentOf(u).Trials)
	rest, err := u.Minus(a.block(t))
	require.NoError(t, err)
	assert.Equal(t, u.Columns, rest.Columns)
	b.Header.SetSlices([]Slice{{"clinic=A", 30, "00000000"}, clinics[1]})
	_, err = Union(blocksOf(t, a, b)...)
	require.ErrorIs(t, err, ErrMismatch)
	require.ErrorContains(t, err, "Slices")
}

// TestSubsampledSlices pairs a slice whose runs test a part of it.
func TestSubsampledSlices(t *testing.T) {
	t.Parallel()
	s := sampleSet("visits", 4, 1, "new", "old")
	s.Header.Protocol, s.Examples = "subsample runs=4 train=0.8 unstratified seed=1 v1", 50
	s.Header.SetSlices(clinics[:1])
	s.Units = append([]unit.Unit{accuracy}, SliceUnits(clinics[:1], []unit.Unit{accuracy}, 5)...)
	for i := range s.Trials {
		tr := &s.Trials[i]
		tr.TrainN, tr.TestN, tr.Values = 40, 10, []float64{0.5, float64(5 + i/2%2), 0.5}
	}
	a, b := selections(t, s, s)
	p, err := Pair(a, b, "accuracy{clinic=A}")
	require.NoError(t, err)
	assert.Equal(t, 5.0, p.Slice.Scale)
	assert.Equal(t, "[5 6 5 6]", fmt.Sprint(p.Slice.Counts))
}
