package c45

import (
	"math"
	"math/bits"

	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// weighing finds thresholds where instances have weights. The sum of x log₂ x over the classes on
// both sides is brought up to date where values differ.
type weighing struct {
	tab *entropy.Table
	layout
	present []int32
	all     []side // of each class with all instances on the right
	sides   []side
}

// A side is the weight of a class, in all and left of a threshold.
type side struct {
	total, left float64
	x           float64 // sum of x log₂ x over both sides
}

func (s *weighing) start(p *problem, present []int32, total []float64) {
	s.tab, s.layout, s.present = p.tab, p.layout, present
	s.all, s.sides = scratch.Resize(s.all, len(total)), scratch.Resize(s.sides, len(total))
	for y, w := range total {
		s.all[y] = side{total: w, x: xlog2(p.tab, w)}
	}
}

func (s *weighing) find(c *column, keys []key, at []float64,
	of *thresholds[float64],
) (best threshold[float64]) {
	tab, sides, sum, known := s.tab, s.sides, of.sum, of.known
	x, l := c.x, s.layout
	if copy(sides, s.all); !of.all {
		for _, y := range s.present {
			sides[y] = side{total: of.total[y], x: xlog2(tab, of.total[y])}
		}
	}
	before := xlog2(tab, known) - sum
	exact := c.exact()
	codes := l.codes << (l.rowBits & 31)
	from, to := len(keys), len(keys)
	if len(keys) >= minPlateau {
		from, to = s.plateau(c, keys, len(s.present))
	}
	low, high := of.least-eps, known-of.least+eps // of the weight on the left
	left := 0.0
	moved := uint64(0) // classes, modulo 64, whose x and with it sum are out of date
	for i := 0; ; {
		first := keys[i]
		if i == from {
			left = known - s.skip(keys[to:], at)
			i, moved = to, math.MaxUint64
		} else {
			for {
				key := keys[i]
				r := l.rowOf(key)
				if (key^first)&codes != 0 || !exact && x[r] != x[l.rowOf(first)] {
					break
				}
				w, y := at[r], l.classOf(key)
				sides[y].left += w
				left += w
				moved |= 1 << (y & 63)
				if i++; i == len(keys) {
					return best
				}
			}
		}
		if i == len(keys) || left >= high {
			return best
		}
		if left <= low || !exact && !c.apart(x[l.rowOf(first)], x[l.rowOf(keys[i])]) {
			continue
		}
		for ; moved != 0; moved &= moved - 1 {
			for y := bits.TrailingZeros64(moved); y < len(sides); y += 64 {
				d := &sides[y]
				// xlog2 of both sides, without calls, which would put what the loops hold on the
				// stack.
				both := 0.0
				if d.left >= eps {
					both = tab.XLog2(d.left)
				}
				if right := d.total - d.left; right >= eps {
					both += tab.XLog2(right)
				}
				sum += both - d.x
				d.x = both
			}
		}
		best.cuts++
		if gain := before - (tab.XLog2(left) + tab.XLog2(known-left) - sum); gain > best.gain+of.margin {
			best.gain, best.cut, best.left = gain, i, left
		}
	}
}

// skip moves all instances without the given keys to the left, and returns the weight of
// these.
func (s *weighing) skip(keys []key, at []float64) float64 {
	for _, y := range s.present {
		d := &s.sides[y]
		d.left = d.total
	}
	right := 0.0
	for _, key := range keys {
		w := at[s.rowOf(key)]
		s.sides[s.classOf(key)].left -= w
		right += w
	}
	return right
}
