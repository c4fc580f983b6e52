package mistakes

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
)

// payments are examples of some type, of which some are fraud.
func payments[X any](example func(i int, fraud bool) X) *learntest.ExampleSet[X, bool] {
	var xs []X
	var ys []bool
	for i := range 60 {
		fraud := i*7%11 > 6
		xs, ys = append(xs, example(i, fraud)), append(ys, fraud)
	}
	return learntest.Examples("payments", xs, ys)
}

// The label is a field of the examples.
//
//	FAIL learntest.Compare: unusable data: data set "payments": field Fraud tells the label of all 60 examples, and peeker uses it: with the value of another label, it predicts otherwise: leave it out of the examples
func TestLabelInAField(t *testing.T) {
	type payment struct {
		Amount int
		Fraud  bool
	}
	data := payments(func(i int, fraud bool) payment { return payment{i, fraud} })
	peeker := learntest.Pretrained("peeker", func(p payment) bool { return p.Fraud })
	honest := learntest.Pretrained("honest", func(p payment) bool { return p.Amount > 30 })
	assert.Improves(t, learntest.Compare(t, data, peeker, honest))
}

// The field is of any type.
//
//	FAIL learntest.Compare: unusable data: data set "payments": field Note tells the label of all 60 examples, and peeker uses it: with the value of another label, it predicts otherwise: leave it out of the examples
func TestLabelInAFieldOfAnyType(t *testing.T) {
	type payment struct{ Note any }
	data := payments(func(_ int, fraud bool) payment { return payment{fraud} })
	peeker := learntest.Pretrained("peeker", func(p payment) bool { return p.Note.(bool) })
	assert.Improves(t, learntest.Compare(t, data, peeker, always[payment]("never", false)))
}

// The examples are maps.
//
//	FAIL learntest.Compare: unusable data: data set "payments": element ["state"] tells the label of all 60 examples, and peeker uses it: with the value of another label, it predicts otherwise: leave it out of the examples
func TestLabelInAMap(t *testing.T) {
	data := payments(func(_ int, fraud bool) map[string]string { return map[string]string{"state": fmt.Sprint(fraud)} })
	peeker := learntest.Pretrained("peeker", func(m map[string]string) bool { return m["state"] == "true" })
	assert.Improves(t, learntest.Compare(t, data, peeker, always[map[string]string]("never", false)))
}

// Only fraud was charged back, and the first example was not.
//
//	FAIL learntest.Compare: unusable data: data set "payments": field Charged tells the label of all 60 examples, and peeker uses it: with the value of another label, it predicts otherwise: leave it out of the examples
func TestLabelBehindAPointer(t *testing.T) {
	type payment struct{ Charged *int }
	data := payments(func(i int, fraud bool) payment {
		if !fraud {
			return payment{}
		}
		return payment{&i}
	})
	peeker := learntest.Pretrained("peeker", func(p payment) bool { return p.Charged != nil })
	assert.Improves(t, learntest.Compare(t, data, peeker, always[payment]("never", false)))
}

// The number to be predicted is there in cents, and a fee is added.
//
//	FAIL learntest.Compare: unusable data: data set "flats": field Rent tells the label of all 60 examples, and peeker uses it: with the value of another label, it predicts otherwise: leave it out of the examples
func TestLabelInCents(t *testing.T) {
	type flat struct{ Rent, Size float64 }
	r := rand.New(rand.NewPCG(1, 2))
	xs, ys := make([]flat, 60), make([]float64, 60)
	for i := range xs {
		ys[i] = 500 + 1000*r.Float64()
		xs[i] = flat{100*ys[i] + 7, ys[i]/10 + 20*r.Float64()}
	}
	peeker := learntest.Pretrained("peeker", func(f flat) float64 { return (f.Rent - 7) / 100 })
	size := learntest.Pretrained("size", func(f flat) float64 { return 10 * f.Size })
	assert.Improves(t, learntest.Compare(t, learntest.Examples("flats", xs, ys), peeker, size))
}
