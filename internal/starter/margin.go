package starter

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/learnbench/learnbench/learntest/split"
)

// marginOfNumbers sets a margin in the unit of the labels, below the error of a linear model: with
// a larger margin no candidate would fail.
func (m *model) marginOfNumbers(path, column, group string) {
	m.margin, m.why = roundUp(m.spread/20), "of RMSE: a twentieth of the deviation of the labels"
	if tenth := m.linearRMSE(path, column, group) / 10; tenth > 0 && tenth < m.spread/20 {
		m.margin, m.why = roundUp(tenth), "of RMSE: a tenth of a linear model's"
	}
}

// linearRMSE returns the root mean squared error of a linear model on the data that it was trained
// on; NaN if there is none.
func (m *model) linearRMSE(path, column, group string) float64 {
	t, err := dataset.Open(path, dataset.ReadOptions{Target: column, Group: group})
	if err != nil {
		return math.NaN()
	}
	rows := make([]int, t.Len())
	for i := range rows {
		rows[i] = i
	}
	var config ols.Config
	if m.missing {
		config.Missing = dataset.MissingIndicator
	}
	line, err := ols.New(config).Fit(t, rows, 1)
	if err != nil {
		return math.NaN()
	}
	squares := 0.0
	for _, i := range rows {
		y, err := line.Value(t, i)
		if err != nil {
			return math.NaN()
		}
		squares += (y - t.Target(i)) * (y - t.Target(i))
	}
	return math.Sqrt(squares / float64(len(rows)))
}

// checkGroups returns an error where runs of the default protocol repeat one another, so that no
// claim could be judged: there are few groups.
func checkGroups(t *dataset.Table, column int) error {
	a := t.Attribute(column)
	numbers := make(map[float64]int)
	group := make([]int, t.Len())
	for i := range group {
		value := 0.0
		if a.Kind == dataset.Numeric {
			value = t.Numbers(column)[i]
		} else {
			value = float64(t.Codes(column)[i])
		}
		if _, ok := numbers[value]; !ok {
			numbers[value] = len(numbers)
		}
		group[i] = numbers[value]
	}
	const runs, folds = 10, 10
	n := len(numbers)
	if n >= 4 {
		plan, err := split.Groups(runs, min(folds, n/2)).Plan(split.Examples{N: t.Len(), Group: group})
		if err != nil {
			return err
		}
		if plan.DistinctRuns() == runs {
			return nil
		}
	}
	return fmt.Errorf("-group %s: %d groups are too few for %d runs that differ, and no claim could be judged: take rows of more groups", a.Name, n, runs)
}

// roundUp returns the next number with one significant digit.
func roundUp(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	r, _ := strconv.ParseFloat(strconv.FormatFloat(math.Ceil(x/unit)*unit, 'g', 1, 64), 64)
	return r
}

// margins are the margins that a test may be written with.
var margins = []float64{0.02, 0.05, 0.1, 0.2}

// marginFor returns the least of the margins that n examples can show.
func marginFor(n int, shown func(n int) float64) (float64, error) {
	at := slices.IndexFunc(margins, func(m float64) bool { return shown(n) <= m })
	if at < 0 {
		return 0, fmt.Errorf("%d examples are too few to guard a model by: a loss of 20 points would not show; 14 are the least", n)
	}
	return margins[at], nil
}
