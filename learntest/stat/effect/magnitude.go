package effect

import (
	"fmt"
	"math"
)

// A Magnitude is a conventional word for the size of an effect.
type Magnitude uint8

// The magnitudes.
const (
	Negligible Magnitude = iota
	Small
	Medium
	Large
)

// String returns the word.
func (m Magnitude) String() string {
	words := []string{"negligible", "small", "medium", "large"}
	if int(m) < len(words) {
		return words[m]
	}
	return fmt.Sprintf("Magnitude(%d)", uint8(m))
}

// CohenMagnitude returns the word for a standardised difference such as
// [CohenD] or [HedgesG]: small from 0.2, medium from 0.5, large from 0.8 in
// absolute value. NaN is negligible.
//
// Source: Cohen (1988), section 2.2.3.
func CohenMagnitude(d float64) Magnitude { return magnitude(d, 0.2, 0.5, 0.8) }

// CliffMagnitude returns the word for [CliffsDelta]: small from 0.147, medium
// from 0.33, large from 0.474 in absolute value. NaN is negligible.
//
// Source: J. Romano, J. D. Kromrey, J. Coraggio and J. Skowronek (2006),
// "Appropriate statistics for ordinal level data".
func CliffMagnitude(delta float64) Magnitude { return magnitude(delta, 0.147, 0.33, 0.474) }

// magnitude returns the word for an effect, given where each begins.
func magnitude(effect, small, medium, large float64) Magnitude {
	switch a := math.Abs(effect); {
	case a >= large:
		return Large
	case a >= medium:
		return Medium
	case a >= small:
		return Small
	}
	return Negligible
}
