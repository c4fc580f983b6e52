package flip

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/stat/flips"
	"github.com/learnbench/learnbench/learntest/stat/reliability"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Counting says how outputs number examples.
const Counting = "Examples are counted from 0, in the order of the data."

// most is how many examples a line or a table names.
const most = 20

// name says what the pair is of.
func (p *Pair) name() string {
	name := p.Data + "/" + p.New
	if p.Old != p.New {
		name += " against " + p.Old
	}
	return unit.Printable(name)
}

// sides returns what the two sides are called.
func (p *Pair) sides() (before, now string) {
	if p.Old == p.New {
		return "before", "now"
	}
	return unit.Printable(p.Old), unit.Printable(p.New)
}

// mean formats the mean count of a run.
func (p *Pair) mean(n int) string {
	if p.Runs == 1 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%.1f", float64(n)/float64(p.Runs))
}

func percent(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }

// Counts says in a sentence how many predictions have turned.
func (p *Pair) Counts() string {
	sum, runs := p.Sum(), "one run"
	if p.Runs > 1 {
		runs = fmt.Sprintf("mean of %d runs", p.Runs)
	}
	examples := strings.TrimSuffix(p.mean(sum.Compared), ".0")
	return fmt.Sprintf("%s: %s of %s turned right, %s turned wrong (negative flip rate %s), %s right in both, %s in neither; %s changed in all",
		runs, p.mean(sum.WrongToRight), examples, p.mean(sum.RightToWrong), percent(sum.NegativeRate()),
		p.mean(sum.Both), p.mean(sum.Neither), p.mean(sum.Changed))
}

// Lines are the other findings, each with its name.
func (p *Pair) Lines() [][2]string {
	lost, won := turned(p.Examples)
	before, now := p.sides()
	sum := p.Sum()
	right := func(n int) string { return percent(float64(n) / float64(sum.Compared)) }
	lines := [][2]string{
		{"lost", fmt.Sprintf("%s always right, %s never: %s", before, now, examples(lost))},
		{"won", fmt.Sprintf("%s never right, %s always: %s", before, now, examples(won))},
		{"classes", "right of each, the greatest losses first: " + p.classes()},
		{"agreement", fmt.Sprintf("%s of the predictions agree; of the predictions that either got wrong, both got %s wrong", percent(1-sum.Churn()), percent(sum.Overlap()))},
		{"oracle", fmt.Sprintf("choosing the right one of the two would score %s: %s %s, %s %s",
			percent(sum.Oracle()), before, right(sum.Both+sum.RightToWrong), now,
			right(sum.Both+sum.WrongToRight))},
	}
	if a, b := p.Reliability[0], p.Reliability[1]; a != nil || b != nil {
		lines = append(lines, [2]string{
			"calibration",
			fmt.Sprintf("expected calibration error %s %s, %s %s (%d bins)", before, calibration(a), now,
				calibration(b), bins),
		})
	}
	if p.McNemar != nil {
		lines = append(lines, [2]string{
			"test",
			fmt.Sprintf("McNemar, exact: p = %s: it sees these two models, and not how other training data would turn out", unit.FormatP(p.McNemar.P)),
		})
	}
	return lines
}

func calibration(b []reliability.Bin) string {
	if b == nil {
		return "unknown"
	}
	return percent(reliability.Error(b))
}

// mostClasses is how many classes a line names.
const mostClasses = 6

