package input

import (
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sideOf returns one whose blocks are of commits with times, two texts each.
func sideOf(t *testing.T, label string, commits ...string) *Side {
	t.Helper()
	var blocks []*record.Block
	for i := 0; i < len(commits); i += 2 {
		h := record.Header{
			Data: "iris", Protocol: "cv runs=2 folds=2 stratified seed=1 v1",
			Commit: commits[i], CommitTime: commits[i+1], DataDigest: strings.Repeat("a", 64),
			SplitDigest: strings.Repeat("b", 64),
		}
		b, err := record.NewBlock(h, []string{"nn"},
			[]unit.Unit{{Name: "accuracy", Better: unit.Higher, Max: 1}}, 4)
		require.NoError(t, err)
		blocks = append(blocks, b)
	}
	return &Side{Source: Source{Label: label}, File: record.NewFile(blocks...)}
}

func TestNotesOfCommits(t *testing.T) {
	t.Parallel()
	const first, second, third = "2026-11-20T16:02:11Z", "2026-11-20T18:00:00+01:00",
		"2026-11-21T00:00:00Z"
	later := []string{"old is of a later commit, of " + third + ", than new, of " + second +
		": what comes first is what others are compared with"}
	for _, c := range []struct {
		old, new, want []string
	}{
		{[]string{"a", first}, []string{"b", second}, nil},
		{[]string{"a", third}, []string{"b", second}, later},
		{[]string{"a", second}, []string{"b", second}, nil},
		{[]string{"a", first, "a", third}, []string{"b", second, "b", first}, later},
		{[]string{"a", third}, []string{"b", first, "b", third}, nil},
		{[]string{"a", third}, []string{"b", ""}, nil},
		{[]string{"", ""}, []string{"b", first}, nil},
		{[]string{"a-dirty", first, "b", first}, []string{"b", first}, nil},
		{
			[]string{"a", first},
			[]string{"b-dirty", first, "b-dirty", second},
			[]string{"new is of b-dirty: of changes that were not committed, and nobody can tell which"},
		},
		{
			[]string{"a-dirty", "", "b-dirty", "", "c-dirty", "", "d-dirty", "", "e-dirty", ""},
			[]string{"", ""},
			[]string{"old is of a-dirty, b-dirty, c-dirty, 2 more: of changes that were not committed, and nobody can tell which"},
		},
	} {
		assert.Equal(t, c.want, Notes([]*Side{sideOf(t, "old", c.old...), sideOf(t, "new", c.new...)}),
			"%v %v", c.old, c.new)
	}
	// Each side is held against the first, and not against those before it.
	assert.Empty(t, Notes([]*Side{
		sideOf(t, "a", "a", first), sideOf(t, "b", "b", third),
		sideOf(t, "c", "c", second),
	}))
	assert.Empty(t, Notes([]*Side{sideOf(t, "a", "a", third)}))
}

// Of many sides that are equal, each is named once, with the first that it equals.
func TestNotesOfEqualSides(t *testing.T) {
	t.Parallel()
	const when = "2026-11-20T16:02:11Z"
	sides := []*Side{
		sideOf(t, "a", "c0ffee", when), sideOf(t, "other", "decade", when),
		sideOf(t, "b", "c0ffee", when), sideOf(t, "c", "c0ffee", when), sideOf(t, "none", "", when),
		sideOf(t, "nothing", "", when),
	}
	assert.Equal(t, []string{
		"a and b have the same results of the same commit: one may be a copy of the other",
		"a and c have the same results of the same commit: one may be a copy of the other",
	}, Notes(sides))
	// Other scores under the same header are no copy.
	require.NoError(t, sides[2].File.Blocks()[0].Add(record.Trial{
		Data: "iris", Learner: "nn", Run: 1,
		Fold: 1, TrainN: 2, TestN: 2, Values: []float64{0.5},
	}))
	assert.Equal(t, []string{"a and c have the same results of the same commit: one may be a copy of the other"}, Notes(sides))
	require.NoError(t, sides[0].File.Blocks()[0].Add(record.Trial{
		Data: "iris", Learner: "nn", Run: 1,
		Fold: 1, TrainN: 2, TestN: 2, Values: []float64{0.25},
	}))
	assert.Empty(t, Notes(sides))
}

// Sides that begin alike are no copies unless all of their headers are equal.
func TestNotesOfSidesThatBeginAlike(t *testing.T) {
	t.Parallel()
	const when = "2026-11-20T16:02:11Z"
	two := func(label string) *Side { return sideOf(t, label, "c0ffee", when, "c0ffee", when) }
	sides := []*Side{two("a"), two("b"), two("c"), sideOf(t, "d", "c0ffee", when)}
	sides[1].File.Blocks()[1].Header.Machine = "another" // which no checksum covers
	assert.Equal(t, []string{"a and c have the same results of the same commit: one may be a copy of the other"}, Notes(sides))
	sides[2].File.Blocks()[1].Header.Commit = ""
	assert.Empty(t, Notes(sides))
}

// Scores of kept predictions are named, with the side that is of the same predictions.
func TestNotesOfScoresWithoutTraining(t *testing.T) {
	t.Parallel()
	const when = "2026-11-20T16:02:11Z"
	one, two := strings.Repeat("1", 64), strings.Repeat("2", 64)
	of := func(kept, from string) []*Side {
		trained, again := sideOf(t, "new", "a", when), sideOf(t, "again", "", "")
		trained.File.Blocks()[0].Header.Predictions = kept
		again.File.Blocks()[0].Header.RescoredFrom = from
		return []*Side{trained, again}
	}
	const note = "again has scores of kept predictions, computed without training"
	assert.Equal(t, []string{note + ", and new is of the same predictions: nothing can differ there"},
		Notes(of(one, two+" "+one)))
	assert.Equal(t, []string{note}, Notes(of(one, two)))
	assert.Equal(t, []string{note}, Notes(of("", two)[1:]))
	assert.Empty(t, Notes(of(one, "")))
	both := of("", one)
	both[0].File.Blocks()[0].Header.RescoredFrom = one
	assert.Len(t, Notes(both), 2)
}
