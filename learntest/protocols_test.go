package learntest

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inGroups is a data set of n numbers in the given number of groups.
func inGroups(n, groups int) *ExampleSet[int, bool] {
	of := make([]string, n)
	for i := range of {
		of[i] = fmt.Sprint("g", i%groups)
	}
	return numbers(n).WithGroups(of)
}

// parity predicts every number right, so that a comparison with a constant
// learner has something to find.
func parity() Learner[int, bool] {
	return Pretrained("parity", func(x int) bool { return x%2 == 1 })
}

// Four groups have six partitions into three folds: ten runs of them are fewer
// than the 30 different folds that a test would count.
func TestRunsOfFewGroupsAreNotJudgedAsDifferent(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.txt")
	data := inGroups(40, 4)
	p := split.Groups(10, 3).WithSeed(2) // which draws all six
	b := mustRun(t, data, Config{Protocol: p, Results: Results{Out: out}}, parity(),
		constant("odd", true))
	require.Equal(t, "6", b.Header.DistinctRuns)
	f, err := record.Open(out)
	require.NoError(t, err)
	require.NoError(t, f.Check())
	require.Equal(t, "6", f.Blocks()[0].Header.DistinctRuns)

	const want = `only 6 of the 10 runs of "groups runs=10 folds=3 unstratified seed=2 v1" are different partitions, and no source supports the default test for runs that repeat one another, 30 folds in all: ask for fewer runs, or name a test`
	for _, file := range []*record.File{record.NewFile(b), f} {
		v := judged(file, "numbers", "parity", "odd", verdict.Claim{Kind: verdict.Improves})
		assert.Equal(t, verdict.Invalid, v.Outcome)
		assert.False(t, v.Holds)
		assert.Equal(t, want, v.Reason)
	}
	v := judged(f, "numbers", "parity", "odd", verdict.Claim{
		Kind: verdict.Improves,
		Test: stat.MustLookup("permutation"),
	})
	assert.True(t, v.Holds, "%v", v)

	// Further runs do not count for the test.
	more := mustRun(t, data, Config{Protocol: split.Groups(1, 3), Repeats: 10}, parity(),
		constant("odd", true))
	require.Empty(t, more.Header.DistinctRuns)
	assert.NotEqual(t, verdict.Invalid, judged(record.NewFile(more), "numbers", "parity",
		"odd", verdict.Claim{}).Outcome)
}

func TestDistinctRunsAreSaidWhereverTheyAreFewer(t *testing.T) {
	t.Parallel()
	fold := func(train, test int) split.Fold {
		return split.Fold{
			Train: []int{train},
			Test:  []int{test},
		}
	}
	for _, c := range []struct {
		n, groups int
		p         split.Protocol
		want      string
	}{
		{40, 40, split.TenByTen(), ""},
		{40, 40, split.Groups(10, 3), ""},
		{40, 40, split.LeaveOneOut(), ""},
		{40, 40, split.TimeSeries(3, split.Window{}), ""},
		{40, 3, split.Groups(20, 2), "3"},
		{4, 4, split.CV(40, 2).Stratified(false), "3"},
		{3, 3, split.Subsample(30, 0.6), "3"},
		{4, 4, split.Weka(30, 2), "2"}, // stratified
		{4, 4, split.Predefined([]split.Fold{fold(0, 1)}, []split.Fold{fold(0, 1)}), "1"},
		{4, 4, split.Predefined([]split.Fold{fold(0, 1)}, []split.Fold{fold(1, 0)}), ""},
	} {
		b := mustRun(t, inGroups(c.n, c.groups), Config{Protocol: c.p, IgnoreGroups: true},
			constant("odd", true))
		assert.Equal(t, c.want, b.Header.DistinctRuns, "%v", c.p)
	}
}

func TestComparisonsThatTheDefaultTestDoesNotFitSaySo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p              split.Protocol
		reason         string
		test, judgedBy string
	}{
		{
			split.LeaveOneOut(),
			`"loo seed=1 v1" is leave-one-out of 24 examples, and no source supports the default test for that: use repeated cross-validation, or name a test`,
			"permutation", "permutation",
		},
		{
			split.CV(1, 24),
			`"cv runs=1 folds=24 stratified seed=1 v1" is leave-one-out of 24 examples, and no source supports the default test for that: use repeated cross-validation, or name a test`,
			"permutation", "permutation",
		},
		{
			split.TimeSeries(5, split.Window{}),
			`"timeseries folds=5 seed=1 v1" is a time series, and no source supports the default test for that: name the test diebold-mariano, or another one`,
			"diebold-mariano", "diebold-mariano",
		},
		{
			split.TimeSeries(7, split.Window{TestSize: 2, Gap: 2}),
			`"timeseries folds=7 test=2 gap=2 seed=1 v1" is a time series, and no source supports the default test for that: name the test diebold-mariano, or another one`,
			"diebold-mariano", "diebold-mariano/h=2",
		},
	} {
		r := newRecorder(t)
		comparison := CompareWith(r, Config{Protocol: c.p, IgnoreGroups: true}, inGroups(24, 12),
			parity(), constant("odd", true))
		require.Empty(t, r.errors)
		require.NotEmpty(t, r.logs)
		assert.Equal(t, "parity vs odd on numbers: invalid: "+c.reason, r.logs[len(r.logs)-1])
		assert.Equal(t, "invalid", r.attrs["learntest.1.verdict"])
		v := comparison.Judge(verdict.Claim{Kind: verdict.Improves})
		assert.False(t, v.Holds)
		assert.Equal(t, c.reason, v.Reason)
		v = comparison.Judge(verdict.Claim{Kind: verdict.Improves, Test: stat.MustLookup(c.test)})
		assert.Equal(t, c.judgedBy, v.Difference.Result.Test)
		assert.Equal(t, verdict.Improved, v.Outcome, "%v", v)
	}
}
