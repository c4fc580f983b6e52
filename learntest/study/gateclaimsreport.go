package study

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/internal/lab"
)

// turnedSets is the number of data sets of each null on which two sets of halvings are compared.
const turnedSets = 500

func runGateClaims(ctx context.Context, cfg lab.Config) (_ *Report, err error) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return nil, err
	}
	all, err := claimNulls()
	if err != nil {
		return nil, err
	}
	sets := cfg.SetsOr(3, gateSets)
	again := min(sets, turnedSets)
	l, err := lab.Open(cfg, len(all)*(sets+again))
	if err != nil {
		return nil, err
	}
	defer l.Close(&err)
	rows := make([]claimRow, len(all))
	for i := range all {
		u := &all[i]
		found := make([]claimSet, sets)
		if err := l.Each(ctx, u.source, u.n, sets, func(ctx context.Context, s *lab.Drawn) (err error) {
			found[s.Index], err = u.judge(ctx, s)
			return err
		}); err != nil {
			return nil, err
		}
		rows[i] = newClaimRow(u, found)
		finds, turned := make([]bool, again), make([]bool, again)
		shift := oracleFinds(rows[i].sd)
		if err := l.Each(ctx, u.source, u.n, again, func(ctx context.Context, s *lab.Drawn) (err error) {
			finds[s.Index], turned[s.Index], err = u.turns(ctx, s, shift)
			return err
		}); err != nil {
			return nil, err
		}
		for j := range finds {
			rows[i].turned.N += lab.Indicator(finds[j])
			rows[i].turned.K += lab.Indicator(turned[j])
		}
	}
	return &Report{Tables: []Table{claimsTable(rows), freshTable(rows, again)}}, nil
}

// claimsTable has how often each claim holds where it is just not true.
func claimsTable(rows []claimRow) Table {
	n := rows[0].alone[0].N
	t := Table{
		Title: "Claims that are just not true",
		Notes: []string{
			fmt.Sprintf("How often claims hold on %d data sets by the default test / with a second opinion of %d halvings, too, in percent. The Monte Carlo error is %s where 5%% hold. They are judged as a test judges them, at the level 5%% or the probability 95%%: that learners differ which do not, that one improves which does not, a gain where it is just that, no regression where the loss is just the margin, equivalence where the difference is just the margin, in the direction in which more hold. A budget is the claim of no regression.",
				n, halvings[bothShort], lab.Percent(lab.Proportion{K: n / 20, N: n}.SE())),
			fmt.Sprintf("The learners come from the study gate, and a constant is added to the candidate's scores. Margins are several standard errors wide, so that one side of an equivalence decides. The gain is %v margins, as is the rope of a Bayesian improvement; the rope of the other Bayesian claims is the margin.", gained),
		},
		Columns: []string{"default / and halves m=20", "margin"},
	}
	for _, c := range falseClaims() {
		t.Columns = append(t.Columns, c.name)
	}
	for i := range rows {
		r := &rows[i]
		cells := []string{r.of.String(), fmt.Sprint(r.of.margin)}
		for c := range r.alone {
			cells = append(cells, lab.Percent(r.alone[c].Share())+" / "+lab.Percent(r.both[c].Share()))
		}
		t.Add(cells...)
	}
	return t
}

// freshTable has what false alarms are about, and how much the halvings matter.
func freshTable(rows []claimRow, again int) Table {
	t := Table{
		Title: "What false alarms are about",
		Notes: []string{
			fmt.Sprintf("Of the data sets on which the default test rejects although the learners are equally good, the share in percent on which the model that the preferred learner has learned from all examples is better than the other one's on %d fresh examples; and this share where the second opinion rejects, too. Where learners are equally good, chance has 50%%.", freshExamples),
			fmt.Sprintf("Then, of the first %d data sets with a difference that an oracle finds with %v%% power, the share on which %d other halvings turn the second opinion around, where the default test finds the difference.", again, 100*gatePower, halvings[bothShort]),
		},
		Columns: []string{
			"null", "default rejects", "preferred model better, %", "both reject",
			"preferred model better, %", "turned by other halvings, %",
		},
	}
	share := func(p lab.Proportion) string {
		if p.N == 0 {
			return ""
		}
		return lab.Percent(p.Share()) + " ± " + lab.Percent(p.SE())
	}
	for i := range rows {
		r := &rows[i]
		t.Add(r.of.String(), fmt.Sprint(r.fresh.N), share(r.fresh), fmt.Sprint(r.freshBoth.N),
			share(r.freshBoth), share(r.turned))
	}
	return t
}
