package learnercheck

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest"
)

// A transfer has what tells whether it is fraud in one of many ways.
type transfer struct {
	Amount float64
	Fraud  bool
	code   int8
	Case   *dossier
	Closed *string
	Codes  []uint16
	Bits   [2]float32
	Any    any
	Tags   map[string]string
	Props  map[string]any
	Note   *dossier
}

type dossier struct{ State string }

// transfers returns data of which set puts the label into the examples, and amounts hint at it.
func transfers(n int, set func(x *transfer, fraud bool)) *learntest.ExampleSet[transfer, bool] {
	r := rand.New(rand.NewPCG(3, 4))
	xs, labels := make([]transfer, n), make([]bool, n)
	for i := range xs {
		labels[i] = i%3 == 0
		xs[i] = transfer{
			Amount: r.NormFloat64(), Codes: []uint16{uint16(i % 7), 0},
			Case: &dossier{"open"},
		}
		if labels[i] {
			xs[i].Amount++
		}
		set(&xs[i], labels[i])
	}
	return learntest.Examples("transfers", xs, labels)
}

// mixing predicts from the amount, and from another value that tells the label.
func mixing(tells func(x transfer) bool) learntest.Learner[transfer, bool] {
	return learntest.Func("mixing", func(_ context.Context, train learntest.Sample[transfer, bool],
		_ uint64,
	) (func(transfer) bool, error) {
		sum, n := 0.0, 0.0
		for x, fraud := range train.All() {
			if fraud {
				sum, n = sum+x.Amount, n+1
			}
		}
		return func(x transfer) bool {
			if tells(x) {
				return x.Amount > sum/n-0.5
			}
			return x.Amount > sum/n+0.5
		}, nil
	})
}

// Check finds a learner that uses the label in the example itself, beside other evidence, wherever
// the label is.
func TestCheckFindsWhoGoesByTheLabelInTheExample(t *testing.T) {
	t.Parallel()
	yes := "closed"
	for name, c := range map[string]struct {
		set   func(x *transfer, fraud bool)
		tells func(x transfer) bool
		where string
	}{
		"a field": {
			func(x *transfer, fraud bool) { x.Fraud = fraud },
			func(x transfer) bool { return x.Fraud }, "field Fraud",
		},
		"the contrary": {
			func(x *transfer, fraud bool) { x.Fraud = !fraud },
			func(x transfer) bool { return !x.Fraud }, "field Fraud",
		},
		"one that is not exported": {func(x *transfer, fraud bool) {
			x.code = map[bool]int8{
				false: 3,
				true:  7,
			}[fraud]
		}, func(x transfer) bool { return x.code == 7 }, "field code"},
		"behind a pointer": {func(x *transfer,
			fraud bool,
		) {
			x.Case = &dossier{fmt.Sprint(fraud)}
		}, func(x transfer) bool { return x.Case.State == "true" }, "field Case.State"},
		"a pointer that may be nil": {func(x *transfer,
			fraud bool,
		) {
			x.Closed = map[bool]*string{true: &yes}[fraud]
		}, func(x transfer) bool { return x.Closed != nil }, "field Closed"},
		"an element": {func(x *transfer,
			fraud bool,
		) {
			x.Codes[1] = map[bool]uint16{true: 1}[fraud]
		}, func(x transfer) bool { return x.Codes[1] == 1 }, "field Codes[1]"},
		"a field of any type": {func(x *transfer, fraud bool) {
			x.Any = map[bool]any{
				true:  "yes",
				false: 3,
			}[fraud]
		}, func(x transfer) bool { return x.Any == "yes" }, "field Any"},
		"any type or none": {func(x *transfer,
			fraud bool,
		) {
			x.Any = map[bool]any{true: 1.5}[fraud]
		}, func(x transfer) bool { return x.Any != nil }, "field Any"},
		"a struct in any type": {func(x *transfer,
			fraud bool,
		) {
			x.Any = dossier{fmt.Sprint(fraud)}
		}, func(x transfer) bool { return x.Any.(dossier).State == "true" }, "field Any.State"},
		"an entry of a map": {func(x *transfer, fraud bool) {
			x.Tags = map[string]string{"state": fmt.Sprint(fraud), "n": x.Case.State}
		}, func(x transfer) bool { return x.Tags["state"] == "true" }, `field Tags["state"]`},
		"an entry that is there or not": {func(x *transfer, fraud bool) {
			x.Tags = map[string]string{"n": "1"}
			if fraud {
				x.Tags["state"] = fmt.Sprint(x.Amount)
			}
		}, func(x transfer) bool { return x.Tags["state"] != "" }, `field Tags["state"]`},
		"an entry of any type": {func(x *transfer,
			fraud bool,
		) {
			x.Props = map[string]any{"fraud": fraud}
		}, func(x transfer) bool { return x.Props["fraud"].(bool) }, `field Props["fraud"]`},
		"behind a pointer that the first has": {func(x *transfer, fraud bool) {
			if fraud {
				x.Note = &dossier{"checked"}
			}
		}, func(x transfer) bool { return x.Note != nil && x.Note.State == "checked" }, "field Note"},
		"behind a pointer that is nil in the first": {func(x *transfer, fraud bool) {
			if !fraud {
				x.Note = &dossier{fmt.Sprint(x.Amount)}
			}
		}, func(x transfer) bool { return x.Note == nil }, "field Note"},
		"an element of an array": {func(x *transfer,
			fraud bool,
		) {
			x.Bits[0] = map[bool]float32{true: 1}[fraud]
		}, func(x transfer) bool { return x.Bits[0] == 1 }, "field Bits[0]"},
	} {
		data := transfers(60, c.set)
		before, err := data.Digest()
		require.NoError(t, err)
		found := flawsIn(t, check(t.Context(), data, mixing(c.tells)))
		require.Len(t, found, 1, name)
		assert.Equal(t, Labels, found[0].Rule, name)
		assert.Regexp(t, `^`+regexp.QuoteMeta(c.where)+` tells the label of all 60 examples, and with the value that it has for another label, it predicted (true and then false|false and then true) for example \d+$`, found[0].Err.Error(), name)
		assert.Contains(t, found[0].Remedy(),
			"leave out of the examples each value that is not known before the label")
		after, err := data.Digest()
		require.NoError(t, err)
		require.Equal(t, before, after, "%s: the examples are unchanged", name)

		// Who does not look at it does nothing wrong.
		require.NoError(t, check(t.Context(), data,
			mixing(func(x transfer) bool { return x.Amount > 0 })), name)
	}
}

