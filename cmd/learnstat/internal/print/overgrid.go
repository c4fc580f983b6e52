package print

import (
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// overs calls f for each comparison over data sets, with what all lines about it begin with.
func overs(r *report.Report, f func(o *report.Over, begin []string) bool) {
	for i := range r.Tables {
		t := &r.Tables[i]
		for j := range t.Over {
			o := &t.Over[j]
			if !f(o, []string{t.Metric, keys(t), o.Learner, strconv.Itoa(o.DataSets)}) {
				return
			}
		}
	}
}

var overFields = []string{"metric", "table", "learner", "data_sets"}

// keys returns the keys that distinguish a table.
func keys(t *report.Table) string {
	texts := make([]string, len(t.Keys))
	for i, k := range t.Keys {
		texts[i] = k.Key + ": " + k.Value
	}
	return strings.Join(texts, ", ")
}

// overGrid has a line for each column, the first one included, which has a mean only.
func overGrid(r *report.Report) grid {
	g := grid{Fields: append(overFields[:4:4], "column", "mean", "difference", "better", "same",
		"worse", "test", "p",
		"bayes_sign_worse", "bayes_sign_rope", "bayes_sign_better", "bayes_signed_rank_worse",
		"bayes_signed_rank_rope", "bayes_signed_rank_better", "notes", "outcome")}
	g.Lines = func(yield func([]string) bool) {
		overs(r, func(o *report.Over, begin []string) bool {
			for k := range o.Columns {
				c := &o.Columns[k]
				line := append(begin, r.Columns[k].Label, c.Mean.String())
				if k > 0 {
					line = append(line, c.Difference.String(), strconv.Itoa(c.Better), strconv.Itoa(c.Same),
						strconv.Itoa(c.Worse), o.Test, c.P.String())
					line = append(append(line, regionFields(c.BayesSign)...), regionFields(c.BayesSignedRank)...)
					line = append(line, strings.Join(c.Notes, "; "), c.Outcome)
				}
				if !yield(append(line, make([]string, len(g.Fields)-len(line))...)) {
					return false
				}
			}
			return true
		})
	}
	return g
}

func regionFields(r *verdict.Regions) []string {
	if r == nil {
		return make([]string, 3)
	}
	return []string{r.Worse.String(), r.Rope.String(), r.Better.String()}
}

// rankGrid has a line for each column of more than two, with Friedman's test.
func rankGrid(r *report.Report) grid {
	g := grid{Fields: append(overFields[:4:4], "column", "mean_rank", "friedman_chi_squared",
		"friedman_df", "friedman_p", "iman_davenport_f", "iman_davenport_p", "kendall_w", "notes")}
	g.Lines = func(yield func([]string) bool) {
		overs(r, func(o *report.Over, begin []string) bool {
			if o.Ranks == nil {
				return true
			}
			k := o.Ranks
			for i, rank := range k.Mean {
				if !yield(append(begin, r.Columns[i].Label, rank.String(), k.Statistic.String(), k.DF.String(),
					k.P.String(), k.F.String(), k.FP.String(), k.W.String(), strings.Join(k.Notes, "; "))) {
					return false
				}
			}
			return true
		})
	}
	return g
}

// pairGrid has a line for each pair of more than two columns.
func pairGrid(r *report.Report) grid {
	g := grid{Fields: append(overFields[:4:4], "candidate", "baseline", "test", "p", "p_adjusted",
		"p_mean_ranks")}
	g.Lines = func(yield func([]string) bool) {
		overs(r, func(o *report.Over, begin []string) bool {
			if o.Ranks == nil {
				return true
			}
			for _, p := range o.Ranks.Pairs {
				if !yield(append(begin, r.Columns[p.B].Label, r.Columns[p.A].Label, o.Test, p.P.String(),
					p.AdjustedP.String(), p.MeanRanksP.String())) {
					return false
				}
			}
			return true
		})
	}
	return g
}

// alikeGrid has a line for each column, with the test of whether all perform alike.
func alikeGrid(r *report.Report) grid {
	g := grid{Fields: append(overFields[:4:4], "column", "test", "what", "figure", "statistic", "df",
		"df2", "p", "notes")}
	g.Lines = func(yield func([]string) bool) {
		overs(r, func(o *report.Over, begin []string) bool {
			a := o.Alike
			if a == nil {
				return true
			}
			for i, x := range a.Figures {
				if !yield(append(begin, r.Columns[i].Label, a.Test, a.What, x.String(), a.Statistic.String(),
					a.DF.String(), a.DF2.String(), a.P.String(), strings.Join(a.Notes, "; "))) {
					return false
				}
			}
			return true
		})
	}
	return g
}

// hierarchicalGrid has a line for each column but the first, with the hierarchical test, and one
// for each data set below it.
func hierarchicalGrid(r *report.Report) grid {
	g := grid{Fields: append(overFields[:4:4], "column", "data", "difference", "shrunken", "lo", "hi",
		"rope", "p_worse", "p_rope", "p_better", "notes", "outcome")}
	g.Lines = func(yield func([]string) bool) {
		overs(r, func(o *report.Over, begin []string) bool {
			for k := 1; k < len(o.Columns); k++ {
				h := o.Columns[k].Hierarchical
				if h == nil {
					continue
				}
				of := append(begin[:4:4], r.Columns[k].Label)
				line := append(of[:5:5], "", o.Columns[k].Difference.String(), h.Mean.String(), h.Lo.String(),
					h.Hi.String(), h.Rope.String())
				if !yield(append(append(line, regionFields(&h.P)...), strings.Join(h.Notes, "; "), h.Outcome)) {
					return false
				}
				for _, s := range h.Sets {
					line := append(of[:5:5], s.Data, s.Difference.String(), s.Mean.String(), "", "",
						h.Rope.String())
					if !yield(append(append(line, regionFields(&s.P)...), "", "")) {
						return false
					}
				}
			}
			return true
		})
	}
	return g
}

// consistencyGrid has a line for each table whose tests were repeated.
func consistencyGrid(r *report.Report) grid {
	g := grid{Fields: []string{
		"metric", "table", "repeated", "consistent", "almost_consistent",
		"mean_replicability",
	}}
	g.Lines = func(yield func([]string) bool) {
		for i := range r.Tables {
			t := &r.Tables[i]
			c := t.Consistency
			if c != nil && !yield([]string{
				t.Metric, keys(t), strconv.Itoa(c.Comparisons),
				strconv.Itoa(c.Consistent), strconv.Itoa(c.Almost), c.MeanR.String(),
			}) {
				return
			}
		}
	}
	return g
}
