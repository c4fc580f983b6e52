package study

import (
	"context"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/internal/lab"
)

// A family is a learner on sources of one kind, which differ in how far apart the classes are.
type family struct {
	learner string
	n       int
	source  mixture // without a shift
	whole   lab.Subject
}

func (f *family) String() string {
	return fmt.Sprintf("%s, n = %d, %s", f.learner, f.n, strings.Replace(f.source.words(), ", shift 0",
		"", 1))
}

// null returns the null of a member.
func (f *family) null(shift float64) null {
	m := f.source
	m.shift = shift
	u := halved(f.learner+", "+m.words(), m, f.n, f.whole, expectedGates{})
	u.quick = true
	return u
}

// searchShifts has the shift of each member of a family.
var searchShifts = []float64{0.2, 0.3, 0.5, 0.8, 1.2, 1.6}

// searchSets is the number of data sets on which each member is tried in a full study. The worst is
// then measured on gateSets others.
const searchSets = 400

// families returns all.
func families() []family {
	var all []family
	for _, learner := range []struct {
		name  string
		whole lab.Subject
		sizes []int
	}{
		{"C4.5", lab.Tree(), []int{50, 100, 300, 1000}},
		{"1-NN", neighbors(1), []int{50, 100, 300}},
		{"5-NN", neighbors(5), []int{50, 100, 300}},
		{"naive Bayes", lab.Bayes(), []int{50, 100, 300}},
	} {
		for _, n := range learner.sizes {
			for _, attributes := range []int{2, 4, 10} {
				for _, balanced := range []bool{true, false} {
					if n == 1000 && attributes == 10 || learner.name == "5-NN" && balanced {
						continue // takes long, or is as the others
					}
					all = append(all, family{learner.name, n, mixture{
						attributes: attributes, positive: 0.5,
						balanced: balanced,
					}, learner.whole})
				}
			}
		}
	}
	for _, learner := range []string{"1-NN", "C4.5"} {
		whole := map[string]lab.Subject{"1-NN": neighbors(1), "C4.5": lab.Tree()}[learner]
		all = append(all, family{learner, 300, mixture{attributes: 10, positive: 0.1}, whole})
	}
	return all
}

// A soughtRow has the findings on a family, at each shift.
type soughtRow struct {
	of      *family
	members []gateRow
}

func runGateShift(ctx context.Context, cfg lab.Config) (*Report, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	all := families()
	var members []null
	for i := range all {
		for _, shift := range searchShifts {
			members = append(members, all[i].null(shift))
		}
	}
	rows, err := gateRows(ctx, cfg, members, cfg.SetsOr(2, searchSets), 0)
	if err != nil {
		return nil, err
	}
	sought := make([]soughtRow, len(all))
	for i := range all {
		sought[i] = soughtRow{&all[i], rows[i*len(searchShifts) : (i+1)*len(searchShifts)]}
	}
	worst := worstOf(sought)
	again := make([]null, len(worst))
	for i, w := range worst {
		again[i] = *w.row.of
	}
	// On data sets that have not decided which is the worst.
	fresh := cfg
	fresh.Seed = lab.Derive(cfg.Seed, 6)
	measured, err := gateRows(ctx, fresh, again, cfg.SetsOr(2, gateSets), 0)
	if err != nil {
		return nil, err
	}
	return &Report{Tables: []Table{soughtTable(sought), worstTable(worst, measured)}}, nil
}

// A worst member of a learner's families, by a gate.
type worstMember struct {
	learner string
	by      gate
	row     *gateRow
}

// worstOf returns the worst member of each learner by the default test, and by the second opinion.
func worstOf(sought []soughtRow) (worst []worstMember) {
	for _, g := range []gate{defaultGate, bothShort} {
		at := make(map[string]int)
		for i := range sought {
			learner := sought[i].of.learner
			for j := range sought[i].members {
				m := &sought[i].members[j]
				k, ok := at[learner]
				if !ok {
					k = len(worst)
					at[learner] = k
					worst = append(worst, worstMember{learner, g, m})
				}
				if m.rejected[g].K > worst[k].row.rejected[g].K {
					worst[k].row = m
				}
			}
		}
	}
	return worst
}

// soughtTable has the errors of the default test and of the second opinion of all members.
func soughtTable(sought []soughtRow) Table {
	first := sought[0].members[0].rejected[defaultGate]
	t := Table{
		Title: "Type I errors by how far apart the classes are",
		Notes: []string{
			fmt.Sprintf("As in the study gate, %d data sets in each cell: the default test, and both with the second opinion of %d halvings, in percent. The Monte Carlo error is %s where 5%% are wrong, and %s where 30%% are. The shift is the distance of the means of the two classes in each attribute, in standard deviations. A learner sees half of the attributes. Classes are balanced, as many examples of one as of the other, or what coins say.",
				first.N, halvings[bothShort], lab.Percent(lab.Proportion{K: first.N / 20, N: first.N}.SE()),
				lab.Percent(lab.Proportion{K: 3 * first.N / 10, N: first.N}.SE())),
		},
		Columns: []string{"default / and halves m=20"},
	}
	for _, shift := range searchShifts {
		t.Columns = append(t.Columns, fmt.Sprint(shift))
	}
	for i := range sought {
		cells := []string{sought[i].of.String()}
		for j := range sought[i].members {
			m := &sought[i].members[j]
			cells = append(cells, lab.Percent(m.rejected[defaultGate].Share())+" / "+lab.Percent(m.rejected[bothShort].Share()))
		}
		t.Add(cells...)
	}
	return t
}

// worstTable has the worst of each learner, measured again.
func worstTable(worst []worstMember, measured []gateRow) Table {
	t := Table{
		Title: "The worst of each learner",
		Notes: []string{
			fmt.Sprintf("Of each learner the data in the table above on which the default test is wrong most often, and those on which both are, measured again on %d other data sets, in percent with the Monte Carlo error. The largest of many figures overestimates; a second measurement does not.", measured[0].rejected[defaultGate].N),
		},
		Columns: []string{
			"learner", "worst by", "data", "default", "and halves m=20", "SE/sd",
			"when found",
		},
	}
	for i, w := range worst {
		r := &measured[i]
		cell := func(g gate) string {
			return lab.Percent(r.rejected[g].Share()) + " ± " + lab.Percent(r.rejected[g].SE())
		}
		by := "default"
		if w.by == bothShort {
			by = "second opinion"
		}
		t.Add(w.learner, by, r.of.String(), cell(defaultGate), cell(bothShort), lab.Figure(r.ratio, 2),
			lab.Percent(w.row.rejected[w.by].Share()))
	}
	return t
}
