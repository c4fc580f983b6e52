package learntest_test

import (
	"context"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/split"
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
		p := payment{
			Amount: 100 * r.ExpFloat64(), Country: []string{"at", "ch", "de"}[r.IntN(3)],
			Night: r.IntN(4) == 0,
		}
		xs, ys = append(xs, p), append(ys, (p.Amount > 80 && p.Country != "de") != (r.IntN(10) == 0))
	}
	return learntest.Examples("payments", xs, ys)
}

// limit learns from rows of numbers, as the learners of many libraries do: the mean of the first.
func limit() learntest.Learner[[]float64, bool] {
	return learntest.Func("limit", func(_ context.Context, train learntest.Sample[[]float64, bool],
		_ uint64,
	) (func([]float64) bool, error) {
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

// Learners on tables learn from structs, beside one that knows them. Programs in other languages
// do, too: learntest.Tabulate[payment, bool](learntest.FromProcess[int](program)).
func ExampleTabulate() {
	abroad := learntest.Pretrained("abroad", func(p payment) bool {
		return p.Amount > 80 &&
			p.Country != "de"
	})
	bayes := learntest.Tabulate[payment,
		bool](learntest.FromClassifier(naivebayes.New(naivebayes.Config{})))
	compare(payments(), abroad, bayes, learntest.Config{})
	// Output: abroad 91.50%, naivebayes 79.35%: improved
}

// bagged trains a learner on samples that are drawn with replacement, and has the models vote.
func bagged(l learntest.Learner[dataset.Row, int], models int) learntest.Learner[dataset.Row, int] {
	return learntest.Learner[dataset.Row, int]{Name: "bagged " + l.Name, Fit: func(ctx context.Context,
		train learntest.Sample[dataset.Row, int], seed uint64) (learntest.Model[dataset.Row, int],
		error,
	) {
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
		return learntest.ProbabilityModel[dataset.Row, int](func(ctx context.Context, xs []dataset.Row,
			p []float64,
		) error {
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

// tuned chooses the number of neighbours by cross-validation within the training examples: a number
// that is chosen on all examples has seen the ones that it is tested on, and its scores promise too
// much.
func tuned(ks ...int) learntest.Learner[dataset.Row, int] {
	return learntest.Learner[dataset.Row, int]{Name: "tuned nn", Fit: func(ctx context.Context,
		train learntest.Sample[dataset.Row, int], seed uint64) (learntest.Model[dataset.Row, int],
		error,
	) {
		var best learntest.Learner[dataset.Row, int]
		most := -1
		for _, k := range ks {
			nn := learntest.FromClassifier(neighbor.New(neighbor.Config{K: k}))
			right, err := rightOf(ctx, nn, train, seed)
			if err != nil {
				return learntest.Model[dataset.Row, int]{}, err
			}
			if right > most {
				best, most = nn, right
			}
		}
		return best.Fit(ctx, train, seed)
	}}
}

// rightOf counts the examples that a learner predicts right in 5-fold cross-validation.
func rightOf(ctx context.Context, l learntest.Learner[dataset.Row, int],
	train learntest.Sample[dataset.Row, int], seed uint64,
) (right int, err error) {
	classes := make([]int, train.Len())
	for i := range classes {
		classes[i] = train.Class(i)
	}
	plan, err := split.CV(1, 5).WithSeed(seed).Plan(split.Examples{N: train.Len(), Class: classes})
	if err != nil {
		return 0, err
	}
	rowsOf := func(places []int) []int {
		rows := make([]int, len(places))
		for i, p := range places {
			rows[i] = train.Rows()[p]
		}
		return rows
	}
	for fold := 1; fold <= plan.Folds(); fold++ {
		inner, outer := plan.Trial(1, fold, nil, nil)
		m, err := l.Fit(ctx, train.Select(rowsOf(inner)), seed)
		if err != nil {
			return 0, err
		}
		p, err := m.Predict(ctx, train.Select(rowsOf(outer)))
		if err != nil {
			return 0, err
		}
		for i, class := range p.Predicted {
			if class == p.Truth[i] {
				right++
			}
		}
	}
	return right, nil
}

// Tuning belongs inside Fit.
func ExampleSample_Select() {
	nn := learntest.FromClassifier(neighbor.New(neighbor.Config{K: 1}))
	compare(uci.BalanceScale(), tuned(1, 5, 15), nn, learntest.Config{Protocol: split.CV(2, 10)})
	// Output: tuned nn 90.32%, nn 86.48%: improved
}

// A learner trains others, and asks their models.
func ExampleSample_With() {
	nn := learntest.FromClassifier(neighbor.New(neighbor.Config{}))
	compare(uci.Glass(), bagged(nn, 5), nn, learntest.Config{})
	// Output: bagged nn 68.39%, nn 67.88%: inconclusive
}
