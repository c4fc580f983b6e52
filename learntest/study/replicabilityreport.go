package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/learnbench/learnbench/internal/lab"
)

// nearOne is the true replicability from which estimates are not told apart by their
// errors: all are small.
const nearOne = 0.97

// levels are the bins of true replicability that the rule is looked at in.
var levels = []struct {
	name   string
	lo, hi float64
}{
	{"up to .70", 0, 0.7},
	{".70 to .775", 0.7, 0.775},
	{".80 ± .025", 0.775, 0.825},
	{".825 to .875", 0.825, 0.875},
	{".90 ± .025", 0.875, 0.925},
	{".925 to .97", 0.925, 0.97},
	{".97 to .985", 0.97, 0.985},
	{".99 ± .005", 0.985, 0.995},
	{"above .995", 0.995, 2},
}

// report makes the tables.
func (p *replicabilityPlan) report(real, simulated []*appraisal, model []modelRow) *Report {
	r := &Report{}
	r.Tables = append(r.Tables, p.poolTable(real, simulated))
	var targets targetList
	r.Tables = append(r.Tables,
		estimatorTable("Estimators, real comparisons", real, p.real, &targets),
		estimatorTable("Estimators, simulated data sets", simulated, p.sim, nil),
		agreementTable("A rerun agrees, significant verdicts", real, simulated, 1, &targets),
		agreementTable("A rerun agrees, verdicts that are not significant", real, simulated, 0, &targets),
		ruleTable(slices.Concat(real, simulated), &targets),
		modelTable(model),
	)
	r.Tables = append(r.Tables, targets.table())
	return r
}

// poolTable describes the pools.
func (p *replicabilityPlan) poolTable(real, simulated []*appraisal) Table {
	t := Table{
		Title: "Pools",
		Notes: []string{
			fmt.Sprintf("Each real data set has a pool of %d runs of 10 folds of each of %d learners, each trained once, and a comparison for each pair. Each of the %d simulated data sets, of %d, %d or %d examples, has a pool of %d runs of one pair. A pool stands for all runs there are: runs are drawn from it with replacement.",
				p.runs, p.learners, p.simulated, p.size[0], p.size[1], p.size[2], p.few),
			fmt.Sprintf("True R is the probability that two repeats of the test on ten runs both find the candidate better, both find it worse, or both neither: from %d repeats for a real pool, %d for a simulated one. The error is the largest Monte Carlo standard error.", p.real.repeats, p.sim.repeats),
		},
		Columns: []string{
			"data set", "comparisons", fmt.Sprintf("R < %s", lab.Figure(nearOne, 2)),
			"R < .8", "least R", "error",
		},
	}
	groups := [][]*appraisal{}
	for _, a := range real {
		if n := len(groups); n == 0 || groups[n-1][0].pool.Data != a.pool.Data {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], a)
	}
	for _, g := range groups {
		t.describe(g[0].pool.Data, g)
	}
	t.describe("all real", real)
	t.describe("simulated", simulated)
	return t
}

func (t *Table) describe(name string, as []*appraisal) {
	below, low, least, se := 0, 0, 1.0, 0.0
	for _, a := range as {
		r := a.truth.agreement()
		below += lab.Indicator(r < nearOne)
		low += lab.Indicator(r < 0.8)
		least, se = min(least, r), max(se, a.truth.se())
	}
	t.Add(name, strconv.Itoa(len(as)), strconv.Itoa(below), strconv.Itoa(low), lab.Figure(least, 3),
		lab.Figure(se, 4))
}

