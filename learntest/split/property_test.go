package split

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// genExamples draws examples that any protocol of genProtocol has a chance to
// fit.
func genExamples() *rapid.Generator[Examples] {
	return rapid.Custom(func(t *rapid.T) Examples {
		n := rapid.IntRange(2, 80).Draw(t, "n")
		ex := Examples{N: n}
		classes := rapid.IntRange(0, 6).Draw(t, "classes")
		if classes > 0 {
			ex.Class = rapid.SliceOfN(rapid.IntRange(0, classes-1), n, n).Draw(t, "class")
		}
		groups := rapid.IntRange(1, 40).Draw(t, "groups")
		ex.Group = rapid.SliceOfN(rapid.IntRange(0, groups-1), n, n).Draw(t, "group")
		return ex
	})
}

// genPlan draws a plan with its examples.
func genPlan(kinds ...*kind) *rapid.Generator[*Plan] {
	return rapid.Custom(func(t *rapid.T) *Plan {
		p := genProtocol().Filter(func(p Protocol) bool {
			return len(kinds) == 0 || slices.Contains(kinds, p.spell().kind)
		}).Draw(t, "protocol")
		plan, err := p.Plan(genExamples().Draw(t, "examples"))
		if err != nil {
			t.Skip(err)
		}
		return plan
	})
}

func forTrials(p *Plan, do func(run, fold int, train, test []int)) {
	for run := 1; run <= p.Runs(); run++ {
		for fold := 1; fold <= p.Folds(); fold++ {
			f := trial(p, run, fold)
			do(run, fold, f.Train, f.Test)
		}
	}
}

func TestTrainingAndTestSetsAreDisjointAndNotEmpty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plan := genPlan().Draw(t, "plan")
		forTrials(plan, func(run, fold int, train, test []int) {
			if len(train) == 0 || len(test) == 0 {
				t.Fatalf("run %d, fold %d: %v and %v", run, fold, train, test)
			}
			seen := make([]bool, plan.N())
			for _, i := range slices.Concat(train, test) {
				if seen[i] {
					t.Fatalf("run %d, fold %d: %d occurs twice", run, fold, i)
				}
				seen[i] = true
			}
			kind := plan.Protocol().spell().kind
			if kind != timeseries && !kind.halves && len(train)+len(test) != plan.N() {
				t.Fatalf("run %d, fold %d: %d examples used", run, fold, len(train)+len(test))
			}
			if kind != weka && !(slices.IsSorted(train) && slices.IsSorted(test)) {
				t.Fatalf("run %d, fold %d: not ascending: %v and %v", run, fold, train, test)
			}
			trainN, testN := plan.Sizes(run, fold)
			if trainN != len(train) || testN != len(test) {
				t.Fatalf("run %d, fold %d: sizes are %d and %d, said to be %d and %d", run, fold, len(train),
					len(test), trainN, testN)
			}
		})
	})
}

func TestTestSetsOfARunCoverTheExamplesOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plan := genPlan(cv, groups, loo, weka, halves, groupHalves).Draw(t, "plan")
		for run := 1; run <= plan.Runs(); run++ {
			var all []int
			for fold := 1; fold <= plan.Folds(); fold++ {
				all = append(all, trial(plan, run, fold).Test...)
			}
			slices.Sort(all)
			for i, x := range all {
				if i != x {
					t.Fatalf("run %d tests %v", run, all)
				}
			}
			if len(all) != plan.N() {
				t.Fatalf("run %d tests %d of %d", run, len(all), plan.N())
			}
		}
	})
}

// countBy returns how many of the examples have each code.
func countBy(codes, examples []int) map[int]int {
	counts := make(map[int]int)
	for _, i := range examples {
		counts[codes[i]]++
	}
	return counts
}

func TestFoldsOfCVDifferByAtMostOneInSizeAndInEveryClass(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ex := genExamples().Draw(t, "examples")
		stratified := rapid.Bool().Draw(t, "stratified")
		plan, err := CV(rapid.IntRange(1, 4).Draw(t, "runs"), rapid.IntRange(2, 12).Draw(t, "folds")).
			WithSeed(rapid.Uint64().Draw(t, "seed")).Stratified(stratified).Plan(ex)
		if err != nil {
			t.Skip(err)
		}
		balanced := [][]int{make([]int, plan.N())} // the examples as a whole
		if stratified && ex.Class != nil {
			balanced = append(balanced, ex.Class)
		}
		for _, codes := range balanced {
			for run := 1; run <= plan.Runs(); run++ {
				least, most := make(map[int]int), make(map[int]int)
				for fold := 1; fold <= plan.Folds(); fold++ {
					counts := countBy(codes, trial(plan, run, fold).Test)
					for _, c := range codes {
						if fold == 1 {
							least[c], most[c] = counts[c], counts[c]
						}
						least[c], most[c] = min(least[c], counts[c]), max(most[c], counts[c])
					}
				}
				for c := range least {
					if most[c]-least[c] > 1 {
						t.Fatalf("run %d: folds have %d to %d of class %d", run, least[c], most[c], c)
					}
				}
			}
		}
	})
}

