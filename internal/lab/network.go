package lab

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// The limits of a network.
const (
	maxAttributes = 1000
	maxParents    = 10
)

// A Network is a Bayesian network over binary variables, one of which is the class: a
// distribution that data sets are drawn from by stochastic simulation, which draws each
// Variable after its parents. [ParseNetwork] reads one, [Networks] lists the networks of this
// package.
type Network struct {
	Name       string
	Class      float64 // P(class = 1)
	Attributes []Variable
}

// A Variable is an attribute of a network.
type Variable struct {
	Name    string
	Parents []int // 0 is the class, j attribute number j, counted from 1; all come before it

	// P[v] is P(1 | v), where v has the values of the parents as bits, the last parent lowest.
	P []float64
}

var _ Source = (*Network)(nil)

// ID returns the name and the beginning of the SHA-256 of the text form.
func (n *Network) ID() string {
	return fmt.Sprintf("network %s %x", n.Name,
		sha256.Sum256([]byte(n.String())))[:len("network ")+len(n.Name)+1+16]
}

// String returns the text form, which [ParseNetwork] reads:
//
//	network ban
//	class: 0.5
//	a1 | class: 0.25 0.75
//	a2 | class a1: 0.1 0.2 0.3 0.4
//
// After the name come the class, with the probability of value 1, and the attributes. Each
// has the names of the variables that it depends on, which come before it, and its probability
// of value 1 for each of their values: with the class and a1 at 00, 01, 10 and 11.
func (n *Network) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "network %s\nclass: %s\n", n.Name, decimal(n.Class))
	for _, a := range n.Attributes {
		b.WriteString(a.Name)
		for i, p := range a.Parents {
			if i == 0 {
				b.WriteString(" |")
			}
			b.WriteByte(' ')
			if p == 0 {
				b.WriteString("class")
			} else {
				b.WriteString(n.Attributes[p-1].Name)
			}
		}
		b.WriteByte(':')
		for _, p := range a.P {
			b.WriteByte(' ')
			b.WriteString(decimal(p))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func decimal(p float64) string { return strconv.FormatFloat(p, 'f', -1, 64) }

// Table draws a data set of examples, the class last.
func (n *Network) Table(name string, examples int, seed uint64) (*dataset.Table, error) {
	rng := rand.New(rand.NewPCG(seed, 0xe7037ed1a0b428db))
	codes := make([][]int32, len(n.Attributes)+1)
	for j := range codes {
		codes[j] = make([]int32, examples)
	}
	values := make([]int32, len(n.Attributes)+1) // of one example, the class first
	for i := range examples {
		values[0] = bit(rng.Float64() < n.Class)
		for j := range n.Attributes {
			a := &n.Attributes[j]
			values[j+1] = bit(rng.Float64() < a.P[a.given(values)])
		}
		for j, v := range values[1:] {
			codes[j][i] = v
		}
		codes[len(n.Attributes)][i] = values[0]
	}
	return n.table(name, codes)
}

// Given returns the index in p for the values of the class and the attributes.
func (a *Variable) given(values []int32) int {
	v := 0
	for _, parent := range a.Parents {
		v = 2*v + int(values[parent])
	}
	return v
}

// Table makes a data set of the codes of the attributes and of the class.
func (n *Network) table(name string, codes [][]int32) (*dataset.Table, error) {
	cols := make([]dataset.Column, len(codes))
	for j := range cols {
		attribute := "class"
		if j < len(n.Attributes) {
			attribute = n.Attributes[j].Name
		}
		cols[j] = dataset.Column{
			Attribute: dataset.Attribute{Name: attribute, Kind: dataset.Nominal, Values: []string{"0", "1"}},
			Codes:     codes[j],
		}
	}
	t, err := dataset.New(name, cols, len(n.Attributes), nil)
	if err != nil {
		return nil, fmt.Errorf("simulated data set %s: %w", name, err)
	}
	return t, nil
}

// maxEnumerated is the number of attributes up to which all examples are listed.
const maxEnumerated = 16

// Patterns returns a data set of all examples without their class, each once, and the
// probability of each with class 0 and with class 1.
func (n *Network) Patterns() (*dataset.Table, [][2]float64, error) {
	k := len(n.Attributes)
	if k > maxEnumerated {
		return nil, nil, fmt.Errorf("%w: network %s has %d attributes: the examples of up to %d can be listed", ErrConfig, n.Name, k, maxEnumerated)
	}
	codes := make([][]int32, k+1)
	for j := range codes {
		codes[j] = make([]int32, 1<<k)
	}
	p := make([][2]float64, 1<<k)
	values := make([]int32, k+1)
	for i := range p {
		for j := range k {
			values[j+1] = int32(i>>j) & 1
			codes[j][i] = values[j+1]
		}
		p[i] = [2]float64{1 - n.Class, n.Class}
		for c := range p[i] {
			values[0] = int32(c)
			for j := range n.Attributes {
				a := &n.Attributes[j]
				q := a.P[a.given(values)]
				if values[j+1] == 0 {
					q = 1 - q
				}
				p[i][c] *= q
			}
		}
	}
	t, err := n.table(n.Name+", all examples", codes)
	return t, p, err
}

// Independent draws a network in which nothing depends on anything: all learners have the
// same expected accuracy where the classes are equally frequent. Class 1 has probability
// Class; the probabilities of the attributes are uniform between 0.05 and 0.95, in steps
// of 0.01.
func Independent(name string, attributes int, class float64, seed uint64) (*Network, error) {
	if attributes < 1 || attributes > maxAttributes || !(class > 0 && class < 1) {
		return nil, fmt.Errorf("%w: %d independent attributes and a class of probability %v: want 1 to %d, and between 0 and 1",
			ErrConfig, attributes, class, maxAttributes)
	}
	rng := rand.New(rand.NewPCG(seed, 0x8ebc6af09c88c6e3))
	n := &Network{Name: name, Class: class}
	for j := range attributes {
		n.Attributes = append(n.Attributes, Variable{
			Name: "a" + strconv.Itoa(j+1),
			P:    []float64{float64(5+rng.IntN(91)) / 100},
		})
	}
	return n, nil
}

func bit(yes bool) int32 {
	if yes {
		return 1
	}
	return 0
}
