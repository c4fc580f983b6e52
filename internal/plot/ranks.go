package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Ranks are the mean ranks of columns over data sets, and which of them do not differ by a test of
// each pair.
type Ranks struct {
	Title   string
	Lines   []string
	Columns []RankedColumn
	Alpha   float64
	Pairs   []RankedPair // of columns, each once
}

// A RankedColumn is a compared column, by default a learner.
type RankedColumn struct {
	Label string
	Rank  float64 // mean; 1 is the best
}

// A RankedPair has the adjusted p of two columns, by index.
type RankedPair struct {
	A, B int
	P    float64
}

// maxCliques is how many cliques there is room for. There can be as many as 3^(n/3).
const maxCliques = 24

// Cliques returns the largest groups of columns of which no two differ at level Alpha, by index in
// the order of their mean ranks, those with the best rank first, and whether there are more of
// them. Groups of one are left out.
//
// Tests of each pair do not look at other columns, so that two columns may differ where two that
// are farther apart in rank do not. A group is therefore not always one of neighbours.
func (r *Ranks) Cliques() (groups [][]int, more bool) {
	n := len(r.Columns)
	place := make([]int, n) // of a column in the order of ranks
	for i, c := range r.order() {
		place[c] = i
	}
	near := make([][]bool, n) // by place
	for i := range near {
		near[i] = make([]bool, n)
	}
	for _, p := range r.Pairs {
		if !(p.P <= r.Alpha) {
			a, b := place[p.A], place[p.B]
			near[a][b], near[b][a] = true, true
		}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	// Bron and Kerbosch's algorithm, with a pivot.
	var expand func(group, candidates, done []int)
	expand = func(group, candidates, done []int) {
		if len(candidates) == 0 && len(done) == 0 {
			if len(group) > 1 {
				groups = append(groups, slices.Sorted(slices.Values(group)))
			}
			return
		}
		if more = more || len(groups) > maxCliques; more {
			return
		}
		pivot, most := -1, -1
		for _, c := range slices.Concat(candidates, done) {
			count := 0
			for _, o := range candidates {
				if near[c][o] {
					count++
				}
			}
			if count > most {
				pivot, most = c, count
			}
		}
		neighbours := func(of []int, c int) []int {
			return slices.DeleteFunc(slices.Clone(of), func(o int) bool { return !near[c][o] })
		}
		for _, c := range slices.Clone(candidates) {
			if near[pivot][c] {
				continue
			}
			expand(append(slices.Clone(group), c), neighbours(candidates, c), neighbours(done, c))
			candidates = slices.DeleteFunc(candidates, func(o int) bool { return o == c })
			done = append(done, c)
		}
	}
	expand(nil, all, nil)
	slices.SortFunc(groups, slices.Compare[[]int])
	if len(groups) > maxCliques {
		groups, more = groups[:maxCliques], true
	}
	return groups, more
}

// order returns the columns by mean rank.
func (r *Ranks) order() []int {
	order := make([]int, len(r.Columns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(r.Columns[a].Rank,
			r.Columns[b].Rank)
	})
	return order
}

// Picture draws a row for each column, the best first, and a bar for each clique, with dots where
// its members are.
func (r *Ranks) Picture() *Picture {
	groups, more := r.Cliques()
	p := &Picture{Title: r.Title, Lines: r.Lines, Notes: []string{
		"A bar joins columns of which no two differ; a dot says which. The tests are of each pair alone: ranks only order the rows.",
	}}
	if more {
		p.Notes = append(p.Notes, fmt.Sprintf("There are more such groups: the first %d are shown.",
			len(groups)))
	}
	order := r.order()
	if len(order) > 0 {
		p.Text = fmt.Sprintf("%s: best %s with mean rank %.3g, last %s with %.3g; %d groups without a difference.", r.Title,
			r.Columns[order[0]].Label, r.Columns[order[0]].Rank, r.Columns[order[len(order)-1]].Label,
			r.Columns[order[len(order)-1]].Rank, len(groups))
	}
	p.body = func(w float64) (float64, func(*pen, float64)) { return r.body(w, order, groups) }
	return p
}

func (r *Ranks) body(w float64, order []int, groups [][]int) (float64, func(*pen, float64)) {
	room := w - 2*margin
	const pitch, head = 24.0, 34
	label := write{color: ink, size: normal}
	labels := 40.0
	for _, c := range r.Columns {
		labels = math.Max(labels, label.room(c.Label)+12)
	}
	labels = math.Min(labels, 0.4*room)
	bars := math.Min(14*float64(len(groups))+10, 0.3*room)
	n := float64(len(order))
	s := exactly(0.6, math.Max(n+0.4, 2.4))
	s.ticks = nil
	step := 1
	for n/float64(step) > 10 {
		step *= 2
	}
	for i := 1; i <= len(order); i += step {
		s.ticks = append(s.ticks, tick{float64(i), fmt.Sprint(i)})
	}
	return head + pitch*n + 22, func(p *pen, y0 float64) {
		f := &frame{
			x: s, left: margin + labels, right: margin + room - bars, top: y0 + head,
			bottom: y0 + head + pitch*n,
		}
		p.text(write{color: dim, size: small}, f.left, y0+10, "mean rank: left is better")
		for i := range order {
			if y := f.top + pitch*float64(i); i%2 == 1 {
				p.rect(shade, margin, y, margin+room, y+pitch)
			}
		}
		f.gridX(p, true)
		for i, c := range order {
			y := f.top + pitch*(float64(i)+0.5)
			p.label(label, margin+2, y+4.5, labels-10, r.Columns[c].Label)
			p.titled(fmt.Sprintf("%s: mean rank %.4g", r.Columns[c].Label, r.Columns[c].Rank), func() {
				p.line(stroke{color: blue, width: 1.2}, f.left, y, f.px(r.Columns[c].Rank), y)
				p.disc(blue, f.px(r.Columns[c].Rank), y, 5)
			})
		}
		pitchX := math.Min(14, (bars-10)/math.Max(float64(len(groups)), 1))
		for i, g := range groups {
			x := f.right + 12 + pitchX*float64(i)
			at := func(place int) float64 { return f.top + pitch*(float64(place)+0.5) }
			p.line(stroke{color: ink, width: 2.6}, x, at(g[0]), x, at(g[len(g)-1]))
			for _, place := range g {
				p.disc(ink, x, at(place), 4)
			}
		}
	}
}
