package replicate

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
)

// PredictMean predicts from the means of the protocol's own runs, at least two, whether a rerun on
// other partitions comes to the same conclusion, where the conclusion is whether their mean reaches
// a critical value, as for a bound that rests on the number of examples. The influence of a run is
// its mean then; else it is [Retest.Predict].
//
// It returns an error that wraps [stat.ErrSampleSize] for fewer than two runs, and
// [stat.ErrNotFinite] for a value that is not finite. If the means are equal, Z is infinite, and
// every partition leads to the same conclusion.
func PredictMean(runs []float64, critical, level float64) (Prediction, error) {
	if len(runs) < 2 {
		return Prediction{}, fmt.Errorf("%w: %d runs, need at least 2", stat.ErrSampleSize, len(runs))
	}
	mean, sd, largest := sample.MeanSD(runs)
	if sd-sd != 0 || mean-mean != 0 || critical-critical != 0 {
		return Prediction{}, fmt.Errorf("%w: means of runs, or their critical value %v",
			stat.ErrNotFinite, critical)
	}
	s := Score{Runs: len(runs), N: len(runs)}
	if s.Z = (mean - critical) * math.Sqrt(float64(len(runs))) / sd; sd <= sample.Tolerance(max(largest, math.Abs(critical))) {
		s.Z = certain(mean - critical)
	}
	sign, reaches := 1.0, mean >= critical
	if !reaches {
		sign = -1
	}
	e := Prediction{
		Score: s, Direction: stat.Greater, Rejected: reaches, P: s.rejects(sign),
		R: s.replicability(), Level: level,
	}
	e.Lo, e.Hi = s.interval(level)
	return e, nil
}
