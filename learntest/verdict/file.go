package verdict

import (
	"cmp"

	"github.com/learnbench/learnbench/learntest/record"
)

// Of judges a claim about a candidate and a baseline, which may be in different files. If the trials
// cannot be paired, the outcome is Invalid.
func Of(candidate, baseline record.Selection, c Claim) Verdict {
	var p *record.Pairs
	var err error
	if c.Kind == RatioAtMost && (c.Metric == "" || record.IsTime(c.Metric)) {
		if c, err = c.checkRatio(); err == nil {
			p, err = record.PairTimes(candidate, baseline, c.Metric)
		}
	} else {
		p, err = pair(candidate, baseline, c.Metric, c.Halvings)
	}
	if err != nil {
		v := Fail(c, err)
		v.Data, v.Candidate, v.Baseline = candidate.Data, cmp.Or(candidate.Title, candidate.Learner),
			cmp.Or(baseline.Title, baseline.Learner)
		return v
	}
	return Judge(p, c)
}

// pair pairs the scores in the named metric or, if that is empty, in the first
// one that the candidate has on the data set. It also pairs the scores of a second opinion with so
// many halvings, if any.
func pair(candidate, baseline record.Selection, metric string, halvings int) (*record.Pairs,
	error,
) {
	if metric == "" && candidate.File != nil {
		if units := candidate.File.Metrics(candidate.Data, candidate.Learner); len(units) > 0 {
			metric = units[0].Name
		}
	}
	p, err := record.Pair(candidate, baseline, metric)
	if err == nil && halvings > 0 {
		p.Second, p.SecondErr = record.PairSecond(candidate, baseline, metric, halvings)
	}
	return p, err
}
