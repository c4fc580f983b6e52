package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
)

// A chain is a distribution of examples of two classes with binary attributes, in
// which the classes are equally frequent and each attribute depends on the class and on
// the attribute before it:
//
//	P(a_j = 1 | class c, a_(j−1) = v) = σ(b_j + c·w_j + v·u_j + c·v·x_j),  σ(t) = ½ + ½t/(1+|t|),
//
// with class and attributes taken as −1 or +1. How much there is to learn of a class is
// in w, how wrong it is to take attributes for independent is in u and x. Only
// operations that are exact everywhere take part, so that the examples do not depend on
// the machine.
type chain struct {
	seed       uint64
	b, w, u, x []float64
}

var _ lab.Source = (*chain)(nil)

// newChain draws a chain with the given number of attributes. Its coefficients b are
// uniform between −1 and 1, and so are the coefficients of w, u and x
// before a factor for each of the three, which is uniform between 0 and 2.
func newChain(attributes int, seed uint64) *chain {
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	draw := func(scale float64) []float64 {
		c := make([]float64, attributes)
		for j := range c {
			c[j] = scale * (2*rng.Float64() - 1)
		}
		return c
	}
	return &chain{
		seed: seed, b: draw(1), w: draw(2 * rng.Float64()), u: draw(2 * rng.Float64()),
		x: draw(2 * rng.Float64()),
	}
}

// ID returns the number of attributes and the seed.
func (s *chain) ID() string {
	return fmt.Sprintf("chain attributes=%d seed=%d v1",
		len(s.b), s.seed)
}

// Table draws a data set of n examples.
func (s *chain) Table(name string, n int, seed uint64) (*dataset.Table, error) {
	rng := rand.New(rand.NewPCG(seed, 0xbf58476d1ce4e5b9))
	cols := make([]dataset.Column, len(s.b)+1)
	for j := range cols {
		cols[j] = dataset.Column{
			Attribute: dataset.Attribute{
				Name: "a" + strconv.Itoa(j+1), Kind: dataset.Nominal,
				Values: []string{"0", "1"},
			},
			Codes: make([]int32, n),
		}
	}
	class := &cols[len(s.b)]
	class.Name = "class"
	for i := range n {
		c, v := sign(rng.Float64() < 0.5), 0.0
		class.Codes[i] = code(c)
		for j := range s.b {
			t := s.b[j] + float64(c*s.w[j]) + float64(v*s.u[j]) + float64(c*v*s.x[j])
			v = sign(rng.Float64() < 0.5+0.5*t/(1+math.Abs(t)))
			cols[j].Codes[i] = code(v)
		}
	}
	t, err := dataset.New(name, cols, len(s.b), nil)
	if err != nil {
		return nil, fmt.Errorf("simulated data set %s: %w", name, err)
	}
	return t, nil
}

func sign(yes bool) float64 {
	if yes {
		return 1
	}
	return -1
}

func code(sign float64) int32 {
	if sign > 0 {
		return 1
	}
	return 0
}
