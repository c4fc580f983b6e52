package study

import "github.com/learnbench/learnbench/learntest/dataset/uci"

// A replicabilityPlan is the size of the study.
type replicabilityPlan struct {
	sets      []string // of package uci
	learners  int      // at most, of referenceLearners the first ones
	runs      int      // of each real pool
	real      effort
	simulated int // data sets
	size      [3]int
	few       int // runs of each simulated pool
	sim       effort
	sequences int // of the normal model
}

// withoutContactLenses leaves out the set of 24 examples, whose folds have two or three.
func withoutContactLenses() []string {
	var names []string
	for _, n := range uci.Names() {
		if n != "contact-lenses" {
			names = append(names, n)
		}
	}
	return names
}

func planReplicability(small bool) replicabilityPlan {
	if small {
		return replicabilityPlan{
			sets: []string{"breast-cancer", "labor"}, learners: 4, runs: 40, real: effort{500, 30, 20},
			simulated: 12, size: [3]int{30, 40, 50}, few: 30, sim: effort{200, 5, 20}, sequences: 200,
		}
	}
	return replicabilityPlan{
		sets: withoutContactLenses(), learners: 6, runs: 500, real: effort{20_000, 300, 200},
		simulated: 1000, size: [3]int{100, 200, 400}, few: 400, sim: effort{10_000, 30, 200},
		sequences: 20_000,
	}
}
