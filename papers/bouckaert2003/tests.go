package bouckaert2003

import (
	"slices"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

// A paperTest is a calibratable test of Bouckaert (2003).
type paperTest struct {
	lab.Calibratable
	protocol func(runs int) split.Protocol // of so many runs of ten folds, or resamples

	// paper says whether the paper goes on with the test after its Figure 2.
	paper bool

	// said is the paper's text about the calibrated degrees of freedom.
	said string
}

// tenFolds and resamples are the protocols of the paper.
func tenFolds(runs int) split.Protocol  { return split.CV(runs, 10) }
func resamples(runs int) split.Protocol { return split.Subsample(runs, 0.9) }

// calibratables returns the tests of the paper's Figure 2.
func calibratables() []paperTest {
	const eleven = "circa 11"
	bouckaert := func(name string, b stat.Bouckaert, paper bool, said string) paperTest {
		df := func(r int) int { return int(b.DefaultDF(r, 10)) }
		return paperTest{lab.Calibratable{Name: name, Run: b.Test, Expected: df}, tenFolds, paper, said}
	}
	resampled := func(name string, run func(stat.Differences, stat.Alternative) (stat.Result, error),
		said string,
	) paperTest {
		return paperTest{lab.Calibratable{
			Name: name, Run: run,
			Expected: func(r int) int { return r - 1 },
		}, resamples, true, said}
	}
	kFold := bouckaert("k-fold cv", stat.UseAllData, true, "a third less than 9")
	kFold.OneRun, kFold.Expected = true, func(int) int { return 9 }
	return []paperTest{
		resampled("resampling", stat.PairedTTest, "up to 90% less than r−1"),
		resampled("corrected resampling", stat.CorrectedResampledTTest, "10% less than r−1"),
		kFold,
		bouckaert("use all data", stat.UseAllData, true, eleven),
		bouckaert("folds", stat.MeanFolds, false, "very low, at most 7"),
		bouckaert("folds averaged var", stat.FoldsAveragedVar, true, eleven),
		bouckaert("folds averaged T", stat.FoldsAveragedT, true, eleven),
		bouckaert("runs", stat.MeanRuns, false, "very low, or none"),
		bouckaert("runs averaged var", stat.RunsAveragedVar, true, eleven),
		bouckaert("runs averaged T", stat.RunsAveragedT, true, eleven),
		bouckaert("sorted runs", stat.MeanSortedRuns, true, eleven),
		bouckaert("sorted runs averaged var", stat.SortedRunsAveragedVar, false, "very low"),
		bouckaert("sorted runs averaged T", stat.SortedRunsAveragedT, false, "very low"),
	}
}

// paperTests returns those tests that the tables of the paper have.
func paperTests() []paperTest {
	return slices.DeleteFunc(calibratables(), func(c paperTest) bool { return !c.paper })
}
