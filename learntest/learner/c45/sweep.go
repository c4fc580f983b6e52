package c45

// A sweep is the evaluation of the thresholds of a numeric column for instances
// with weights.
type sweep struct {
	weighs float64 // weight of the keys
	before float64 // entropy of their classes times that
	margin float64 // by which a threshold has to be better than one before it
	best   float64 // gain of the best threshold times the weight of the node, plus margin
	cut    int     // number of keys below it
	below  float64 // their weight
	cuts   int     // number of possible thresholds
}

// search finds the best threshold. known is the weight of all keys, and sum that
// of x over their classes.
//
// While instances of one class pass from the right to the left, the gain is a
// convex function of their weight [1]: a threshold between such instances is no
// better than one of the two before and after all of them. So those between are
// passed by, and only tried if the one after them is so good that the tolerance
// may prefer one before it.
//
// [1] U. M. Fayyad & K. B. Irani, On the handling of continuous-valued
// attributes in decision tree generation, Machine Learning 8, 1992, 87-102.
func (s *weigher) search(c *column, keys []key, at []float64, known, sum, least float64) {
	margin := float64(eps * s.weight)
	s.sweep = sweep{weighs: known, before: s.xlog2(known) - sum, margin: margin, best: margin}
	sides, changed, stale := s.sides, s.changed, 0
	tight := c.minGap < tightGap
	from, to := len(keys), len(keys)
	if len(keys) >= minPlateau {
		from, to = plateau(keys, len(s.present))
	}
	low, high := least-eps, known-least+eps // of the weight on the left
	l := 0.0
	last, class := keys[0].code(), keys[0].class() // of the first of the keys of a value
	mixed := 0                                     // not 0 if others of them are of another class
	tried := false                                 // the threshold before them
	var passed passage
	for i := 0; i < len(keys); i++ {
		key := keys[i]
		w, y := at[key.row()], key.class()
		if value := key.code(); value != last {
			if l > low && (!tight || c.apart(last, value)) {
				inside := l < high
				switch {
				case inside && tried && y == class && mixed == 0 && !tight && alike(keys[i:]):
					s.cuts++
					if passed.at == 0 {
						passed = passage{i, l, sides[y].left}
					}
				case inside || passed.at > 0:
					for _, y := range changed[:stale] {
						d := &sides[y]
						x := s.xlog2(d.left) + s.xlog2(d.total-d.left)
						sum += x - d.x
						d.x, d.current = x, 1
					}
					stale = 0
					gain := s.gainAt(l, sum)
					if passed.at > 0 && gain > s.best-margin {
						s.tryPassed(keys[:i], at, sum, passed)
					}
					passed.at, tried = 0, true
					if inside {
						s.cuts++
						s.try(gain, i, l)
					}
				}
				if !inside {
					break
				}
			}
			last, class, mixed = value, y, 0
		}
		if i == from {
			l = known - s.skip(keys[to:], at)
			stale = copy(changed, s.present)
			i, mixed = to-1, 1
			continue
		}
		d := &sides[y]
		d.left += w
		l += w
		mixed |= y ^ class
		changed[stale] = int32(y) // without a branch that is hard to foresee
		stale += d.current
		d.current = 0
	}
}

// gainAt returns the gain of a threshold times the weight of the node, given the
// weight on the left and the sum of x over the classes on both sides.
func (s *weigher) gainAt(left, sum float64) float64 {
	return s.before - (s.xlog2(left) + s.xlog2(s.weighs-left) - sum)
}

// try tries the threshold after the first i keys, whose weight is given.
func (s *sweep) try(gain float64, i int, left float64) {
	if gain > s.best {
		s.best, s.cut, s.below = gain+s.margin, i, left
	}
}

// A passage is where thresholds are passed by: the number of keys before the
// first of them, their weight, and that of the class of the keys after it.
type passage struct {
	at          int
	left, class float64
}

// alike reports whether the keys of the value of the first are of its class.
func alike(keys []key) bool {
	value, class := keys[0].code(), keys[0].class()
	i := 1
	for i < len(keys) && keys[i].class() == class && keys[i].code() == value {
		i++
	}
	return i == len(keys) || keys[i].code() != value
}

// tryPassed tries the thresholds that have been passed by: p, and those after it
// that have a key after them. sum is that of x over the classes after all keys.
func (s *weigher) tryPassed(keys []key, at []float64, sum float64, p passage) {
	d := &s.sides[keys[p.at].class()]
	others := sum - d.x
	l, left := p.left, p.class
	last := keys[p.at-1].code()
	for i := p.at; i < len(keys); i++ {
		if value := keys[i].code(); value != last {
			last = value
			s.try(s.gainAt(l, others+s.xlog2(left)+s.xlog2(d.total-left)), i, l)
		}
		w := at[keys[i].row()]
		l += w
		left += w
	}
}

// skip moves all instances but those of the given keys to the left, and returns
// the weight of these.
func (s *weigher) skip(keys []key, at []float64) float64 {
	for _, y := range s.present {
		d := &s.sides[y]
		d.left, d.current = d.total, 0
	}
	right := 0.0
	for _, key := range keys {
		w := at[key.row()]
		s.sides[key.class()].left -= w
		right += w
	}
	return right
}
