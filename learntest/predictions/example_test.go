package predictions_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
)

func Example() {
	b, err := predictions.NewBlock(predictions.Header{
		Data:        "weather",
		Examples:    4,
		Classes:     []string{"dry", "rain"},
		Protocol:    "cv runs=1 folds=2 stratified seed=1 v1",
		DataDigest:  strings.Repeat("ab", 32),
		SplitDigest: strings.Repeat("cd", 32),
	}, []int{0, 1, 1, 0}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = b.SetFolds(1, []uint16{1, 2, 1, 2})
	_ = b.Add(record.Cell{Data: "weather", Learner: "tree", Run: 1, Fold: 1}, []int{0, 2},
		&metric.Predictions{Predicted: []int{0, 0}})
	if err := predictions.Write(os.Stdout, b); err != nil {
		fmt.Println(err)
	}
	// Output:
	// learnbench-predictions: 1
	// protocol: cv runs=1 folds=2 stratified seed=1 v1
	// data-sha256: abababababababababababababababababababababababababababababababab
	// split-sha256: cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd
	// Data: weather
	// Examples: 4
	// Classes: dry rain
	// T 0 ABBA
	// F 1 0 ABAB
	// P tree 1 0 .-A-
	// Checksum: e91f1f7d90a9794004c80aa050f24f80f3b6b7eb9bc9dfe4c8fe5a366b703594
}
