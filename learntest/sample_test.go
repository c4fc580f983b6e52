package learntest

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// A Fit is tried out without a comparison.
func TestSamplesTrainModels(t *testing.T) {
	t.Parallel()
	data := Examples("words", []string{"a", "bb", "ccc", "dd"}, []bool{false, true, false, true})
	all, err := NewSample(data)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 2, 3}, all.Rows())
	closed := 0
	longest := func(_ context.Context, train Sample[string, bool], _ uint64) (Model[string, bool],
		error,
	) {
		return LabelModel(func(_ context.Context, xs []string) ([]bool, error) {
			ys := make([]bool, len(xs))
			for i, x := range xs {
				ys[i] = len(x) == train.Len()
			}
			slices.Sort(xs[:min(len(xs), train.Len()-2)]) // which belong to the caller
			return ys, nil
		}).WithClose(func() error { closed++; return nil }), nil
	}
	m, err := longest(t.Context(), all.Select([]int{0, 3}), 1)
	require.NoError(t, err)
	p, err := m.Predict(t.Context(), all.Select([]int{3, 2, 1}))
	require.NoError(t, err)
	assert.Equal(t, []int{1, 0, 1}, p.Predicted)
	assert.Equal(t, []int{1, 0, 1}, p.Truth)
	assert.Equal(t, []string{"false", "true"}, p.Classes)
	require.NoError(t, m.Close())
	assert.Equal(t, 1, closed)

	m, err = longest(t.Context(), all, 1)
	require.NoError(t, err)
	p, err = m.Predict(t.Context(), all.Select([]int{2, 1}))
	require.ErrorIs(t, err, learner.ErrUnusable)
	assert.Equal(t, []int{0, 0}, p.Predicted)

	_, err = Model[string, bool]{}.Predict(t.Context(), all)
	require.ErrorIs(t, err, errNoModel)
	require.NoError(t, Model[string, bool]{}.Close())
	_, err = NewSample(Examples("few", []string{"a"}, []bool{}))
	require.ErrorIs(t, err, dataset.ErrUnusable)

	before, err := all.CurrentDigest()
	require.NoError(t, err)
	data.xs[0] = "z"
	after, err := all.CurrentDigest()
	require.NoError(t, err)
	assert.NotEqual(t, before, after)
}
