package learntest_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// compare runs two learners as learntest.Compare does in a test, and prints
// the outcome.
func compare[X any, Y comparable](d learntest.Data[X, Y], candidate, baseline learntest.Learner[X,
	Y], cfg learntest.Config,
) {
	f, err := learntest.Run(context.Background(), []learntest.Data[X, Y]{d},
		[]learntest.Learner[X, Y]{candidate, baseline}, cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	v := verdict.Of(f.Of(d.Name(), candidate.Name), f.Of(d.Name(), baseline.Name), verdict.Claim{})
	fmt.Printf("%s %v, %s %v: %v\n", v.Candidate, v.Unit.FormatScore(v.CandidateMean),
		v.Baseline, v.Unit.FormatScore(v.BaselineMean), v.Outcome)
}

// A mail is an example of a type of the user's own.
type mail struct {
	Subject string
	Links   int
}

func mails() *learntest.ExampleSet[mail, string] {
	r := rand.New(rand.NewPCG(1, 1))
	var xs []mail
	var ys []string
	for range 200 {
		m, y := mail{Subject: "minutes of the meeting", Links: r.IntN(4)}, "ham"
		if r.IntN(2) == 0 {
			m, y = mail{Subject: "you have won", Links: 1 + r.IntN(6)}, "spam"
		}
		if r.IntN(10) == 0 {
			m.Subject = "hello"
		}
		xs, ys = append(xs, m), append(ys, y)
	}
	return learntest.Examples("mail", xs, ys)
}

// A closure over the user's own struct type.
func ExampleFunc() {
	links := learntest.Func("links", func(_ context.Context, train learntest.Sample[mail, string],
		_ uint64,
	) (func(mail) string, error) {
		sum := 0
		for m := range train.All() {
			sum += m.Links
		}
		limit := float64(sum) / float64(train.Len())
		return func(m mail) string {
			if float64(m.Links) > limit {
				return "spam"
			}
			return "ham"
		}, nil
	})
	subject := learntest.Pretrained("subject", func(m mail) string {
		if strings.Contains(m.Subject, "won") {
			return "spam"
		}
		return "ham"
	})
	compare(mails(), subject, links, learntest.Config{})
	// Output: subject 93.50%, links 65.50%: improved
}

// A learner with class probabilities, judged by log loss.
func ExampleProbFunc() {
	// frequencies estimates P(class | number of links) by smoothed counts.
	frequencies := func(name string, smoothing float64) learntest.Learner[mail, string] {
		return learntest.ProbFunc(name, func(_ context.Context, train learntest.Sample[mail, string],
			_ uint64,
		) (func(mail, []float64), error) {
			var counts [10][2]float64
			for i := range train.Len() {
				counts[train.Example(i).Links][train.Class(i)]++
			}
			return func(m mail, p []float64) {
				n := counts[m.Links]
				for c := range p { // in the order of train.Classes: ham, spam
					p[c] = (n[c] + smoothing) / (n[0] + n[1] + 2*smoothing)
				}
			}, nil
		})
	}
	compare(mails(), frequencies("sharp", 1e-9), frequencies("smooth", 1),
		learntest.Config{Metrics: []metric.Metric{metric.LogLoss(), metric.Accuracy()}})
	// Output: sharp 0.4091, smooth 0.4294: improved
}

// The reference learners on a table.
func ExampleFromClassifier() {
	compare(uci.Vehicle(),
		learntest.FromClassifier(neighbor.New(neighbor.Config{})),
		learntest.FromClassifier(naivebayes.New(naivebayes.Config{})), learntest.Config{})
	// Output: nn 69.60%, naivebayes 45.17%: improved
}

// Three learners on two data sets.
func ExampleRun() {
	data := []learntest.Data[dataset.Row, int]{uci.Iris(), uci.Glass()}
	learners := []learntest.Learner[dataset.Row, int]{
		learntest.FromClassifier(neighbor.New(neighbor.Config{})),
		learntest.FromClassifier(neighbor.New(neighbor.Config{K: 5})),
		learntest.FromClassifier(naivebayes.New(naivebayes.Config{})),
	}
	records, err := learntest.Run(context.Background(), data, learners,
		learntest.Config{Protocol: split.CV(2, 10)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range records.DataSets() {
		for _, l := range learners[1:] {
			v := verdict.Of(records.Of(d, l.Name), records.Of(d, learners[0].Name), verdict.Claim{})
			fmt.Printf("%s: %s against %s %s, %v\n", d, l.Name, learners[0].Name,
				v.Unit.FormatDifference(v.Estimate), v.Outcome)
		}
	}
	// Output:
	// iris: nn(k=5) against nn -0.33 points, inconclusive
	// iris: naivebayes against nn +0.33 points, inconclusive
	// glass: nn(k=5) against nn -3.30 points, inconclusive
	// glass: naivebayes against nn -20.78 points, regressed
}

// A custom metric: what a mistake costs.
func ExampleConfig_metrics() {
	cost := metric.Metric{Doc: "mean cost of a decision"}
	cost.Unit = unit.Unit{Name: "cost", Better: unit.Lower, Min: 0, Max: 10}
	cost.Eval = func(p *metric.Predictions) (float64, error) {
		if !p.Classification() {
			return 0, errors.New("cost is of decisions")
		}
		sum := 0.0
		for i, truth := range p.Truth {
			switch {
			case p.Predicted[i] == truth:
			case p.Classes[truth] == "ham":
				sum += 10 // a lost mail
			default:
				sum++
			}
		}
		return sum / float64(p.Len()), nil
	}
	all := func(y string) learntest.Learner[mail, string] {
		return learntest.Pretrained("all "+y, func(mail) string { return y })
	}
	compare(mails(), all("ham"), all("spam"), learntest.Config{Metrics: []metric.Metric{cost}})
	// Output: all ham 0.495, all spam 5.05: improved
}

// A Visit is a row of testdata/csv/visits.csv.
type Visit struct {
	Patient string   `csv:"patient,group"`
	Age     *int     `csv:"age"` // nil where it is missing
	Score   float64  `csv:"score,nan"`
	Weight  *float64 `csv:"weight"`
	Ill     bool     `csv:"outcome,label"`
}

// The user's own structs are read from a file, with groups and labels.
func ExampleCSV() {
	visits, err := learntest.CSV[Visit, bool]("testdata/csv/visits.csv")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(visits.Name(), visits.Len(), visits.Groups())
	fmt.Println(*visits.Example(0).Age, visits.Label(0))

	_, err = learntest.CSV[struct {
		Weight float64 `csv:"weight"`
		Ill    bool    `csv:"outcome,label"`
	}, bool]("testdata/csv/visits.csv")
	fmt.Println(err)
	// Output:
	// visits 4 [p1 p1 p2 p3]
	// 61 true
	// testdata/csv/visits.csv:3:7: column "weight", field Weight float64: it is missing, and nothing is imputed: a field of type *float64 is nil then, and one with the tag csv:"weight,nan" NaN
}
