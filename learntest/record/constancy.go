package record

// Constancy says whether a model made the same prediction for all test examples.
type Constancy uint8

// A model of which nothing is known counts as Varied.
const (
	Varied   Constancy = iota
	Alike              // one prediction for all, maybe by chance: for a few examples, say
	Constant           // one prediction for all, and not by chance
)

// appendConstancy appends the mark of a trial: 0 for Alike, 1 for Constant.
func appendConstancy(text []byte, c Constancy) []byte {
	if c == Varied {
		return text
	}
	return append(append(text, ' ', '0'+byte(c)-1, ' '), unitConstant...)
}

// constancies count, by the run from 1, the models that made one prediction for all test examples,
// and which of them did not do so by chance.
type constancies [][2]int

// add counts a model in a run of so many.
func (c constancies) add(run, runs int, of Constancy) constancies {
	if c == nil {
		c = make(constancies, runs)
	}
	c[run-1][0]++
	if of == Constant {
		c[run-1][1]++
	}
	return c
}

// first returns how many models of the first runs were constant, and not by chance; 0 if all of
// them were.
func (c constancies) first(runs, folds int) int {
	alike, constant := 0, 0
	for _, n := range c[:min(runs, len(c))] {
		alike, constant = alike+n[0], constant+n[1]
	}
	if alike == runs*folds {
		return 0
	}
	return constant
}

// constancy returns the constancy of the trial at a seat.
func (t *table) constancy(at seat) Constancy {
	if len(t.constant) == 0 || at.place >= len(t.constant[at.learner]) {
		return Varied
	}
	return t.constant[at.learner][at.place]
}

// setConstancy sets the constancy of the trial at a seat, which is not Varied.
func (t *table) setConstancy(at seat, of Constancy) {
	if len(t.constant) == 0 {
		t.constant = make([][]Constancy, t.learners)
	}
	c := &t.constant[at.learner]
	if at.place >= len(*c) {
		*c = lengthen(*c, len(t.testN), Varied)
	}
	(*c)[at.place] = of
}
