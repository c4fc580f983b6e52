package learnercheck_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/discretize"
	"github.com/learnbench/learnbench/learntest/learner/forest"
	"github.com/learnbench/learnbench/learntest/learner/logistic"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/learnbench/learnbench/learntest/learner/perceptron"
	"github.com/learnbench/learnbench/learntest/learner/ridge"
	"github.com/learnbench/learnbench/learntest/learner/tan"
	"github.com/learnbench/learnbench/learntest/learnercheck"
)

// TestBuiltInLearnersKeepTheirPromises tests each learner of the module as it asks its users
// to test theirs: on numbers, on nominal values, some of them missing, and on classes that occur
// a few times only.
func TestBuiltInLearnersKeepTheirPromises(t *testing.T) {
	t.Parallel()
	tables := []*dataset.Table{uci.Iris(), uci.Labor(), uci.Vote(), uci.Zoo()}
	tested := []string{"internal", "process", "testdata"} // process is tested where its programs are
	for _, c := range []struct {
		pkg        string
		twoClasses bool
		c          learner.Classifier
	}{
		{"baseline", false, baseline.Majority()},
		{"c45", false, c45.New(c45.Config{})},
		{"c45", false, c45.New(c45.Config{Laplace: true, NoRaising: true})},
		{"discretize", false, discretize.New(naivebayes.New(naivebayes.Config{}))},
		{"forest", false, forest.New(forest.Config{Trees: 20})},
		{"logistic", false, logistic.New(logistic.Config{})},
		{"naivebayes", false, naivebayes.New(naivebayes.Config{})},
		{"naivebayes", false, naivebayes.New(naivebayes.Config{Kernel: true})},
		{"neighbor", false, neighbor.New(neighbor.Config{})},
		{"neighbor", false, neighbor.New(neighbor.Config{K: 5})},
		{"perceptron", true, perceptron.New(perceptron.Config{})},
		{"tan", false, discretize.New(tan.New(tan.Config{}))},
	} {
		tested = append(tested, c.pkg)
		for _, table := range tables {
			if c.twoClasses && table.NumClasses() != 2 {
				continue
			}
			t.Run(c.c.Name()+"/"+table.Name(), func(t *testing.T) {
				t.Parallel()
				learnercheck.Run(t, learnercheck.Learner(table, learntest.FromClassifier(c.c)))
			})
		}
	}

	table, err := dataset.ReadCSV(strings.NewReader(houses), "houses.csv",
		dataset.ReadOptions{Target: "price"})
	require.NoError(t, err)
	prices, err := table.Regression()
	require.NoError(t, err)
	for _, r := range []struct {
		pkg string
		r   learner.Regressor
	}{
		{"baseline", baseline.Mean()},
		{"baseline", baseline.Median()},
		{"ols", ols.New(ols.Config{})},
		{"ridge", ridge.New(ridge.Config{})},
	} {
		tested = append(tested, r.pkg)
		t.Run(r.r.Name(), func(t *testing.T) {
			t.Parallel()
			learnercheck.Run(t, learnercheck.Learner(prices, learntest.FromRegressor(r.r)))
		})
	}

	// In Weka's order, a test example changes the ranges for the examples that follow.
	weka := learntest.FromClassifier(neighbor.New(neighbor.Config{WekaOrder: true}))
	err = learnercheck.Check(t.Context(), learnercheck.Learner(uci.Iris(), weka))
	flaw, ok := errors.AsType[*learnercheck.Flaw](err)
	require.True(t, ok)
	require.Equal(t, learnercheck.Order, flaw.Rule, "%v", err)
	require.NoError(t, learnercheck.Check(t.Context(), learnercheck.Learner(uci.Iris(), weka),
		learnercheck.Order))

	// None is forgotten.
	dirs, err := os.ReadDir("../learner")
	require.NoError(t, err)
	var there []string
	for _, d := range dirs {
		if d.IsDir() {
			there = append(there, d.Name())
		}
	}
	slices.Sort(tested)
	require.Equal(t, there, slices.Compact(tested))
}

const houses = `rooms,area,garden,price
2,50,no,110
3,70,no,155
3,75,yes,181
4,90,no,190
4,110,yes,251
5,120,yes,270
2,45,no,99
6,160,yes,355
3,82,no,160
5,130,no,262
1,30,no,71
4,95,yes,214
`
