package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

func statistic(r stat.Result) string {
	switch {
	case !math.IsNaN(r.DF2):
		return fmt.Sprintf("F = %.4g, df = %.4g and %.4g", r.Statistic, r.DF, r.DF2)
	case math.IsNaN(r.DF):
		return fmt.Sprintf("statistic = %.4g", r.Statistic)
	case math.IsInf(r.DF, 1):
		return fmt.Sprintf("z = %.4g", r.Statistic)
	}
	return fmt.Sprintf("t = %.4g, df = %.4g", r.Statistic, r.DF)
}

func shownOrNot(ok bool) string {
	if ok {
		return "shown"
	}
	return "not shown"
}

// formatProbability returns a posterior probability in digits. A probability of nearly 1 does not
// look like 1.
func formatProbability(p float64) string {
	switch q := 1 - p; {
	case q > 0 && q < 0.0005:
		return "1 - " + unit.FormatP(q)
	case p > 0:
		return unit.FormatP(p)
	}
	return "0"
}
