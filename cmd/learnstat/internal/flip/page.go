package flip

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/learnbench/learnbench/internal/htmlreport"
	"github.com/learnbench/learnbench/internal/plot"
	"github.com/learnbench/learnbench/learntest/stat/reliability"
	"github.com/learnbench/learnbench/learntest/unit"
)

// pageExamples is how many examples a section of the page shows.
const pageExamples = 200

// Page writes the pairs as one HTML file. The command is the one that makes it.
func Page(w io.Writer, title string, pairs []*Pair, notes []string, command string) error {
	p := &htmlreport.Page{
		Title: unit.Printable(title), Result: fmt.Sprintf("Predictions of %d learners before and after; nothing is judged", len(pairs)),
		Verdict: "plain", Command: unit.Printable(command), Notes: notes,
	}
	if len(pairs) == 1 {
		p.Result = "Predictions of a learner before and after; nothing is judged"
	}
	for _, pair := range pairs {
		p.Sections = append(p.Sections, pair.Section())
		if pair.Parts != nil {
			p.Sections = append(p.Sections, pair.partSection())
		}
	}
	return htmlreport.Write(w, p, plot.DarkCSS("figure"))
}

// Section returns the section of a page about the pair.
func (p *Pair) Section() htmlreport.Section {
	s := htmlreport.Section{Title: p.name(), Summary: p.Counts(), Matrix: p.matrix()}
	for _, line := range p.Lines() {
		s.Facts = append(s.Facts, htmlreport.Line{Key: line[0], Value: line[1]})
	}
	if c := p.picture(); c != nil {
		s.Pictures = []htmlreport.Picture{{Wide: c.SVG(plot.Wide), Narrow: c.SVG(plot.Narrow)}}
	}
	return s
}

// matrix shows which examples changed, and how often; nil if none did.
func (p *Pair) matrix() *htmlreport.Matrix {
	worst := worst(p.Examples)
	if len(worst) == 0 {
		return nil
	}
	before, now := p.sides()
	m := &htmlreport.Matrix{
		About: fmt.Sprintf("%d examples are right in another number of runs, the greatest losses first",
			len(worst)),
		Columns: []string{"class", "right: " + before, now},
	}
	if len(worst) > pageExamples {
		m.About += fmt.Sprintf("; here are %d, and with -format csv all", pageExamples)
		worst = append(worst[:pageExamples/2:pageExamples/2], worst[len(worst)-pageExamples/2:]...)
	}
	for _, i := range worst {
		e := p.Examples[i]
		outcome := "improved"
		if e.NewRight < e.OldRight {
			outcome = "regressed"
		}
		m.Rows = append(m.Rows, htmlreport.MatrixRow{
			Label: "example " + strconv.Itoa(i),
			Cells: []htmlreport.MatrixCell{
				{Text: unit.Printable(p.Class(i))}, {Text: hits(e.OldRight, e)}, {
					Text:    hits(e.NewRight, e),
					Outcome: outcome,
				},
			},
		})
	}
	return m
}

// picture shows the probabilities of predictions against how often these were right; nil if there
// are none.
func (p *Pair) picture() *plot.Picture {
	c := &plot.Calibration{
		Title: "Are predictions right as often as they say?", Lines: []string{p.name()},
		X: "probability of the predicted class", Y: "how often it is right",
	}
	before, now := p.sides()
	for side, name := range []string{before, now} {
		if of := p.Reliability[side]; of != nil {
			c.Groups = append(c.Groups, plot.Bins{Name: name, Bins: drawn(of, p.Runs)})
		}
	}
	if len(c.Groups) == 0 {
		return nil
	}
	return c.Picture()
}

// drawn returns the bins that have predictions. Runs predict the same examples again: the standard
// error is of one run.
func drawn(of []reliability.Bin, runs int) []plot.Bin {
	var all []plot.Bin
	for _, b := range of {
		if b.N > 0 {
			n := max(float64(b.N)/float64(runs), 1)
			all = append(all, plot.Bin{
				N: b.N, Predicted: b.Probability, Observed: b.Right,
				Error: math.Sqrt(b.Right * (1 - b.Right) / n),
			})
		}
	}
	return all
}
