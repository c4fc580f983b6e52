// Package copies finds equal examples, and counts test examples with a copy in the training set.
package copies

import "github.com/learnbench/learnbench/learntest/split"

// Sets are the sets of examples that are equal to one another.
type Sets struct {
	All [][]int // the sets of two and more, in the order of their first example
	of  []int   // the index of each example's set; alone if it has no copy
}

const alone = -1

// Find returns the sets of examples with equal keys.
func Find[K comparable](keys []K) Sets {
	s := Sets{of: make([]int, len(keys))}
	first := make(map[K]int, len(keys)) // example with a key
	for i, k := range keys {
		f, ok := first[k]
		if !ok {
			first[k], s.of[i] = i, alone
			continue
		}
		if s.of[f] == alone {
			s.of[f] = len(s.All)
			s.All = append(s.All, []int{f})
		}
		s.of[i] = s.of[f]
		s.All[s.of[i]] = append(s.All[s.of[i]], i)
	}
	s.sort()
	return s
}

// sort puts the sets into the order of their first example.
func (s *Sets) sort() {
	members := s.All
	s.All = make([][]int, 0, len(members))
	for i, old := range s.of {
		if old != alone && members[old][0] == i {
			s.All = append(s.All, members[old])
		}
	}
	for at, m := range s.All {
		for _, i := range m {
			s.of[i] = at
		}
	}
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

// Share returns the share of the test examples of all trials that have a copy in the training set
// of their trial.
func (s Sets) Share(p *split.Plan) float64 {
	if len(s.All) == 0 {
		return 0
	}
	var train, test []int
	trained := make([]int, len(s.All)) // the last trial that a set is trained in
	copied, all, trial := 0, 0, 0
	for run := 1; run <= p.Runs(); run++ {
		for fold := 1; fold <= p.Folds(); fold++ {
			train, test = p.Trial(run, fold, train[:0], test[:0])
			trial++
			copied += s.inTraining(train, test, trained, trial)
			all += len(test)
		}
	}
	return float64(copied) / float64(max(1, all))
}

// inTraining returns how many test examples have a copy in the training set of a trial.
func (s Sets) inTraining(train, test, trained []int, trial int) int {
	for _, i := range train {
		if at := s.of[i]; at != alone {
			trained[at] = trial
		}
	}
	n := 0
	for _, i := range test {
		if at := s.of[i]; at != alone && trained[at] == trial {
			n++
		}
	}
	return n
}

// Join returns the number of a group for each example: equal examples are of one group, and so are the examples
// of a given group, if there are any. The group has the number of its first example.
func (s Sets) Join(groups []int) []int {
	first := make([]int, len(s.of)) // of an example's group, as far as that is known, or of one that it was joined with
	for i := range first {
		first[i] = i
	}
	root := func(i int) int {
		for first[i] != i {
			first[i] = first[first[i]]
			i = first[i]
		}
		return i
	}
	join := func(i, j int) {
		a, b := root(i), root(j)
		first[max(a, b)] = min(a, b)
	}
	for _, m := range s.All {
		for _, i := range m[1:] {
			join(m[0], i)
		}
	}
	of := make(map[int]int)
	for i, g := range groups {
		if j, ok := of[g]; ok {
			join(i, j)
		}
		of[g] = i
	}
	for i := range first {
		first[i] = root(i)
	}
	return first
}
