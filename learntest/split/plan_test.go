package split

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPlanRefusesExamplesThatDoNotFit(t *testing.T) {
	t.Parallel()
	hundred := make([]int, 100)
	withMinus := make([]int, 100)
	withMinus[37] = -1
	groups := make([]int, 100)
	for i := range groups {
		groups[i] = i % 4
	}
	tests := []struct {
		p    Protocol
		ex   Examples
		is   error
		want string
	}{
		{TenByTen(), Examples{N: -1}, ErrExamples, "N=-1 is not in 0..2^31-1"},
		{
			TenByTen(),
			Examples{N: 0},
			ErrTooFew,
			`"cv runs=10 folds=10 stratified seed=1 v1" on 0 examples: split: too few examples: fewer than folds`,
		},
		{TenByTen(), Examples{N: 99, Class: hundred}, ErrExamples, "100 classes of 99 examples"},
		{TenByTen(), Examples{N: 100, Class: []int{}}, ErrExamples, "0 classes of 100 examples"},
		{LeaveOneOut(), Examples{N: 99, Class: hundred}, ErrExamples, "100 classes of 99 examples"},
		{LeaveOneOut(), Examples{N: 101, Group: hundred}, ErrExamples, "100 groups of 101 examples"},
		{
			TenByTen(),
			Examples{N: 100, Class: withMinus},
			ErrExamples,
			"example 37 has class -1 (is it missing?)",
		},
		{
			Weka(2, 5),
			Examples{N: 100, Class: withMinus},
			ErrExamples,
			"example 37 has class -1 (is it missing?)",
		},
		{
			Groups(2, 5),
			Examples{N: 100, Group: withMinus},
			ErrExamples,
			"example 37 has group -1 (is it missing?)",
		},
		{
			Groups(2, 5),
			Examples{N: 100},
			ErrExamples,
			`"groups runs=2 folds=5 unstratified seed=1 v1" needs the groups of the examples`,
		},
		{
			CV(1, 10),
			Examples{N: 9},
			ErrTooFew,
			"on 9 examples: split: too few examples: fewer than folds",
		},
		{Weka(1, 10), Examples{N: 9}, ErrTooFew, "fewer than folds"},
		{
			CV(2, 10),
			Examples{N: 10},
			ErrTooFew,
			"as many as folds, which makes all runs identical; ask for one run",
		},
		{Groups(2, 5), Examples{N: 100, Group: groups}, ErrTooFew, "4 groups, fewer than folds"},
		{
			Groups(2, 4),
			Examples{N: 100, Group: groups},
			ErrTooFew,
			"as many groups as folds, which makes all runs identical",
		},
		{
			Subsample(2, 0.9),
			Examples{N: 5},
			ErrTooFew,
			"train=0.9 leaves a training set of 5 and a test set of 0",
		},
		{
			Subsample(2, 0.09),
			Examples{N: 5},
			ErrTooFew,
			"train=0.09 leaves a training set of 0 and a test set of 5",
		},
		{Halves(2, 5), Examples{N: 9}, ErrTooFew, "a half of them is fewer than folds"},
		{GroupHalves(2, 5), Examples{N: 100}, ErrExamples, "needs the groups"},
		{
			GroupHalves(2, 5),
			Examples{N: 100, Group: groups},
			ErrTooFew,
			"in run 1 one half of the 4 groups has 2, fewer than folds",
		},
		{LeaveOneOut(), Examples{N: 1}, ErrTooFew, "leave-one-out needs two"},
		{TimeSeries(5, Window{}), Examples{N: 5}, ErrTooFew, "test sets would be empty"},
		{
			TimeSeries(5, Window{Gap: 2}),
			Examples{N: 12},
			ErrTooFew,
			"5 folds of 2, a gap of 2 and one example to train on need 13",
		},
		{
			TimeSeries(65535, Window{TestSize: 1 << 30}),
			Examples{N: 100},
			ErrTooFew,
			"65535 folds of 1073741824",
		},
		{twoFolds(), Examples{N: 2}, ErrExamples, "run 1, fold 1 has index 2"},
		{
			CV(1_000_000, 2),
			Examples{N: 2148},
			ErrProtocol,
			"2148 examples times runs is more than 2^31-1",
		},
	}
	for _, test := range tests {
		plan, err := test.p.Plan(test.ex)
		assert.Nil(t, plan)
		assert.ErrorIs(t, err, test.is, "%s", test.p)
		assert.ErrorContains(t, err, test.want)
	}
}

func TestPlanTakesTheSmallestExamplesThatFit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		p  Protocol
		ex Examples
	}{
		{CV(1, 10), Examples{N: 10}},
		{CV(3, 2), Examples{N: 3, Class: []int{0, 1, 2}}},
		{Weka(2, 2), Examples{N: 2}},
		{Groups(1, 2), Examples{N: 2, Group: []int{5, 3}}},
		{Subsample(2, 0.5), Examples{N: 2}},
		{LeaveOneOut(), Examples{N: 2}},
		{Halves(3, 2), Examples{N: 4}},
		{Halves(3, 5), Examples{N: 11, Class: []int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0}}},
		{GroupHalves(3, 2), Examples{N: 4, Group: []int{5, 3, 8, 1}}},
		{TimeSeries(1, Window{}), Examples{N: 2}},
		{TimeSeries(5, Window{Gap: 2}), Examples{N: 13}},
		{twoFolds(), Examples{N: 3}},
	}
	for _, test := range tests {
		plan, err := test.p.Plan(test.ex)
		require.NoError(t, err, "%s", test.p)
		assert.Equal(t, test.ex.N, plan.N())
		assert.Equal(t, test.p, plan.Protocol())
		for run := 1; run <= plan.Runs(); run++ {
			for fold := 1; fold <= plan.Folds(); fold++ {
				train, test := plan.Sizes(run, fold)
				assert.Positive(t, train, "%s", plan.Protocol())
				assert.Positive(t, test, "%s", plan.Protocol())
			}
		}
	}
}

