package benavoli2016

import (
	"context"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/paper"
)

// Parts returns the studies of mean ranks: their inconsistencies by example, and their
// errors.
func Parts() []paper.Part {
	return []paper.Part{
		computed("bcm1", bcmPaper+"example 1: learners that make a difference between two others",
			bcmExample1),
		{Name: "bcm2", Doc: bcmPaper +
			"example 2: learners that take the power from a comparison of two others", Run: runBCMExample2},
		computed("bcm3", bcmPaper+"example 3: seven classifiers on 54 data sets", bcmExample3),
		computed("bcm-table1", bcmPaper+"table 1: pairs of seven classifiers whose comparison depends on the others", bcmTable1),
		{Name: "bcm-mean-ranks", Doc: bcmPaper +
			"section 4.4: the largest Type I error of the mean-ranks test", Run: runBCMErrors},
	}
}

// computed returns a study that draws no random numbers.
func computed(name, doc string, tables func() ([]study.Table, error)) paper.Part {
	return paper.Part{Name: name, Doc: doc, Run: func(_ context.Context,
		cfg lab.Config,
	) (*study.Report, error) {
		if _, err := cfg.WithDefaults(); err != nil {
			return nil, err
		}
		if err := cfg.WithoutSets(); err != nil {
			return nil, err
		}
		t, err := tables()
		return &study.Report{Tables: t}, err
	}}
}
