package bradford2001

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/prints"
)

// accuracies is table 1.
func (b *bb) accuracies() (study.Table, error) {
	printed := prints.Open("bb-table1")
	t := study.Table{
		Title: bbPaper + "table 1: accuracies",
		Notes: []string{
			b.shelf.Note(bbPrintedSets), bbLearners,
			"Mean accuracies over 55 partitions in percent, and the error that they have because partitions are drawn at random. The difference is in standard errors of both figures, where the print is taken to have our error: it is of data sets and learners, not of chance, where it is large. Naive Bayes leaves missing values out; where nominal ones are missing, it is also shown with missing as a value of its own.",
		},
		Columns: []string{
			"data set", "size", "printed", "learner", "partitions", "accuracy, %", "±", "printed",
			"in errors",
		},
	}
	for i, set := range b.shelf.Sets {
		row, err := printedRow(printed, 1, set.Name)
		if err != nil {
			return t, err
		}
		_, values, err := missingAsValue(set.Data)
		if err != nil {
			return t, err
		}
		for l, learner := range bbScored() {
			if !values && strings.HasSuffix(learner.name, asValue) {
				continue
			}
			for p, name := range []string{"1×10", "5×2"} {
				var of lab.Mean
				for part := range bbParts {
					x := b.found[i][p][part][l].X
					each := len(x) / (bbPartitions / bbParts)
					for from := 0; from < len(x); from += each {
						sum := 0.0
						for _, accuracy := range x[from : from+each] {
							sum += accuracy
						}
						of.Add(100 * sum / float64(each))
					}
				}
				f := printed.Figure(strings.TrimSuffix(learner.name, asValue)+" "+name, row...)
				t.Add(append([]string{set.Name, strconv.Itoa(set.Data.Len()), row[2], learner.name, name},
					prints.BesideError(of.Mean(), of.SE(), 2, f, of.SE())...)...)
			}
		}
	}
	return t, nil
}

// printedRow returns the cells of the row whose cell in a column is as given, up to the third.
func printedRow(t prints.Table, column int, name string) ([]string, error) {
	for _, row := range t.Rows {
		if row[column] == name {
			return row[:3], nil
		}
	}
	return nil, fmt.Errorf("the paper has no data set %s", name)
}

// oneSided writes a one-sided p as table 2 does.
func oneSided(p, t float64) string {
	sign := ""
	if t < 0 {
		sign = "-"
	}
	return sign + fmt.Sprintf("%.2g", p)
}

// printedConclusion returns the conclusion of the averaged t in table 2.
func printedConclusion(p prints.Figure) int {
	switch {
	case math.Abs(p.Value) > bbLevel:
		return noDifference
	case p.Text[0] == '-':
		return otherBetter
	}
	return firstBetter
}

// printedT returns the t that a p of table 2 is of.
func printedT(p prints.Figure, df float64) (float64, error) {
	if math.Abs(p.Value) == 0.5 {
		return 0, nil
	}
	t, err := stat.Result{DF: df, DF2: math.NaN()}.Critical(2 * math.Abs(p.Value))
	return math.Copysign(t, p.Value), err
}

// averages is table 2.
func (b *bb) averages() (study.Table, error) {
	printed := prints.Open("bb-table2")
	t := study.Table{
		Title: bbPaper + "table 2: the averaged t",
		Notes: []string{
			b.shelf.Note(bbPrintedSets), bbLearners,
			"The mean t of 55 partitions with the error of that, its one-sided p, negative if TDDT-1 is the less accurate one, and who is better at the 5% level (two-sided). 5×2 is the t test of ten differences, as the paper must have done it, and 5×2cv t is Dietterich's. The difference to the print is of mean t, in standard errors of both, where the print is taken to have our error; there is none where the printed p is 0. Partitions in which all differences are equal, but not 0, have no t: they are left out of the mean, and counted.",
		},
		Columns: []string{
			"data set", "against", "partitions", "mean t", "±", "p", "printed", "in errors", "better",
			"printed", "without t",
		},
	}
	for _, o := range b.outcomes {
		p := bbProcedures[o.procedure]
		row := []string{
			b.name(o), bbSubjects[o.other].name, p.name, lab.Signed(o.mean, 2),
			lab.Figure(o.se, 2), oneSided(o.p, o.mean), "", "", bbVerdicts[o.conclusion()], "",
			strconv.Itoa(o.undefined),
		}
		if column, ok := o.column(); ok {
			f := printed.Figure(column, b.name(o))
			row[6], row[9] = f.Text, bbVerdicts[printedConclusion(f)]
			if f.Value != 0 {
				theirs, err := printedT(f, p.df)
				if err != nil {
					return t, err
				}
				row[7] = prints.InErrors(o.mean-theirs, math.Sqrt2*o.se)
			}
		}
		t.Add(row...)
	}
	return t, nil
}

func slashes(n [3]int) string { return fmt.Sprintf("%d/%d/%d", n[0], n[1], n[2]) }

