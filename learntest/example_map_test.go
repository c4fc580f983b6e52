package learntest_test

import (
	"context"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
)

// A payment is an example of the user's own.
type payment struct {
	Amount  float64
	Country string
	Night   bool
}

// payments are made up: large ones abroad are fraud, most of the time.
func payments() learntest.Data[payment, bool] {
	r := rand.New(rand.NewPCG(1, 1))
	var xs []payment
	var ys []bool
	for range 200 {
		p := payment{Amount: 100 * r.ExpFloat64(), Country: []string{"at", "ch", "de"}[r.IntN(3)], Night: r.IntN(4) == 0}
		xs, ys = append(xs, p), append(ys, (p.Amount > 80 && p.Country != "de") != (r.IntN(10) == 0))
	}
	return learntest.Examples("payments", xs, ys)
}

// limit learns from rows of numbers, as the learners of many libraries do: the mean of the first.
func limit() learntest.Learner[[]float64, bool] {
	return learntest.Func("limit", func(_ context.Context, train learntest.Sample[[]float64, bool], _ uint64) (func([]float64) bool, error) {
		sum := 0.0
		for x := range train.All() {
			sum += x[0]
		}
		return func(x []float64) bool { return x[0] > sum/float64(train.Len()) }, nil
	})
}

// A learner on rows of numbers learns from structs.
func ExampleMap() {
	numbers := learntest.Map(limit(), func(p payment) []float64 { return []float64{p.Amount} })
	never := learntest.Pretrained("never", func(payment) bool { return false })
	compare(payments(), numbers, never, learntest.Config{})
	// Output: limit 77.50%, never 69.50%: improved
}

// Learners on tables learn from structs, beside one that knows them. Programs in other languages do, too:
// learntest.Tabulate[payment, bool](learntest.FromProcess[int](program)).
func ExampleTabulate() {
	abroad := learntest.Pretrained("abroad", func(p payment) bool { return p.Amount > 80 && p.Country != "de" })
	bayes := learntest.Tabulate[payment, bool](learntest.FromClassifier(naivebayes.New(naivebayes.Config{})))
	compare(payments(), abroad, bayes, learntest.Config{})
	// Output: abroad 91.50%, naivebayes 79.35%: improved
}

// bagged trains a learner on samples that are drawn with replacement, and has the models vote.
func bagged(l learntest.Learner[dataset.Row, int], models int) learntest.Learner[dataset.Row, int] {
	return learntest.Learner[dataset.Row, int]{Name: "bagged " + l.Name, Fit: func(ctx context.Context, train learntest.Sample[dataset.Row, int], seed uint64) (learntest.Model[dataset.Row, int], error) {
		r := rand.New(rand.NewPCG(seed, 0))
		var all []learntest.Model[dataset.Row, int]
		for range models {
			rows := make([]int, train.Len())
			for i := range rows {
				rows[i] = train.Rows()[r.IntN(train.Len())]
			}
			m, err := l.Fit(ctx, train.Select(rows), r.Uint64())
			if err != nil {
				return learntest.Model[dataset.Row, int]{}, err
			}
			all = append(all, m)
		}
		return learntest.ProbabilityModel[dataset.Row, int](func(ctx context.Context, xs []dataset.Row, p []float64) error {
			clear(p)
			asked, err := train.With(xs, nil)
			if err != nil {
				return err
			}
			for _, m := range all {
				found, err := m.Predict(ctx, asked)
				if err != nil {
					return err
				}
				for i, c := range found.Predicted {
					p[i*len(train.Classes())+c] += 1 / float64(models)
				}
			}
			return nil
		}), nil
	}}
}

// A learner trains others, and asks their models.
func ExampleSample_With() {
	nn := learntest.FromClassifier(neighbor.New(neighbor.Config{}))
	compare(uci.Glass(), bagged(nn, 5), nn, learntest.Config{})
	// Output: bagged nn 68.39%, nn 67.88%: inconclusive
}
