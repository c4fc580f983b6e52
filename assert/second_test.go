package assert_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/require"
)

// lucky predicts a share of the examples rightly.
func lucky(name string, share float64) learntest.Learner[int, bool] {
	return learntest.Func(name, func(_ context.Context, _ learntest.Sample[int, bool],
		seed uint64,
	) (func(int) bool, error) {
		r := rand.New(rand.NewPCG(seed, 1))
		return func(x int) bool { return (x%2 == 0) == (r.Float64() < share) }, nil
	})
}

func TestSecondOpinion(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("claims are not judged")
	}
	xs, ys := make([]int, 80), make([]bool, 80)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 0
	}
	c := learntest.CompareWith(t, learntest.Config{Protocol: split.CV(3, 5)},
		learntest.Examples("numbers", xs, ys), lucky("good", 0.9), lucky("poor", 0.6))
	r := &recorder{}
	require.True(t, assert.Improves(r, c, assert.SecondOpinion()))
	require.Regexp(t, `second         with half of the examples \+\S+ points, 95% interval .*, p = \S+, m=20\n`, r.logs[0])
	require.True(t, assert.NoRegression(r, c, assert.Margin(0.05), assert.SecondOpinion(5)))
	require.Contains(t, r.logs[1], ", m=5\n")
	require.False(t, assert.Improves(r, c, assert.Gain(0.29), assert.SecondOpinion()))
	require.Contains(t, r.failures[0],
		"second         not asked for, since the first test does not show the claim")

	// The fallback for users who can train nothing again, in a family too.
	require.True(t, assert.Improves(r, assert.Family{c, c},
		assert.SignificanceTest(stat.CorrectedCVT(0.3))))
	require.Contains(t, r.logs[2], "corrected-cv-t/ratio=0.3, n = 3×5")
	require.True(t, assert.Improves(r, assert.Family{c, c}, assert.SecondOpinion()))
	require.Contains(t, r.logs[4], "holm of 2 p = ")
}
