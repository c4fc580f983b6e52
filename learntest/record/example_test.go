package record_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

const results = `learnbench-format: 1
commit: 3f2a9c1
protocol: cv runs=1 folds=2 stratified seed=1 v1
data-sha256: 9a1f
split-sha256: 77c0
runs: 1
folds: 2
Learners: c45 naivebayes
Unit accuracy better=higher min=0 max=1
BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1 1 0.75 accuracy 423 train-n 423 test-n 0.01 fit-sec/op 0.001 predict-sec/op
BenchmarkCV/data=vehicle/learner=naivebayes/run=1/fold=1 1 0.5 accuracy 423 train-n 423 test-n 0.001 fit-sec/op 0.001 predict-sec/op
BenchmarkCV/data=vehicle/learner=c45/run=1/fold=2 1 0.625 accuracy 423 train-n 423 test-n 0.01 fit-sec/op 0.001 predict-sec/op
BenchmarkCV/data=vehicle/learner=naivebayes/run=1/fold=2 1 0.5625 accuracy 423 train-n 423 test-n 0.001 fit-sec/op 0.001 predict-sec/op
`

func ExamplePair() {
	f, err := record.Read(strings.NewReader(results), "results.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := record.Pair(
		record.Selection{File: f, Data: "vehicle", Learner: "c45"},
		record.Selection{File: f, Data: "vehicle", Learner: "naivebayes"},
		"accuracy")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Candidate, p.A)
	fmt.Println(p.Baseline, p.B)
	// Output:
	// c45 [0.75 0.625]
	// naivebayes [0.5 0.5625]
}

func ExampleFile_Check() {
	whole, damaged := results, results[:strings.LastIndex(results, "Benchmark")]
	for _, text := range []string{whole, damaged} {
		f, err := record.Read(strings.NewReader(text), "results.txt")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(f.Check())
	}
	// Output:
	// <nil>
	// trials are missing: data set vehicle, learner naivebayes, run 1, fold 2
}

func ExampleRead() {
	_, err := record.Read(strings.NewReader(strings.Replace(results, "0.625", "NaN", 1)), "results.txt")
	fmt.Println(err)
	// Output:
	// results.txt:12: accuracy is NaN
}

func ExampleWrite() {
	f := &record.File{Sets: []record.Set{{
		Header: record.Header{
			Protocol:   "cv runs=1 folds=2 stratified seed=1 v1",
			DataDigest: "9a1f", SplitDigest: "77c0",
			Runs: 1, Folds: 2,
		},
		Learners: []string{"c45"},
		Units:    []record.Unit{{Name: "accuracy", Better: record.Higher, Min: 0, Max: 1}},
		Trials: []record.Trial{
			{Data: "vehicle", Learner: "c45", Run: 1, Fold: 2, TrainN: 423, TestN: 423, Err: "did not\nconverge"},
			{Data: "vehicle", Learner: "c45", Run: 1, Fold: 1, TrainN: 423, TestN: 423, Values: []record.Value{{Unit: "accuracy", Value: 2.0 / 3}}},
		},
	}}}
	if err := record.Write(os.Stdout, f); err != nil {
		fmt.Println(err)
	}
	// Output:
	// learnbench-format: 1
	// pkg:
	// commit:
	// protocol: cv runs=1 folds=2 stratified seed=1 v1
	// data-sha256: 9a1f
	// split-sha256: 77c0
	// runs: 1
	// folds: 2
	// repeats:
	// Reproduce:
	// Determinism:
	// Toolchain:
	// Learners: c45
	// Unit accuracy better=higher min=0 max=1
	// BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1 1 0.6666666666666666 accuracy 423 train-n 423 test-n 0 fit-sec/op 0 predict-sec/op
	// error: did not\nconverge
	// BenchmarkCV/data=vehicle/learner=c45/run=1/fold=2 1 1 failed 423 train-n 423 test-n 0 fit-sec/op 0 predict-sec/op
	// error:
}
