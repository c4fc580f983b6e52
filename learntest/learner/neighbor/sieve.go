package neighbor

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

const (
	// sieved is the number of points that a sieve takes at once. Nodes of the tree that have no
	// more are sieved rather than divided; fewer points than that are not worth a sieve.
	sieved = 1024

	// trials is the number of queries by which a search decides whether it sieves: it does if the
	// tree excludes all points but one in sparse, or fewer.
	trials, sparse = 16, 16

	// steps is the number of steps into which the range of an attribute is divided.
	steps = 255

	// A word holds the steps of three attributes, digit bits apart. The product of two words, one
	// of them in reverse order, has the scalar product of both in its middle:
	//
	//	(a + b·2²¹ + c·2⁴²)·(w + v·2²¹ + u·2⁴²) = … + (a·u + b·v + c·w)·2⁴² + …
	//
	// The three words of a panel add up to less than 2²¹ in each place, so that none runs into the
	// next.
	digit = 21
	words = 3
	panel = 3 * words

	// mostPanels bounds the sums, so that they fit into 31 bits.
	mostPanels = 64
)

// A sieve finds the points that may be near a query where a tree excludes few. It compares the
// first attributes of many points, then the next attributes of the remaining points, and so on.
// There is no early exit within a panel, since processors predict it badly.
//
// It moves each coordinate, of points and of the query, to the nearest of a few steps, so that
// squared distances are sums of small integers. As no coordinate moves by more than half a step, no
// distance over m attributes grows by more than √m steps.
type sieve struct {
	points int     // 0 if the sieve is to be filled
	full   int     // number of attributes
	grains []grain // of each panel and each point

	q     [][words]uint64 // of each panel the words of the query
	known []int64         // of each panel the sum of the squares of the query's steps up to it
	out   []float64       // of each panel the squared distance of the query to the points' range up to it

	left [sieved]residue
}

// A grain is a panel of a point.
type grain struct {
	x       [words]uint64 // 0 beyond the last attribute
	squares int32         // sum of the squares of its steps
}

// A residue is a point that is left.
type residue struct {
	point int32 // less the first of all
	sum   int32 // its squared distance in steps so far, less known
}

// step returns the step that is nearest to a coordinate from 0 to 1.
func step(x float64) uint64 { return uint64(float64(x*steps) + 0.5) }

// fill takes the full attributes of the points.
func (v *sieve) fill(p *points) {
	panels, n := min((p.full+panel-1)/panel, mostPanels), len(p.rows)
	v.points, v.full = n, min(p.full, panels*panel)
	v.q, v.known, v.out = scratch.Resize(v.q, panels), scratch.Resize(v.known, panels),
		scratch.Resize(v.out, panels)
	v.grains = scratch.Resize(v.grains, panels*n)
	for k := range panels {
		first, last := k*panel, min((k+1)*panel, v.full)
		for i := range n {
			g, squares := grain{}, uint64(0)
			for j, x := range p.x[i*p.dx+first : i*p.dx+last] {
				s := step(x)
				g.x[j/3] |= s << (j % 3 * digit)
				squares += s * s
			}
			g.squares = int32(squares)
			v.grains[k*n+i] = g
		}
	}
}

// ask sets the query, none of whose full attributes is missing.
func (v *sieve) ask(x []float64) {
	known, out := uint64(0), 0.0
	clear(v.q)
	for k := range v.known {
		for j, x := range x[k*panel : min((k+1)*panel, v.full)] {
			inside := max(0, min(x, 1))
			s := step(inside)
			v.q[k][j/3] |= s << ((2 - j%3) * digit)
			known += s * s
			out += float64((x - inside) * (x - inside))
		}
		v.known[k], v.out[k] = int64(known), out
	}
}

// limit returns the greatest sum, after panel k, of a point whose squared distance is at most the
// given one.
func (v *sieve) limit(k int, distance float64) int32 {
	m := min((k+1)*panel, v.full)
	root := float64(steps*math.Sqrt(max(0, distance-v.out[k]))) + math.Sqrt(float64(m))
	return int32(min(float64(root*root*slack)-float64(v.known[k]), 1<<30))
}

// begin takes the first panel of the points from..to-1, sieved at most, and returns how many are
// left.
func (v *sieve) begin(from, to int, distance float64) int {
	a, b, c := v.q[0][0], v.q[0][1], v.q[0][2]
	limit, n := v.limit(0, distance), 0
	grains := v.grains[from:to]
	for i := range grains {
		g := &grains[i]
		t := g.squares - g.twice(a, b, c)
		v.left[n&(sieved-1)] = residue{int32(i), t}
		n += notAbove(t, limit)
	}
	return n
}

// proceed takes another panel of the n points that are left, and returns how many are left then.
func (v *sieve) proceed(k, from, n int, distance float64) int {
	a, b, c := v.q[k][0], v.q[k][1], v.q[k][2]
	limit, m := v.limit(k, distance), 0
	grains := v.grains[k*v.points:][from:v.points]
	for _, r := range v.left[:n] {
		g := &grains[r.point]
		t := r.sum + g.squares - g.twice(a, b, c)
		v.left[m&(sieved-1)] = residue{r.point, t}
		m += notAbove(t, limit)
	}
	return m
}

// twice returns twice the scalar product with a panel of the query, given by its words.
func (g *grain) twice(a, b, c uint64) int32 {
	w := g.x[0]*a + g.x[1]*b + g.x[2]*c
	return int32(w >> (2*digit - 1) & (2<<digit - 2))
}

// notAbove returns 1 if t is at most limit, else 0, without a branch.
func notAbove(t, limit int32) int {
	return int(uint32(t-limit-1) >> 31)
}

// sift looks at the points from..to-1 that the sieve leaves.
func (s *search) sift(from, to int) {
	v, f := &s.sieve, &s.found
	for ; from < to; from += sieved {
		n := v.begin(from, min(from+sieved, to), f.bound*slack)
		for k := 1; k < len(v.q) && n > 0; k++ {
			n = v.proceed(k, from, n, f.bound*slack)
		}
		for _, r := range v.left[:n] {
			point := from + int(r.point)
			f.add(s.distance(point, f.bound), int32(point))
		}
	}
}
