package learntest

import (
	"slices"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// majority returns what a header says of the class that is most frequent among the test examples:
// nothing if that is not known, as in regression, and what always predicting it scores in those
// metrics of package metric that take labels. These favour no class, so that such a score is
// nothing to be proud of. A user's own metric may: in the recall of one class it would be perfect.
func (s *source[X, Y]) majority(plan *split.Plan, metrics []metric.Metric) string {
	if !s.classification() || !slices.ContainsFunc(metrics, isOurs) {
		return ""
	}
	k, folds := len(s.classes), plan.Runs()*plan.Folds()
	counts, total := make([]int, folds*k), make([]int, k)
	var train, test []int
	for at := range folds {
		train, test = plan.Trial(at/plan.Folds()+1, at%plan.Folds()+1, train[:0], test[:0])
		for _, row := range test {
			counts[at*k+s.truth[row]]++
			total[s.truth[row]]++
		}
	}
	class := 0
	for c, n := range total {
		if n > total[class] {
			class = c
		}
	}
	m := record.Majority{Class: s.classNames[class]}
	for _, metric := range metrics {
		if !isOurs(metric) {
			continue
		}
		score, err := s.constant(metric, class, counts)
		if err != nil { // it takes probabilities, or is undefined: the other metrics suffice
			continue
		}
		m.Units, m.Scores = append(m.Units, metric.Name), append(m.Scores, score)
	}
	var h record.Header
	h.SetMajority(m)
	return h.Majority
}

// isOurs reports whether a metric is one of package metric, rather than one of its name.
func isOurs(m metric.Metric) bool {
	own, err := metric.Lookup(m.Name)
	return err == nil && own.Unit == m.Unit && own.Doc == m.Doc
}

// constant returns the mean score over folds of always predicting a class, given how many test
// examples each fold has of each class.
func (s *source[X, Y]) constant(m metric.Metric, class int, counts []int) (float64, error) {
	k, sum := len(s.classes), 0.0
	p := metric.Predictions{Classes: s.classNames}
	for fold := range slices.Chunk(counts, k) {
		p.Truth, p.Predicted = p.Truth[:0], p.Predicted[:0]
		for c, n := range fold {
			for range n {
				p.Truth, p.Predicted = append(p.Truth, c), append(p.Predicted, class)
			}
		}
		score, err := m.Eval(&p)
		if err != nil {
			return 0, err
		}
		sum += score
	}
	return sum / float64(len(counts)/k), nil
}
