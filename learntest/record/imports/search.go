package imports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// readSearch reads cv_results_ of scikit-learn's GridSearchCV, RandomizedSearchCV or a halving
// search with one iteration, as CSV or JSON.
//
// A row is a candidate: a learner with the parameters of the columns param_*, by which it is named.
// The columns split0_test_score, or split0_test_NAME with several scorers, and so on are its
// scores, in the order of the splits, which has all folds of the first repetition, then all folds
// of the second. mean_test_* must be their mean, which shows columns that were left out.
//
// Sources: the manual page of sklearn.model_selection.GridSearchCV (cv_results_), and the example
// "Statistical comparison of models using grid search", whose test is the corrected one. The files
// in testdata are of version 1.2.1.
func readSearch(c *collector, in io.Reader, s Source) error {
	t, err := c.anyTable(in)
	if err != nil {
		return err
	}
	r, err := newSearchReader(t, s)
	if err != nil {
		return err
	}
	return t.each(r.row)
}

// A searchReader reads the rows of one file.
type searchReader struct {
	t      *table
	prefix string // of the names of learners
	params []int
	groups []group
	means  []int // columns of the mean scores; -1 if there is none
	result result
}

func newSearchReader(t *table, s Source) (*searchReader, error) {
	c := t.c
	r := &searchReader{t: t, result: result{data: c.Dataset}}
	if s.Learner != "" {
		r.prefix = s.Learner + " "
	}
	measures := c.Measures
	for i, name := range t.header() {
		if strings.HasPrefix(name, "param_") {
			r.params = append(r.params, i)
		}
		if scorer, ok := strings.CutPrefix(name, "split0_"); ok && strings.HasPrefix(scorer, "test_") &&
			len(c.Measures) == 0 {
			measures = append(measures, Measure{Column: scorer})
		}
	}
	switch {
	case len(r.params) == 0:
		return nil, c.errorf(1, "there is no column param_*, which names the candidates of a search: the columns are %s", t.list())
	case len(measures) == 0:
		return nil, c.errorf(1, "there is no column split0_test_*: the columns are %s", t.list())
	}
	var all []wanted
	for _, m := range measures {
		k, err := resolve(sklearnMeasures(), m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.source, err)
		}
		name := "split{split}_" + m.Column
		c.assumed.column(known{name, k.unit, k.scale})
		r.result.units = append(r.result.units, k.unit)
		r.means = append(r.means, t.find("mean_"+m.Column))
		all = append(all, wanted{name, func(g *group, at int) {
			g.scores = append(g.scores,
				column{at, k.unit, k.scale})
		}})
	}
	var err error
	if r.groups, err = t.groups(all); err != nil {
		return nil, err
	}
	if n, want := len(r.groups), c.Folds*c.Runs; n != want {
		return nil, c.errorf(1, "there are columns of %d splits, not of %d folds in each of %d runs: give the numbers of the search's cv (%s, %s), and all its columns", n, c.Folds, c.Runs, optFolds, optRuns)
	}
	c.assumed.add("splits are in the order of their numbers, fold by fold and run by run, %d folds a run", c.Folds)
	return r, nil
}

// row takes the trials of a candidate.
func (r *searchReader) row() error {
	t, res := r.t, &r.result
	res.line, res.learner = t.line, r.name()
	sums := make([]float64, len(r.means))
	for _, g := range r.groups {
		failed, err := t.scores(res, g.scores)
		if err != nil {
			return err
		}
		res.err = ""
		if failed {
			res.err = record.Cause("scikit-learn has no score (NaN): the fit failed")
		}
		for i := range sums {
			if failed {
				sums[i] = math.NaN()
			} else {
				x, err := t.number(g.scores[i].at)
				if err != nil {
					return err
				}
				sums[i] += x
			}
		}
		res.run, res.fold, res.again = 1, g.split+1, "name the learners of files with "+optLearner
		if err := t.c.put(res); err != nil {
			return err
		}
	}
	return r.checkMeans(sums)
}

// name returns the name of the candidate: its parameters that have a value, in the order of their
// names.
func (r *searchReader) name() string {
	var parts []string
	for _, at := range r.params {
		if x := r.t.text(at); !isMissing(x) {
			parts = append(parts, strings.TrimPrefix(r.t.header()[at], "param_")+"="+x)
		}
	}
	slices.Sort(parts)
	return r.prefix + strings.Join(parts, " ")
}

// checkMeans returns an error unless the means in the file are the means of the splits.
func (r *searchReader) checkMeans(sums []float64) error {
	t := r.t
	for i, at := range r.means {
		if at < 0 || math.IsNaN(sums[i]) {
			continue
		}
		want, err := t.number(at)
		if err != nil {
			return err
		}
		var digits precision
		digits.of(t.text(at))
		if mean := sums[i] / float64(len(r.groups)); math.Abs(mean-want) > digits.tolerance(mean) {
			return t.errorf(at, "%s is not the mean of the %d splits, which is %.6g: columns are missing, or scores were changed", excerpt(t.text(at)), len(r.groups), mean)
		}
	}
	return nil
}
