package stat_test

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The shares are 1 − α^(1/n) from bc with 40 digits: 1-e(l(.05)/100) and so on.
func TestUnseenIsTheExactBoundWithoutAnEvent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n     int
		alpha float64
		want  float64
	}{
		{1, 0.05, 0.95},
		{2, 0.25, 0.5},
		{50, 0.05, 0.0581551}, // what 50 examples leave open: 5.8 points
		{100, 0.05, 0.0295130},
		{846, 0.05, 0.0035348},
	} {
		u, err := stat.Unseen(c.n, c.alpha)
		require.NoError(t, err)
		assert.True(t, floatcmp.Equal(u, c.want, 1e-7, 0), "n = %d: %v", c.n, u)
	}
}

func TestUnseenExamplesOfRoundMargins(t *testing.T) {
	t.Parallel()
	for margin, want := range map[float64]int{0.05: 59, 0.02: 149, 0.01: 299, 0.005: 598, 0.5: 5} {
		n, err := stat.UnseenExamples(margin, 0.05)
		require.NoError(t, err)
		assert.Equal(t, want, n, "margin %v", margin)
	}
}

func TestUnseenProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1_000_000).Draw(t, "n")
		alpha := rapid.Float64Range(1e-6, 0.5).Draw(t, "alpha")
		u, err := stat.Unseen(n, alpha)
		require.NoError(t, err)
		assert.True(t, u > 0 && u < 1)
		more, err := stat.Unseen(n+1, alpha)
		require.NoError(t, err)
		assert.Less(t, more, u, "more examples leave less open")
		surer, err := stat.Unseen(n, alpha/2)
		require.NoError(t, err)
		assert.Greater(t, surer, u, "a stricter level leaves more open")
		p, err := stat.UnseenP(n, u)
		require.NoError(t, err)
		assert.True(t, floatcmp.Equal(p, alpha, 0, 1e-6), "%v is not %v", p, alpha)
		least, err := stat.UnseenExamples(u*(1+1e-9), alpha)
		require.NoError(t, err)
		assert.Equal(t, n, least, "just above the bound, n examples are enough and n−1 are not")
	})
}

func TestUnseenRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n     int
		alpha float64
		want  error
	}{
		{0, 0.05, stat.ErrSampleSize},
		{10, 0, stat.ErrDomain},
		{10, 1, stat.ErrDomain},
		{10, math.NaN(), stat.ErrDomain},
	} {
		_, err := stat.Unseen(c.n, c.alpha)
		assert.ErrorIs(t, err, c.want)
	}
	_, err := stat.UnseenP(0, 0.1)
	assert.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = stat.UnseenP(10, math.NaN())
	assert.ErrorIs(t, err, stat.ErrNotFinite)
	for share, want := range map[float64]float64{-1: 1, 0: 1, 1: 0, 2: 0} {
		p, err := stat.UnseenP(10, share)
		require.NoError(t, err)
		assert.Equal(t, want, p)
	}
	for _, share := range []float64{0, 1, math.NaN(), -1} {
		_, err = stat.UnseenExamples(share, 0.05)
		assert.ErrorIs(t, err, stat.ErrDomain)
	}
	_, err = stat.UnseenExamples(0.1, 0)
	assert.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.UnseenExamples(1e-12, 0.05)
	assert.ErrorIs(t, err, stat.ErrSampleSize)
}
