package bradford2001

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/learnbench/learnbench/papers/internal/prints"
)

// group returns the group of section 3.
func (o *bbOutcome) group() int {
	n := o.counts()
	still := 0
	for _, t := range o.ts {
		still += lab.Indicator(t == 0)
	}
	switch {
	case n[0] > 0 && n[2] > 0:
		return 1
	case n[0]+n[2] > 0:
		return 2
	case 2*still <= len(o.ts):
		return 3
	}
	return 4
}

// groups holds the four groups against section 3.
func (b *bb) groups() (study.Table, error) {
	printed := prints.Open("bb-groups")
	t := study.Table{
		Title: bbPaper + "section 3: four groups of data sets",
		Notes: []string{
			b.shelf.Note(bbPrintedSets), bbLearners,
			"What the choice of a partition decides when TDDT-1 and TDDT-2 are compared by 1×10 cross-validation: 1, which of them is better; 2, whether one is; 3, neither, there is never a difference; 4, nothing: in more than half of the partitions both are right as often in all folds.",
		},
		Columns: []string{"group", "data sets", "printed", "in both", "which"},
	}
	var ours, same [5]int
	var theirs [5]int
	var names [5][]string
	for _, o := range b.of(1, 0) {
		g, p := o.group(), printed.Int("group", b.name(o))
		ours[g]++
		theirs[p]++
		same[g] += lab.Indicator(g == p)
		names[g] = append(names[g], b.name(o))
	}
	for g := 1; g <= 4; g++ {
		t.Add(strconv.Itoa(g), strconv.Itoa(ours[g]), strconv.Itoa(theirs[g]), strconv.Itoa(same[g]),
			strings.Join(names[g], ", "))
	}
	return t, nil
}

// significances is the data of one of figures 1 to 4.
func (b *bb) significances(name, what string, other, procedure int) ([]study.Table, error) {
	t := study.Table{
		Title: bbPaper + name + ": " + what,
		Notes: []string{
			b.shelf.Note(bbPrintedSets), bbLearners,
			"The significance of each partition, in order: above 0.5 TDDT-1 is the more accurate one, from 0.975 significantly so, and the other one below 0.5 and up to 0.025. Partitions without a t are left out.",
		},
		Columns: []string{"rank"},
	}
	rows := make([][]string, bbPartitions)
	for i := range rows {
		rows[i] = []string{strconv.Itoa(i + 1)}
	}
	for _, o := range b.of(other, procedure) {
		t.Columns = append(t.Columns, b.name(o))
		below, err := o.shares()
		if err != nil {
			return nil, err
		}
		slices.Sort(below)
		for i := range rows {
			cell := ""
			if i < len(below) {
				cell = lab.Figure(below[i], 4)
			}
			rows[i] = append(rows[i], cell)
		}
	}
	t.Rows = rows
	return []study.Table{t}, nil
}

