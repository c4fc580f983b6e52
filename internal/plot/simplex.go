package plot

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Simplex is the posterior probabilities that candidates are worse, practically equal and better:
// a point for each comparison, and one for each test over all of them.
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
	if count[0]+count[1]+count[2]+count[3] > 1 {
		p.Notes = append(p.Notes, "A number counts points in one place, which has them as its title.")
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
			fmt.Sprintf("%s: %.3f, %.3f, %.3f", o.Label, o.Posterior.Worse, o.Posterior.Rope,
				o.Posterior.Better),
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
		taken := []box{{w/2 - 60, y0, w/2 + 60, y0 + 18}, {0, bottom + 8, w, bottom + 24}}
		crowds(p, w, r, s.points(p, at, r), taken)
		for i, o := range s.Over {
			x, y := at(o.Posterior)
			p.titled(o.Label, func() { s.star(p, i, x, y, 8) })
		}
		drawLegend(p, margin, bottom+34)
	}
}

// A place has points less than a radius apart, which look like one.
type place struct {
	x, y float64
	rows []*Row
}

// points draws the points and returns their places. The title of a place names all of its points.
func (s *Simplex) points(p *pen, at func(Regions) (x, y float64), r float64) []*place {
	var places []*place
	for i := range s.Rows {
		row := &s.Rows[i]
		if row.Posterior == nil {
			continue
		}
		x, y := at(*row.Posterior)
		here := slices.IndexFunc(places, func(o *place) bool { return math.Hypot(o.x-x, o.y-y) < r })
		if here < 0 {
			here = len(places)
			places = append(places, &place{x: x, y: y})
		}
		places[here].rows = append(places[here].rows, row)
	}
	const named = 10
	for _, o := range places {
		var titles []string
		for _, row := range o.rows[:min(len(o.rows), named)] {
			titles = append(titles, fmt.Sprintf("%s: worse %.3f, practically equal %.3f, better %.3f",
				row.Label, row.Posterior.Worse, row.Posterior.Rope, row.Posterior.Better))
		}
		title := strings.Join(titles, "; ")
		if n := len(o.rows); n > 1 {
			title = fmt.Sprintf("%d in one place: %s", n, title)
			if n > named {
				title += fmt.Sprintf("; and %d more", n-named)
			}
		}
		p.titled(title, func() {
			for _, row := range o.rows {
				x, y := at(*row.Posterior)
				p.mark(region(*row.Posterior), x, y, r)
			}
		})
	}
	return places
}

// crowds writes how many points the places have, the largest numbers first, as far as there is room
// that is not taken: outside of the triangle where a place is at its edge, and away from marks if
// that can be.
func crowds(p *pen, w, r float64, places []*place, taken []box) {
	var marks []box
	var several []*place
	for _, o := range places {
		marks = append(marks, box{o.x - r, o.y - r, o.x + r, o.y + r})
		if len(o.rows) > 1 {
			several = append(several, o)
		}
	}
	slices.SortStableFunc(several, func(a, b *place) int { return len(b.rows) - len(a.rows) })
	ink := write{color: ink, size: small}
	for _, o := range several {
		text := strconv.Itoa(len(o.rows))
		width := ink.room(text)
		left := box{o.x - r - 3 - width, o.y - 7, o.x - r - 3, o.y + 7}
		right := box{o.x + r + 3, o.y - 7, o.x + r + 3 + width, o.y + 7}
		if o.x >= w/2 {
			left, right = right, left
		}
		rooms := []box{
			left, right,
			{o.x - width/2, o.y - r - 16, o.x + width/2, o.y - r - 2},
			{o.x - width/2, o.y + r + 2, o.x + width/2, o.y + r + 16},
		}
		free := func(avoid []box) int {
			return slices.IndexFunc(rooms, func(b box) bool {
				return b.x0 >= 0 && b.x1 <= w &&
					!slices.ContainsFunc(avoid, b.overlaps)
			})
		}
		at := free(slices.Concat(taken, marks))
		if at < 0 {
			at = free(taken)
		}
		if at >= 0 {
			p.text(ink, rooms[at].x0, rooms[at].y1-3.5, text)
			taken = append(taken, rooms[at])
		}
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
