package plot

import (
	"fmt"
	"math"
)

// A Simplex is the posterior probabilities that candidates are worse, practically equal and better: a
// point for each comparison, and one for each test over all of them.
type Simplex struct {
	Title string
	Lines []string
	Rope  string // the range of practical equality, in words
	Rows  []Row  // of which those with a Posterior are drawn
	Over  []Overall
}

// An Overall is the outcome of a Bayesian test over data sets.
type Overall struct {
	Label     string
	Posterior Regions
}

// likely is the probability from which on a region is taken for shown.
const likely = 0.95

// Picture draws the triangle.
func (s *Simplex) Picture() *Picture {
	count := [4]int{}
	for i := range s.Rows {
		if r := s.Rows[i].Posterior; r != nil {
			switch {
			case r.Worse > likely:
				count[0]++
			case r.Rope > likely:
				count[1]++
			case r.Better > likely:
				count[2]++
			default:
				count[3]++
			}
		}
	}
	p := &Picture{
		Title: s.Title, Lines: s.Lines,
		Text: fmt.Sprintf("%s: with a posterior probability above %g %d are worse, %d practically equal and %d better; %d are none of these.",
			s.Title, likely, count[0], count[1], count[2], count[3]),
		Notes: []string{"The nearer a point is to a corner, the more probable is what stands there. Filled: above 0.95. Lines: where two are as probable as one another. Numbers: worse, practically equal, better."},
	}
	if s.Rope != "" {
		p.Notes = append(p.Notes, "Practically equal: "+s.Rope+".")
	}
	p.body = s.body
	return p
}

func (s *Simplex) body(w float64) (float64, func(*pen, float64)) {
	room := w - 2*margin
	side := math.Min(room-20, 480)
	height := side * math.Sqrt(3) / 2
	var keys []key
	for i, o := range s.Over {
		keys = append(keys, key{
			fmt.Sprintf("%s: %.3f, %.3f, %.3f", o.Label, o.Posterior.Worse, o.Posterior.Rope, o.Posterior.Better),
			func(p *pen, x, y float64) { s.star(p, i, x, y, 6) },
		})
	}
	legendHeight, drawLegend := legend(keys, room)
	return height + 58 + legendHeight, func(p *pen, y0 float64) {
		left, bottom := w/2-side/2, y0+24+height
		at := func(r Regions) (x, y float64) {
			return left + side*(r.Better+r.Rope/2), bottom - height*r.Rope
		}
		line := func(s stroke, a, b Regions) {
			x0, y0 := at(a)
			x1, y1 := at(b)
			p.line(s, x0, y0, x1, y1)
		}
		corners := []Regions{{Worse: 1}, {Rope: 1}, {Better: 1}}
		middle := Regions{1. / 3, 1. / 3, 1. / 3}
		line(marginLine, middle, Regions{Worse: 0.5, Better: 0.5})
		line(marginLine, middle, Regions{Rope: 0.5, Better: 0.5})
		line(marginLine, middle, Regions{Worse: 0.5, Rope: 0.5})
		for i := range corners {
			line(axis, corners[i], corners[(i+1)%3])
		}
		top := strong
		top.align = 0.5
		p.text(top, w/2, y0+14, "practically equal")
		p.text(strong, math.Max(left-10, margin), bottom+20, "worse")
		end := strong
		end.align = 1
		p.text(end, math.Min(left+side+10, w-margin), bottom+20, "better")
		r := 5.0
		if len(s.Rows) > 60 {
			r = 4
		}
		for i := range s.Rows {
			row := &s.Rows[i]
			if row.Posterior == nil {
				continue
			}
			x, y := at(*row.Posterior)
			p.titled(fmt.Sprintf("%s: worse %.3f, practically equal %.3f, better %.3f", row.Label, row.Posterior.Worse, row.Posterior.Rope, row.Posterior.Better), func() {
				p.mark(region(*row.Posterior), x, y, r)
			})
		}
		for i, o := range s.Over {
			x, y := at(o.Posterior)
			p.titled(o.Label, func() { s.star(p, i, x, y, 8) })
		}
		drawLegend(p, margin, bottom+34)
	}
}

// region returns the outcome that a posterior amounts to.
func region(r Regions) string {
	switch {
	case r.Worse > likely:
		return regressed
	case r.Rope > likely:
		return equivalent
	case r.Better > likely:
		return improved
	}
	return inconclusive
}

// star draws the mark of a test over data sets: a cross in a ring.
func (s *Simplex) star(p *pen, n int, x, y, r float64) {
	c := []Color{purple, ink}[n%2]
	p.ring(c, x, y, r, 2)
	line := stroke{color: c, width: 1.6}
	if n%2 == 0 {
		p.line(line, x-r, y, x+r, y)
		p.line(line, x, y-r, x, y+r)
		return
	}
	d := r * math.Sqrt2 / 2
	p.line(line, x-d, y-d, x+d, y+d)
	p.line(line, x-d, y+d, x+d, y-d)
}