func TestFoldsOfWekaDifferByAtMostOneInSize(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plan := genPlan(weka).Draw(t, "plan")
		forTrials(plan, func(run, fold int, _, test []int) {
			if d := len(test) - plan.N()/plan.Folds(); d != 0 && d != 1 {
				t.Fatalf("run %d, fold %d: %d of %d examples", run, fold, len(test), plan.N())
			}
		})
	})
}

func TestGroupsAreNeverDivided(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ex := genExamples().Draw(t, "examples")
		stratified := rapid.Bool().Draw(t, "stratified")
		plan, err := Groups(rapid.IntRange(1, 4).Draw(t, "runs"), rapid.IntRange(2, 8).Draw(t, "folds")).
			WithSeed(rapid.Uint64().Draw(t, "seed")).Stratified(stratified).Plan(ex)
		if err != nil {
			t.Skip(err)
		}
		least, most := plan.N(), 0
		forTrials(plan, func(run, fold int, train, test []int) {
			inTest := countBy(ex.Group, test)
			for g := range countBy(ex.Group, train) {
				if inTest[g] > 0 {
					t.Fatalf("run %d, fold %d: group %d is in both sets", run, fold, g)
				}
			}
			least, most = min(least, len(test)), max(most, len(test))
			if fold < plan.Folds() {
				return
			}
			largest := 0
			for _, size := range countBy(ex.Group, everyIndex(plan.N())) {
				largest = max(largest, size)
			}
			if !stratified && most-least > largest {
				t.Fatalf("run %d: folds of %d to %d with groups of at most %d", run, least, most, largest)
			}
			least, most = plan.N(), 0
		})
	})
}

func everyIndex(n int) []int {
	all := make([]int, n)
	fill(all, 0)
	return all
}

func TestSubsampleHasTheFractionAskedFor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ex := genExamples().Draw(t, "examples")
		f := rapid.Float64Range(0.01, 0.99).Draw(t, "train")
		stratified := rapid.Bool().Draw(t, "stratified")
		plan, err := Subsample(3, f).Stratified(stratified).WithSeed(rapid.Uint64().Draw(t,
			"seed")).Plan(ex)
		if err != nil {
			t.Skip(err)
		}
		forTrials(plan, func(run, _ int, train, _ []int) {
			if d := float64(len(train)) - f*float64(ex.N); d < -0.5000001 || d > 0.5000001 {
				t.Fatalf("run %d: %d of %d examples at %v", run, len(train), ex.N, f)
			}
			if !stratified || ex.Class == nil {
				return
			}
			all, counts := countBy(ex.Class, everyIndex(ex.N)), countBy(ex.Class, train)
			for c, n := range all {
				share := float64(len(train)) * float64(n) / float64(ex.N)
				if d := float64(counts[c]) - share; d <= -1 || d >= 1 {
					t.Fatalf("run %d: %d of class %d, whose share is %v", run, counts[c], c, share)
				}
			}
		})
	})
}

// Time only goes forward: training, then the gap, then the test.
func TestTimeSeriesTrainsOnThePast(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plan := genPlan(timeseries).Draw(t, "plan")
		w := plan.Protocol().window
		next := plan.N()
		for fold := plan.Folds(); fold >= 1; fold-- {
			f := trial(plan, 1, fold)
			first, last := f.Test[0], f.Test[len(f.Test)-1]
			if last != next-1 || last-first != len(f.Test)-1 || w.TestSize > 0 && len(f.Test) != w.TestSize {
				t.Fatalf("fold %d tests %v", fold, f.Test)
			}
			next = first
			from, to := f.Train[0], f.Train[len(f.Train)-1]
			if to-from != len(f.Train)-1 || to+1+w.Gap != first {
				t.Fatalf("fold %d trains on %v before %d", fold, f.Train, first)
			}
			if w.MaxTrain == 0 && from != 0 || w.MaxTrain > 0 && len(f.Train) != min(w.MaxTrain, to+1) {
				t.Fatalf("fold %d trains on %v", fold, f.Train)
			}
		}
	})
}

