package c45

import (
	"math"
	"math/bits"
)

// A sweep is the evaluation of the thresholds of a numeric column for instances
// with weights.
type sweep struct {
	margin float64 // by which a threshold has to be better than one before it
	best   float64 // gain of the best threshold times the weight of the node, plus margin
	cut    int     // number of keys below it
	below  float64 // their weight
	cuts   int     // number of possible thresholds
}

// search finds the best threshold. known is the weight of all keys, and sum that
// of x over their classes.
func (s *weigher) search(c *column, keys []key, at []float64, known, sum, least float64) {
	margin := float64(eps * s.weight)
	s.sweep = sweep{margin: margin, best: margin}
	tab, sides, before := s.tab, s.sides, s.xlog2(known)-sum
	tight := c.minGap < tightGap
	from, to := len(keys), len(keys)
	if len(keys) >= minPlateau {
		from, to = plateau(keys, len(s.present))
	}
	low, high := least-eps, known-least+eps // of the weight on the left
	l := 0.0
	moved := uint64(0) // classes, modulo 64, whose x and with it sum are out of date
	for i := 0; ; {
		value := keys[i].code()
		if i == from {
			l = known - s.skip(keys[to:], at)
			i, moved = to, math.MaxUint64
		} else {
			for {
				key := keys[i]
				if key.code() != value {
					break
				}
				w, y := at[key.row()], key.class()
				sides[y].left += w
				l += w
				moved |= 1 << (y & 63)
				if i++; i == len(keys) {
					return
				}
			}
		}
		if i == len(keys) || l >= high {
			return
		}
		if l <= low || tight && !c.apart(value, keys[i].code()) {
			continue
		}
		for ; moved != 0; moved &= moved - 1 {
			for y := bits.TrailingZeros64(moved); y < len(sides); y += 64 {
				d := &sides[y]
				// xlog2 of both sides, without calls, which would put what the loops hold on the stack.
				x := 0.0
				if d.left >= eps {
					x = tab.XLog2(d.left)
				}
				if right := d.total - d.left; right >= eps {
					x += tab.XLog2(right)
				}
				sum += x - d.x
				d.x = x
			}
		}
		s.cuts++
		if gain := before - (tab.XLog2(l) + tab.XLog2(known-l) - sum); gain > s.best {
			s.best, s.cut, s.below = gain+margin, i, l
		}
	}
}

// skip moves all instances but those of the given keys to the left, and returns
// the weight of these.
func (s *weigher) skip(keys []key, at []float64) float64 {
	for _, y := range s.present {
		d := &s.sides[y]
		d.left = d.total
	}
	right := 0.0
	for _, key := range keys {
		w := at[key.row()]
		s.sides[key.class()].left -= w
		right += w
	}
	return right
}
