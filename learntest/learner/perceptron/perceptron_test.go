package perceptron

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/internal/javarand"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
	"github.com/learnbench/learnbench/learntest/learnercheck"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, cfg := range []Config{{}, {Epochs: 3, Exponent: 2}, {MaxAlterations: 2}} {
		var allowed []learnercheck.Rule
		if cfg.Exponent > 1 { // powers of the largest numbers are infinite
			allowed = []learnercheck.Rule{learnercheck.Learning}
		}
		assert.NoError(t, learnercheck.Check(t.Context(), learnercheck.Classifier(New(cfg),
			learnercheck.Options{TwoClasses: true}), allowed...), New(cfg).Name())
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "perceptron", New(Config{}).Name())
	assert.Equal(t, "perceptron", New(Config{
		Epochs: 1, Exponent: 1, MaxAlterations: 10000,
		Shuffle: 1,
	}).Name())
	assert.Equal(t, "perceptron(epochs=2,exponent=3,alterations=4,shuffle=5)",
		New(Config{Epochs: 2, Exponent: 3, MaxAlterations: 4, Shuffle: 5}).Name())
}

func TestFitRefusesWhatCannotBeLearned(t *testing.T) {
	t.Parallel()
	for _, cfg := range []Config{{Epochs: -1}, {Exponent: -1}, {MaxAlterations: -1}} {
		_, err := New(cfg).Fit(uci.Vote(), []int{0}, 1)
		assert.ErrorIs(t, err, ErrConfig)
	}
	_, err := New(Config{}).Fit(uci.Iris(), []int{0, 1}, 1)
	require.ErrorIs(t, err, learner.ErrTraining)
	assert.ErrorContains(t, err, `"class" declares 3 values, a perceptron needs 2`)
	_, err = New(Config{}).Fit(uci.Vote(), []int{-1}, 1)
	require.ErrorIs(t, err, learner.ErrTraining)
}

func fit(t require.TestingT, c *Classifier, tb *dataset.Table, rows []int) *Model {
	m, err := c.Fit(tb, rows, 1)
	require.NoError(t, err)
	return m.(*Model)
}

func TestNoMistakeMeansNoOpinion(t *testing.T) {
	t.Parallel()
	// The empty perceptron decides for class 1.
	tb := fixture.Table(t, nil, fixture.Numeric("x", 1, 2),
		fixture.Nominal("class", []string{"a", "b"}, 1, 1))
	m := fit(t, New(Config{}), tb, fixture.Rows(tb))
	assert.Equal(t, 0, m.Alterations())
	assert.Equal(t, []float64{0.5, 0.5, 0.5, 0.5}, fixture.Distributions(m, tb))
	assert.Equal(t, "voted perceptron: 1 perceptrons of 1 inputs", m.String())
	assert.Equal(t, []Vote{{Votes: 2, Row: -1}}, m.Votes())
}

func TestVotesOfASmallTrainingSet(t *testing.T) {
	t.Parallel()
	// Rows in the order of the shuffle: the first is wrong (class 0, decided
	// for 1) and is subtracted; then -(1*x + 1) decides.
	tb := fixture.Table(t, nil, fixture.Numeric("x", 1, 1, -3),
		fixture.Nominal("class", []string{"a", "b"}, 0, 0, 1))
	order := []int{0, 1, 2}
	javarand.New(1).Shuffle(3, func(i, j int) { order[i], order[j] = order[j], order[i] })
	require.Equal(t, []int{1, 2, 0}, order)
	m := fit(t, New(Config{}), tb, fixture.Rows(tb))
	// Row 1 is subtracted. Row 2: -(1*-3+1) = 2, class 1, right. Row 0: -2,
	// right.
	assert.Equal(t, []Vote{{Votes: 0, Row: 1, Sign: -1}, {Votes: 3, Row: -1}}, m.Votes())
	p := 1 / (1 + math.Exp(3))
	require.NoError(t, floatcmp.Slices(fixture.Distributions(m, tb), []float64{
		1 - p, p, 1 - p, p, p,
		1 - p,
	}, 0, 1e-14))
}

