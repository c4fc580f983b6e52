package verdict_test

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// results returns the text of a result file: accuracies of learners under two runs of
// five-fold cross-validation.
func results() string {
	var b strings.Builder
	b.WriteString(`learnbench-format: 2
protocol: cv runs=2 folds=5 stratified seed=1 v1
data-sha256: 9a1f0c35b2e84d7796c1d0f8e5a3b4c29a1f0c35b2e84d7796c1d0f8e5a3b4c2
split-sha256: 77c0e1d2f3a4b5c697887766554433221100ffeeddccbbaa77c0e1d2f3a4b5c6
Learners: forest tree bayes
Unit accuracy better=higher min=0 max=1
`)
	for _, l := range []struct {
		name   string
		scores []float64
	}{
		{"forest", []float64{0.84, 0.86, 0.83, 0.85, 0.87, 0.86, 0.84, 0.85, 0.83, 0.86}},
		{"tree", []float64{0.80, 0.83, 0.79, 0.82, 0.82, 0.81, 0.81, 0.80, 0.80, 0.83}},
		{"bayes", []float64{0.83, 0.87, 0.82, 0.85, 0.86, 0.86, 0.84, 0.84, 0.84, 0.85}},
	} {
		for i, x := range l.scores {
			fmt.Fprintf(&b, "BenchmarkCV/data=mail/learner=%s/run=%d/fold=%d 1 %v accuracy 400 train-n 100 test-n 0.01 fit-sec/op 0.001 predict-sec/op\n",
				l.name, 1+i/5, 1+i%5, x)
		}
	}
	return b.String()
}

// Two learners of one file. The zero claim is that there is a difference, at the 5% level.
func ExampleOf() {
	f, err := record.Read(strings.NewReader(results()), "results.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(verdict.Of(f.Of("mail", "forest"), f.Of("mail", "tree"), verdict.Claim{}))
	// Output:
	// forest is 3.80 points better than tree on mail in accuracy: improved on this data set
	//   accuracy       forest 84.90%, tree 81.10%
	//   difference     +3.80 points, 95% interval +2.57 to +5.03 points, p = 6.4e-05
	//   test           corrected-cv-t, n = 2×5, t = 6.99, df = 9
	//   rerun          significantly better again with probability 0.972; replicability 0.972, 90% interval 0.698 to 1.000, predicted from 2 runs
	//   detectable     a difference of 1.71 points with 80% power
	//   protocol       cv runs=2 folds=5 stratified seed=1 v1
	//   data           mail, sha256 9a1f0c35b2e8
}

// A candidate that is within a margin of the baseline. A verdict on records that are not
// there is no error to be forgotten: its outcome is invalid and its claim does not hold.
func ExampleJudge() {
	f, err := record.Read(strings.NewReader(results()), "results.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := record.Pair(f.Of("mail", "forest"), f.Of("mail", "bayes"), "accuracy")
	if err != nil {
		fmt.Println(err)
		return
	}
	v := verdict.Judge(p, verdict.Claim{Kind: verdict.NoRegression, Margin: 0.02})
	fmt.Println(v.Statement(), v.Holds)
	fmt.Println(v.Summary())

	v = verdict.Of(f.Of("mail", "forest"), f.Of("mail", "boosting"), verdict.Claim{Kind: verdict.Improves})
	fmt.Println(v.Outcome, v.Holds, v.Reason)
	// Output:
	// forest does not regress from bayes on mail in accuracy true
	// forest is 0.30 points better than bayes on mail in accuracy, 95% interval -0.80 to +1.40 points, p = 0.553
	// invalid false not found: baseline boosting on data set mail; there are: "forest", "tree", "bayes"
}

// Two claims of one question are a family: each p is adjusted for there being two.
func ExampleAdjust() {
	f, err := record.Read(strings.NewReader(results()), "results.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	var vs []verdict.Verdict
	for _, baseline := range []string{"tree", "bayes"} {
		vs = append(vs, verdict.Of(f.Of("mail", "forest"), f.Of("mail", baseline), verdict.Claim{Kind: verdict.Improves}))
	}
	vs, err = verdict.Adjust(vs, adjust.MustLookup("holm"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range vs {
		fmt.Printf("%s: p %s, adjusted %s, holds: %v\n", v.Statement(), unit.FormatP(v.Decision.P),
			unit.FormatP(v.AdjustedP), v.Holds)
	}
	// Output:
	// forest improves on tree on mail in accuracy: p 6.4e-05, adjusted 1.3e-04, holds: true
	// forest improves on bayes on mail in accuracy: p 0.553, adjusted 0.553, holds: false
}
