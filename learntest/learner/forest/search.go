package forest

import (
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A search finds the best split of the samples of one node.
type search struct {
	samples []sample
	weight  float64
	squares float64   // sum of the squares of the weights of classes
	classes []int32   // the classes of the samples
	all     []float64 // weight of each declared class in the samples; zero between nodes
	left    []float64 // weight of each declared class to the left of a split; zero between sweeps

	best  split
	score float64

	ranks     []int32  // of the samples in a column
	order     []int32  // the samples with a number in ascending order of their ranks
	keys      []uint64 // ranks, less the least one, and samples
	spare     []uint64 // as many
	positions []int32  // of each rank in order
}

// A split sends the samples with ranks up to one to the left.
type split struct {
	column      int32 // -1 if there is no split
	rank        int32
	threshold   float64
	missingLeft bool
}

func (s *search) reset(classes int) {
	s.all, s.left = scratch.Resize(s.all, classes), scratch.Resize(s.left, classes)
	clear(s.all)
	clear(s.left)
}

// begin takes the samples of a node.
func (s *search) begin(samples []sample) {
	s.samples, s.classes, s.weight, s.squares = samples, s.classes[:0], 0, 0
	for _, x := range samples {
		if s.all[x.class] == 0 {
			s.classes = append(s.classes, x.class)
		}
		s.all[x.class] += x.weight
		s.weight += x.weight
	}
	slices.Sort(s.classes)
	for _, c := range s.classes {
		s.squares += float64(s.all[c] * s.all[c])
	}
	s.best, s.score = split{column: -1}, math.Inf(-1)
}

// end forgets the samples.
func (s *search) end() {
	for _, c := range s.classes {
		s.all[c] = 0
	}
}

// look takes the best split of a column if it is better than any before, and reports whether
// the column tells any samples apart.
func (s *search) look(w *workspace, j int32) bool {
	c := &w.columns[j]
	least, most, known := s.rank(c, w.inputs[c.input].Codes)
	if known == 0 || least == most && known == len(s.samples) {
		return false
	}
	s.sort(least, most, known)
	s.sweep(c, j, w.cfg.MinLeaf, false)
	if known < len(s.samples) {
		s.sweep(c, j, w.cfg.MinLeaf, true)
	}
	return true
}

// rank sets ranks, and returns how many ranks are not missing, with the least and the greatest
// of them.
func (s *search) rank(c *column, codes []int32) (least, most int32, known int) {
	s.ranks = scratch.Resize(s.ranks, len(s.samples))
	least, most = math.MaxInt32, -1
	if c.ranks == nil {
		for i, x := range s.samples {
			s.ranks[i] = 0
			if codes[x.row] == c.value {
				s.ranks[i] = 1
			}
			least, most = min(least, s.ranks[i]), max(most, s.ranks[i])
		}
		return least, most, len(s.samples)
	}
	none := int32(len(c.values))
	for i, x := range s.samples {
		r := c.ranks[x.row]
		if r == none {
			s.ranks[i] = missing
			continue
		}
		s.ranks[i] = r
		least, most = min(least, r), max(most, r)
		known++
	}
	return least, most, known
}

// missing is the rank of a missing number.
const missing = -1

// sort sets order.
func (s *search) sort(least, most int32, known int) {
	s.order = scratch.Resize(s.order, known)
	span := int(most) - int(least) + 1
	if span > 4*known {
		s.keys = s.keys[:0]
		for i, r := range s.ranks {
			if r != missing {
				s.keys = append(s.keys, uint64(r-least)<<32|uint64(i))
			}
		}
		s.sortKeys(span)
		for k, key := range s.keys {
			s.order[k] = int32(uint32(key))
		}
		return
	}
	s.positions = scratch.Resize(s.positions, span+1)
	clear(s.positions)
	for _, r := range s.ranks {
		if r != missing {
			s.positions[r-least+1]++
		}
	}
	for k := range span {
		s.positions[k+1] += s.positions[k]
	}
	for i, r := range s.ranks {
		if r != missing {
			s.order[s.positions[r-least]] = int32(i)
			s.positions[r-least]++
		}
	}
}

// fewKeys are sorted faster by comparing them.
const fewKeys = 128

// sortKeys sorts the keys, whose ranks are below a span and whose samples ascend: many of them by
// one byte of the ranks after the other.
func (s *search) sortKeys(span int) {
	if len(s.keys) < fewKeys {
		slices.Sort(s.keys)
		return
	}
	s.spare = scratch.Resize(s.spare, len(s.keys))
	for shift := 32; (span-1)>>(shift-32) > 0; shift += 8 {
		var at [256]int32
		for _, k := range s.keys {
			at[uint8(k>>shift)]++
		}
		sum := int32(0)
		for d, n := range at {
			at[d] = sum
			sum += n
		}
		for _, k := range s.keys {
			d := uint8(k >> shift)
			s.spare[at[d]] = k
			at[d]++
		}
		s.keys, s.spare = s.spare, s.keys
	}
}

// sides are the samples on both sides of a split. squares are sums over the classes of the squares
// of their weights.
type sides struct {
	n                         int // to the left
	weight                    float64
	leftSquares, rightSquares float64
}

// move moves a sample to the left.
func (s *search) move(at *sides, x sample) {
	left := s.left[x.class]
	right := s.all[x.class] - left
	at.n++
	at.weight += x.weight
	at.leftSquares += float64(x.weight * (float64(2*left) + x.weight))
	at.rightSquares -= float64(x.weight * (float64(2*right) - x.weight))
	s.left[x.class] = left + x.weight
}

// sweep tries all thresholds of a column, with missing values on one side. On the right, it also
// tries to tell them from all others.
func (s *search) sweep(c *column, j int32, minLeaf int, missingLeft bool) {
	at := sides{rightSquares: s.squares}
	if missingLeft {
		for i, r := range s.ranks {
			if r == missing {
				s.move(&at, s.samples[i])
			}
		}
	}
	lacking := len(s.order) < len(s.samples)
	for k, i := range s.order {
		s.move(&at, s.samples[i])
		r, last := s.ranks[i], k == len(s.order)-1
		if last && (missingLeft || !lacking) || !last && s.ranks[s.order[k+1]] == r {
			continue
		}
		right := len(s.samples) - at.n
		if at.n < minLeaf || right < minLeaf {
			continue
		}
		score := at.leftSquares/at.weight + at.rightSquares/(s.weight-at.weight)
		if !(score > s.score) {
			continue
		}
		s.score = score
		s.best = split{column: j, rank: r, threshold: math.Inf(1), missingLeft: missingLeft}
		if !lacking {
			s.best.missingLeft = at.n > right
		}
		if !last && c.ranks != nil {
			s.best.threshold = between(c.values[r], c.values[s.ranks[s.order[k+1]]])
		}
	}
	for _, c := range s.classes {
		s.left[c] = 0
	}
}

// between returns the number halfway between a and b, which is greater, or a if rounding
// makes it b.
func between(a, b float64) float64 {
	if m := float64(a/2) + float64(b/2); a <= m && m < b {
		return m
	}
	return a
}
