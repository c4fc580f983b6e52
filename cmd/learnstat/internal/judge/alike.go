package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/unit"
)

// OverFolds is the method that does not take the scores of data sets but of folds.
const OverFolds = "hierarchical"

// A Method tests whether all columns of a table perform alike over data sets, or compares each with
// the first.
type Method struct {
	Name string
	run  func(scores [][]float64, better unit.Direction) (*report.Alike, error)
}

// Methods returns all methods.
func Methods() []Method {
	return []Method{
		{"quade", quade},
		{"aligned-ranks", alignedRanks},
		{"cochran-q", cochranQ},
		{OverFolds, nil},
	}
}

// Hierarchical reports whether the method compares columns by all of their folds, not by means.
func (m Method) Hierarchical() bool { return m.Name == OverFolds }

// LookupMethod returns the method of a name.
func LookupMethod(name string) (Method, error) {
	all := Methods()
	if i := slices.IndexFunc(all, func(m Method) bool { return m.Name == name }); i >= 0 {
		return all[i], nil
	}
	var names []string
	for _, m := range all {
		names = append(names, m.Name)
	}
	return Method{}, fmt.Errorf("there is no test over data sets %q, only %s%s", name,
		strings.Join(names, ", "), catalogue.Suggest(name, names))
}

// test applies the method.
func (m Method) test(scores [][]float64, better unit.Direction) (*report.Alike, error) {
	a, err := m.run(scores, better)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	a.Test = m.Name
	return a, nil
}

func quade(scores [][]float64, better unit.Direction) (*report.Alike, error) {
	r, err := across.Quade(scores, better)
	if err != nil {
		return nil, err
	}
	return newAlike("weighted ranks", r.WeightedRanks, r.F.Statistic, r.F.DF1, r.F.DF2, r.F.P,
		r.Warnings), nil
}

func alignedRanks(scores [][]float64, better unit.Direction) (*report.Alike, error) {
	r, err := across.AlignedRanks(scores, better)
	if err != nil {
		return nil, err
	}
	return newAlike("mean aligned ranks", r.MeanRanks, r.ChiSquared.Statistic, r.ChiSquared.DF,
		math.NaN(), r.ChiSquared.P, r.Warnings), nil
}

// cochranQ asks on how many data sets each column has the best score, or one that ties with it.
func cochranQ(scores [][]float64, better unit.Direction) (*report.Alike, error) {
	success := make([][]bool, len(scores))
	for i, row := range scores {
		best := slices.Max(row)
		if better == unit.Lower {
			best = slices.Min(row)
		}
		success[i] = make([]bool, len(row))
		for j, x := range row {
			success[i][j] = stat.Tied(x, best)
		}
	}
	r, err := across.CochranQ(success)
	if err != nil {
		return nil, err
	}
	times := make([]float64, len(r.Successes))
	for j, n := range r.Successes {
		times[j] = float64(n)
	}
	return newAlike("data sets on which it is best", times, r.ChiSquared.Statistic, r.ChiSquared.DF,
		math.NaN(), r.ChiSquared.P, r.Warnings), nil
}

func newAlike(what string, figures []float64, statistic, df, df2, p float64,
	warnings []error,
) *report.Alike {
	a := &report.Alike{
		What: what, Statistic: unit.Number(statistic), DF: unit.Number(df), DF2: unit.Number(df2),
		P: unit.Number(p),
	}
	for _, x := range figures {
		a.Figures = append(a.Figures, unit.Number(x))
	}
	for _, w := range warnings {
		a.Notes = append(a.Notes, w.Error())
	}
	return a
}