// A plan with more runs begins with the runs of a shorter plan.
func TestRunsDoNotDependOnTheirNumber(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := genProtocol().Draw(t, "protocol")
		if k := p.spell().kind; k == loo || k == timeseries {
			t.Skip("only one run")
		}
		ex := genExamples().Draw(t, "examples")
		few, err := p.WithRuns(2).Plan(ex)
		if err != nil {
			t.Skip(err)
		}
		many, err := p.WithRuns(rapid.IntRange(3, 20).Draw(t, "runs")).Plan(ex)
		if errors.Is(err, ErrTooFew) && p.spell().kind == groupHalves {
			t.Skip("a later run has too few groups in a half")
		}
		if err != nil {
			t.Fatal(err)
		}
		forTrials(few, func(run, fold int, train, test []int) {
			got := trial(many, run, fold)
			if !slices.Equal(got.Train, train) || !slices.Equal(got.Test, test) {
				t.Fatalf("run %d, fold %d: %v, with more runs %v", run, fold, Fold{train, test}, got)
			}
		})
	})
}

func TestSeedsAndRunsGiveDifferentPartitions(t *testing.T) {
	t.Parallel()
	ex := Examples{N: 100, Class: make([]int, 100), Group: make([]int, 100)}
	for i := range ex.N {
		ex.Class[i], ex.Group[i] = i%3, i/2
	}
	for _, p := range []Protocol{
		CV(10, 10), Subsample(10, 0.9), Groups(10, 5),
		Groups(10, 5).Stratified(true), Weka(10, 10), Halves(20, 5), GroupHalves(10, 3),
	} {
		seen := make(map[string]string)
		for seed := range uint64(5) {
			plan, err := p.WithSeed(100 * seed).Plan(ex)
			if err != nil {
				t.Fatal(err)
			}
			forTrials(plan, func(run, fold int, _, test []int) {
				where := fmt.Sprintf("seed %d, run %d, fold %d", 100*seed, run, fold)
				if other, ok := seen[fmt.Sprint(test)]; ok {
					t.Errorf("%s: %s and %s test the same examples", p, other, where)
				}
				seen[fmt.Sprint(test)] = where
			})
		}
	}
}

// Every example is as likely as any other to be in a fold, the larger ones of
// a run among them.
func TestFoldsAreExchangeable(t *testing.T) {
	t.Parallel()
	const runs, n, folds = 4000, 5, 2
	plan, err := CV(runs, folds).Plan(Examples{N: n, Class: []int{0, 0, 0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	var inFirst [n]int
	largerFirst := 0
	for run := 1; run <= runs; run++ {
		test := trial(plan, run, 1).Test
		for _, i := range test {
			inFirst[i]++
		}
		if len(test) == 3 {
			largerFirst++
		}
	}
	const tolerance = 6 * 32 // six standard deviations of a binomial count
	for i, c := range append(inFirst[:], largerFirst) {
		if c < runs/2-tolerance || c > runs/2+tolerance {
			t.Errorf("count %d is %d of %d", i, c, runs)
		}
	}
}

// The heuristic must beat leaving classes out of account, and by far.
func TestStratifiedGroupsBalanceClasses(t *testing.T) {
	t.Parallel()
	const n, folds = 600, 5
	ex := Examples{N: n, Class: make([]int, n), Group: make([]int, n)}
	r := random(3)
	for i := range n {
		ex.Group[i] = i / 10
		// Most examples of a group are of one class.
		if ex.Class[i] = ex.Group[i] * 7 % 3; r.below(4) == 0 {
			ex.Class[i] = r.below(3)
		}
	}
	imbalance := func(p Protocol) int {
		plan, err := p.Plan(ex)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0
		forTrials(plan, func(_, _ int, _, test []int) {
			counts, all := countBy(ex.Class, test), countBy(ex.Class, everyIndex(n))
			for c, total := range all {
				worst = max(worst, abs(folds*counts[c]-total))
			}
		})
		return worst
	}
	with, without := imbalance(Groups(20, folds).Stratified(true)), imbalance(Groups(20, folds))
	t.Logf("farthest from the fair share of a class: %d/%d with, %d/%d without", with, folds,
		without, folds)
	if 3*with > without {
		t.Errorf("%d with stratification, %d without", with, without)
	}
}
