package simulation

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/learnbench/learnbench/internal/lab"
)

// miss is how far a network is from its target: what counts most is the difference.
func (t target) miss(g grade) float64 {
	gap, bayes, tree := g.gap.Mean()-t.gap, g.bayes.Mean()-t.bayes, g.tree.Mean()-t.tree
	half := 0.0
	if t.arrows > 0 {
		half = max(0, g.half.Mean()-t.half)
	}
	return math.Sqrt(float64(4*gap*gap) + float64(bayes*bayes) + float64(tree*tree) +
		float64(half*half))
}

// near is the miss at which a search ends, which is larger where there is one more aim.
func (t target) near() float64 {
	if t.arrows > 0 {
		return 0.3
	}
	return 0.15
}

// search looks for a network that meets the target: from a random one, it takes any change
// that brings it nearer, on the same random numbers. A network that is near on these has
// to be near on many others, or the search goes on with others. Without a difference to
// find, the network has no arrows.
func (t target) search(ctx context.Context, parallel int) (*lab.Network, error) {
	const attributes, few, sets, many, steps = 10, 15, 60, 1000, 10_000
	if t.gap == 0 {
		return lab.Independent(t.name, attributes, 0.5, t.seed)
	}
	rng := rand.New(rand.NewPCG(t.seed, 0x589965cc75374cc3))
	seed := rng.Uint64()
	grade := func(n *lab.Network, sets int) (float64, error) {
		g, err := gradeOf(ctx, n, sets, seed, parallel, t.arrows > 0)
		return t.miss(g), err
	}
	best, rough, miss := t.augmented(rng, attributes), math.Inf(1), math.Inf(1)
	for range steps {
		next := best
		if miss < math.Inf(1) {
			next = t.changed(best, rng)
		}
		r, err := grade(next, few)
		if err != nil {
			return nil, err
		}
		if r > rough+0.5 {
			continue // most changes make it worse, and few data sets are enough to see that
		}
		m, err := grade(next, sets)
		if err != nil {
			return nil, err
		}
		if m < miss {
			best, rough, miss = next, r, m
		}
		if miss > t.near() {
			continue
		}
		seed = rng.Uint64()
		if m, err = grade(best, many); m <= 2*t.near() || err != nil {
			return best, err
		}
		rough, miss = math.Inf(1), math.Inf(1)
	}
	return nil, fmt.Errorf("%w: no network like %s found in %d steps: try another seed", lab.ErrConfig,
		t.name, steps)
}

// augmented draws a network of equally frequent classes: naive Bayes, and for every second
// attribute an arrow from one before it.
func (t target) augmented(rng *rand.Rand, attributes int) *lab.Network {
	n := &lab.Network{Name: t.name, Class: 0.5}
	for j := range attributes {
		a := lab.Variable{Name: "a" + strconv.Itoa(j+1), Parents: []int{0}}
		switch {
		case t.arrows > 0:
			a.Parents = append(a.Parents, t.arrowsTo(j, rng)...)
		case j%2 == 1:
			a.Parents = append(a.Parents, 1+rng.IntN(j))
		}
		t.draw(&a, rng)
		n.Attributes = append(n.Attributes, a)
	}
	return n
}

// arrowsTo draws attributes before attribute j, counted from 0, as many as there are or as arrows
// says, in their order.
func (t target) arrowsTo(j int, rng *rand.Rand) []int {
	from := rng.Perm(j)
	from = from[:min(j, t.arrows)]
	for i := range from {
		from[i]++
	}
	slices.Sort(from)
	return from
}

// draw draws the probabilities of an attribute.
func (t target) draw(a *lab.Variable, rng *rand.Rand) {
	a.P = make([]float64, 1<<len(a.Parents))
	for v := range a.P {
		a.P[v] = t.probability(rng)
	}
}

// probability draws a probability in steps of 0.01: from 0.05 to 0.95 or, of a rare value, up to
// 0.15, as the probability of a 1 in three of four cases and else of a 0.
func (t target) probability(rng *rand.Rand) float64 {
	if !t.rare {
		return float64(5+rng.IntN(91)) / 100
	}
	p := 1 + rng.IntN(15)
	if rng.IntN(4) == 0 {
		p = 100 - p
	}
	return float64(p) / 100
}

// changed returns the network with one probability or one arrow changed.
func (t target) changed(n *lab.Network, rng *rand.Rand) *lab.Network {
	least := 0.05
	if t.rare {
		least = 0.01
	}
	c := &lab.Network{Name: n.Name, Class: n.Class, Attributes: slices.Clone(n.Attributes)}
	j := rng.IntN(len(c.Attributes))
	a := &c.Attributes[j]
	if j > 0 && rng.IntN(6) == 0 { // the arrow goes, or another one comes
		a.Parents = []int{0}
		if t.arrows > 0 {
			a.Parents = append(a.Parents, t.arrowsTo(j, rng)...)
		} else if parent := rng.IntN(j + 1); parent > 0 {
			a.Parents = append(a.Parents, parent)
		}
		t.draw(a, rng)
		return c
	}
	a.P = slices.Clone(a.P)
	v := rng.IntN(len(a.P))
	if rng.IntN(2) == 0 {
		a.P[v] = t.probability(rng)
	} else {
		a.P[v] = math.Round(100*min(1-least, max(least, a.P[v]+float64(rng.IntN(21)-10)/100))) / 100
	}
	return c
}
