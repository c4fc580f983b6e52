package predictions

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// scorable returns predictions of six examples in two runs, of which one learner lacks a fold.
func scorable(t *testing.T) *Block {
	h := Header{
		Data: "pets", Examples: 6, Classes: []string{"cat", "dog"},
		Protocol:   "cv runs=1 folds=2 stratified seed=1 v1",
		DataDigest: strings.Repeat("ab", 32),
	}
	of := []uint16{1, 2, 1, 2, 1, 2}
	h.SplitDigest = split.DigestOfTests(2, [][]uint16{of})
	b, err := NewBlock(h, []int{0, 1, 0, 1, 0, 1}, nil)
	require.NoError(t, err)
	require.NoError(t, b.SetFolds(1, of))
	add := func(learner string, fold int, predicted ...int) {
		test := [][]int{{0, 2, 4}, {1, 3, 5}}[fold-1]
		require.NoError(t, b.Add(record.Cell{Data: "pets", Learner: learner, Run: 1, Fold: fold}, test,
			&metric.Predictions{Predicted: predicted}))
	}
	add("tree", 1, 0, 1, 0)
	add("tree", 2, 1, 1, None)
	add("half", 1, 0, 0, 0)
	return b
}

// Sums on slices are sums over the members in each fold, times the folds over all members, also
// where a fold has none.
func TestScoresOnSlices(t *testing.T) {
	t.Parallel()
	b := scorable(t)
	got, err := Score(b, []metric.Metric{metric.Accuracy(), metric.MacroF1()},
		Slices{DataDigest: b.DataDigest, Of: []Slice{
			{"even", []int{0, 2, 4}}, {"last", []int{4, 5}},
		}})
	require.NoError(t, err)
	sum, err := b.Checksum()
	require.NoError(t, err)
	require.Equal(t, sum, got.Header.RescoredFrom)
	var names []string
	for _, u := range got.Columns {
		names = append(names, u.Name)
	}
	require.Equal(t, []string{
		"accuracy", "macro-f1", "n{even}", "accuracy{even}", "n{last}",
		"accuracy{last}",
	}, names)
	var rows [][]float64
	for x := range got.Trials() {
		rows = append(rows, slices.Clone(x.Values))
	}
	require.Equal(t, [][]float64{
		{2.0 / 3, 0.4, 3, 2.0 / 3 * 2, 1, 1}, // 2 folds × 2 right of 3 members, 2 × 1 right of 2
		{1, 1, 3, 2, 1, 1},
		{2.0 / 3, 0.8, 0, 0, 1, 0},
		nil, // nothing was predicted
	}, rows)
	require.Equal(t, 1, strings.Count(got.Header.Slices, "even 3 "))
}

func TestSlicesOfOtherData(t *testing.T) {
	t.Parallel()
	b := scorable(t)
	one := []Slice{{"one", []int{1}}}
	for want, of := range map[string]Slices{
		"of other data, or of examples in another order": {strings.Repeat("ba", 32), one},
		`slice "twice" has example 1 twice`: {
			b.DataDigest,
			[]Slice{{"twice", []int{1, 1}}},
		},
		"has example 6 twice, or there is no such example": {b.DataDigest, []Slice{{"far", []int{6}}}},
		`has example -1 twice, or there is no`:             {b.DataDigest, []Slice{{"far", []int{-1}}}},
		`slice "none" has no examples`:                     {b.DataDigest, []Slice{{"none", nil}}},
		"is the name of the slice of copies": {
			b.DataDigest,
			[]Slice{{record.CopiesSlice, []int{1}}},
		},
		"slice one is there twice": {b.DataDigest, append(one, one...)},
		`a slice is called "{"`:    {b.DataDigest, []Slice{{"{", []int{1}}}},
	} {
		_, err := Score(b, []metric.Metric{metric.Accuracy()}, of)
		require.ErrorIs(t, err, ErrScore)
		require.ErrorContains(t, err, want)
	}
	_, err := Score(b, []metric.Metric{metric.MacroF1()}, Slices{b.DataDigest, one})
	require.ErrorContains(t, err, "no metric is a mean over examples")
	_, err = Score(b, []metric.Metric{metric.LogLoss()}, Slices{})
	require.ErrorIs(t, err, metric.ErrPredictions)
	gaps := *b
	gaps.Protocol = "predefined runs=1 folds=2 sha256=" + strings.Repeat("ab", 32) + " seed=1 v1"
	gaps.shape, err = split.ParseShape(gaps.Protocol)
	require.NoError(t, err)
	_, err = Score(&gaps, []metric.Metric{metric.Accuracy()}, Slices{})
	require.ErrorContains(t, err, "predictions do not say how many were trained on")
	gaps.Test = "openml" // where each fold trains on the others
	_, err = Score(&gaps, []metric.Metric{metric.Accuracy()}, Slices{})
	require.NoError(t, err)
	gaps.Pkg = "example.com/openml"
	_, err = Score(&gaps, []metric.Metric{metric.Accuracy()}, Slices{})
	require.Error(t, err)
	b.SplitDigest = strings.Repeat("cd", 32)
	_, err = Score(b, []metric.Metric{metric.Accuracy()}, Slices{})
	require.ErrorContains(t, err, "their digest is another one")
}
