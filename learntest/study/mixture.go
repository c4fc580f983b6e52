package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
)

// A mixture is the source of data sets of two classes, in each of which all attributes are
// normal with variance 1. Their means are 0 in class 0 and shift in class 1. They are independent
// or, if there is a twist, in pairs whose correlation is the twist in class 1 and the opposite in
// class 0. All pairs are alike, and without a twist all attributes: a learner that sees one half of
// them has the same expected accuracy as the same learner on the other half, for training sets of
// any size.
type mixture struct {
	attributes int // without the class, an even number
	shift      float64
	positive   float64 // probability of class 1
	twist      float64
	balanced   bool // as many examples of one class as of the other, to one, rather than what coins say
}

var _ lab.Source = mixture{}

// ID says all there is to know.
func (m mixture) ID() string {
	id := fmt.Sprintf("mixture of two normal classes, %d attributes, shift %v, class 1 with probability %v", m.attributes, m.shift, m.positive)
	if m.twist != 0 {
		id += fmt.Sprintf(", pairs with correlation ±%v", m.twist)
	}
	if m.balanced {
		id += ", as many of each"
	}
	return id
}

// Table draws a data set of n examples, the class last.
func (m mixture) Table(name string, n int, seed uint64) (*dataset.Table, error) {
	rng := rand.New(rand.NewPCG(seed, 0xa0761d6478bd642f))
	cols := numericColumns(m.attributes, n)
	class := dataset.Column{
		Attribute: dataset.Attribute{Name: "class", Kind: dataset.Nominal, Values: []string{"0", "1"}},
		Codes:     make([]int32, n),
	}
	if m.balanced {
		class.Codes = randomClasses(rng, n, 2, true)
	}
	rest := math.Sqrt(1 - float64(m.twist*m.twist))
	for i := range n {
		if !m.balanced {
			class.Codes[i] = int32(lab.Indicator(rng.Float64() < m.positive))
		}
		one := float64(class.Codes[i])
		mean, twist := float64(m.shift*one), float64(m.twist*(2*one-1))
		last := 0.0
		for j := range m.attributes {
			x := rng.NormFloat64()
			if j%2 == 1 && m.twist != 0 {
				x = float64(twist*last) + float64(rest*x)
			}
			cols[j].Numbers[i] = mean + x
			last = x
		}
	}
	return dataset.New(name, append(cols, class), m.attributes, nil)
}

// numericColumns returns columns for n numbers each.
func numericColumns(k, n int) []dataset.Column {
	cols := make([]dataset.Column, k)
	for j := range cols {
		cols[j] = dataset.Column{
			Attribute: dataset.Attribute{Name: fmt.Sprintf("x%d", j+1)},
			Numbers:   make([]float64, n),
		}
	}
	return cols
}

// A clustered mixture is one whose examples come in groups, such as patients: the examples of a
// group have a deviation in common in each attribute, and the class of each is its own. Groups have
// 1, 2, 4, 8 and 16 examples by turns.
type clustered struct {
	mixture
	deviation float64 // standard deviation of what a group has in common
}

var _ lab.Source = clustered{}

// ID says all there is to know.
func (c clustered) ID() string {
	return fmt.Sprintf("%s, in groups of 1 to 16 with deviation %v", c.mixture.ID(), c.deviation)
}

// Table draws a data set of n examples with their groups.
func (c clustered) Table(name string, n int, seed uint64) (*dataset.Table, error) {
	t, err := c.mixture.Table(name, n, seed)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 0x8bb84b93962eacc9))
	groups, common := make([]string, n), make([]float64, c.attributes)
	for i, g, left := 0, 0, 0; i < n; i++ {
		if left == 0 {
			g, left = g+1, 1<<(g%5)
			for j := range common {
				common[j] = float64(c.deviation * rng.NormFloat64())
			}
		}
		left--
		groups[i] = fmt.Sprint(g)
		for j := range common {
			t.Numbers(j)[i] += common[j]
		}
	}
	return t.WithGroups("group", groups)
}

// A line is the source of data sets with a number to be predicted, which is the sum of all
// attributes and of noise. All are normal; the attributes, which have variance 1, are alike.
type line struct {
	attributes int     // without the target, an even number
	noise      float64 // standard deviation
}

