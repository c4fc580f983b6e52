package record_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

const results = `learnbench-format: 2
commit: 3f2a9c1
protocol: cv runs=1 folds=2 stratified seed=1 v1
data-sha256: 9a1f0c35b2e84d7796c1d0f8e5a3b4c29a1f0c35b2e84d7796c1d0f8e5a3b4c2
split-sha256: 77c0e1d2f3a4b5c697887766554433221100ffeeddccbbaa77c0e1d2f3a4b5c6
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
	p, err := record.Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "naivebayes"), "accuracy")
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
	_, err := record.Read(strings.NewReader(strings.Replace(results, "0.625", "NaN", 1)),
		"results.txt")
	fmt.Println(err)
	// Output:
	// results.txt:10: accuracy is NaN
}

func ExampleReader_Blocks() {
	for b, err := range (record.Reader{}).Blocks(strings.NewReader(results), "results.txt") {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(b.Header.Data, b.Learners, b.Len())
	}
	// Output:
	// vehicle [c45 naivebayes] 4
}

// example returns a block of two trials, of which one failed.
func example() (*record.Block, error) {
	b, err := record.NewBlock(record.Header{
		Data:        "vehicle",
		Protocol:    "cv runs=1 folds=2 stratified seed=1 v1",
		DataDigest:  "9a1f0c35b2e84d7796c1d0f8e5a3b4c29a1f0c35b2e84d7796c1d0f8e5a3b4c2",
		SplitDigest: "77c0e1d2f3a4b5c697887766554433221100ffeeddccbbaa77c0e1d2f3a4b5c6",
	}, []string{"c45"}, []unit.Unit{{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}}, 846)
	if err != nil {
		return nil, err
	}
	for _, t := range []record.Trial{
		{
			Data: "vehicle", Learner: "c45", Run: 1, Fold: 2, TrainN: 423, TestN: 423,
			Err: "did not\nconverge",
		},
		{
			Data: "vehicle", Learner: "c45", Run: 1, Fold: 1, TrainN: 423, TestN: 423,
			Values: []float64{2.0 / 3},
		},
	} {
		if err := b.Add(t); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func ExampleWrite() {
	b, err := example()
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := record.Write(os.Stdout, b); err != nil {
		fmt.Println(err)
	}
	// Output:
	// learnbench-format: 2
	// pkg:
	// test:
	// commit:
	// protocol: cv runs=1 folds=2 stratified seed=1 v1
	// data-sha256: 9a1f0c35b2e84d7796c1d0f8e5a3b4c29a1f0c35b2e84d7796c1d0f8e5a3b4c2
	// split-sha256: 77c0e1d2f3a4b5c697887766554433221100ffeeddccbbaa77c0e1d2f3a4b5c6
	// Data: vehicle
	// Learners: c45
	// Checksum: 30e30195d21fa656b9bb60108b5896db1941b2b53f9745a37d1c4faab8897f61
	// Unit accuracy better=higher min=0 max=1
	// BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1 1 0.6666666666666666 accuracy 423 train-n 423 test-n 0 fit-sec/op 0 predict-sec/op
	// error: did not\nconverge
	// BenchmarkCV/data=vehicle/learner=c45/run=1/fold=2 1 1 failed 423 train-n 423 test-n 0 fit-sec/op 0 predict-sec/op
	// error:
}

// Results of several files, here of one.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "results")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "results.txt")
	if err := os.WriteFile(path, []byte(results), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	f, err := record.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.DataSets(), len(f.Failures()), f.Check())
	// Output:
	// [vehicle] 0 <nil>
}
