package adjust_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat/adjust"
)

// The six pairs of four learners.
func ExamplePairs() {
	p := []float64{0.0172, 0.6605, 0.0108, 0.0570, 0.8836, 0.0024}
	holm, err := adjust.MustLookup("holm").Adjust(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	bergmann, err := adjust.MustLookup("bergmann-hommel").Adjust(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, pair := range adjust.Pairs(4) {
		fmt.Printf("%d-%d  p %.4f  holm %.4f  bergmann-hommel %.4f\n", pair[0], pair[1], p[i],
			holm[i], bergmann[i])
	}
	// Output:
	// 0-1  p 0.0172  holm 0.0688  bergmann-hommel 0.0516
	// 0-2  p 0.6605  holm 1.0000  bergmann-hommel 1.0000
	// 0-3  p 0.0108  holm 0.0540  bergmann-hommel 0.0324
	// 1-2  p 0.0570  holm 0.1710  bergmann-hommel 0.0570
	// 1-3  p 0.8836  holm 1.0000  bergmann-hommel 1.0000
	// 2-3  p 0.0024  holm 0.0144  bergmann-hommel 0.0144
}

// Each method, applied to the same four p-values.
func ExampleMethods() {
	p := []float64{0.01, 0.02, 0.03, 0.04}
	for _, m := range adjust.Methods() {
		if m.AllPairs {
			continue // there are no four pairs
		}
		adjusted, err := m.Adjust(p)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-20s %.4f\n", m.Name, adjusted)
	}
	// Output:
	// none                 [0.0100 0.0200 0.0300 0.0400]
	// bonferroni           [0.0400 0.0800 0.1200 0.1600]
	// sidak                [0.0394 0.0776 0.1147 0.1507]
	// holm                 [0.0400 0.0600 0.0600 0.0600]
	// holm-sidak           [0.0394 0.0588 0.0591 0.0591]
	// finner               [0.0394 0.0396 0.0398 0.0400]
	// hochberg             [0.0400 0.0400 0.0400 0.0400]
	// hommel               [0.0400 0.0400 0.0400 0.0400]
	// rom                  [0.0395 0.0400 0.0400 0.0400]
	// benjamini-hochberg   [0.0400 0.0400 0.0400 0.0400]
	// benjamini-yekutieli  [0.0833 0.0833 0.0833 0.0833]
}

func ExampleLookup() {
	holm, err := adjust.Lookup("holm")
	if err != nil {
		fmt.Println(err)
		return
	}
	adjusted, err := holm.Adjust([]float64{0.04, 0.01, 0.03})
	fmt.Printf("%.2f %v\n", adjusted, err)
	_, err = holm.Adjust([]float64{0.04, 1.01})
	fmt.Println(err)
	// Output:
	// [0.06 0.03 0.06] <nil>
	// index 1: not a p-value: 1.01 is outside of [0, 1]
}
