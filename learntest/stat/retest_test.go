package stat_test

import "github.com/learnbench/learnbench/learntest/stat"

// retest is the default test on the given number of runs.
func retest(runs int) stat.Retest {
	return stat.Retest{Test: stat.Catalogue()[0], Runs: runs, Alpha: 0.05}
}
