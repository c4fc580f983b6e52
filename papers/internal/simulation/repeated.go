// Package simulation has what the two papers share that draw data sets from the same four sources:
// how accurate learners are there, the search that found these sources, and tests that are
// repeated on partitions of their own.
package simulation

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

// A Repeated test is one that is applied ten times to a data set, on partitions of its own:
// to the first runs of each tenth of the runs of a protocol.
type Repeated struct {
	Name     string
	Test     stat.Test
	Protocol split.Protocol
	runs     int
}

// Repeats is how often a test is applied to a data set.
const Repeats = 10

// The protocols that the tests of the papers share.
func crossValidation() split.Protocol { return split.CV(100, 10) }
func resampling() split.Protocol      { return split.Subsample(1000, 0.9) }
func fiveByTwo() split.Protocol       { return split.CV(50, 2) }

func Tests() []Repeated {
	corrected := stat.MustLookup("corrected-resampled-t")
	return []Repeated{
		{"5×2 cv", stat.MustLookup("5x2cv-t"), fiveByTwo(), 5},
		{"10 × resampling", corrected, resampling(), 10},
		{"100 × resampling", corrected, resampling(), 100},
		{"10-fold cv", stat.MustLookup("paired-t"), crossValidation(), 1},
		{"corrected 10×10 fold cv", stat.MustLookup("corrected-cv-t"), crossValidation(), 10},
	}
}

// Rejections returns how often the test of two subjects rejects at the level.
func (r Repeated) Rejections(ctx context.Context, s *lab.Drawn, a, b lab.Subject,
	alpha float64,
) (int, error) {
	d, err := s.Differences(ctx, r.Protocol, a, b)
	if err != nil {
		return 0, err
	}
	step, k := d.Runs/Repeats, 0
	for i := range Repeats {
		result, err := r.Test.Run(lab.Part(d, i*step, r.runs), stat.TwoSided)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", r.Name, err)
		}
		k += lab.Indicator(result.P <= alpha)
	}
	return k, nil
}

// PrintedSets is the number of data sets from each source in the papers.
const PrintedSets = 1000

// PrintedConsistencies are the consistencies that table 5 prints, in percent, by test and source.
func PrintedConsistencies() [][4]float64 {
	return [][4]float64{
		{72.3, 71.2, 63.5, 16.9},
		{65.5, 44.0, 26.0, 48.8},
		{90.9, 73.2, 66.8, 97.2},
		{49.7, 47.6, 33.2, 90.8},
		{91.9, 80.3, 76.7, 98.9},
	}
}
