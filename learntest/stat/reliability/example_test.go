package reliability_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat/reliability"
)

// A classifier that is right in two of four cases says 90% in each.
func Example() {
	bins, err := reliability.Bins([]float64{0.9, 0.9, 0.9, 0.9}, []bool{true, false, true, false}, 10)
	if err != nil {
		panic(err)
	}
	for _, b := range bins {
		if b.N > 0 {
			fmt.Printf("%d predictions of %.0f%%: %.0f%% right\n", b.N, 100*b.Probability, 100*b.Right)
		}
	}
	fmt.Printf("expected calibration error %.2f\n", reliability.Error(bins))
	// Output:
	// 4 predictions of 90%: 50% right
	// expected calibration error 0.40
}