// A field that tells most labels is evidence, and one that tells few may be chance.
func TestCheckLetsEvidenceBe(t *testing.T) {
	t.Parallel()
	i := 0
	nearly := transfers(60, func(x *transfer, fraud bool) { x.Fraud = fraud != (i == 20); i++ })
	require.NoError(t, check(t.Context(), nearly, mixing(func(x transfer) bool { return x.Fraud })))
	few := transfers(9, func(x *transfer, fraud bool) { x.Fraud = fraud })
	require.NoError(t, check(t.Context(), few, mixing(func(x transfer) bool { return x.Fraud })))
	i = 0
	many := transfers(60, func(x *transfer, fraud bool) {
		i++
		x.code = map[bool]int8{
			false: int8(-i),
			true:  int8(i),
		}[fraud]
	})
	require.NoError(t, check(t.Context(), many, mixing(func(x transfer) bool { return x.code > 0 })))
}

// A field that tells one of three classes from the others is evidence, too; and examples need not
// all have the same elements, or anything behind a pointer.
func TestCheckLetsEvidenceOnOneOfThreeClassesBe(t *testing.T) {
	t.Parallel()
	type visit struct {
		New   bool
		Pages []int
		From  *dossier
	}
	xs, labels := make([]visit, 60), make([]string, 60)
	for i := range xs {
		labels[i] = []string{"buys", "looks", "leaves"}[i%3]
		xs[i] = visit{New: i%3 == 0, Pages: []int{i % 3, i % 3}[:2-i%2], From: &dossier{labels[i]}}
		if i == 40 {
			xs[i].From = nil
		}
	}
	xs[59].Pages[0] = 0
	l := learntest.Func("rule", func(_ context.Context, train learntest.Sample[visit, string],
		_ uint64,
	) (func(visit) string, error) {
		first := train.Label(0)
		return func(x visit) string {
			switch {
			case x.New:
				return first
			case x.From != nil && len(x.Pages) > 1 && x.Pages[1] == 1:
				return x.From.State
			}
			return "leaves"
		}, nil
	})
	require.NoError(t, check(t.Context(), learntest.Examples("visits", xs, labels), l))
}

// Rows of numbers with the number that is to be predicted left in.
func TestCheckFindsTheNumberInTheRow(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	xs, ys := make([][]float64, 30), make([]float64, 30)
	for i := range xs {
		ys[i] = r.NormFloat64()
		xs[i] = []float64{r.NormFloat64(), ys[i], 7 - 2.1*ys[i]}
	}
	data := learntest.Examples("prices", xs, ys)
	column := func(j int) learntest.Learner[[]float64, float64] {
		return learntest.Func("mean", func(_ context.Context, train learntest.Sample[[]float64, float64],
			_ uint64,
		) (func([]float64) float64, error) {
			sum := 0.0
			for _, y := range train.All() {
				sum += y
			}
			return func(x []float64) float64 { return sum/float64(train.Len()) + x[j]/2 }, nil
		})
	}
	found := flawsIn(t, check(t.Context(), data, column(1)))
	require.Len(t, found, 1)
	assert.Equal(t, Labels, found[0].Rule)
	assert.ErrorContains(t, found[0].Err, "element [1] tells the label of all 30 examples, and ")
	require.NoError(t, check(t.Context(), data, column(0)))
	found = flawsIn(t, check(t.Context(), data, column(2)))
	require.Len(t, found, 1)
	assert.ErrorContains(t, found[0].Err, "element [2] tells the label of all 30 examples, and ")
}

// A learner that fails on what no example has had fails.
func TestCheckThatFailsWithoutTheLabel(t *testing.T) {
	t.Parallel()
	data := transfers(60, func(x *transfer, fraud bool) { x.Fraud = fraud })
	known := make(map[float64]bool)
	for i := range data.Len() {
		known[data.Example(i).Amount] = data.Label(i)
	}
	l := mixing(func(x transfer) bool {
		if x.Fraud && !known[x.Amount] {
			panic("no such transfer")
		}
		return x.Fraud
	})
	found := flawsIn(t, check(t.Context(), data, l))
	require.Len(t, found, 1)
	assert.ErrorContains(t, found[0].Err,
		"field Fraud tells the label of all 60 examples, and with the value that it has for another label, it fails: ")
}
