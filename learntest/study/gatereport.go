package study

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/internal/lab"
)

// gatesTable returns a table with a figure for each gate in each row, in percent with its Monte
// Carlo error.
func gatesTable(title string, rows []gateRow, figures func(*gateRow) [numGates]lab.Proportion,
	notes ...string,
) Table {
	t := Table{Title: title, Notes: notes, Columns: []string{"null", "data sets"}}
	for g := range numGates {
		t.Columns = append(t.Columns, g.String())
	}
	for i := range rows {
		found := figures(&rows[i])
		cells := []string{rows[i].of.String(), fmt.Sprint(found[0].N)}
		for _, p := range found {
			cells = append(cells, lab.Percent(p.Share())+" ± "+lab.Percent(p.SE()))
		}
		t.Add(cells...)
	}
	return t
}

// gateTable has the gates side by side.
func gateTable(rows []gateRow) Table {
	return typeITable(rows,
		"One learner in a row: it sees two halves of ten attributes that are alike: two normal classes are 0.8 standard deviations apart in each (1.2 with 10% positives, 0.5 for C4.5 on 50 examples), or, for least squares, the attributes add up to the number to be predicted. With coins it sees a half that is drawn in each trial. 1-NN and naive Bayes are on a mixture of two attributes on which they are equally good, C4.5 and naive Bayes on source 1 of the simulated networks.",
		"Then come the data that are hardest on a test. Trees on weak attributes split or stay a root, which all folds of a data set have in common; classes are balanced, as many examples of one as of the other, or what coins say. Twisted is a mixture of four attributes on which C4.5 and naive Bayes are equally good with 270 examples, and not with half of them. Groups have 1 to 16 examples with a deviation of 0.7 in common, and the protocol keeps them together. Random forests are on the first mixture; each trial draws the seed of its trees.",
	)
}

// typeITable has the gates side by side, and notes on the data.
func typeITable(rows []gateRow, notes ...string) Table {
	t := gatesTable("Type I errors of gates", rows,
		func(r *gateRow) [numGates]lab.Proportion { return r.rejected },
		append([]string{fmt.Sprintf("How often a gate rejects, at %v%% and in either direction, on data sets without any difference, in percent, with the Monte Carlo error: the default test alone, with the halves test as a second opinion (both have to reject), with another ratio of test to training examples; the calibrated degrees of freedom of Bouckaert (2003); and what takes the 100 folds for independent, the paired t test (which is b03-use-all-data) and an unpaired U test, as benchstat has it. SE/sd is the standard error of the default test in units of the true standard deviation.",
			100*gateLevel)}, notes...)...)
	t.Columns = append(t.Columns, "SE/sd")
	for i := range rows {
		t.Rows[i] = append(t.Rows[i], lab.Figure(rows[i].ratio, 2))
	}
	return t
}

// gatePowerTable has what the gates find where there is a difference.
func gatePowerTable(rows []gateRow) Table {
	return gatesTable("Power of gates", rows,
		func(r *gateRow) [numGates]lab.Proportion { return r.power },
		fmt.Sprintf("How often a gate finds the candidate better, in percent of the first of these data sets, if a constant is added to its score in each trial: as much as a test at %v%% that knows the standard deviation of the mean difference finds with %v%% power. A gate that finds it more often does so because it rejects too often without any difference, too.",
			100*gateLevel, 100*gatePower))
}

// elsewhereSets is the number of data sets that the expected figures are taken to be of:
// they are of 300 to 2,000.
const elsewhereSets = 1000

// gateBeside compares the figures with the expected ones.
func gateBeside(rows []gateRow) Table {
	t := Table{
		Title: "Type I errors and power beside those expected",
		Notes: []string{
			fmt.Sprintf("Expected are figures that were measured with other code on sources of the same kind, but not the same sources. The difference is in standard errors of both figures, where an expected one has the error of %d data sets.", elsewhereSets),
		},
		Columns: []string{
			"null", "gate", "rejects, %", "±", "expected", "in errors",
			"SE/sd", "expected",
		},
	}
	for i := range rows {
		row, u := &rows[i], rows[i].of
		for g := range numGates {
			if e := u.expected.of(g); !math.IsNaN(e) || g == defaultGate && u.expected.ratio != 0 {
				cells := append([]string{u.String(), g.String()}, row.rejected[g].Beside(e, elsewhereSets)...)
				if g == defaultGate {
					t.Add(append(cells, lab.Figure(row.ratio, 2), lab.Figure(orNaN(u.expected.ratio), 2))...)
				} else {
					t.Add(append(cells, "", "")...)
				}
			}
		}
		for g := range numGates {
			if e := u.expected.power(g); !math.IsNaN(e) {
				cells := append([]string{u.String(), "power of " + g.String()},
					row.power[g].Beside(e, elsewhereSets)...)
				t.Add(append(cells, "", "")...)
			}
		}
	}
	return t
}
