package split

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPredefinedGivesThePartitionsBackInTheirOrder(t *testing.T) {
	t.Parallel()
	runs := [][]Fold{
		{{Train: []int{3, 1, 4}, Test: []int{5, 9}}, {Train: []int{9}, Test: []int{1}}},
		{{Train: []int{0, 1}, Test: []int{2}}, {Train: []int{2}, Test: []int{7, 6}}},
	}
	p := Predefined(runs...)
	plan, err := p.Plan(Examples{N: 10})
	require.NoError(t, err)
	require.Equal(t, 2, plan.Runs())
	require.Equal(t, 2, plan.Folds())
	for j, folds := range runs {
		for i, want := range folds {
			assert.Equal(t, want, trial(plan, j+1, i+1))
		}
	}

	// The protocol has a copy.
	runs[0][0].Train[0] = 8
	assert.NotEqual(t, p, Predefined(runs...))
	again, err := p.Plan(Examples{N: 10})
	require.NoError(t, err)
	assert.Equal(t, plan.Digest(), again.Digest())
}

func TestPredefinedIsComparedByItsPartitions(t *testing.T) {
	t.Parallel()
	assert.True(t, twoFolds() == twoFolds())
	assert.False(t, twoFolds() == twoFolds().WithSeed(2))
	folds := decodeRuns(twoFolds().parts)[0]
	assert.True(t, Predefined(folds, folds).WithRuns(1) == twoFolds())
	assert.False(t, Predefined(folds, folds) == twoFolds())
	assert.False(t, Predefined(folds[:1]) == twoFolds())
	assert.Equal(t, "predefined runs=0 folds=0 sha256="+newPlanHashSum(0, 0)+" seed=1 v1",
		Predefined().String())
}

func newPlanHashSum(runs, folds int) string {
	h := newPlanHash(runs, folds)
	return h.sum()
}

func TestPredefinedPartitionsAreChecked(t *testing.T) {
	t.Parallel()
	ok := Fold{Train: []int{0, 1}, Test: []int{2}}
	tests := []struct {
		runs [][]Fold
		want string
	}{
		{nil, "runs=0 is not in 1..1000000"},
		{[][]Fold{{}}, "run 1 has 0 folds"},
		{[][]Fold{{ok}, {ok, ok}}, "run 2 has 2 folds, run 1 has 1"},
		{[][]Fold{{ok, ok}, {}}, "run 2 has 0 folds, run 1 has 2"},
		{
			[][]Fold{{ok, {Train: []int{0}}}},
			"run 1, fold 2: training set of 1 and test set of 0 examples",
		},
		{[][]Fold{{{Test: []int{0}}}}, "run 1, fold 1: training set of 0 and test set of 1 examples"},
		{[][]Fold{{ok}, {{Train: []int{0, -1}, Test: []int{1}}}}, "run 2, fold 1: negative index -1"},
		{[][]Fold{{{Train: []int{4, 3, 4}, Test: []int{1}}}}, "run 1, fold 1: index 4 occurs twice"},
		{[][]Fold{{{Train: []int{4, 3}, Test: []int{1, 1}}}}, "run 1, fold 1: index 1 occurs twice"},
		{[][]Fold{{{Train: []int{4, 3}, Test: []int{1, 3}}}}, "run 1, fold 1: index 3 occurs twice"},
	}
	for _, test := range tests {
		_, err := Predefined(test.runs...).Plan(Examples{N: 10})
		assert.ErrorIs(t, err, ErrProtocol)
		assert.ErrorContains(t, err, test.want)
	}
	_, err := Predefined([]Fold{ok}).WithRuns(2).Plan(Examples{N: 10})
	assert.ErrorIs(t, err, ErrProtocol)
	assert.ErrorContains(t, err, "runs=2, but there are partitions for 1")
	_, err = Predefined([]Fold{ok}, []Fold{ok}).WithRuns(0).Plan(Examples{N: 10})
	assert.ErrorContains(t, err, "runs=0 is not in")
	_, err = Predefined([]Fold{ok}, []Fold{ok}).WithRuns(-1).Plan(Examples{N: 10})
	assert.ErrorContains(t, err, "runs=-1 is not in")
}

func TestEncodedPartitionsDecode(t *testing.T) {
	t.Parallel()
	set := rapid.SliceOfN(rapid.Int32(), 0, 5)
	fold := rapid.Custom(func(t *rapid.T) Fold {
		toInts := func(s []int32) []int {
			ints := make([]int, len(s))
			for i, x := range s {
				ints[i] = int(x)
			}
			return ints
		}
		return Fold{Train: toInts(set.Draw(t, "train")), Test: toInts(set.Draw(t, "test"))}
	})
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOfN(rapid.SliceOfN(fold, 0, 4), 0, 4).Draw(t, "runs")
		got := decodeRuns(encodeRuns(runs))
		if len(runs) == 0 {
			runs = nil
		}
		if !assert.ObjectsAreEqual(runs, got) {
			t.Fatalf("%v decodes as %v", runs, got)
		}
	})
}

// The digest in the text is the digest of the plan, and a plan whose partitions
// are handed over as predefined keeps its digest.
func TestPredefinedPartitionsOfAPlanHaveItsDigest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plan := genPlan().Draw(t, "plan")
		runs := make([][]Fold, plan.Runs())
		forTrials(plan, func(run, _ int, train, test []int) {
			runs[run-1] = append(runs[run-1], Fold{train, test})
		})
		p := Predefined(runs...)
		copied, err := p.Plan(Examples{N: plan.N()})
		if err != nil {
			t.Fatal(err)
		}
		if copied.Digest() != plan.Digest() || digestParts(p.parts) != plan.Digest() {
			t.Fatalf("%s, %s and %s", plan.Digest(), copied.Digest(), digestParts(p.parts))
		}
	})
}
