package metric_test

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/unit"
)

// predictions belong to a learner that was tested on four mails.
func predictions() *metric.Predictions {
	return &metric.Predictions{
		Classes:       []string{"ham", "spam"},
		Truth:         []int{0, 0, 1, 1},
		Predicted:     []int{0, 0, 1, 0},
		Probabilities: []float64{0.9, 0.1, 0.6, 0.4, 0.2, 0.8, 0.7, 0.3},
	}
}

// All metrics of one trial. Metrics of regression do not apply to classes.
func ExampleMetrics() {
	for _, m := range metric.Metrics() {
		score, err := m.Eval(predictions())
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s %.4f, %v is better\n", m.Name, score, m.Better)
	}
	// Output:
	// accuracy 0.7500, higher is better
	// error 0.2500, lower is better
	// kappa 0.5000, higher is better
	// mcc 0.5774, higher is better
	// macro-f1 0.7333, higher is better
	// balanced-accuracy 0.7500, higher is better
	// logloss 0.5108, lower is better
	// brier 0.3500, lower is better
	// auc 0.7500, higher is better
	// rmse: metric does not apply to these predictions: it needs numbers, these are classes
	// mae: metric does not apply to these predictions: it needs numbers, these are classes
	// r2: metric does not apply to these predictions: it needs numbers, these are classes
}

func ExampleLookup() {
	m, err := metric.Lookup("logloss")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Doc)
	_, err = metric.Lookup("precision")
	fmt.Println(err)
	// Output:
	// mean negative log-probability of the true class, in nats
	// unknown metric "precision": there are accuracy, error, kappa, mcc, macro-f1, balanced-accuracy, logloss, brier, auc, rmse, mae, r2
}

// Your own metric is a value: a unit with direction and range, a sentence, and a function. Use
// it like a metric of this package, for example in the field Metrics of learntest.Config.
func ExampleMetric() {
	recall := metric.Metric{
		Unit: unit.Unit{Name: "spam-recall", Better: unit.Higher, Min: 0, Max: 1},
		Doc:  "fraction of the spam that was found",
		Eval: func(p *metric.Predictions) (float64, error) {
			found, spam := 0.0, 0.0
			for i, truth := range p.Truth {
				if p.Classes[truth] == "spam" {
					spam++
					if p.Predicted[i] == truth {
						found++
					}
				}
			}
			if spam == 0 {
				return 0, errors.New("undefined without spam") // fails the trial
			}
			return found / spam, nil
		},
	}
	fmt.Println(recall.Eval(predictions()))
	// Output:
	// 0.5 <nil>
}