// estimatorTable says how far estimates are from the truth. The targets are of
// real comparisons; nil if they are not asked for.
func estimatorTable(title string, as []*appraisal, e effort, targets *targetList) Table {
	t := Table{
		Title: title,
		Notes: []string{fmt.Sprintf("Bias and root mean square error over the comparisons whose true R is below %s, each with %d draws of runs and the same weight; coverage of the 90%% interval over all comparisons, and the worst of them. Pooling splits the runs %d times.",
			lab.Figure(nearOne, 2), e.draws, e.splits)},
		Columns: []string{"estimator", "runs", "bias", "±", "RMSE", "±", "coverage, %", "±", "worst, %"},
	}
	for _, est := range estimators() {
		var bias, square, cover tally
		worst := 1.0
		for _, a := range as {
			s, data := a.errors[est], a.pool.Data
			n := float64(s.n)
			if a.truth.agreement() < nearOne {
				bias.add(data, s.sum/n, 1)
				square.add(data, s.sumSquare/n, 1)
			}
			cover.add(data, float64(s.covered)/n, 1)
			worst = min(worst, float64(s.covered)/n)
		}
		rmse := math.Sqrt(square.mean())
		row := []string{
			est.name, strconv.Itoa(est.runs), lab.Signed(bias.mean(), 3), lab.Figure(bias.se(), 3),
			lab.Figure(rmse, 3), lab.Figure(square.se()/(2*rmse), 3),
		}
		if est.name == posterior || est.name == plugIn {
			row = append(row, lab.Percent(cover.mean()), lab.Percent(cover.se()), lab.Percent(worst))
		} else {
			row = append(row, "", "", "")
		}
		t.Add(row...)
		if targets != nil {
			targets.estimate(est, rmse, cover.mean(), worst)
		}
	}
	return t
}

// agreementTable compares predicted with observed agreement of reruns.
func agreementTable(title string, real, simulated []*appraisal, significant int,
	targets *targetList,
) Table {
	t := Table{
		Title:   title,
		Notes:   []string{"P is the probability that a rerun agrees, as predicted from the ten runs of the test itself; beside it, the probability that it does. The error belongs to the difference."},
		Columns: []string{"P", "verdicts", "mean P", "agree", "difference", "±", "in errors"},
	}
	for _, g := range []struct {
		name string
		as   []*appraisal
	}{{"real", real}, {"simulated", simulated}} {
		for b := range bins {
			n := 0
			var said, is, gap tally
			for _, a := range g.as {
				s := a.agree[significant][b]
				w := float64(s.n)
				n += s.n
				said.add(a.pool.Data, s.predicted, w)
				is.add(a.pool.Data, s.true, w)
				gap.add(a.pool.Data, s.true-s.predicted, w)
			}
			if n == 0 {
				continue
			}
			top := 1.0
			if b+1 < len(bins) {
				top = bins[b+1]
			}
			errs := gap.mean() / gap.se()
			t.Add(fmt.Sprintf("%s, %s to %s", g.name, lab.Figure(bins[b], 2), lab.Figure(top, 2)),
				strconv.Itoa(n),
				lab.Figure(said.mean(), 3), lab.Figure(is.mean(), 3), lab.Signed(gap.mean(), 3),
				lab.Figure(gap.se(), 3), lab.Signed(errs, 1))
			targets.agree(errs)
		}
	}
	return t
}

// ruleTable says what the rule answers.
func ruleTable(as []*appraisal, targets *targetList) Table {
	t := Table{
		Title: "The sequential rule, required replicability .9",
		Notes: []string{"Of significant verdicts on real and simulated data, by true R: how many the rule shows to be replicable, refutes, or leaves undecided at its budget of 100 runs, which do not pass, and the mean number of runs. Beside it the strict rule, and ten repeats counted, which always take 100 runs."},
		Columns: []string{
			"true R", "comparisons", "verdicts", "shown, %", "±", "refuted, %",
			"undecided, %", "runs", "±", "strict, %", "counted, %",
		},
	}
	for i, l := range levels {
		var shown, refuted, looked, strict, counted tally
		comparisons, n := 0, 0
		for _, a := range as {
			if r := a.truth.agreement(); r <= l.lo || r > l.hi || a.rule.n == 0 {
				continue
			}
			s, w := a.rule, float64(a.rule.n)
			comparisons++
			n += s.n
			shown.add(a.pool.Data, float64(s.shown), w)
			refuted.add(a.pool.Data, float64(s.refuted), w)
			looked.add(a.pool.Data, float64(s.looked), w)
			strict.add(a.pool.Data, float64(s.strict), w)
			counted.add(a.pool.Data, float64(s.counted), w)
		}
		if n == 0 {
			continue
		}
		t.Add(l.name, strconv.Itoa(comparisons), strconv.Itoa(n), lab.Percent(shown.mean()),
			lab.Percent(shown.se()), lab.Percent(refuted.mean()),
			lab.Percent(1-shown.mean()-refuted.mean()), fmt.Sprintf("%.0f", looked.mean()),
			lab.Figure(looked.se(), 1), lab.Percent(strict.mean()), lab.Percent(counted.mean()))
		targets.rule(i, shown.mean())
	}
	return t
}

