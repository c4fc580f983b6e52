package flip

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/internal/htmlreport"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/stat/flips"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Afterwards says what slices prove that are chosen when the predictions are there.
const Afterwards = "slices were chosen afterwards: try their findings on other data; learnbench score -slice has their scores, for verdicts by learnstat -slices"

// A Part is what became of the examples of a slice.
type Part struct {
	Name string

	flips.Tally

	rows []int // example rows[i] has Tally.Examples[i]
	of   *Pair
}

// Divide divides pairs into slices of their data sets. It returns notes on data sets without
// slices.
//
// The error says that slices are of other data than the predictions, or that no pair is of a data
// set that has slices.
func Divide(pairs []*Pair, sliced map[string]predictions.Slices) (notes []string, err error) {
	used := make(map[string]bool)
	var names []string
	for _, p := range pairs {
		of, ok := sliced[p.Data]
		if !slices.Contains(names, p.Data) {
			names = append(names, p.Data)
			if !ok {
				notes = append(notes, p.Data+": there are no slices of it")
			}
		}
		if !ok {
			continue
		}
		used[p.Data] = true
		if err := of.Check(p.block); err != nil {
			return nil, fmt.Errorf("%v: %w", p.block.Pos, err)
		}
		for _, s := range of.Of {
			part, err := p.part(s)
			if err != nil {
				return nil, fmt.Errorf("%s: slice %s: %w", p.Data, s.Name, err)
			}
			p.Parts = append(p.Parts, part)
		}
	}
	for name := range sliced {
		if !used[name] {
			return nil, fmt.Errorf("no predictions are compared on data set %q, but on %s", name,
				unit.Quoted(names))
		}
	}
	return notes, nil
}

// part counts the flips on the examples of a slice. The slice may have none that were predicted.
func (p *Pair) part(s predictions.Slice) (*Part, error) {
	part := &Part{Name: s.Name, of: p}
	for _, i := range s.Rows {
		if p.Examples[i].Compared > 0 {
			part.rows = append(part.rows, i)
		}
	}
	if len(part.rows) == 0 {
		return part, nil
	}
	take := func(from func(example int) int) []int {
		of := make([]int, len(part.rows))
		for k, i := range part.rows {
			of[k] = from(i)
		}
		return of
	}
	truth := take(p.block.Truth)
	for _, r := range p.predicted {
		before, now := classes(r[0], p.block.Examples), classes(r[1], p.block.Examples)
		err := part.Add(truth, take(func(i int) int { return before[i] }),
			take(func(i int) int { return now[i] }))
		if err != nil {
			return nil, err
		}
	}
	return part, nil
}

// tooSmall reports whether the slice has too few examples to say anything.
func (s *Part) tooSmall() bool { return len(s.rows) < verdict.LeastMembers }

// cells are the counts of the slice, in the order of partColumns.
func (s *Part) cells() []string {
	if len(s.rows) == 0 {
		return []string{"0", "", "", "", "", "", "", "none predicted"}
	}
	c, p := s.Sum(), s.of
	before, now := c.Both+c.RightToWrong, c.Both+c.WrongToRight
	share := func(n int) float64 { return 100 * float64(n) / float64(c.Compared) }
	note := ""
	if s.tooSmall() {
		note = fmt.Sprintf("too small (%d)", verdict.LeastMembers)
	}
	net, points := p.mean(c.WrongToRight-c.RightToWrong), "0.0"
	if c.WrongToRight != c.RightToWrong {
		points = fmt.Sprintf("%+.1f", share(now)-share(before))
	}
	if c.WrongToRight > c.RightToWrong {
		net = "+" + net
	}
	return []string{
		strconv.Itoa(len(s.rows)), p.mean(c.RightToWrong), p.mean(c.WrongToRight), net,
		fmt.Sprintf("%.1f%%", share(before)), fmt.Sprintf("%.1f%%", share(now)),
		points, note,
	}
}

// partColumns are the titles of the counts.
func (p *Pair) partColumns() []string {
	before, now := p.sides()
	return []string{"n", "to wrong", "to right", "net", before, now, "points", ""}
}

// lists says in a line for each slice which of its examples have turned in all runs.
func (p *Pair) lists() [][2]string {
	var lines [][2]string
	for _, s := range p.Parts {
		lost, won := turned(s.Tally.Examples)
		if len(lost)+len(won) == 0 {
			continue
		}
		lines = append(lines, [2]string{unit.Printable(s.Name), fmt.Sprintf("lost: %s; won: %s",
			examples(s.original(lost)), examples(s.original(won)))})
	}
	return lines
}

// original returns the examples by their numbers in the data.
func (s *Part) original(of []int) []int {
	var all []int
	for _, k := range of {
		all = append(all, s.rows[k])
	}
	return all
}

// partText prints the slices of a pair.
func (p *Pair) partText(verbose bool) string {
	if len(p.Parts) == 0 {
		return ""
	}
	columns := []texttab.Column{{Title: "slice"}}
	for _, title := range p.partColumns() {
		columns = append(columns, texttab.Column{Title: title, Align: texttab.Right, TitleAlign: texttab.Right})
	}
	columns[len(columns)-1].Align = texttab.Left
	t := texttab.New(texttab.Group{Columns: columns})
	for _, s := range p.Parts {
		t.Row(append([]string{unit.Printable(s.Name)}, s.cells()...)...)
	}
	var b strings.Builder
	b.WriteString(t.String())
	lists, width := p.lists(), 0
	for _, line := range lists {
		width = max(width, texttab.Width(line[0]))
	}
	for _, line := range lists {
		pad := strings.Repeat(" ", width-texttab.Width(line[0]))
		fmt.Fprintf(&b, "  %s%s  %s\n", line[0], pad, line[1])
	}
	if verbose {
		for _, s := range p.Parts {
			if worst := s.original(worst(s.Tally.Examples)); len(worst) > 0 {
				fmt.Fprintf(&b, "%s\n%s", unit.Printable(s.Name), p.changed(worst))
			}
		}
	}
	return b.String()
}

// partSection returns the section of a page about the slices of a pair.
func (p *Pair) partSection() htmlreport.Section {
	s := htmlreport.Section{
		Title: "Slices of " + p.name(), Notes: []string{"The " + Afterwards + "."},
		Matrix: &htmlreport.Matrix{
			About:   "Turned wrong and turned right, mean of a run, and the share that is right",
			Columns: p.partColumns(),
		},
	}
	for _, part := range p.Parts {
		row := htmlreport.MatrixRow{Label: unit.Printable(part.Name)}
		for _, text := range part.cells() {
			row.Cells = append(row.Cells, htmlreport.MatrixCell{Text: text})
		}
		s.Matrix.Rows = append(s.Matrix.Rows, row)
	}
	for _, line := range p.lists() {
		s.Facts = append(s.Facts, htmlreport.Line{Key: line[0], Value: line[1]})
	}
	return s
}
