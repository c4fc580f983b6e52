package study_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A study is looked up and run; this one is not, since even a small one takes seconds.
func ExampleLookup() {
	s, err := study.Lookup("replicability")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Doc)
	_, err = study.Lookup("replicabilty")
	fmt.Println(errors.Is(err, study.ErrConfig))
	// Output:
	// estimates of replicability, the probability that a rerun agrees, and the sequential rule, for the corrected test of 10×10 cross-validation
	// true
}

// Before a claim guards anything: how often would it hold if there were no difference? The folds of
// cross-validation are not independent, which a paired t test takes them to be.
func ExampleFalseAlarmRate() {
	learners := []learntest.Learner[dataset.Row, int]{
		learntest.FromClassifier(neighbor.New(neighbor.Config{})),
		learntest.FromClassifier(naivebayes.New(naivebayes.Config{})),
	}
	for _, name := range []string{"corrected-cv-t", "paired-t"} {
		alarms, err := study.FalseAlarmRate(context.Background(), uci.Iris(), learners,
			learntest.Config{}, verdict.Claim{Test: stat.MustLookup(name)}, 20)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(name, alarms)
	}
	// Output:
	// corrected-cv-t 1 of 20 (5.0%, 95% interval 0.1% to 24.9%)
	// paired-t 13 of 20 (65.0%, 95% interval 40.8% to 84.6%)
}
