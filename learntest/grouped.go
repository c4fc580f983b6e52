package learntest

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
)

// The default protocol of data with groups is groups of the default protocol's size, or of at most
// half as many folds as there are groups, so that partitions differ.
const (
	defaultRuns  = 10
	defaultFolds = 10
	leastGroups  = 4
)

// grouped returns the configuration with the protocol that data with groups have by default.
func grouped[X any, Y comparable](c Config, data []Data[X, Y]) (Config, error) {
	if c.Protocol != (split.Protocol{}) || c.IgnoreGroups {
		return c, nil
	}
	folds := 0
	for _, d := range data {
		n := groupsOf(d)
		if n == 0 {
			continue
		}
		if n < leastGroups {
			return c, fmt.Errorf("%w: data set %q: it has %s, and the default protocol takes %d at least: collect examples of more groups, %sor set Config.IgnoreGroups if groups do not matter",
				dataset.ErrUnusable, d.Name(), counted(n, "group"), leastGroups, ofFewGroups(n))
		}
		if k := min(defaultFolds, n/2); folds == 0 || k < folds {
			folds = k
		}
	}
	if folds > 0 {
		c.Protocol = split.Groups(defaultRuns, folds)
	}
	return c, nil
}

// ofFewGroups names the protocol that few groups have.
func ofFewGroups(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf("choose a protocol such as Config{Protocol: split.Groups(1, %d)}, ", n)
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// groupsOf returns the number of groups of data; 0 if they have none, or not one for each example.
func groupsOf[X any, Y comparable](d Data[X, Y]) int {
	g, ok := d.(interface{ Groups() []string })
	if !ok {
		return 0
	}
	names := g.Groups()
	if names == nil || len(names) != d.Len() {
		return 0
	}
	distinct := make(map[string]bool)
	for _, name := range names {
		distinct[name] = true
	}
	return len(distinct)
}

// checkGroups returns an error if the trials of a plan have examples of one group in training and
// in test. The slice groups has the group of each example; nil if the data set has none.
func checkGroups(data string, groups []int, plan *split.Plan) error {
	if groups == nil || plan.Divided(members(groups)) == 0 {
		return nil
	}
	runs, folds := defaultRuns, defaultFolds
	if p := plan.Protocol(); p.IsRandom() && p.Folds() > 1 {
		runs, folds = p.Runs(), p.Folds()
	}
	return fmt.Errorf("%w: data set %q has groups, and %q divides them: examples of one group are in training and in test, where a learner recognises them: use split.Groups(%d, %d), or set Config.IgnoreGroups if groups do not matter",
		ErrConfig, data, plan.Protocol(), runs, folds)
}

// members returns the examples of each group.
func members(groups []int) [][]int {
	sets := make([][]int, slices.Max(groups)+1)
	for i, g := range groups {
		sets[g] = append(sets[g], i)
	}
	return sets
}
