package learntest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	claim "github.com/learnbench/learnbench/assert"
	. "github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
)

// theLabel ends the error on examples that have the label.
const theLabel = " the label of all 60 examples, and peeker goes by it: with the value of another label, it predicts otherwise: leave it out of the examples"

// points are examples of n random points, repeated, with labels of their own by the toss of a coin.
func points(n, times int) *ExampleSet[[2]float64, bool] {
	r := rand.New(rand.NewPCG(1, 2))
	var xs [][2]float64
	var ys []bool
	for range n {
		x, y := [2]float64{r.Float64(), r.Float64()}, r.IntN(2) == 0
		for range times {
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	return Examples("points", xs, ys)
}

// A memorizer knows its training examples.
type memorizer map[[2]float64]bool

func (m memorizer) learn(train Sample[[2]float64, bool]) func([2]float64) bool {
	for x, y := range train.All() {
		m[x] = y
	}
	return func(x [2]float64) bool { return m[x] }
}

func memorizing(name string) Learner[[2]float64, bool] {
	return Func(name, func(_ context.Context, train Sample[[2]float64, bool], _ uint64) (func([2]float64) bool, error) {
		return make(memorizer).learn(train), nil
	})
}

func always[X any](name string, y bool) Learner[X, bool] {
	return Pretrained(name, func(X) bool { return y })
}

// rare are numbers of which 3 in 100 have the label true.
func rare(n int) *ExampleSet[int, bool] {
	xs, ys := make([]int, n), make([]bool, n)
	for i := range xs {
		xs[i], ys[i] = i, i%33 == 0
	}
	return Examples("rare", xs, ys)
}

// sorted is a file that is sorted by class, with a column that numbers its rows.
func sorted() *dataset.Table {
	text := "id,x,y\n"
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		text += fmt.Sprintf("%d,%v,%v\n", i, r.Float64(), i < 30)
	}
	table, err := dataset.ReadCSV(strings.NewReader(text), "sorted.csv", dataset.ReadOptions{})
	if err != nil {
		panic(err)
	}
	return table
}

// TestMistakesOfBeginners has mistakes that pass silently elsewhere, on the shortest path: a comparison, and one
// claim. A row has the first line of the error, or of a claim that holds.
func TestMistakesOfBeginners(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(t TB)
		says string
	}{
		{"a model outside of the function that trains it", func(t TB) {
			m := make(memorizer)
			l := Func("memory", func(_ context.Context, train Sample[[2]float64, bool], _ uint64) (func([2]float64) bool, error) {
				return m.learn(train), nil
			})
			claim.Improves(t, CompareWith(t, Config{Parallel: 1}, points(100, 1), l, always[[2]float64]("never", false)))
		}, "learntest.CompareWith: unusable learner: memory keeps something between trainings: trained again on data set points, learner memory, run 1, fold 1 after its other trials, it did not predict what it had predicted, but the same each time since; let Fit make anew all that it changes, or set Config.AllowNondeterminism and bear with reruns that differ"},
		{"random numbers of the whole program", func(t TB) {
			l := Func("random", func(context.Context, Sample[[2]float64, bool], uint64) (func([2]float64) bool, error) {
				w := rand.Float64()
				return func(x [2]float64) bool { return x[0] > w }, nil
			})
			claim.Improves(t, Compare(t, points(100, 1), l, always[[2]float64]("never", false)))
		}, "learntest.Compare: unusable learner: its seed does not fix random: trained again on data set points, learner random, run 1, fold 1, it predicted differently each time; draw its random numbers from the seed that Fit gets, or set Config.AllowNondeterminism and bear with reruns that differ"},
		{"rows that are there twice", func(t TB) {
			claim.Improves(t, Compare(t, points(100, 2), memorizing("memory"), always[[2]float64]("never", false)))
		}, "memory is 44.60 points better than never on points in accuracy: holds on this data set; 91.6% of test examples have a copy in training: a learner that remembers them looks better than it is on new examples; see split.Groups with learntest.DuplicateGroups"},
		{"visits of patients who are not named", func(t TB) {
			claim.Improves(t, Compare(t, points(50, 8), memorizing("memory"), always[[2]float64]("never", false)))
		}, "memory is 52.00 points better than never on points in accuracy: holds on this data set; 100% of test examples have a copy in training: a learner that remembers them looks better than it is on new examples; see split.Groups with learntest.DuplicateGroups"},
		{"rows that are there twice, and nobody is to be", func(t TB) {
			claim.NoCopies(t, points(100, 2), 0.01)
		}, "Claim does not hold: few test examples of points have a copy in training"},
		{"a column that numbers the rows of a sorted file", func(t TB) {
			if err := learnercheck.Check(context.Background(), learnercheck.Data(Data[dataset.Row, int](sorted()), learnercheck.DataOptions{})); err != nil {
				t.Errorf("%v", err)
			}
		}, "unusable learner: the data on data set sorted: columns: column id numbers the rows, and those of each label are together: it tells the label by the place in the file"},
		{"half a point meant, and half of all allowed", func(t TB) {
			claim.NoRegression(t, Compare(t, Numbers(200), WrongBelow("bad", 120), WrongBelow("good", 20)), claim.Margin(0.5))
		}, `Claim does not hold: bad vs good on numbers: invalid: invalid claim: with a margin of 50.00 points a model would pass that always predicts "false", which scores 50.00% (AllowMajority or -allow-majority, if that is meant): 0.02 is two points`},
		{"a margin that one class passes", func(t TB) {
			claim.NoRegression(t, Compare(t, Numbers(400), Constant("odd", true), WrongBelow("good", 40)), claim.Margin(0.4))
		}, "Claim does not hold: odd is 40.00 points worse than good on numbers in accuracy, 40.00 points allowed: regressed on this data set; the candidate is significantly worse"},
		{"one model of a rare class, and one that never predicts it", func(t TB) {
			claim.NoRegression(t, Compare(t, rare(1000), always[int]("never", false), Pretrained("half", func(x int) bool { return x%66 == 0 })), claim.Margin(0.05))
		}, `Claim does not hold: never vs half on rare: invalid: invalid claim: with a margin of 5.00 points a model would pass that always predicts "false", which scores 96.90% (AllowMajority or -allow-majority, if that is meant): 0.02 is two points`},
		{"two folds", func(t TB) {
			even := Pretrained("better", func(x int) bool { return x%2 == 1 != (x%10 == 0) })
			worse := Pretrained("worse", func(x int) bool { return x%2 == 1 != (x%5 == 0) })
			claim.Improves(t, CompareWith(t, Config{Protocol: split.CV(1, 2)}, Numbers(40), even, worse))
		}, "Claim does not hold: better is 10.00 points better than worse on numbers in accuracy: inconclusive; no significant improvement"},
		{"50 examples, none of which differs", func(t TB) {
			claim.NoRegression(t, Compare(t, Numbers(50), Pretrained("new", func(x int) bool { return x%2 == 1 != (x == 1001) }), Parity()), claim.Margin(0.02))
		}, "Claim does not hold: new vs parity on numbers: invalid: invalid claim: 50 examples cannot show a margin of 2.00 points against a baseline with 100.00%, however good the candidate is: without an improvement 50 examples cannot show a loss below 5.82 points, and the smallest round margin above that is 6.00 points"},
		{"the label in a field of any type", func(t TB) {
			type payment struct{ Note any }
			claim.Improves(t, Compare(t, labelled(func(i int, fraud bool) payment { return payment{fraud} }), Pretrained("peeker", func(p payment) bool { return p.Note.(bool) }), always[payment]("never", false)))
		}, `learntest.Compare: unusable data: data set "payments": field Note tells` + theLabel},
		{"the label in a map", func(t TB) {
			claim.Improves(t, Compare(t, labelled(func(i int, fraud bool) map[string]string { return map[string]string{"state": fmt.Sprint(fraud)} }),
				Pretrained("peeker", func(m map[string]string) bool { return m["state"] == "true" }), always[map[string]string]("never", false)))
		}, `learntest.Compare: unusable data: data set "payments": element ["state"] tells` + theLabel},
		{"the label behind a pointer that the first example does not have", func(t TB) {
			type payment struct{ Charged *int }
			claim.Improves(t, Compare(t, labelled(func(i int, fraud bool) payment {
				if !fraud {
					return payment{}
				}
				return payment{&i}
			}), Pretrained("peeker", func(p payment) bool { return p.Charged != nil }), always[payment]("never", false)))
		}, `learntest.Compare: unusable data: data set "payments": field Charged tells` + theLabel},
		{"the number to be predicted, in cents", func(t TB) {
			type flat struct{ Rent, Size float64 }
			r := rand.New(rand.NewPCG(1, 2))
			xs, ys := make([]flat, 60), make([]float64, 60)
			for i := range xs {
				ys[i] = 500 + 1000*r.Float64()
				xs[i] = flat{100*ys[i] + 7, ys[i]/10 + 20*r.Float64()}
			}
			peeker := Pretrained("peeker", func(f flat) float64 { return (f.Rent - 7) / 100 })
			claim.Improves(t, Compare(t, Examples("flats", xs, ys), peeker, Pretrained("size", func(f flat) float64 { return 10 * f.Size })))
		}, `learntest.Compare: unusable data: data set "flats": field Rent tells` + theLabel},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewRecorder(t)
			c.test(r)
			r.End()
			assert.Equal(t, c.says, firstLine(r))
		})
	}
}

// labelled are payments of which some are fraud.
func labelled[X any](example func(i int, fraud bool) X) *ExampleSet[X, bool] {
	var xs []X
	var ys []bool
	for i := range 60 {
		fraud := i*7%11 > 6
		xs, ys = append(xs, example(i, fraud)), append(ys, fraud)
	}
	return Examples("payments", xs, ys)
}