func TestMissingValuesAreMeansAndModes(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	values := []string{"p", "q", "r"}
	cols := func(x float64, y, z int32) []dataset.Column {
		return []dataset.Column{
			fixture.Numeric("x", 1, 2, 6, x),
			fixture.Nominal("y", values, 2, 1, 2, y),
			fixture.Nominal("z", values[:2], 0, 1, -1, z),
			fixture.Numeric("never", nan, nan, nan, nan),
			fixture.Nominal("class", []string{"a", "b"}, 0, 1, 0, 0),
		}
	}
	missing, filled := fixture.Table(t, nil, cols(nan, -1, -1)...),
		fixture.Table(t, nil, cols(3, 2, 0)...)
	a, b := fit(t, New(Config{}), missing, []int{0, 1, 2}), fit(t, New(Config{}), filled,
		[]int{0, 1, 2})
	assert.Equal(t, fixture.Distributions(b, filled), fixture.Distributions(a, missing))
	assert.Contains(t, a.String(), "of 3 inputs", "the attribute that is never known is left out")
}

// Provenance: VotedPerceptron of Weka 3.6.14, trained on the first 12 rows, of
// which only x is known.
func TestAttributesNeverKnownInTrainingAreThoseOfWeka(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	x := []float64{-2, -1, 1, -4, -3, -1, -1, 1, 1, 2, -2, -1}
	class := []int32{0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1}
	never, two, number := slices.Repeat([]int32{-1}, 12), slices.Repeat([]int32{-1}, 12),
		slices.Repeat([]float64{nan}, 12)
	var want []float64
	half, low, high, most := 0.5, 0.11920292202211755, 0.8807970779778823, 0.9996646498695336
	for _, test := range []struct{ x, p, q, r, missing float64 }{
		{-2, half, high, high, half},
		{-1, low, half, half, low},
		{0, low, low, low, low},
		{1, low, most, most, low},
		{2, most, most, most, most},
	} {
		x, class = append(x, test.x, test.x, test.x, test.x), append(class, 0, 0, 0, 0)
		never, two, number = append(never, 0, 1, 2, -1), append(two, 1, 1, 1, 1),
			append(number, 5, 5, 5, 5)
		want = append(want, 1-test.p, test.p, 1-test.q, test.q, 1-test.r, test.r, 1-test.missing,
			test.missing)
	}
	tb := fixture.Table(t, nil,
		fixture.Numeric("x", x...),
		fixture.Nominal("never", []string{"p", "q", "r"}, never...),
		fixture.Nominal("two", []string{"f", "t"}, two...),
		fixture.Numeric("number", number...),
		fixture.Nominal("class", []string{"u", "v"}, class...))
	m := fit(t, New(Config{}), tb, fixture.Rows(tb)[:12])
	assert.Equal(t, 6, m.Alterations())
	require.NoError(t, floatcmp.Slices(fixture.Distributions(m, tb)[24:], want, 1e-12, 0))
}

func TestMisusePanics(t *testing.T) {
	t.Parallel()
	tb := uci.Vote()
	m := fit(t, New(Config{}), tb, fixture.Rows(tb))
	assert.PanicsWithValue(t, "perceptron: 3 probabilities for 2 classes",
		func() { m.Distribution(tb, 0, make([]float64, 3)) })
	assert.Panics(t, func() { m.Distribution(uci.Labor(), 0, make([]float64, 2)) })
	assert.Panics(t, func() {
		small := fixture.Table(t, nil, fixture.Nominal("class", []string{"a", "b"}, 0))
		m.Distribution(small, 0, make([]float64, 2))
	})
	require.NoError(t, m.Close())
	require.NoError(t, m.Close())
	assert.PanicsWithValue(t, "perceptron: Distribution after Close",
		func() { m.Distribution(tb, 0, make([]float64, 2)) })
}

// random makes a table of numbers, binary and other nominal attributes with
// missing values. Integers make sums of exactly 0 likely.
func random(t require.TestingT, rng *rand.Rand, n, attributes int) *dataset.Table {
	var cols []dataset.Column
	for j := range attributes {
		c := dataset.Column{Attribute: dataset.Attribute{Name: string(rune('a' + j))}}
		if kind := rng.IntN(4); kind < 2 {
			for range n {
				x := float64(rng.IntN(7) - 3)
				if kind == 1 {
					x += rng.Float64()
				}
				if rng.IntN(9) == 0 {
					x = math.NaN()
				}
				c.Numbers = append(c.Numbers, x)
			}
		} else {
			c.Kind = dataset.Nominal
			c.Values = []string{"p", "q", "r", "s"}[:kind+rng.IntN(2)]
			for range n {
				c.Codes = append(c.Codes, int32(rng.IntN(len(c.Values)+1))-1)
			}
		}
		cols = append(cols, c)
	}
	class := fixture.Nominal("class", []string{"u", "v"})
	for range n {
		class.Codes = append(class.Codes, int32(rng.IntN(2)))
	}
	return fixture.Table(t, nil, append(cols, class)...)
}