// conclusions is table 3.
func (b *bb) conclusions() (study.Table, error) {
	t := study.Table{
		Title: bbPaper + "table 3: conclusions of single partitions",
		Notes: []string{
			b.shelf.Note(bbPrintedSets), bbLearners,
			"Of 55 partitions, how many find the other learner better at the 5% level, neither, and TDDT-1: the order of the print, whose caption has it the other way round.",
		},
		Columns: []string{"data set"},
	}
	for other := 1; other < len(bbSubjects); other++ {
		for _, p := range bbProcedures {
			t.Columns = append(t.Columns, bbSubjects[other].name+" "+p.name)
			if p.printed != "" {
				t.Columns = append(t.Columns, "printed")
			}
		}
	}
	for i, set := range b.shelf.Sets {
		row := []string{set.Name}
		for _, o := range b.outcomes {
			if o.set != i {
				continue
			}
			row = append(row, slashes(o.counts()))
			if column, ok := o.column(); ok {
				row = append(row, slashes(printedCounts(column, set.Name)))
			}
		}
		t.Add(row...)
	}
	return t, nil
}

func printedCounts(column, set string) (n [3]int) {
	printed := prints.Open("bb-table3")
	for k, name := range []string{"first", "none", "second"} {
		n[k] = printed.Int(column+" "+name, set)
	}
	return n
}

// A bbTally is a row of table 4: how many partitions say what the averaged t says.
type bbTally struct{ accept, reject, typeI, typeII, opposite int }

func (t *bbTally) add(counts [3]int, conclusion int) {
	none := counts[noDifference+1]
	if conclusion == noDifference {
		t.accept += none
		t.typeI += counts[0] + counts[2]
		return
	}
	t.reject += counts[conclusion+1]
	t.opposite += counts[1-conclusion]
	t.typeII += none
}

func (t bbTally) all() int { return t.accept + t.reject + t.typeI + t.typeII + t.opposite }

func (t bbTally) wrong() float64 {
	return float64(t.typeI+t.typeII+t.opposite) / float64(t.all())
}

func (t bbTally) cells() []string {
	return []string{
		strconv.Itoa(t.accept), strconv.Itoa(t.reject), strconv.Itoa(t.typeI),
		strconv.Itoa(t.typeII), strconv.Itoa(t.opposite),
	}
}

// count counts partition by partition, which must come to the same as to add the counts of
// table 3 by the conclusions of table 2.
func (t *bbTally) count(o *bbOutcome) {
	all := o.conclusion()
	for _, one := range o.says {
		switch {
		case one == all && all == noDifference:
			t.accept++
		case one == all:
			t.reject++
		case all == noDifference:
			t.typeI++
		case one == noDifference:
			t.typeII++
		default:
			t.opposite++
		}
	}
}

// errors is table 4.
func (b *bb) errors() (study.Table, error) {
	t := study.Table{
		Title: bbPaper + "table 4: right and wrong conclusions of single partitions",
		Notes: []string{
			b.shelf.Note(bbPrintedSets), bbLearners,
			"If what the averaged t says is right: how many partitions rightly accept and reject, how many reject wrongly (type I), accept wrongly (type II), and find the worse learner better (opposite). The numbers were counted partition by partition; tables 2 and 3 lead to equal numbers. The share of wrong conclusions has the error that it would have if partitions were independent; the printed share is of the same data sets.",
		},
		Columns: []string{
			"against", "partitions", "accept", "reject", "type I", "type II", "opposite", "printed",
			"wrong, %", "±", "printed", "in errors",
		},
	}
	printed, two := prints.Open("bb-table4"), prints.Open("bb-table2")
	var total, printedTotal bbTally
	variance := 0.0
	for other := 1; other < len(bbSubjects); other++ {
		for p, procedure := range bbProcedures {
			var counted, follows, theirs bbTally
			squares := 0.0
			for _, o := range b.of(other, p) {
				counted.count(o)
				follows.add(o.counts(), o.conclusion())
				var one bbTally
				one.count(o)
				squares += bbPartitions * one.wrong() * (1 - one.wrong())
				if column, ok := o.column(); ok {
					theirs.add(printedCounts(column, b.name(o)), printedConclusion(two.Figure(column, b.name(o))))
				}
			}
			if counted != follows {
				return t, errors.New("the counted conclusions of single partitions differ from tables 2 and 3")
			}
			column := bbSubjects[other].name + " " + procedure.printed
			row := append([]string{bbSubjects[other].name, procedure.name}, counted.cells()...)
			se := math.Sqrt(squares) / float64(counted.all())
			if procedure.printed == "" {
				t.Add(append(row, "", lab.Percent(counted.wrong()), lab.Percent(se), "", "")...)
				continue
			}
			text := ""
			for i, kind := range []string{"accept", "reject", "type I", "type II"} {
				if i > 0 {
					text += "/"
				}
				text += strconv.Itoa(printed.Int(kind, column))
			}
			t.Add(append(row, text, lab.Percent(counted.wrong()), lab.Percent(se),
				lab.Percent(theirs.wrong()), prints.InErrors(counted.wrong()-theirs.wrong(), math.Sqrt2*se))...)
			total, printedTotal = total.plus(counted), printedTotal.plus(theirs)
			variance += squares
		}
	}
	se := math.Sqrt(variance) / float64(total.all())
	t.Add(append(append([]string{"all", "1×10 and 5×2"}, total.cells()...), "",
		lab.Percent(total.wrong()), lab.Percent(se),
		lab.Percent(printedTotal.wrong()), prints.InErrors(total.wrong()-printedTotal.wrong(),
			math.Sqrt2*se))...)
	return t, nil
}

func (t bbTally) plus(u bbTally) bbTally {
	return bbTally{
		t.accept + u.accept, t.reject + u.reject, t.typeI + u.typeI, t.typeII + u.typeII,
		t.opposite + u.opposite,
	}
}