// classes says how many predictions of the examples of each class were right before, and are now.
func (p *Pair) classes() string {
	type counts struct{ class, all, before, now int }
	of := make([]counts, len(p.block.Classes))
	for i, e := range p.Examples {
		c := &of[p.block.Truth(i)]
		c.class = p.block.Truth(i)
		c.all, c.before, c.now = c.all+e.Compared, c.before+e.OldRight, c.now+e.NewRight
	}
	of = slices.DeleteFunc(of, func(c counts) bool { return c.all == 0 })
	share := func(right int, c counts) float64 { return float64(right) / float64(c.all) }
	slices.SortStableFunc(of, func(a, b counts) int {
		return cmp.Compare(share(a.now, a)-share(a.before, a), share(b.now, b)-share(b.before, b))
	})
	var texts []string
	for _, c := range of[:min(len(of), mostClasses)] {
		texts = append(texts, fmt.Sprintf("%s %s to %s", unit.Printable(p.block.Classes[c.class]),
			percent(share(c.before, c)), percent(share(c.now, c))))
	}
	text := strings.Join(texts, ", ")
	if more := len(of) - len(texts); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// turned returns the examples that were always right before and never now, and the other way round.
func turned(of []flips.Example) (lost, won []int) {
	for i, e := range of {
		switch {
		case e.Compared == 0:
		case e.OldRight == e.Compared && e.NewRight == 0:
			lost = append(lost, i)
		case e.OldRight == 0 && e.NewRight == e.Compared:
			won = append(won, i)
		}
	}
	return lost, won
}

// examples lists examples.
func examples(of []int) string {
	if len(of) == 0 {
		return "none"
	}
	var names []string
	for _, i := range of[:min(len(of), most)] {
		names = append(names, strconv.Itoa(i))
	}
	text := strings.Join(names, ", ")
	if more := len(of) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// worst returns the examples whose hits have changed, the greatest losses first.
func worst(of []flips.Example) []int {
	var all []int
	for i, e := range of {
		if e.OldRight != e.NewRight {
			all = append(all, i)
		}
	}
	gain := func(i int) float64 { return float64(of[i].NewRight-of[i].OldRight) / float64(of[i].Compared) }
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(gain(a), gain(b)) })
	return all
}

func hits(right int, e flips.Example) string { return fmt.Sprintf("%d/%d", right, e.Compared) }

// Text prints pairs, and with verbose a table of the examples that changed most.
func Text(pairs []*Pair, verbose bool) string {
	var b strings.Builder
	for _, p := range pairs {
		fmt.Fprintf(&b, "%s, %s\n", p.name(), p.Counts())
		for _, line := range p.Lines() {
			fmt.Fprintf(&b, "  %-12s %s\n", line[0], line[1])
		}
		b.WriteString(p.partText(verbose))
		if worst := worst(p.Examples); verbose && p.Parts == nil && len(worst) > 0 {
			b.WriteString(p.changed(worst))
		}
	}
	return b.String()
}

// changed prints a table of the first of some examples.
func (p *Pair) changed(of []int) string {
	before, now := p.sides()
	t := texttab.New(texttab.Group{Columns: []texttab.Column{
		{Title: "example"}, {Title: "class"}, {Title: before}, {Title: now},
	}})
	for _, i := range of[:min(len(of), most)] {
		e := p.Examples[i]
		t.Row(strconv.Itoa(i), unit.Printable(p.Class(i)), hits(e.OldRight, e), hits(e.NewRight, e))
	}
	return t.String()
}

// CSV prints a line for each example whose hits have changed. Of slices, it prints those in slices
// alone, once in each, with its name.
func CSV(pairs []*Pair) string {
	var b strings.Builder
	out := csv.NewWriter(&b)
	lines := [][]string{{
		"data", "before", "now", "example", "class", "runs", "right_before",
		"right_now",
	}}
	sliced := slices.ContainsFunc(pairs, func(p *Pair) bool { return p.Parts != nil })
	if sliced {
		lines[0] = append(lines[0], "slice")
	}
	for _, p := range pairs {
		add := func(of []int, slice ...string) {
			for _, i := range of {
				e := p.Examples[i]
				lines = append(lines, append([]string{
					unit.Printable(p.Data), unit.Printable(p.Old), unit.Printable(p.New), strconv.Itoa(i),
					unit.Printable(p.Class(i)),
					strconv.Itoa(e.Compared), strconv.Itoa(e.OldRight), strconv.Itoa(e.NewRight),
				}, slice...))
			}
		}
		if !sliced {
			add(worst(p.Examples))
		}
		for _, s := range p.Parts {
			add(s.original(worst(s.Tally.Examples)), unit.Printable(s.Name))
		}
	}
	_ = out.WriteAll(lines) // a strings.Builder takes all
	return b.String()
}