// modelTable says what the rule answers under its own assumption.
func modelTable(rows []modelRow) Table {
	t := Table{
		Title:   "The sequential rule on exactly normal runs",
		Notes:   []string{fmt.Sprintf("Of %d significant verdicts at each true R.", rows[0].n)},
		Columns: []string{"true R", "shown, %", "±", "refuted, %", "undecided, %", "runs", "±"},
	}
	for _, r := range rows {
		n := float64(r.n)
		shown, refuted, looked := float64(r.shown)/n, float64(r.refuted)/n, float64(r.looked)/n
		t.Add(lab.Figure(r.r, 3), lab.Percent(shown), lab.Percent(math.Sqrt(shown*(1-shown)/n)),
			lab.Percent(refuted), lab.Percent(1-shown-refuted),
			fmt.Sprintf("%.1f", looked), lab.Figure(math.Sqrt((float64(r.sq2)/n-looked*looked)/n), 1))
	}
	return t
}

// A targetList compares the targets of the methods with the measured figures.
type targetList struct {
	rows                    [][]string
	least, most, worst, gap float64
	forty                   float64
	any                     bool
}

func (l *targetList) add(what, asked, found string, met bool) {
	verdict := "met"
	switch {
	case found == "":
		verdict = "not measured"
	case !met:
		verdict = "missed"
	}
	l.rows = append(l.rows, []string{what, asked, found, verdict})
}

// estimate records the figures of an estimator on real comparisons. The counting estimator comes
// last, and completes the targets.
func (l *targetList) estimate(e estimator, rmse, cover, worst float64) {
	switch {
	case e.name == posterior:
		if !l.any {
			l.any, l.least, l.most, l.worst = true, cover, cover, worst
		}
		l.least, l.most, l.worst = min(l.least, cover), max(l.most, cover), min(l.worst, worst)
		switch e.runs {
		case 20:
			l.add("RMSE of the posterior mean from 20 runs", "at most .135", lab.Figure(rmse, 3),
				rmse <= 0.135)
		case 40:
			l.forty = rmse
		}
	case e.name == counted:
		l.add("RMSE of the posterior mean from 40 runs", "at most RMSE of R(k,10), "+lab.Figure(rmse, 3),
			lab.Figure(l.forty, 3), l.forty <= rmse)
		l.add("coverage of the exact 90% interval", "90 to 97%",
			lab.Percent(l.least)+" to "+lab.Percent(l.most)+"%", l.least >= 0.9 && l.most <= 0.97)
		l.add("coverage in the worst comparison", "at least 82%", lab.Percent(l.worst)+"%",
			l.worst >= 0.82)
	}
}

// agree records the difference of a bin in standard errors.
func (l *targetList) agree(errs float64) {
	if !math.IsNaN(errs) {
		l.gap = max(l.gap, math.Abs(errs))
	}
}

// rule records the pass rate at a level.
func (l *targetList) rule(level int, shown float64) {
	name, text := "pass rate of the rule, true R "+levels[level].name, lab.Percent(shown)+"%"
	switch levels[level].name {
	case "up to .70":
		l.add(name, "at most 4%", text, shown <= 0.04)
	case ".80 ± .025":
		l.add(name, "at most 10%", text, shown <= 0.1)
	case ".99 ± .005":
		l.add(name, "at least 90%", text, shown >= 0.9)
	}
}

func (l *targetList) table() Table {
	l.add("largest difference of P and agreement", "2.5 errors", lab.Figure(l.gap, 1)+" errors",
		l.gap <= 2.5)
	return Table{
		Title: "Requirements", Columns: []string{"figure", "asked", "found", ""},
		Rows: l.rows,
	}
}
