// Package copies finds equal examples, and counts those whose copy is in the training set.
package copies

import "github.com/learnbench/learnbench/learntest/split"

// Sets are the sets of examples that are equal to one another.
type Sets struct {
	All [][]int // the sets of two and more, in the order of their first example
	of  []int   // the number of each example's set, also of those that are alone
}

// Find returns the sets of examples with equal keys.
func Find[K comparable](keys []K) Sets {
	s := Sets{of: make([]int, len(keys))}
	number := make(map[K]int)
	var members [][]int
	for i, k := range keys {
		n, ok := number[k]
		if !ok {
			n = len(members)
			number[k] = n
			members = append(members, nil)
		}
		s.of[i] = n
		members[n] = append(members[n], i)
	}
	for _, m := range members {
		if len(m) > 1 {
			s.All = append(s.All, m)
		}
	}
	return s
}

// Examples returns how many examples have a copy.
func (s Sets) Examples() int {
	n := 0
	for _, m := range s.All {
		n += len(m)
	}
	return n
}

// Contradicting returns the sets whose examples have different labels, and the accuracy that nothing can
// exceed that predicts one label for equal examples.
func Contradicting[Y comparable](s Sets, label func(i int) Y) (sets [][]int, reachable float64) {
	wrong := 0
	for _, m := range s.All {
		counts, most := make(map[Y]int), 0
		for _, i := range m {
			counts[label(i)]++
			most = max(most, counts[label(i)])
		}
		if len(counts) > 1 {
			sets = append(sets, m)
			wrong += len(m) - most
		}
	}
	return sets, 1 - float64(wrong)/float64(max(1, len(s.of)))
}

// InTraining returns how many test examples have a copy in the training set.
func (s Sets) InTraining(train, test []int) int {
	trained := make(map[int]bool, len(train))
	for _, i := range train {
		trained[s.of[i]] = true
	}
	n := 0
	for _, i := range test {
		if trained[s.of[i]] {
			n++
		}
	}
	return n
}

// Share returns the share of the test examples of all trials that have a copy in the training set
// of their trial.
func (s Sets) Share(p *split.Plan) float64 {
	if len(s.All) == 0 {
		return 0
	}
	var train, test []int
	copied, all := 0, 0
	for run := 1; run <= p.Runs(); run++ {
		for fold := 1; fold <= p.Folds(); fold++ {
			train, test = p.Trial(run, fold, train[:0], test[:0])
			copied += s.InTraining(train, test)
			all += len(test)
		}
	}
	return float64(copied) / float64(max(1, all))
}
