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
	fmt.Printf("%.2f (%v), 95%% interval %.2f to %.2f\n", e.Value, effect.CliffMagnitude(e.Value), e.Lo, e.Hi)
	// Output:
	// 0.60 (large), 95% interval -0.07 to 0.90
}
