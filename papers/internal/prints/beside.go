package prints

import (
	"math"

	"github.com/learnbench/learnbench/internal/lab"
)

// Beside returns the cells of a figure that should come out to the last digit that is
// printed: ours, the printed one, and their difference.
func Beside(x float64, f Figure) []string {
	difference := "none"
	if !f.Rounds(x) {
		difference = lab.Signed(x-f.Value, f.Decimals+1)
	}
	return []string{lab.Figure(x, f.Decimals+2), f.Text, difference}
}

// BesideError returns the cells of a figure with a Monte Carlo error: ours, its error, the
// printed one, and the difference in standard errors. The given error of the print is
// zero if it is not known. There is no difference if neither figure has an error.
func BesideError(x, se float64, digits int, f Figure, printed float64) []string {
	return []string{
		lab.Figure(x, digits), lab.Figure(se, digits), f.Text,
		InErrors(x-f.Value, math.Hypot(se, printed)),
	}
}

// InErrors returns a difference in standard errors.
func InErrors(difference, se float64) string {
	if !(se > 0) {
		return ""
	}
	return lab.Signed(difference/se, 1)
}
