package assert_test

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/stat"
	testify "github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clinics compares, on the patients of clinics A, B and C, the last of which has few, a learner
// that has become worse in clinic B with the one before.
func clinics(t *testing.T) *learntest.Comparison {
	t.Helper()
	const n = 900
	xs, ys := make([]int, n), make([]bool, n)
	for i := range xs {
		xs[i], ys[i] = i, i/7%2 == 0
	}
	data := learntest.Examples("visits", xs, ys).
		WithSlice("clinic=A", func(x int) bool { return x%10 > 2 && x%45 != 4 }).
		WithSlice("clinic=B", func(x int) bool { return x%10 <= 2 && x%45 != 4 }).
		WithSlice("clinic=C", func(x int) bool { return x%45 == 4 })
	fails := func(name string, fails func(x int) bool) learntest.Learner[int, bool] {
		return learntest.Func(name, func(context.Context, learntest.Sample[int, bool],
			uint64,
		) (func(int) bool, error) {
			return func(x int) bool { return fails(x) != ys[x] }, nil
		})
	}
	now := fails("new", func(x int) bool { return x%10 <= 2 && x%90 < 20 })
	before := fails("old", func(x int) bool { return x%10 > 2 && x%50 < 10 || x%90 < 3 })
	return learntest.Compare(t, data, now, before)
}

func TestSlicesFailWhereTheWholeHolds(t *testing.T) {
	c := clinics(t)
	r := &recorder{}
	require.True(t, assert.NoRegression(r, c, assert.Margin(0.02)), "%s", r.failures)

	r = &recorder{}
	require.False(t, assert.NoRegression(r, c, assert.Slices(), assert.Margin(0.05)))
	require.Len(t, r.failures, 1)
	text := r.failures[0]
	testify.Equal(t, 1, strings.Count(text, "Claim does not hold"), "%s", text)
	testify.Contains(t, text, "new is 11.11 points worse than old on visits in accuracy{clinic=B}, 5.00 points allowed: regressed on this data set; the candidate is significantly worse")
	testify.Contains(t, text, "slice          clinic=B, 270 examples")
	testify.Contains(t, text, "1 of 3 slices are too small to be judged (30 examples): clinic=C, 20 examples, 100.00% and ")
	testify.Contains(t, strings.Join(r.logs, "\n"), "on visits in accuracy{clinic=A}")

	for _, patterns := range [][]string{{"clinic=A"}, {"clinic=A", "clinic=C"}, {"*=A"}} {
		require.True(t, assert.NoRegression(&recorder{}, c, assert.Slices(patterns...),
			assert.Margin(0.05)), "%s", patterns)
	}
	for _, patterns := range [][]string{{"clinic=*"}, {"*"}, {"clinic=B"}, {"*B"}, {"cl*c=B"}} {
		require.False(t, assert.NoRegression(&recorder{}, c, assert.Slices(patterns...),
			assert.Margin(0.05)), "%s", patterns)
	}
}

// TestSmallSlicesAreNotSilent checks that a claim names slices which are too small, whether it
// holds or not, and that a claim about nothing else fails.
func TestSmallSlicesAreNotSilent(t *testing.T) {
	c := clinics(t)
	printed := func(options ...assert.Option) (*recorder, bool, string) {
		in, out, err := os.Pipe()
		require.NoError(t, err)
		stdout := os.Stdout
		os.Stdout = out
		defer func() { os.Stdout = stdout }()
		r := &recorder{}
		holds := assert.NoRegression(r, c, append(options, assert.Margin(0.05))...)
		require.NoError(t, out.Close())
		text, err := io.ReadAll(in)
		require.NoError(t, err)
		return r, holds, string(text)
	}
	const says = "1 of 2 slices are too small to be judged (30 examples): clinic=C, 20 examples, 100.00% and "
	r, holds, text := printed(assert.Slices("clinic=A", "clinic=C"))
	require.True(t, holds)
	testify.Contains(t, strings.Join(r.logs, "\n"), says)
	if !testing.Verbose() {
		testify.Contains(t, text, says, "also where go test prints nothing of a test that passes")
	}
	r, holds, _ = printed(assert.Slices("clinic=C"))
	require.False(t, holds, "nothing was judged")
	testify.Contains(t, r.failures[0], "1 of 1 slices are too small to be judged")
	r, holds, _ = printed(assert.Slices("clinic=A", "clinic=C", assert.All))
	require.False(t, holds)
	testify.Contains(t, r.failures[0],
		"too small to be judged: slice clinic=C has 20 examples, fewer than 30")
	r, holds, _ = printed(assert.Slices(assert.All))
	require.False(t, holds)
	testify.Equal(t, 2, strings.Count(r.failures[0], "Claim does not hold"))
	r, holds, _ = printed(assert.OnUnit("accuracy{clinic=C}"))
	require.False(t, holds)
	testify.Contains(t, r.failures[0], "too small to be judged")
}