// distance returns the greatest distance of the distribution of numbers to the normal
// one that has their mean and standard deviation; NaN if they do not vary.
func distance(x []float64) (m, sd, d float64) {
	var of lab.Mean
	for _, v := range x {
		of.Add(v)
	}
	n := float64(len(x))
	m, sd = of.Mean(), of.SE()*math.Sqrt(n)
	if !(sd > 0) {
		return m, sd, math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	for i, v := range sorted {
		p := 0.5 * math.Erfc(-(v-m)/sd/math.Sqrt2)
		d = max(d, math.Abs(p-float64(i)/n), math.Abs(p-float64(i+1)/n))
	}
	return m, sd, d
}

// normality is figure 5: the normal curves, for all data sets.
func (b *bb) normality() ([]study.Table, error) {
	fit := study.Table{
		Title: bbPaper + "figure 5: normal curves",
		Notes: []string{
			b.shelf.Note(bbPrintedSets), bbLearners,
			"Mean and standard deviation of the t of 55 partitions, TDDT-1 against TDDT-2 by 1×10 cross-validation; the greatest distance of their distribution to the normal one, and the distance of their significance to its own normal one. At 55 values, a normal sample exceeds 0.12 in 5% of cases. The paper prints no figure: it finds that t fits very well, and significance very poorly.",
		},
		Columns: []string{"data set", "mean t", "sd", "distance of t", "of significance"},
	}
	points := study.Table{
		Title:   bbPaper + "figure 5: four data sets",
		Notes:   []string{"The t of each partition in order, and what the normal curve has at its rank."},
		Columns: []string{"rank"},
	}
	rows := make([][]string, bbPartitions)
	for i := range rows {
		rows[i] = []string{strconv.Itoa(i + 1)}
	}
	for _, o := range b.of(1, 0) {
		below, err := o.shares()
		if err != nil {
			return nil, err
		}
		m, sd, d := distance(o.ts)
		_, _, of := distance(below)
		fit.Add(b.name(o), lab.Signed(m, 2), lab.Figure(sd, 2), lab.Figure(d, 3), lab.Figure(of, 3))
		if !slices.Contains([]string{"crx", "heart", "labor-neg", "mushroom"}, b.name(o)) {
			continue
		}
		points.Columns = append(points.Columns, b.name(o), "normal")
		sorted := slices.Sorted(slices.Values(o.ts))
		for i := range rows {
			if i >= len(sorted) {
				rows[i] = append(rows[i], "", "")
				continue
			}
			z := math.Sqrt2 * math.Erfinv(2*(float64(i)+0.5)/float64(len(sorted))-1)
			rows[i] = append(rows[i], lab.Signed(sorted[i], 3), lab.Signed(m+float64(sd*z), 3))
		}
	}
	if len(points.Columns) == 1 {
		return []study.Table{fit}, nil
	}
	points.Rows = rows
	return []study.Table{fit, points}, nil
}

// needed returns how many partitions, in their order, the first conclusion takes that they
// suffice for, and the conclusion; 0 if all do not suffice.
func (o *bbOutcome) needed() (int, replicate.Conclusion, error) {
	for n := 2; n <= len(o.ts); n++ {
		s, err := replicate.PartitionSufficiency(o.ts[:n], bbProcedures[o.procedure].df,
			bbLevel, paper.Level)
		if err != nil {
			return 0, 0, err
		}
		if s.Conclusion != replicate.TooFewPartitions {
			return n, s.Conclusion, nil
		}
	}
	return 0, replicate.TooFewPartitions, nil
}

// sufficient says how many partitions suffice.
func (b *bb) sufficient() (study.Table, error) {
	t := study.Table{
		Title: bbPaper + "section 4: partitions that suffice",
		Notes: []string{
			b.shelf.Note(bbPrintedSets), bbLearners,
			"The smallest number of partitions, in the order in which they were drawn, that suffice at the 5% level to be sure of what the averaged t says, and what that is: the better learner, or none. More than 55 where all do not suffice. The first critical value has the degrees of freedom of one partition's test; the print has the number of partitions less one. The paper prints no figure: it says that a couple suffice where the averaged p is far from 0.05.",
		},
		Columns: []string{"data set"},
	}
	for other := 1; other < len(bbSubjects); other++ {
		for _, p := range bbProcedures {
			t.Columns = append(t.Columns, bbSubjects[other].name+" "+p.name)
		}
	}
	few := make([]int, len(t.Columns)-1)
	for i, set := range b.shelf.Sets {
		row := []string{set.Name}
		for _, o := range b.outcomes {
			if o.set != i {
				continue
			}
			n, conclusion, err := o.needed()
			if err != nil {
				return t, err
			}
			cell := fmt.Sprintf("> %d", len(o.ts))
			if n > 0 {
				says := map[replicate.Conclusion]int{
					replicate.CandidateBetter: firstBetter,
					replicate.BaselineBetter:  otherBetter, replicate.NotSignificant: noDifference,
				}
				cell = fmt.Sprintf("%d %s", n, bbVerdicts[says[conclusion]])
				few[len(row)-1] += lab.Indicator(n <= 5)
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	row := []string{"5 or fewer suffice"}
	for _, n := range few {
		row = append(row, strconv.Itoa(n))
	}
	t.Add(row...)
	return t, nil
}

// combinations shows the fault of two other summaries of p: the more partitions, the
// more significant.
func (b *bb) combinations() ([]study.Table, error) {
	numbers := []int{1, 5, 10, 25, bbPartitions}
	t := study.Table{
		Title: bbPaper + "section 4: combinations that take partitions for independent",
		Notes: []string{
			b.shelf.Note(bbPrintedSets), bbLearners,
			"On how many data sets a summary of the first partitions is significant at the 5% level (two-sided): the averaged t; Fisher's combination of the one-sided p, which depends on the learner that is taken first: of either; and the signed-rank test of significances. What averages do not gain from partitions the others do.",
		},
		Columns: []string{"against", "partitions", "summary"},
	}
	for _, n := range numbers {
		t.Columns = append(t.Columns, fmt.Sprintf("%d of them", n))
	}
	for other := 1; other < len(bbSubjects); other++ {
		for p := range bbProcedures[:2] {
			var counts [3][]int
			for i := range counts {
				counts[i] = make([]int, len(numbers))
			}
			for _, o := range b.of(other, p) {
				for i, n := range numbers {
					significant, err := o.summaries(min(n, len(o.ts)))
					if err != nil {
						return nil, err
					}
					for k, is := range significant {
						counts[k][i] += lab.Indicator(is)
					}
				}
			}
			for k, name := range []string{"averaged t", "Fisher", "signed ranks"} {
				row := []string{bbSubjects[other].name, bbProcedures[p].name, name}
				for _, n := range counts[k] {
					row = append(row, strconv.Itoa(n))
				}
				t.Add(row...)
			}
		}
	}
	examples, err := bbExamples()
	return []study.Table{t, examples}, err
}

// summaries says which summaries of the first n partitions are significant.
func (o *bbOutcome) summaries(n int) (is [3]bool, err error) {
	below, err := o.shares()
	if err != nil {
		return is, err
	}
	below = below[:n]
	averaged, err := stat.AveragedT(o.ts[:n], bbProcedures[o.procedure].df, stat.TwoSided)
	if err != nil {
		return is, err
	}
	is[0] = averaged.P <= paper.Level
	above := make([]float64, n)
	evidence := make([]float64, n)
	for i, p := range below {
		above[i] = 1 - p
		evidence[i] = p - 0.5
	}
	for _, ps := range [][]float64{below, above} {
		f, err := stat.FisherCombination(ps)
		if err != nil {
			return is, err
		}
		is[1] = is[1] || f.P <= bbLevel
	}
	ranks, err := across.SignedRank(evidence, make([]float64, n), stat.TwoSided,
		across.SignedRankOptions{})
	is[2] = ranks.P <= paper.Level
	return is, err
}

// bbExamples holds the examples of section 4 against the print.
func bbExamples() (study.Table, error) {
	t := prints.NewFigureTable(bbPaper+"section 4: examples", "bb-text", "4")
	fisher := func(chi, p string, ps ...float64) error {
		r, err := stat.FisherCombination(ps)
		if err == nil {
			t.Holds(chi, r.Statistic)
			t.Holds(p, r.P)
		}
		return err
	}
	if err := fisher("χ² of p = 0.15, 0.10, 0.10", "its p", 0.15, 0.1, 0.1); err != nil {
		return t.Table, err
	}
	if err := fisher("χ² of p = 0.85, 0.90, 0.90", "its p, the learners swapped", 0.85, 0.9,
		0.9); err != nil {
		return t.Table, err
	}
	same := slices.Repeat([]float64{0.25}, bbPartitions)
	if err := fisher("χ² of 55 times p = 0.25", "its p, 110 degrees of freedom", same...); err != nil {
		return t.Table, err
	}
	for _, alpha := range []float64{0.05, 0.01} {
		for n := 1; n <= bbPartitions; n++ {
			r, err := across.SignedRank(same[:n], make([]float64, n), stat.TwoSided,
				across.SignedRankOptions{})
			if err != nil {
				return t.Table, err
			}
			if r.P <= alpha {
				t.Holds(fmt.Sprintf("partitions with p = 0.25 for a signed-rank p of %v", alpha), float64(n))
				break
			}
		}
	}
	// The t with 9 degrees of freedom whose two-sided p is 0.25.
	at, err := stat.Result{DF: 9, DF2: math.NaN()}.Critical(0.25)
	if err != nil {
		return t.Table, err
	}
	r, err := stat.AveragedT(slices.Repeat([]float64{at}, bbPartitions), 9, stat.TwoSided)
	t.Holds("averaged p of 55 times p = 0.25", r.P)
	return t.Table, err
}
