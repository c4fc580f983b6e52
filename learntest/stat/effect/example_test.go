package effect_test

import (
	"fmt"
	"log"

	"github.com/learnbench/learnbench/learntest/stat/effect"
)

func ExampleCliffsDelta() {
	candidate := []float64{0.86, 0.82, 0.84, 0.88, 0.81}
	baseline := []float64{0.83, 0.80, 0.84, 0.81, 0.79}
	e, err := effect.CliffsDelta(candidate, baseline, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f (%v), 95%% interval %.2f to %.2f\n", e.Value, effect.CliffMagnitude(e.Value),
		e.Lo, e.Hi)
	// Output:
	// 0.60 (large), 95% interval -0.07 to 0.90
}

// The effect sizes of the field, on the scores of ten partitions.
func ExampleSize() {
	candidate := []float64{0.86, 0.82, 0.84, 0.88, 0.81, 0.85, 0.83, 0.86, 0.87, 0.84}
	baseline := []float64{0.83, 0.80, 0.84, 0.81, 0.79, 0.84, 0.80, 0.83, 0.86, 0.82}
	for _, e := range []struct {
		name string
		of   func(x, y []float64, level float64) (effect.Size, error)
	}{
		{"Cohen's d", effect.CohenD},
		{"Hedges' g", effect.HedgesG},
		{"A12", effect.A12},
		{"Cliff's delta", effect.CliffsDelta},
	} {
		s, err := e.of(candidate, baseline, 0.95)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %.2f, 95%% interval %.2f to %.2f\n", e.name, s.Value, s.Lo, s.Hi)
	}
	// Output:
	// Cohen's d 1.09, 95% interval 0.13 to 2.02
	// Hedges' g 1.04, 95% interval 0.12 to 1.93
	// A12 0.78, 95% interval 0.54 to 0.91
	// Cliff's delta 0.56, 95% interval 0.08 to 0.83
}