// expand returns the inputs of a row as numbers, with one indicator for each
// value of an attribute of more than two.
func expand(w *workspace, e example) []float64 {
	var x []float64
	number, code := 0, 0
	for _, in := range w.inputs {
		if !in.multi {
			x = append(x, e.numbers[number])
			number++
			continue
		}
		for v := range in.Meta.Values {
			if int32(v) == e.codes[code] {
				x = append(x, 1)
			} else {
				x = append(x, 0)
			}
		}
		code++
	}
	return x
}

func TestModelIsThatOfTheDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		tb := random(t, rng, rapid.IntRange(2, 60).Draw(t, "rows"), rapid.IntRange(0, 5).Draw(t,
			"attributes"))
		cfg := Config{
			Epochs:         rapid.IntRange(1, 3).Draw(t, "epochs"),
			Exponent:       rapid.IntRange(1, 3).Draw(t, "exponent"),
			MaxAlterations: rapid.SampledFrom([]int{3, 10000}).Draw(t, "alterations"),
		}
		m := fit(t, New(cfg), tb, fixture.Rows(tb))
		w := m.lent.Space
		kernel := func(a, b []float64) float64 {
			sum := 0.0
			for i, x := range a {
				sum += float64(x * b[i])
			}
			k := 1.0
			for range cfg.Exponent {
				k *= sum + 1
			}
			return k
		}
		var mistakes [][]float64
		var signs []float64
		votes := []int{0}
		class := tb.Codes(tb.ClassIndex())
	training:
		for range cfg.Epochs {
			for i, r := range w.rows {
				x := expand(w, w.example(i))
				sum := 0.0
				for k, e := range mistakes {
					sum += float64(signs[k] * kernel(e, x))
				}
				if (sum < 0) == (class[r] == 0) {
					votes[len(votes)-1]++
					continue
				}
				mistakes, signs, votes = append(mistakes, x), append(signs, 2*float64(class[r])-1),
					append(votes, 1)
				if len(mistakes) == cfg.MaxAlterations {
					break training
				}
			}
		}
		if !slices.Equal(w.votes, votes) {
			t.Fatalf("votes %v, want %v", w.votes, votes)
		}
		got := make([]float64, 2)
		for i, r := range w.rows {
			x := expand(w, w.example(i))
			margin, sum := 0, 0.0
			for k, v := range votes {
				if sum < 0 {
					v = -v
				}
				margin += v
				if k < len(mistakes) {
					sum += float64(signs[k] * kernel(mistakes[k], x))
				}
			}
			want := 1 / (1 + math.Exp(-float64(margin)))
			if len(mistakes) == 0 {
				want = 0.5
			}
			if m.Distribution(tb, int(r), got); !floatcmp.Equal(got[1], want, 0, 1e-12) {
				t.Fatalf("row %d: %v, want %v", r, got[1], want)
			}
		}
	})
}

func FuzzDistributionIsValid(f *testing.F) {
	f.Add(uint64(1), 1.0)
	f.Add(uint64(2), math.MaxFloat64)
	f.Add(uint64(3), 5e-324)
	f.Fuzz(func(t *testing.T, seed uint64, scale float64) {
		rng := rand.New(rand.NewPCG(seed, 2))
		tb := random(t, rng, 1+rng.IntN(40), rng.IntN(4))
		var cols []dataset.Column
		for j := range tb.NumAttributes() {
			c := dataset.Column{
				Attribute: tb.Attribute(j), Numbers: slices.Clone(tb.Numbers(j)),
				Codes: tb.Codes(j),
			}
			for i, x := range c.Numbers {
				if x *= scale; math.IsInf(x, 0) {
					x = math.NaN()
				}
				c.Numbers[i] = x
			}
			cols = append(cols, c)
		}
		tb = fixture.Table(t, nil, cols...)
		for _, cfg := range []Config{{}, {Epochs: 2, Exponent: 3}} {
			d := fixture.Distributions(fit(t, New(cfg), tb, fixture.Rows(tb)), tb)
			for i := 0; i < len(d); i += 2 {
				if !(d[i] >= 0 && d[i+1] >= 0) || !floatcmp.Equal(d[i]+d[i+1], 1, 1e-15, 0) {
					t.Fatalf("row %d: %v", i/2, d[i:i+2])
				}
			}
		}
	})
}
