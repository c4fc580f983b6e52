package assert_test

import (
	"errors"
	"math"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest/verdict"
	testify "github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	slightlyWorse = []float64{
		-0.004, -0.006, -0.005, -0.005, -0.006, -0.004, -0.005, -0.005,
		-0.004, -0.006,
	}
	noisy = []float64{0.02, -0.03, 0.02, -0.03, 0.03, -0.02, 0.02, -0.04, 0.01, -0.03}
)

func TestWithinBudget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		gains []float64
		holds bool
		want  string
	}{
		{"little used", slightlyWorse, true, "  budget         0.50 of 2.00 points used, at most 0.6"},
		{"used up", worse, false, "new is 20.00 points worse than old on mail in accuracy, of a budget of 2.00 points: regressed on this data set; the budget of 2.00 points is used up\n"},
		{
			"cannot be verified", noisy, false,
			"new is 0.50 points worse than old on mail in accuracy, of a budget of 2.00 points: inconclusive; the data can no longer verify the budget of 2.00 points\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			on := comparison(accuracy, c.gains)
			testify.Equal(t, c.holds, assert.WithinBudget(&r, on, 0.02))
			testify.Equal(t, c.holds, assert.NoRegression(new(recorder), on, assert.Margin(0.02)),
				"it is the same gate")
			text := r.logs
			if !c.holds {
				text = r.failures
			}
			require.Len(t, text, 1)
			testify.Contains(t, text[0], c.want)
		})
	}
	var r recorder
	family := assert.Family{comparison(accuracy, slightlyWorse), comparison(accuracy, worse)}
	testify.False(t, assert.WithinBudget(&r, family, 0.02, assert.Message("release 7")))
	require.Len(t, r.failures, 1)
	testify.Contains(t, r.failures[0], "used up")
	testify.Contains(t, r.failures[0], "release 7")
	testify.True(t, assert.WithinBudget(&r, comparison(logloss, better), 0.3,
		assert.OnUnit("logloss")), "an amount in its unit")
}

// nobody is a comparison that does not name its baseline.
type nobody struct{ assert.Comparison }

// A budget that is judged by anything but a pinned reference is none: whoever writes the baseline
// anew gives it away.
func TestBudgetDemandsAPinnedReference(t *testing.T) {
	t.Parallel()
	unpinned := comparison(accuracy, slightlyWorse)
	unpinned.unpinned = errors.New("pinned.txt has no ledger")
	pinned := comparison(accuracy, slightlyWorse)
	for name, c := range map[string]struct {
		on   assert.Comparison
		want string
	}{
		"unpinned":        {unpinned, "pinned.txt has no ledger"},
		"one of a family": {assert.Family{pinned, unpinned}, "pinned.txt has no ledger"},
		"of a family of some": {
			assert.Family{pinned, assert.Family{unpinned, pinned}},
			"pinned.txt has no ledger",
		},
		"does not say": {
			nobody{pinned},
			"a budget is for a candidate and a pinned reference, and a assert_test.nobody has none: of items, claim NoRegression against the reference",
		},
		"member does not say": {
			assert.Family{nobody{pinned}},
			"a budget is for a candidate and a pinned reference",
		},
	} {
		var r recorder
		testify.False(t, assert.WithinBudget(&r, c.on, 0.02), name)
		require.Len(t, r.failures, 1, name)
		testify.Contains(t, r.failures[0], c.want, name)
		testify.True(t, assert.NoRegression(new(recorder), c.on, assert.Margin(0.02)), "no budget")
	}
	testify.True(t, assert.WithinBudget(new(recorder), assert.Family{pinned, pinned}, 0.02))
}

func TestBudgetsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		budget  float64
		options []assert.Option
		want    string
	}{
		{"none", 0, nil, "a budget of 0 is not a positive number"},
		{"negative", -0.02, nil, "a budget of -0.02 is not a positive number"},
		{"not a number", math.NaN(), nil, "a budget of NaN is not a positive number"},
		{"infinite", math.Inf(1), nil, "a budget of +Inf is not a positive number"},
		{"all of the range", 1, nil, "no two values of accuracy differ by more than 1"},
		{"two points meant", 2, nil, "0.02 is two points"},
		{
			"another margin", 0.02,
			[]assert.Option{assert.Margin(0.05)},
			"Margin is for other claims: the budget is the margin",
		},
		{"posterior", 0.02, []assert.Option{assert.Bayes(0.01, 0.95)}, "a budget is verified by a test"},
		{"gain", 0.02, []assert.Option{assert.Gain(0.01)}, "a gain is for a claim of improvement"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			testify.False(t, assert.WithinBudget(&r, comparison(accuracy, better), c.budget, c.options...))
			require.Len(t, r.failures, 1)
			testify.Contains(t, r.failures[0], verdict.ErrClaim.Error())
			testify.Contains(t, r.failures[0], c.want)
		})
	}
}
