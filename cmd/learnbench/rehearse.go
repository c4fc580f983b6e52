package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

const (
	maxTrials    = 1 << 26 // what readers of result files have room for, see record.Limits
	maxRehearsed = 1 << 20 // folds of a rehearsal
)

// rehearse returns an error if no scores whatsoever could be judged: if the test does not fit the
// protocol on a data set of the given size, or the claim makes no sense. It judges made-up scores,
// so that whatever a verdict refuses is found here, before hours of training. A margin and a
// replicability are about the scores themselves and stay out; that so few examples cannot show the
// margin without an improvement is a note.
func (r *runConfig) rehearse(data string, examples int) (note string, err error) {
	p := r.cfg.Protocol
	runs, folds := p.Runs(), p.Folds()
	if folds == 0 { // leave-one-out
		folds = examples
	}
	trials := float64(runs) * float64(folds) * float64(r.cfg.Repeats) * float64(len(r.learners))
	if trials > maxTrials {
		return "", fmt.Errorf("data set %s has %.0f trials under %q, more than the %d that a result file has room for: choose fewer -runs, -folds or -repeats",
			data, trials, p, maxTrials)
	}
	runs = min(runs, max(1, maxRehearsed/max(1, folds)))
	n := runs * folds
	header := &record.Header{
		Data: data, Protocol: p.String(),
		DataDigest: strings.Repeat("0", 64), SplitDigest: strings.Repeat("0", 64),
	}
	pairs := &record.Pairs{
		Data: data, Candidate: "candidate", Baseline: "baseline",
		Unit: r.cfg.Metrics[0].Unit, CandidateHeader: header, BaselineHeader: header,
		Runs: runs, Folds: folds,
		A: make([]float64, n), B: make([]float64, n), TrainN: make([]int32, n), TestN: make([]int32, n),
	}
	random := rand.New(rand.NewPCG(1, 1))
	tested := int32(max(1, examples/max(2, folds)))
	plan, err := p.WithRuns(1).Plan(split.Examples{N: examples}) // of groups there is none
	for i := range n {
		// In the range of every metric, and never equal.
		pairs.A[i], pairs.B[i] = 0.4+0.1*random.Float64(), 0.4+0.1*random.Float64()
		pairs.TrainN[i], pairs.TestN[i] = max(1, int32(examples)-tested), tested
		if err == nil && plan.Folds() == folds {
			train, test := plan.Sizes(1, i%folds+1)
			pairs.TrainN[i], pairs.TestN[i] = int32(train), int32(test)
		}
	}
	claim := r.claim
	claim.Margins, claim.Replicability, claim.Repeats, claim.Halvings = unit.Margins{}, 0, 0, 0
	if v := verdict.Judge(pairs, claim); v.Outcome == verdict.Invalid {
		return "", fmt.Errorf("no verdict could be drawn on data set %s under %q: %s: choose another -test, -protocol or -alpha", data, p, v.Reason)
	}
	if note = r.claim.TooNarrow(pairs.Unit, verdict.Tested(pairs)); note != "" {
		note = fmt.Sprintf("data set %s: %s", data, note)
	}
	return note, nil
}
