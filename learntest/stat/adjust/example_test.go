package adjust_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat/adjust"
)

// The six pairs of four learners.
func ExampleBergmannHommel() {
	p := []float64{0.0172, 0.6605, 0.0108, 0.0570, 0.8836, 0.0024}
	holm, err := adjust.Holm(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	bergmann, err := adjust.BergmannHommel(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, pair := range adjust.Pairs(4) {
		fmt.Printf("%d-%d  p %.4f  holm %.4f  bergmann-hommel %.4f\n", pair[0], pair[1], p[i], holm[i], bergmann[i])
	}
	// Output:
	// 0-1  p 0.0172  holm 0.0688  bergmann-hommel 0.0516
	// 0-2  p 0.6605  holm 1.0000  bergmann-hommel 1.0000
	// 0-3  p 0.0108  holm 0.0540  bergmann-hommel 0.0324
	// 1-2  p 0.0570  holm 0.1710  bergmann-hommel 0.0570
	// 1-3  p 0.8836  holm 1.0000  bergmann-hommel 1.0000
	// 2-3  p 0.0024  holm 0.0144  bergmann-hommel 0.0144
}