// TestMarginsOfSlicesTakeTheirExamples checks that a slice cannot show a margin that so few
// examples may have missed, although both learners are equal on it.
func TestMarginsOfSlicesTakeTheirExamples(t *testing.T) {
	xs, ys := make([]int, 400), make([]bool, 400)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 0
	}
	data := learntest.Examples("visits", xs, ys).WithSlice("few",
		func(x int) bool { return x%10 == 0 })
	right := func(name string, but int) learntest.Learner[int, bool] {
		return learntest.Func(name, func(context.Context, learntest.Sample[int, bool],
			uint64,
		) (func(int) bool, error) {
			return func(x int) bool { return (x%2 == 0) != (x == but) }, nil
		})
	}
	c := learntest.Compare(t, data, right("new", 1), right("old", 2))
	require.True(t, assert.NoRegression(&recorder{}, c, assert.Margin(0.05)))
	r := &recorder{}
	require.False(t, assert.NoRegression(r, c, assert.Margin(0.05), assert.Slices()))
	testify.Contains(t, r.failures[0], "40 examples cannot show a loss below 7.22 points")
	require.True(t, assert.NoRegression(&recorder{}, c, assert.Margin(0.08), assert.Slices()))
}

func TestClaimsThatAreNotForSlices(t *testing.T) {
	c := clinics(t)
	for _, x := range []struct {
		says  string
		claim func(r *recorder) bool
	}{
		{
			`no slice matches "clinic=D": there are "clinic=A", "clinic=B", "clinic=C"`,
			func(r *recorder) bool { return assert.NoRegression(r, c, assert.Slices("clinic=D")) },
		},
		{`no slice matches "clinic=D"`, func(r *recorder) bool {
			return assert.NoRegression(r, c, assert.Slices("clinic=A", "clinic=D"), assert.Margin(0.05))
		}},
		{"a claim on slices takes neither a replicability nor a second opinion", func(r *recorder) bool {
			return assert.NoRegression(r, c, assert.Slices("clinic=A"), assert.Replicability(0.9))
		}},
		{"a claim on slices takes neither a replicability nor a second opinion", func(r *recorder) bool {
			return assert.NoRegression(r, c, assert.Slices("clinic=A"), assert.SecondOpinion())
		}},
		{"is not for slices", func(r *recorder) bool {
			return assert.Replicable(r, c, 0.9,
				assert.Slices("clinic=A"))
		}},
		{"is not for slices", func(r *recorder) bool {
			return assert.AtLeast(r, c, 0.7,
				assert.Slices("clinic=A"))
		}},
		{
			"slices are judged by corrected-cv-t or corrected-resampled-t, not by paired-t",
			func(r *recorder) bool {
				return assert.NoRegression(r, c, assert.Slices("clinic=A"),
					assert.SignificanceTest(stat.MustLookup("paired-t")))
			},
		},
		{"Slices", func(r *recorder) bool { return assert.NoRegression(r, c, assert.Slices("")) }},
		{"metric kappa of the candidate new", func(r *recorder) bool {
			return assert.NoRegression(r, c, assert.On(metric.Kappa()), assert.Slices("clinic=A"))
		}},
		{
			"it is about slices, and these are the scores of all examples",
			func(r *recorder) bool {
				return assert.NoRegression(r, comparison(accuracy, better),
					assert.Slices())
			},
		},
	} {
		r := &recorder{}
		require.False(t, x.claim(r), x.says)
		require.Len(t, r.failures, 1)
		testify.Contains(t, r.failures[0], x.says)
	}
	require.True(t, assert.NoRegression(&recorder{}, c, assert.Slices("clinic=A"), assert.Margin(0.05),
		assert.SignificanceTest(stat.CorrectedCVT(0.18))))
}

// TestSlicesInAFamily counts the claims that p-values are adjusted for.
func TestSlicesInAFamily(t *testing.T) {
	c := clinics(t)
	r := &recorder{}
	require.False(t, assert.NoRegression(r, assert.Family{c}, assert.Slices(), assert.Margin(0.05)))
	testify.Contains(t, r.failures[0], "holm of 2 p", "the small one is not among them")
}