var _ lab.Source = line{}

// ID says all there is to know.
func (l line) ID() string {
	return fmt.Sprintf("sum of %d normal attributes and noise of deviation %v", l.attributes, l.noise)
}

// Table draws a data set of n examples, the target last.
func (l line) Table(name string, n int, seed uint64) (*dataset.Table, error) {
	rng := rand.New(rand.NewPCG(seed, 0xe7037ed1a0b428db))
	cols := append(numericColumns(l.attributes, n),
		dataset.Column{Attribute: dataset.Attribute{Name: "y"}, Numbers: make([]float64, n)})
	y := cols[l.attributes].Numbers
	for i := range n {
		for j := range l.attributes {
			x := rng.NormFloat64()
			cols[j].Numbers[i] = x
			y[i] += x
		}
		y[i] += float64(l.noise * rng.NormFloat64())
	}
	return dataset.New(name, cols, l.attributes, nil)
}

// half returns the data set with the first or the second half of its attributes, and the
// predicted attribute, which is the last one.
func half(t *dataset.Table, second bool) (*dataset.Table, error) {
	k := t.ClassIndex() / 2
	from := k * lab.Indicator(second)
	cols := make([]dataset.Column, 0, k+1)
	for _, j := range append(sequence(from, k), t.ClassIndex()) {
		cols = append(cols, dataset.Column{
			Attribute: t.Attribute(j), Numbers: t.Numbers(j),
			Codes: t.Codes(j),
		})
	}
	return dataset.New(t.Name(), cols, k, t.Weights())
}

// stacked returns a data set with the examples of both, whose attributes are equal.
func stacked(a, b *dataset.Table) (*dataset.Table, error) {
	cols := make([]dataset.Column, a.NumAttributes())
	for j := range cols {
		cols[j] = dataset.Column{Attribute: a.Attribute(j), Numbers: slices.Concat(a.Numbers(j),
			b.Numbers(j)), Codes: slices.Concat(a.Codes(j), b.Codes(j))}
	}
	return dataset.New(a.Name(), cols, a.ClassIndex(), nil)
}

// sequence returns n numbers from the given one on.
func sequence(from, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = from + i
	}
	return s
}

// onHalves returns two subjects of a learner that draws no random numbers: one sees the first
// half of the attributes, the other one the second.
func onHalves(whole lab.Subject) (first, second lab.Subject) {
	of := func(which string, second bool) lab.Subject {
		return lab.Subject{
			Name: whole.Name + ", " + which + " half of the attributes",
			Bind: func() lab.Scorer { return halfScorer{whole.Bind(), second} },
		}
	}
	return of("first", false), of("second", true)
}

// A halfScorer shows half of the attributes to a learner.
type halfScorer struct {
	of     lab.Scorer
	second bool
}

func (h halfScorer) Scores(ctx context.Context, t *dataset.Table, plan *split.Plan) ([]float64,
	error,
) {
	seen, err := half(t, h.second)
	if err != nil {
		return nil, err
	}
	return h.of.Scores(ctx, seen, plan)
}

// onCoins returns two subjects of such a learner that toss a coin of their own in each trial:
// it says which half of the attributes they see.
func onCoins(whole lab.Subject) (first, second lab.Subject) {
	of := func(coin int) lab.Subject {
		return lab.Subject{
			Name: fmt.Sprintf("%s, half of the attributes by coin %d", whole.Name, coin),
			Bind: func() lab.Scorer { return coinScorer{whole.Bind(), coin} },
		}
	}
	return of(1), of(2)
}

// A coinScorer shows half of the attributes to a learner, another one from trial to trial.
type coinScorer struct {
	of   lab.Scorer
	coin int
}

func (c coinScorer) Scores(ctx context.Context, t *dataset.Table, plan *split.Plan) ([]float64,
	error,
) {
	scores, err := halfScorer{c.of, false}.Scores(ctx, t, plan)
	if err != nil {
		return nil, err
	}
	second, err := halfScorer{c.of, true}.Scores(ctx, t, plan)
	for i := range second {
		if lab.Derive(plan.Protocol().Seed(), i, c.coin)>>63 == 1 {
			scores[i] = second[i]
		}
	}
	return scores, err
}
