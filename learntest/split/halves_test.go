package split

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// halfOf returns the examples that fold i, counted from 0, of a half of a run sees.
func halfOf(p *Plan, run, half, i int) []int {
	f := trial(p, run, half*p.Folds()/2+i+1)
	all := slices.Concat(f.Train, f.Test)
	slices.Sort(all)
	return all
}

// All folds of a half see the same examples, folds of the two halves see all, and none is in
// both.
func TestHalvesAreCrossValidatedApart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plan := genPlan(halves, groupHalves).Draw(t, "plan")
		k := plan.Folds() / 2
		for run := 1; run <= plan.Runs(); run++ {
			var both []int
			for half := range 2 {
				own := halfOf(plan, run, half, 0)
				for i := range k {
					if got := halfOf(plan, run, half, i); !slices.Equal(own, got) {
						t.Fatalf("run %d, half %d, fold %d sees %v, fold 1 %v", run, half+1, i+1, got, own)
					}
				}
				both = append(both, own...)
			}
			slices.Sort(both)
			if !slices.Equal(both, everyIndex(plan.N())) {
				t.Fatalf("run %d: the halves are together %v", run, both)
			}
		}
	})
}

func TestHalvesAndTheirFoldsAreEven(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ex := genExamples().Draw(t, "examples")
		stratified := rapid.Bool().Draw(t, "stratified")
		plan, err := Halves(rapid.IntRange(1, 4).Draw(t, "m"), rapid.IntRange(2, 6).Draw(t, "folds")).
			WithSeed(rapid.Uint64().Draw(t, "seed")).Stratified(stratified).Plan(ex)
		if err != nil {
			t.Skip(err)
		}
		k := plan.Folds() / 2
		for run := 1; run <= plan.Runs(); run++ {
			for half := range 2 {
				if size := len(halfOf(plan, run, half, 0)); size != (ex.N+1-half)/2 {
					t.Fatalf("run %d: half %d of %d examples has %d", run, half+1, ex.N, size)
				}
				least, most := make(map[int]int), make(map[int]int)
				for i := range k {
					test := trial(plan, run, half*k+i+1).Test
					counts := map[int]int{-1: len(test)}
					if stratified && ex.Class != nil {
						for c, n := range countBy(ex.Class, test) {
							counts[c] = n
						}
					}
					for c := -1; c < 6; c++ {
						if i == 0 {
							least[c], most[c] = counts[c], counts[c]
						}
						least[c], most[c] = min(least[c], counts[c]), max(most[c], counts[c])
					}
				}
				for c := range least {
					if most[c]-least[c] > 1 {
						t.Fatalf("run %d, half %d: folds have %d to %d of class %d", run, half+1, least[c], most[c],
							c)
					}
				}
			}
		}
	})
}

func TestHalvesNeverDivideAGroup(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ex := genExamples().Draw(t, "examples")
		plan, err := GroupHalves(rapid.IntRange(1, 4).Draw(t, "m"),
			rapid.IntRange(2, 4).Draw(t, "folds")).
			WithSeed(rapid.Uint64().Draw(t, "seed")).Stratified(rapid.Bool().Draw(t, "stratified")).Plan(ex)
		if err != nil {
			t.Skip(err)
		}
		largest := 0
		for _, size := range countBy(ex.Group, everyIndex(ex.N)) {
			largest = max(largest, size)
		}
		for run := 1; run <= plan.Runs(); run++ {
			foldOf := make(map[int]int)
			for fold := 1; fold <= plan.Folds(); fold++ {
				for _, i := range trial(plan, run, fold).Test {
					g := ex.Group[i]
					if was, ok := foldOf[g]; ok && was != fold {
						t.Fatalf("run %d: group %d is in folds %d and %d", run, g, was, fold)
					}
					foldOf[g] = fold
				}
			}
			if d := abs(len(halfOf(plan, run, 0, 0)) - len(halfOf(plan, run, 1, 0))); d > largest {
				t.Fatalf("run %d: the halves differ by %d, groups have %d at most", run, d, largest)
			}
		}
	})
}

// Every example is as likely to be in the first half as in the second, whatever its class, and
// any two are in the same half as often as any other two.
func TestHalvesAreUniform(t *testing.T) {
	t.Parallel()
	const runs, n = 6000, 6
	ex := Examples{N: n, Class: []int{0, 0, 0, 1, 1, 1}, Group: []int{0, 1, 2, 3, 4, 5}}
	for _, p := range []Protocol{
		Halves(runs, 2), GroupHalves(runs, 2),
		GroupHalves(runs, 2).Stratified(true),
	} {
		plan, err := p.Plan(ex)
		require.NoError(t, err)
		var first [n]int
		var together [n][n]int
		for run := 1; run <= runs; run++ {
			in := make(map[int]bool)
			for _, i := range halfOf(plan, run, 0, 0) {
				in[i] = true
				first[i]++
			}
			for i := range n {
				for j := range i {
					if in[i] == in[j] {
						together[i][j]++
					}
				}
			}
		}
		const tolerance = 6 * 39 // six standard deviations of a binomial count
		for i := range n {
			assert.InDelta(t, runs/2, first[i], tolerance, "%s: %d", p, i)
			for j := range i {
				assert.InDelta(t, 2*runs/5, together[i][j], tolerance, "%s: %d and %d", p, i, j)
			}
		}
	}
}

func TestProtocolsHaveTheirHalves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   Protocol
		want string
	}{
		{TenByTen(), "halves m=20 folds=5 seed=1 v1"},
		{CV(3, 4).Stratified(false).WithSeed(7), "halves m=20 folds=5 unstratified seed=7 v1"},
		{Weka(10, 10).WithSeed(3), "halves m=20 folds=5 seed=3 v1"},
		{Groups(10, 5), "grouphalves m=20 folds=5 unstratified seed=1 v1"},
		{Groups(10, 5).Stratified(true).WithSeed(2), "grouphalves m=20 folds=5 stratified seed=2 v1"},
	} {
		h, err := c.of.Halves(20, 5)
		require.NoError(t, err)
		assert.Equal(t, c.want, h.String())
	}
	for _, p := range []Protocol{
		Subsample(10, 0.9), LeaveOneOut(), TimeSeries(3, Window{}),
		twoFolds(), Halves(3, 2),
	} {
		_, err := p.Halves(20, 5)
		assert.ErrorIs(t, err, ErrProtocol)
		assert.ErrorContains(t, err, "a second opinion is on cross-validation")
	}
	_, err := TenByTen().Halves(20, 1)
	assert.ErrorContains(t, err, "folds=1 is not in 2..65535")
}

// Of four examples with two folds in each half every partition into test sets is identical,
// and there are three halvings.
func TestHalvesDifferByTheirHalvesToo(t *testing.T) {
	t.Parallel()
	for _, p := range []Protocol{Halves(100, 2), GroupHalves(100, 2)} {
		plan, err := p.Plan(Examples{N: 4, Group: []int{0, 1, 2, 3}})
		require.NoError(t, err)
		assert.Equal(t, 3, plan.DistinctRuns(), "%s", p)
	}
}
