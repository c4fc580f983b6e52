package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// A division is how the instances of a node go to its branches.
type division struct {
	rows   []int32   // of whole nodes, before they are put branch after branch
	where  []int32   // of each instance the branch, -1 if the value is missing
	start  []int32   // where the instances of each branch are
	share  []float64 // the part of each branch in the instances whose value is known
	cells  []int32   // of whole nodes the number of instances of each class on each branch
	second int       // number of rows of a whole node on the first of two branches
	ready  bool      // cells belong to the node that is divided next
	done   bool      // its rows are branch after branch, too
	sides  []uint8   // of each row 1, 2 or 3 if it goes to the first of two branches, the second or both
}

// setShare sets share to the part of each branch in the known instances.
func (d *division) setShare(bags []float64, total float64) {
	d.share = scratch.Resize(d.share, len(bags))
	for b, w := range bags {
		if eq(total, 0) {
			d.share[b] = 1 / float64(len(bags))
		} else {
			d.share[b] = w / total
		}
	}
}

// classify sets where to the branches of the given rows, and start to the number of rows
// without a value, followed by the number on each branch.
func (d *division) classify(c *column, n *gnode, rows []int32) {
	d.where = scratch.Resize(d.where, len(rows))
	d.start = scratch.Resize(d.start, int(n.num)+1)
	clear(d.start)
	for i, q := range rows {
		b := n.bagOf(c, q)
		d.where[i] = b
		d.start[b+1]++
	}
}

// pass appends the instances lo to hi of x, which have been classified, to x
// again, branch after branch. Those without a value go to all branches, with
// weights in proportion to bags. It sets start to the ends of the branches.
func (d *division) pass(total float64, bags []float64, lo, hi int32, x *instances) {
	missing := d.start[0]
	d.share = scratch.Resize(d.share, len(bags))
	begin := int32(len(x.pos))
	end := begin
	for b, w := range bags {
		size := d.start[b+1]
		d.share[b] = w / total
		if missing > 0 && gr(d.share[b], 0) {
			size += missing
		}
		d.start[b] = end
		end += size
	}
	d.start[len(bags)] = end
	x.pos = extend(x.pos, int(end-begin))
	x.wt = extend(x.wt, int(end-begin))
	from := x.part(lo, hi)
	for i, b := range d.where {
		q, w := from.pos[i], from.wt[i]
		if b >= 0 {
			k := d.start[b]
			d.start[b]++
			x.pos[k], x.wt[k] = q, w
			continue
		}
		for b, s := range d.share {
			if gr(s, 0) {
				k := d.start[b]
				d.start[b]++
				x.pos[k], x.wt[k] = q, float64(s*w)
			}
		}
	}
	copy(d.start[1:], d.start) // every branch ends where the next one starts
	d.start[0] = begin
}

// markSides sets sides for the rows of a node that has two branches, which have been classified.
func (d *division) markSides(rows []int32) {
	both := uint8(0)
	for b, share := range d.share {
		if gr(share, 0) {
			both |= 1 << b
		}
	}
	for i, b := range d.where {
		if b < 0 {
			d.sides[rows[i]] = both
		} else {
			d.sides[rows[i]] = uint8(b + 1)
		}
	}
}

// sortWhole puts the rows of a whole node branch after branch, and counts them by branch and class.
func (d *division) sortWhole(c *column, n *gnode, rows, class []int32, classes int) {
	ready, done := d.ready, d.done
	if d.ready, d.done = false, false; done {
		return
	}
	if !ready {
		d.cells = scratch.Resize(d.cells, int(n.num)*classes)
		clear(d.cells)
	}
	if n.num == 2 {
		d.sortTwo(c, n, rows)
		if !ready {
			d.countTwo(rows, class, classes)
		}
		return
	}
	code := c.code
	if !ready {
		for _, q := range rows {
			d.cells[int(code[q])*classes+int(class[q])]++
		}
	}
	d.start = scratch.Resize(d.start, int(n.num))
	at := int32(0)
	for b := range d.start {
		d.start[b] = at
		for _, k := range d.cells[b*classes:][:classes] {
			at += k
		}
	}
	d.rows = append(d.rows[:0], rows...)
	for _, q := range d.rows {
		b := code[q]
		rows[d.start[b]] = q
		d.start[b]++
	}
}

// sortKeys is sortWhole for a numeric column whose keys are at hand, the first cut of which go to
// the first branch.
func (d *division) sortKeys(keys []key, l layout, cut int, rows []int32, classes int) {
	d.cells = scratch.Resize(d.cells, 2*classes)
	clear(d.cells)
	cells, side := d.cells, uint8(1)
	for _, part := range [2][]key{keys[:cut], keys[cut:]} {
		sides, to := d.sides, rows[:len(part)]
		for i, key := range part {
			q := l.rowOf(key)
			to[i], sides[q] = q, side
			cells[l.classOf(key)]++
		}
		rows, cells, side = rows[len(part):], cells[classes:], 2
	}
	d.ready, d.done = true, true
}

// sortTwo puts the rows of two branches, which are noted in sides if lists are to be dealt.
func (d *division) sortTwo(c *column, n *gnode, rows []int32) {
	d.rows = scratch.Resize(d.rows, len(rows)+1)
	if n.test == nominal {
		d.second = partition(rows, d.rows, c.code, 0)
	} else {
		d.second = partition(rows, d.rows, c.x, n.most)
	}
	if n.lists > 0 {
		for _, q := range rows[:d.second] {
			d.sides[q] = 1
		}
		for _, q := range rows[d.second:] {
			d.sides[q] = 2
		}
	}
}

// partition puts the rows whose value x is at most most before the others, which it puts aside, and
// returns their number. It has no branch that is hard to foresee for a processor, and is a function
// of its own so that all it needs fits into registers.
func partition[T int32 | float64](rows, aside []int32, x []T, most T) int {
	l, r := 0, 0
	for _, q := range rows {
		rows[l], aside[r] = q, q
		b := 0
		if x[q] > most {
			b = 1
		}
		l += 1 - b
		r += b
	}
	copy(rows[l:], aside[:r])
	return l
}

// countTwo counts the rows of two branches by branch and class.
func (d *division) countTwo(rows, class []int32, classes int) {
	left, right := d.cells[:classes], d.cells[classes:]
	for _, q := range rows[:d.second] {
		left[class[q]]++
	}
	for _, q := range rows[d.second:] {
		right[class[q]]++
	}
}