// A class that is not needed may be missing.
func TestPlanLooksOnlyAtWhatTheProtocolNeeds(t *testing.T) {
	t.Parallel()
	ex := Examples{N: 20, Class: make([]int, 20), Group: make([]int, 20)}
	ex.Class[3], ex.Group[4] = -1, -1
	for _, p := range []Protocol{
		CV(2, 5).Stratified(false), Subsample(3, 0.5), LeaveOneOut(),
		TimeSeries(3, Window{}),
	} {
		_, err := p.Plan(ex)
		assert.NoError(t, err, "%s", p)
	}
}

// everyKind holds a protocol of each kind that pageExamples satisfies.
func everyKind() []Protocol {
	return []Protocol{
		CV(3, 4), CV(3, 4).Stratified(false), Subsample(3, 0.7), Subsample(3, 0.7).Stratified(true),
		LeaveOneOut(), Groups(3, 3), Groups(3, 3).Stratified(true),
		TimeSeries(3, Window{MaxTrain: 4, Gap: 1}),
		twoFolds(), Weka(3, 4), Halves(3, 3), Halves(3, 3).Stratified(false), GroupHalves(3, 2),
		GroupHalves(3, 2).Stratified(true),
	}
}

func TestTrialAppendsToItsArguments(t *testing.T) {
	t.Parallel()
	for _, p := range everyKind() {
		plan, err := p.Plan(pageExamples())
		require.NoError(t, err)
		want := trial(plan, 1, plan.Folds())
		train, test := plan.Trial(1, plan.Folds(), []int{-7}, []int{-8, -9})
		assert.Equal(t, slices.Concat([]int{-7}, want.Train), train, "%s", p)
		assert.Equal(t, slices.Concat([]int{-8, -9}, want.Test), test, "%s", p)
		trainN, testN := plan.Sizes(1, plan.Folds())
		assert.Equal(t, []int{len(want.Train), len(want.Test)}, []int{trainN, testN}, "%s", p)
	}
}

// Exactly enough room is room enough, and what lies behind it stays.
func TestTrialDoesNotAllocateIfCapacitySuffices(t *testing.T) {
	for _, p := range everyKind() {
		plan, err := p.Plan(pageExamples())
		require.NoError(t, err)
		trainN, testN := plan.Sizes(plan.Runs(), plan.Folds())
		backing := make([]int, trainN+1+testN+1)
		backing[trainN], backing[trainN+1+testN] = -1, -2
		train, test := backing[:0:trainN], backing[trainN+1:trainN+1:trainN+1+testN]
		allocs := testing.AllocsPerRun(10, func() {
			plan.Trial(plan.Runs(), plan.Folds(), train, test)
		})
		assert.Zero(t, allocs, "%s", p)
		assert.Equal(t, -1, backing[trainN], "%s", p)
		assert.Equal(t, -2, backing[trainN+1+testN], "%s", p)
	}
}

func TestTrialAndSizesPanicOutOfRange(t *testing.T) {
	t.Parallel()
	plan, err := CV(3, 4).Plan(pageExamples())
	require.NoError(t, err)
	for _, cell := range [][2]int{{0, 1}, {4, 1}, {1, 0}, {1, 5}, {-1, -1}} {
		assert.Panics(t, func() { plan.Trial(cell[0], cell[1], nil, nil) }, "%v", cell)
		assert.Panics(t, func() { plan.Sizes(cell[0], cell[1]) }, "%v", cell)
	}
	assert.PanicsWithValue(t, "split: run 1, fold 5 of a plan of 3 runs of 4 folds",
		func() { plan.Trial(1, 5, nil, nil) })
}

func TestPlanNeitherModifiesNorRetainsTheExamples(t *testing.T) {
	t.Parallel()
	for _, p := range everyKind() {
		ex := pageExamples()
		plan, err := p.Plan(ex)
		require.NoError(t, err)
		assert.Equal(t, pageExamples(), ex, "%s", p)
		for i := range ex.N {
			ex.Class[i], ex.Group[i] = 99, 99
		}
		again, err := p.Plan(pageExamples())
		require.NoError(t, err)
		assert.Equal(t, again.Digest(), plan.Digest(), "%s", p)
	}
}

// Codes of classes and groups matter only by their order.
func TestPlanDependsOnlyOnTheOrderOfCodes(t *testing.T) {
	t.Parallel()
	renamed := pageExamples()
	for i := range renamed.N {
		renamed.Class[i] = 1000*renamed.Class[i] + 17
		renamed.Group[i] = 1<<30 + renamed.Group[i]
	}
	for _, p := range everyKind() {
		a, err := p.Plan(pageExamples())
		require.NoError(t, err)
		b, err := p.Plan(renamed)
		require.NoError(t, err)
		assert.Equal(t, a.Digest(), b.Digest(), "%s", p)
	}
}

func TestPlanIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	for _, p := range everyKind() {
		plan, err := p.Plan(pageExamples())
		require.NoError(t, err)
		var wg sync.WaitGroup
		digests := make([]string, 8)
		for g := range digests {
			wg.Go(func() {
				for fold := plan.Folds(); fold >= 1; fold-- {
					if !assert.ObjectsAreEqual(trial(plan, 1, fold), trial(plan, 1, fold)) {
						t.Errorf("%s: fold %d differs from call to call", p, fold)
					}
				}
				digests[g] = plan.Digest()
			})
		}
		wg.Wait()
		assert.Len(t, slices.Compact(digests), 1, "%s", p)
	}
}
