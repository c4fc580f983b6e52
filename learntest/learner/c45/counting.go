package c45

import (
	"math"
	"math/bits"

	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// counting finds thresholds where all instances weigh 1. The sum of x log₂ x over the classes on
// both sides, less that over the sides, is to be as great as it can.
type counting struct {
	tab     *entropy.Table
	present []int32
	ready   bool // the tables are those for all instances of the node

	column *column
	layout
	doubts doubts
	keys   []key
	cost   []int64 // of each number of instances on the left the sum of x over the sides
	sum    int64   // of x over the classes on both sides
	margin int64   // by which a threshold has to be better than one before it
	best   int64   // value of the best threshold, plus margin
	at     int     // number of keys below it
	free   bool    // thresholds cost nothing, however many there are
	probes bool    // few keys are probed, too, for tests
	probe  bool    // the first threshold that is better is as good as the best one

	rise  []int64            // of each instance of a class, in turn, by how much it raises the sum when it goes left
	first *[maxClasses]int32 // of each class the place of its first instance in rise
	next  *[maxClasses]int32 // of each class the place of the instance that goes left next

	// Two classes need none of that: one of them is 1 at a bit of the keys, the
	// other is 0.
	two  bool
	bit  int
	sums [2][]int64 // of each of them, and each number of its instances on the left, the sum of x over both sides
	ones int        // number of instances on the left of the class that is 1
}

func (r *counting) start(p *problem, present []int32, _ []int64) {
	if r.next == nil {
		r.next, r.first = new([maxClasses]int32), new([maxClasses]int32)
	}
	r.tab, r.present, r.ready, r.free = p.tab, present, false, p.cfg.NoMDL
	r.layout = p.layout
}

func (r *counting) find(c *column, keys []key, _ []int64, s *thresholds[int64]) threshold[int64] {
	known, least := len(keys), int(math.Ceil(s.least-eps))
	if known < 2*least {
		return threshold[int64]{}
	}
	if !s.all || !r.ready {
		r.prepare(s.total, known)
		r.ready = s.all
	}
	r.column, r.keys, r.margin = c, keys, s.margin
	best := r.findBest(s, known-least+1, least)
	r.keys, r.column = nil, nil
	return best
}

// findBest is find for thresholds between keys least to end-1.
func (r *counting) findBest(s *thresholds[int64], end, least int) threshold[int64] {
	keys, none := r.keys, s.sum-r.tab.Fixed[len(r.keys)]
	from, to := len(keys), len(keys)
	if len(keys) >= minPlateau {
		from, to = r.plateau(r.column, keys, len(r.present))
	}
	first, second := keys[:0], keys[:0] // the keys between which thresholds may lie
	if from >= least {
		first = keys[least-1 : min(from+1, end)]
	}
	if to < end {
		second = keys[to-1 : end]
	}
	if (len(keys) >= minProbe || r.probes) && !r.free {
		r.probe, r.best = true, none+max(r.margin, r.price(first))
		r.search(s, least, from, to, end)
		if r.probe = false; r.at == 0 {
			return threshold[int64]{}
		}
	}
	r.best = none + r.margin
	r.search(s, least, from, to, end)
	best := threshold[int64]{gain: r.best - r.margin - none, cut: r.at, left: int64(r.at)}
	if r.at > 0 && !r.free {
		r.countCuts(first, &best)
		r.countCuts(second, &best)
	}
	return best
}

// search looks for the best threshold, between keys least to end-1, and between none of the plateau.
func (r *counting) search(s *thresholds[int64], least, from, to, end int) {
	r.sum, r.at = s.sum, 0
	if !r.two {
		for _, y := range r.present {
			r.next[y] = r.first[y]
		}
	}
	r.move(min(from, least))
	r.scan(least, min(from, end))
	if from < end { // to is at least least, since the plateau is in the middle
		if from >= least {
			r.try(from)
		}
		r.skip(s.total, to)
		r.scan(to, end)
	}
}

// minProbe is the number of keys from which on it pays to ask first whether any threshold gains more
// than the number of thresholds costs.
const minProbe = 512

// price returns what thresholds cost at least, by the first ones of those between the given keys.
func (r *counting) price(keys []key) int64 {
	if len(keys) < 2 {
		return 0
	}
	n := int64(r.cuts(r.column, keys[:min(len(keys), max(len(keys)/16, 64), 2048)], &r.doubts))
	return r.tab.Fixed[n] / max(n, 1)
}

// countCuts adds the number of thresholds that may lie between keys to best. It stops where their
// number, which can only grow, costs more than the gain: most columns gain little, so that few
// keys are looked at.
func (r *counting) countCuts(keys []key, best *threshold[int64]) {
	for size := 64; len(keys) > 1; size *= 2 {
		if k := best.cuts; k > 0 && float64(r.tab.Fixed[k]) > float64(best.gain)*float64(k) {
			return
		}
		n := min(size, len(keys)-1)
		best.cuts += r.cuts(r.column, keys[:n+1], &r.doubts)
		keys = keys[n:]
	}
}

// prepare makes the tables for a number of instances of each class.
func (r *counting) prepare(total []int64, n int) {
	fixed, step := r.tab.Fixed[:n+1], r.tab.Step
	r.cost = scratch.Resize(r.cost, n+1)
	for i := range r.cost {
		r.cost[i] = fixed[i] + fixed[n-i]
	}
	if r.two = len(r.present) == 2; r.two {
		r.prepareTwo(total)
		return
	}
	r.rise = scratch.Resize(r.rise, n)
	at := int32(0)
	for _, y := range r.present {
		r.first[y] = at
		k := int32(total[y])
		rise := r.rise[at:][:k]
		for i := range rise {
			rise[i] = step[i] - step[int(k)-1-i]
		}
		at += k
	}
}

// prepareTwo is prepare for two classes.
func (r *counting) prepareTwo(total []int64) {
	fixed := r.tab.Fixed
	y, z := r.present[0], r.present[1]
	low := bits.TrailingZeros32(uint32(y ^ z))
	r.bit = int(r.classShift) + low
	if y>>low&1 != 0 {
		y, z = z, y
	}
	for i, class := range [2]int32{y, z} {
		k := total[class]
		r.sums[i] = scratch.Resize(r.sums[i], int(k)+1)
		for left := range r.sums[i] {
			r.sums[i][left] = fixed[left] + fixed[int(k)-left]
		}
	}
}

// skip moves all instances before key number to to the left.
func (r *counting) skip(total []int64, to int) {
	if r.two {
		r.ones = len(r.sums[1]) - 1 - r.count(r.keys[to:])
		r.sum = r.sums[1][r.ones] + r.sums[0][to-r.ones]
		return
	}
	for _, y := range r.present {
		r.next[y] = r.first[y] + int32(total[y])
	}
	for _, k := range r.keys[to:] {
		r.next[r.classOf(k)]--
	}
	r.sum = 0
	for _, y := range r.present {
		left := int64(r.next[y] - r.first[y])
		r.sum += r.tab.Fixed[left] + r.tab.Fixed[total[y]-left]
	}
}

// count returns the number of keys of the class that is 1.
func (r *counting) count(keys []key) (ones int) {
	for _, k := range keys {
		ones += int(k >> (r.bit & 31) & 1)
	}
	return ones
}

// move moves the first keys from the right to the left.
func (r *counting) move(to int) {
	if r.two {
		r.ones = r.count(r.keys[:to])
		r.sum = r.sums[1][r.ones] + r.sums[0][to-r.ones]
		return
	}
	for _, k := range r.keys[:to] {
		r.shift(k)
	}
}

// scan moves the keys from one number to another, and tries the threshold before
// each of them. There must be a key before them.
func (r *counting) scan(from, to int) {
	if from >= to {
		return
	}
	if r.two {
		r.scanTwo(from, to)
		return
	}
	keys := r.keys[from:to]
	cost := r.cost[from:to]
	cost = cost[:len(keys)]
	sum, rise, next, shift := r.sum, r.rise, r.next, r.classShift&31
	for i, k := range keys {
		// A processor predicts badly whether two values differ, and well whether a sum is the
		// greatest so far.
		if sum-cost[i] > r.best {
			r.sum = sum
			if r.try(from + i); r.best == math.MaxInt64 {
				return
			}
		}
		y := k >> shift & (maxClasses - 1)
		j := next[y]
		next[y] = j + 1
		sum += rise[j]
	}
	r.sum = sum
}

// shift moves one key.
func (r *counting) shift(k key) {
	y := r.classOf(k)
	r.sum += r.rise[r.next[y]]
	r.next[y]++
}

// scanTwo is scan for two classes.
func (r *counting) scanTwo(from, to int) {
	keys := r.keys[from:to]
	cost := r.cost[from:to]
	cost = cost[:len(keys)]
	bit, ones := r.bit&31, r.ones
	zeros := from - ones
	sums, others := r.sums[1], r.sums[0]
	for i, k := range keys {
		if sum := sums[ones] + others[zeros]; sum-cost[i] > r.best {
			r.sum = sum
			if r.try(from + i); r.best == math.MaxInt64 {
				return
			}
		}
		one := int(k >> bit & 1)
		ones += one
		zeros += 1 - one
	}
	r.sum = sums[ones] + others[zeros]
}

// try tries the threshold after the first i keys.
func (r *counting) try(i int) {
	if v := r.sum - r.cost[i]; v > r.best && r.parts(r.column, r.keys[i-1], r.keys[i]) {
		if r.best, r.at = v+r.margin, i; r.probe {
			r.best = math.MaxInt64 // enough is known
		}
	}
}
