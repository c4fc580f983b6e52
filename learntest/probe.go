package learntest

import "github.com/learnbench/learnbench/learntest/record"

// recordProbes stores the outcomes of the determinism probes in the header.
func recordProbes(h *record.Header, learners []string, probes []*probe) {
	for i, p := range probes {
		if p == nil {
			continue
		}
		outcome := record.Deterministic
		switch {
		case p.first == nil || p.second == nil:
			outcome = record.NotProbed
		case *p.first != *p.second:
			outcome = record.NotDeterministic
		}
		h.AddDeterminism(learners[i], outcome)
	}
}
