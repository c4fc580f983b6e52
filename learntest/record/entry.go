package record

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/unit"
)

// An entry is a trial on its way into a table.
type entry struct {
	learner, run, fold int
	trainN, testN      int
	values             []float64
	fit, predict       float64
	timed              bool // the times are kept
	err                string
	constant           Constancy
	line               int // 0 if it was not read
}

// newEntry returns the entry of a trial of the learner with a number, with its times or without.
func newEntry(learner int, t *Trial, timed bool) entry {
	e := entry{
		learner: learner, run: t.Run, fold: t.Fold, trainN: t.TrainN, testN: t.TestN,
		values: t.Values, timed: timed, err: t.Err, constant: t.Constancy,
	}
	if timed {
		e.fit, e.predict = t.FitSeconds, t.PredictSec
	}
	return e
}

// checkValues returns an error unless there are values of the metrics, or a failure, and times.
func (e *entry) checkValues(units []unit.Unit) error {
	if e.err == "" && len(e.values) != len(units) {
		return fmt.Errorf("%d values for %d metrics", len(e.values), len(units))
	}
	for i, x := range e.values {
		if !isFinite(x) {
			return fmt.Errorf("%s is %v", units[i].Name, x)
		}
	}
	if !(isSeconds(e.fit) && isSeconds(e.predict)) {
		return fmt.Errorf("%s is %v and %s is %v", unitFit, e.fit, unitPredict, e.predict)
	}
	return nil
}

func isSeconds(x float64) bool { return isFinite(x) && x >= 0 }
