package study

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

// A calibratable is a test of Bouckaert (2003) whose statistic is proportional to
// √(df+1), so that its degrees of freedom can be calibrated.
type calibratable struct {
	name     string                        // as the paper has it
	protocol func(runs int) split.Protocol // of so many runs of ten folds, or resamples
	oneRun   bool                          // it uses the first run only
	run      func(d stat.Differences, alt stat.Alternative) (stat.Result, error)

	// expected is the number of degrees of freedom that r runs of ten folds would have,
	// were the differences independent; paper says whether the paper goes on with the test after
	// its Figure 2.
	expected func(r int) int
	paper    bool

	// said is what the paper says of the calibrated degrees of freedom.
	said string
}

// tenFolds and resamples are the protocols of the paper.
func tenFolds(runs int) split.Protocol  { return split.CV(runs, 10) }
func resamples(runs int) split.Protocol { return split.Subsample(runs, 0.9) }

// calibratables returns the tests of the paper's Figure 2.
func calibratables() []calibratable {
	const eleven = "circa 11"
	bouckaert := func(name string, b stat.Bouckaert, paper bool, said string) calibratable {
		return calibratable{name, tenFolds, false, b.Test, func(r int) int { return int(b.DefaultDF(r, 10)) }, paper, said}
	}
	resampled := func(name string, run func(stat.Differences, stat.Alternative) (stat.Result, error), said string) calibratable {
		return calibratable{name, resamples, false, run, func(r int) int { return r - 1 }, true, said}
	}
	kFold := bouckaert("k-fold cv", stat.UseAllData, true, "a third less than 9")
	kFold.oneRun, kFold.expected = true, func(int) int { return 9 }
	return []calibratable{
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
func paperTests() []calibratable {
	return slices.DeleteFunc(calibratables(), func(c calibratable) bool { return !c.paper })
}

// z returns the statistic on some of the runs of a protocol, from one on, as the test
// takes it with its expected degrees of freedom. An averaged t that one of its groups
// leaves undefined, since all its differences are equal, rejects nothing: it is 0.
func (c *calibratable) z(d stat.Differences, from, runs int) (float64, error) {
	if c.oneRun {
		runs = 1
	}
	r, err := c.run(part(d, from, runs), stat.TwoSided)
	switch {
	case errors.Is(err, stat.ErrZeroVariance):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("%s: %w", c.name, err)
	}
	return r.Statistic, nil
}

// calibrate calibrates the test on its statistics on data sets without a difference.
func (c *calibratable) calibrate(z []float64, runs int, alpha float64) (stat.Calibration, error) {
	return stat.CalibrateDF(z, float64(c.expected(runs)), alpha)
}

// critical returns the statistic, as z has it, from which on the test rejects with df
// degrees of freedom. A test that has none, where df is 0, never does.
func (c *calibratable) critical(runs, df int, alpha float64) (float64, error) {
	if df == 0 {
		return math.Inf(1), nil
	}
	t, err := stat.StudentT(float64(df))
	if err != nil {
		return 0, err
	}
	q, err := t.Quantile(alpha / 2)
	return q * math.Sqrt(float64(c.expected(runs)+1)/float64(df+1)), err
}

// suits reports whether the degrees of freedom are what is wrong with the test: whether
// there are some that suit it, and are not so few that Student's t has to have tails like
// Cauchy's, where that is not for want of runs.
func (c *calibratable) suits(df, runs int) bool {
	return df > 3 || df >= 2 && 2*df >= c.expected(runs)
}
