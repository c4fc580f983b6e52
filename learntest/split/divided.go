package split

// Divided returns the share of the test examples of all trials whose set the trial divides: another
// example of the set is in the training set. Sets are slices of indices; each example is in one of
// them at most. Examples in none count as not divided. For groups, the share says how many test
// examples a learner may recognise.
//
// Divided panics if an index is out of range, as indexing a slice does. For protocols whose
// training sets have all that they do not test, such as [CV], [Groups] and [Subsample], it takes a
// fraction of the time of [Plan.Digest].
func (p *Plan) Divided(sets [][]int) float64 {
	divided, all := 0, 0
	for run := 1; run <= p.Runs(); run++ {
		for fold := 1; fold <= p.folds; fold++ {
			_, n := p.layout.sizes(run, fold)
			all += n
		}
	}
	if c, ok := p.layout.(complementary); ok {
		divided = p.dividedByTests(c, sets)
	} else {
		divided = p.dividedByTrials(sets)
	}
	return float64(divided) / float64(max(1, all))
}

// dividedByTests counts examples of sets that are not tested in one fold as a whole.
func (p *Plan) dividedByTests(c complementary, sets [][]int) int {
	divided := 0
	of := make([]uint16, p.n)
	for run := 1; run <= p.Runs() && len(sets) > 0; run++ {
		c.tested(run, of)
		for _, set := range sets {
			tested, whole := 0, true
			for _, i := range set {
				whole = whole && of[i] == of[set[0]]
				if of[i] != 0 {
					tested++
				}
			}
			if !whole {
				divided += tested
			}
		}
	}
	return divided
}

// dividedByTrials counts examples of sets by looking at all training sets and test sets.
func (p *Plan) dividedByTrials(sets [][]int) int {
	of := make([]int, p.n) // the number of an example's set, from 1
	for at, set := range sets {
		for _, i := range set {
			of[i] = at + 1
		}
	}
	divided, trial := 0, 0
	trained := make([]int, len(sets)+1) // the last trial that trains an example of a set
	var train, test []int
	for run := 1; run <= p.Runs() && len(sets) > 0; run++ {
		for fold := 1; fold <= p.folds; fold++ {
			train, test = p.Trial(run, fold, train[:0], test[:0])
			trial++
			for _, i := range train {
				trained[of[i]] = trial
			}
			for _, i := range test {
				if of[i] != 0 && trained[of[i]] == trial {
					divided++
				}
			}
		}
	}
	return divided
}
