package study

import (
	"math"

	"github.com/learnbench/learnbench/learntest/internal/papers"
)

// besidePrint returns the cells of a figure that should come out to the last digit that is
// printed: ours, the printed one, and their difference.
func besidePrint(x float64, f papers.Figure) []string {
	difference := "none"
	if !f.Rounds(x) {
		difference = signed(x-f.Value, f.Decimals+1)
	}
	return []string{figure(x, f.Decimals+2), f.Text, difference}
}

// besideError returns the cells of a figure with a Monte Carlo error: ours, its error, the
// printed one, and the difference in standard errors, that of the print being the given one,
// which is zero if it is not known. There is no difference if neither figure has an error.
func besideError(x, se float64, digits int, f papers.Figure, printed float64) []string {
	return []string{figure(x, digits), figure(se, digits), f.Text, inErrors(x-f.Value, math.Hypot(se, printed))}
}

// inErrors returns a difference in standard errors.
func inErrors(difference, se float64) string {
	if !(se > 0) {
		return ""
	}
	return signed(difference/se, 1)
}
