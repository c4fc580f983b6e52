package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A ratioText puts a verdict on a ratio into words.
type ratioText struct{ *Verdict }

// statementRatio is Statement of a claim of a ratio.
func (v ratioText) statementRatio() string {
	limit := fmt.Sprintf("×%v", v.Claim.Threshold)
	if v.Claim.Metric != "" && !record.IsTime(v.Claim.Metric) {
		return costText(v).statement(limit)
	}
	if v.Candidate == "" {
		return "the candidate takes at most " + limit + " the time of the baseline"
	}
	return unit.Printable(fmt.Sprintf("%s takes at most %s the %s of %s on %s", v.Candidate, limit,
		timeWords(v.Claim.Metric), v.Baseline, v.Data))
}

// linesRatio adds the lines of a claim of a ratio.
func (v ratioText) linesRatio(add func(key, format string, args ...any)) {
	if v.Costs != nil {
		costText(v).lines(add)
		return
	}
	add(v.Unit.Name, "%s %s, %s %s (means of %d trials)", v.Candidate,
		formatCost(v.Verdict, v.CandidateMean), v.Baseline, formatCost(v.Verdict, v.BaselineMean),
		v.Runs*v.Folds)
	if v.Totals != nil {
		costText(v).linesTotals(add)
		return
	}
	m := v.Ratio
	how := shownOrNot(v.Decision.Shown)
	if v.Outcome == Regressed {
		how = "refuted, at least " + formatRatio(m.Least, math.Floor)
	}
	p := v.prose()
	add("claim", "at most ×%v: %s, at most %s (one-sided %.4g%%), p = %s%s (it takes %.4g or less)",
		v.Claim.Threshold, how, formatRatio(m.Most, math.Ceil), 100*(1-v.Claim.Alpha), unit.FormatP(m.P),
		p.adjusted, v.Claim.Alpha)
	add("test", "median ratio %s, sign test, n = %d×%d: %d of %d ratios within the limit (%d would show it)", formatRatio(m.Median, math.Round), v.Runs, v.Folds, m.Within, m.N, m.Rank)
	if !v.Unit.OfModel {
		add("machine", "%s", v.CandidateHeader.Machine)
	}
}

// A costText puts a verdict on the ratio of costs into words.
type costText struct{ *Verdict }

func (v costText) statement(limit string) string {
	if v.Candidate == "" {
		return "the candidate costs at most " + limit + " the " + v.Claim.Metric + " of the baseline"
	}
	return unit.Printable(fmt.Sprintf("%s costs at most %s the %s of %s on %s", v.Candidate, limit,
		v.Claim.Metric, v.Baseline, v.Data))
}

func (v costText) lines(add func(key, format string, args ...any)) {
	x := v.Costs
	add(v.Unit.Name, "%s %s, %s %s (means of %s)", v.Candidate, v.Unit.FormatScore(v.CandidateMean),
		v.Baseline, v.Unit.FormatScore(v.BaselineMean), v.Items)
	how, most := shownOrNot(v.Decision.Shown), "no bound"
	if v.Outcome == Regressed {
		how = "refuted"
	}
	if !math.IsInf(x.Upper, 1) {
		most = "at most " + formatRatio(x.Upper, math.Ceil)
	}
	p := v.prose()
	add("claim", "at most ×%v: %s, %s (one-sided %.4g%%), p = %s%s (it takes %.4g or less)",
		v.Claim.Threshold, how, most, 100*(1-v.Claim.Alpha), unit.FormatP(x.P), p.adjusted, v.Claim.Alpha)
	add("test", "ratio of means %s, %s, %s", formatRatio(x.Ratio, math.Round), x.Test,
		statistic(x.Result.Result))
}

// linesTotals adds the lines of an exact comparison.
func (v costText) linesTotals(add func(key, format string, args ...any)) {
	x := v.Totals
	how := shownOrNot(v.Holds)
	if !v.Holds {
		how = "refuted"
	}
	add("claim", "at most ×%v: %s, %s exactly", v.Claim.Threshold, how,
		formatRatio(x.Ratio, math.Ceil))
	add("test", "ratio of totals, n = %d×%d: the seeds fix all models, so that nothing is estimated",
		v.Runs, v.Folds)
}
